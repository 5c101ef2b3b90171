"""Cards that were entered or read wrongly: the card that lies there decides."""

from collections import Counter

import pytest
from story import HO, T3, happened, reasons, told

from thirdcard.cards import parse_card
from thirdcard.game import events as ev
from thirdcard.game.state import Phase
from thirdcard.refusals import Refusal
from thirdcard.roundfile.play import Played
from thirdcard.rulebook.irregularity import Situation

DEALT = """
    automatic expose
    patrons Ann at 1
    Dealer: opens betting
    Ann: 100 on player at 1
    Dealer: closes betting
"""
CORRECTS = "Dealer with Pit Manager: corrects card"


def cards_in_use(story: Played) -> int:
    """Return how many cards are in the shoe, at the hands, outside and among the discards."""
    table = story.table
    assert table.shoe is not None
    assert table.round is not None
    lying = 0 if table.round.ended else len(table.round.cards)
    return table.shoe.left + table.shoe.discards + lying + len(table.aside) + len(table.strays)


def hands(text: str) -> list[str]:
    """Return the faces of the last round as they lie, hand by hand."""
    current = told(T3, DEALT + text).table.round
    assert current is not None
    return [f"{each.hand.value} {each.card.text if each.card else '?'}" for each in current.cards]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Dealer: corrects card 1 to 8", Refusal.SECOND_PERSON_NEEDED),
        (f"{CORRECTS} 1 to 9", Refusal.NOTHING_TO_PUT_RIGHT),
        (f"{CORRECTS} 3 to 9", Refusal.NO_SUCH_CARD),
        (f"{CORRECTS} 1 of round 2 to 8", Refusal.NO_SUCH_ROUND),
        (f"{CORRECTS} 1 of round 0 to 8", Refusal.NO_SUCH_ROUND),
    ],
)
def test_a_correction_that_cannot_be_is_refused(line: str, reason: Refusal) -> None:
    assert reasons(told(T3, DEALT + "Dealer: draws 9 2\n" + line)) == [reason]


def test_a_card_that_nobody_has_seen_is_opened_and_not_corrected() -> None:
    story = told(T3, "method A\n" + DEALT + f"Dealer: draws ? 2\n{CORRECTS} 1 to 9")
    assert reasons(story) == [Refusal.HANDS_NOT_OPEN]


def test_a_correction_in_the_initial_deal_changes_one_card() -> None:
    assert hands(f"Dealer: draws 9 2\n{CORRECTS} 1 to 8\n") == ["player 8", "banker 2"]


def test_a_third_card_goes_to_the_hand_that_draws_by_the_cards_as_they_lie() -> None:
    dealt = f"Dealer: draws 2 3 3 K\nDealer: draws 4\n{CORRECTS} 1 to 3\n"
    assert hands(dealt)[4:] == ["banker 4"]  # 3.15.T3, 3.15.T10: Player stands on 6, Banker draws on 3
    story = told(T3, DEALT + dealt)
    assert [each.cards for each in happened(story, ev.CardsReconstructed)] != []
    assert story.table.phase is Phase.OUTCOME


def test_third_cards_that_stay_right_stay_where_they_lie() -> None:
    dealt = f"Dealer: draws 2 3 K K\nDealer: draws 5\n{CORRECTS} 1 to A\n"
    story = told(T3, DEALT + dealt)
    assert not happened(story, ev.CardsReconstructed)
    assert story.table.phase is Phase.DEALING


def test_a_third_card_that_is_not_due_is_none_of_those_that_came_together() -> None:
    """6.1: the post decides about the 5 by itself; the order of the others is still to be determined."""
    story = told(
        T3,
        DEALT
        + f"""
        Dealer: draws 2 3 K K
        Dealer: draws 5
        Dealer: draws 6 7 together, order unknown
        {CORRECTS} 1 to 9
        Gaming Shift Manager: rules keep-as-next-card because so
        """,
    )
    assert not reasons(story)
    assert [each.text for each in story.table.strays if each] == ["5"]
    together = next(each for each in story.table.open_cases if each.situation is Situation.CARDS_TOGETHER)
    assert [each.text for each in together.cards if each] == ["6", "7"]
    assert story.table.aside == together.cards


