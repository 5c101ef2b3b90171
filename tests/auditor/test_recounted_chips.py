"""The recount of chips and cash: whatever a slip says otherwise than it can be is found."""

from collections.abc import Callable

import pytest
from auditor.written import Body, Written, written
from golden import TEXTS
from msgspec.structs import replace

DAY = TEXTS["examined/a-day-of-chips-and-cash.round"]
TWO = "Dealer with Pit Supervisor"
AGAIN = f"{DAY}{TWO}: counts the opener 9 x 1000, 8 x 100\n"
SLIPS = (
    "opener-counted",
    "chips-filled",
    "chips-bought",
    "chips-returned",
    "closer-counted",
    "drop-counted",
)


def changed(kind: str, nth: int = 1, /, **fields: object) -> Written:
    book = written(AGAIN)
    book.body(kind, nth).update(fields)
    return book


def keys(book: Written) -> set[str]:
    return {key for _, key in book.found_keys()}


def test_day_as_it_was_has_no_findings() -> None:
    assert written(AGAIN).found_keys() == []


@pytest.mark.parametrize("kind", [each for each in SLIPS if each != "chips-bought"])
def test_sum_that_the_pieces_do_not_come_to_is_found(kind: str) -> None:
    book = written(AGAIN)
    amount = book.body(kind)["amount"]
    assert "finding.wrong-sum" in keys(changed(kind, amount=amount + 1))


@pytest.mark.parametrize("kind", SLIPS)
def test_slip_that_is_left_out_or_written_twice_is_found(kind: str) -> None:
    left_out = written(AGAIN)
    left_out.strike(kind)
    assert "finding.wrong-slip" in keys(left_out)
    twice = written(AGAIN)
    twice.insert(twice.sequence(kind), **twice.body(kind))
    assert "finding.wrong-slip" in keys(twice)


@pytest.mark.parametrize("kind", [*SLIPS, "slip-voided"])
def test_slip_of_one_person_is_found(kind: str) -> None:
    nth = 2 if kind == "chips-bought" else 1  # 6,000 takes two people
    by = written(AGAIN).body(kind, nth)["by"]
    assert "finding.one-person" in keys(changed(kind, nth, second=by))


def test_cash_above_the_amount_of_the_house_takes_a_second_person() -> None:
    assert keys(changed("chips-bought", 2, second=None)) == {"finding.one-person"}


@pytest.mark.parametrize(
    ("kind", "nth", "expected"),
    [
        ("opener-counted", 1, 5),
        ("opener-counted", 2, None),
        ("opener-counted", 2, 980_001),
        ("closer-counted", 1, 980_000),  # as if nothing were short
        ("drop-counted", 1, 700_001),
    ],
)
def test_what_must_be_there_is_recounted(kind: str, nth: int, expected: int | None) -> None:
    book = changed(kind, nth, expected=expected)
    assert book.found_keys() == [(book.sequence(kind, nth), "finding.wrong-tray")]


def test_what_must_be_there_is_told_in_words() -> None:
    book = changed("closer-counted", expected=980_000)
    assert [text for _, text in book.findings()] == [
        "Slip 7 says that 9800.00 must be there, and it is 9900.00."
    ]
    nothing = changed("opener-counted", expected=5)
    assert [text for _, text in nothing.findings()] == [
        "Slip 1 says that 0.05 must be there, and it is nothing."
    ]


def more_won(book: Written) -> None:
    book.line("Ann")["paid"] += 100


def more_cash(book: Written) -> None:
    book.body("chips-bought")["amount"] += 100


@pytest.mark.parametrize("forge", [more_won, more_cash])
def test_forged_wager_or_slip_makes_another_tray(forge: Callable[[Written], None]) -> None:
    book = written(AGAIN)
    forge(book)
    assert (book.sequence("closer-counted"), "finding.wrong-tray") in book.found_keys()


@pytest.mark.parametrize("change", [{"amount": 1}, {"patron": "Bob"}, {"act": "fill"}, {"slip": 2}])
def test_slip_is_voided_as_it_was_made(change: Body) -> None:
    assert "finding.wrong-void" in keys(changed("slip-voided", **change))


def test_slip_of_no_open_inventory_is_found() -> None:
    book = written(AGAIN)
    book.strike("opener-counted", 2)
    fill = book.body("chips-filled") | {"slip": 9}
    book.bodies.append(fill)
    assert (len(book.bodies), "finding.no-inventory") in book.found_keys()
    assert "finding.no-inventory" in keys(changed("opener-counted", 2, inventory=3))
    assert "finding.no-inventory" in keys(changed("closer-counted", inventory=2))
    assert "finding.no-inventory" in keys(changed("drop-counted", inventory=2))


def test_void_without_an_open_inventory_is_found() -> None:
    book = written(AGAIN)
    void = book.body("slip-voided")
    book.strike("opener-counted", 2)
    book.bodies.append(void)
    assert (len(book.bodies), "finding.wrong-void") in book.found_keys()


def test_drop_box_that_somebody_of_the_table_counted_is_found() -> None:
    book = changed("drop-counted", second="Dealer")
    found = (book.sequence("drop-counted"), "Dealer counted a drop box and was on duty at the table.")
    assert book.findings() == [found]


def test_who_left_before_the_opener_may_count_the_drop() -> None:
    """Eve was on duty while the first box filled, and not while the second did."""
    text = f"""\
game mbs-tiger-v3
{TWO}: counts the opener nothing
Eve: comes on duty as dealer
Eve: goes off duty
Pit Manager: appoints Max acting pit-manager until 2025-06-03T04:00:00+00:00
{TWO}: counts the closer nothing
{TWO}: counts the opener nothing
{TWO}: counts the closer nothing
Eve with Cora: counts drop box 2, nothing
Carl with Cora: counts drop box 1, nothing
"""
    book = written(text)
    assert book.found_keys() == []
    book.body("drop-counted", 2)["by"] = "Max"
    assert keys(book) == {"finding.counted-by-the-table"}


def test_house_without_a_control_of_buy_ins_lets_nobody_sell_alone() -> None:
    book = written(DAY)
    book.house = replace(book.house, controls=())
    assert keys(book) == {"finding.one-person"}
