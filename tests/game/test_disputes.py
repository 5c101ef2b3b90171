"""Disputes, step by step: whose turn it is, what is owed, and the round that each is about."""

import pytest
from msgspec.structs import replace
from story import HO, N4, S6, T3, happened, reasons, refused, rulebook, told

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.dispute_duties import duties_left
from thirdcard.game.dispute_steps import AwardWay
from thirdcard.refusals import Refusal
from thirdcard.rulebook.dispute_rules import DisputeRules, dispute_rules
from thirdcard.rulebook.shelf import shelf_house

ANN = "patrons Ann at 1\nAnn: disputes that\n"
ESCALATED = ANN + "Pit Supervisor: escalates dispute 1\n"
INFORMED = ESCALATED + "Pit Manager: informs surveillance of dispute 1\n"
GATHERED = INFORMED + "Pit Manager: gathers for dispute 1 from Ann that she said so\n"
FRAMED = GATHERED + "Pit Manager: promises an answer to dispute 1 soon\n"
LACKING = (
    "accounts-of-both-parties (none), surveillance-evidence (none), other-evidence (none), law (none), "
    "operating-procedures (none)"
)
DECIDED = FRAMED + f"Pit Manager: decides dispute 1 as no citing game-rules lacking {LACKING}\n"
AWARDED = DECIDED.replace("Pit Manager: decides", "Pit Manager with Dealer: decides")[:-1] + " awarding 10\n"
DISAGREED = DECIDED + "Ann: disagrees with dispute 1\n"
TOLD = DISAGREED + (
    "Pit Manager: informs the inspector of dispute 1\n"
    "Pit Manager: explains the right to complain in dispute 1\n"
)
CLOSED = TOLD + "Pit Manager: closes dispute 1\n"
FIRST = ANN + "Pit Supervisor with Dealer: decides dispute 1 as so citing game-rules awarding 10\n"
COMPLAINED = CLOSED + "Ann: complains in dispute 1 helped by Dealer because of that\n"


def rules_of(game: str) -> DisputeRules:
    """Return the procedure at a table of a game."""
    document = rulebook(game).document
    return dispute_rules(document, shelf_house(document.house).form)


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (ANN, ["resolve"]),
        (FIRST, ["answer", "pay"]),
        (FIRST + "Ann: agrees with dispute 1", ["pay"]),
        (FIRST + "Ann: disagrees with dispute 1", ["escalate"]),
        (
            FIRST + "Pit Supervisor with Dealer: pays the award of dispute 1 to Ann, in chips",
            ["answer", "receipt"],
        ),
        (ESCALATED, ["gather", "surveillance", "time-frame", "decide"]),
        (INFORMED, ["gather", "time-frame", "decide"]),
        (FRAMED, ["decide"]),
        (GATHERED + "Pit Manager: cannot promise an answer to dispute 1 because of that", ["decide"]),
        (DECIDED, ["answer", "inspector", "tell-right", "close"]),
        (DECIDED + "Ann: agrees with dispute 1", ["close"]),
        (AWARDED + "Ann: agrees with dispute 1", ["pay"]),
        (DISAGREED, ["inspector", "tell-right", "close"]),
        (TOLD, ["close"]),
        (CLOSED, []),
        (COMPLAINED, ["receive-complaint"]),
        (COMPLAINED + "Gaming Shift Manager: receives the complaint of dispute 1", ["answer-complaint"]),
        (
            COMPLAINED + "Gaming Shift Manager: receives the complaint of dispute 1\n"
            "Gaming Shift Manager: answers the complaint of dispute 1 with no",
            [],
        ),
    ],
)
def test_what_is_left_to_do_follows_the_procedure(lines: str, due: list[str]) -> None:
    story = told(T3, lines)
    assert story.refusals == ()
    (dispute,) = story.table.disputes
    assert [each.value for each in duties_left(dispute, rules_of(T3))] == due


def test_where_the_document_has_a_section_no_inspector_is_told() -> None:
    rules = rules_of(HO)
    assert (rules.inspector, rules.complaint_days, rules.names_the_post) == (False, None, True)
    assert (rules.complaints_to.post, rules.complaints_to.clauses) == ("senior-management", ("8.5",))


def test_a_house_that_says_nothing_lets_one_post_take_every_step() -> None:
    document, house = rulebook(N4).document, shelf_house("marina-bay-sands").form
    rules = dispute_rules(document, replace(house, dispute=None))
    posts = [each.post for each in (*rules.first_level, rules.in_charge, rules.complaints_to)]
    assert posts == ["pit-manager", "pit-manager", "gaming-shift-manager"]


def test_a_stored_rulebook_without_a_post_for_complaints_goes_by_its_house() -> None:
    document, house = rulebook(HO).document, shelf_house("hoiana").form
    assert document.dispute is not None
    older = replace(document, dispute=replace(document.dispute, complaint_to=None))
    assert dispute_rules(older, house).complaints_to.post == "assistant-director"


