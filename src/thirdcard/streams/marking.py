"""Keeps the mark of a journal up to date while it is served, by real time and off the event loop."""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from thirdcard.floor.state import StreamEnd
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.marks import JournalMark, MarkFile, MarkUnusable
from thirdcard.journal.record import Head
from thirdcard.streams.clock import Clock

MARK_SECONDS = 0.5  # between two marks; with the write itself the mark is at most a second behind
log = logging.getLogger(__name__)
Heads = dict[str, Head]


class Marker:
    """Writes the ends of all streams to a mark file whenever they have changed."""

    def __init__(self, file: MarkFile, keys: KeyRing, clock: Clock, heads: Callable[[], Heads]) -> None:
        self.trouble: str | None = None
        self.mark: JournalMark | None = None
        self._file = file
        self._keys = keys
        self._clock = clock
        self._heads = heads
        self._written: Heads = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """JournalMark the last records, and end."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            await self.write()

    async def write(self, *, anew: bool = False) -> None:
        """JournalMark the ends of all streams, where they have changed; records that are durable by now."""
        heads = {name: head for name, head in self._heads().items() if head.sequence}
        if heads == self._written and not anew:
            return
        ends = tuple(StreamEnd(name, head.sequence, head.digest.hex()) for name, head in heads.items())
        now = self._clock.now().wall_time
        try:
            self.mark = await asyncio.to_thread(self._file.write, self._keys, ends, wall_time=now, anew=anew)
        except MarkUnusable as error:
            if self.trouble is None:
                log.warning("the mark cannot be written", extra={"fields": {"why": str(error)}})
            self.trouble = str(error)
            return
        self._written, self.trouble = heads, None

    async def _run(self) -> None:
        while True:
            await self.write()
            await asyncio.sleep(MARK_SECONDS)
