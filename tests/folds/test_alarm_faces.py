"""Alarms name their cards once staff may know them, and never a card that lies face down."""

import pytest
from folds.stories import TIGER, tell

from thirdcard.messages import say

READING = "device card-reading\npatrons Ann at 1\n"
WAGERS = "Dealer: opens betting\nAnn: 600 on player at 1\nDealer: closes betting\n"
BETTING = "automatic call\n" + READING + WAGERS  # the Dealer opens the cards
OPEN = "automatic expose call\n" + READING + WAGERS
MISREAD_OF_NINE = "Dealer: raises the alarm card-mismatch cards 9H 6H\n"
NAMED = "The card reader read 9H, but 6H was entered. Look at the card on the felt."
UNNAMED = (
    "The card reader read a card face down, but a card face down was entered. Look at the card on the felt."
)


def told(lines: str, game: str = TIGER) -> list[str]:
    """The alarms as staff read them."""
    section = tell(lines, game).staff.alerts
    assert section is not None
    return [say(each.what) for each in section.alerts]


def test_an_alarm_names_its_cards_when_all_cards_of_its_round_lie_open() -> None:
    dealt = BETTING + "Dealer: draws 9H 2C KS 5C\n" + MISREAD_OF_NINE
    assert told(dealt) == [UNNAMED]
    assert told(dealt + "Dealer: opens player 9H KS\n") == [UNNAMED]
    assert told(dealt + "Dealer: opens player 9H KS\nDealer: opens banker 2C 5C\n") == [NAMED]


def test_a_card_that_came_too_often_is_named_at_once_where_cards_are_dealt_open() -> None:
    alarm = "Dealer: raises the alarm too-many-copies cards 9H number 9\n"
    named = "9H has come 9 times, more often than the shoe has decks. Stop and count the cards."
    assert told(OPEN + f"Dealer: draws 9H 2C\n{alarm}") == [named]
    (closed,) = told(BETTING + f"Dealer: draws 9H 2C\n{alarm}")
    assert closed.startswith("a card face down has come 9 times")


def test_a_card_that_differs_is_named_after_the_outcome_alone() -> None:
    """Before it the reader may mean a card that the Dealer enters next."""
    dealt = OPEN + "Dealer: draws 9H 2C KS\n" + MISREAD_OF_NINE
    assert told(dealt) == [UNNAMED]
    assert told(dealt + "Dealer: draws 5C\n") == [NAMED]


def test_a_card_of_a_round_that_became_void_is_named_when_the_shoe_is_over() -> None:
    """Its cards may never have been opened."""
    void = BETTING + "Dealer: draws 9H 2C\n" + MISREAD_OF_NINE
    void += "Dealer: reports order-altered, not reconstructable\nPit Manager: confirms\n"
    assert told(void)[0] == UNNAMED
    next_round = "Dealer: opens betting\nDealer: closes betting\nDealer: draws 3C 4C 6D 5D\n"
    assert told(f"{void}{next_round}Dealer: opens player 3C 6D\nDealer: opens banker 4C 5D\n")[0] == UNNAMED
    assert told(void + "Dealer with Pit Manager: loads 8 decks\n")[0] == NAMED


@pytest.mark.parametrize("alarm", ["unexpected-card cards 7H", "not-the-sealed-card cards 7H 8H number 5"])
def test_a_card_that_may_still_come_is_not_named_before_the_shoe_is_over(alarm: str) -> None:
    over = OPEN + "Dealer: draws 9H 2C KS 5C\n"
    over += f"Dealer: raises the alarm {alarm}\n"
    (before,) = told(over)
    assert "7H" not in before
    assert "a card face down" in before
    (after,) = told(over + "Dealer with Pit Manager: loads 8 decks\n")
    assert "7H" in after


def test_a_card_read_face_down_outside_the_hands_keeps_alarms_without_names() -> None:
    aside = OPEN + "Dealer: draws 9H 2C KS 5C\n"
    aside += "Dealer: opens betting\nDealer: draws 7H to player\n"
    assert "7H" not in " ".join(told(aside + MISREAD_OF_NINE))


def test_an_alarm_that_was_acknowledged_is_named_no_more() -> None:
    dealt = BETTING + "Dealer: draws 9H 2C KS 5C\n" + MISREAD_OF_NINE
    story = tell(dealt)
    (waiting,) = story.watch.unnamed
    seen = f"{dealt}Pit Supervisor: acknowledges the alert of record {waiting.sequence}\n"
    assert tell(seen).watch.unnamed == ()
    assert told(seen + "Dealer: opens player 9H KS\nDealer: opens banker 2C 5C\n") == []


def test_an_alarm_without_a_shoe_or_a_card_has_nothing_to_name() -> None:
    assert tell(READING + "Dealer: raises the alarm reader-fault\n").watch.unnamed == ()
    lines = "device card-reading\ntable shut\nDealer: raises the alarm unexpected-card cards 7H\n"
    assert "7H" not in told(lines)[0]
