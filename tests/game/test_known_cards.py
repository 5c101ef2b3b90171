"""A card that is known in the dealing device has its place there, and no other one comes for it."""

import pytest
from story import ASSISTANT_DIRECTOR, HO, S6, T3, happened, reasons, told

from thirdcard.game import events as ev
from thirdcard.game.state import Wait
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation

CLOSED = """automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
"""
TERMINAL = """automatic expose
patrons T1
T1: buys 1000 credits
Dealer: opens betting
T1: 100 on player
Dealer: closes betting
"""


@pytest.mark.parametrize("situation", ["face-up-card", "next-card-known", "exposed-in-movement"])
@pytest.mark.parametrize("opened", ["", "Dealer: opens betting\n", CLOSED + "Dealer: draws 9 2 K 5\n"])
def test_a_known_card_behind_others_is_referred_at_hoiana(situation: str, opened: str) -> None:
    story = told(HO, f"{opened}Dealer: reports {situation} cards 9 behind 2")
    assert reasons(story) == []
    assert [each.post for each in happened(story, ev.CaseWaits)] == ["assistant-director"]
    assert story.table.free_hand_by is None
    assert story.table.strays == ()


@pytest.mark.parametrize("situation", ["face-up-card", "next-card-known", "exposed-in-movement"])
def test_a_known_first_card_opens_a_free_hand_at_hoiana(situation: str) -> None:
    story = told(HO, f"Dealer: reports {situation} cards 9")
    assert story.table.free_hand_by == "7.5"
    assert [each.text for each in story.table.strays if each] == ["9"]


def test_a_card_that_a_case_is_about_is_expected_while_it_is_open() -> None:
    """The Banker's 5 was a 2 misread, so the card that was to open the next round is the Banker's."""
    corrected = """Dealer: draws 7 2 K 5
    Dealer: reports next-card-known cards 8
    Dealer with Pit Manager: corrects card 4 to 2
    """
    assert reasons(told(T3, CLOSED + corrected + "Dealer: draws 9")) == [Refusal.OTHER_CARD_EXPECTED]
    assert reasons(told(T3, CLOSED + corrected + "Dealer: draws 8")) == []


def test_a_report_that_is_taken_back_tells_no_card() -> None:
    story = told(
        T3,
        """automatic expose
        patrons Ann at 1
        Dealer: reports face-up-card cards 9 behind 1
        Dealer: withdraws the report
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws K K
        """,
    )
    assert reasons(story) == []
    assert story.table.shoe is not None
    assert story.table.shoe.places.ahead == ()


def test_a_card_face_up_in_the_deal_is_played_in_its_turn_where_a_post_says_so() -> None:
    story = told(
        S6,
        TERMINAL
        + """Dealer: draws 2
        Dealer: reports face-up-card cards 9
        Gaming Shift Manager with Pit Manager: rules play-card because so
        Dealer: draws K
        Dealer: draws 9
        """,
    )
    assert reasons(story) == [Refusal.OTHER_CARD_EXPECTED]
    assert story.table.strays == ()
    assert story.table.round is not None
    assert [each.card.text for each in story.table.round.cards if each.card] == ["2", "9"]


def test_two_known_cards_are_decided_about_one_after_the_other() -> None:
    """Neither is needed: the first opens the next round, the other comes third."""
    story = told(
        T3,
        CLOSED
        + """Dealer: draws 9 2
        Dealer: reports face-up-card cards 7 behind 2
        Dealer: reports face-up-card cards 8 behind 4
        Dealer: draws K 5
        Dealer: calls player
        Gaming Shift Manager: rules keep-as-next-card because so
        Gaming Shift Manager: rules play-card because so
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws 7 2
        Dealer: draws 9
        Dealer: draws 8
        """,
    )
    cases = [each.case.situation for each in happened(story, ev.IrregularityReported)]
    assert cases[2:] == [Situation.NEXT_CARD_KNOWN, Situation.FACE_UP_CARD]
    assert reasons(story) == [Refusal.OTHER_CARD_EXPECTED]


def test_a_card_behind_others_needs_its_face() -> None:
    assert reasons(told(T3, "patrons Ann at 1\nDealer: reports next-card-known behind 2")) == [
        Refusal.FACTS_NEEDED
    ]


def test_a_post_can_make_the_next_hand_free_for_a_card_behind_others() -> None:
    story = told(
        HO,
        f"""automatic expose
        Dealer: reports face-up-card cards 9 behind 1
        {ASSISTANT_DIRECTOR}: rules free-hand because it was seen
        Dealer: deals the free hand
        Dealer: draws K 8
        Dealer: draws K 9
        """,
    )
    assert reasons(story) == [Refusal.OTHER_CARD_EXPECTED]


