"""Fair shares: what one client may have read for it, and how long reading may keep everybody else waiting."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from thirdcard.access.attempts import Buckets
from thirdcard.server.security import Guard
from thirdcard.streams.clock import Clock

STEP_RECORDS = 20  # records that are worked out in one step, about a millisecond
REST_SECONDS = 0.001  # after each step, by real time: the others come first


class ReadBudget:
    """The reading that each client may ask for: counted in records, or in what takes as long."""

    def __init__(self, clock: Clock, guard: Guard) -> None:
        limited = guard.per_second > 0
        every = 1 / guard.reads_per_second
        self._most = guard.read_burst
        self._buckets = Buckets(clock, burst=guard.read_burst, every=every) if limited else None

    def take(self, client: str, cost: int) -> int | None:
        """Take what something costs, or return the seconds until the client has as much."""
        return self._buckets.take(client, min(cost, self._most)) if self._buckets else None


class SmallSteps:
    """Lets one reader at a time work in small steps, with a rest after each."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def step(self) -> AsyncIterator[None]:
        """Take one step of about a millisecond."""
        async with self._lock:
            yield
            await asyncio.sleep(REST_SECONDS)
