"""The only place that knows what time it is, and that waits for a time to come."""

import asyncio
import contextlib
import datetime
import secrets
import time
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from msgspec import Struct

from thirdcard.floor.gaming_day import EPOCH


class Instant(Struct, frozen=True):
    """A moment: microseconds since 1970 by the wall clock, nanoseconds by the clock of this run."""

    wall_time: int
    monotonic: int

    @property
    def moment(self) -> datetime.datetime:
        """The moment by the wall clock."""
        return EPOCH + datetime.timedelta(microseconds=self.wall_time)


class Timer(Protocol):
    """A call that is due later."""

    def cancel(self) -> None:
        """Call no more."""


class Clock:
    """Tells the time of one run of a process, and waits; order never depends on the wall clock.

    Everything that waits in game or floor time waits here, by the monotonic clock, so that a test can move
    time. ``now`` and ``call_later`` are all that another clock has to replace.
    """

    def __init__(self) -> None:
        self.run = secrets.token_hex(8)

    def now(self) -> Instant:
        """This moment."""
        return Instant(time.time_ns() // 1000, time.monotonic_ns())

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call something in the running loop after some seconds."""
        return asyncio.get_running_loop().call_later(seconds, callback)

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await self.wait(asyncio.Event(), seconds)

    async def wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for an event for at most some seconds; whether it came."""
        with contextlib.suppress(TimeoutError):
            async with self.timeout(seconds):
                await event.wait()
        return event.is_set()

    @contextlib.asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        """Raise TimeoutError in what is inside when it takes longer than some seconds."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as limit:
            timer = self.call_later(seconds, lambda: limit.reschedule(loop.time()))
            try:
                yield
            finally:
                timer.cancel()
