"""A process under load is killed at random instants; what it had acknowledged is compared with the journal.

The process is forked, so that a kill costs milliseconds: thousands are possible.
"""

import asyncio
import datetime
import os
import random
import select
import signal
import time
import zlib
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import NoReturn

from limits import LONG_ENOUGH
from machines.commands import Scene, Temper, make_command
from machines.dice import SeededDice
from msgspec import Struct
from streams.openings import opening, second_of

from thirdcard.devices.virtual_shoe import CannotOpen
from thirdcard.game.events import Event
from thirdcard.journal.codec import digest_of_content, encode, table_result_of
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.marks import MarkFile
from thirdcard.journal.record import EMPTY, digest_of, head_of
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Store, records
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams import marking
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service
from thirdcard.streams.tables import TableMachine

Opening = Callable[[], Awaitable[Store]]
TABLES = 12
MOST_LINES = 40  # that a process may say before it is killed
MOST_KILLS = 400  # in a test that kills on until enough was said; generous, for a machine that hardly moves
AT_ONCE = 2  # commands in flight at each table
COMPARED, ALARM = b"compared", b"alarm"  # what a process says about the mark of its journal
CALM = Temper(senseless=5, trouble=3, impostors=3, forgotten=99, left=None, training=False)


class Tally(Struct):
    """The results of the kills."""

    kills: int = 0
    acknowledged: int = 0
    recorded: int = 0
    found_unsaid: int = 0
    states: int = 0
    held: int = 0
    compared: int = 0
    false_alarms: int = 0


class Lost(Exception):
    """Something that was acknowledged is not there, or is there otherwise."""


