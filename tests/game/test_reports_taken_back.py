"""A report is taken back with its facts, a card has one place, and no report turns what is known or ruled."""

import pytest
from story import ASSISTANT_DIRECTOR, HO, T3, happened, reasons, told

from thirdcard.game import events as ev
from thirdcard.game.hands_told import cards_before
from thirdcard.game.state import CardState
from thirdcard.refusals import Refusal

FACE_DOWN = """face-down
automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
"""
OPEN = """automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
"""
TOLD_OPEN = "Dealer: draws ? ? ? ?\nDealer with Pit Manager: reports exposed-in-error banker hand cards 4 3\n"


@pytest.mark.parametrize(
    "taken_back",
    [
        "Dealer with Pit Manager: withdraws the report",
        "Shift Manager with Pit Supervisor: finds that it is not so because it lies face down",
    ],
)
def test_a_hand_lies_as_before_a_report_that_is_not_so(taken_back: str) -> None:
    before = told(HO, FACE_DOWN + "Dealer: draws ? ? ? ?").table
    story = told(HO, FACE_DOWN + TOLD_OPEN + taken_back)
    assert reasons(story) == []
    assert story.table.round is not None
    assert before.round is not None
    assert story.table.round.cards == before.round.cards
    assert story.table.round.opened == ()
    assert story.table.round.untold == ()
    assert (story.table.shoe, story.table.phase) == (before.shoe, before.phase)


def test_a_hand_that_was_only_seen_lies_unseen_again() -> None:
    story = told(
        HO,
        FACE_DOWN + "Dealer: draws ? ? ? ?\nDealer with Pit Manager: reports exposed-in-error banker hand\n"
        "Dealer with Pit Manager: withdraws the report",
    )
    assert reasons(story) == []
    assert story.table.round is not None
    assert {each.state for each in story.table.round.cards} == {CardState.FACE_DOWN}


def test_one_person_takes_no_opened_hand_back() -> None:
    alone = FACE_DOWN + "Dealer: draws ? ? ? ?\nDealer: reports exposed-in-error banker hand cards 4 3\n"
    story = told(HO, alone + "Dealer: withdraws the report")
    assert reasons(story) == [Refusal.SECOND_PERSON_NEEDED]


def test_a_hand_told_open_stays_so_once_another_card_came() -> None:
    story = told(
        HO,
        FACE_DOWN
        + "Dealer: draws ? ?\nDealer with Pit Manager: reports exposed-in-error banker hand cards 4\n"
        "Dealer: draws ? instead\nAssistant Director of Gaming Operations: rules continue because it came\n"
        "Dealer with Pit Manager: withdraws the report",
    )
    assert reasons(story) == [Refusal.NOT_AWAITED]
    case = story.table.case
    assert case is not None
    assert cards_before(story.table, case) is None


def test_a_card_that_a_post_is_asked_about_is_not_asked_about_twice() -> None:
    story = told(
        HO,
        OPEN + "Dealer: draws K K\nPit Supervisor: reports exposed-in-movement cards 8H\n"
        "Dealer: reports exposed-in-error cards 8H",
    )
    assert reasons(story) == [Refusal.IRREGULARITY_UNDER_WAY]


def test_a_card_that_a_post_lets_come_is_not_asked_about_again() -> None:
    story = told(
        HO,
        OPEN + "Dealer: draws K K\nPit Supervisor: reports exposed-in-movement cards 8H\n"
        "Assistant Director of Gaming Operations: rules play-card because it is nobody's fault\n"
        "Dealer: reports exposed-in-error cards 8H",
    )
    assert reasons(story) == [Refusal.CARD_REPORTED_BEFORE]


@pytest.mark.parametrize("again", ["face-up-card", "face-up-card cards 6H", "exposed-in-movement cards 6"])
def test_the_card_on_top_is_told_once(again: str) -> None:
    story = told(HO, f"{OPEN}Dealer: reports face-up-card cards 6H\nPit Supervisor: reports {again}")
    assert reasons(story) == [Refusal.CARD_REPORTED_BEFORE]
    assert len(story.table.free_hands) == 1
    assert len(story.table.strays) == 1


def test_another_face_is_the_card_behind_the_one_on_top() -> None:
    story = told(
        HO, OPEN + "Dealer: reports face-up-card cards 6H\nPit Supervisor: reports face-up-card cards 9C"
    )
    assert reasons(story) == []
    assert [each.text for each in story.table.strays if each] == ["6H", "9C"]


