"""The recount finds awards that were not due, and steps of a dispute that were left out."""

from auditor.written import written

from thirdcard.auditor.disputes import EVERY_LEVEL_FORM, ONE_AWARD_FORM, SOURCES_FORM
from thirdcard.auditor.people import NOBODY_ALONE_FORM, SentBy

LACKING = (
    "published-information (none), operating-procedures (none), control-standards (none), "
    "accounts-of-both-parties (none), surveillance-evidence (none), other-evidence (none)"
)
HOIANA = f"""\
game hoiana-tiger-2024/commission
patrons Ann at 1
Ann: disputes that
Pit Supervisor: escalates dispute 1
Pit Manager: informs surveillance of dispute 1
Pit Manager: gathers for dispute 1 from Ann that she said so
Pit Manager: decides dispute 1 as paid citing game-rules, law lacking {LACKING} awarding 80
Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips
Dealer Inspector: for Ann confirms the award of dispute 1
Ann: agrees with dispute 1
Pit Manager: closes dispute 1
"""
COUNTED = (
    HOIANA
    + """\
Ann: complains in dispute 1 helped by Dealer because more was due
Senior Management: receives the complaint of dispute 1
Senior Management: answers the complaint of dispute 1 with a hundred were due awarding 100
Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips
"""
)
OTHERS = (
    "operating-procedures (none), accounts-of-both-parties (none), surveillance-evidence (none), "
    "other-evidence (none), law (none)"
)
HOUSE = f"""\
game mbs-super-six-etg-v3
patrons T1
T1: disputes that
Pit Supervisor with Dealer: decides dispute 1 as paid citing game-rules lacking {OTHERS} awarding 80
Pit Manager with Dealer: pays the award of dispute 1 to the credits
"""
LAPSED = f"""\
game mbs-tiger-v3
patrons Ann at 1
Ann: disputes that
Pit Supervisor with Dealer: decides dispute 1 as paid citing game-rules lacking {OTHERS} awarding 80
Ann: disagrees with dispute 1
Pit Supervisor: escalates dispute 1
Pit Manager: informs surveillance of dispute 1
Pit Manager: gathers for dispute 1 from Ann that she said so
Pit Manager: decides dispute 1 as no citing game-rules, operating-procedures, law lacking \
accounts-of-both-parties (none), surveillance-evidence (none), other-evidence (none)
Ann: complains in dispute 1 helped by Dealer because of that
Gaming Shift Manager: receives the complaint of dispute 1
Gaming Shift Manager with Assistant Casino Manager: answers the complaint of dispute 1 with paid awarding 30
Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips
"""


def test_disputes_that_went_their_way_have_no_findings() -> None:
    for text in (HOIANA, HOUSE, LAPSED):
        assert written(text).findings() == []


def test_an_award_that_is_paid_twice_is_found() -> None:
    book = written(HOIANA)
    paid = book.sequence("award-paid")
    book.insert(paid + 1, **book.body("award-paid"))
    assert book.findings() == [
        (paid + 1, "Dispute 1: 80.00 of its award were paid or lapsed, and 0.00 were open.")
    ]


def test_an_award_that_lapses_in_part_is_found() -> None:
    book = written(LAPSED)
    book.body("dispute-escalated")["lapsed"] = 1000
    assert book.findings() == [
        (
            book.sequence("dispute-escalated"),
            "Dispute 1: 10.00 of its award were paid or lapsed, and 80.00 were open.",
        )
    ]


def test_an_award_that_goes_to_somebody_else_is_found() -> None:
    book = written(HOIANA)
    book.body("award-paid")["patron"] = "Bob"
    assert [what for _, what in book.findings()] == [
        "Dispute 1: its award was paid for Bob, whose dispute it is not, or to nobody who was named to "
        "receive it."
    ]


def test_an_award_that_goes_to_whom_the_patron_did_not_name_is_found() -> None:
    book = written(HOIANA)
    book.body("award-paid")["to"] = "Zed"
    newest = book.found_keys(form=ONE_AWARD_FORM)
    assert newest == [(book.sequence("award-paid"), "finding.award-to-another")]
    assert book.found_keys(form=SOURCES_FORM) == []


def test_an_award_goes_to_whom_the_patron_named() -> None:
    named = "Pit Manager with Pit Supervisor: gathers for dispute 1 from Ann as payee that Bob\n"
    text = HOIANA.replace("pays the award of dispute 1 to Ann", "pays the award of dispute 1 to Bob")
    assert written(text.replace("Pit Manager with", named + "Pit Manager with")).findings() == []


def test_what_was_paid_counts_towards_the_next_award() -> None:
    book = written(COUNTED)
    assert book.findings() == []
    book.body("complaint-answered")["counted"] = 0
    assert [what for _, what in book.findings()] == [
        "Dispute 1: 0.00 of its award counted as paid before, recounted 80.00."
    ]


def test_an_award_that_pays_what_was_paid_before_is_found() -> None:
    book = written(COUNTED)
    book.body("award-paid", 2)["amount"] = 10000
    assert [what for _, what in book.findings()] == [
        "Dispute 1: 100.00 of its award were paid or lapsed, and 20.00 were open."
    ]


