"""The recount knows which card aside a decision is about, and counts the hands by what is left."""

import pytest
from auditor.written import written

# two cards too many: the 4 by a correction, and one of the Banker
ASIDE = """\
game mbs-tiger-v3
automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws K K 5 6 4
Dealer: draws 9 to banker
Dealer with Pit Manager: corrects card 3 to 7
"""
BURNS = "Gaming Shift Manager: rules burn-card because it was not due\n"
KEEPS = "Gaming Shift Manager: rules keep-as-next-card because nobody minds\n"
# two cards come for the Banker before the hands lie open
EARLY = """\
game mbs-tiger-v3
automatic none
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws ? ? ? ?
Dealer: draws 2 to banker
Dealer: draws 3 to banker
Dealer: opens player K 7
Dealer: opens banker K 6
"""
CALLS = "Dealer: calls player\n"


@pytest.mark.parametrize(
    "text",
    [
        ASIDE + BURNS + "Dealer with Pit Manager: corrects card 5 to 8\n" + BURNS + CALLS,
        ASIDE + KEEPS + BURNS + CALLS,
        EARLY + BURNS + "Dealer with Pit Manager: corrects card 5 to 8\n" + KEEPS + CALLS,
        EARLY + KEEPS + "Dealer with Pit Manager: corrects card 5 to 8\n" + BURNS + CALLS,
        EARLY + "Dealer with Pit Manager: finds that it is not so because it never came\n" + BURNS + CALLS,
    ],
)
def test_cards_aside_have_each_their_decision(text: str) -> None:
    assert written(text).findings() == []


# a third card is entered after the settlement, and never came
AFTER_THE_CALL = """\
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 3 J 5 10
Dealer: draws J to banker
Dealer with Pit Manager: withdraws the report
Dealer with Pit Manager: finds Bob 50 on banker at 2
"""


def test_hands_that_lie_as_they_did_keep_their_outcome() -> None:
    assert written(AFTER_THE_CALL).findings() == []


# two cards in error for the Player never came, of which one was corrected; a 3 that waits before them did
NEVER_CAME = """\
game hoiana-tiger-2024/commission
automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 9 K K
Dealer: draws 3S to banker
Dealer: draws KH 3H together to player, order known
Dealer: calls tie
Dealer with Pit Manager: corrects card 7 to 7D
Pit Supervisor with Shift Manager: finds that it is not so because nothing came
Dealer with Pit Manager: corrects card 5 to 9S
"""


def test_cards_that_never_came_leave_others_that_wait() -> None:
    assert written(NEVER_CAME).findings() == []


def test_a_correction_of_another_card_aside_is_found() -> None:
    """The 3 is burned, so that the 2 is what lies there."""
    book = written(EARLY + BURNS + "Dealer with Pit Manager: corrects card 5 to 8\n" + KEEPS + CALLS)
    corrected = book.sequence("card-corrected")
    book.body("card-corrected")["old"]["rank"] = 3
    assert book.found_keys() == [(corrected, "finding.another-card-corrected")]


@pytest.mark.parametrize("text", [ASIDE + BURNS + BURNS + CALLS, EARLY + BURNS + BURNS + CALLS])
def test_money_that_moves_otherwise_is_found(text: str) -> None:
    """4.1, 3.16: Player 7 beats Banker 6, so that 100 is paid."""
    book = written(text)
    book.line("Ann")["paid"] = 0
    assert [sequence for sequence, _ in book.findings()] == [book.sequence("round-settled")]
