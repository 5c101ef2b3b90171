"""Disputes, step by step: whose turn it is, what is owed, and the round that each is about."""

import pytest
from msgspec.structs import replace
from story import HO, N4, S6, T3, asked, happened, reasons, refused, told

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.dispute_duties import duties_left
from thirdcard.game.dispute_steps import AwardWay, UnavailableSource
from thirdcard.game.state import Table
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.dispute_rules import DisputeRules, dispute_rules
from thirdcard.rulebook.shelf import SHIPPED

ANN = "patrons Ann at 1\nAnn: disputes that\n"
ESCALATED = ANN + "Pit Supervisor: escalates dispute 1\n"
INFORMED = ESCALATED + "Pit Manager: informs surveillance of dispute 1\n"
GATHERED = INFORMED + "Pit Manager: gathers for dispute 1 from Ann that she said so\n"
FRAMED = GATHERED + "Pit Manager: promises an answer to dispute 1 within 30 minutes\n"
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
RESOLVED = (
    f"Pit Supervisor with Dealer: decides dispute 1 as so citing game-rules lacking {LACKING} awarding 10\n"
)
FIRST = ANN + RESOLVED
COMPLAINED = CLOSED + "Ann: complains in dispute 1 helped by Dealer because of that\n"


def decided(
    game: str, table: Table, body: cmd.Body, actor: str, second: str | None = None
) -> tuple[ev.Event, ...]:
    """Return the events of a command that is carried out."""
    events: tuple[ev.Event, ...] | Refused = asked(game, table, body, actor, second)
    assert not isinstance(events, Refused), events
    return events


