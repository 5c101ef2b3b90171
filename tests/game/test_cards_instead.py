"""Cards that are known before they come: face down they keep their faces, and others may come instead."""

import pytest
from story import T3, happened, reasons, told

from thirdcard.game import events as ev
from thirdcard.game.state import Wait
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation

CLOSED = """automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
"""
SEEN = CLOSED + "Dealer: draws A 3\nDealer: reports face-up-card cards 8S\n"
INSTEAD = SEEN + "Dealer: draws 4 5 together, order known instead\n"


def _lying(text: str, game: str = T3) -> str:
    """The cards that lie aside after a story."""
    return " ".join(each.text if each else "?" for each in told(game, text).table.aside)


@pytest.mark.parametrize(
    ("seen", "drawn", "lying"),
    [
        ("8S", "? 4 together, order known", "8S 4"),
        ("8S behind 1", "4 ? together, order known", "4 8S"),
        ("8S behind 1", "? ? ? together, order unknown", "? 8S ?"),
        ("8S", "4 5 ? together, order unknown", "8S 4 5"),
        ("8S", "4 ? 5 together, order unknown", "8S 4 5"),
    ],
)
def test_a_card_told_face_down_has_the_face_known_at_its_place(seen: str, drawn: str, lying: str) -> None:
    dealt = CLOSED + f"Dealer: draws A 3 2 4\nDealer: reports face-up-card cards {seen}\n"
    assert _lying(dealt + f"Dealer: draws {drawn}") == lying


def test_a_report_of_a_card_in_error_has_the_face_that_was_known() -> None:
    """It was seen, so that nobody can tell it as unseen (5.6, 6.1)."""
    dealt = CLOSED + "Dealer: draws 2 3 7\nDealer: reports face-up-card cards 8S behind 1\nDealer: draws K\n"
    told_unseen = dealt + "Dealer: reports unauthorised-player-card cards ?, unseen"
    assert reasons(told(T3, told_unseen)) == [Refusal.OTHER_FACE_KNOWN]
    assert _lying(dealt + "Dealer: reports unauthorised-player-card cards ?") == "8S"


def test_a_card_in_error_of_a_round_that_is_over_has_the_face_that_was_known() -> None:
    """The post has let it come in its turn, behind another card (6.1)."""
    over = (
        CLOSED
        + "Dealer: draws 2 3 7 K\nDealer: calls player\nDealer: reports face-up-card cards 8S behind 1\n"
    )
    error = over + _ruled("play-card") + "Dealer: draws 4 ? together to player, order known"
    assert _lying(error) == "4 8S"


def test_nothing_is_known_of_cards_that_came_instead() -> None:
    face_down = told(T3, SEEN + "Dealer: draws ? ? together, order unknown instead")
    assert [each.alarm.other.text for each in happened(face_down, ev.AlarmRaised) if each.alarm.other] == [
        "8S"
    ]
    assert face_down.table.aside == (None, None)


def test_the_alarm_names_the_card_that_came_where_another_was_known() -> None:
    seen = CLOSED + "Dealer: draws A\nDealer: reports face-up-card cards 8S behind 1\n"
    for order in ("known", "unknown"):
        story = told(T3, seen + f"Dealer: draws 4 5 together, order {order} instead")
        (alarm,) = [each.alarm for each in happened(story, ev.AlarmRaised)]
        assert (alarm.other and alarm.other.text, alarm.number) == ("8S", 1)
        assert alarm.card is not None
        assert alarm.card.text == ("5" if order == "known" else "4")


def test_two_known_cards_that_were_passed_by_come_in_their_order() -> None:
    both = SEEN + "Dealer: reports face-up-card cards 9S behind 1\n"
    burned = both + "Dealer: draws 4 5 together, order known instead\n" + _ruled("burn-card")
    assert reasons(told(T3, burned + "Dealer: draws 8S 9S")) == []


def _ruled(choice: str) -> str:
    return f"Gaming Shift Manager: rules {choice} because so\n"


def test_cards_that_came_instead_belong_to_the_doubt_until_the_post_has_decided() -> None:
    story = told(T3, INSTEAD)
    assert [each.situation for each in story.table.open_cases] == [
        Situation.CARDS_TOGETHER,
        Situation.ORDER_ALTERED,
    ]
    assert [each.waits for each in story.table.open_cases] == [None, Wait.DECISION]


def test_a_round_with_cards_that_came_instead_is_void_by_an_order_that_is_lost() -> None:
    """Somebody else can report that it cannot be reconstructed (5.2): then nobody knows what comes next."""
    lost = "Pit Supervisor: reports order-altered, not reconstructable\nPit Manager: confirms\n"
    story = told(T3, INSTEAD + lost)
    assert reasons(story) == []
    assert len(happened(story, ev.RoundVoided)) == 1
    assert story.table.open_cases == ()


def test_cards_that_came_instead_and_are_told_anew_wait_for_the_same_decision() -> None:
    """Their order was known after all; whether they count is decided first, and no void is left (5.8.2.1)."""
    unknown = SEEN + "Dealer: draws 4 5 together, order unknown instead\n"
    anew = unknown + "Pit Manager: finds that it is not so because the film shows the order\n"
    story = told(T3, anew)
    case = story.table.case
    assert case is not None
    assert (case.situation, case.waits) == (Situation.ORDER_ALTERED, Wait.DECISION)
    order = "Dealer with Pit Manager: reports cards-together cards 4 5, order known\n"
    goes_on = told(T3, anew + order + _ruled("play-card") + "Ann: stays")
    assert reasons(goes_on) == []
    assert goes_on.table.open_cases == ()
    assert goes_on.table.round is not None
    assert [each.card.text for each in goes_on.table.round.cards if each.card] == ["A", "3", "4", "5"]


def test_cards_for_a_hand_that_came_instead_lie_aside_for_one_case() -> None:
    complete = CLOSED + "Dealer: draws 2 3 7 K\nDealer: reports next-card-known cards 8S\n"
    story = told(T3, complete + "Dealer: draws 4 5 together to player, order known instead")
    assert [each.situation for each in story.table.open_cases][-1] is Situation.ORDER_ALTERED
    assert len(story.table.aside) == 2
    kept = told(
        T3, complete + "Dealer: draws 4 5 together to player, order known instead\n" + _ruled("burn-card")
    )
    assert kept.table.aside == ()
