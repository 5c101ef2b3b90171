"""Commands are decided upon others that are not durable yet: nobody learns of it, it can be taken back."""

import asyncio

import pytest
from moved_clock import MovedClock
from streams.gated import Gated, Outcome, settle
from streams.openings import KEYS, Guide, serving

from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game.events import Event
from thirdcard.journal.codec import encode
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.ahead import Accepted, Change
from thirdcard.streams.clock import Clock
from thirdcard.streams.stream import APPENDS_AHEAD, Stream
from thirdcard.streams.tables import TableMachine

AT_ONCE = 5  # wagers that are under way together


def wagers(guide: Guide) -> list[tuple[str, int]]:
    return [(each.patron, each.stake) for each in guide.table.wagers]


@pytest.mark.parametrize("depth", range(AT_ONCE))
@pytest.mark.parametrize("outcome", Outcome)
async def test_what_becomes_of_an_append_at_every_depth(outcome: Outcome, depth: int) -> None:
    store, clock = Gated(), MovedClock()
    told: list[Change[TableSnapshot, Event]] = []
    async with serving(store, clock=clock) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        await guide.bet()
        store.open = False
        stream.listeners.add(told.append)
        wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
        answers = []
        for number in range(AT_ONCE):
            sent = stream.send(wager, actor="Ada", command_id=f"w{number}")
            answers.append(asyncio.create_task(sent))
            await settle()
        assert len(store.gates) == AT_ONCE  # all are under way, each decided upon the ones before it
        assert not told
        assert not wagers(guide)
        for before in range(depth):
            await store.let_through()
            assert [each.done() for each in answers].count(True) == before + 1
            assert wagers(guide) == [("Ada", 10_000 * (before + 1))]
        await store.let_through(outcome)
        await store.let_all_through()
        found = [await each for each in answers]
        accepted = [each for each in found if isinstance(each, Accepted)]
        refused = [each.reason for each in found if isinstance(each, Refused)]
        stopped = outcome in (Outcome.FAILED, Outcome.ANSWER_LOST)
        assert len(accepted) == (depth if stopped else AT_ONCE)
        assert set(refused) <= {Refusal.TABLE_STOPPED}
        await stream.drain()
        assert stream.head == await store.head("T1")  # also what was written though the store failed
        clock.jump(2)
        again = [await stream.send(wager, actor="Ada", command_id=f"w{number}") for number in range(AT_ONCE)]
        recorded = [each.command_id for each in await store.read("T1") if each.kind == "place-wager"]
        if outcome is Outcome.ANSWER_LOST:  # all of them are durable, and each says so when it is sent again
            assert all(isinstance(each, Accepted) for each in again)
        if stopped:
            await guide.do(cmd.ResumeTable())
        ours = [each for each in recorded if each != "x"]
        assert ours == [f"w{number}" for number in range(len(ours))]  # in order, none twice
        assert len(ours) == (depth if outcome is Outcome.FAILED else AT_ONCE)
        assert sum(stake for patron, stake in wagers(guide) if patron == "Ada") == 10_000 * len(ours)
        assert tuple(each.record for each in told) == (await store.read("T1"))[-len(told) :]
        await stream.drain()
        fresh = Stream("T1", TableMachine(store, SHIPPED, KEYS), store, KEYS, Clock())
        await fresh.load()
        assert encode(fresh.state) == encode(stream.state)
        assert fresh.head == stream.head


async def test_a_refusal_that_is_not_recorded_waits_for_what_it_was_judged_by() -> None:
    store = Gated()
    async with serving(store) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        await guide.bet()
        store.open = False
        wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
        first = asyncio.create_task(stream.send(wager, actor="Ada", command_id="w"))
        await settle()
        refused = asyncio.create_task(stream.send(cmd.CloseBetting(), actor="Ada", command_id="no"))
        await settle()
        waited = not refused.done()
        await store.let_all_through()
        assert waited
        assert isinstance(await first, Accepted)
        assert isinstance(await refused, Refused)


async def test_no_more_than_so_many_appends_are_ahead() -> None:
    store = Gated()
    async with serving(store) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        await guide.bet()
        store.open = False
        wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
        answers = []
        for number in range(APPENDS_AHEAD + 3):
            sent = stream.send(wager, actor="Ada", command_id=f"w{number}")
            answers.append(asyncio.create_task(sent))
            await settle()
        assert len(store.gates) == APPENDS_AHEAD
        loading = asyncio.create_task(stream.load())  # waits, and nothing more is decided before it
        await settle()
        await store.let_through()
        assert len(store.gates) == APPENDS_AHEAD - 1
        await store.let_all_through()
        await loading
        assert all(isinstance(each, Accepted) for each in await asyncio.gather(*answers))


async def test_a_command_that_is_sent_again_while_it_is_written_gets_the_same_answer() -> None:
    store = Gated()
    async with serving(store) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        await guide.bet()
        store.open = False
        wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
        first, second = (
            asyncio.create_task(stream.send(wager, actor="Ada", command_id="w")) for _ in range(2)
        )
        await settle()
        third = asyncio.create_task(stream.send(wager, actor="Ada", command_id="w"))
        await settle()
        assert len(store.gates) == 1
        await store.let_all_through()
        assert await first == await second == await third
        assert wagers(guide) == [("Ada", 10_000)]
