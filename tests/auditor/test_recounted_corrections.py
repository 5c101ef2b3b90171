"""The recount follows wagers that were entered by mistake, and finds who corrected them alone."""

import pytest
from auditor.written import written

BEFORE = """game hoiana-tiger-2024/commission
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 2
Dealer with Pit Manager: corrects 100 of Ann on player at 1 to Bob on banker at 2
Dealer: draws 9 K K
"""
AFTER = """game hoiana-tiger-2024/commission
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Ann: leaves the table
Dealer with Pit Manager: corrects 100 of Ann on player at 1 to Bob on player at 2
"""
OF_ONE_WHO_LEFT = """game hoiana-tiger-2024/commission
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Bob: leaves the table
Dealer: draws 9
Dealer with Pit Manager: finds Bob 100 on player at 2
Dealer: draws 2 K 5
Dealer: reports not-covered because Ann had more
Assistant Director of Gaming Operations: rules pay paying Bob 50 because he had more
"""


@pytest.mark.parametrize("text", [BEFORE, AFTER, OF_ONE_WHO_LEFT])
def test_what_two_people_put_right_has_no_findings(text: str) -> None:
    assert written(text).findings() == []


def test_a_corrected_wager_is_settled_where_it_lay() -> None:
    (line,) = written(BEFORE).body("round-settled")["wagers"]
    assert (line["patron"], line["wager"], line["paid"]) == ("Bob", "banker", 9500)


def test_whoever_left_with_chips_of_another_owes_all_of_them() -> None:
    claim = written(AFTER).body("claim-booked")
    assert (claim["patron"], claim["amount"]) == ("Ann", 20000)


@pytest.mark.parametrize("second", [None, "Dealer"])
def test_a_wager_corrected_by_one_person_is_found(second: str | None) -> None:
    book = written(BEFORE)
    book.body("wager-reduced")["second"] = second
    assert book.found_keys() == [(book.sequence("wager-reduced"), "finding.one-person")]


def test_a_mistaken_entry_that_is_left_is_found() -> None:
    book = written(BEFORE)
    book.strike("wager-reduced")
    assert book.found_keys()[0][1] == "finding.not-settled"


def test_more_than_was_entered_is_not_taken_out() -> None:
    book = written(BEFORE)
    book.body("wager-reduced")["amount"] = 10100
    assert book.found_keys()[0] == (book.sequence("wager-reduced"), "finding.not-so-much-there")
