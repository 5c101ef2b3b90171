"""After a hand without a burn each patron says whether new cards come (Hoiana 7.11.2.1)."""

import pytest
from story import ASSISTANT_DIRECTOR, HO, happened, reasons, told

from thirdcard.game import events as ev
from thirdcard.refusals import Refusal
from thirdcard.roundfile.play import Played

HAND = """burn forgotten
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2
Dealer: draws K 5
"""
OPENS = "Dealer: opens betting\n"


def after(lines: str) -> Played:
    return told(HO, HAND + lines)


def needs(story: Played) -> list[tuple[str, tuple[str, ...]]]:
    """The events about the cards after patrons were to choose, with the clauses."""
    return [(each.need, tuple(map(str, each.clauses))) for each in happened(story, ev.CardReplacementDue)][1:]


def test_new_cards_come_when_all_want_them() -> None:
    story = after("Ann: chooses new cards\nBob: chooses new cards\n" + OPENS)
    assert needs(story) == [("shall", ("7.11.2.1",))]
    assert reasons(story) == [Refusal.NEW_CARDS_DUE]


def test_the_shoe_waits_until_everybody_has_answered() -> None:
    story = after("Ann: chooses new cards\n" + OPENS)
    assert needs(story) == []
    assert reasons(story) == [Refusal.PATRONS_CHOOSE_CARDS]


def test_an_answer_can_be_changed_until_all_have_answered() -> None:
    story = after("Ann: chooses new cards\nAnn: keeps the cards\nBob: keeps the cards\n" + OPENS)
    assert needs(story) == [("keep", ("7.11.2.1",))]
    assert reasons(story) == []


@pytest.mark.parametrize(
    ("decision", "need"), [("continue", ("keep", ("7.20",))), ("replace-cards", ("shall", ("7.20",)))]
)
def test_where_patrons_disagree_a_post_decides(decision: str, need: tuple[str, tuple[str, ...]]) -> None:
    differ = "Ann: chooses new cards\nBob: keeps the cards\n"
    story = after(f"{differ}{ASSISTANT_DIRECTOR}: rules {decision} because they disagree\n")
    assert needs(story) == [need]
    assert not story.table.open_cases


def test_a_decision_about_something_else_leaves_the_choice_to_the_patrons() -> None:
    story = after(
        f"Dealer: reports not-covered because so\n{ASSISTANT_DIRECTOR}: rules continue because it is so\n"
    )
    assert needs(story) == []
    assert story.table.shoe is not None
    assert story.table.shoe.patrons_choose


def test_whoever_leaves_is_not_waited_for() -> None:
    story = after("Ann: chooses new cards\nBob: leaves the table\n")
    assert needs(story) == [("shall", ("7.11.2.1",))]


def test_staff_choose_where_nobody_is_left_who_was_asked() -> None:
    gone = "Ann: leaves the table\nBob: leaves the table\n"
    story = after(gone + "Zed: keeps the cards\nDealer: keeps the cards\n" + OPENS)
    assert reasons(story) == [Refusal.UNKNOWN_PATRON]
    assert needs(story) == [("keep", ("7.11.2.1",))]


def test_staff_answer_only_for_patrons_who_are_there() -> None:
    story = after("Dealer: for Zed keeps the cards\nBob: ends the offer\n")
    assert reasons(story) == [Refusal.UNKNOWN_PATRON, Refusal.NOT_STAFF]
    assert not happened(story, ev.CardsChosen)


def test_when_time_is_up_the_silent_let_the_shoe_go_on() -> None:
    story = after("Ann: chooses new cards\nDealer: ends the offer\n")
    assert [(each.patron, each.replace) for each in happened(story, ev.CardsChosen)] == [
        ("Ann", True),
        ("Bob", False),
    ]
    assert story.table.case is not None  # they disagree, so that it is referred