def test_cards_that_came_together_in_unknown_order_include_the_known_one() -> None:
    """With its place known the other one has its own: the order can be determined (5.8)."""
    face_up = CLOSED + "Dealer: draws 2 3 2 4\nDealer: reports face-up-card cards 9\n"
    one_known = told(T3, face_up + "Dealer: draws 5 9 together, order unknown")
    assert reasons(one_known) == [Refusal.OTHER_FACE_KNOWN]
    face_down = told(T3, face_up + "Dealer: draws 5 ? together, order unknown")
    assert reasons(face_down) == [Refusal.OTHER_FACE_KNOWN]
    passed = told(T3, face_up + "Dealer: draws 5 8 together, order unknown")
    assert reasons(passed) == [Refusal.OTHER_CARD_EXPECTED]


def test_a_card_that_waits_face_down_is_not_passed_by() -> None:
    """It lies outside, so that it cannot come out of the dealing device with another one."""
    story = told(
        T3,
        CLOSED
        + """Dealer: draws 2 3 2 4
        Dealer: draws 5 ? together, order known
        Ann: stays
        Dealer: calls player
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws 7 8 together, order known
        """,
    )
    assert reasons(story) == [Refusal.OTHER_CARD_EXPECTED]


def test_cards_laid_again_keep_where_they_came_from() -> None:
    story = told(
        T3,
        CLOSED
        + """Dealer: draws 2 3 5 4
        Dealer: reports unauthorised-player-card cards 9 6
        Gaming Shift Manager: rules keep-as-next-card because so
        Dealer: calls tie
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws 9 to banker
        """,
    )
    assert story.table.round is not None
    assert [each.drawn_by for each in story.table.round.cards] == ["stray"]


INSTEAD = CLOSED + "Dealer: draws 2 3 2 4\nDealer: reports face-up-card cards 9H\n"
BURNED = "Gaming Shift Manager: rules burn-card because it does not count\n"


def test_all_known_cards_come_after_one_that_does_not_count() -> None:
    """5.6: both cards that were seen shall be played."""
    seen = CLOSED + "Dealer: draws 2 3 2\nDealer: reports face-up-card cards KH 9H\n"
    story = told(T3, seen + "Dealer: draws 5C instead\n" + BURNED + "Dealer: draws KH\nDealer: draws 8S\n")
    assert reasons(story) == [Refusal.OTHER_CARD_EXPECTED]
    after = told(T3, seen + "Dealer: draws 5C instead\n" + BURNED + "Dealer: draws KH 9H\n")
    assert after.table.round is not None
    assert [each.card.text for each in after.table.round.cards if each.card] == ["2", "3", "2", "KH", "9H"]


def test_a_waiting_card_opens_the_round_after_one_that_does_not_count() -> None:
    """6.1: the post burns the other card, so that the one it had ruled about before comes."""
    kept = """Dealer: draws 7 7 K K
    Dealer: draws 9 to player
    Gaming Shift Manager: rules keep-as-next-card because of something
    Dealer: calls tie
    Dealer: opens betting
    Dealer: closes betting
    Dealer: draws 5 instead
    """
    story = told(T3, CLOSED + kept + BURNED + "Dealer: draws 9")
    assert reasons(story) == []
    assert [each.case.situation for each in happened(story, ev.IrregularityReported)] == [
        Situation.UNAUTHORISED_PLAYER_CARD,
        Situation.ORDER_ALTERED,
    ]
    assert story.table.strays == ()


def test_a_first_card_without_a_call_may_be_another_one_as_well() -> None:
    """3.2, 6.1: nobody closed betting, and another card came than the one that was let come."""
    known = """patrons Ann at 1
    Dealer: reports next-card-known cards 9
    Gaming Shift Manager: rules play-card because of something
    Dealer: opens betting
    Ann: 100 on player at 1
    Dealer: draws 5 instead
    """
    story = told(T3, known)
    assert [each.situation for each in story.table.open_cases] == [
        Situation.ORDER_ALTERED,
        Situation.NOT_COVERED,
    ]


def test_no_other_card_comes_from_an_empty_dealing_device() -> None:
    waits = """left 4
    automatic expose
    patrons Ann at 1
    Dealer: opens betting
    Ann: 100 on player at 1
    Dealer: closes betting
    Dealer: draws 2 3 2
    Dealer: reports face-up-card cards 9H
    """
    assert reasons(told(T3, waits + "Dealer: draws 5C instead\n")) == []
    kept = """left 5
    automatic expose
    patrons Ann at 1
    Dealer: opens betting
    Dealer: closes betting
    Dealer: draws 7 7 K K
    Dealer: draws 9 to player
    Gaming Shift Manager: rules keep-as-next-card because of something
    Dealer: calls tie
    Dealer: opens betting
    Dealer: closes betting
    Dealer: draws 5 instead
    """
    assert reasons(told(T3, kept)) == [Refusal.OTHER_CARD_EXPECTED]


