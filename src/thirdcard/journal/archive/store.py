"""A journal with its archive: what the journal has no more is read from the volumes."""

import asyncio
import functools
from bisect import bisect_left
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from thirdcard.journal.archive.volume import Volume
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.record import Head, Record
from thirdcard.journal.store import (
    CONTENT_BATCH,
    READ_BATCH,
    Appended,
    ArchivedRange,
    Checkpoint,
    Conflict,
    KnownCommand,
    LiveStore,
    News,
    Snapshot,
)

VOLUMES_AT_HAND = 32  # manifests that stay in memory


class ArchivedStore:
    """Reads records and checkpoints wherever they are; everything else is the journal's."""

    def __init__(self, live: LiveStore, folder: Path) -> None:
        self.live = live
        self.folder = folder
        self._ranges: dict[str, list[ArchivedRange]] | None = None
        self._volume = functools.lru_cache(VOLUMES_AT_HAND)(functools.partial(Volume, folder))

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

    # what is the journal's alone

    async def append(
        self, records: tuple[Record, ...], signer: KeyRing | None = None
    ) -> Appended | Conflict | KnownCommand:
        """Append consecutive records of one stream, all or none; returns when they are durable."""
        return await self.live.append(records, signer)

    async def head(self, stream: str) -> Head:
        """The end of a stream, which is never in the archive alone."""
        return await self.live.head(stream)

    async def streams(self) -> tuple[str, ...]:
        """All streams by name, sorted."""
        return await self.live.streams()

    async def find(self, command_id: str) -> Record | None:
        """The record of a command; one that is in the archive alone is not found."""
        return await self.live.find(command_id)

    async def keep_content(self, digest: str, content: bytes) -> None:
        """Keep a content, once, under its digest."""
        await self.live.keep_content(digest, content)

    async def content(self, digest: str) -> bytes | None:
        """The content with a digest."""
        return await self.live.content(digest)

    async def contents(self, *, after: str = "", most: int = CONTENT_BATCH) -> tuple[tuple[str, bytes], ...]:
        """The contents after a digest, each with its own, in their order."""
        return await self.live.contents(after=after, most=most)

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint; the first of a stream at a sequence stays."""
        await self.live.keep_checkpoint(checkpoint)

    async def last_checkpoint(self, stream: str) -> Checkpoint | None:
        """The last checkpoint of a stream, which is never in the archive alone."""
        return await self.live.last_checkpoint(stream)

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keep the newest snapshot of a stream."""
        await self.live.keep_snapshot(snapshot)

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        return await self.live.snapshot(stream)

    async def drop_snapshots(self) -> None:
        """Delete all snapshots."""
        await self.live.drop_snapshots()

    def news(self) -> AsyncIterator[News]:
        """Return the news of all appends since the iteration began."""
        return self.live.news()

    def arriving(self) -> AbstractAsyncContextManager[bool]:
        """Begin to serve; tells whether nobody else does."""
        return self.live.arriving()

    def exclusive(self) -> AbstractAsyncContextManager[bool]:
        """Do what only one process does at a time."""
        return self.live.exclusive()

    async def close(self) -> None:
        """Let go of everything; what was acknowledged stays."""
        await self.live.close()