@pytest.mark.parametrize(
    "line", ["Dealer: explains the right to complain in dispute 1", "Dealer: closes dispute 1"]
)
def test_the_dealer_ends_no_dispute(line: str) -> None:
    assert reasons(told(T3, DISAGREED + line)) == [Refusal.NOT_AUTHORISED]


# the round that it is about

ROUND = "Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5\n"


def test_a_dispute_has_the_round_and_the_shoe_that_it_is_about() -> None:
    lines = "patrons Ann at 1\n" + ROUND + "Pit Manager: loads 8 decks\nDealer: cuts at 100\n" + ROUND + ROUND
    for number, shoe in ((1, 1), (2, 2), (3, 2)):
        story = told(T3, lines + f"Ann: disputes round {number} because of that")
        (opened,) = happened(story, ev.DisputeOpened)
        assert (opened.round, opened.shoe, opened.by) == (number, shoe, "Ann")


def test_a_round_that_begins_with_its_first_card_can_be_disputed_before() -> None:
    lines = "patrons Ann at 1\nDealer: opens betting\nAnn: disputes round 1 because of that"
    (opened,) = happened(told(HO, lines), ev.DisputeOpened)
    assert (opened.round, opened.shoe) == (1, 1)


def test_a_dispute_about_no_round_has_no_shoe() -> None:
    (opened,) = happened(told(T3, ANN), ev.DisputeOpened)
    assert (opened.round, opened.shoe) == (0, None)


def test_rounds_and_wagers_that_there_are_not_cannot_be_disputed() -> None:
    table = told(T3, "patrons Ann at 1").table
    for body, reason in (
        (cmd.OpenDispute(patron="Ann", about="that", round=1), Refusal.NO_SUCH_ROUND),
        (cmd.OpenDispute(patron="Ann", about="that", round=-1), Refusal.NO_SUCH_ROUND),
        (cmd.OpenDispute(patron="Ann", about="that", wager="craps"), Refusal.WAGER_NOT_OFFERED),
    ):
        assert refused(T3, table, body, "Ann").reason is reason


# money


def test_no_award_is_paid_to_the_credits_of_somebody_who_is_gone() -> None:
    lines = "patrons T1\nT1: disputes that\nT1: leaves the table\n"
    decided = "Pit Supervisor with Dealer: decides dispute 1 as so citing game-rules awarding 10\n"
    table = told(S6, lines + decided).table
    body = cmd.PayAward(id=1, way=AwardWay.CREDITS)
    assert refused(S6, table, body, "Pit Supervisor", "Dealer").reason is Refusal.UNKNOWN_PATRON


@pytest.mark.parametrize(("to", "how"), [("", "in chips"), ("Ann", " ")])
def test_a_payout_names_who_gets_it_and_how(to: str, how: str) -> None:
    body = cmd.PayAward(id=1, way=AwardWay.PAYOUT, to=to, how=how)
    found = refused(T3, told(T3, FIRST).table, body, "Pit Supervisor", "Dealer")
    assert found.reason is Refusal.PAYOUT_NOT_NAMED


def test_what_the_first_level_has_paid_stays_paid_when_it_is_escalated() -> None:
    lines = FIRST + (
        "Pit Supervisor with Dealer: pays the award of dispute 1 to Ann, in chips\n"
        "Ann: disagrees with dispute 1\nPit Supervisor: escalates dispute 1\n"
    )
    story = told(T3, lines)
    (escalated,) = happened(story, ev.DisputeEscalated)
    assert escalated.lapsed == 0
    assert (story.table.disputes[0].award, story.table.disputes[0].unpaid) == (1000, 0)


def test_no_answer_to_a_complaint_takes_money() -> None:
    lines = COMPLAINED + "Gaming Shift Manager: receives the complaint of dispute 1\n"
    body = cmd.AnswerComplaint(id=1, answer="no", award=-1)
    assert (
        refused(T3, told(T3, lines).table, body, "Gaming Shift Manager").reason is Refusal.STAKE_NOT_POSITIVE
    )


def test_a_complaint_after_seven_days_is_filed_as_late() -> None:
    story = told(T3, CLOSED)
    (right,) = happened(story, ev.ComplaintRightTold)
    assert right.until is not None
    lines = (
        CLOSED + "at 2025-06-12T20:00:00+08:00 Ann: complains in dispute 1 helped by Dealer because of that\n"
    )
    (filed,) = happened(told(T3, lines), ev.ComplaintFiled)
    assert filed.late


def test_whoever_opened_a_dispute_for_a_patron_does_not_answer_the_complaint() -> None:
    lines = COMPLAINED.replace("Ann: disputes that", "Gaming Shift Manager: for Ann disputes that")
    answered = (
        "Gaming Shift Manager: receives the complaint of dispute 1\n"
        "Gaming Shift Manager: answers the complaint of dispute 1 with no\n"
    )
    assert reasons(told(T3, lines + answered)) == [Refusal.OPENED_THE_DISPUTE]
