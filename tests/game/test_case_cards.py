"""Each card outside the hands belongs to one case at most, and no other case decides about it."""

import pytest
from story import HO, S6, T3, happened, reasons, told

from thirdcard.game import events as ev
from thirdcard.game.card_sources import STRAY
from thirdcard.game.case_cards import CaseCards, cards_of_case
from thirdcard.game.next_cards import source_of
from thirdcard.game.state import Phase, Table
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation

CLOSED = """automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
"""
# Player 2-2-5 has 9, Banker K-7 has 7, and the 9 is left over
LEFT_OVER = CLOSED + "Dealer: draws 2 K 2 7\nDealer: draws 5 9 together, order known\nAnn: stays\n"
# both hands stand, and the Banker has a third card all the same
ASIDE = CLOSED + "Dealer: draws K K 7 7\nDealer: draws 5 to banker\n"


def open_situations(table: Table) -> list[Situation]:
    return [each.situation for each in table.open_cases]


def waiting(table: Table) -> tuple[list[str], list[str]]:
    """The cards that lie aside and those that wait for the next round."""
    aside, strays = ([each.text if each else "?" for each in pile] for pile in (table.aside, table.strays))
    return aside, strays


def test_only_staff_say_that_a_card_aside_never_came() -> None:
    story = told(T3, ASIDE + "Ann: withdraws the report\nDealer: withdraws the report\n")
    assert reasons(story) == [Refusal.NOT_AWAITED, Refusal.SECOND_PERSON_NEEDED]


def test_a_shoe_that_another_case_has_emptied_gives_no_next_card() -> None:
    story = told(
        S6,
        """automatic expose
        left 5
        patrons T1
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws 7 3 K 9 J
        Dealer with Pit Manager: corrects card 3 to A
        Dealer: reports not-covered because so
        Gaming Shift Manager: rules burn-card because nobody wants it
        Gaming Shift Manager: rules continue because the other one decides
        Gaming Shift Manager with Pit Manager: rules keep-as-next-card because it was seen
        """,
    )
    assert reasons(story) == [Refusal.NO_SUCH_CHOICE]  # no card is left that the second case could burn
    assert waiting(story.table) == ([], ["J"])
    assert story.table.shoe is not None
    assert story.table.shoe.left == 0


def test_a_case_without_cards_burns_the_next_card_of_the_shoe() -> None:
    burn = "Dealer: reports not-covered because so\nGaming Shift Manager: rules burn-card because so\n"
    story = told(T3, ASIDE + burn)
    assert waiting(story.table) == (["5"], [])
    assert open_situations(story.table) == [Situation.UNAUTHORISED_BANKER_CARD]
    story = told(T3, LEFT_OVER + burn)
    assert waiting(story.table) == ([], ["9"])


def test_the_card_that_waits_is_burned_by_its_own_case_while_others_lie_aside() -> None:
    """A third card nobody was due lies aside while the card that is left over is decided about."""
    story = told(
        T3,
        CLOSED
        + """Dealer: draws 2 K 2 7
        Dealer: draws 5 9 together, order known
        Ann: stays
        Dealer: draws 8 to banker
        """,
    )
    table = story.table
    assert waiting(table) == (["8"], ["9"])
    known, unauthorised = table.open_cases
    assert cards_of_case(table, known).pile == "strays"
    assert cards_of_case(table, unauthorised).pile == "aside"


def test_nobody_burns_the_next_card_while_another_case_decides_about_it() -> None:
    story = told(
        T3,
        CLOSED
        + """Dealer: draws 9 2 K 5
        Dealer: reports next-card-known cards 8
        Dealer: reports not-covered because so
        Gaming Shift Manager: rules burn-card because so
        """,
    )
    assert reasons(story) == [Refusal.NO_SUCH_CHOICE]


def test_a_known_card_that_is_dealt_after_all_is_no_longer_decided_about() -> None:
    """The Banker's 5 was a 2 misread: the card that was known to come next is now a third card."""
    story = told(
        T3,
        CLOSED
        + """Dealer: draws 7 2 K 5
        Dealer: reports next-card-known cards 8
        Dealer with Pit Manager: corrects card 4 to 2
        Dealer: draws 8
        """,
    )
    assert reasons(story) == []
    assert not story.table.open_cases
    assert waiting(story.table) == ([], [])


def test_cards_go_back_once_the_order_of_those_that_lie_aside_is_known() -> None:
    together = "device electronic\n" + CLOSED + "Dealer: draws ? ? ?\nDealer: draws ? ? together, order "
    story = told(T3, together + "unknown\nDealer: reports device-reset")
    assert reasons(story) == [Refusal.IRREGULARITY_UNDER_WAY]
    assert waiting(story.table) == (["?", "?"], [])
    story = told(T3, together + "known\nDealer: reports device-reset\nAnn: stays")
    assert waiting(story.table) == ([], [])
    assert not story.table.open_cases
    assert [each.superseded_by for each in happened(story, ev.CaseClosed) if each.id == 1] == [2]
    assert story.table.phase is Phase.BETTING


