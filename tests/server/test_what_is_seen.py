"""The limits of each kind of client: nothing more ever crosses the wire, through rounds of all six games."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from limits import LONG_ENOUGH
from server.feeds import FeedEar
from server.served import PEOPLE, Served, serving, timers
from server.traffic import Ear, Rules, Truth, check_records, check_stories
from server.watching import Bots, Onlooker
from streams.openings import face

from thirdcard.client.bot import BotPlan
from thirdcard.floor.state import Scope
from thirdcard.game import commands as cmd
from thirdcard.game.events import CardsSeen
from thirdcard.game.state import Hand
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

GAMES = tuple(book.id for book in SHIPPED.rulebooks)
BY_ITSELF = {f"T{number}": game for number, game in enumerate(GAMES, start=1)}
FELT, SHADE = "Felt", "Shade"
TABLES = (*BY_ITSELF, FELT, SHADE)
ROUNDS = 3


def by_itself(name: str, game: str) -> str:
    """A table that deals by itself to terminals; where patrons may squeeze, they do."""
    squeezing = game.startswith(("mbs-tiger", "mbs-dragon"))
    return f"""
[[table]]
name = "{name}"
game = "{game}"
terminal = true
training = true
virtual_shoe = true
automatic_dealer = true
differential = "1000000"
{"face_down = true" if squeezing or game.startswith("hoiana") else ""}
{'method = "A"' if squeezing else ""}
{timers()}
"""


FLOOR = (
    "".join(by_itself(name, game) for name, game in BY_ITSELF.items())
    + f"""
[[table]]
name = "{FELT}"
game = "mbs-tiger-nc-v4"
device = "card-reading"
automatic = ["expose"]

