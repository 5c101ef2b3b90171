"""Several cards lie aside: each belongs to the case of its own clause, and a decision moves it alone."""

import pytest
from story import HO, T3, happened, reasons, told

from thirdcard.game import events as ev
from thirdcard.game.case_cards import cards_of_case, faces_aside, unclaimed
from thirdcard.game.state import Phase, Table
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation

CLOSED = """automatic none
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
"""
EARLY = CLOSED + "Dealer: draws ? ? ? ?\n"


def own(table: Table) -> list[tuple[str, ...]]:
    """The cards aside of every open case."""
    places = (cards_of_case(table, each).places for each in table.open_cases)
    return [tuple(face.text if face else "?" for face in faces_aside(table, each)) for each in places]


def test_a_case_has_its_card_alone() -> None:
    cards = "Dealer: draws 2 to banker\nDealer: draws 3 to player\nDealer: opens player K 7\n"
    story = told(T3, EARLY + cards + "Dealer: opens banker K 6\n")
    assert reasons(story) == []
    assert own(story.table) == [("2",), ("3",)]
    assert unclaimed(story.table) == ()


def test_a_card_that_came_before_another_came() -> None:
    """Two people say that the last card never came, and then the one before it."""
    cards = "Dealer: draws 2 to banker\nDealer: draws 3 to player\nDealer: opens player K 7\n"
    story = told(T3, EARLY + cards + "Dealer: opens banker K 6\n")
    first = story.table.open_cases[0]
    slip = "Pit Supervisor with Pit Manager: finds that it is not so because of a slip\n"
    story = told(T3, EARLY + cards + f"Dealer: opens banker K 6\n{slip}")
    assert reasons(story) == []
    assert [each.id for each in story.table.open_cases] == [first.id]
    assert own(story.table) == [("2",)]
    story = told(T3, EARLY + cards + f"Dealer: opens banker K 6\n{slip}{slip}")
    assert reasons(story) == []
    assert story.table.aside == ()
    assert story.table.shoe is not None
    assert story.table.shoe.left == 412


def test_a_card_that_never_came_is_unknown_beside_another_one_of_its_kind() -> None:
    cards = "Dealer: draws 2 to banker\nDealer: draws 3 to banker\nDealer: opens player K 7\n"
    slip = "Pit Supervisor with Pit Manager: finds that it is not so because of a slip\n"
    story = told(T3, EARLY + cards + f"Dealer: opens banker K 6\n{slip}")
    assert reasons(story) == []
    assert own(story.table) == [("2",)]
    assert story.table.shoe is not None
    assert story.table.shoe.places.ahead == ()
    assert sorted(each.text for each in story.table.shoe.drawn) == ["2", "6", "7", "K", "K"]


def test_a_card_between_others_is_not_said_to_have_never_come() -> None:
    """The 9 for the Banker is reported; a correction lays the third card of the Player before it aside."""
    cards = (
        "Dealer: draws K K 5 6 4\nDealer: draws 9 to banker\nDealer with Pit Manager: corrects card 3 to 7\n"
    )
    never = "Pit Supervisor with Pit Manager: finds that it is not so because it never came\n"
    story = told(T3, CLOSED.replace("none", "expose") + cards + never)
    assert own(story.table) == [("9",), ("4",)]
    assert reasons(story) == [Refusal.NOT_AWAITED]


def test_the_order_is_ruled_about_the_cards_that_came_together() -> None:
    """5.8.2.2: a third card that a correction leaves over is none of those whose order is determined."""
    cards = """Dealer: draws 2 2 K K
    Dealer: draws 5
    Dealer: draws 6 7 together, order unknown
    Dealer with Pit Manager: corrects card 1 to 8
    Gaming Shift Manager: rules burn-card because it was not due
    Pit Manager: rules order 7 6
    """
    story = told(T3, CLOSED.replace("none", "expose") + cards)
    assert reasons(story) == []
    assert [each.cards for each in happened(story, ev.CardsBurned)] == [1]
    assert [each.text for each in story.table.strays if each] == ["7", "6"]