@pytest.mark.parametrize("order", ["known", "unknown"])
def test_nobody_is_asked_about_cards_that_go_back_for_the_burn(order: str) -> None:
    """7.11.1: no card has been viewed, so that both are retrieved and the burn takes place."""
    story = told(HO, f"burn forgotten\n{CLOSED}Dealer: draws ? ? together, order {order}\n")
    assert reasons(story) == []
    assert waiting(story.table) == ([], [])
    assert [each.case.situation for each in happened(story, ev.IrregularityReported)] == [
        Situation.BURN_FORGOTTEN
    ]
    assert not story.table.open_cases
    assert story.table.shoe is not None
    assert story.table.shoe.burn_owed
    assert story.table.phase is Phase.CLOSED


def test_a_card_that_was_viewed_lets_the_hand_without_a_burn_continue() -> None:
    """Nothing goes back, so that the cards that lie aside do not matter."""
    story = told(
        HO,
        "burn forgotten\n"
        + CLOSED
        + """Dealer: draws 5 9 together, order known
        Dealer: ends the offer
        Dealer: draws K 2
        """,
    )
    assert reasons(story) == []
    assert story.table.shoe is not None
    assert story.table.shoe.patrons_choose
    assert not story.table.shoe.burn_owed


def test_an_order_is_put_right_around_cards_that_lie_aside() -> None:
    story = told(
        T3,
        CLOSED
        + """Dealer: draws 2 K 2 7
        Dealer: draws 5 9 together, order known
        Dealer with Pit Manager: reports wrong-order cards 2 7 2 K
        """,
    )
    assert reasons(story) == []
    assert waiting(story.table) == (["5", "9"], [])
    assert open_situations(story.table) == [Situation.CARDS_TOGETHER]
    assert cards_of_case(story.table, story.table.case).places == (4, 5)


def test_a_report_is_taken_back_while_cards_of_another_case_lie_aside() -> None:
    story = told(T3, ASIDE + "Dealer: reports foreign-card\nDealer: withdraws the report")
    assert reasons(story) == []
    assert open_situations(story.table) == [Situation.UNAUTHORISED_BANKER_CARD]
    story = told(
        T3, ASIDE + "Dealer: reports foreign-card\nPit Manager: finds that it is not so because it is ours"
    )
    assert reasons(story) == []
    assert open_situations(story.table) == [Situation.UNAUTHORISED_BANKER_CARD]


def test_new_cards_do_not_decide_about_a_card_that_lies_aside() -> None:
    story = told(T3, ASIDE + "Gaming Shift Manager: rules replace-cards because so")
    assert reasons(story) == [Refusal.CARD_UNDECIDED]
    story = told(T3, ASIDE + "Gaming Shift Manager: rules replace-cards and burn-card because so")
    assert reasons(story) == []
    assert waiting(story.table) == ([], [])


def test_a_second_card_left_over_is_asked_about_with_the_first() -> None:
    """In the true order the Player has a natural, and the third card is left over as well."""
    story = told(T3, LEFT_OVER + "Dealer with Pit Manager: reports wrong-order cards 2 K 7 2 5")
    table = story.table
    assert waiting(table) == ([], ["5", "9"])  # in the order in which they came out
    assert open_situations(table) == [Situation.NEXT_CARD_KNOWN]
    assert [event.id for event in happened(story, ev.CaseClosed) if event.superseded_by == table.cases] == [2]
    assert len(cards_of_case(table, table.case).places) == 2


def test_a_case_that_is_about_no_card_has_none() -> None:
    story = told(T3, CLOSED + "Dealer: draws 9 2 K 5\nDealer: reports not-covered because so")
    assert cards_of_case(story.table, story.table.case) == CaseCards()
    assert cards_of_case(story.table, None) == CaseCards()


# where the next card comes from


def test_a_card_that_waits_for_the_next_round_is_not_drawn_in_this_one() -> None:
    """The 9 waits; a further card that nobody was due comes from the shoe."""
    table = told(T3, LEFT_OVER).table
    assert table.phase is Phase.OUTCOME
    assert waiting(table) == ([], ["9"])
    assert source_of(table) is None
    story = told(T3, LEFT_OVER + "Dealer: draws 4 to banker\n")
    assert reasons(story) == []
    assert waiting(story.table) == (["4"], ["9"])


def test_cards_that_wait_are_drawn_one_after_the_other_before_the_shoe() -> None:
    lines = [
        "Dealer: calls player",
        "Gaming Shift Manager: rules keep-as-next-card because they were seen",
        "Dealer: opens betting",
        "Dealer: closes betting",
    ]
    together = LEFT_OVER.replace("draws 5 9 together", "draws 5 9 8 together") + "\n".join(lines) + "\n"
    sources = []
    for drawn in ("", "Dealer: draws 9\n", "Dealer: draws 9 8\n", "Dealer: draws 9 8 2\n"):
        story = told(T3, together + drawn)
        assert reasons(story) == []
        sources.append(source_of(story.table))
    assert sources == [STRAY, STRAY, None, None]
