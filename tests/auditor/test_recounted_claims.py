"""The recount follows claims on patrons who left with chips, and payments that a post claims back."""

import pytest
from auditor.written import written

LEFT = """\
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Ann: leaves the table
Dealer with Pit Manager: corrects card 1 to 6
Dealer with Pit Manager: corrects card 1 to 9
"""
LATE = """\
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Ann: leaves the table
Dealer with Pit Manager: reports late-wager of Ann amount 40 on player at 1
"""
VOID = """\
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Ann: leaves the table
Dealer: reports foreign-card, still paying
Pit Manager: confirms
"""
TAKEN_BACK = """\
game hoiana-tiger-2024/commission
patrons Ann at 1
Dealer: opens betting
Ann: 300 on player at 1
Dealer: closes betting
Dealer: draws 9 8 K K
Dealer: opens betting
Dealer with Pit Manager: corrects card 1 of round 1 to 7
Assistant Director of Gaming Operations with Pit Manager: rules take-back from Ann 600 because she lost
"""

AT_A_TERMINAL = """\
game mbs-super-six-etg-v3
patrons Ann
Ann: buys 300 credits
Dealer: opens betting
Ann: 300 on player
Dealer: closes betting
Dealer: draws 9 8 K K
Dealer: opens betting
Dealer with Pit Manager: corrects card 1 of round 1 to 7
Gaming Shift Manager with Pit Manager: rules take-back from Ann 600 because she lost
"""
GONE_BEFORE = """\
game mbs-tiger-v3
automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
Ann: leaves the table
Dealer: draws 9 2 K 5
Dealer: calls player
"""
CORRECTED = GONE_BEFORE + "Dealer with Pit Manager: corrects card 2 to 4\n"
CALLED_AGAIN = f"{CORRECTED}Dealer: calls tie\nDealer: opens betting\n"
CAME_BACK = """\
Ann: comes to the table at 1
Ann: leaves the table
Dealer with Pit Manager: corrects card 2 to 4
"""
HELD = """\
Dealer with Pit Manager: holds player of Ann at 1 as suspected
Gaming Shift Manager: decides suspicion 1 as settle because they are genuine
Dealer with Pit Manager: corrects card 2 to 4
"""
OLD_HELD = """\
Dealer with Pit Manager: holds player of Ann at 1 as suspected
Dealer: opens betting
Gaming Shift Manager: decides suspicion 1 as settle because they are genuine
"""
LEAVES_TWICE = LEFT + "Dealer with Pit Manager: corrects card 2 to 4\n"


@pytest.mark.parametrize(
    "text",
    [
        CORRECTED,
        CALLED_AGAIN,
        GONE_BEFORE + CAME_BACK,
        GONE_BEFORE + HELD,
        GONE_BEFORE + OLD_HELD,
        LEAVES_TWICE,
    ],
)
def test_chips_given_to_somebody_who_had_left_are_not_claimed(text: str) -> None:
    assert written(text).findings() == []


def test_a_claim_on_somebody_who_had_left_before_is_found() -> None:
    book = written(GONE_BEFORE + CAME_BACK)
    book.strike("patron-came", 3)
    assert [what for _, what in book.findings()] == ["Ann: a claim of 200.00 was booked, recounted 0.00."]


@pytest.mark.parametrize("text", [LEFT, LATE, VOID, TAKEN_BACK])
def test_claims_as_they_are_due_have_no_findings(text: str) -> None:
    assert written(text).findings() == []


@pytest.mark.parametrize(("text", "due"), [(LEFT, "200.00"), (LATE, "200.00"), (VOID, "100.00")])
def test_a_claim_that_was_left_out_is_found(text: str, due: str) -> None:
    book = written(text)
    book.strike("claim-booked")
    found = [what for _, what in book.findings()]
    assert found[0] == f"Ann: a claim of 0.00 was booked, recounted {due}."


def test_a_claim_that_was_not_set_off_is_found() -> None:
    book = written(LEFT)
    book.body("claim-booked", 2)["amount"] = -10000
    assert [what for _, what in book.findings()] == ["Ann: a claim of -100.00 was booked, recounted -200.00."]


def test_a_claim_on_somebody_who_is_there_is_found() -> None:
    book = written(LEFT)
    book.strike("patron-left")
    found = [what for _, what in book.findings()]
    assert found[0] == "Ann: a claim of 200.00 was booked, recounted 0.00."


def test_a_payment_that_is_claimed_back_for_no_reason_is_found() -> None:
    book = written(TAKEN_BACK)
    book.body("payment-claimed")["amount"] = 100
    assert [what for _, what in book.findings()] == [
        "1.00 was moved for Ann without a report or a decision.",
        "It was decided to claim 600.00 back from Ann, and no claim was booked.",
    ]


def test_one_person_claims_nothing_back_where_no_clause_names_the_post() -> None:
    book = written(AT_A_TERMINAL)
    book.body("payment-claimed")["second"] = None
    assert [key for _, key in book.found_keys()] == ["finding.one-person"]


def test_the_post_that_a_clause_names_claims_back_alone() -> None:
    book = written(TAKEN_BACK.replace(" with Pit Manager: rules", ": rules"))
    assert book.body("payment-claimed")["second"] is None
    assert book.findings() == []
