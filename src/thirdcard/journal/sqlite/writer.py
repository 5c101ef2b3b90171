"""The one thread that writes a journal file: everything that waits goes into one transaction."""

import asyncio
import contextlib
import queue
import threading
from pathlib import Path
from typing import Any

import apsw
from msgspec import Struct
from msgspec.structs import astuple

from thirdcard.journal.groups import sign_together
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.record import Record
from thirdcard.journal.store import Appended, Conflict, KnownCommand, StoreFailed

_COLUMNS = Record.__struct_fields__
_PLACES = ", ".join("?" * len(_COLUMNS))
INSERT = f"INSERT OR IGNORE INTO record ({', '.join(_COLUMNS)}) VALUES ({_PLACES})"
BATCH = 1024
SqliteRow = tuple[Any, ...]
SqliteAnswer = Appended | Conflict | KnownCommand


class SqliteAppend(Struct):
    """Records that wait for a transaction, and who waits for the answer."""

    records: tuple[Record, ...]
    signer: KeyRing | None
    done: asyncio.Future[SqliteAnswer]


class Statements(Struct):
    """Any other write that waits for a transaction: statements, each with its values."""

    each: tuple[tuple[str, SqliteRow], ...]
    done: asyncio.Future[None]


WriterTask = SqliteAppend | Statements


class SqliteWriter:
    """Takes tasks from the event loop, commits them together, and answers there."""

    def __init__(self, connection: apsw.Connection, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._connection = connection
        self._path = path
        self._loop = loop
        self.shrinks = False  # whether the file gives the room of deleted records back when it is closed
        self._gathered: list[WriterTask] = []
        self._tasks: queue.SimpleQueue[list[WriterTask] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="journal-writer", daemon=True)
        self._thread.start()

    def submit(self, task: WriterTask) -> None:
        """Have a task done; it is when it is durable.

        Collect the tasks of one turn of the event loop, which go to the thread at once and into one write.
        A thread that had begun with the first of them would wait for the interpreter again and again.
        """
        if not self._gathered:
            self._loop.call_soon(self._hand_over)
        self._gathered.append(task)

    def _hand_over(self) -> None:
        tasks, self._gathered = self._gathered, []
        if tasks:
            self._tasks.put(tasks)

    async def close(self) -> None:
        """Write what waits, then let go of the file."""
        self._hand_over()
        self._tasks.put(None)
        await self._loop.run_in_executor(None, self._thread.join)
        with contextlib.suppress(apsw.Error):
            if self.shrinks:
                await self._loop.run_in_executor(None, self._connection.execute, "VACUUM")
            self._connection.close()

    def _work(self) -> None:
        while (first := self._tasks.get()) is not None:
            tasks: list[WriterTask] = first
            last: list[WriterTask] | None = first
            while len(tasks) < BATCH and not self._tasks.empty():
                last = self._tasks.get()
                if last is None:
                    break
                tasks += last
            answers = self._commit(tasks)
            self._loop.call_soon_threadsafe(_resolve, tasks, answers)
            if last is None:
                return

    def _commit(self, tasks: list[WriterTask]) -> list[SqliteAnswer | StoreFailed | None]:
        """The answers to all tasks after one transaction, or after one each where places were taken."""
        try:
            together = self._together(tasks)
            return together if together is not None else [self._alone(task) for task in tasks]
        except apsw.Error as error:
            with contextlib.suppress(apsw.Error):
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            return [StoreFailed(f"{self._path}: {reason(error)}")] * len(tasks)

    def _together(self, tasks: list[WriterTask]) -> list[SqliteAnswer | StoreFailed | None] | None:
        """One transaction for all, or nothing where a record found its place or its command id taken."""
        appends = [task for task in tasks if isinstance(task, SqliteAppend)]
        sign_together(appends)
        rows = [astuple(record) for task in appends for record in task.records]
        self._connection.execute("BEGIN IMMEDIATE")
        before = self._connection.total_changes()
        try:
            self._connection.executemany(INSERT, rows)
            taken = self._connection.total_changes() - before != len(rows)
        except apsw.ConstraintError:
            taken = True
        if taken:
            self._connection.execute("ROLLBACK")
            return None
        for task in tasks:
            if isinstance(task, Statements):
                for sql, row in task.each:
                    self._connection.execute(sql, row)
        self._connection.execute("COMMIT")
        return [Appended(task.records) if isinstance(task, SqliteAppend) else None for task in tasks]

    def _alone(self, task: WriterTask) -> SqliteAnswer | StoreFailed | None:
        answers = self._together([task])
        if answers is not None:
            return answers[0]
        assert isinstance(task, SqliteAppend)
        for record in task.records:
            if self._connection.execute(
                "SELECT 1 FROM record WHERE command_id = ?", (record.command_id,)
            ).fetchone():
                return KnownCommand(record.command_id)
        return Conflict()


def reason(error: apsw.Error) -> str:
    """Return the reason that the database gives, and what to do."""
    match error:
        case apsw.FullError():
            return "the disk is full; make room, then release the table"
        case apsw.ReadOnlyError():
            return "the disk cannot be written to; mount it for writing, then release the table"
        case apsw.CantOpenError():
            return "the file cannot be opened; check that its folder exists and can be read"
        case apsw.NotADBError() | apsw.CorruptError():
            return "the file is damaged; restore it from a backup"
        case apsw.BusyError() | apsw.LockedError():
            return "another program holds the file; close it"
        case _:
            return f"the disk failed ({error})"


def _resolve(tasks: list[WriterTask], answers: list[SqliteAnswer | StoreFailed | None]) -> None:
    """Tell everybody who still waits; runs in the event loop."""
    for task, answer in zip(tasks, answers, strict=True):
        if task.done.done():
            continue
        if isinstance(answer, StoreFailed):
            task.done.set_exception(StoreFailed(*answer.args))
        else:
            task.done.set_result(answer)  # type: ignore[arg-type]