@pytest.mark.parametrize(
    ("game", "then", "post"),
    [
        (T3, "Pit Manager: loads 8 decks", "gaming-shift-manager"),
        (HO, "Dealer: opens betting", "assistant-director"),
    ],
    ids=["another shoe", "betting opened"],
)
def test_the_record_is_corrected_later_and_the_money_is_referred(game: str, then: str, post: str) -> None:
    story = told(game, DEALT + f"Dealer: draws 9 2 K 5\nDealer: calls player\n{then}\n{CORRECTS} 1 to 2\n")
    assert story.table.round is not None
    assert [each.card.text for each in story.table.round.cards if each.card] == ["2", "2", "K", "5"]
    assert not happened(story, ev.SettlementReversed)
    assert [each.post for each in happened(story, ev.CaseWaits)] == [post]  # 6.1, 7.20


def test_a_card_of_an_earlier_round_is_corrected_in_the_record_alone() -> None:
    rounds = "Dealer: draws 9 2 K 5\nDealer: calls player\nDealer: opens betting\n"
    story = told(T3, DEALT + rounds + f"{CORRECTS} 1 of round 1 to 2")
    (corrected,) = happened(story, ev.CardCorrected)
    assert (corrected.round, corrected.old, corrected.by, corrected.second) == (
        1,
        parse_card("9"),
        "Dealer",
        "Pit Manager",
    )
    assert [each.case.situation for each in happened(story, ev.IrregularityReported)] == [
        Situation.NOT_COVERED
    ]


def test_of_two_cards_that_wait_only_the_one_that_is_due_is_taken_back() -> None:
    """The Player has 5 and draws, the Banker stands on 6 against a 9: the second card is still free."""
    story = told(
        HO,
        """automatic expose
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws K K 7 6
        Dealer: draws 9 to player
        Dealer: draws 4 to banker
        Dealer with Pit Manager: corrects card 3 to 5
        """,
    )
    table = story.table
    assert reasons(story) == []
    assert table.round is not None
    assert [each.card.text for each in table.round.cards if each.card] == ["K", "K", "5", "6", "9"]
    assert [each.text for each in table.strays if each] == ["4"]
    assert table.free_hand_by == "7.7"
    assert cards_in_use(story) == 416


def test_a_card_that_waits_is_corrected_without_another_settlement() -> None:
    story = told(
        HO,
        """automatic expose
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws K K 7 6
        Dealer: draws 9 to player
        Dealer: calls player
        Dealer with Pit Manager: corrects card 5 to 8
        Dealer with Pit Manager: corrects card 6 to 8
        """,
    )
    assert reasons(story) == [Refusal.NO_SUCH_CARD]
    assert [each.text for each in story.table.strays if each] == ["8"]
    assert not happened(story, ev.SettlementReversed)
    assert not story.table.open_cases
    assert cards_in_use(story) == 416


def test_a_third_card_too_many_does_not_join_the_card_that_lies_aside() -> None:
    """The Player turns out to have a natural: the post decides about that third card, and about the other."""
    story = told(
        T3,
        """automatic expose
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws 2 K 2 7
        Dealer: draws 5
        Dealer: draws 9 to banker
        Dealer with Pit Manager: corrects card 3 to 6
        Gaming Shift Manager: rules keep-as-next-card because so
        Gaming Shift Manager: rules burn-card because so
        """,
    )
    assert reasons(story) == []
    assert [each.text for each in story.table.strays if each] == ["5"]
    assert [each.cards for each in happened(story, ev.CardsBurned)] == [1]
    assert story.table.phase is Phase.OUTCOME
    assert not story.table.open_cases


def test_a_card_of_an_earlier_round_has_its_new_face_at_its_place() -> None:
    """MBS 6.3: the cards that were dealt decide, so the one that lay there is told for its own place."""
    rounds = """
        Dealer: draws 9H 2H KH 5H
        Dealer: calls player
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws 9S 2S KS 5S
        Dealer: calls player
        Dealer: opens betting
    """
    shoe = told(T3, DEALT + rounds + f"{CORRECTS} 2 of round 1 to 3D").table.shoe
    assert shoe is not None
    faces = ["9H", "3D", "KH", "5H", "9S", "2S", "KS", "5S"]
    assert shoe.places.faces == tuple(map(parse_card, faces))
    assert Counter(shoe.drawn) == Counter(map(parse_card, faces))
