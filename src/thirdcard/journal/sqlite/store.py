"""A journal in one SQLite file: one thread writes, many appends to a transaction, answers when durable."""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

import apsw

from thirdcard.journal.keys import KeyRing
from thirdcard.journal.merkle import frontier_from
from thirdcard.journal.record import EMPTY, Head, Record
from thirdcard.journal.sqlite.damaged_log import LogDamage, look_at_log
from thirdcard.journal.sqlite.private_files import PRIVATE_FOLDER, make_private
from thirdcard.journal.sqlite.schema import migrate, require
from thirdcard.journal.sqlite.writer import (
    SqliteAnswer,
    SqliteAppend,
    SqliteRow,
    SqliteWriter,
    Statements,
    reason,
)
from thirdcard.journal.store import (
    CONTENT_BATCH,
    READ_BATCH,
    ArchivedRange,
    Checkpoint,
    News,
    Snapshot,
    StoreFailed,
    StoreInUse,
    StoreUnusable,
)

OLDEST_SQLITE = (3, 51, 3)  # older ones can lose a commit when a write-ahead log is reset
# from one name to the next by the key, instead of over all rows
NAMES = """
WITH RECURSIVE named(stream) AS (
    SELECT min(stream) FROM {table}
    UNION ALL
    SELECT (SELECT min(stream) FROM {table} WHERE stream > named.stream) FROM named WHERE stream IS NOT NULL
) SELECT stream FROM named WHERE stream IS NOT NULL
"""
RECORD_COLUMNS = (
    "stream",
    "sequence",
    "kind",
    "version",
    "command_id",
    "envelope",
    "body",
    "wall_time",
    "monotonic",
    "run",
    "rulebook",
    "house",
    "software",
    "previous",
    "digest",
    "says",
    "group_size",
    "group_index",
    "group_path",
    "group_key",
    "group_signature",
)
SELECT_FROM_SQLITE = f"SELECT {', '.join(RECORD_COLUMNS)} FROM record"
# the first version of the tables has no signatures of records
_SIGNATURES = len(RECORD_COLUMNS) - RECORD_COLUMNS.index("says")
SELECT_WITHOUT_GROUPS = (
    f"SELECT {', '.join(RECORD_COLUMNS[:-_SIGNATURES])}, '', 0, 0, x'', '', x'' FROM record"
)


