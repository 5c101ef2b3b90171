"""Money in whole minor units, odds as printed, and rounding that owns up to what it adds."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thirdcard.money import (
    MOST_AMOUNT,
    Currency,
    Odds,
    Rounding,
    Share,
    divide,
    format_amount,
    parse_amount,
    parse_balance,
    parse_odds,
    take_share,
)

PROVEN = settings(max_examples=300)
DOLLARS = Currency("SGD", 2)
DONG = Currency("VND", 0)
# typed amounts with what they mean; screens/tests/amount.test.mjs reads the same file
AMOUNTS = json.loads((Path(__file__).parent.parent / "amounts.json").read_text("utf-8"))

amounts = st.integers(0, 10**14)
parts = st.integers(1, 10**4)
units = st.integers(1, 10**4)


@pytest.mark.parametrize(
    ("text", "gain", "stake"),
    [
        ("1 to 1", 1, 1),
        ("12 to 1", 12, 1),
        ("1 to 2", 1, 2),
        ("0.95 to 1", 19, 20),
        ("0.5 to 1", 1, 2),
        ("1.50 to 1", 3, 2),
        ("100 to 50", 2, 1),
        ("0.25 to 2", 1, 8),
    ],
)
def test_odds_are_the_exact_pair_of_whole_numbers_that_is_printed(text: str, gain: int, stake: int) -> None:
    assert parse_odds(text) == Odds(text, gain, stake)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "12",
            "12:1",
            "12 to",
            "about 12 to 1",
            "12 to 1 ",
            " 12 to 1",
            "-1 to 1",
            ".5 to 1",
            "1. to 1",
        ),
        *("1 to 0.5", "0 to 1", "0.0 to 1", "1 to 0", "12 TO 1", "1e3 to 1", "٣ to 1"),
    ],
)
def test_what_is_not_exact_odds_is_not_taken_for_odds(text: str) -> None:
    assert parse_odds(text) is None


@pytest.mark.parametrize(
    ("rounding", "share"),
    [
        (Rounding.UP, Share(317, 13, 20)),
        (Rounding.DOWN, Share(316, -7, 20)),
        (Rounding.HALF_UP, Share(316, -7, 20)),
    ],
)
def test_nineteen_for_every_twenty_of_333_is_316_and_seven_twentieths(
    rounding: Rounding, share: Share
) -> None:
    assert take_share(333, gain=19, stake=20, unit=1, rounding=rounding) == share


@pytest.mark.parametrize(
    ("rounding", "paid"), [(Rounding.UP, 50), (Rounding.DOWN, 25), (Rounding.HALF_UP, 50)]
)
def test_half_of_75_in_steps_of_25_lies_exactly_between(rounding: Rounding, paid: int) -> None:
    assert take_share(75, gain=1, stake=2, unit=25, rounding=rounding).amount == paid


@pytest.mark.parametrize("rounding", Rounding)
def test_an_amount_that_can_be_paid_exactly_is_not_rounded(rounding: Rounding) -> None:
    assert take_share(200, gain=19, stake=20, unit=5, rounding=rounding) == Share(190, 0, 20)


@given(amount=amounts, gain=parts, stake=parts, unit=units, rounding=st.sampled_from(Rounding))
@PROVEN
def test_a_share_is_a_multiple_of_the_unit_and_tells_the_exact_difference(
    amount: int, gain: int, stake: int, unit: int, rounding: Rounding
) -> None:
    share = take_share(amount, gain=gain, stake=stake, unit=unit, rounding=rounding)
    assert share.amount % unit == 0
    assert share.amount - Fraction(share.over, share.of) == Fraction(amount * gain, stake)


@given(amount=amounts, gain=parts, stake=parts, unit=units)
@PROVEN
def test_rounding_up_adds_less_than_a_unit_and_takes_nothing(
    amount: int, gain: int, stake: int, unit: int
) -> None:
    share = take_share(amount, gain=gain, stake=stake, unit=unit, rounding=Rounding.UP)
    assert 0 <= share.amount - Fraction(amount * gain, stake) < unit


@given(amount=amounts, gain=parts, stake=parts, unit=units)
@PROVEN
def test_rounding_down_takes_less_than_a_unit_and_adds_nothing(
    amount: int, gain: int, stake: int, unit: int
) -> None:
    share = take_share(amount, gain=gain, stake=stake, unit=unit, rounding=Rounding.DOWN)
    assert 0 <= Fraction(amount * gain, stake) - share.amount < unit


@given(amount=amounts, gain=parts, stake=parts, unit=units)
@PROVEN
def test_rounding_to_the_nearest_moves_half_a_unit_at_most_and_a_half_goes_up(
    amount: int, gain: int, stake: int, unit: int
) -> None:
    share = take_share(amount, gain=gain, stake=stake, unit=unit, rounding=Rounding.HALF_UP)
    assert -unit < 2 * (share.amount - Fraction(amount * gain, stake)) <= unit


@given(halves=st.integers(0, 10**9), unit=units)
@PROVEN
def test_a_half_is_rounded_to_the_nearest_upwards(halves: int, unit: int) -> None:
    between = (2 * halves + 1) * unit
    share = take_share(between, gain=1, stake=2, unit=unit, rounding=Rounding.HALF_UP)
    assert share.amount == (halves + 1) * unit


@pytest.mark.parametrize(
    ("amount", "claims", "unit", "shares"),
    [
        (20000, [10000, 10000, 10000], 1, [6667, 6667, 6666]),
        (20000, [10000, 20000, 30000], 1, [3333, 6667, 10000]),
        (100, [1, 1], 1, [50, 50]),
        (0, [5, 6], 1, [0, 0]),
        (500, [300, 300, 300], 100, [200, 200, 100]),
        (599, [300, 300, 300], 100, [200, 200, 100]),
        (600, [], 100, []),
    ],
)
def test_amount_is_divided_by_largest_remainder(
    amount: int, claims: list[int], unit: int, shares: list[int]
) -> None:
    assert divide(amount, claims, unit) == shares


@given(claims=st.lists(st.integers(1, 10**7), min_size=1, max_size=30), unit=units, data=st.data())
@PROVEN
def test_shares_come_to_the_whole_amount(claims: list[int], unit: int, data: st.DataObject) -> None:
    staked = [claim * unit for claim in claims]
    amount = data.draw(st.integers(0, sum(staked)))
    shares = divide(amount, staked, unit)
    assert sum(shares) == amount - amount % unit
    for share, claim in zip(shares, staked, strict=True):
        assert 0 <= share <= claim
        assert abs(share - Fraction((amount - amount % unit) * claim, sum(staked))) < unit


@pytest.mark.parametrize("case", AMOUNTS, ids=lambda case: f"{case['text']!r}, {case['exponent']}")
def test_amount_is_read_as_on_the_screens(case: dict[str, Any]) -> None:
    assert parse_amount(case["text"], Currency("SGD", case["exponent"])) == case.get("minor")


@pytest.mark.parametrize(("text", "minor"), [("-2.50", -250), ("2.50", 250), ("-0", 0), ("0", 0)])
def test_balance_may_be_below_zero(text: str, minor: int) -> None:
    assert parse_balance(text, DOLLARS) == minor


@pytest.mark.parametrize("text", ["", "-", "--1", "1-", "-1,50", "- 1", "+1", "-1.000"])
def test_balance_is_an_exact_amount(text: str) -> None:
    assert parse_balance(text, DOLLARS) is None


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (31635, DOLLARS, "316.35"),
        (33300, DOLLARS, "333.00"),
        (5, DOLLARS, "0.05"),
        (0, DOLLARS, "0.00"),
        (-250, DOLLARS, "-2.50"),
        (5000, DONG, "5000"),
        (99999999999999, DOLLARS, "999999999999.99"),
    ],
)
def test_an_amount_is_printed_with_the_places_of_its_currency(
    minor: int, currency: Currency, text: str
) -> None:
    assert format_amount(minor, currency) == text


@given(exponent=st.integers(0, 4), data=st.data())
@PROVEN
def test_a_printed_amount_is_understood_again(exponent: int, data: st.DataObject) -> None:
    currency = Currency("EUR", exponent)
    minor = data.draw(st.integers(-MOST_AMOUNT, MOST_AMOUNT))
    assert parse_balance(format_amount(minor, currency), currency) == minor
