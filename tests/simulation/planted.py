"""Five faults of the kind that the simulation is for, planted one at a time to see that it finds them."""

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
from thirdcard.streams.stream import Stream


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
def view_ahead_of_the_journal() -> Iterator[None]:
    """Watchers are shown what was decided before it is durable."""
    decide_all = Stream._decide_all

    async def deciding(self: Any, batch: Any) -> Any:
        before = self._ahead.last
        later = await decide_all(self, batch)
        made, state, head = self._ahead.last, self.state, self.head
        for record, _, decided in made.steps if made is not before else ():
            self.state, self.head = decided.state, made.head
            self._tell(record, decided.result.events, decided.state)
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
    view_ahead_of_the_journal,
    timer_on_the_wall_clock,
)