def rules_of(game: str) -> DisputeRules:
    """Return the procedure at a table of a game."""
    document = SHIPPED.rulebook(game).document
    return dispute_rules(document, SHIPPED.house(document.house).form)


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        (ANN, ["resolve"]),
        (FIRST, ["answer", "time-frame", "tell-right", "pay"]),
        (
            FIRST + "Pit Supervisor: promises an answer to dispute 1 within 30 minutes",
            ["answer", "tell-right", "escalate", "pay"],
        ),
        (
            FIRST + "Pit Supervisor: promises an answer to dispute 1 within 30 minutes\n"
            "Pit Supervisor: explains the right to complain in dispute 1\n"
            "Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips",
            ["answer", "escalate", "close", "receipt"],
        ),
        (FIRST + "Ann: agrees with dispute 1", ["pay"]),
        (FIRST + "Ann: disagrees with dispute 1", ["escalate"]),
        (
            FIRST + "Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips",
            ["answer", "time-frame", "tell-right", "receipt"],
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
    document, house = SHIPPED.rulebook(N4).document, SHIPPED.house("marina-bay-sands").form
    rules = dispute_rules(document, replace(house, dispute=None))
    posts = [each.post for each in (*rules.first_level, rules.in_charge, rules.complaints_to)]
    assert posts == ["pit-manager", "pit-manager", "gaming-shift-manager"]


def test_a_stored_rulebook_without_a_post_for_complaints_goes_by_its_house() -> None:
    document, house = SHIPPED.rulebook(HO).document, SHIPPED.house("hoiana").form
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


def test_a_patron_has_ten_disputes_open_at_once() -> None:
    ten = "patrons Ann at 1, Bob at 2\n" + "Ann: disputes that\n" * 10
    (again,) = told(T3, ten + "Ann: disputes that\n").refusals
    assert (again.reason, again.clauses) == (Refusal.TOO_MANY_DISPUTES, rules_of(T3).taken)
    assert dict(again.params) == {"most": 10}
    others = told(T3, ten + "Bob: disputes that\nDealer: for Ann disputes that\n")
    assert others.refusals == ()
    assert len(happened(others, ev.DisputeOpened)) == 12


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
    table = told(S6, lines + RESOLVED).table
    body = cmd.PayAward(id=1, way=AwardWay.CREDITS)
    assert refused(S6, table, body, "Pit Manager", "Dealer").reason is Refusal.UNKNOWN_PATRON


@pytest.mark.parametrize(("to", "how"), [("", "in chips"), ("Ann", " ")])
def test_a_payout_names_who_gets_it_and_how(to: str, how: str) -> None:
    body = cmd.PayAward(id=1, way=AwardWay.PAYOUT, to=to, how=how)
    found = refused(T3, told(T3, FIRST).table, body, "Pit Manager", "Dealer")
    assert found.reason is Refusal.PAYOUT_NOT_NAMED


def test_what_the_first_level_has_paid_stays_paid_when_it_is_escalated() -> None:
    lines = FIRST + (
        "Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips\n"
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
    assert reasons(told(T3, lines + answered)) == [Refusal.OPENED_THE_DISPUTE] * 2


# texts


@pytest.mark.parametrize(
    ("lines", "body", "actor"),
    [
        ("patrons Ann at 1\n", cmd.OpenDispute(patron="Ann", about=" \t"), "Ann"),
        (ESCALATED, cmd.GatherInformation(id=1, what="  ", given_by="Ann"), "Pit Manager"),
        (ESCALATED, cmd.GatherInformation(id=1, what="so", given_by="\u200b"), "Pit Manager"),
        (ESCALATED, cmd.SayNoTimeFrame(id=1, why="..."), "Pit Manager"),
        (FRAMED, cmd.DecideDispute(id=1, decision=" ", sources=("law",)), "Pit Manager"),
        (CLOSED, cmd.FileComplaint(id=1, text=" ", helper="Dealer"), "Ann"),
        (COMPLAINED, cmd.AnswerComplaint(id=1, answer=" "), "Gaming Shift Manager"),
    ],
)
def test_a_blank_text_counts_for_nothing(lines: str, body: cmd.Body, actor: str) -> None:
    assert refused(T3, told(T3, lines).table, body, actor).reason is Refusal.TEXT_NEEDED


def test_a_text_has_no_blanks_at_its_ends() -> None:
    table = told(T3, ESCALATED).table
    body = cmd.GatherInformation(id=1, what="  so it was\n", given_by=" Ann ")
    (gathered,) = decided(T3, table, body, "Pit Manager")
    assert isinstance(gathered, ev.InformationGathered)
    assert (gathered.what, gathered.given_by) == ("so it was", "Ann")


def test_a_text_in_any_script_says_something() -> None:
    body = cmd.OpenDispute(patron="Ann", about="和")
    (opened,) = decided(T3, told(T3, "patrons Ann at 1").table, body, "Ann")
    assert isinstance(opened, ev.DisputeOpened)


@pytest.mark.parametrize(
    "body",
    [
        cmd.DecideDispute(id=1, decision="x" * 1001, sources=("law",)),
        cmd.DecideDispute(
            id=1, decision="no", sources=("law",), unavailable=(UnavailableSource("game-rules", "x" * 1001),)
        ),
    ],
)
def test_a_text_that_is_too_long_is_refused(body: cmd.Body) -> None:
    found = refused(T3, told(T3, FRAMED).table, body, "Pit Manager")
    assert (found.reason, found.params) == (Refusal.TEXT_TOO_LONG, (("length", 1001), ("most", 1000)))


@pytest.mark.parametrize("minutes", [0, -1, 90 * 24 * 60 + 1, 10**18])
def test_an_answer_is_promised_for_an_instant_to_come(minutes: int) -> None:
    body = cmd.GiveTimeFrame(id=1, time_frame="yesterday", minutes=minutes)
    assert refused(HO, told(HO, ESCALATED).table, body, "Pit Manager").clauses == ("8.3",)


def test_a_time_frame_that_cannot_be_kept_is_taken_back() -> None:
    (framed,) = told(T3, FRAMED).table.disputes
    assert framed.answer_by is not None
    cannot = "Pit Manager: cannot promise an answer to dispute 1 because the pictures are missing\n"
    (without,) = told(T3, FRAMED + cannot).table.disputes
    assert (without.answer_by, without.no_time_frame) == (None, "the pictures are missing")


# who did what


def test_those_who_told_somebody_are_named() -> None:
    (dispute,) = told(T3, CLOSED).table.disputes
    assert dispute.surveillance_by == ("Pit Manager",)
    assert dispute.inspector_by == ("Pit Manager",)
    assert dispute.right_told_by == ("Pit Manager",)


# who decides and pays


def test_the_first_level_has_regard_to_every_source() -> None:
    """Clause 8.4: the resolution of the dispute shall be made with respect to each of these."""
    lines = (
        "patrons Ann at 1\nAnn: disputes that\nPit Supervisor: decides dispute 1 as so citing game-rules\n"
    )
    (found,) = told(HO, lines).refusals
    assert (found.reason, found.clauses) == (Refusal.SOURCE_LEFT_OUT, ("8.4", "8.4.2"))


@pytest.mark.parametrize(
    ("actor", "second", "reason"),
    [
        ("Pit Supervisor", "Dealer", Refusal.NOT_AUTHORISED),
        ("Pit Manager", None, Refusal.SECOND_PERSON_NEEDED),
    ],
)
def test_the_post_that_the_house_names_pays_an_award(actor: str, second: str | None, reason: Refusal) -> None:
    body = cmd.PayAward(id=1, way=AwardWay.PAYOUT, to="Ann", how="in chips")
    assert refused(T3, told(T3, FIRST).table, body, actor, second).reason is reason


@pytest.mark.parametrize(("actor", "second"), [("Dealer", "Pit Manager"), ("Gaming Shift Manager", "Dealer")])
def test_that_post_or_a_higher_one_pays_with_anybody(actor: str, second: str) -> None:
    body = cmd.PayAward(id=1, way=AwardWay.PAYOUT, to="Ann", how="in chips")
    (paid,) = decided(T3, told(T3, FIRST).table, body, actor, second)
    assert isinstance(paid, ev.AwardPaid)


def test_an_award_that_is_paid_in_part_knows_its_parts() -> None:
    lines = FIRST + (
        "Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips\n"
        "Ann: confirms the award of dispute 1\nAnn: disagrees with dispute 1\n"
        "Pit Supervisor: escalates dispute 1\nPit Manager: informs surveillance of dispute 1\n"
        "Pit Manager: gathers for dispute 1 from Ann that she said so\n"
        "Pit Manager with Dealer: decides dispute 1 as more citing game-rules "
        f"lacking {LACKING} awarding 15\n"
    )
    (dispute,) = told(T3, lines).table.disputes
    assert (dispute.award, dispute.paid, dispute.unpaid, dispute.unconfirmed) == (1500, 1000, 500, 0)


@pytest.mark.parametrize(("award", "left"), [(5, 0), (10, 0), (15, 500), (0, 0)])
def test_a_later_award_counts_what_was_paid(award: int, left: int) -> None:
    awarding = f" awarding {award}" if award else ""
    lines = FIRST + (
        "Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips\n"
        "Ann: disagrees with dispute 1\nPit Supervisor: escalates dispute 1\n"
        "Pit Manager: informs surveillance of dispute 1\n"
        "Pit Manager: gathers for dispute 1 from Ann that she said so\n"
        "Pit Manager with Dealer: decides dispute 1 as another one citing game-rules "
        f"lacking {LACKING}{awarding}\n"
    )
    (dispute,) = told(T3, lines).table.disputes
    assert (dispute.award, dispute.paid, dispute.unpaid) == (1000 + left, 1000, left)


def test_whom_the_patron_names_is_no_information_about_the_dispute() -> None:
    story = told(T3, INFORMED + "Pit Manager with Dealer: gathers for dispute 1 from Ann as payee that Bob\n")
    (dispute,) = story.table.disputes
    assert dispute.payees == ("Bob",)
    assert not dispute.is_informed
    assert "gather" in [each.value for each in duties_left(dispute, rules_of(T3))]


def test_the_right_to_complain_is_told_of_a_decision() -> None:
    tells = "Pit Supervisor: explains the right to complain in dispute 1\n"
    assert reasons(told(T3, ANN + tells)) == [Refusal.NOT_AWAITED]
    assert reasons(told(T3, FIRST + tells)) == []
    assert reasons(told(T3, FIRST + "Ann: disagrees with dispute 1\n" + tells)) == [Refusal.NOT_AWAITED]


def test_a_new_level_tells_the_time_frame_and_the_right_anew() -> None:
    first = "Pit Supervisor: promises an answer to dispute 1 within 30 minutes\n"
    first += "Pit Supervisor: explains the right to complain in dispute 1\n"
    lines = FIRST + first + "Ann: disagrees with dispute 1\nPit Supervisor: escalates dispute 1\n"
    (dispute,) = told(T3, lines).table.disputes
    assert (dispute.has_time_frame, dispute.right_told, dispute.complain_until) == (False, False, None)


@pytest.mark.parametrize(
    ("first", "then", "agrees"),
    [
        ("Dealer: for Ann agrees", "Ann: agrees", True),
        ("Ann: agrees", "Ann: disagrees", False),
        ("Ann: disagrees", "Ann: agrees", True),
    ],
)
def test_a_patron_says_herself_what_she_thinks_of_a_decision(first: str, then: str, agrees: bool) -> None:
    """Hoiana 8.5: it is the patron who does not agree, so her own answer is taken after any other one."""
    story = told(T3, DECIDED + f"{first} with dispute 1\n{then} with dispute 1\n")
    assert reasons(story) == []
    (dispute,) = story.table.disputes
    assert (dispute.agrees, dispute.is_answered_by_patron) == (agrees, True)
