"""A table that is set up anew in the middle of its journal: served, loaded, proven and exported."""

import asyncio
import datetime
from pathlib import Path

import pytest
from contracts.stores import Opening, memory, sqlite
from moved_clock import MovedClock
from msgspec.structs import replace
from streams.openings import KEYS, Guide, face, opening, second_of, serving

from thirdcard.auditor.verify import verify
from thirdcard.cli import run
from thirdcard.dossier.export import rows
from thirdcard.dossier.make import told_round
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game.state import Table
from thirdcard.game.table_setup import PostedLimit, Setup
from thirdcard.journal.checkpoints import make_snapshot
from thirdcard.journal.codec import encode_state
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import Record, head_of
from thirdcard.journal.store import Appended, Conflict, KnownCommand, Store, StoreFailed, records
from thirdcard.messages import say
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service
from thirdcard.streams.stream import Stream
from thirdcard.streams.tables import Books, TableMachine

TIGER, SUPER_SIX = "mbs-tiger-v3", "mbs-super-six-etg-v3"
COMMISSION, WITHOUT = "hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission"
CLOSE = cmd.CloseTable(reason="another game")


@pytest.fixture(params=["memory", "sqlite"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    return memory() if request.param == "memory" else sqlite(tmp_path)


def setup_of(game: str, **changes: object) -> Setup:
    body, _ = opening(game)[0]
    assert isinstance(body, cmd.SetUpTable)
    return replace(body.setup, **changes)


async def set_up(guide: Guide, game: str, **changes: object) -> None:
    """Set the table up, and open it as a new one is; staff who are there already do not come again."""
    await guide.do(cmd.SetUpTable(setup=setup_of(game, **changes)), "Table")
    staff = {each.person for each in guide.table.staff}
    for body, actor in opening(game)[1:]:
        if not (isinstance(body, cmd.ComeOnDuty) and body.person in staff):
            await guide.do(body, actor, second_of(body))


async def evening(service: Service) -> Table:
    """Four tables in one: Tiger, Tiger with other limits, Super Six, and both games of Hoiana."""
    guide = Guide(service.table("Table"))
    await set_up(guide, TIGER)
    await guide.bet(("Ada", "banker", 10_000))
    await guide.deal("2", "9", "3", "K")
    low = tuple(PostedLimit(each.wager, 100, 2_000) for each in setup_of(TIGER).limits)
    await guide.do(CLOSE)
    await set_up(guide, TIGER, limits=low)
    await guide.bet(("Ada", "banker", 200))
    await guide.deal("2", "9", "3", "K")
    await guide.do(CLOSE)
    await set_up(guide, SUPER_SIX)
    await guide.bet(("Ada", "banker", 10_000))
    await guide.deal("9", "2", "9", "4")
    await guide.do(cmd.CashOut(terminal="Ben", amount=1_000_000), "Ben")
    await guide.do(CLOSE)
    owing = await guide.send(cmd.SetUpTable(setup=setup_of(COMMISSION)), "Table")
    assert isinstance(owing, Refused)
    assert owing.reason is Refusal.CREDITS_REMAIN
    held = next(each.credits for each in guide.table.credits if each.terminal == "Ada")
    await guide.do(cmd.CashOut(terminal="Ada", amount=held), "Ada")
    await set_up(guide, COMMISSION)
    await guide.bet(("Ada", "banker", 10_000))
    await guide.deal("2", "9", "3", "K")
    await guide.do(CLOSE)
    await set_up(guide, WITHOUT)
    await guide.bet(("Ada", "banker", 10_000))
    await guide.deal("2", "9", "3", "K")
    return guide.table


async def test_it_is_whole_and_every_round_is_told_by_the_books_it_was_played_by(opened: Opening) -> None:
    async with opened() as store:
        async with serving(store, KEYS) as service:
            table = await evening(service)
            books = service.books("Table")
            assert books is not None
            assert books.rulebook.id == WITHOUT
        assert (table.rounds, table.shoes) == (5, 5)
        report = await verify(store, "Table")
        assert [(each.sequence, say(each.what)) for each in report.findings] == []
        assert not report.notes
        assert (report.rounds, report.wagers) == (5, 5)
        digests = [record.rulebook async for record in records(store, "Table")]
        assert len(dict.fromkeys(digests)) == 3
        told_rows = [each async for each in rows(store, "Table")]
        assert [wager.paid for told in told_rows for wager in told.wagers] == [9_500, 190, 0, 9_500, 10_000]
        games = [told.round.game for told in told_rows if told.round]
        assert games == [TIGER, TIGER, SUPER_SIX, COMMISSION, WITHOUT]
        for number, game in enumerate(games, start=1):
            told = await told_round(store, "Table", number)
            assert told is not None
            assert told.found.setup.game == game
            assert game in told.rules.games


async def loaded(store: Store) -> tuple[TableSnapshot | None, Books | None]:
    """The table and its books as another process finds them."""
    machine = TableMachine(store, SHIPPED)
    stream = Stream("Table", machine, store, KEYS, Clock())
    await stream.load()
    return stream.state, machine.books_of(stream.state)


async def test_another_process_finds_the_same_table_with_a_snapshot_and_without(opened: Opening) -> None:
    async with opened() as store, serving(store, KEYS) as service:
        await evening(service)
        guide = Guide(service.table("Table"), "late")
        refused = await guide.send(cmd.OpenTable())  # recorded, with the books in force
        assert isinstance(refused, Refused)
        known = service.table("Table").state, service.books("Table")
        assert await loaded(store) == known
        made = await store.read("Table", most=1_000)
        assert made[-1].kind == "open-table"
        tree = Frontier()
        for each in made:
            tree = tree.grown(leaf(each.digest))
        state = encode_state(known[0])
        kept = make_snapshot(KEYS, stream="Table", head=head_of(made[-1]), tree=tree, state=state)
        await store.keep_snapshot(kept)
        assert await loaded(store) == known
        assert not (await verify(store, "Table")).findings


async def test_books_follow_the_table_where_a_set_up_is_refused_or_lost() -> None:
    class Failing(MemoryStore):
        fails = False

        async def append(
            self, records: tuple[Record, ...], signer: KeyRing | None = None
        ) -> Appended | Conflict | KnownCommand:
            if self.fails:
                raise StoreFailed("disk full")
            return await super().append(records, signer)

    store, clock = Failing(), MovedClock()
    async with serving(store, KEYS, clock) as service:
        guide = Guide(service.table("Table"))
        await set_up(guide, TIGER)
        refused = await guide.send(cmd.SetUpTable(setup=setup_of(SUPER_SIX)), "Table")
        assert isinstance(refused, Refused)
        assert refused.reason is Refusal.NOT_IN_THIS_PHASE
        await guide.do(CLOSE)
        refused = await guide.send(cmd.SetUpTable(setup=replace(setup_of(SUPER_SIX), game="faro")), "Table")
        assert isinstance(refused, Refused)
        assert refused.reason is Refusal.NO_RULEBOOK_IN_FORCE
        store.fails = True
        lost = await guide.send(cmd.SetUpTable(setup=setup_of(SUPER_SIX)), "Table")
        assert isinstance(lost, Refused)
        assert lost.reason is Refusal.TABLE_STOPPED
        store.fails = False
        books = service.books("Table")
        assert books is not None
        assert books.rulebook.id == TIGER
        clock.jump(2)
        for item in books.rulebook.document.equipment:
            await guide.do(cmd.TickEquipment(item=item.id))
        confirmed = cmd.RecordConfirmation(reference="R", date=datetime.date(2022, 4, 1))
        await guide.do(confirmed, "Gaming Shift Manager", "Pit Manager")
        await guide.do(cmd.OpenTable())
        await guide.do(cmd.LoadShoe(decks=8), "Pit Manager")
        await guide.do(cmd.OpenBetting())
        await guide.do(cmd.DrawCard(card=face("9")))
    report = await verify(store, "Table")
    assert not report.findings


def test_the_command_line_finds_it_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def write() -> None:
        async with sqlite(tmp_path)() as store, serving(store, KEYS) as service:
            await evening(service)

    asyncio.run(write())
    assert run(["audit", "verify", "--data", str(tmp_path)]) == 0
    assert "Table" in capsys.readouterr().out
