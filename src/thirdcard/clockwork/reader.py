"""The table's side of a card reader: connections are taken, readings recorded, and then acknowledged."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Coroutine
from typing import Protocol

from msgspec.structs import replace

from thirdcard.clockwork.reader_alarms import waits_already
from thirdcard.clockwork.shoe_alarms import Door, give_alarms
from thirdcard.devices.reader_feed import Fed, Feed, named_otherwise, not_taken, see, take
from thirdcard.devices.reader_lines import (
    LONGEST,
    VERSION,
    Numbered,
    ReaderHello,
    ReaderLine,
    Refuse,
    WhyNot,
    read_line,
    write_line,
)
from thirdcard.devices.reader_protocol import Heard, ReaderProgress, greet, hear, taken
from thirdcard.devices.virtual_shoe import drawer
from thirdcard.floor.state import ReaderRole
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.events import Event
from thirdcard.game.state import Table
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.store import StoreFailed
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.ahead import Change
from thirdcard.streams.clock import Clock, Timer

NOT_NOW = (Refusal.TABLE_STOPPED, Refusal.RECORDS_NOT_WHOLE)  # the reader sends it again
SILENT_AFTER = 15.0  # seconds; a reader beats every five


class LineSource(Protocol):
    """Where the lines of a reader come from."""

    async def readline(self) -> bytes:
        """Return the next line with its end; what is cut short, or nothing, once no more come."""


class LineSink(Protocol):
    """Where the lines to a reader go."""

    def write(self, data: bytes) -> None:
        """Send a line."""

    async def drain(self) -> None:
        """Wait until there is room for more."""

    def close(self) -> None:
        """Let the reader go."""


class ReaderPort:
    """Where the card reader of a table is connected: one at a time, and the same one when it comes back."""

    def __init__(self, stream: Door, clock: Clock, *, role: ReaderRole = ReaderRole.DEALS) -> None:
        self._stream = stream
        self._clock = clock
        self._feed = Feed(role)
        self._progress: dict[str, ReaderProgress] = {}
        self._name = ""
        self._out: LineSink | None = None
        self._lock = asyncio.Lock()
        self._missed: Timer | None = None
        self._chores: set[asyncio.Task[bool]] = set()
        stream.listeners.add(self._changed)

    async def serve(self, hello: ReaderHello, lines: LineSource, out: LineSink) -> None:
        """Talk with a reader until it goes; when it connects again that connection takes over."""
        if self._out is not None and hello.reader != self._name:
            await _say(out, Refuse(WhyNot.BUSY))
            return
        if self._out is not None:
            self._out.close()
        if self._missed is not None:
            self._missed.cancel()
        self._name, self._out = hello.reader, out
        try:
            await self._converse(hello, lines, out)
        finally:
            if self._out is out:
                self._out = None
                self._missed = self._clock.call_later(SILENT_AFTER, self._is_silent)

    @property
    def connected(self) -> bool:
        """Whether a reader is there."""
        return self._out is not None

    async def close(self) -> None:
        """Let the reader go, and stop looking at the table."""
        self._stream.listeners.discard(self._changed)
        if self._missed is not None:
            self._missed.cancel()
        if self._out is not None:
            self._out.close()
        await asyncio.gather(*self._chores)

    async def _converse(self, hello: ReaderHello, lines: LineSource, out: LineSink) -> None:
        if self._stream.state is None:
            await self._stream.load()
        async with self._lock:
            progress = self._progress.get(hello.reader, ReaderProgress())
            await self._answer(greet(progress, hello), hello, out)
        while True:
            async with self._clock.timeout(SILENT_AFTER):
                data = await lines.readline()
            async with self._lock:
                if not data.endswith(b"\n") or self._out is not out:
                    return
                heard = hear(self._progress[hello.reader], read_line(data))
                if heard.message is not None:
                    if not await self._take(heard.message, hello):
                        return
                    heard = taken(heard.progress)
                await self._answer(heard, hello, out)

    async def _answer(self, heard: Heard, hello: ReaderHello, out: LineSink) -> None:
        self._progress[hello.reader] = heard.progress
        if heard.missing is not None:
            alarm = cmd.RaiseAlarm(kind=AlarmKind.OUT_OF_SEQUENCE, number=heard.missing)
            await self._tell(alarm, f"{self._prefix(hello, heard.missing)}-missing")
        await _say(out, *heard.replies)

    def _prefix(self, hello: ReaderHello, number: int) -> str:
        """The command id of a message: sent again, even to another process, it is the same command."""
        return f"{self._stream.name}-reader-{hello.reader}-{hello.run}-{number}"

    async def _take(self, message: Numbered, hello: ReaderHello) -> bool:
        """Have a reading recorded; whether it is, or the store is in trouble and it must come again."""
        table = self._stream.state.table if self._stream.state else None
        if table is None:
            return False
        fed = take(self._feed, message.reading, table, self._clock.now().moment)
        self._feed = fed.feed
        if not await self._record(fed, table, self._prefix(hello, message.number)):
            # the reading comes again, so that the comparison with the dealer's entries begins anew
            self._feed = replace(self._feed, read=(), entered=())
            return False
        await give_alarms(self._stream)
        return True

    async def _record(self, fed: Fed, table: Table, command_id: str) -> bool:
        alarms = fed.alarms
        if fed.command is not None:
            actor = drawer(table) if isinstance(fed.command, cmd.DrawCard) else table.setup.table
            answer = await self._stream.send(fed.command, actor=actor, command_id=command_id)
            if isinstance(answer, Refused) and answer.reason in NOT_NOW:
                return False
            if isinstance(answer, Refused) and answer.reason is not Refusal.COMMAND_ID_USED:
                self._feed, alarms = not_taken(self._feed, fed)
        for alarm in alarms:
            if not await self._tell(alarm, f"{command_id}-{alarm.kind.value}"):
                return False
        return True

    async def _tell(self, command: cmd.Body, command_id: str) -> bool:
        """Have the table tell something, unless it waits already; whether its store is not in trouble."""
        whole = self._stream.state
        if isinstance(command, cmd.RaiseAlarm) and whole is not None and waits_already(whole, command):
            return True
        answer = await self._stream.send(command, actor=self._table, command_id=command_id)
        return not (isinstance(answer, Refused) and answer.reason in NOT_NOW)

    @property
    def _table(self) -> str:
        return self._stream.state.table.setup.table if self._stream.state else ""

    def _changed(self, change: Change[TableSnapshot, Event]) -> None:
        """Compare the dealer's entries with what was read, and a result that waited with the cards."""
        fed = see(self._feed, change.events)
        self._feed = fed.feed
        alarms = list(fed.alarms)
        if change.record.kind == "expose-cards" and not change.events:
            body = table_result_of(change.record).command
            assert isinstance(body, cmd.ExposeCards)
            otherwise = named_otherwise(change.state.table, body)
            alarms += [otherwise] if otherwise else []
        commands: list[cmd.Body] = [*([fed.command] if fed.command else []), *alarms]
        for number, command in enumerate(commands):
            self._chore(self._tell(command, f"{change.record.command_id}-reader-{number}"))

    def _is_silent(self) -> None:
        alarm = cmd.RaiseAlarm(kind=AlarmKind.READER_SILENT)
        self._chore(self._tell(alarm, f"{self._stream.name}-reader-silent-{secrets.token_hex(8)}"))

    def _chore(self, work: Coroutine[None, None, bool]) -> None:
        task = asyncio.create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)