def test_the_post_of_the_house_brings_new_cards_where_nobody_is_left_to_choose() -> None:
    left = """automatic expose
    burn forgotten
    patrons Ann at 1
    Dealer: opens betting
    Ann: 100 on player at 1
    Dealer: closes betting
    Dealer: draws K K 7 6
    Dealer: calls player
    Ann: leaves the table
    """
    assert reasons(told(HO, left + "Dealer: chooses new cards")) == [Refusal.NOT_AUTHORISED]
    story = told(HO, left + "Pit Manager: chooses new cards")
    assert reasons(story) == []
    assert [each.need for each in happened(story, ev.CardReplacementDue)][-1] == "shall"


def test_an_order_nobody_ruled_or_knows_is_told_by_two() -> None:
    story = told(
        T3,
        OPEN + "Dealer: draws 9 2 K 5\n"
        "Dealer with Pit Supervisor: reports wrong-order cards 9 K 2 5, reconstructable",
    )
    assert reasons(story) == []


def test_a_patron_who_was_not_away_has_declined_nothing() -> None:
    """Tiger 5.10: with the report taken back Ann has her cards again; what Bob declined stays declined."""
    passed = (
        "method A\npatrons Ann at 1, Bob at 2\nDealer: opens betting\nAnn: 100 on player at 1\n"
        "Bob: 100 on banker at 2\nDealer: closes betting\nDealer: draws ? ? ? ?\n"
        "Dealer: passes player to Ann\nDealer: passes banker to Bob\nBob: declines banker\n"
    )
    away = "Dealer: reports patron-absent of Ann\n"
    back = "Dealer with Pit Manager: withdraws the report\n"
    before, after = told(T3, passed), told(T3, passed + away + back)
    assert (reasons(before), reasons(after)) == ([], [])
    assert before.table.round is not None
    assert after.table.round is not None
    assert [(each.hand.value, each.patron) for each in after.table.round.declined] == [("banker", "Bob")]
    assert after.table.round.holdings == before.table.round.holdings


def test_a_face_that_was_told_wrongly_is_in_the_shoe_again() -> None:
    """Tiger 6.1: nobody knows the card that waits, so the six of hearts can come from the shoe as before."""
    waits = (
        "automatic expose\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
        "Dealer: closes betting\nDealer: draws 9 2 K K\nDealer: draws ? to player\n"
        "Gaming Shift Manager: rules keep-as-next-card because nobody saw it\nDealer: calls player\n"
    )
    seen = "Pit Supervisor: reports next-card-known cards 6H, seen\n"
    before, told_of = told(T3, waits), told(T3, waits + seen)
    after = told(T3, waits + seen + "Pit Supervisor: withdraws the report\n")
    assert before.table.shoe is not None
    assert told_of.table.shoe is not None
    assert after.table.shoe is not None
    assert len(told_of.table.shoe.drawn) == len(before.table.shoe.drawn) + 1
    assert after.table.shoe.drawn == before.table.shoe.drawn


IN_ERROR = """automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws K K 7 6
Dealer: draws 6S to banker
"""


def test_a_card_that_never_came_was_put_to_no_hand() -> None:
    """Hoiana 7.7: whoever entered a card of the Banker by a slip leaves nothing of it at the table."""
    slip = "Pit Manager with Pit Supervisor: finds that it is not so because it was typed by a slip"
    before, after = told(HO, IN_ERROR.replace("Dealer: draws 6S to banker\n", "")), told(HO, IN_ERROR + slip)
    assert before.table.shoe is not None
    assert after.table.shoe is not None
    assert (after.table.shoe.left, after.table.shoe.places.put) == (before.table.shoe.left, ())


def test_a_card_in_error_came_once_another_card_has_come_behind_it() -> None:
    """Hoiana 7.7: 6S lay before the card that was burned, so it did come and opens the free hand."""
    burned = (
        "Dealer: reports not-covered because a card stuck out\n"
        f"{ASSISTANT_DIRECTOR}: rules burn-card because it was bent\n"
    )
    story = told(HO, IN_ERROR + burned + "Dealer with Pit Manager: withdraws the report\n")
    assert reasons(story) == [Refusal.NOT_AWAITED]
    assert [card.text for card in story.table.strays if card] == ["6S"]
    assert len(story.table.free_hands) == 1


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        (HO, "draws 2 2 2 A\nDealer: draws 9 6 together, order known\nShift Manager: rules allow"),
        (
            T3,
            "draws 2 2\nDealer: reports not-covered because a lamp fell\n"
            "Gaming Shift Manager: rules offer-withdrawal because it was dark",
        ),
    ],
)
def test_a_report_about_which_a_post_has_ruled_is_not_taken_back(game: str, lines: str) -> None:
    """Hoiana 7.12, MBS 6.1: by the word of the post patrons may withdraw, whatever the reporter says then."""
    story = told(game, OPEN + f"Dealer: {lines}\nDealer: withdraws the report\n")
    assert reasons(story) == [Refusal.NOT_AWAITED]
    (case,) = story.table.open_cases
    assert case.offer is not None
