"""A store whose appends end one by one, when and how a test says."""

import asyncio
import enum

from streams.openings import KEYS

from thirdcard.game import commands as cmd
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Record
from thirdcard.journal.store import Appended, Conflict, KnownCommand, StoreFailed
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.clock import Clock
from thirdcard.streams.stream import Stream
from thirdcard.streams.tables import TableMachine


class Outcome(enum.Enum):
    """How an append ends."""

    DURABLE = enum.auto()
    FAILED = enum.auto()  # nothing was written
    ANSWER_LOST = enum.auto()  # it was written, and nobody is told
    OVERTAKEN = enum.auto()  # somebody else was quicker
    KNOWN = enum.auto()  # another process has recorded the same command


class Gated(MemoryStore):
    """A store whose appends end one by one, when and how the test says, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.open = True
        self.gates: list[asyncio.Future[Outcome]] = []
        self._in_order = asyncio.Lock()

    async def append(
        self, records: tuple[Record, ...], signer: KeyRing | None = None
    ) -> Appended | Conflict | KnownCommand:
        """Append when the gate of this append is opened."""
        if self.open:
            return await super().append(records, signer)
        gate: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.gates.append(gate)
        async with self._in_order:
            outcome = await gate
            if outcome is Outcome.FAILED:
                raise StoreFailed("the disk is full")
            if outcome is Outcome.OVERTAKEN:
                await _elsewhere(
                    self, cmd.PlaceWager(patron="Ben", wager="tie", amount=10_000, position=2), "x"
                )
            if outcome is Outcome.KNOWN:
                wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
                await _elsewhere(self, wager, records[0].command_id)
            answer = await super().append(records, signer)
            if outcome is Outcome.ANSWER_LOST:
                raise StoreFailed("the line is cut")
            return answer

    async def let_through(self, outcome: Outcome = Outcome.DURABLE) -> None:
        """End the next append, and let everybody see it."""
        self.gates.pop(0).set_result(outcome)
        await settle()

    async def let_all_through(self) -> None:
        """End every append, and hold none from now on."""
        self.open = True
        while self.gates:
            await self.let_through()


async def _elsewhere(store: Gated, wager: cmd.PlaceWager, command_id: str) -> None:
    """A wager that another process records."""
    kept, store.open = store.open, True
    other = Stream("T1", TableMachine(store, SHIPPED, KEYS), store, KEYS, Clock())
    assert isinstance(await other.send(wager, actor=wager.patron, command_id=command_id), Accepted)
    await other.drain()
    store.open = kept


async def settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)
