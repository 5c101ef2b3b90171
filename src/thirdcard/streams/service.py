"""The streams of a floor served by one process: loaded when asked for, held after a restart, signed."""

import asyncio
import contextlib
import datetime
import functools
import logging
from collections.abc import AsyncIterator, Awaitable

from thirdcard.floor import commands as floor_commands
from thirdcard.floor import events as floor_events
from thirdcard.floor.standing import SERVER
from thirdcard.floor.state import Floor, StreamEnd
from thirdcard.floor.table_rules import (
    BEGINS_A_ROUND,
    CHANGES_A_SESSION,
    DEFINES_A_TABLE,
    refuse_new_round,
    refuse_proposal,
    refuse_session,
)
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game.commands import Body
from thirdcard.game.events import Event
from thirdcard.game.state import RESTART, Table
from thirdcard.journal.codec import require_known_form
from thirdcard.journal.groups import GroupSignatures
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.marks import (
    JournalMark,
    MarkFile,
    MarkUnusable,
    MissingEnd,
    latest_ends,
    mark_is_genuine,
    missing_ends,
    stream_ends,
)
from thirdcard.journal.old_records import (
    MARK_ID,
    OldEnds,
    ends_without_checkpoint,
    ends_without_signature,
    has_signed_records,
    last_records,
    marked_ends,
)
from thirdcard.journal.record import EMPTY, Head, Record
from thirdcard.journal.store import FLOOR_STREAM, Store, StoreFailed, StoreUnusable, records
from thirdcard.messages import Message, message, say
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED, Shelf, UnknownGame
from thirdcard.streams.ahead import BeforeRule
from thirdcard.streams.clock import Clock
from thirdcard.streams.floors import FloorMachine, lacking_versions, shelf_files
from thirdcard.streams.marking import Marker
from thirdcard.streams.record_check import Broken
from thirdcard.streams.stream import Stream
from thirdcard.streams.tables import Books, TableMachine

log = logging.getLogger(__name__)

CHECKPOINT_AFTER = 60  # seconds with new records
STORE_CHECK_SECONDS = 5.0  # seconds
WHILE_CLOSED = (  # what the floor takes while tables are closed: people see why, and accept a restored backup
    floor_commands.SignIn,
    floor_commands.ShowIdentity,
    floor_commands.FailSignIn,
    floor_commands.EndSession,
    floor_commands.RevokeAccount,
    floor_commands.AcceptRestore,
    floor_commands.AcceptShelf,
    floor_commands.NoteClockStep,
)
TableStream = Stream[TableSnapshot, Body, Event]
FloorStream = Stream[Floor, floor_commands.FloorBody, floor_events.FloorEvent]


