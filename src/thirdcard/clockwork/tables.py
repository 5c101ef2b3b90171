"""Keeps the tables of a floor going: sets them up, does what is due at its time, and gives alarms.

Several processes may keep the same table going. What is due has an id that follows from the last record, so
that it is recorded once; a process that did not write that record waits a little longer. What was due before
another process went on is decided only if it is still due.
"""

import asyncio
import contextlib
import functools
import logging
from collections.abc import Callable

from thirdcard.access.directory import Directory
from thirdcard.clockwork.elapsed import NANOSECONDS_PER_MICROSECOND, elapsed_at_least, is_overdue
from thirdcard.clockwork.next_step import Planned, next_step, set_up
from thirdcard.clockwork.shoe_alarms import give_alarms
from thirdcard.floor.state import TableDefinition
from thirdcard.floor.table_rules import refuse_new_round, refuse_unfit
from thirdcard.folds.snapshot import TableSnapshot, Timestamps
from thirdcard.game.events import Event, RoundEnded, RoundVoided, ShoeEnded
from thirdcard.game.state import RESTART, Phase, Table
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.store import StoreFailed
from thirdcard.messages import say
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.ahead import Change
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service, TableStream
from thirdcard.views.public_sections import MICROSECONDS_PER_SECOND

OTHERS_FIRST = 2.0  # seconds after its time, for the process that wrote the last record
AGAIN_AFTER = 1.5  # seconds until a store in trouble is tried again
SAME_AGAIN = (Refusal.TABLE_STOPPED,)
ENDINGS = (RoundEnded, RoundVoided, ShoeEnded)
Pace = Callable[[TableDefinition, Table], TableDefinition]
Plan = Callable[[TableSnapshot | None, Timestamps], Planned | None]
log = logging.getLogger("thirdcard.clockwork")


class Clockwork:
    """A task for each table of the floor."""

    def __init__(self, service: Service, keys: KeyRing, clock: Clock) -> None:
        self.stopping = False
        self.pace: Pace = lambda definition, _: definition  # a table as it goes now
        self._service = service
        self._keys = keys
        self._clock = clock
        self._directory = Directory(service.floor)
        self._wheels: dict[str, Wheel] = {}

    async def start(self) -> None:
        """Set up every table that is defined and keep it going, and those that will be."""
        for definition in self._directory.floor.tables:
            stream = self._service.table(definition.setup.table)
            with contextlib.suppress(StoreFailed):  # its wheel tries again
                await stream.load()
                if is_overdue(stream.state, definition, self._clock.now().wall_time):
                    await stream.hold(RESTART)  # nobody is left who knows when it should have closed
                planned = set_up(definition, stream.state)
                if planned is not None:
                    await stream.send(planned.body, actor=planned.actor, command_id=_id_of_next(stream))
        self._service.floor.listeners.add(self._floor_changed)
        self._take_up()

    async def stop(self) -> None:
        """Do nothing more."""
        self._service.floor.listeners.discard(self._floor_changed)
        for wheel in self._wheels.values():
            await wheel.stop()

    def rest(self) -> None:
        """Begin no more rounds; those under way go on."""
        self.stopping = True
        for wheel in self._wheels.values():
            wheel.wake()

    @property
    def busy(self) -> tuple[str, ...]:
        """The tables that have something to do before they can rest, where no other process is at it."""
        return tuple(name for name, wheel in self._wheels.items() if wheel.busy)

    def _floor_changed(self, change: object) -> None:  # noqa: ARG002
        self._take_up()
        for wheel in self._wheels.values():
            wheel.wake()

    def _take_up(self) -> None:
        for definition in self._directory.floor.tables:
            name = definition.setup.table
            if name not in self._wheels:
                plan = functools.partial(self._plan, name)
                self._wheels[name] = Wheel(self._service, name, plan, self._clock)
                self._wheels[name].start(self._keys)

    def _is_outdated(self, definition: TableDefinition) -> bool:
        """Whether a later version of the rulebook is in force, by which the table can be set up."""
        at = self._clock.now().moment
        later = self._service.later_rulebook(definition.setup.table, at)
        return later is not None and refuse_unfit(self._service.shelf, definition, at) is None

    def _plan(self, name: str, whole: TableSnapshot | None, since: Timestamps) -> Planned | None:
        definition = self._directory.table(name)
        if definition is None:
            return None
        books = self._service.books(name)
        shut = whole is not None and whole.table.phase is Phase.SHUT
        planned = set_up(definition, whole, later=shut and self._is_outdated(definition))
        if planned is not None or whole is None or books is None:
            return planned
        definition = self.pace(definition, whole.table)
        planned = next_step(books, whole.table, definition, self._keys, since, resting=self.stopping)
        refused = refuse_new_round(self._directory.floor, name, planned.body) if planned else None
        return planned if refused is None else None


