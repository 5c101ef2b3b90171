"""A journal in memory, for tests and for practice; nothing of it survives."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from thirdcard.journal.bulletin import Bulletin
from thirdcard.journal.groups import sign_group
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.record import EMPTY, Head, Record, head_of
from thirdcard.journal.store import (
    CONTENT_BATCH,
    READ_BATCH,
    Appended,
    Checkpoint,
    Conflict,
    KnownCommand,
    News,
    Snapshot,
)


class MemoryStore:
    """Streams as lists."""

    def __init__(self) -> None:
        self._streams: dict[str, list[Record]] = {}
        self._commands: dict[str, Record] = {}
        self._contents: dict[str, bytes] = {}
        self._checkpoints: dict[str, dict[int, Checkpoint]] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._bulletin = Bulletin()
        self._turn = asyncio.Lock()

    async def append(
        self, records: tuple[Record, ...], signer: KeyRing | None = None
    ) -> Appended | Conflict | KnownCommand:
        """Append consecutive records of one stream, all or none."""
        stream = self._streams.setdefault(records[0].stream, [])
        known = next((each.command_id for each in records if each.command_id in self._commands), None)
        if known is not None:
            return KnownCommand(known)
        end = head_of(stream[-1]) if stream else EMPTY
        if Head(records[0].sequence - 1, records[0].previous) != end:
            return Conflict()
        records = sign_group(signer, records) if signer else records
        stream += records
        self._commands |= {each.command_id: each for each in records}
        self._bulletin.publish(News(records[-1].stream, records[-1].sequence))
        return Appended(records)

    async def read(self, stream: str, *, after: int = 0, most: int = READ_BATCH) -> tuple[Record, ...]:
        """The records of a stream after a sequence, in order."""
        return tuple(self._streams.get(stream, ())[after : after + most])

    async def head(self, stream: str) -> Head:
        """The end of a stream."""
        found = self._streams.get(stream)
        return head_of(found[-1]) if found else EMPTY

    async def streams(self) -> tuple[str, ...]:
        """All streams by name, sorted; also one of which only checkpoints are left."""
        return tuple(sorted(self._streams.keys() | self._checkpoints.keys()))

    async def find(self, command_id: str) -> Record | None:
        """The record of a command."""
        return self._commands.get(command_id)

    async def keep_content(self, digest: str, content: bytes) -> None:
        """Keep a content, once, under its digest."""
        self._contents.setdefault(digest, content)

    async def content(self, digest: str) -> bytes | None:
        """The content with a digest."""
        return self._contents.get(digest)

    async def contents(self, *, after: str = "", most: int = CONTENT_BATCH) -> tuple[tuple[str, bytes], ...]:
        """The contents after a digest, each with its own, in their order."""
        return tuple(each for each in sorted(self._contents.items()) if each[0] > after)[:most]

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint; the first of a stream at a sequence stays."""
        self._checkpoints.setdefault(checkpoint.stream, {}).setdefault(checkpoint.sequence, checkpoint)

    async def checkpoints(
        self, stream: str, *, after: int = 0, most: int | None = None
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints of a stream after a sequence, in order; all of them, or so many at the most."""
        kept = sorted(self._checkpoints.get(stream, {}).items())
        return tuple(each for sequence, each in kept if sequence > after)[:most]

    async def last_checkpoint(self, stream: str) -> Checkpoint | None:
        """The last checkpoint of a stream."""
        kept = self._checkpoints.get(stream)
        return kept[max(kept)] if kept else None

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keep the newest snapshot of a stream."""
        before = self._snapshots.get(snapshot.stream)
        if before is None or before.head.sequence <= snapshot.head.sequence:
            self._snapshots[snapshot.stream] = snapshot

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        return self._snapshots.get(stream)

    async def drop_snapshots(self) -> None:
        """Delete all snapshots."""
        self._snapshots.clear()

    def news(self) -> AsyncIterator[News]:
        """Return the news of all appends since the iteration began."""
        return self._bulletin.subscribe()

    @asynccontextmanager
    async def arriving(self) -> AsyncIterator[bool]:
        """Memory is never shared, so every start is the first."""
        yield True

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[bool]:
        """One at a time; nobody else appends."""
        async with self._turn:
            yield False

    async def close(self) -> None:
        """End all reading of news."""
        self._bulletin.close()
