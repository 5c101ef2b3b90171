"""Fair shares: what one client may ask for, and how long reading may keep everybody else waiting."""

import asyncio
import contextlib
import gc
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator

from thirdcard.access.attempts import Buckets
from thirdcard.server.security import Guard
from thirdcard.streams.clock import Clock

STEP_RECORDS = 20  # records that are worked out in one step, about a millisecond
LOOK_AGAIN_SECONDS = 0.02  # until the first in a line looks again
SENDS_PER_TURN = 40  # of all sockets in one turn of the loop, about half a millisecond
REST_SECONDS = 0.001  # after each step, by real time: the others come first


class Budget:
    """The share of each client: so much at once, and so much a second; without end where that is nought."""

    def __init__(self, clock: Clock, *, burst: int, per_second: float) -> None:
        self._clock = clock
        self._most = burst
        self._buckets = Buckets(clock, burst=burst, every=1 / per_second) if per_second else None
        self._lines: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()

    def take(self, client: str, cost: int = 1) -> int | None:
        """Take what something costs, or return the seconds until the client has as much."""
        return self._buckets.take(client, min(cost, self._most)) if self._buckets else None

    async def wait(self, client: str, cost: int = 1) -> None:
        """Take what something costs as soon as the client has as much; the sockets of a client stand in line.

        Only the first in the line looks again, so that many of them take no more time than one.
        """
        if self._buckets is None:
            return
        line = self._lines.get(client)
        if line is None:
            line = self._lines[client] = asyncio.Lock()
        async with line:
            while self.take(client, cost) is not None:
                await self._clock.sleep(LOOK_AGAIN_SECONDS)


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


class PacedSends:
    """Lets so many sockets send in one turn of the loop; the others wait for the next turns, in their order.

    News of a table is for everybody who watches it at once, and nothing else is done before they have it.
    """

    def __init__(self) -> None:
        self._left = SENDS_PER_TURN
        self._line: deque[Callable[[], None]] = deque()
        self._turning = False

    def soon(self, send: Callable[[], None]) -> None:
        """Send at once where there is room, or else in the next turn in which there is."""
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._next)
        if self._left:
            self._left -= 1
            send()
        else:
            self._line.append(send)

    def _next(self) -> None:
        self._left = SENDS_PER_TURN
        while self._line and self._left:
            self._left -= 1
            self._line.popleft()()
        self._turning = self._left < SENDS_PER_TURN
        if self._turning:
            asyncio.get_running_loop().call_soon(self._next)


class Shares:
    """The shares of clients: requests and commands, records or what takes as long, and turns to send."""

    def __init__(self, clock: Clock, guard: Guard) -> None:
        self.requests = Budget(clock, burst=guard.burst, per_second=guard.per_second)
        reads_per_second = guard.reads_per_second if guard.per_second else 0.0
        self.reads = Budget(clock, burst=guard.read_burst, per_second=reads_per_second)
        self.sends = PacedSends()


@contextlib.contextmanager
def sparing_collections() -> Iterator[None]:
    """Leave objects that last as long as the server out of every search for garbage.

    A search through all of them stops everything for about fifty milliseconds, and comes whenever clients
    have made enough new objects.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