def _id_of_next(stream: TableStream) -> str:
    """The id of what follows the last record of a table; no client can use one like it."""
    return f"{stream.name}/{stream.head.sequence}"


class Wheel:
    """Keeps one table going."""

    def __init__(self, service: Service, name: str, plan: Plan, clock: Clock) -> None:
        self.planned: Planned | None = None
        self._service = service
        self._stream = service.table(name)
        self._plan = plan
        self._clock = clock
        self._changed = asyncio.Event()
        self._mine = False
        self._ended = False
        self._last: TableSnapshot | None = None  # the state that was seen last
        self._seen = Timestamps(0, 0)  # when that came about, by the clock of this run
        self._task: asyncio.Task[None] | None = None

    def start(self, keys: KeyRing) -> None:
        """Begin."""
        self._stream.listeners.add(self._follow)
        self._task = asyncio.create_task(self._run(keys), name=f"clockwork of {self._stream.name}")

    async def stop(self) -> None:
        """End."""
        self._stream.listeners.discard(self._follow)
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    @property
    def busy(self) -> bool:
        """Whether something is planned for a table whose last record is ours."""
        return self.planned is not None and self._mine

    def wake(self) -> None:
        """Look again."""
        self._changed.set()

    def _follow(self, change: Change[TableSnapshot, Event]) -> None:
        self._mine = change.record.run == self._clock.run
        self._ended = self._ended or any(isinstance(each, ENDINGS) for each in change.events)
        state, last = change.state, self._last
        betting = state.table.phase is Phase.BETTING
        if betting and last is not None and last.stands_from == state.stands_from:
            return  # wagers come and go; when betting closes stays as it is
        self._seen, self._last = self._since(state), state
        self._changed.set()

    def _since(self, whole: TableSnapshot | None) -> Timestamps:
        """When a state came about, by the clock of this run; one that was not seen yet comes about now."""
        now, last = self._now(), self._last
        if whole is None or last is None:
            return Timestamps(now, now)
        same_record = whole.since.record == last.since.record
        same_phase = whole.stands_from == last.stands_from
        return Timestamps(self._seen.phase if same_phase else now, self._seen.record if same_record else now)

    async def _take_over(self) -> None:
        """Begin with the table as it stands; for how long it stands so is told by its records."""
        state, first = self._stream.state, self._last is None
        self._seen, self._last = self._since(state), state
        if first and state is not None and state.stands_from:
            written = self._service.records_after(self._stream.name, state.stands_from - 1)
            records = [record async for record in written]
            if self._last is not None and self._last.stands_from == state.stands_from:
                phase = self._now() - elapsed_at_least(records)
                self._seen = Timestamps(phase, self._seen.record)

    async def _run(self, keys: KeyRing) -> None:
        loaded = False
        while True:
            self._changed.clear()
            try:
                if not loaded:
                    await self._stream.load()
                    loaded = True
                    await self._take_over()
                await self._turn(keys)
            except StoreFailed as error:
                log.warning("%s: %s", self._stream.name, error)
                loaded = False
                await self._clock.sleep(AGAIN_AFTER)
            except Exception:
                log.exception("%s: cannot go on by itself", self._stream.name)
                await self._changed.wait()

    async def _turn(self, keys: KeyRing) -> None:
        """Do what is due by now, or wait until it is or anything happens."""
        if self._ended:
            self._ended = False
            await give_alarms(self._stream, keys)
        upon = self._stream.state
        self.planned = planned = self._plan(upon, self._since(upon))
        if planned is None:
            await self._changed.wait()
            return
        delay = (planned.at - self._now()) / MICROSECONDS_PER_SECOND
        delay += 0.0 if self._mine or not self._stream.head.sequence else OTHERS_FIRST
        if delay > 0:
            await self._clock.wait(self._changed, delay)
            return  # and look again: a timer may end a little before its time
        command_id = _id_of_next(self._stream)
        is_due = functools.partial(self._is_due, planned, upon)
        answer = await self._stream.send(
            planned.body, actor=planned.actor, command_id=command_id, is_due=is_due
        )
        if isinstance(answer, Refused):
            if answer.reason is not Refusal.NOT_AWAITED:  # another process was first
                log.warning("%s: %s", self._stream.name, say(answer.message))
            if answer.reason in SAME_AGAIN:
                await self._clock.sleep(AGAIN_AFTER)
            else:
                await self._changed.wait()

    def _is_due(self, planned: Planned, upon: TableSnapshot | None, whole: TableSnapshot | None) -> bool:
        """Whether a step that was planned upon one state is due in another."""
        if whole is upon:
            return True
        again = self._plan(whole, self._since(whole))
        return again is not None and again.is_same_step(planned) and again.at <= self._now()

    def _now(self) -> int:
        """Microseconds by the clock of this run."""
        return self._clock.now().monotonic // NANOSECONDS_PER_MICROSECOND
