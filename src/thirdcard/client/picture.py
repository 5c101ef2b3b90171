"""The view that one client has of a table, folded from the frames of a socket."""

import asyncio
from collections.abc import Callable

from msgspec import Raw

from thirdcard.client.tolerant import read
from thirdcard.views.sections.whole import BettingClock, View
from thirdcard.wire.answers import MomentAt
from thirdcard.wire.frames import TableFrame, ViewFrame

Tell = Callable[[MomentAt], None]


class Picture:
    """One table as far as its frames have come; ``tell`` gets every moment once, in order."""

    def __init__(self, table: str, tell: Tell | None = None) -> None:
        self.table = table
        self.sequence: int | None = None
        self.now = 0
        self.clock: BettingClock | None = None
        self.sections: dict[str, Raw] = {}
        self._tell = tell
        self._view: View | None = None
        self._changed = asyncio.Event()
        self._trouble: Exception | None = None

    def lacks(self, frame: TableFrame) -> bool:
        """Whether something happened between what is known and what a frame tells."""
        return self.sequence is not None and frame.after > self.sequence

    def take(self, frame: TableFrame) -> None:
        """Take a frame in."""
        self.take_moments(frame.moments)
        fresh = isinstance(frame, ViewFrame)
        known = {} if fresh else self.sections
        changed = {name: Raw(bytes(content)) for name, content in frame.sections.items()}
        self.sections = {name: each for name, each in (known | changed).items() if bytes(each) != b"null"}
        self.sequence, self.now, self.clock = frame.sequence, frame.now, frame.clock
        self._view = None
        self.wake()

    def take_moments(self, moments: list[MomentAt]) -> None:
        """Tell the moments that are new."""
        for moment in moments:
            if self._tell is not None and (self.sequence is None or moment.sequence > self.sequence):
                self._tell(moment)

    def wake(self) -> None:
        """Let everybody look again who waits for something."""
        self._changed.set()
        self._changed = asyncio.Event()

    @property
    def view(self) -> View:
        """Everything that the table shows."""
        if self._view is None:
            parts = (f'"{name}":'.encode() + bytes(content) for name, content in self.sections.items())
            self._view = read(b"{" + b",".join(parts) + b"}", View)
        return self._view

    def fail(self, trouble: Exception) -> None:
        """Nothing more comes: whoever waits learns why."""
        self._trouble = trouble
        self.wake()

    async def changes(self) -> None:
        """Wait until something is different."""
        if self._trouble is None:
            await self._changed.wait()
        if self._trouble is not None:
            raise self._trouble

    async def reaches(self, sequence: int, within: float | None = None) -> View:
        """Wait until the view has a record, such as that of one's own command."""
        async with asyncio.timeout(within):
            while (self.sequence or 0) < sequence:
                await self.changes()
        return self.view

    async def until(self, holds: Callable[[View], bool], within: float | None = None) -> View:
        """Wait until something holds of what the table shows, for at most some seconds if they are given."""
        async with asyncio.timeout(within):
            while self.sequence is None or not holds(self.view):
                await self.changes()
        return self.view
