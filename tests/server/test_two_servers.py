"""Two real servers on one PostgreSQL: whoever talks to either is at the same tables."""

import asyncio
import math
from collections import Counter
from pathlib import Path

import pytest
from limits import LONG_ENOUGH
from server.served import BETTING, Served, timers
from server.watching import Bots, Onlooker

from thirdcard.client.bot import BotPlan, BotResult
from thirdcard.client.calls import new_id
from thirdcard.client.errors import LineEnded, WasRefused
from thirdcard.client.line import ClientSocket
from thirdcard.clockwork.tables import OTHERS_FIRST
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.journal.store import records
from thirdcard.refusals import Refusal
from thirdcard.staff import Post
from thirdcard.streams.opening import open_store
from thirdcard.wire.answers import AcceptedAnswer

pytestmark = pytest.mark.timed

SIX, SLOW = "Six", "Slow"
LONG = 1_000_000  # seconds: nobody waits for it
ROUNDS = 6
BY_ITSELF = """
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
"""
TABLES = f"""
[[table]]
name = "{SIX}"
{BY_ITSELF}
{timers()}

[[table]]
name = "{SLOW}"
{BY_ITSELF}
{timers(betting=LONG)}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {
    **{f"E{number}": (SIX, None) for number in (1, 2)},
    **{f"S{number}": (SLOW, None) for number in (1, 2)},
}


async def sits(served: Served, terminal: str, patron: str, *addresses: str) -> Onlooker:
    """A patron with credits, whose socket is at the first of some addresses."""
    client = served.terminal(terminal, *addresses)
    await client.floor_command(floor_cmd.OpenPatronSession(terminal=terminal, patron=patron))
    here = Onlooker(client)
    await here.watch(SLOW)
    await here.do(SLOW, cmd.ComeToTable(patron=patron))
    await here.do(SLOW, cmd.BuyCredits(terminal=patron, amount=1_000_000))
    await here.pictures[SLOW].until(lambda view: view.phase.phase is Phase.BETTING)
    return here


def wager(patron: str, amount: int = 100) -> cmd.PlaceWager:
    return cmd.PlaceWager(patron=patron, wager="player", amount=amount)


async def tell(folder: Path, postgres: str) -> None:
    served = Served(folder, TABLES, postgres=postgres)
    await served.prepare(TERMINALS)
    try:
        for _ in range(2):
            await asyncio.to_thread(served.server)
        await story(served)
        assert await served.findings() == {}
        for server in served.servers:
            assert "Traceback" not in server.log, server.log
    finally:
        await served.close()


async def story(served: Served) -> None:
    one, two = served.addresses
    at_six = Bots(served, BETTING + OTHERS_FIRST)
    bots = [
        at_six.come(served.terminal(name, *addresses), BotPlan(patron=f"Bot {name}", rounds=ROUNDS))
        for name, addresses in (("E1", (one, two)), ("E2", (two, one)))
    ]
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    gil = Onlooker(await served.staff("Gil", one, two))  # signed in at one, known at the other
    await gil.watch(SIX, SLOW)
    for table in (SIX, SLOW):
        await gil.do(table, cmd.ComeOnDuty(person="Gil", post=Post("gaming-shift-manager")))
    await known_at_once(served)
    ann = await sits(served, "S1", "Ann", one, two)
    ben = await sits(served, "S2", "Ben", two)
    await both_wager(ann, ben)
    await one_id_at_both(served, ann)
    await judged_by_what_is_recorded(served, gil)
    for each in (ann, ben, gil):
        await each.agrees(SLOW)
    await one_is_killed(served, ann, ben, gil)
    await until_over(served, playing)
    assert all(bot.played.rounds >= ROUNDS for bot in bots)
    await gil.agrees(SIX)
    await done_once(served)
    for each in (ann, ben, gil):
        await each.close()


async def until_over(served: Served, playing: "list[asyncio.Task[BotResult]]") -> None:
    """Wait for bots; what the one that is gone would have done next is done a little later by the other."""
    while not all(each.done() for each in playing):
        served.move(OTHERS_FIRST)
        await asyncio.wait(playing, timeout=0.2)
    await asyncio.gather(*playing)


async def known_at_once(served: Served) -> None:
    """A person let in by one is known to the other in the same moment; a lock ends sockets at both."""
    one, two = served.addresses
    there = served.nobody(two)
    for _ in range(10):
        sue = await served.staff("Sue", one)
        there.token = sue.token
        assert (await there.me()).name == "Sue"
    async with ClientSocket(there) as line:
        picture = await line.watch(SLOW)
        max_ = await served.staff("Max", one)
        await max_.floor_command(floor_cmd.LockPerson(name="Sue", reason="a test"))
        with pytest.raises(LineEnded):
            await picture.until(lambda _: False)


async def judged_by_what_is_recorded(served: Served, gil: Onlooker) -> None:
    """A patron at one server may wager as soon as betting is open by the word of the other."""
    here = served.terminal("S1", served.addresses[1])
    for _ in range(5):
        await gil.client.command(SLOW, cmd.PauseTable(reason="a test"))
        with pytest.raises(WasRefused) as refused:
            await here.command(SLOW, wager("Ann"))
        assert refused.value.reason is Refusal.TABLE_PAUSED
        await gil.client.command(SLOW, cmd.ResumeTable())
        await here.command(SLOW, wager("Ann"))
        await here.command(SLOW, cmd.ReduceWager(patron="Ann", wager="player", amount=100))


async def both_wager(ann: Onlooker, ben: Onlooker) -> None:
    """Wagers come in at both at once; everybody hears of all of them, wherever they are."""
    await ann.do(SLOW, wager("Ann", 5_000))
    await ben.do(SLOW, wager("Ben", 5_000))
    await asyncio.gather(
        *(ann.line.command(SLOW, wager("Ann")) for _ in range(30)),
        *(ben.client.command(SLOW, wager("Ben")) for _ in range(30)),
    )
    for each in (ann, ben):
        await each.pictures[SLOW].until(
            lambda view: [(total.wager, total.stake) for total in view.totals.totals] == [("player", 16_000)],
        )


async def one_id_at_both(served: Served, ann: Onlooker) -> None:
    """A command that is sent to both servers at once is done once."""
    here = [served.terminal("S1", address) for address in served.addresses]
    for _ in range(10):
        command_id = new_id()
        answers = await asyncio.gather(
            *(client.command(SLOW, wager("Ann"), command_id=command_id) for client in here * 2)
        )
        assert answers == [answers[0]] * 4
    await ann.pictures[SLOW].until(lambda view: view.totals.totals[0].stake == 17_000)


async def one_is_killed(served: Served, ann: Onlooker, ben: Onlooker, gil: Onlooker) -> None:
    """The clients of one that is killed go to the other; nothing is lost or done twice, no table waits."""
    first, second = served.servers
    ids = [new_id() for _ in range(60)]
    sending = [asyncio.create_task(ann.line.command(SLOW, wager("Ann"), command_id=each)) for each in ids]
    await asyncio.wait(sending, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.to_thread(first.kill)
    answers: list[AcceptedAnswer] = await asyncio.gather(*sending)
    assert [answer.command_id for answer in answers] == ids
    await ben.pictures[SLOW].until(lambda view: view.totals.totals[0].stake == 23_000)
    for each in (ann, gil):
        assert each.line.opened >= 2
        assert each.client.address == second.address.rstrip("/")
    assert not ben.pictures[SLOW].view.phase.paused
    dealer = await served.staff("Dana", second.address)
    await dealer.command(SLOW, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
    await dealer.command(SLOW, cmd.CloseBetting())
    view = await ann.pictures[SLOW].until(lambda view: view.own is not None and view.own.last is not None)
    assert view.own is not None
    assert view.own.last is not None
    assert [line.settled.stake for line in view.own.last.lines] == [5_000 + 30 * 100 + 10 * 100 + 60 * 100]
    await asyncio.to_thread(first.start)
    assert first.held == ()  # another one was up all the time
    dana = Onlooker(await served.staff("Dana", first.address))
    await dana.watch(SLOW)
    await dana.agrees(SLOW)
    await dana.close()


async def done_once(served: Served) -> None:
    """A step that both clocks thought of was recorded once, and each round has the cards that it needs."""
    store = await open_store(served.place, writing=False)
    try:
        found = [record async for record in records(store, SIX)]
    finally:
        await store.close()
    kinds = Counter(record.kind for record in found)
    assert kinds["open-betting"] - kinds["close-betting"] in (0, 1)  # the last round may be open still
    assert kinds["close-betting"] >= ROUNDS
    assert len({record.command_id for record in found}) == len(found)
    assert len({record.run for record in found}) >= 2  # both took part


async def everything_stops(folder: Path, postgres: str) -> None:
    """When no server is left, wagers that lie wait for a person."""
    served = Served(folder, TABLES, postgres=postgres)
    await served.prepare(TERMINALS)
    try:
        for _ in range(2):
            await asyncio.to_thread(served.server)
        ann = await sits(served, "S1", "Ann", *served.addresses)
        await ann.do(SLOW, wager("Ann", 5_000))
        await served.kill_all()
        await asyncio.to_thread(served.servers[1].start)
        assert served.servers[1].held == (SLOW,)
        await ann.pictures[SLOW].until(lambda view: view.phase.held)
        await asyncio.to_thread(served.servers[0].start)
        assert served.servers[0].held == ()
        with pytest.raises(WasRefused) as refused:
            await ann.line.command(SLOW, wager("Ann"))
        assert refused.value.reason is Refusal.TABLE_PAUSED
        await ann.agrees(SLOW)
        await ann.close()
    finally:
        await served.close()


async def one_is_stopped(folder: Path, postgres: str) -> None:
    """A server that is asked to stop does not wait for what another one goes on with."""
    served = Served(folder, TABLES, postgres=postgres)
    await served.prepare(TERMINALS)
    try:
        for _ in range(2):
            await asyncio.to_thread(served.server)
        one, two = served.addresses
        gil = Onlooker(await served.staff("Gil", two))
        await gil.watch(SIX)
        at_six = Bots(served, BETTING)  # whoever opened betting closes it; the clock of the other comes later
        at_six.moves = 2  # so that the third round stays in betting
        bots = [
            at_six.come(served.terminal(name, two, one), BotPlan(patron=f"Bot {name}", rounds=ROUNDS))
            for name in ("E1", "E2")
        ]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        wagered = {f"Bot {name}" for name in ("E1", "E2")}
        await gil.pictures[SIX].until(
            lambda view: (
                view.phase.round == 3
                and view.wagers is not None
                and wagered <= {each.patron for each in view.wagers.lying}
            )
        )
        under_way = gil.pictures[SIX].view.phase
        assert under_way.phase is Phase.BETTING
        assert await asyncio.to_thread(served.servers[0].stop, flow=0) == 0
        assert gil.pictures[SIX].view.phase == under_way  # the last wager was the other's
        at_six.moves = math.inf
        await until_over(served, playing)
        assert all(bot.played.rounds >= ROUNDS for bot in bots)
        await gil.close()
        assert await served.findings() == {}
    finally:
        await served.close()


def test_a_server_that_stops_leaves_its_tables_to_the_other(tmp_path: Path, postgres_url: str) -> None:
    asyncio.run(asyncio.wait_for(one_is_stopped(tmp_path, postgres_url), LONG_ENOUGH))


def test_two_servers_are_one_floor(tmp_path: Path, postgres_url: str) -> None:
    asyncio.run(asyncio.wait_for(tell(tmp_path, postgres_url), LONG_ENOUGH))


def test_when_no_server_is_left_tables_wait_for_a_person(tmp_path: Path, postgres_url: str) -> None:
    asyncio.run(asyncio.wait_for(everything_stops(tmp_path, postgres_url), LONG_ENOUGH))
