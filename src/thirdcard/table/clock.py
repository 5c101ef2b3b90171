"""The only place that knows what time it is."""

import datetime
import secrets
import time
from collections.abc import Callable

from msgspec import Struct

Nanoseconds = Callable[[], int]
EPOCH = datetime.datetime.fromtimestamp(0, datetime.UTC)


class Instant(Struct, frozen=True):
    """A moment: microseconds since 1970 by the wall clock, nanoseconds by the clock of this run."""

    wall_time: int
    monotonic: int

    @property
    def moment(self) -> datetime.datetime:
        """The moment by the wall clock."""
        return EPOCH + datetime.timedelta(microseconds=self.wall_time)


class Clock:
    """Tells the time of one run of a process; order never depends on the wall clock."""

    def __init__(self, wall: Nanoseconds = time.time_ns, monotonic: Nanoseconds = time.monotonic_ns) -> None:
        self.run = secrets.token_hex(8)
        self._wall = wall
        self._monotonic = monotonic

    def now(self) -> Instant:
        """This moment."""
        return Instant(self._wall() // 1000, self._monotonic())