[[table]]
name = "{SHADE}"
game = "mbs-tiger-nc-v4"
device = "card-reading"
method = "A"
face_down = true
"""
)
TERMINALS = {
    f"{table}-{number}": (table, number if GAMES[at] != "mbs-super-six-etg-v3" else None)
    for at, table in enumerate(BY_ITSELF)
    for number in (1, 2, 3)
}
PATRONS = {terminal: f"Patron of {terminal}" for terminal in TERMINALS if not terminal.endswith("3")}
STAFF = {"Dana": "dealer", "Sue": "pit-supervisor"}
WATCHERS = ("Dana", "Max", "Tom", "Vic", "Una")
SIGN, AUDIT = "Sign", "Audit"  # other systems, which read feeds
ACCOUNTS: dict[str, tuple[Scope, ...]] = {SIGN: (Scope.TABLES,), AUDIT: (Scope.TABLES, Scope.RECORDS)}


def paths_for(who: str) -> tuple[str, ...]:
    """The paths that a kind of client asks again and again."""
    if who in ("Una", AUDIT):
        records = (f"/audit/{table}/records?most=500" for table in (FELT, SHADE, "T1", "T2"))
        return (*records, *(f"/tables/{table}/rounds/1" for table in (FELT, SHADE)))
    own = TERMINALS[who][0] if who in TERMINALS else "T2"
    found = ["/me", "/tables"]
    for table in (own, FELT, SHADE):
        found += [f"/tables/{table}", f"/tables/{table}/messages?after=0&most=1000"]
        if who not in ("Tom", SIGN):
            found.append(f"/tables/{table}/history")
    return tuple(found) + (("/floor", "/sessions") if who in WATCHERS else ())


async def ears(served: Served) -> list[Ear]:
    """Patrons, a terminal that nobody uses, and staff of every kind, all watching every table."""
    terminals = (*(each for each in PATRONS if each.endswith("1")), "T1-2", "T1-3")
    found = [Ear(terminal, served.terminal(terminal), TABLES, paths_for(terminal)) for terminal in terminals]
    found += [Ear(name, await served.staff(name), TABLES, paths_for(name)) for name in WATCHERS]
    found += [FeedEar(name, served.terminal(name), TABLES, paths_for(name)) for name in ACCOUNTS]
    return found


def bought(terminal: str) -> int:
    """Unmistakable credits."""
    return (1 + list(TERMINALS).index(terminal)) * 10**9


async def play(served: Served, listening: list[Ear]) -> None:
    """Bots at every terminal but one, and a dealer at the live tables."""
    bots = Bots(served)
    playing = [
        bots.come(
            served.terminal(terminal),
            BotPlan(patron=patron, rounds=ROUNDS, seed=number, buy_in=bought(terminal), wagers=5),
        ).play()
        for number, (terminal, patron) in enumerate(PATRONS.items())
    ]
    await asyncio.gather(*playing, felt(served, listening))


async def felt(served: Served, listening: list[Ear]) -> None:
    """Cards that lie face down, and one that was taken in error and comes again in the next round."""
    dana = Onlooker(await served.staff("Dana"))
    await dana.watch(FELT, SHADE)
    for table in (FELT, SHADE):
        await dana.do(table, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
        desk = dana.pictures[table].view.desk
        assert desk is not None
        for item in desk.missing_equipment:
            await dana.do(table, cmd.TickEquipment(item=item))
        await dana.do(table, cmd.OpenTable())
        await dana.do(table, cmd.LoadShoe(decks=8))
        await dana.do(table, cmd.CutCards(depth=100))
    await in_error(served, dana, listening)
    await face_down(dana, listening)
    await dana.close()


async def all_ask(listening: list[Ear]) -> None:
    """Everybody asks what there is to know by now."""
    await asyncio.gather(*(ear.asks_everything() for ear in listening))


async def in_error(served: Served, dana: Onlooker, listening: list[Ear]) -> None:
    gil = Onlooker(await served.staff("Gil"))
    await gil.watch(FELT)
    await gil.do(FELT, cmd.ComeOnDuty(person="Gil", post=Post("gaming-shift-manager")))
    await begin(dana, FELT)
    for card in ["K", "K", "7", "6"]:
        await dana.do(FELT, cmd.DrawCard(card=face(card)))
    report = cmd.ReportIrregularity(situation=Situation.UNAUTHORISED_PLAYER_CARD, cards=(face("9"),))
    await dana.do(FELT, report)
    await all_ask(listening)  # while the card lies aside
    await gil.do(FELT, cmd.Rule(choice="keep-as-next-card", text="it waits"))
    await gil.close()
    await dana.do(FELT, cmd.CallOutcome(winner=Winner.PLAYER))
    await all_ask(listening)  # while the card waits
    await begin(dana, FELT)
    for card in ["9", "2", "K", "5"]:
        await dana.do(FELT, cmd.DrawCard(card=face(card)))
    await dana.do(FELT, cmd.CallOutcome(winner=Winner.PLAYER))


async def face_down(dana: Onlooker, listening: list[Ear]) -> None:
    await begin(dana, SHADE)
    for card in ["9", "2", "K", "5"]:
        await dana.do(SHADE, cmd.DrawCard(card=face(card)))
    await all_ask(listening)
    for hand in (Hand.PLAYER, Hand.BANKER):
        await dana.do(SHADE, cmd.ExposeCards(hand=hand))
        await all_ask(listening)
    await dana.do(SHADE, cmd.CallOutcome(winner=Winner.PLAYER))


async def begin(dana: Onlooker, table: str) -> None:
    await dana.do(table, cmd.OpenBetting())
    await dana.do(table, cmd.CloseBetting())


async def an_evening(folder: Path) -> tuple[Truth, list[Ear], str]:
    async with serving(folder, FLOOR, TERMINALS, accounts=ACCOUNTS) as served:
        listening = await ears(served)
        for ear in listening:
            ear.start()
        try:
            await play(served, listening)
            await all_ask(listening)
        finally:
            for ear in listening:
                await ear.stop()
        assert "Traceback" not in served.servers[0].log, served.servers[0].log
        assert await served.findings() == {}
        return await Truth.read(served, TABLES), listening, served.servers[0].log


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Truth, list[Ear], str]:
    """Everything that was heard, and what really happened."""
    return asyncio.run(asyncio.wait_for(an_evening(tmp_path_factory.mktemp("seen")), LONG_ENOUGH))


def test_nothing_more_than_one_may_know_crosses_the_wire(evening: tuple[Truth, list[Ear], str]) -> None:
    truth, listening, _ = evening
    names = {*PATRONS.values(), *PEOPLE}
    heard: Counter[str] = Counter()
    saw = 0
    for ear in listening:
        at_terminal = ear.who in TERMINALS
        rules = Rules(
            truth,
            names=names,
            staff=not at_terminal and ear.who != SIGN,
            patron=PATRONS.get(ear.who),
            table=TERMINALS[ear.who][0] if at_terminal else None,
            bought=bought(ear.who) if at_terminal else 0,
        )
        for each in ear.heard:
            if "/audit/" in each.where:
                heard["faces in records"] += check_records(truth, each)
            elif "/rounds/" in each.where:
                heard["stories"] += check_stories(truth, each)
            else:
                rules.check(each)
                heard["messages"] += 1
        saw += rules.holder_saw
    assert heard["messages"] > 1000
    assert heard["faces in records"] > 0
    assert heard["stories"] > 0
    assert saw > 0, "nobody squeezed"


def test_all_games_were_played_and_squeezed_where_they_may_be(evening: tuple[Truth, list[Ear], str]) -> None:
    truth, _, _ = evening
    squeezed = set()
    for table, game in BY_ITSELF.items():
        last = truth.states[table][-1]
        assert last is not None
        assert last.rounds >= ROUNDS, game
        if any(isinstance(event, CardsSeen) for events in truth.events[table] for event in events):
            squeezed.add(game.partition("-2024")[0])
    assert squeezed == {"mbs-tiger-v3", "mbs-tiger-nc-v4", "mbs-dragon-tiger-nc-2023", "hoiana-tiger"}


def test_no_secret_of_a_shoe_is_in_what_was_sent_or_logged(evening: tuple[Truth, list[Ear], str]) -> None:
    truth, listening, log = evening
    seals = [state.shoe.seal for states in truth.states.values() for state in states if state and state.shoe]
    contents = {seal.content for seal in seals if seal is not None}
    assert len(contents) >= len(BY_ITSELF)
    for ear in listening:
        for each in ear.heard:
            if "/audit/" not in each.where:
                assert not any(content in str(each.what) for content in contents), each.where
    assert not any(content in log for content in contents)
