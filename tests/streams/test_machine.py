"""A machine decides a command as a value: everything to record and to go on from is in the answer."""

import datetime

from streams.openings import DEALER, KEYS, Guide, serving

from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Record
from thirdcard.refusals import Refusal
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.tables import TableMachine

NOON = datetime.datetime(2026, 6, 1, 12, tzinfo=datetime.UTC)


def envelope(actor: str = DEALER) -> cmd.Envelope:
    """An envelope of a command at noon."""
    return cmd.Envelope(actor=actor, received_at=NOON, command_id="c")


def wager(patron: str, kind: str) -> cmd.PlaceWager:
    """A wager of a hundred."""
    return cmd.PlaceWager(patron=patron, wager=kind, amount=10_000, position=1)


async def betting(store: MemoryStore) -> tuple[TableMachine, TableSnapshot, tuple[Record, ...]]:
    """A machine that has read a table, the table with its betting open, and the records."""
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        await guide.bet(("Ada", "player", 10_000))
    machine, state = TableMachine(store, SHIPPED, KEYS), None
    records = await store.read("T1")
    for record in records[:-1]:
        state = await machine.fold(state, record, machine.read(record).events)
    assert state is not None
    return machine, state, records


async def test_a_machine_keeps_nothing_of_a_decision() -> None:
    machine, state, _ = await betting(MemoryStore())
    before = {name: dict(each) if isinstance(each, dict) else each for name, each in vars(machine).items()}
    accepted = await machine.decide(state, wager("Ada", "player"), envelope("Ada"), Recorded(99, 1))
    refused = await machine.decide(state, cmd.OpenBetting(), envelope(), Recorded(99, 1))
    assert accepted.result.events
    assert refused.result.refused is not None
    assert vars(machine) == before


async def test_decisions_upon_one_state_do_not_disturb_each_other() -> None:
    machine, state, records = await betting(MemoryStore())
    last = records[-1]
    recorded = Recorded(last.sequence, last.wall_time)
    first = await machine.decide(state, wager("Ada", "player"), envelope("Ada"), recorded)
    other = await machine.decide(state, wager("Ada", "banker"), envelope("Ada"), recorded)
    assert other.state != first.state
    assert first.state == await machine.fold(state, last, machine.read(last).events)
    assert first.rules == other.rules == (last.rulebook, last.house)


async def test_a_refused_command_leaves_the_state_and_names_its_rules() -> None:
    machine, state, _ = await betting(MemoryStore())
    refused = await machine.decide(state, cmd.OpenBetting(), envelope(), Recorded(99, 1))
    assert refused.state is state
    assert refused.rules == state.rules


async def test_a_table_that_is_not_set_up_names_no_rules() -> None:
    refused = await TableMachine(MemoryStore(), SHIPPED).decide(
        None, cmd.OpenTable(), envelope(), Recorded(1, 1)
    )
    assert refused.result.refused is not None
    assert refused.result.refused.reason is Refusal.NO_SUCH_TABLE
    assert (refused.state, refused.rules) == (None, ("", ""))
