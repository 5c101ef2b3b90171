"""Alarms about cards are recorded once a shoe, and a virtual shoe is dealt by any process."""

import asyncio
import base64

from sealed_shoes import opened_shoes
from streams.openings import KEYS, Guide, serving

from thirdcard.cards import NEW_DECK
from thirdcard.clockwork.shoe_alarms import alarms_due, give_alarms
from thirdcard.devices import virtual_shoe
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.state import Phase
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.sealed_shoe import check
from thirdcard.journal.store import records
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import SHIPPED

GAME, TABLE = "mbs-super-six-etg-v3", "Table"


def book() -> Rulebook:
    return SHIPPED.rulebook(GAME)


async def step(guide: Guide) -> cmd.Body | None:
    """Let the device do its next step, under an id that follows from the record before it."""
    table = guide.table
    body = virtual_shoe.next_command(book(), SHIPPED.house(book().document.house), table, KEYS)
    if body is not None:
        command_id = f"{guide.stream.name}-device-{guide.stream.head.sequence}"
        await guide.stream.send(body, actor=virtual_shoe.drawer(table), command_id=command_id)
    return body


async def ready(guide: Guide) -> None:
    """Open the table, lay real cards aside and take a virtual shoe."""
    await guide.open(GAME)
    label = virtual_shoe.Label(TABLE, 2)
    body = virtual_shoe.new_shoe(label, decks=8, behind_cutting_card=16, keys=KEYS)
    await guide.do(body, "Pit Manager")
    while await step(guide) is not None:
        pass


async def play_round(guide: Guide) -> None:
    await guide.do(cmd.OpenBetting())
    await guide.do(cmd.CloseBetting())
    while guide.table.phase is not Phase.IDLE:
        assert await step(guide) is not None
    while await step(guide) is not None:
        pass


async def test_two_processes_that_look_at_the_same_cards_record_one_alarm() -> None:
    store = MemoryStore()
    async with serving(store) as one, serving(store) as two:
        guide, other = Guide(one.table(TABLE)), Guide(two.table(TABLE), "d")
        guide.note_alarms()
        await ready(guide)
        await guide.do(cmd.OpenBetting())
        (sealed,) = virtual_shoe.next_cards(guide.table, KEYS, 1)
        wrong = next(card for card in NEW_DECK if card != sealed)
        await guide.do(cmd.DrawCard(card=wrong))
        await other.stream.load()
        assert [alarm.kind for alarm in alarms_due(guide.table, KEYS)] == [AlarmKind.NOT_THE_SEALED_CARD]
        assert alarms_due(guide.table) == ()
        assert alarms_due(other.table, KEYS) == alarms_due(guide.table, KEYS)
        await asyncio.gather(give_alarms(guide.stream, KEYS), give_alarms(other.stream, KEYS))
        await guide.stream.load()
        assert alarms_due(guide.table, KEYS) == ()
        assert [alarm.kind for alarm in guide.alarms] == [AlarmKind.NOT_THE_SEALED_CARD]


async def test_there_is_nothing_to_look_at_before_there_is_a_table_or_a_fault() -> None:
    async with serving(MemoryStore()) as service:
        guide = Guide(service.table(TABLE))
        await give_alarms(guide.stream, KEYS)
        await ready(guide)
        before = guide.stream.head
        await give_alarms(guide.stream, KEYS)
        assert guide.stream.head == before


async def test_another_process_deals_on_and_the_journal_never_has_the_order_in_clear() -> None:
    store = MemoryStore()
    async with serving(store) as one:
        guide = Guide(one.table(TABLE))
        await ready(guide)
        for _ in range(3):
            await play_round(guide)
        await guide.do(cmd.OpenBetting())
        await guide.do(cmd.CloseBetting())
        await step(guide)
        contents = virtual_shoe.contents_of(guide.table, KEYS)
    async with serving(store) as two:
        guide = Guide(two.table(TABLE), "d")
        await guide.stream.load()
        assert guide.table.paused
        await guide.do(cmd.ResumeTable())
        while guide.table.phase is not Phase.IDLE:
            assert await step(guide) is not None
        shoe = guide.table.shoe
        assert shoe is not None
        while shoe is not None and shoe.number == 2:
            before = [record.body async for record in records(store, TABLE)]
            await play_round(guide)
            shoe = guide.table.shoe
        written = b"".join(before)
        assert contents.secret.hex().encode() not in written
        assert base64.b64encode(contents.secret) not in written
        events: list[ev.Event] = []
        async for record in records(store, TABLE):
            events += guide.stream._machine.read(record).events
        (opened,) = opened_shoes(events)
        assert check(opened) == ()
        assert opened.opened is not None
        assert opened.opened.secret == contents.secret.hex()