def test_an_early_card_is_judged_after_the_one_before_it_has_its_place() -> None:
    """5.7: the 2 put to the Player is the third card of the Banker, so that the 3 is a fourth one (6.1)."""
    rows = "Dealer: draws 2 to player\nDealer: draws 3 to banker\n"
    story = told(T3, EARLY + rows + "Dealer: opens player K 6\nDealer: opens banker K 5\n")
    assert reasons(story) == []
    assert [each.case.situation for each in happened(story, ev.IrregularityReported)] == [
        Situation.UNAUTHORISED_PLAYER_CARD,
        Situation.NOT_COVERED,
    ]


def test_a_reset_ends_the_case_of_a_fourth_card() -> None:
    """5.9: all cards go back, so that no fourth one is left to decide about, nor another burned for it."""
    cards = "Dealer: draws K K 5 6 4\nDealer: draws ? to player\n"
    reset = "Dealer with Pit Manager: reports device-reset\nAnn: stays\n"
    story = told(T3, "device electronic\n" + CLOSED.replace("none", "expose") + cards + reset)
    assert not story.table.aside
    assert not any(each.situation is Situation.NOT_COVERED and each.cards for each in story.table.open_cases)


def test_cards_that_came_together_go_back_in_the_order_that_was_determined() -> None:
    """5.9: the cards go back in the order that was determined."""
    cards = """Dealer: draws 2 2 K K
    Dealer: draws 5
    Dealer: draws 6 7 together, order unknown
    Dealer with Pit Manager: corrects card 1 to 3
    Pit Manager: rules order 7 6
    Dealer with Pit Manager: reports device-reset
    Ann: stays
    Ann: stays
    """
    story = told(T3, "device electronic\n" + CLOSED.replace("none", "expose") + cards)
    assert story.table.shoe is not None
    known = dict(story.table.shoe.places.ahead)
    assert [known[place].text for place in story.table.shoe.places.back] == [
        "3",
        "2",
        "K",
        "K",
        "5",
        "7",
        "6",
    ]


@pytest.mark.parametrize("game", [HO, T3])
def test_a_void_takes_along_what_lies_aside(game: str) -> None:
    post = "Assistant Director of Gaming Operations" if game == HO else "Gaming Shift Manager"
    cards = "Dealer: draws ? to banker\nDealer: draws ? to banker\nDealer: opens player K 7\n"
    void = f"Dealer: opens banker K 6\n{post}: rules void-round because both were not due\n"
    story = told(game, ("face-down\n" if game == HO else "") + EARLY + cards + void)
    assert reasons(story) == []
    assert story.table.phase is Phase.IDLE
    assert story.table.aside == ()
    assert not story.table.open_cases


def test_an_unseen_card_is_told_as_seen_beside_another_one() -> None:
    """7.7: of two unseen cards the last one was seen after all, and begins a free hand; the other waits."""
    cards = "Dealer: draws ? to banker\nDealer: draws ? to banker\nDealer: opens player K 7\n"
    seen = "Dealer: opens banker K 6\nDealer: reports unauthorised-banker-card cards 9, seen\n"
    story = told(HO, "face-down\n" + EARLY + cards + seen)
    assert reasons(story) == []
    assert own(story.table) == [("?",)]
    assert [each.text for each in story.table.strays if each] == ["9"]
    shoe = story.table.shoe
    assert shoe is not None
    assert shoe.places.aside < shoe.places.strays


def test_an_early_fourth_card_is_none_of_those_that_a_post_decides_about() -> None:
    """7.5, 7.20: the A is due; two cards of the Banker were not seen, and two of the Player follow."""
    cards = "Dealer: draws A to player\nDealer: draws ? to banker\nDealer: draws ? to banker\n"
    more = "Dealer: draws 6 to player\nDealer: draws 5S to player\n"
    opened = "Dealer: opens player 8 7\nDealer: opens banker 7 K\n"
    story = told(HO, "face-down\n" + EARLY + cards + more + opened)
    assert reasons(story) == []
    assert own(story.table) == [("?",), ("?",)]
    assert [each.text for each in story.table.strays if each] == ["6", "5S"]
    assert [each.clause for each in story.table.free_hands] == ["7.5"]