def test_a_decision_by_whoever_opened_the_dispute_is_found() -> None:
    book = written(HOIANA)
    book.body("dispute-opened")["by"] = "Pit Manager"
    assert [what for _, what in book.findings()] == [
        "Pit Manager decided dispute 1, having opened it for its patron."
    ]


def test_a_decision_without_surveillance_is_found() -> None:
    for text in (HOIANA, LAPSED):
        book = written(text)
        book.strike("surveillance-informed")
        assert [what for _, what in book.findings()] == [
            "Dispute 1 was decided before surveillance was informed."
        ]


def test_a_source_that_was_left_out_is_found() -> None:
    for text in (HOIANA, LAPSED):
        book = written(text)
        nth = book.count("dispute-decided")
        book.body("dispute-decided", nth)["unavailable"].pop()
        assert [what for _, what in book.findings()] == [
            "Dispute 1 was decided without regard to other evidence."
        ]


def test_money_that_no_clause_gives_to_anybody_takes_two_people() -> None:
    book = written(HOUSE)
    alone = book.found_keys(form=6, people=SentBy("Pit Supervisor"))
    kinds = ("dispute-decided", "award-paid")
    assert alone == [(book.sequence(kind), "finding.one-person") for kind in kinds]


def test_older_records_are_judged_by_the_rules_of_their_form() -> None:
    book = written(HOIANA)
    book.strike("surveillance-informed")
    assert book.found_keys(form=NOBODY_ALONE_FORM) == []


def test_an_award_takes_two_people_to_pay_also_where_clauses_name_the_post() -> None:
    book = written(HOIANA)
    alone = book.found_keys(form=6, people=SentBy("Pit Manager"))
    assert alone == [(book.sequence("award-paid"), "finding.one-person")]


def test_an_award_that_was_replaced_and_did_not_lapse_is_found() -> None:
    text = LAPSED.replace("as no citing", "as half citing").replace("(none)\n", "(none) awarding 10\n")
    text = text.replace("Pit Manager: decides", "Pit Manager with Dealer: decides")
    book = written(text)
    assert book.findings() == []
    book.body("complaint-answered")["lapsed"] = 0
    assert [what for _, what in book.findings()] == [
        "Dispute 1: 0.00 of its award were paid or lapsed, and 10.00 were open."
    ]


def test_an_answer_over_that_of_the_patron_is_found() -> None:
    book = written(HOIANA)
    answered = book.sequence("patron-answered")
    book.insert(answered + 1, type="patron-answered", id=1, agrees=False, by="Dealer Inspector", second=None)
    assert book.findings() == [
        (answered + 1, "Dispute 1: the patron had answered in person, and staff entered another answer.")
    ]


def test_a_receipt_entered_by_who_paid_is_found() -> None:
    book = written(HOIANA)
    book.body("receipt-confirmed")["by"] = "Pit Manager"
    assert [what for _, what in book.findings()] == [
        "Dispute 1: Pit Manager entered the word of the patron about an own decision or payment."
    ]


def test_an_award_that_goes_to_who_decided_it_is_found() -> None:
    book = written(HOIANA)
    book.body("award-paid")["to"] = "Pit Manager"
    assert [what for _, what in book.findings()] == [
        "Dispute 1: its award was paid to Pit Manager, who had to do with it."
    ]


def test_a_dispute_closed_before_its_award_was_paid_is_found() -> None:
    book = written(HOIANA)
    book.strike("award-paid")
    assert [what for _, what in book.findings()] == [
        "Dispute 1 was closed, and 80.00 of its award were not paid."
    ]


def test_a_source_that_was_there_and_is_called_unavailable_is_found() -> None:
    gathers = (
        "Pit Manager: gathers for dispute 1 from Surveillance as surveillance-evidence that she is right\n"
    )
    text = HOIANA.replace("Pit Manager: decides", f"{gathers}Pit Manager: decides")
    text = text.replace("surveillance-evidence (none), ", "").replace(
        "citing", "citing surveillance-evidence,"
    )
    book = written(text)
    assert book.findings() == []
    decided = book.body("dispute-decided")
    decided["sources"].remove("surveillance-evidence")
    decided["unavailable"].append({"source": "surveillance-evidence", "why": "none"})
    found = [(book.sequence("dispute-decided"), "finding.source-was-there")]
    assert book.found_keys(form=SOURCES_FORM) == found
    assert book.found_keys(form=EVERY_LEVEL_FORM) == []


def test_one_account_is_not_that_of_both_parties() -> None:
    gathers = "Pit Manager: gathers for dispute 1 from Ann as accounts-of-both-parties that it is so\n"
    assert written(HOIANA.replace("Pit Manager: decides", f"{gathers}Pit Manager: decides")).findings() == []


def test_game_rules_that_are_called_unavailable_are_found() -> None:
    book = written(HOIANA)
    decided = book.body("dispute-decided")
    decided["sources"].remove("game-rules")
    decided["unavailable"].append({"source": "game-rules", "why": "lost"})
    found = [(book.sequence("dispute-decided"), "finding.source-was-there")]
    assert book.found_keys(form=SOURCES_FORM) == found
