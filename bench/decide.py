"""Rounds per second through the engine, and how the time grows with the number of wagers.

    .venv/bin/python bench/decide.py

A round is: opening call, every wager placed, closing call, four to six cards, settlement. Every command is
decided as a server does it, which takes the tables that deciding makes; "apart" is deciding without them and
applying the events again. The reference is a bare integer loop that settles as many wagers. All is processor
time, in turns; the quickest round is one that nothing else on the machine disturbed.
"""

import datetime
import itertools
import time
from collections.abc import Callable

from figures import record_cost

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all, begin
from thirdcard.game.decide import decide, decide_and_apply
from thirdcard.game.state import Table
from thirdcard.game.table_setup import Automatic, Device, PostedLimit, Setup
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

GAME = "mbs-tiger-nc-v4"
POSITIONS, KINDS = 8, 8
NOW = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)
SECONDS = 2.0
Do = Callable[[Rulebook, House, Table, cmd.Body], Table]
CARDS = tuple(Card(rank) for rank in (Rank.TWO, Rank.KING, Rank.THREE, Rank.SIX, Rank.KING))


def main() -> None:
    rulebook = SHIPPED.rulebook(GAME)
    house = SHIPPED.house(rulebook.document.house)
    print(f"{GAME}: {POSITIONS} positions x {KINDS} kinds = {POSITIONS * KINDS} wagers a round")
    reference = rate_of_loop(POSITIONS * KINDS)
    print(f"bare integer loop  {reference:12,.0f} rounds/s")
    for name, do in (("as a server", decide_once), ("apart", decide_then_apply)):
        speed, quickest = rate(rulebook, house, POSITIONS * KINDS, do)
        print(f"{name:18} {speed:12,.0f} rounds/s   1 : {reference / speed:,.0f} of the loop")
        print(f"the quickest round {quickest:12,.0f} rounds/s   1 : {reference / quickest:,.0f} of the loop")
    print("wagers   rounds/s   the quickest/s   microseconds a wager, of the quickest")
    for wagers in (1, 4, 16, 64, 256):
        speed, quickest = rate(rulebook, house, wagers, decide_once)
        record_cost(f"a round with {wagers} wagers", 1 / quickest)
        print(f"{wagers:6} {speed:10,.0f} {quickest:16,.0f} {1e6 / quickest / wagers:12,.1f}")


def rate(rulebook: Rulebook, house: House, wagers: int, do: Do) -> tuple[float, float]:
    """Whole rounds a second with so many wagers: by all rounds, and by the quickest."""
    table = set_up(rulebook, house, wagers)
    stakes = places(rulebook, wagers)
    taken: list[float] = []
    while sum(taken) < SECONDS:
        begun = time.process_time()
        table = play_round(rulebook, house, table, stakes, do)
        taken.append(time.process_time() - begun)
    return len(taken) / sum(taken), 1 / min(taken)


def places(rulebook: Rulebook, wagers: int) -> list[tuple[str, str, int]]:
    """Patron, wager and position: a patron at each position wagers on every kind, then a second one there."""
    every = itertools.product(range(1, 4), range(1, 17), rulebook.wagers)
    return [
        (f"P{position}-{owner}", kind, position) for owner, position, kind in itertools.islice(every, wagers)
    ]


def set_up(rulebook: Rulebook, house: House, wagers: int) -> Table:
    limits = tuple(PostedLimit(wager, 1, 10**9) for wager in rulebook.wagers)
    setup = Setup(
        table="T",
        game=GAME,
        house=house.id,
        layout="E",
        positions=16,
        area=Area.MAIN_FLOOR,
        device=Device.PLAIN,
        decks=10,
        terminal=False,
        face_down=False,
        automatic=(Automatic.EXPOSE, Automatic.CALL),
        limits=limits,
        differential=10**9,
    )
    first = decide(rulebook, house, None, command(cmd.SetUpTable(setup=setup)))
    assert not isinstance(first, Refused)
    assert isinstance(first[0], ev.TableSetUp)
    table = begin(first[0])
    bodies: list[cmd.Body] = [cmd.ComeOnDuty(person="D", post=Post("pit-manager")), cmd.OpenTable()]
    bodies += [
        cmd.ComeToTable(patron=name, position=1) for name in {place[0] for place in places(rulebook, wagers)}
    ]
    for body in bodies:
        table = decide_once(rulebook, house, table, body)
    return table


def play_round(
    rulebook: Rulebook, house: House, table: Table, stakes: list[tuple[str, str, int]], do: Do
) -> Table:
    if table.shoe is None or table.shoe.left < 20:
        table = do(rulebook, house, table, cmd.LoadShoe(decks=10))
    table = do(rulebook, house, table, cmd.OpenBetting())
    for patron, wager, position in stakes:
        body = cmd.PlaceWager(patron=patron, wager=wager, amount=10_000, position=position)
        table = do(rulebook, house, table, body)
    table = do(rulebook, house, table, cmd.CloseBetting())
    for card in CARDS:
        table = do(rulebook, house, table, cmd.DrawCard(card=card))
    return table


def decide_once(rulebook: Rulebook, house: House, table: Table, body: cmd.Body) -> Table:
    """Decide a command and take the table that it has made."""
    decision = decide_and_apply(rulebook, house, table, command(body))
    assert not isinstance(decision, Refused), decision
    return decision.tables[-1]


def decide_then_apply(rulebook: Rulebook, house: House, table: Table, body: cmd.Body) -> Table:
    """Decide a command, and apply its events to the table as who only has them must."""
    result = decide(rulebook, house, table, command(body))
    assert not isinstance(result, Refused), result
    return apply_all(table, result)


def command(body: cmd.Body) -> cmd.Command:
    return cmd.Command(body, cmd.Envelope(actor="D", received_at=NOW, command_id="1"))


def rate_of_loop(wagers: int) -> float:
    """Multiply, divide and add for every wager, and nothing else."""
    done, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS / 2:
        total = 0
        for stake in range(wagers):
            gain, rest = divmod((10_000 + stake) * 19, 20)
            total += gain + rest
        done += 1
    return done / (time.process_time() - begun)


if __name__ == "__main__":
    main()