class Process:
    """A process of its own, forked; what it says goes through a pipe, which outlives it."""

    def __init__(self, work: Callable[[int], Coroutine[None, None, None]]) -> None:
        self.heard = b""
        self._pipe, theirs = os.pipe()
        self._id = os.fork()
        if self._id == 0:
            os.close(self._pipe)
            _be_the_process(work(theirs))
        os.close(theirs)

    def listen(self, seconds: float) -> bool:
        """Hear what it says for some time, or until it ends; whether it goes on."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._pipe], [], [], left)[0]:
                more = os.read(self._pipe, 65536)
                if not more:
                    return False
                self.heard += more
        return True

    def listen_for(self, *words: str, beside: "tuple[Process, ...]" = ()) -> None:
        """Hear it until it has said some words."""
        self._listen_until(lambda: all(word.encode() in self.heard for word in words), beside)

    def await_lines(self, number: int = 1, *, beside: "tuple[Process, ...]" = ()) -> None:
        """Hear it until it has said so many more lines."""
        before = self.heard.count(b"\n")
        self._listen_until(lambda: self.heard.count(b"\n") >= before + number, beside)

    def _listen_until(self, holds: Callable[[], bool], beside: "tuple[Process, ...]") -> None:
        """Hear it, and those ``beside`` it too: a process whose pipe is full stands still."""
        until = time.monotonic() + LONG_ENOUGH
        while not holds():
            if not self.listen(0.01) or time.monotonic() > until:
                for each in {self, *beside}:
                    each.kill()  # the tests that follow use the same database
                raise TimeoutError(f"the process says no more after {self.heard[-200:]!r}")
            for each in beside:
                each.listen(0.001)

    def signal(self, number: signal.Signals) -> None:
        """Give it a sign."""
        os.kill(self._id, number)

    def kill(self) -> None:
        """Kill it, and hear the rest of what it had said."""
        self.signal(signal.SIGKILL)
        self.wait()

    def wait(self) -> int:
        """Hear it to its end; how it ended."""
        while more := os.read(self._pipe, 65536):
            self.heard += more
        os.close(self._pipe)
        return os.waitstatus_to_exitcode(os.waitpid(self._id, 0)[1])


def _be_the_process(work: Coroutine[None, None, None]) -> NoReturn:
    """Works until it is done or killed."""
    try:
        asyncio.run(work)
        os._exit(0)
    except BaseException as error:
        os.write(2, f"the process under test failed: {error!r}\n".encode())
    os._exit(1)


class Loop:
    """One journal, and the processes that are killed upon it."""

    def __init__(self, opening: Opening, keys: KeyRing, seed: int, folder: Path) -> None:
        self.opening = opening
        self.marks = MarkFile(folder / "marks" / "journal.json")
        self.keys = keys
        self.random = random.Random(seed)
        self.tally = Tally()
        self.said: dict[str, tuple[str, int]] = {}
        self.states: dict[tuple[str, int], str] = {}

    def kill_once(self, longest: float = 0.4) -> None:
        """Start a process, let it work for a moment, kill it, and hear what it had said.

        The moment is by chance: some seconds for one, which on a busy machine may come to nothing, so many
        lines for the next.
        """
        opening, keys, marks, seed = self.opening, self.keys, self.marks, self.random.randrange(2**32)
        process = Process(lambda pipe: _serve(opening, keys, marks, pipe, seed))
        try:
            if self.tally.kills % 2:
                process.await_lines(self.random.randrange(1, MOST_LINES))
            else:
                process.listen(self.random.uniform(0.0, longest))
        finally:
            process.kill()
        self.tally.kills += 1
        self.take(process.heard)

    def has_said(self, lines: int, states: int, compared: int) -> bool:
        """Whether processes have said enough; if not, one kills on.

        They acknowledge commands, tell of states, and say that they compared the journal with its mark.

        How far a process comes before it is killed depends on the machine.
        """
        if self.tally.kills >= MOST_KILLS:
            raise TimeoutError(f"after {self.tally.kills} kills: {self.tally}")
        enough = self.tally.acknowledged > lines and len(self.states) > states
        return enough and self.tally.compared > compared

    def take(self, heard: bytes) -> None:
        """Note what a process has acknowledged; what it could not say to the end it has not said."""
        for line in heard.split(b"\n")[:-1]:
            if line in (COMPARED, ALARM):
                self.tally.compared += 1
                self.tally.false_alarms += line == ALARM
                continue
            stream, sequence, command_id, state = line.decode().split(" ")
            self.tally.acknowledged += 1
            self.said[command_id] = (stream, int(sequence))
            if state:
                self.states[stream, int(sequence)] = state

    async def check(self) -> None:
        """Everything acknowledged is there, once, in its place, and makes the state that was seen."""
        store = await self.opening()
        try:
            found: dict[str, tuple[str, int]] = {}
            for stream in await store.streams():
                found |= await self._check_stream(store, stream)
        finally:
            await store.close()
        for command_id, place in self.said.items():
            if found.get(command_id) != place:
                raise Lost(f"{command_id}: acknowledged at {place}, found at {found.get(command_id)}")
        if self.tally.false_alarms:
            raise Lost(f"{self.tally.false_alarms} times the journal was said to be behind its mark")
        self.tally.recorded += len(found)
        self.tally.found_unsaid += len(found) - len(self.said)

    async def _check_stream(self, store: Store, stream: str) -> dict[str, tuple[str, int]]:
        found: dict[str, tuple[str, int]] = {}
        machine, state, head = TableMachine(store, SHIPPED), None, EMPTY
        async for record in records(store, stream):
            if record.previous != head.digest or record.sequence != head.sequence + 1:
                raise Lost(f"{stream}: {record.sequence} does not follow")
            if digest_of(record) != record.digest or record.command_id in found:
                raise Lost(f"{stream}: {record.sequence} is altered or doubled")
            events: tuple[Event, ...] = table_result_of(record).events
            state, head = await machine.fold(state, record, events), head_of(record)
            found[record.command_id] = (stream, record.sequence)
            self.tally.held += record.kind == "pause-table"
            seen = self.states.get((stream, record.sequence))
            if seen is not None:
                self.tally.states += 1
                if seen != digest_of_content(encode(state)):
                    raise Lost(f"{stream}: at {record.sequence} the state was another")
        return found


async def _serve(opening: Opening, keys: KeyRing, marks: MarkFile, pipe: int, seed: int) -> None:
    store = await opening()
    service = Service(store, keys, Clock(), marks)
    compares = marks.path.exists()
    marking.MARK_SECONDS = 0.01  # a process hardly lives for as long as is usual between two marks
    await service.start()
    if compares:
        damaged = isinstance(store, SqliteStore) and store.damage is not None
        os.write(pipe, (ALARM if service.closed or service.unmarked or damaged else COMPARED) + b"\n")
    books = SHIPPED.rulebooks
    tables = [(f"T{number}", books[number % len(books)]) for number in range(TABLES)]
    await asyncio.gather(*(_evening(service, name, book, pipe, seed) for name, book in tables))


async def _evening(service: Service, name: str, book: Rulebook, pipe: int, seed: int) -> None:
    stream = service.table(name)
    await stream.load()
    if stream.state is None:
        for number, (body, actor) in enumerate(opening(book.id)):
            command_id, second = f"{name}-{seed}-o{number}", second_of(body)
            answer = await stream.send(body, actor=actor, command_id=command_id, authoriser=second)
            say_accepted(pipe, name, f"{name}-{seed}-o{number}", answer, "")
    elif stream.state.table.shoe is None:
        # killed while the table was being opened: the rest of the opening, in whatever state it is
        for number, (body, actor) in enumerate(opening(book.id)):
            command_id, second = f"{name}-{seed}-o{number}", second_of(body)
            await stream.send(body, actor=actor, command_id=command_id, authoriser=second)
    await asyncio.gather(*(_hand(service, name, book, pipe, f"{seed}-{one}") for one in range(AT_ONCE)))


async def _hand(service: Service, name: str, book: Rulebook, pipe: int, seed: str) -> None:
    stream, house, number = service.table(name), SHIPPED.house(book.document.house), 0
    dice = SeededDice(zlib.crc32(f"{name} {seed}".encode()))
    while True:
        number += 1
        now = datetime.datetime.now(datetime.UTC)
        scene = Scene(book, house, stream.state.table if stream.state else None, CALM, now, number)
        command = make_command(dice, scene)
        command_id = f"{name}-{seed}-{number}"
        try:
            answer = await stream.send(
                command.body,
                actor=command.envelope.actor,
                command_id=command_id,
                authoriser=command.envelope.authoriser,
            )
        except CannotOpen:  # the seal of this shoe was made up, like everything here
            continue
        alone = isinstance(answer, Accepted) and answer.sequence == stream.head.sequence and number % 5 == 0
        state = digest_of_content(encode(stream.state)) if alone else ""
        say_accepted(pipe, name, command_id, answer, state)


def say_accepted(pipe: int, name: str, command_id: str, answer: object, state: str) -> None:
    """Tell of an answer, if it accepts something, with a digest of the state where that was seen."""
    if isinstance(answer, Accepted):
        os.write(pipe, f"{name} {answer.sequence} {command_id} {state}\n".encode())