class Service:
    """A floor and its tables, each in a stream of its own named by the table."""

    def __init__(
        self,
        store: Store,
        keys: KeyRing,
        clock: Clock,
        marks: MarkFile | None = None,
        witnessed: tuple[JournalMark, ...] = (),
        shelf: Shelf = SHIPPED,
    ) -> None:
        """Serve a floor by a shelf; with ``marks`` its ends are marked there, and compared at the start.

        ``witnessed`` are the marks that a witness has, with which the journal is compared too.
        """
        self.closed: tuple[Message, ...] = ()  # why no table takes anything
        self.missing: tuple[MissingEnd, ...] = ()
        self.unaccepted: tuple[Message, ...] = ()  # why the shelf is not the one that was accepted
        self.unmarked: str | None = None  # why the journal could not be compared with its mark
        self._store = store
        self._keys = keys
        self.shelf = shelf
        self._clock = clock
        self._floor_machine = FloorMachine(store, shelf.houses)
        self.floor: FloorStream = Stream(
            FLOOR_STREAM,
            self._floor_machine,
            store,
            keys,
            clock,
            before=BeforeRule((*CHANGES_A_SESSION, *DEFINES_A_TABLE), self._refuse_on_floor),
        )
        self._tables: dict[str, TableStream] = {}
        self._machines: dict[str, TableMachine] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._old_ends: OldEnds = {}
        self._marks = marks
        self._witnessed = witnessed
        self.marker = Marker(marks, keys, clock, lambda: self.heads) if marks else None

    async def start(self, *, tables: bool = True) -> tuple[str, ...]:
        """Begin to serve; the names of tables that stood still until now and are held for a person.

        Without tables only the floor is served: no table is held, and no other process takes us for a server.
        """
        last = await last_records(self._store)
        for record in last.values():
            require_known_form(record)  # before anything is altered
        await self._require_keys(await self._store.streams())
        for key_id, public in self._keys.public_keys.items():
            await self._store.keep_content(key_id, public)
        await self._compare(last)
        unclosed = {} if self.closed else last
        await self._require_checkpoints(unclosed)
        self._old_ends = await begin_signing(self._store, self.floor, self._keys, unclosed)
        await self.floor.load()
        await self._require_accepted_shelf(last.get(FLOOR_STREAM))
        if self.marker is not None and not self.closed:
            self.marker.start()
        if not tables:
            return ()
        async with self._store.arriving() as first:
            self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._sign_in_time())]
            return await self._hold_tables() if first and not self.closed else ()

    async def _compare(self, last: dict[str, Record]) -> None:
        """Compare the journal with its mark; one that is behind keeps every table closed.

        Without a mark nobody sees that an end is missing, so that is said; a new journal has none yet.
        """
        if self._marks is None or self.marker is None:
            return
        mark, why = await asyncio.to_thread(_read_mark, self._marks, self._keys.public_keys)
        if why is not None and last:
            self.unmarked = why
            log.warning("the journal cannot be compared", extra={"fields": {"why": why}})
        public_keys = self._keys.public_keys
        witnessed = latest_ends(each for each in self._witnessed if mark_is_genuine(each, public_keys))
        own = mark.heads if mark else ()
        # a loss that two people accept is marked anew: retired keys give up nothing of this mark
        await self._compare_with(own, self._keys.keys_in_use)
        await self._compare_with(witnessed, public_keys)
        if ends := (*own, *witnessed):
            await self._refuse_retired(ends)

    async def _require_accepted_shelf(self, last: Record | None) -> None:
        """Close every table where rulebooks or houses of one's own are not those that were accepted.

        Posts and controls count by the houses of before then, also where one was taken away: whoever can
        write to the shelf raises nobody, and takes no control away. Where a version of a rulebook was taken
        away another one would rule in its place, so tables close as well. Any shelf counts as accepted as
        long as no money was ever real, but for a journal that lacks something.
        """
        files, floor = shelf_files(self.shelf), self.floor.state or Floor()
        accepted = floor.shelf or ()
        if not (files or accepted) and self.shelf.folder is None:
            return
        new = [each.id for each in files if each not in accepted]
        gone = sorted({each.id for each in accepted} - {each.id for each in files})
        if not floor.real and not self.closed:
            if new or floor.shelf is None:
                body = floor_commands.AcceptShelf(files=files)
                await self.floor.send(body, actor=SERVER, command_id=f"{self._clock.run}/shelf")
            return
        if (new or gone) and last is not None and last.house:
            await self._floor_machine.go_by(last.house)
        if gone and floor.real:
            self.unaccepted = (message("record-check.shelf-lacks", files=", ".join(gone)),)
            log.warning("the shelf lacks what was accepted", extra={"fields": {"files": gone}})
        lacking = lacking_versions(accepted, self.shelf, self._clock.now().moment) if floor.real else ()
        if lacking:
            reason = message("record-check.shelf-version-lacks", files=", ".join(lacking))
            self.unaccepted = (*self.unaccepted, reason)
            self.close_tables(reason)
        if new and floor.real:
            reason = message("record-check.shelf", files=", ".join(new))
            self.unaccepted = (*self.unaccepted, reason)
            self.close_tables(reason)

    async def accept_shelf(self, *, by: str, second: str) -> Refused | None:
        """Go by the shelf as it is, in the name of two people, from the next start on."""
        body = floor_commands.AcceptShelf(files=shelf_files(self.shelf))
        command_id = f"{self._clock.run}/accept-shelf"
        answer = await self.floor.send(body, actor=by, authoriser=second, command_id=command_id)
        return answer if isinstance(answer, Refused) else None

    @property
    def houses(self) -> tuple[House, ...]:
        """The houses by whose posts the floor is decided."""
        return self._floor_machine.houses

    async def _compare_with(self, ends: tuple[StreamEnd, ...], public_keys: dict[str, bytes]) -> None:
        """Close every table where the journal lacks one of these ends, and no record of keys gives it up."""
        missing = await missing_ends(self._store, ends, public_keys)
        self.missing = (*self.missing, *(each for each in missing if each not in self.missing))
        self.close_tables(*(each.what for each in missing))

    async def _refuse_retired(self, ends: tuple[StreamEnd, ...]) -> None:
        """Close every table where a stream goes on after its mark with keys that sign no more.

        Whoever copied them before they were retired can sign with them, and cannot write the mark.
        """
        marked = {end.stream: end.sequence for end in ends}
        for name in await self._store.streams():
            async for record in records(self._store, name, after=marked.get(name, 0)):
                if self._keys.is_retired(record.group_key):
                    self.close_tables(message("record-check.retired", stream=name, record=record.sequence))

    def close_tables(self, *reasons: Message) -> None:
        """Let no table take anything, until a server starts whose journal is whole or accepted."""
        for reason in reasons:
            if reason not in self.closed:
                log.error("tables stay closed", extra={"fields": {"why": say(reason)}})
                self._close((*self.closed, reason))

    def _close(self, reasons: tuple[Message, ...]) -> None:
        self.closed = reasons
        for stream in self._streams():
            stream.closed = bool(reasons)

    async def accept(self, reason: str, *, by: str, second: str) -> Refused | None:
        """Give up what is missing in the name of two people, record it, and mark the journal as it is."""
        ends = {end.stream: end for end in await stream_ends(self._store)}
        lost = tuple(each.marked for each in self.missing)
        kept = tuple(ends[end.stream] for end in lost if end.stream in ends)
        body = floor_commands.AcceptRestore(reason=reason, lost=lost, kept=kept)
        command_id = f"{self._clock.run}/accept-restore"
        answer = await self.floor.send(body, actor=by, authoriser=second, command_id=command_id)
        if isinstance(answer, Refused):
            return answer
        self.missing = ()
        self._close(())
        if self._marks is not None:
            now, ends_now = self._clock.now().wall_time, await stream_ends(self._store)
            await asyncio.to_thread(self._marks.write, self._keys, ends_now, wall_time=now, anew=True)
        return None

    @property
    def checked(self) -> dict[str, int]:
        """The last record with a checkpoint of this process, by stream."""
        return {stream.name: stream.checked for stream in self._streams()}

    @property
    def heads(self) -> dict[str, Head]:
        """Where every stream ends that is served here; records that are durable."""
        return {stream.name: stream.head for stream in self._streams()}

    async def _hold_tables(self) -> tuple[str, ...]:
        """Hold every table that is open, also what was appended until a moment ago; their names."""
        held = []
        for name in await self._store.streams():
            if name == FLOOR_STREAM:
                continue
            stream = self.table(name)
            try:
                await stream.hold(RESTART)
            except Broken as error:
                self.close_tables(message("record-check.altered", stream=name, problem=str(error)))
                return ()
            if stream.state is not None and stream.state.table.paused:
                held.append(name)
        return tuple(held)

    def table(self, name: str) -> TableStream:
        """The stream of a table, known or new."""
        if name not in self._tables:
            machine = self._machines[name] = TableMachine(self._store, self.shelf, self._keys)
            rule = functools.partial(self._refuse_at_table, name)
            self._tables[name] = Stream(
                name,
                machine,
                self._store,
                self._keys,
                self._clock,
                old_end=self._old_ends.get(name, EMPTY),
                before=BeforeRule(BEGINS_A_ROUND, rule),
            )
            self._tables[name].closed = bool(self.closed)
        return self._tables[name]

    def records_after(self, name: str, sequence: int) -> AsyncIterator[Record]:
        """The records of a stream after a sequence, from the store."""
        return records(self._store, name, after=sequence)

    def books(self, name: str) -> Books | None:
        """The rulebook and the house in force at a table; nothing before it is set up."""
        machine = self._machines.get(name)
        return machine.books_of(self._tables[name].state) if machine else None

    def later_rulebook(self, name: str, at: datetime.datetime) -> Rulebook | None:
        """Return the version that governs at an instant, where it is later than the one of a table."""
        books = self.books(name)
        if books is None:
            return None
        try:
            found = self.shelf.rulebook(books.rulebook.id, at)
        except UnknownGame:
            return None
        return found if found.document.in_force > books.rulebook.document.in_force else None

    @property
    def table_states(self) -> dict[str, Table]:
        """The tables that are served here, as they stand, by name."""
        return {name: stream.state.table for name, stream in self._tables.items() if stream.state}

    @contextlib.asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Do what depends on several tables at once: no other server does, and all are up to date."""
        async with self._store.exclusive() as shared:
            for name in await self._store.streams() if shared else ():
                if name != FLOOR_STREAM:
                    await self.table(name).load()
            yield

    async def _refuse_at_table(self, name: str, whole: TableSnapshot | None, body: Body) -> Refused | None:  # noqa: ARG002
        """Refuse a command to a table while tables are closed, and by what the floor says about it."""
        if self.closed:
            return refuse(Refusal.RECORDS_NOT_WHOLE)
        return refuse_new_round(self.floor.state or Floor(), name, body)

    async def _refuse_on_floor(self, floor: Floor | None, body: floor_commands.FloorBody) -> Refused | None:
        """Refuse a command to the floor while tables are closed, and by what a table or the shelf says."""
        if self.closed and not isinstance(body, WHILE_CLOSED):
            return refuse(Refusal.RECORDS_NOT_WHOLE)
        if isinstance(body, DEFINES_A_TABLE) and floor is not None:
            return refuse_proposal(self.shelf, floor, body, self._clock.now().moment)
        if not isinstance(body, CHANGES_A_SESSION) or floor is None:
            return None
        terminal = floor.terminal(body.terminal)
        if terminal is None:
            return None
        patron = body.patron if isinstance(body, floor_commands.OpenPatronSession) else terminal.patron
        if patron is None:
            return None
        stream = self.table(terminal.table)
        try:
            await stream.load()
        except StoreFailed:  # a table that cannot be read does not stop the floor
            return refuse(Refusal.TABLE_STOPPED)
        return refuse_session(stream.state.table, patron, body) if stream.state else None

    def _streams(self) -> tuple[FloorStream | TableStream, ...]:
        return (self.floor, *self._tables.values())

    async def checkpoint_all(self, reason: str) -> None:
        """Sign every stream as it is by now."""
        for stream in self._streams():
            await stream.checkpoint(reason)

    async def stop(self) -> None:
        """Answer what was sent, sign everything, and stop serving; the store stays open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for stream in self._streams():
            await stream.drain()
        if self.closed:
            return
        with contextlib.suppress(StoreFailed):
            await self.checkpoint_all("stop")
        if self.marker is not None:
            await self.marker.stop()

    async def _require_keys(self, names: tuple[str, ...]) -> None:
        """A server without the keys of its floor would sign as somebody else."""
        for name in names:
            checkpoint = await self._store.last_checkpoint(name)
            if checkpoint is not None and not self._keys.has(checkpoint.key_id):
                raise StoreUnusable(
                    f"{name} was last signed with the key {checkpoint.key_id}, which the key file lacks;"
                    " start with the key file of this floor"
                )

    async def _require_checkpoints(self, last: dict[str, Record]) -> None:
        """Refuse a journal without signed records where no checkpoint of the floor speaks for a stream."""
        ends = ends_without_signature(last)
        if not ends or await has_signed_records(self._store):
            return
        if bare := await ends_without_checkpoint(self._store, ends, self._keys.public_keys):
            raise StoreUnusable(
                f"Nobody has signed anything about the records of {', '.join(bare)}, which have a form from"
                " before records were signed: anybody who can write to the journal can have written them. If"
                " an older release wrote them, start and stop it once, which signs a checkpoint"
            )

    async def _follow(self) -> None:
        """Load what other processes append to streams that are served here."""
        async for news in self._store.news():
            stream = self.floor if news.stream == FLOOR_STREAM else self._tables.get(news.stream)
            if stream is not None and news.sequence > stream.decided:
                await _in_spite_of_trouble(stream.load())

    async def _sign_in_time(self) -> None:
        while True:
            await self._clock.sleep(STORE_CHECK_SECONDS)
            now = self._clock.now().monotonic
            for stream in () if self.closed else self._streams():
                since = stream.unchecked_since
                if since is not None and now - since >= CHECKPOINT_AFTER * 1_000_000_000:
                    await _in_spite_of_trouble(stream.checkpoint("time"))


