"""Nobody acts in a post in a matter of their own: a wager once in the round is enough, wherever it is now."""

import pytest
from story import HO, T3, reasons, refused, told

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply
from thirdcard.game.earlier_rounds import KEPT_RUNS, PatronRounds, has_stake, with_stake
from thirdcard.game.interests import is_concerned
from thirdcard.refusals import Refusal
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Situation

SETTLED = """
patrons Ann at 1, Eve at 2
Dealer: opens betting
Ann: 100 on player at 1
Eve: 1000 on banker at 2
Dealer: closes betting
Dealer: draws K 2 7 6
Eve: leaves the table
"""
ON_DUTY = SETTLED + "Eve: comes on duty as {post}\n"
REVERSED = (
    "automatic expose\n"
    + ON_DUTY.replace("7 6\n", "7 6\nDealer: calls banker\n")
    + ("Dealer with Pit Manager: corrects card 2 to A\n")
)
AN_EMPTY_ROUND = "Dealer: opens betting\nDealer: closes betting\nDealer: draws K 9 8 K\n"
POSTS = {T3: "gaming-shift-manager", HO: "assistant-director"}
ACE = Card(Rank.ACE)
# what staff say or decide about a round that lies there again
ABOUT_THE_ROUND: list[cmd.Body] = [
    cmd.CallOutcome(winner=Winner.TIE),
    cmd.ReportIrregularity(situation=Situation.FOREIGN_CARD),
    cmd.CorrectCard(reason="seen on the felt", number=1, card=ACE),
    cmd.CorrectWager(reason="seen on the felt", patron="Ann", wager="player", amount=100, position=1),
    cmd.FindWager(reason="seen on the felt", patron="Ann", wager="player", amount=100, position=1),
    cmd.HoldMoney(patron="Ann", wager="player", position=1),
]


@pytest.mark.parametrize("game", [T3, HO])
@pytest.mark.parametrize("body", ABOUT_THE_ROUND, ids=lambda body: type(body).__name__)
def test_wager_that_lies_again_keeps_its_owner_out(game: str, body: cmd.Body) -> None:
    table = told(game, REVERSED.format(post=POSTS[game])).table
    assert table.round is not None
    assert not table.round.ended
    assert refused(game, table, body, "Eve", "Pit Manager").reason is Refusal.OWN_INTEREST
    assert refused(game, table, body, "Dealer", "Eve").reason is Refusal.OWN_INTEREST


@pytest.mark.parametrize("game", [T3, HO])
def test_an_older_round_keeps_its_patrons_out_of_its_dispute(game: str) -> None:
    story = (
        ON_DUTY.format(post=POSTS[game]) + AN_EMPTY_ROUND * 3 + "Ann: disputes round 1 because of a card\n"
    )
    table = told(game, story).table
    step = cmd.EscalateDispute(id=1)
    assert refused(game, table, step, "Eve").reason is Refusal.OWN_INTEREST
    assert refused(game, table, step, "Pit Supervisor", "Eve").reason is Refusal.OWN_INTEREST


@pytest.mark.parametrize("game", [T3, HO])
def test_a_dispute_about_another_round_is_open_to_a_former_patron(game: str) -> None:
    story = ON_DUTY.format(post=POSTS[game]) + AN_EMPTY_ROUND + "Ann: disputes round 2 because of a card\n"
    assert not reasons(told(game, story + "Eve: escalates dispute 1\n"))


def test_an_own_dispute_about_the_round_keeps_out_of_its_decision() -> None:
    story = told(
        T3,
        """
        patrons Ann at 1, Eve at 2
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws K 2 7 4
        Eve: disputes round 1 because I was not served
        Eve: leaves the table
        Eve: comes on duty as gaming-shift-manager
        Dealer with Eve: corrects card 2 to A
        """,
    )
    assert reasons(story) == [Refusal.OWN_INTEREST]


def test_a_wager_that_was_corrected_away_keeps_out() -> None:
    story = SETTLED + (
        "Dealer with Pit Manager: corrects 1000 of Eve on banker at 2 to nothing\n"
        "Eve: comes on duty as gaming-shift-manager\n"
        "Dealer with Eve: corrects card 2 to A\n"
    )
    assert reasons(told(T3, story)) == [Refusal.OWN_INTEREST]


def test_rounds_are_known_when_the_table_is_set_up_anew() -> None:
    table = told(T3, SETTLED).table
    anew = apply(table, ev.TableSetUp(setup=table.setup, method=table.method, owners_per_area=None))
    assert has_stake(anew.stakes, "Eve", 1)


def test_runs_of_rounds_grow_and_join() -> None:
    stakes: tuple[PatronRounds, ...] = ()
    for number in (3, 4, 4, 7, 9, 8):
        stakes = with_stake(stakes, "Eve", number)
    assert stakes == (PatronRounds("Eve", ((3, 4), (7, 7), (8, 8), (9, 9))),)
    stakes = with_stake(with_stake(stakes, "Ann", 5), "Zoe", 5)
    assert [each.patron for each in stakes] == ["Ann", "Eve", "Zoe"]
    assert not has_stake(stakes, "Eve", 6)
    assert not has_stake(stakes, "Bob", 5)


def test_old_runs_join_beyond_the_limit() -> None:
    stakes: tuple[PatronRounds, ...] = ()
    for number in range(0, 4 * KEPT_RUNS, 2):
        stakes = with_stake(stakes, "Eve", number)
    assert len(stakes[0].runs) == KEPT_RUNS
    assert all(has_stake(stakes, "Eve", number) for number in range(0, 4 * KEPT_RUNS, 2))
    assert not has_stake(stakes, "Eve", 4 * KEPT_RUNS - 3)


def test_whoever_has_a_dispute_opens_another_one() -> None:
    table = told(T3, SETTLED + "Eve: disputes round 1 because of a card\n").table
    assert is_concerned(table, cmd.OpenDispute(about="a card", patron="Eve", round=1), "Eve")
    assert not is_concerned(table, cmd.OpenDispute(about="a card", patron="Ann"), "Eve")
