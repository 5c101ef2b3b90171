"""A full evening over real HTTP and WebSocket: three tables, many people, trouble, and a power failure."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from limits import LONG_ENOUGH
from server.served import Served, serving, timers
from server.watching import Bots, Onlooker
from streams.openings import face

from thirdcard.client.bot import BotPlan, BotResult
from thirdcard.client.calls import Client
from thirdcard.client.errors import WasRefused
from thirdcard.floor import commands as floor_cmd
from thirdcard.folds.ledger import CAGE, FELT, entries
from thirdcard.game import commands as cmd
from thirdcard.game.dispute_steps import AwardWay, UnavailableSource
from thirdcard.game.events import Event
from thirdcard.game.state import Phase
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.store import records
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation
from thirdcard.staff import Post
from thirdcard.streams.opening import open_store
from thirdcard.views.next_actions import NextStep
from thirdcard.views.sections.whole import View
from thirdcard.wire.receipts import receipt_is_genuine

pytestmark = pytest.mark.timed

LONG = 60  # seconds of betting, which staff close before
FELT_TABLE, SIX, SCHOOL = "Tiger 1", "Six", "School"
TABLES = f"""
[[table]]
name = "{FELT_TABLE}"
game = "mbs-tiger-nc-v4"
automatic = ["expose", "call"]

[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
virtual_shoe = true
automatic_dealer = true
{timers(betting=LONG)}

[[table]]
name = "{SCHOOL}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers()}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {
    "E1": (SIX, None),
    "E2": (SIX, None),
    "S1": (SCHOOL, None),
    "S2": (SCHOOL, None),
}


