"""Seven faults of the kind that the simulation is for, planted one at a time to see that it finds them."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

from simulation.disk import SimulatedStore

from thirdcard.clockwork.tables import Wheel
from thirdcard.folds.snapshot import Timestamps
from thirdcard.journal.groups import sign_group
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.store import Appended, StoreFailed
from thirdcard.streams import stream
from thirdcard.streams.ahead import Accepted, Ahead
from thirdcard.streams.stream import Stream
from thirdcard.streams.tables import TableMachine


@contextlib.contextmanager
def early_acknowledgement() -> Iterator[None]:
    """An append is acknowledged before it is durable."""
    durable = SimulatedStore.append

    async def append(self: SimulatedStore, records: Any, signer: Any = None) -> Any:
        asyncio.get_running_loop().create_task(_quietly(durable(self, records, signer)))
        return Appended(sign_group(signer, records))

    with mock.patch.object(SimulatedStore, "append", append):
        yield


async def _quietly(work: Any) -> None:
    with contextlib.suppress(StoreFailed):
        await work


@contextlib.contextmanager
def doubled_retry() -> Iterator[None]:
    """A command that is sent again is recorded again."""

    async def append(self: MemoryStore, records: Any, signer: Any = None) -> Any:
        kept, self._commands = self._commands, {}
        answer = await real(self, records, signer)
        self._commands = kept | self._commands
        return answer

    async def never(*_: object) -> bool:
        return False

    real = MemoryStore.append
    with (
        mock.patch.object(MemoryStore, "append", append),
        mock.patch.object(Stream, "_is_answered_from_store", never),
        mock.patch.object(stream, "REMEMBERED", 0),
    ):
        yield


@contextlib.contextmanager
def lost_rollback() -> Iterator[None]:
    """After an append that failed the stream keeps the state that was decided."""
    stop = Stream._stop

    def stopping(self: Any, reason: str) -> None:
        made = self._ahead.last
        if made is not None:
            self.state, self.head, self.tree = made.state, made.head, made.tree
        stop(self, reason)

    with mock.patch.object(Stream, "_stop", stopping):
        yield


@contextlib.contextmanager
def acknowledged_upon_a_failed_append() -> Iterator[None]:
    """Acknowledge commands that were decided upon an append that failed, without deciding them again."""
    take_back = Ahead.take_back

    def taking_back(self: Any) -> Any:
        upon = [step for each in tuple(self)[1:] for step in each.made.steps]
        again = take_back(self)
        for record, waiting, decided in upon:
            if not waiting.answer.done():
                waiting.answer.set_result(decided.result.refused or Accepted(record, decided.result.events))
        return [each for each in again if not each.answer.done()]

    with mock.patch.object(Ahead, "take_back", taking_back):
        yield


@contextlib.contextmanager
def decision_kept_upon_a_failed_append() -> Iterator[None]:
    """Record commands as they were decided upon an append that failed, which never happened."""
    take_back, decide = Ahead.take_back, TableMachine.decide
    kept: dict[str, Any] = {}

    def taking_back(self: Any) -> Any:
        for each in tuple(self)[1:]:
            for _, waiting, decided in each.made.steps:
                kept[waiting.envelope.command_id] = decided
        return take_back(self)

    async def deciding(self: Any, state: Any, body: Any, envelope: Any, recorded: Any) -> Any:
        known = kept.pop(envelope.command_id, None)
        return known or await decide(self, state, body, envelope, recorded)

    with (
        mock.patch.object(Ahead, "take_back", taking_back),
        mock.patch.object(TableMachine, "decide", deciding),
    ):
        yield


@contextlib.contextmanager
def view_ahead_of_the_journal() -> Iterator[None]:
    """Watchers are shown what was decided before it is durable."""
    decide_all = Stream._decide_all

    async def deciding(self: Any, batch: Any) -> Any:
        before = self._ahead.last
        later = await decide_all(self, batch)
        made, state, head = self._ahead.last, self.state, self.head
        for record, _, decided in made.steps if made is not before else ():
            self.state, self.head = decided.state, made.head
            self.listeners.tell(record, decided.result.events, decided.state)
        await asyncio.sleep(0.05)  # the store is slow
        self.state, self.head = state, head
        return later

    with mock.patch.object(Stream, "_decide_all", deciding):
        yield


@contextlib.contextmanager
def timer_on_the_wall_clock() -> Iterator[None]:
    """Betting ends by the wall clock."""
    with (
        mock.patch.object(Wheel, "_now", lambda self: self._clock.now().wall_time),
        mock.patch.object(Wheel, "_since", lambda _, whole: whole.since if whole else Timestamps(0, 0)),
    ):
        yield


PLANTED: tuple[Callable[[], AbstractContextManager[None]], ...] = (
    early_acknowledgement,
    doubled_retry,
    lost_rollback,
    acknowledged_upon_a_failed_append,
    decision_kept_upon_a_failed_append,
    view_ahead_of_the_journal,
    timer_on_the_wall_clock,
)
