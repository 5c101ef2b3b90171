"""The interface of a journal, whatever keeps it: memory, a file, or a database server."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from msgspec import Struct

from thirdcard.journal.keys import KeyRing
from thirdcard.journal.merkle import Frontier
from thirdcard.journal.record import Head, Record, head_of

READ_BATCH = 1000
CONTENT_BATCH = 100  # a content is a hundred times as large as a record
FLOOR_STREAM = "floor"  # the name of the stream of the floor; every other one is a table's


class Appended(Struct, frozen=True):
    """The records are durable as they stand here, signed; the stream now ends with the last one."""

    records: tuple[Record, ...]

    @property
    def head(self) -> Head:
        """The end of the stream."""
        return head_of(self.records[-1])


class Conflict(Struct, frozen=True):
    """Another writer was first on the stream; nothing was appended."""


class KnownCommand(Struct, frozen=True):
    """A command id that a record has already; nothing was appended."""

    command_id: str


class StoreFailed(Exception):
    """The store cannot say that something is durable; whether it is shows after reloading."""


class StoreUnusable(Exception):
    """The store cannot be opened; the sentence says why and what to do."""


class StoreInUse(StoreUnusable):
    """The store is held by another process, which alone may write to it."""


class Snapshot(Struct, frozen=True, kw_only=True):
    """The state of a stream at a sequence; a cache that can be deleted at any time."""

    stream: str
    head: Head
    tree: Frontier
    state: bytes
    key_id: str
    signature: bytes


class Checkpoint(Struct, frozen=True, kw_only=True):
    """A signed statement of what a stream was when it ended at a sequence."""

    stream: str
    sequence: int
    digest: bytes
    root: bytes
    wall_time: int
    reason: str
    key_id: str
    signature: bytes


class ArchivedRange(Struct, frozen=True, kw_only=True):
    """Records of a stream that a volume of the archive has, and the tree over the stream up to the last one.

    Of them the journal itself has only the last one, so that the next record follows it.
    """

    stream: str
    first: int
    head: Head
    tree: Frontier
    volume: int
    manifest: bytes  # the digest of the manifest of the volume


class News(Struct, frozen=True):
    """A stream has grown up to a sequence."""

    stream: str
    sequence: int


class Store(Protocol):
    """A journal: streams of records, and beside them contents, checkpoints and snapshots."""

    def append(
        self, records: tuple[Record, ...], signer: KeyRing | None = None
    ) -> Awaitable[Appended | Conflict | KnownCommand]:
        """Append consecutive records of one stream, all or none; the answer comes when they are durable.

        Appends of one stream are done in the order in which they are asked for.
        All that one transaction appends for a signer is signed as one commit group; without a signer records
        stay as they are, as in a copy of a journal.
        """

    async def read(self, stream: str, *, after: int = 0, most: int = READ_BATCH) -> tuple[Record, ...]:
        """The records of a stream after a sequence, in order."""

    async def head(self, stream: str) -> Head:
        """The end of a stream."""

    async def streams(self) -> tuple[str, ...]:
        """All streams by name, sorted; also one of which only checkpoints are left."""

    async def find(self, command_id: str) -> Record | None:
        """The record of a command."""

    async def keep_content(self, digest: str, content: bytes) -> None:
        """Keep a content, once, under its digest."""

    async def content(self, digest: str) -> bytes | None:
        """The content with a digest."""

    async def contents(self, *, after: str = "", most: int = CONTENT_BATCH) -> tuple[tuple[str, bytes], ...]:
        """The contents after a digest, each with its own, in their order."""

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint; the first of a stream at a sequence stays."""

    async def checkpoints(
        self, stream: str, *, after: int = 0, most: int | None = None
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints of a stream after a sequence, in order; all of them, or so many at the most."""

    async def last_checkpoint(self, stream: str) -> Checkpoint | None:
        """The last checkpoint of a stream."""

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keep the newest snapshot of a stream."""

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""

    async def drop_snapshots(self) -> None:
        """Delete all snapshots."""

    def news(self) -> AsyncIterator[News]:
        """Return the news of all appends since the iteration began; after a gap, the ends of all streams.

        There is none where no other process can append.
        """

    def arriving(self) -> AbstractAsyncContextManager[bool]:
        """Begin to serve; tells whether nobody else does, so that every table stood still until now.

        No other process begins before the first one has left this, with its tables held.
        """

    def exclusive(self) -> AbstractAsyncContextManager[bool]:
        """Do what only one process does at a time; tells whether others may have appended meanwhile."""

    async def close(self) -> None:
        """Let go of everything; what was acknowledged stays."""


class LiveStore(Store, Protocol):
    """A journal whose old records can go into an archive."""

    async def archived(self) -> tuple[ArchivedRange, ...]:
        """All ranges that the archive has, by stream and place."""

    async def forget(self, gone: ArchivedRange) -> None:
        """Note that the archive has a range, and delete it up to its last record, in one transaction."""


async def records(store: Store, stream: str, *, after: int = 0) -> AsyncIterator[Record]:
    """The records of a stream after a sequence, page by page."""
    while page := await store.read(stream, after=after):
        for record in page:
            yield record
        after = page[-1].sequence