class ReaderServer:
    """Takes the connections of card readers, each for the table that it names."""

    def __init__(self, port_of: Callable[[str], ReaderPort | None], clock: Clock) -> None:
        self._port_of = port_of
        self._clock = clock
        self._server: asyncio.Server | None = None
        self._open: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}

    async def start(self, host: str, port: int) -> tuple[str, int]:
        """Begin to listen; the address at which it does."""
        self._server = await asyncio.start_server(self._connected, host, port, limit=LONGEST)
        address: tuple[str, int] = self._server.sockets[0].getsockname()[:2]
        return address

    async def close(self) -> None:
        """Let every reader go, and listen no more."""
        if self._server is not None:
            self._server.close()
        talking = [task for task in self._open.values() if task]
        for out in self._open:
            out.close()
        await asyncio.gather(*talking)

    async def _connected(self, lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        self._open[out] = asyncio.current_task()
        try:
            await self.talk(lines, out)
        finally:
            del self._open[out]
            out.close()
            with contextlib.suppress(ConnectionError):
                await out.wait_closed()

    async def talk(self, lines: LineSource, out: LineSink) -> None:
        """Talk with a reader until it goes."""
        # a reader that says nothing, too much or nothing sensible is let go; it may come again
        with contextlib.suppress(ConnectionError, TimeoutError, ValueError, StoreFailed):
            await self._greeted(lines, out)

    async def _greeted(self, lines: LineSource, out: LineSink) -> None:
        async with self._clock.timeout(SILENT_AFTER):
            hello = read_line(await lines.readline())
        if not isinstance(hello, ReaderHello):
            return
        table = self._port_of(hello.table)
        if hello.version != VERSION:
            await _say(out, Refuse(WhyNot.VERSION))
        elif table is None:
            await _say(out, Refuse(WhyNot.TABLE))
        else:
            await table.serve(hello, lines, out)


async def _say(out: LineSink, *lines: ReaderLine) -> None:
    for line in lines:
        out.write(write_line(line))
    await out.drain()