def test_a_card_that_waits_comes_together_with_another_one() -> None:
    """7.13, 7.16: the 10 was seen on top; it is the first one of the two, whose face is not told."""
    cards = """Dealer: draws 9 8 6 3 4 J
    Dealer: reports exposed-in-movement cards 10
    Dealer: draws ? 9 together, order known
    Dealer with Pit Manager: corrects card 1 to K
    """
    story = told(HO, CLOSED.replace("none", "expose") + cards)
    assert reasons(story) == []
    assert story.table.shoe is not None
    assert sorted(each.text for each in story.table.shoe.drawn) == ["10", "3", "4", "6", "8", "9", "J", "K"]


def test_cards_in_their_order_are_laid_after_a_decision_about_another_one() -> None:
    """7.12, 7.20: the post keeps the third card that a correction makes too many; those behind it follow."""
    cards = """Dealer: draws 2 6 3 7 9
    Dealer: draws ?
    Dealer: draws ? A together, order known
    Dealer: ends the offer
    Dealer: draws 6C to banker
    Dealer with Pit Manager: corrects card 4 to 10
    """
    ruled = "Assistant Director of Gaming Operations: rules burn-card because nobody saw it\n"
    story = told(HO, CLOSED.replace("none", "expose") + cards + ruled)
    assert reasons(story) == []
    assert story.table.aside == ()
    assert [each.text if each else "?" for each in story.table.strays] == ["?", "A", "6C"]
    assert not story.table.open_cases


def test_a_card_of_the_shoe_in_question_comes_out_in_error() -> None:
    """7.7: the post is asked about a card that nobody has seen; it comes for the Banker, and is exposed."""
    cards = "Dealer: draws K K 7 6\nDealer: reports next-card-known, unseen\nDealer: draws 4 to banker\n"
    story = told(HO, CLOSED.replace("none", "expose") + cards)
    assert reasons(story) == []
    assert [each.clause for each in story.table.free_hands] == ["7.7"]


def test_an_early_card_is_judged_before_another_one_comes() -> None:
    """7.9, 7.20: the 2 is due to the Player; the unseen card behind it is in question before a JH comes."""
    cards = "Dealer: draws 2 to banker\nDealer: draws ? to banker\n"
    opened = "Dealer: opens player 5 7\nDealer: opens banker 6 A\n"
    story = told(HO, "face-down\n" + EARLY + cards + opened + "Dealer: draws JH to banker\n")
    assert reasons(story) == [Refusal.IRREGULARITY_UNDER_WAY]
    story = told(HO, "face-down\n" + EARLY + cards + opened + "Dealer: ends the offer\n")
    assert reasons(story) == []
    assert own(story.table) == [("?",)]


def test_a_seen_card_is_not_taken_for_the_unseen_one_behind_it() -> None:
    """7.5, 7.16: the Banker takes an unseen card, none, and it again; the 3 stays before another one."""
    cards = (
        "Dealer: draws ? ? together, order known\nDealer: opens player 5H 5S\nDealer: opens banker 6S QH\n"
    )
    early = "Dealer: draws 3C to player\nDealer: draws ? to banker\nDealer: opens player 5H 5S 7D\n"
    first = "Dealer with Pit Manager: corrects card 5 to KD\n"
    again = "Dealer with Pit Manager: corrects card 2 to 3H\nDealer: opens banker 3H QH QS\n"
    story = told(HO, "face-down\n" + EARLY + cards + early + first + again)
    assert reasons(story) == []
    assert [each.text if each else "?" for each in story.table.strays] == ["3C"]
    assert own(story.table) == [("?",)]
