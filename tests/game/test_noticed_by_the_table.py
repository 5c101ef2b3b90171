"""Cases that the table leaves to a post by itself say why; so do people who report something else."""

import pytest
from story import HO, T3, happened, reasons, refused, told

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.causes import Cause
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation

BETTING = "patrons Ann at 1, Bob at 2\nDealer: opens betting\nAnn: 100 on player at 1\n"
CLOSED = BETTING + "Dealer: closes betting\n"
UNBURNED = "burn forgotten\n" + CLOSED


def causes(game: str, lines: str) -> list[Cause | None]:
    """Return the causes of what no rule covers, as the table noticed it."""
    cases = (each.case for each in happened(told(game, lines), ev.IrregularityReported))
    return [each.cause for each in cases if each.situation is Situation.NOT_COVERED]


@pytest.mark.parametrize(
    ("game", "lines", "cause"),
    [
        (T3, BETTING + "Dealer: draws 9", Cause.NO_CLOSING_CALL),
        (
            HO,
            UNBURNED + "Dealer: draws 9 2 K 5\nAnn: chooses new cards\nBob: keeps the cards",
            Cause.PATRONS_DISAGREE,
        ),
        (
            T3,
            CLOSED + "Dealer: draws 9 2 K 5\nDealer: opens betting\n"
            "Dealer with Pit Manager: corrects card 1 of round 1 to 8",
            Cause.CARD_CORRECTED,
        ),
    ],
)
def test_a_referral_by_the_table_says_its_cause(game: str, lines: str, cause: Cause) -> None:
    assert causes(game, lines) == [cause]


@pytest.mark.parametrize("note", ["", "  ", "?!"])
def test_something_else_is_reported_in_words(note: str) -> None:
    body = cmd.ReportIrregularity(situation=Situation.NOT_COVERED, note=note)
    assert refused(T3, told(T3, CLOSED).table, body).reason is Refusal.TEXT_NEEDED


def test_what_people_report_has_no_cause() -> None:
    assert causes(T3, CLOSED + "Dealer: reports not-covered because a drink was spilled") == [None]


# a burn that was left out (Hoiana 2.2.2, 7.11)


def test_a_burn_is_owed_at_the_first_card_that_nobody_viewed() -> None:
    story = told(HO, UNBURNED + "Dealer: draws ?\nDealer: draws ?")
    (reported,) = happened(story, ev.IrregularityReported)
    assert (reported.case.situation, reported.by) == (Situation.BURN_FORGOTTEN, "Table")
    assert reported.clauses == ("7.11",)
    assert story.table.shoe is not None
    assert story.table.shoe.burn_owed
    assert reasons(story) == [Refusal.BURN_OWED]  # 7.11.1


def test_patrons_choose_after_a_hand_in_which_a_card_was_viewed() -> None:
    story = told(HO, UNBURNED + "Dealer: draws 9 2 K 5\nDealer: opens betting")
    assert [each.case.situation for each in happened(story, ev.IrregularityReported)] == [
        Situation.BURN_FORGOTTEN
    ]
    assert reasons(story) == [Refusal.PATRONS_CHOOSE_CARDS]  # 7.11.2.1


def test_a_burn_that_was_made_is_not_missed() -> None:
    assert happened(told(HO, CLOSED + "Dealer: draws 9 2 K 5"), ev.IrregularityReported) == []


def test_no_alarm_stands_beside_the_case_of_a_forgotten_burn() -> None:
    assert happened(told(HO, UNBURNED + "Dealer: draws 9 2 K 5"), ev.AlarmRaised) == []


def test_no_burn_is_missed_where_the_document_has_none() -> None:
    story = told(T3, UNBURNED + "Dealer: draws 9 2 K 5")
    assert happened(story, ev.IrregularityReported) == []
