"""The recount holds what is booked beside a limit against what a stake in full would have come to."""

import pytest
from auditor.written import Written, written

from thirdcard.auditor.debts import KEPT_CASES
from thirdcard.auditor.limit_mistakes import LIMITS_FORM

TWO = "Dealer with Pit Manager:"
HEAD = """game mbs-tiger-v3
main 50 1000
differential 5000
patrons Ann at 1, Bob at 2
Dealer: opens betting
Dealer: closes betting
"""
OPENS = "Dealer: opens betting\n"
WON = f"{HEAD}{TWO} finds Ann 2000 on banker at 1\nDealer: draws 2 9 5 K\n"
LOST = WON.replace("draws 2 9 5 K", "draws 9 2 K 5")
MARKED = WON.replace("Ann 2000 on banker at 1", "Bob 30 on player at 2")
RETURNED = f"{MARKED}{OPENS}{MARKED[MARKED.index('Dealer: closes') :]}"
TIED = WON.replace("draws 2 9 5 K", "draws 9 9 K K")
PAID = f"{WON}{OPENS}{TWO} reports old-limit-mistake of Ann amount 950\n"
COLLECTED = f"{LOST}{OPENS}{TWO} reports old-limit-mistake of Ann amount 1000\n"
KEPT = f"{RETURNED}{OPENS}{TWO} reports old-limit-mistake of Bob amount 30\n"
LATER = COLLECTED.replace(OPENS + TWO, f"{OPENS}Dealer: closes betting\nDealer: draws 9 2 K 5\n{TWO}")
TAKEN_OUT = f"{COLLECTED}{TWO} withdraws the report\n"
NOT_SO = "finds that it is not so because nobody had collected"
DECIDES = "Assistant Director of Gaming Operations with Pit Manager: rules"
HOIANA = COLLECTED.replace("mbs-tiger-v3", "hoiana-tiger-2024/commission")
AMOUNTS = ("irregularity-reported", "wrong-payment-found")


def keys(book: Written) -> list[tuple[int, str]]:
    return book.found_keys(form=LIMITS_FORM)


def test_a_mistake_is_taken_out_however_many_reports_came_after_it() -> None:
    """The table keeps what was booked for as long as it knows the round (5.16)."""
    other = "Dealer: reports wrong-display\n" * (KEPT_CASES + 1)
    book = written(f"{COLLECTED}{other}Gaming Shift Manager with Pit Manager: in irregularity 1 {NOT_SO}\n")
    assert book.body("facts-disproved")["id"] == 1
    assert book.body("wrong-payment-found", 2)["mistaken"] is True
    assert keys(book) == []


@pytest.mark.parametrize(
    "text",
    [
        PAID,
        COLLECTED,
        KEPT,
        LATER,
        TAKEN_OUT,
        f"{TAKEN_OUT}{TWO} reports old-limit-mistake of Ann amount 1000\n",
        f"{TIED}{OPENS}{TWO} reports old-limit-mistake of Ann amount 1000\n",
        f"{HOIANA}{DECIDES} continue because it is long ago\n",
        f"{HOIANA}{DECIDES} pay paying Ann 1000 because of 7.18\n",
    ],
)
def test_limit_mistakes_recount_without_findings(text: str) -> None:
    assert keys(written(text)) == []


def change(book: Written, amount: int) -> None:
    book.body("irregularity-reported")["case"]["amount"] = amount
    book.body("wrong-payment-found")["amount"] = amount


@pytest.mark.parametrize(
    ("text", "amount"), [(PAID, 95_100), (COLLECTED, -100_100), (COLLECTED, 100_000), (KEPT, 3_000)]
)
def test_more_than_the_limit_leaves_out_is_found(text: str, amount: int) -> None:
    book = written(text)
    change(book, amount)
    found = [(book.sequence("wrong-payment-found"), "finding.found")]
    assert keys(book) == found
    assert book.found_keys(form=LIMITS_FORM - 1) == []  # written before that was held against the limit


def test_a_stake_that_is_not_called_collected_is_found() -> None:
    book = written(COLLECTED)
    book.body("wrong-payment-found")["collected"] = False
    assert keys(book) == [(book.sequence("wrong-payment-found"), "finding.found")]


@pytest.mark.parametrize("number", [2, None, 7])
def test_a_round_that_is_no_previous_one_is_found(number: int | None) -> None:
    book = written(COLLECTED)
    book.body("irregularity-reported")["case"]["round"] = number
    assert keys(book) == [(book.sequence("wrong-payment-found"), "finding.found")]


def test_a_booking_that_is_not_taken_out_is_found() -> None:
    book = written(TAKEN_OUT + OPENS + "Dealer: closes betting\n")
    book.strike("wrong-payment-found", 2)
    assert [key for _, key in keys(book)] == ["finding.not-taken-out"]


def test_a_booking_that_is_taken_out_without_ground_is_found() -> None:
    book = written(TAKEN_OUT)
    book.strike("report-withdrawn")
    sequence = book.sequence("wrong-payment-found", 2)
    assert keys(book) == [(sequence, "finding.payment-without-ground")]


def test_a_wrong_payment_that_a_decision_leaves_unbooked_is_found() -> None:
    wrong = f"{TWO} reports wrong-payment of Ann amount 20, previous round\n"
    won = WON.replace("mbs-tiger-v3", "hoiana-tiger-2024/commission")
    book = written(f"{won}{OPENS}{wrong}{DECIDES} pay paying Bob 20 because of equal treatment\n")
    assert keys(book) == []
    book.strike("wrong-payment-found")
    assert keys(book) == [(book.sequence("case-closed"), "finding.not-booked-mistake")]
    assert book.found_keys(form=LIMITS_FORM - 1) == []


def test_a_settlement_that_is_made_again_is_the_one_that_counts() -> None:
    flipped = f"{LOST}{TWO} corrects card 1 to 8\n{TWO} corrects card 2 to 4\n"
    book = written(f"{flipped}{OPENS}{TWO} reports old-limit-mistake of Ann amount 950\n")
    assert book.body("wrong-payment-found")["amount"] == 95_000
    assert keys(book) == []


def test_limits_that_a_table_takes_over_hold_in_the_recount() -> None:
    """A wager of 100 is over a maximum of 50 from the change on: it does not act in full, and won so."""
    book = written(f"{HEAD}{TWO} finds Ann 100 on player at 1\nDealer: draws 9 2 K 5\nDealer: calls player\n")
    assert keys(book) == []
    limits = [
        {**each, "minimum": 1_000, "maximum": 5_000} if each["wager"] == "player" else each
        for each in book.body("table-set-up")["setup"]["limits"]
    ]
    change = {"limits": limits, "differential": 500_000, "decks": None}
    book.insert(book.sequence("betting-opened"), type="table-changed", change=change, clauses=[])
    assert keys(book) != []
