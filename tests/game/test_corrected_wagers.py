"""Wagers that were entered by mistake: what two people correct, and what they do not."""

from story import HO, S6, T3, happened, reasons, told

from thirdcard.game import events as ev
from thirdcard.game.state import Phase
from thirdcard.refusals import Refusal

CLOSED = """patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
"""
CORRECTS = "Dealer with Pit Manager: corrects 100 of Ann on player at 1 to "


def test_nothing_is_corrected_before_a_round_was_settled() -> None:
    story = told(HO, "patrons Ann at 1\n" + CORRECTS + "nothing\n")
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]


def test_a_wager_that_is_held_is_not_corrected() -> None:
    story = told(HO, CLOSED + "Dealer: holds player of Ann at 1 as suspected\n" + CORRECTS + "nothing\n")
    assert reasons(story) == [Refusal.HELD_AS_SUSPECTED]


def test_a_case_about_another_wager_holds_no_correction_up() -> None:
    reports = "Dealer: draws 9\nDealer with Pit Manager: reports late-withdrawal of {} amount 100 on {}\n"
    other, own = reports.format("Bob", "banker at 2"), reports.format("Ann", "player at 1")
    assert reasons(told(HO, CLOSED + other + CORRECTS + "Ann on banker at 1\n")) == []
    assert reasons(told(HO, CLOSED + own + CORRECTS + "Ann on banker at 1\n")) == [
        Refusal.IRREGULARITY_UNDER_WAY
    ]


def test_an_amount_is_more_than_nothing() -> None:
    story = told(T3, CLOSED + CORRECTS.replace("100", "0") + "nothing\n")
    assert reasons(story) == [Refusal.LESS_ON_THE_WAGER]


def test_a_table_that_calls_by_hand_is_called_again() -> None:
    lines = "automatic expose\n" + CLOSED + "Dealer: draws 9 2 K 5\nDealer: calls player\n" + CORRECTS
    story = told(HO, lines + "Ann on banker at 1\n")
    assert story.table.phase is Phase.OUTCOME
    again = told(HO, lines + "Ann on banker at 1\nDealer: calls player\n")
    assert [each.taken for each in happened(again, ev.RoundSettled)[-1].wagers] == [10000, 10000]


def test_the_part_that_stays_keeps_its_place() -> None:
    lines = CLOSED.replace("Dealer: closes", "Ann: 50 on player at 1\nDealer: closes")
    (placed, *_) = told(HO, CLOSED).table.wagers
    (left, *_) = told(HO, lines + CORRECTS.replace("100", "50") + "nothing\n").table.wagers
    assert (left.stake, left.order) == (10000, placed.order)


def test_a_terminal_has_what_was_entered_there() -> None:
    lines = "patrons T1\nT1: buys 1000 credits\nDealer: opens betting\nT1: 100 on player\n"
    corrects = "Dealer: closes betting\nDealer with Pit Manager: corrects 100 of T1 on player to nothing\n"
    assert reasons(told(S6, lines + corrects)) == [Refusal.BETTING_CLOSED]
