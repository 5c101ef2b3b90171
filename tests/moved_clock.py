"""A clock for tests: it stands still or flows at a rate, and moves when told."""

import asyncio
import time
from collections.abc import Callable

from thirdcard.streams.clock import Clock, Instant

SECOND = 1_000_000_000
NOON = 1_800_000_000_000_000  # microseconds since 1970: a moment like any other
TURNS = 20  # of the loop, so that whoever was woken has gone on


class MovedClock(Clock):
    """Time that a test moves.

    ``flow`` is how many seconds go by here in a real second: nought stands still. ``jump`` puts both clocks
    forward at once, as if the process had been suspended: whoever waits for a time that has come by then is
    called, in the order of those times, and sees the time after the jump. ``step_wall`` sets the wall clock
    alone: timers go by the monotonic clock and do not notice.
    """

    def __init__(self, *, flow: float = 0.0, wall: int | None = None) -> None:
        super().__init__()
        self._flow = flow
        self._real = time.monotonic_ns()
        self._at = self._real
        self._ahead = (time.time_ns() if wall is None else wall * 1000) - self._at  # of the wall clock
        self._timers: set[MovedTimer] = set()

    def now(self) -> Instant:
        """The moment to which time has flowed and was moved."""
        at = self._at + int((time.monotonic_ns() - self._real) * self._flow)
        return Instant((at + self._ahead) // 1000, at)

    @property
    def wall(self) -> float:
        """Seconds since 1970."""
        return self.now().wall_time / 1_000_000

    def call_later(self, seconds: float, callback: Callable[[], object]) -> "MovedTimer":
        """Call something after some seconds of this clock."""
        timer = MovedTimer(self, self.now().monotonic + round(seconds * SECOND), callback)
        self._timers.add(timer)
        timer.arm(self._flow)
        return timer

    def forget(self, timer: "MovedTimer") -> None:
        """Do not call what was called or is not to be called."""
        self._timers.discard(timer)

    def jump(self, seconds: float) -> None:
        """Put time forward; whoever is due is called when the loop runs again."""
        assert seconds >= 0, "only the wall clock goes back"
        self._fix(self.now().monotonic + round(seconds * SECOND), self._flow)

    def step_wall(self, seconds: float) -> None:
        """Set the wall clock forward or back."""
        self._ahead += round(seconds * SECOND)

    def flow(self, rate: float) -> None:
        """Let time go by at another rate from now on."""
        self._fix(self.now().monotonic, rate)

    def _fix(self, at: int, flow: float) -> None:
        self._real, self._at, self._flow = time.monotonic_ns(), at, flow
        for timer in sorted(self._timers, key=lambda each: each.due):
            timer.arm(flow)

    async def move(self, seconds: float) -> None:
        """Let everybody begin to wait who is about to, put time forward, and let those who are due go on."""
        await self._turns()
        self.jump(seconds)
        await self._turns()

    async def _turns(self) -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)


class MovedTimer:
    """A call that is due at a time of a moved clock."""

    def __init__(self, clock: MovedClock, due: int, callback: Callable[[], object]) -> None:
        self.due = due
        self._clock = clock
        self._callback = callback
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.Handle | None = None

    def arm(self, flow: float) -> None:
        """Have the loop call it, if its time has come or comes by itself."""
        if self._handle is not None:
            self._handle.cancel()
        left = self.due - self._clock.now().monotonic
        if left <= 0:
            self._handle = self._loop.call_soon(self._call)
        elif flow > 0:
            self._handle = self._loop.call_later(left / SECOND / flow, self._call)

    def cancel(self) -> None:
        """Call no more."""
        self._clock.forget(self)
        if self._handle is not None:
            self._handle.cancel()

    def _call(self) -> None:
        self._clock.forget(self)
        self._callback()
