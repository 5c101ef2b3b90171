"""A journal in PostgreSQL, for several server processes on several machines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from thirdcard.journal.keys import KeyRing
from thirdcard.journal.merkle import frontier_from
from thirdcard.journal.postgres.connections import STREAM_ENDS, Listener, Presence
from thirdcard.journal.postgres.link import CONNECT_SECONDS, LOST_CONNECTION, TROUBLE, Link, open_link
from thirdcard.journal.postgres.schema import EXCLUSIVE, LOCK_SPACE, migrate, require
from thirdcard.journal.postgres.turns import Turns
from thirdcard.journal.postgres.writer import RECORD_FIELDS, PostgresAnswer, PostgresWriter
from thirdcard.journal.record import EMPTY, Head, Record
from thirdcard.journal.store import (
    CONTENT_BATCH,
    READ_BATCH,
    ArchivedRange,
    Checkpoint,
    News,
    Snapshot,
    StoreFailed,
)

SELECT_FROM_POSTGRES = f"SELECT {', '.join(RECORD_FIELDS)} FROM thirdcard.record"
CHECKPOINT = Checkpoint.__struct_fields__
FORGET_SECONDS = 3600.0  # for deleting what the archive has of a stream, at most
# from one name to the next by the key, instead of over all checkpoints
SIGNED = """
WITH RECURSIVE named AS (
    (SELECT min(stream) AS stream FROM thirdcard.checkpoint)
    UNION ALL
    SELECT (SELECT min(stream) FROM thirdcard.checkpoint WHERE stream > named.stream)
    FROM named WHERE named.stream IS NOT NULL
) SELECT stream FROM named WHERE stream IS NOT NULL
"""


class PostgresStore:
    """The journal of a floor; any number of processes may have it open."""

    def __init__(self, link: Link, *, writing: bool) -> None:
        self._link = link
        self._pool = link.pool()
        turns = Turns()
        self._listener = Listener(link, turns)
        self._presence = Presence(link)
        self._turn = asyncio.Lock()
        self._writer = PostgresWriter(link, self._pool, self._listener.tell, turns) if writing else None

    @classmethod
    async def open(cls, url: str, *, writing: bool = True, unfinished: bool = False) -> "PostgresStore":
        """The journal in a database; an empty database becomes one, an older one is brought up to date.

        A copy that is not finished is refused, but to whoever makes it.
        """
        link = await open_link(url, writing=writing)
        store = cls(link, writing=writing)
        try:
            connection = await link.connect()
            try:
                if writing:
                    await migrate(connection, link.place)
                await require(connection, link.place, writing=writing, unfinished=unfinished)
            finally:
                await connection.close(timeout=CONNECT_SECONDS)
            await store._pool
            await store._listener.start()
        except TROUBLE as error:
            raise link.unusable(error) from error
        return store

    # writing

    async def append(self, records: tuple[Record, ...], signer: KeyRing | None = None) -> PostgresAnswer:
        """Append consecutive records of one stream, all or none; returns when they are durable."""
        if self._writer is None:
            raise StoreFailed(f"{self._link.place} was opened for reading only")
        return await self._writer.append(records, signer)

    async def keep_content(self, digest: str, content: bytes) -> None:
        """Keep a content, once, under its digest."""
        await self._rows(
            "INSERT INTO thirdcard.content VALUES ($1, $2) ON CONFLICT DO NOTHING", digest, content
        )

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint; the first of a stream at a sequence stays."""
        places = ", ".join(f"${number}" for number in range(1, len(CHECKPOINT) + 1))
        await self._rows(
            f"INSERT INTO thirdcard.checkpoint ({', '.join(CHECKPOINT)}) VALUES ({places})"
            " ON CONFLICT DO NOTHING",
            *(getattr(checkpoint, name) for name in CHECKPOINT),
        )

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keep the newest snapshot of a stream."""
        await self._rows(
            "INSERT INTO thirdcard.snapshot AS kept VALUES ($1, $2, $3, $4, $5, $6, $7)"
            " ON CONFLICT (stream) DO UPDATE"
            " SET sequence = $2, digest = $3, tree = $4, state = $5, key_id = $6, signature = $7"
            " WHERE kept.sequence <= $2",
            snapshot.stream,
            snapshot.head.sequence,
            snapshot.head.digest,
            b"".join(snapshot.tree.roots),
            snapshot.state,
            snapshot.key_id,
            snapshot.signature,
        )

    async def drop_snapshots(self) -> None:
        """Delete all snapshots."""
        await self._rows("DELETE FROM thirdcard.snapshot")

    async def forget(self, gone: ArchivedRange) -> None:
        """Note that the archive has a range, and delete it up to its last record, in one transaction."""
        stream, last = gone.stream, gone.head.sequence
        row = (
            stream,
            gone.first,
            last,
            gone.head.digest,
            b"".join(gone.tree.roots),
            gone.volume,
            gone.manifest,
        )
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute(
                    "INSERT INTO thirdcard.archived VALUES ($1, $2, $3, $4, $5, $6, $7)", *row
                )
                for table in ("record", "checkpoint"):
                    sql = f"DELETE FROM thirdcard.{table} WHERE stream = $1 AND sequence < $2"
                    await connection.execute(sql, stream, last, timeout=FORGET_SECONDS)
        except TROUBLE as error:
            raise self._link.failed(error) from error

    # reading

    async def read(self, stream: str, *, after: int = 0, most: int = READ_BATCH) -> tuple[Record, ...]:
        """The records of a stream after a sequence, in order."""
        sql = f"{SELECT_FROM_POSTGRES} WHERE stream = $1 AND sequence > $2 ORDER BY sequence LIMIT $3"
        return tuple(Record(**row) for row in await self._rows(sql, stream, after, most))

    async def is_superuser(self) -> bool:
        """Whether our role may do anything in this database."""
        rows = await self._rows("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        return bool(rows[0][0])

    async def head(self, stream: str) -> Head:
        """The end of a stream."""
        sql = "SELECT sequence, digest FROM thirdcard.record WHERE stream = $1 ORDER BY sequence DESC LIMIT 1"
        rows = await self._rows(sql, stream)
        return Head(*rows[0]) if rows else EMPTY

    async def streams(self) -> tuple[str, ...]:
        """All streams by name, sorted; also one of which only checkpoints are left."""
        found = {stream for stream, _ in await self._rows(STREAM_ENDS)}
        return tuple(sorted({*found, *(row[0] for row in await self._rows(SIGNED))}))

    async def find(self, command_id: str) -> Record | None:
        """The record of a command."""
        rows = await self._rows(f"{SELECT_FROM_POSTGRES} WHERE command_id = $1", command_id)
        return Record(**rows[0]) if rows else None

    async def content(self, digest: str) -> bytes | None:
        """The content with a digest."""
        rows = await self._rows("SELECT content FROM thirdcard.content WHERE digest = $1", digest)
        return rows[0][0] if rows else None

    async def contents(self, *, after: str = "", most: int = CONTENT_BATCH) -> tuple[tuple[str, bytes], ...]:
        """The contents after a digest, each with its own, in their order."""
        sql = "SELECT digest, content FROM thirdcard.content WHERE digest > $1 ORDER BY digest LIMIT $2"
        return tuple((digest, content) for digest, content in await self._rows(sql, after, most))

    async def checkpoints(
        self, stream: str, *, after: int = 0, most: int | None = None
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints of a stream after a sequence, in order; all of them, or so many at the most."""
        sql = (
            f"SELECT {', '.join(CHECKPOINT)} FROM thirdcard.checkpoint"
            " WHERE stream = $1 AND sequence > $2 ORDER BY sequence LIMIT $3"
        )
        return tuple(Checkpoint(**row) for row in await self._rows(sql, stream, after, most))

    async def last_checkpoint(self, stream: str) -> Checkpoint | None:
        """The last checkpoint of a stream."""
        sql = (
            f"SELECT {', '.join(CHECKPOINT)} FROM thirdcard.checkpoint"
            " WHERE stream = $1 ORDER BY sequence DESC LIMIT 1"
        )
        rows = await self._rows(sql, stream)
        return Checkpoint(**rows[0]) if rows else None

    async def archived(self) -> tuple[ArchivedRange, ...]:
        """All ranges that the archive has, by stream and place."""
        sql = (
            "SELECT stream, first, sequence, digest, tree, volume, manifest FROM thirdcard.archived"
            " ORDER BY stream, sequence"
        )
        return tuple(
            ArchivedRange(
                stream=stream,
                first=first,
                head=Head(last, digest),
                tree=frontier_from(last, tree),
                volume=volume,
                manifest=manifest,
            )
            for stream, first, last, digest, tree, volume, manifest in await self._rows(sql)
        )

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        columns = "sequence, digest, tree, state, key_id, signature"
        sql = f"SELECT {columns} FROM thirdcard.snapshot WHERE stream = $1"
        for sequence, digest, tree, state, key_id, signature in await self._rows(sql, stream):
            return Snapshot(
                stream=stream,
                head=Head(sequence, digest),
                tree=frontier_from(sequence, tree),
                state=state,
                key_id=key_id,
                signature=signature,
            )
        return None

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a statement, which is sent a second time where its connection was lost."""
        try:
            try:
                rows: list[Any] = await self._pool.fetch(sql, *values)
            except LOST_CONNECTION:
                rows = await self._pool.fetch(sql, *values)
        except TROUBLE as error:
            raise self._link.failed(error) from error
        return rows

    # the rest

    def news(self) -> AsyncIterator[News]:
        """Return the news of all appends since the iteration began; after a gap, the ends of all streams."""
        return self._listener.news()

    @asynccontextmanager
    async def arriving(self) -> AsyncIterator[bool]:
        """Whether no other process served this journal when this one began to; it serves from now on."""
        try:
            first = await self._presence.first_up()
        except TROUBLE as error:
            raise self._link.failed(error) from error
        try:
            yield first
        finally:
            self._presence.ready()

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[bool]:
        """One at a time in all processes, by a lock that the server takes back when a connection is lost.

        Here one waits for the others first, so that only one connection of the pool is held meanwhile.
        """
        try:
            async with self._turn, self._pool.acquire() as connection, connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock($1, $2)", LOCK_SPACE, EXCLUSIVE)
                yield True
        except TROUBLE as error:
            raise self._link.failed(error) from error

    async def close(self) -> None:
        """Write what waits, then let go of every connection."""
        if self._writer is not None:
            await self._writer.close()
        await self._presence.stop()
        await self._listener.stop()
        await self._pool.close()
