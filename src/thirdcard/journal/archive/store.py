"""A journal with its archive: what the journal has no more is read from the volumes."""

import asyncio
import functools
from bisect import bisect_left
from pathlib import Path

from thirdcard.journal.archive.volume import Volume
from thirdcard.journal.record import Record
from thirdcard.journal.store import (
    READ_BATCH,
    ArchivedRange,
    Checkpoint,
    LiveStore,
)

VOLUMES_AT_HAND = 32  # manifests that stay in memory


class ArchivedStore:
    """Reads records and checkpoints wherever they are; everything else is the journal's."""

    def __init__(self, live: LiveStore, folder: Path) -> None:
        self.live = live
        self.folder = folder
        self._ranges: dict[str, list[ArchivedRange]] | None = None
        self._volume = functools.lru_cache(VOLUMES_AT_HAND)(functools.partial(Volume, folder))
        # the rest is the journal's alone; the end and the last checkpoint of a stream are always there
        self.append, self.find = live.append, live.find
        self.head, self.streams = live.head, live.streams
        self.keep_content, self.content, self.contents = live.keep_content, live.content, live.contents
        self.keep_checkpoint, self.last_checkpoint = live.keep_checkpoint, live.last_checkpoint
        self.keep_snapshot, self.snapshot = live.keep_snapshot, live.snapshot
        self.drop_snapshots = live.drop_snapshots
        self.news, self.arriving, self.exclusive = live.news, live.arriving, live.exclusive
        self.close = live.close

    async def ranges(self, stream: str) -> list[ArchivedRange]:
        """The ranges of a stream that the archive has, in order."""
        if self._ranges is None:
            found: dict[str, list[ArchivedRange]] = {}
            for each in await self.live.archived():
                found.setdefault(each.stream, []).append(each)
            self._ranges = found
        return self._ranges.get(stream, [])

    async def read(self, stream: str, *, after: int = 0, most: int = READ_BATCH) -> tuple[Record, ...]:
        """The records of a stream after a sequence, in order."""
        found: list[Record] = []
        for each in await self._ranges_after(stream, after):
            volume = await self._opened(each)
            found += await asyncio.to_thread(volume.read, stream, after=after, most=most - len(found))
            if len(found) == most:
                return tuple(found)
            after = each.head.sequence
        page = await self.live.read(stream, after=after, most=most - len(found))
        if page and page[0].sequence > after + 1 and await self._has_grown(stream):
            return (*found, *await self.read(stream, after=after, most=most - len(found)))
        return (*found, *page)

    async def checkpoints(
        self, stream: str, *, after: int = 0, most: int | None = None
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints of a stream after a sequence, in order; all of them, or so many at the most."""
        found: list[Checkpoint] = []
        for each in await self._ranges_after(stream, after):
            volume = await self._opened(each)
            left = None if most is None else most - len(found)
            found += await asyncio.to_thread(volume.checkpoints, stream, after=after, most=left)
            if most is not None and len(found) >= most:
                return tuple(found)
            after = each.head.sequence
        left = None if most is None else most - len(found)
        return (*found, *await self.live.checkpoints(stream, after=after, most=left))

    async def _ranges_after(self, stream: str, after: int) -> list[ArchivedRange]:
        """The ranges with records after a sequence; the journal itself has the last one of the last range."""
        ranges = await self.ranges(stream)
        if ranges and after + 1 == ranges[-1].head.sequence:
            return []
        return ranges[bisect_left(ranges, after + 1, key=lambda each: each.head.sequence) :]

    async def _opened(self, known: ArchivedRange) -> Volume:
        volume = await asyncio.to_thread(self._volume, known.volume)
        volume.require(known)
        return volume

    async def _has_grown(self, stream: str) -> bool:
        """Whether the archive has got more of a stream since it was looked at."""
        before, self._ranges = await self.ranges(stream), None
        return await self.ranges(stream) != before