def test_a_known_card_is_forgotten_if_the_other_one_was_the_last() -> None:
    """Nothing is left in the dealing device that could be the card which was seen."""
    last = INSTEAD.replace("automatic", "left 5\nautomatic") + "Dealer: draws 5C instead\n" + BURNED
    story = told(T3, last + "Dealer: draws 9H")
    assert story.table.case is not None
    assert story.table.case.situation is Situation.TOO_FEW_CARDS


def test_a_correction_leaves_the_other_card_to_the_post() -> None:
    story = told(T3, INSTEAD + "Dealer: draws 5C instead\nDealer with Pit Manager: corrects card 1 to 6\n")
    assert [each.text for each in story.table.aside if each] == ["5C"]
    assert [each.situation for each in story.table.open_cases] == [Situation.ORDER_ALTERED]


def test_a_third_card_that_a_correction_takes_away_does_not_lie_with_the_other_card() -> None:
    """3.15: the Player has 2 and draws a 6; the Banker draws, and another card comes. The Player had 8."""
    drawn = (
        CLOSED + "Dealer: draws 2 2 K 2 6\nDealer: reports face-up-card cards 9H\nDealer: draws 5C instead\n"
    )
    corrected = "Dealer with Pit Manager: corrects card 1 to 8\n"
    story = told(T3, drawn + corrected)
    assert [each.situation for each in story.table.open_cases] == [
        Situation.UNAUTHORISED_PLAYER_CARD,
        Situation.ORDER_ALTERED,
    ]
    burned = "Gaming Shift Manager: rules burn-card because nobody trusts it\n"
    story = told(T3, drawn + corrected + burned)
    assert [each.text for each in story.table.aside if each] == ["6"]
    kept = "Gaming Shift Manager: rules keep-as-next-card because so\n"
    story = told(T3, drawn + corrected + burned + kept)
    assert reasons(story) == []
    assert story.table.open_cases == ()
    assert story.table.round is not None
    assert [each.card.text for each in story.table.round.cards if each.card] == ["8", "2", "K", "2"]
    assert [each.text for each in story.table.strays if each] == ["6"]


def test_unauthorised_cards_are_not_reported_while_another_card_lies_aside() -> None:
    story = told(
        T3, INSTEAD + "Dealer: draws 5C instead\nDealer: reports cards-together cards 4 5, order known\n"
    )
    assert reasons(story) == [Refusal.IRREGULARITY_UNDER_WAY]


@pytest.mark.parametrize("ruled", ["keep-as-next-card", "keep-as-next-card and void-round"])
def test_a_card_is_ruled_about_together_with_the_void(ruled: str) -> None:
    """6.1: the post that voids the round may let the card open the next one in the same breath."""
    known = f"""Dealer: draws 7 7 K K
    Dealer: reports next-card-known cards 9
    Gaming Shift Manager: rules {ruled} because so
    """
    story = told(T3, CLOSED + known)
    assert reasons(story) == []
    assert story.table.open_cases == ()


def test_a_list_falls_that_leaves_a_corrected_card_in_doubt() -> None:
    """5.11.2.1: after the correction a nine without its suit lies there, and the list has two."""
    story = told(
        T3,
        """method A
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Ann: 300 on player at 1
        Bob: 100 on banker at 2
        Dealer: closes betting
        Dealer: draws ? ? ? ?
        Dealer: passes player to Ann
        Dealer: opens banker 2 7
        Dealer: reports patron-left-with-cards of Ann, value unknown
        Gaming Shift Manager: reserves 3D 6C
        Dealer with Pit Manager: enters lacking 3D 6C 9H 9C 2C 7C
        Dealer with Pit Manager: corrects card 4 to 9
        """,
    )
    assert reasons(story) == []
    assert story.table.case is not None
    assert story.table.case.waits is Wait.SORTED_CARDS


def test_no_single_person_takes_chips_off_once_a_card_that_waits_is_known() -> None:
    """MBS 5.18.1, 6.1: the 9 in error opens the next round, so everybody knows the first card of Player."""
    known = """
        differential 500
        automatic expose
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws 3 2 4 5
        Dealer: draws 9 to player
        Gaming Shift Manager: rules keep-as-next-card because it was seen
        Dealer: calls tie
        Dealer: opens betting
        Ann: 900 on player at 1
        Bob: 100 on banker at 2
        Dealer: closes betting
        Dealer: asks to decrease
    """
    alone = told(T3, known + "Dealer: for Ann takes 400 off player at 1")
    assert reasons(alone) == [Refusal.SECOND_PERSON_NEEDED]
    assert reasons(told(T3, known + "Dealer with Pit Manager: for Ann takes 400 off player at 1")) == []
    assert reasons(told(T3, known + "Ann: takes 400 off player at 1")) == []