def _read_mark(file: MarkFile, public_keys: dict[str, bytes]) -> tuple[JournalMark | None, str | None]:
    """Return a mark, or why there is none to compare with."""
    try:
        mark = file.read(public_keys)
    except MarkUnusable as error:
        return None, str(error)
    return mark, None if mark else f"{file.path}: there is none"


async def begin_signing(store: Store, floor: FloorStream, keys: KeyRing, last: dict[str, Record]) -> OldEnds:
    """Return how far streams may have unsigned records; where nothing was signed before, record it first."""
    ends = ends_without_signature(last)
    if not ends or await has_signed_records(store):
        marked = await marked_ends(store, GroupSignatures(keys.public_keys).is_genuine) or {}
        floor.check.old_end = marked.get(FLOOR_STREAM, EMPTY)
        return marked
    floor.check.old_end = ends.get(FLOOR_STREAM, EMPTY)
    told = tuple(StreamEnd(name, end.sequence, end.digest.hex()) for name, end in ends.items())
    begin = floor_commands.BeginSigning(ends=told)
    answer = await floor.send(begin, actor=SERVER, command_id=MARK_ID)
    if isinstance(answer, Refused):
        raise StoreUnusable(f"Signing could not begin ({say(answer.message)}); stop every other server")
    log.warning("records are signed from now on", extra={"fields": {"streams": len(ends)}})
    return ends


async def _in_spite_of_trouble(work: Awaitable[None]) -> None:
    """A store in trouble stops a stream when something is sent to it; waiting work goes on."""
    with contextlib.suppress(StoreFailed):
        await work
