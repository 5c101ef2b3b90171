"""Totals of a round file and of each of its rounds."""

import pytest
from golden import NAMES, golden

from thirdcard.folds.ledger import HOUSE, balances
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import Played, play
from thirdcard.roundfile.totals import PatronTotals, Totals, file_totals, totals_by_round
from thirdcard.rulebook.shelf import SHIPPED

TWO_ROUNDS = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
check Ann in round 1: won 100, back 100, net 100
Dealer: opens betting
Ann: 300 on player at 1
Bob: comes to the table at 2
Dealer: closes betting
check Ann in round 2: net 0
Dealer: draws 2 9 5 K
check Ann in round 1: won 100, taken 0
check Ann in round 2: won 0, taken 300, back 0, net -300, claim 0, credits 0
check Bob in round 1: net 0
check Ann: won 100, taken 300, net -200
check house in round 1: net -100
check house in round 2: net 300
check house: net 200
"""
# a wager is taken back before the first card, with which a round begins at Hoiana
BEFORE_THE_FIRST_CARD = """game hoiana-tiger-2024/commission
patrons Ann at 1
Dealer: opens betting
Ann: 500 on player at 1
Ann: takes 100 off player at 1
check Ann in round 1: back 100
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer: opens betting
Ann: 500 on player at 1
check Ann in round 1: won 400, back 500
check Ann in round 2: won 0, back 0
"""
DISPUTE = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Ann: disputes that it was a tie
Dealer: opens betting
Pit Supervisor with Dealer: decides dispute 1 as paid again citing game-rules lacking \
operating-procedures (none), \
accounts-of-both-parties (none), surveillance-evidence (none), other-evidence (none), law (none) awarding 80
"""
TERMINAL = """game mbs-super-six-etg-v3
patrons T1
T1: buys 1000 credits
Dealer: opens betting
T1: 100 on player
Dealer: closes betting
Dealer: draws 9 2 K 5
check T1 in round 1: won 100, credits 1100
Dealer: opens betting
T1: 100 on banker
check T1 in round 1: credits 1100
check T1 in round 2: won 0, credits 1000
check T1: won 100, credits 1000
"""
PULLED = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Ann: takes 100 off player at 1
Dealer: draws 2 9 5 K
Dealer: opens betting
check Ann in round 1: taken 100, claim 100
check Ann in round 2: taken 0, claim 0
check Ann: claim 100
"""


def played(text: str) -> Played:
    file = parse(text)
    rulebook = SHIPPED.rulebook(file.settings.game)
    return play(file, rulebook, SHIPPED.house(rulebook.document.house))


@pytest.mark.parametrize("text", [TWO_ROUNDS, BEFORE_THE_FIRST_CARD, TERMINAL, PULLED])
def test_a_check_of_a_round_counts_from_its_opening_call_to_the_next(text: str) -> None:
    result = played(text)
    assert result.failed_checks == ()
    assert result.refused_lines == ()


def test_a_failed_check_names_its_round() -> None:
    wrong = TWO_ROUNDS + "check Ann in round 2: won 1\ncheck house in round 2: net 0\n"
    assert played(wrong).failed_checks == (
        "line 21: Ann in round 2 won is 0.00, expected 1.00.",
        "line 22: house in round 2 net is 300.00, expected 0.00.",
    )


def test_a_check_of_a_round_that_has_not_begun_fails() -> None:
    early = "game mbs-tiger-v3\npatrons Ann at 1\ncheck Ann in round 1: won 0\nDealer: opens betting\n"
    assert played(early).failed_checks == ("line 3: round 1 has not begun.",)
    assert played(TWO_ROUNDS + "check house in round 3: net 0").failed_checks == (
        "line 21: round 3 has not begun.",
    )


def test_an_award_counts_in_the_round_in_which_it_is_decided() -> None:
    events = played(DISPUTE).events
    first, second = totals_by_round(events)
    assert (first.of("Ann").won, first.house) == (10000, -10000)
    assert (second.of("Ann").won, second.house) == (8000, -8000)


def test_a_free_hand_is_a_round_of_its_own() -> None:
    title = "a-third-card-that-player-does-not-take-is-bankers-or-opens-a-free-hand"
    told = golden(f"several/{title}.round, hoiana-tiger-2024/commission").played
    assert [each.round for each in totals_by_round(told.events)] == list(range(1, told.table.rounds + 1))


def test_a_file_without_a_round_has_the_totals_of_those_who_came() -> None:
    result = played("game mbs-tiger-v3\npatrons Ann at 1")
    assert totals_by_round(result.events) == ()
    assert file_totals(result.events, result.table) == Totals({"Ann": PatronTotals()}, 0)


@pytest.mark.parametrize("name", NAMES[::5])
def test_the_rounds_of_a_file_add_up_to_its_totals(name: str) -> None:
    result = golden(name).played
    whole, rounds = file_totals(result.events, result.table), totals_by_round(result.events)
    if not rounds:  # money that moves without any round belongs to none
        return
    numbers = [each.round for each in rounds]
    assert numbers == sorted(set(numbers), key=lambda number: number or 0)
    assert sum(each.house for each in rounds) == whole.house == balances(result.events)[HOUSE]
    for patron, of in whole.patrons.items():
        for what in ("won", "taken", "back", "net", "claim"):
            assert sum(getattr(each.of(patron), what) for each in rounds) == getattr(of, what)
        assert rounds[-1].of(patron).credits == of.credits