class SqliteStore:
    """The journal of one machine; the file is opened for writing by one process at a time."""

    def __init__(
        self, path: Path, *, vfs: str | None = None, writing: bool = True, alone: bool = False
    ) -> None:
        """Open a journal; whoever reads it ``alone`` keeps every writer away meanwhile."""
        _new_enough()
        self._path = path
        self._vfs = vfs
        self._loop = asyncio.get_running_loop()
        self._turn = asyncio.Lock()
        self._lock = _locked(path) if writing or alone else None
        self.damage: LogDamage | None = None  # of the log that the last process left
        self._writer: SqliteWriter | None = None
        try:
            if writing:
                connection = self._connect(writing=True)
                self.damage = _look_at_log(connection, path)
                migrate(connection, path)
                self._writer = SqliteWriter(connection, path, self._loop)
            self._reader = self._connect(writing=False)
            version = require(self._reader, path)
            self._select = SELECT_FROM_SQLITE if version > 1 else SELECT_WITHOUT_GROUPS
            self._has_archive = version > 2
        except apsw.Error as error:
            self._unlock()
            raise StoreUnusable(f"{path}: {reason(error)}") from error
        except StoreUnusable:
            self._unlock()
            raise
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="journal-reader")

    def _connect(self, *, writing: bool) -> apsw.Connection:
        how = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE if writing else apsw.SQLITE_OPEN_READONLY
        name = str(self._path)
        if not writing and self._path.exists() and not os.access(self._path.parent, os.W_OK):
            name, how = _unchanging(self._path), how | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(name, flags=how, vfs=self._vfs)
        connection.set_busy_timeout(10_000)
        if writing:
            connection.pragma("journal_mode", "wal")
            connection.pragma("synchronous", "full")
        return connection

    # writing

    def append(
        self, records: tuple[Record, ...], signer: KeyRing | None = None
    ) -> "asyncio.Future[SqliteAnswer]":
        """Append consecutive records of one stream, all or none; the answer comes when they are durable."""
        task = SqliteAppend(records, signer, self._loop.create_future())
        if self._writer is None:
            task.done.set_exception(self._for_reading_only())
        else:
            self._writer.submit(task)
        return task.done

    async def keep_content(self, digest: str, content: bytes) -> None:
        """Keep a content, once, under its digest."""
        await self._run("INSERT OR IGNORE INTO content VALUES (?, ?)", (digest, content))

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint; the first of a stream at a sequence stays."""
        row = (
            checkpoint.stream,
            checkpoint.sequence,
            checkpoint.digest,
            checkpoint.root,
            checkpoint.wall_time,
            checkpoint.reason,
            checkpoint.key_id,
            checkpoint.signature,
        )
        await self._run("INSERT OR IGNORE INTO checkpoint VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keep the newest snapshot of a stream."""
        row = (
            snapshot.stream,
            snapshot.head.sequence,
            snapshot.head.digest,
            b"".join(snapshot.tree.roots),
            snapshot.state,
            snapshot.key_id,
            snapshot.signature,
        )
        sql = (
            "INSERT INTO snapshot VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (stream) DO UPDATE"
            " SET sequence = ?2, digest = ?3, tree = ?4, state = ?5, key_id = ?6, signature = ?7"
            " WHERE sequence <= ?2"
        )
        await self._run(sql, row)

    async def drop_snapshots(self) -> None:
        """Delete all snapshots."""
        await self._run("DELETE FROM snapshot", ())

    async def forget(self, gone: ArchivedRange) -> None:
        """Note that the archive has a range, and delete it up to its last record, in one transaction."""
        stream, last = gone.stream, gone.head.sequence
        tree = b"".join(gone.tree.roots)
        row = (stream, gone.first, last, gone.head.digest, tree, gone.volume, gone.manifest)
        deleted = (
            (f"DELETE FROM {table} WHERE stream = ? AND sequence < ?", (stream, last))
            for table in ("record", "checkpoint")
        )
        await self._run_all(("INSERT INTO archived VALUES (?, ?, ?, ?, ?, ?, ?)", row), *deleted)
        assert self._writer is not None
        self._writer.shrinks = True

    async def _run(self, sql: str, row: SqliteRow) -> None:
        await self._run_all((sql, row))

    async def _run_all(self, *statements: tuple[str, SqliteRow]) -> None:
        if self._writer is None:
            raise self._for_reading_only()
        task = Statements(statements, self._loop.create_future())
        self._writer.submit(task)
        await task.done

    def _for_reading_only(self) -> StoreFailed:
        return StoreFailed(f"{self._path} was opened for reading only")

    # reading

    async def read(self, stream: str, *, after: int = 0, most: int = READ_BATCH) -> tuple[Record, ...]:
        """The records of a stream after a sequence, in order."""
        sql = f"{self._select} WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?"
        return tuple(_record(row) for row in await self._rows(sql, (stream, after, most)))

    async def head(self, stream: str) -> Head:
        """The end of a stream."""
        sql = "SELECT sequence, digest FROM record WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
        rows = await self._rows(sql, (stream,))
        return Head(*rows[0]) if rows else EMPTY

    async def streams(self) -> tuple[str, ...]:
        """All streams by name, sorted; also one of which only checkpoints are left."""
        found = [await self._rows(NAMES.format(table=table), ()) for table in ("record", "checkpoint")]
        return tuple(sorted({str(row[0]) for rows in found for row in rows}))

    async def find(self, command_id: str) -> Record | None:
        """The record of a command."""
        rows = await self._rows(f"{self._select} WHERE command_id = ?", (command_id,))
        return _record(rows[0]) if rows else None

    async def content(self, digest: str) -> bytes | None:
        """The content with a digest."""
        rows = await self._rows("SELECT content FROM content WHERE digest = ?", (digest,))
        return rows[0][0] if rows else None

    async def contents(self, *, after: str = "", most: int = CONTENT_BATCH) -> tuple[tuple[str, bytes], ...]:
        """The contents after a digest, each with its own, in their order."""
        sql = "SELECT digest, content FROM content WHERE digest > ? ORDER BY digest LIMIT ?"
        return tuple((digest, content) for digest, content in await self._rows(sql, (after, most)))

    async def checkpoints(
        self, stream: str, *, after: int = 0, most: int | None = None
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints of a stream after a sequence, in order; all of them, or so many at the most."""
        names = Checkpoint.__struct_fields__
        sql = (
            f"SELECT {', '.join(names)} FROM checkpoint"
            " WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?"
        )
        rows = await self._rows(sql, (stream, after, -1 if most is None else most))
        return tuple(Checkpoint(**dict(zip(names, row, strict=True))) for row in rows)

    async def last_checkpoint(self, stream: str) -> Checkpoint | None:
        """The last checkpoint of a stream."""
        sql = "SELECT max(sequence) FROM checkpoint WHERE stream = ?"
        ((last,),) = await self._rows(sql, (stream,))
        found = () if last is None else await self.checkpoints(stream, after=last - 1, most=1)
        return found[0] if found else None

    async def archived(self) -> tuple[ArchivedRange, ...]:
        """All ranges that the archive has, by stream and place."""
        if not self._has_archive:
            return ()
        columns = "stream, first, sequence, digest, tree, volume, manifest"
        rows = await self._rows(f"SELECT {columns} FROM archived ORDER BY stream, sequence", ())
        return tuple(
            ArchivedRange(
                stream=stream,
                first=first,
                head=Head(last, digest),
                tree=frontier_from(last, tree),
                volume=volume,
                manifest=manifest,
            )
            for stream, first, last, digest, tree, volume, manifest in rows
        )

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        sql = "SELECT sequence, digest, tree, state, key_id, signature FROM snapshot WHERE stream = ?"
        for sequence, digest, tree, state, key_id, signature in await self._rows(sql, (stream,)):
            return Snapshot(
                stream=stream,
                head=Head(sequence, digest),
                tree=frontier_from(sequence, tree),
                state=state,
                key_id=key_id,
                signature=signature,
            )
        return None

    async def _rows(self, sql: str, values: SqliteRow) -> list[SqliteRow]:
        try:
            return await self._loop.run_in_executor(self._reading, _fetch, self._reader, sql, values)
        except apsw.Error as error:
            raise StoreFailed(f"{self._path}: {reason(error)}") from error
        except UnicodeDecodeError as error:
            raise StoreFailed(f"{self._path}: a text in it is damaged; restore it from a backup") from error

    # the rest

    async def news(self) -> AsyncIterator[News]:
        """Nobody else appends, so there is no news."""
        others: tuple[News, ...] = ()
        for news in others:
            yield news

    @asynccontextmanager
    async def arriving(self) -> AsyncIterator[bool]:
        """One process at a time has the file, so every start is the first."""
        yield True

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[bool]:
        """One at a time; no other process has the file."""
        async with self._turn:
            yield False

    async def close(self) -> None:
        """Write what waits, then let go of the file."""
        self._reading.shutdown()
        self._reader.close()
        if self._writer is not None:
            await self._writer.close()  # last, so that it folds the log back into the file
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()


def _look_at_log(connection: apsw.Connection, path: Path) -> LogDamage | None:
    """Look at the log before anything is written; one that is damaged and cannot be kept stays as it is."""
    ((_, taken, _),) = connection.execute("PRAGMA wal_checkpoint(NOOP)").fetchall()
    assert isinstance(taken, int)
    try:
        return look_at_log(path, taken)
    except OSError as error:
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.close()
        raise StoreUnusable(f"{path}: its damaged log cannot be kept: {error.strerror}") from error


def _unchanging(path: Path) -> str:
    """A file on a disk that nobody can write to is read as it is; a log beside it could not be taken in."""
    if path.with_name(path.name + "-wal").exists():
        raise StoreUnusable(f"{path} was not closed; copy its folder to a disk that can be written to")
    return f"{path.resolve().as_uri()}?immutable=1"


def _fetch(connection: apsw.Connection, sql: str, values: SqliteRow) -> list[SqliteRow]:
    return connection.execute(sql, values).fetchall()


def _record(row: SqliteRow) -> Record:
    """A record by its columns one by one, which is six times as fast as by a dict of them."""
    return Record(
        stream=row[0],
        sequence=row[1],
        kind=row[2],
        version=row[3],
        command_id=row[4],
        envelope=row[5],
        body=row[6],
        wall_time=row[7],
        monotonic=row[8],
        run=row[9],
        rulebook=row[10],
        house=row[11],
        software=row[12],
        previous=row[13],
        digest=row[14],
        says=row[15],
        group_size=row[16],
        group_index=row[17],
        group_path=row[18],
        group_key=row[19],
        group_signature=row[20],
    )


def _new_enough() -> None:
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        found = apsw.sqlite_lib_version()
        raise StoreUnusable(f"SQLite {found} can lose records; install an apsw that brings {needed} or later")


def _locked(path: Path) -> IO[bytes]:
    """The lock of a journal, held until its file is closed, also by a crash."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        make_private(path)  # before SQLite makes it; the log beside it gets the same mode
        lock_path = path.with_name(path.name + ".lock")
        make_private(lock_path)
        lock = lock_path.open("wb")
    except OSError as error:
        raise StoreUnusable(f"{path}: {error.strerror}. Choose a folder that can be written to.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise StoreInUse(f"{path} is in use by another process; stop it, or choose another folder") from error
    return lock