class Evening:
    """Everybody who is there, and what each of them does."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.people: dict[str, Onlooker] = {}
        self.patrons: dict[str, Onlooker] = {}
        self.bots: list[asyncio.Task[BotResult]] = []
        self.acknowledged: dict[str, tuple[str, int]] = {}  # command ids, with table and sequence

    async def close(self) -> None:
        for each in (*self.people.values(), *self.patrons.values()):
            await each.close()

    async def staff_comes(self) -> None:
        """Everybody signs in and watches; the live table and the terminals get somebody on duty."""
        for name in ("Dana", "Max", "Gil", "Tom", "Una"):
            self.people[name] = Onlooker(await self.served.staff(name))
            await self.people[name].watch(FELT_TABLE, SIX, SCHOOL)
        for name, post in (("Dana", "dealer"), ("Max", "pit-manager"), ("Gil", "gaming-shift-manager")):
            for table in (FELT_TABLE, SIX, SCHOOL):
                await self.people[name].do(table, cmd.ComeOnDuty(person=name, post=Post(post)))

    # the live table

    async def felt_opens(self) -> None:
        """The Dealer goes through the check list, opens the table and loads a shoe."""
        dana = self.people["Dana"]
        view = dana.pictures[FELT_TABLE].view
        assert view.desk is not None
        for item in view.desk.missing_equipment:
            await dana.do(FELT_TABLE, cmd.TickEquipment(item=item))
        await dana.do(FELT_TABLE, cmd.OpenTable())
        await self.new_shoe()
        for patron, position in (("Ann", 1), ("Bob", 2)):
            await dana.do(FELT_TABLE, cmd.ComeToTable(patron=patron, position=position))

    async def new_shoe(self) -> None:
        dana = self.people["Dana"]
        await dana.do(FELT_TABLE, cmd.LoadShoe(decks=8))
        await dana.do(FELT_TABLE, cmd.CutCards(depth=200))

    async def felt_round(self, wagers: tuple[tuple[str, int, str, int], ...], cards: str) -> None:
        """A round that the Dealer enters: patron, position, wager and amount; then the cards."""
        dana = self.people["Dana"]
        await dana.do(FELT_TABLE, cmd.OpenBetting())
        for patron, position, wager, amount in wagers:
            body = cmd.PlaceWager(patron=patron, position=position, wager=wager, amount=amount)
            await dana.do(FELT_TABLE, body)
        await dana.do(FELT_TABLE, cmd.CloseBetting())
        for card in cards.split():
            await dana.do(FELT_TABLE, cmd.DrawCard(card=face(card)))

    async def irregularity(self) -> None:
        """An extra card is found; the Dealer cannot void, so the Pit Manager approves there."""
        dana = self.people["Dana"]
        await self.felt_round((("Ann", 1, "banker", 20_000), ("Bob", 2, "tiger", 2_500)), "2 K 3 3")
        await dana.do(FELT_TABLE, cmd.ReportIrregularity(situation=Situation.EXTRA_CARD))
        with pytest.raises(WasRefused) as refused:
            await dana.do(FELT_TABLE, cmd.ConfirmFacts())
        assert refused.value.reason is Refusal.NOT_AUTHORISED
        await dana.do(FELT_TABLE, cmd.ConfirmFacts(), authoriser=await self.served.shown("Max"))
        me = await dana.client.me()
        assert (me.name, me.posts) == ("Dana", ("dealer",))
        history = await dana.client.history(FELT_TABLE)
        assert [each.void for each in history.rounds] == [False, True]
        assert [(each.patron, each.stake) for each in history.rounds[-1].returned] == [
            ("Ann", 20_000),
            ("Bob", 2_500),
        ]
        whole = cmd.ChooseCards(replace=False)  # the card was taken out, and the set is whole again
        await dana.do(FELT_TABLE, whole, authoriser=await self.served.shown("Max"))

    async def shoe_change(self) -> None:
        """The cutting card comes; one more round, and new cards."""
        dana = self.people["Dana"]
        await dana.do(FELT_TABLE, cmd.OpenBetting())
        await dana.do(FELT_TABLE, cmd.CloseBetting())
        await dana.do(FELT_TABLE, cmd.DrawCard(card=face("9")))
        await dana.do(FELT_TABLE, cmd.SeeCuttingCard())
        for card in ("2", "K", "5"):
            await dana.do(FELT_TABLE, cmd.DrawCard(card=face(card)))
        await self.felt_round((("Ann", 1, "player", 10_000),), "2 9 K 9")
        view = dana.pictures[FELT_TABLE].view
        assert view.phase.awaited is not None
        assert view.phase.awaited.step is NextStep.SHOE
        await self.new_shoe()
        assert dana.pictures[FELT_TABLE].view.shoe.number == 2

    async def dispute(self) -> None:
        """Ann disputes; the dispute goes its way, and she agrees with what is decided."""
        dana, max_ = self.people["Dana"], self.people["Max"]
        opened = cmd.OpenDispute(patron="Ann", about="the payment", round=4, wager="player")
        await dana.do(FELT_TABLE, opened)
        with pytest.raises(WasRefused) as refused:
            await dana.do(FELT_TABLE, cmd.EscalateDispute(id=1))
        assert refused.value.reason is Refusal.NOT_AUTHORISED
        await max_.do(FELT_TABLE, cmd.EscalateDispute(id=1))
        await max_.do(FELT_TABLE, cmd.InformSurveillance(id=1))
        await max_.do(FELT_TABLE, cmd.GiveTimeFrame(id=1, minutes=1440))
        await max_.do(FELT_TABLE, cmd.GatherInformation(id=1, what="it was paid once", given_by="Dana"))
        lacking = (
            "operating-procedures",
            "accounts-of-both-parties",
            "surveillance-evidence",
            "other-evidence",
        )
        decided = cmd.DecideDispute(
            id=1,
            decision="upheld",
            sources=("game-rules", "law"),
            unavailable=tuple(UnavailableSource(each, "nothing found") for each in lacking),
            award=5_000,
        )
        with pytest.raises(WasRefused) as refused:
            await max_.do(FELT_TABLE, decided, authoriser=await self.served.shown("Dana"))
        assert refused.value.reason is Refusal.OPENED_THE_DISPUTE
        await max_.do(FELT_TABLE, decided, authoriser=await self.served.shown("Gil"))
        paid = cmd.PayAward(id=1, way=AwardWay.PAYOUT, to="Ann", how="in chips")
        await max_.do(FELT_TABLE, paid, authoriser=await self.served.shown("Gil"))
        await dana.do(FELT_TABLE, cmd.ConfirmReceipt(id=1, confirmed_by="Ann"))
        await dana.do(FELT_TABLE, cmd.AnswerDecision(id=1, agrees=True, confirmed_by="Ann"))
        await max_.do(FELT_TABLE, cmd.CloseDispute(id=1))

    # terminals

    async def patron_comes(self, terminal: str, patron: str, amount: int) -> None:
        """An attendant lets a patron use a terminal, and sells credits there."""
        tom = self.people["Tom"]
        await tom.client.floor_command(floor_cmd.OpenPatronSession(terminal=terminal, patron=patron))
        here = Onlooker(self.served.terminal(terminal))
        await here.watch(SIX)
        self.patrons[patron] = here
        await here.do(SIX, cmd.ComeToTable(patron=patron))
        with pytest.raises(WasRefused) as refused:
            await here.do(SIX, cmd.BuyCredits(terminal=patron, amount=amount))
        assert refused.value.reason is Refusal.NOT_PERMITTED
        second = await self.served.shown("Max")
        bought = await tom.do(SIX, cmd.BuyCredits(terminal=patron, amount=amount), second)
        assert bought.receipt is not None
        self.acknowledged[bought.command_id] = (SIX, bought.sequence)

    async def wagers(self, patron: str) -> None:
        """A patron wagers on Player and Banker."""
        here = self.patrons[patron]
        await here.pictures[SIX].until(lambda view: view.phase.phase is Phase.BETTING and nothing_lies(view))
        for wager in ("player", "banker"):
            placed = await here.do(SIX, cmd.PlaceWager(patron=patron, wager=wager, amount=5_000))
            self.acknowledged[placed.command_id] = (SIX, placed.sequence)

    async def play(self, rounds: int, *patrons: str) -> None:
        """Patrons wager, and the Dealer closes betting when all have; everybody has then seen it closed."""
        for _ in range(rounds):
            await asyncio.gather(*(self.wagers(patron) for patron in patrons))
            closed = await self.people["Dana"].do(SIX, cmd.CloseBetting())
            for here in self.patrons.values():
                await here.reaches(SIX, closed.sequence)

    async def patron_leaves(self, terminal: str, patron: str) -> int:
        """An attendant pays out, and the terminal is free; what the patron takes home."""
        tom, here = self.people["Tom"], self.patrons[patron]
        view = await here.pictures[SIX].until(nothing_lies)
        assert view.own is not None
        assert view.own.credits is not None
        with pytest.raises(WasRefused) as refused:
            await tom.client.floor_command(floor_cmd.ClosePatronSession(terminal=terminal))
        assert refused.value.reason is Refusal.CREDITS_REMAIN
        second = await self.served.shown("Max")
        await tom.do(SIX, cmd.CashOut(terminal=patron, amount=view.own.credits), second)
        asked = await here.pictures[SIX].until(
            lambda view: view.own is not None and view.own.request is not None
        )
        assert asked.own is not None
        assert asked.own.request is not None
        assert asked.own.request.amount == view.own.credits == asked.own.credits
        await here.do(SIX, cmd.ConfirmCredits(id=asked.own.request.id, agrees=True))
        await here.do(SIX, cmd.LeaveTable(patron=patron))
        await here.agrees(SIX)
        await tom.client.floor_command(floor_cmd.ClosePatronSession(terminal=terminal))
        await here.close()
        del self.patrons[patron]
        return view.own.credits

    def bots_come(self) -> None:
        school = Bots(self.served)
        plans = {
            name: BotPlan(patron=f"Bot {name}", rounds=6, seed=seed) for seed, name in enumerate(("S1", "S2"))
        }
        bots = [school.come(self.served.terminal(terminal), plan) for terminal, plan in plans.items()]
        self.bots = [asyncio.create_task(bot.play()) for bot in bots]

    # a power failure

    async def power_failure(self) -> None:
        """The server is killed with wagers lying; started again it waits for people."""
        here = self.patrons["Cid"]
        await here.pictures[SIX].until(lambda view: view.phase.phase is Phase.BETTING and nothing_lies(view))
        placed = await here.do(SIX, cmd.PlaceWager(patron="Cid", wager="tie", amount=1_000))
        self.acknowledged[placed.command_id] = (SIX, placed.sequence)
        server = self.served.servers[0]
        await self.served.kill_all()
        await asyncio.to_thread(server.start)
        assert SIX in server.held
        assert FELT_TABLE not in server.held  # it was between rounds
        view = await here.pictures[SIX].until(lambda view: view.phase.held)
        assert view.own is not None
        assert [(each.wager, each.stake) for each in view.own.wagers] == [("tie", 1_000)]
        self.served.move(LONG)  # betting would be over: a table that is held does nothing
        assert (await here.client.table(SIX)).view.phase.paused
        with pytest.raises(WasRefused) as refused:
            await here.do(SIX, cmd.PlaceWager(patron="Cid", wager="tie", amount=1_000))
        assert refused.value.reason is Refusal.TABLE_PAUSED
        for table in server.held:
            await self.people["Gil"].do(table, cmd.ResumeTable())
        self.served.move(LONG)  # by now the time for those who had wagered is over


def nothing_lies(view: View) -> bool:
    """Whether a patron has no wager on the table."""
    assert view.own is not None
    return not view.own.wagers


async def told(served: Served, table: str) -> list[tuple[int, Event]]:
    """Every event of a table with the sequence of its record, from the journal."""
    store = await open_store(served.place, writing=False)
    try:
        return [
            (record.sequence, event)
            async for record in records(store, table)
            for event in table_result_of(record).events
        ]
    finally:
        await store.close()


async def accounts(served: Served, table: str) -> Counter[str]:
    """The ledger of a table: every account by its sum."""
    sums: Counter[str] = Counter()
    for _, event in await told(served, table):
        moved = entries(event)
        assert sum(amount for _, amount in moved) == 0, event
        for account, amount in moved:
            sums[account] += amount
    return sums


async def the_evening(folder: Path, postgres: str | None) -> None:
    async with serving(folder, TABLES, TERMINALS, postgres=postgres) as served:
        evening = Evening(served)
        try:
            await goes_by(evening)
            await comes_out_right(evening)
        finally:
            await evening.close()
        assert "Traceback" not in served.servers[0].log, served.servers[0].log
        assert served.servers[0].stop() == 0
        assert await served.findings() == {}


async def goes_by(evening: Evening) -> None:
    """The evening, from opening the tables to the last cash-out."""
    await evening.staff_comes()
    evening.bots_come()
    await evening.felt_opens()
    await evening.patron_comes("E1", "Cid", 1_000_000)
    cid = asyncio.create_task(evening.play(2, "Cid"))
    await evening.felt_round((("Ann", 1, "player", 20_000), ("Bob", 2, "tie", 1_000)), "9 2 K 5")
    await evening.patron_comes("E2", "Eli", 500_000)
    await cid
    await evening.play(1, "Cid", "Eli")
    await evening.irregularity()
    took = {"Eli": await evening.patron_leaves("E2", "Eli")}
    await evening.power_failure()
    await evening.shoe_change()
    await evening.patron_comes("E2", "Fay", 200_000)
    await evening.play(1, "Cid", "Fay")
    await evening.dispute()
    took["Cid"] = await evening.patron_leaves("E1", "Cid")
    took["Fay"] = await evening.patron_leaves("E2", "Fay")
    bots = await asyncio.gather(*evening.bots)
    sums = await accounts(evening.served, SIX)
    assert sums[CAGE] == sum(took.values()) - 1_700_000
    school = await accounts(evening.served, SCHOOL)
    assert school[CAGE] == sum(bot.cashed_out - bot.bought for bot in bots)


async def comes_out_right(evening: Evening) -> None:
    """Balances, meters, journal, screens and receipts agree."""
    for table in (SIX, SCHOOL):
        sums = await accounts(evening.served, table)
        assert sums[FELT] == 0
        assert {
            account: left for account, left in sums.items() if account.startswith("patron:") and left
        } == {}
        meters = await evening.people["Tom"].client.meters(table)
        assert meters.table.cashed_out - meters.table.bought == sums[CAGE]
        view = evening.people["Una"].pictures[table].view
        assert view.balances is not None
        assert [each for each in view.balances.balances if each.credits] == []
    for person in evening.people.values():
        for table in (FELT_TABLE, SIX, SCHOOL):
            await person.agrees(table)
    for table in (FELT_TABLE, SIX, SCHOOL):
        una = evening.people["Una"]
        happened = [
            (sequence, str(event.__struct_config__.tag))
            for sequence, event in await told(evening.served, table)
            if sequence > una.since[table]
        ]
        assert [(each.sequence, each.what.kind) for each in una.moments[table]] == happened
    await receipts_are_genuine(evening, evening.people["Una"].client)


async def receipts_are_genuine(evening: Evening, client: Client) -> None:
    """Whatever was acknowledged, also before the power failure, is recorded at its place and signed."""
    store = await open_store(evening.served.place, writing=False)
    try:
        for command_id, (table, sequence) in evening.acknowledged.items():
            record = await store.find(command_id)
            assert record is not None
            assert (record.stream, record.sequence) == (table, sequence)
            receipt = await client.receipt(command_id)
            public = await store.content(receipt.key_id)
            assert public is not None
            assert receipt_is_genuine(receipt, {receipt.key_id: public})
            assert receipt.digest == record.digest.hex()
    finally:
        await store.close()


def test_a_full_evening_on_sqlite(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(the_evening(tmp_path, None), LONG_ENOUGH))


def test_a_full_evening_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    asyncio.run(asyncio.wait_for(the_evening(tmp_path, postgres_url), LONG_ENOUGH))
