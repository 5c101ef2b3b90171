"""Money in whole minor units, and odds as an exact pair of whole numbers."""

import enum
import math
import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec import Struct


class Rounding(enum.Enum):
    """The direction in which an amount is rounded that cannot be paid exactly."""

    UP = "up"
    DOWN = "down"
    HALF_UP = "half-up"


class Odds(Struct, frozen=True):
    """The odds that a winning wager pays: ``0.95 to 1`` is 19 for every 20 staked."""

    text: str
    gain: int
    stake: int


class Share(Struct, frozen=True):
    """An amount in minor units, rounded: ``over`` ÷ ``of`` of a minor unit above the exact one."""

    amount: int
    over: int
    of: int


class Currency(Struct, frozen=True, forbid_unknown_fields=True):
    """A currency by its code, and how many decimal places its amounts have."""

    code: str
    exponent: int


def parse_odds(text: str) -> Odds | None:
    """The odds that ``12 to 1`` or ``0.95 to 1`` means, or nothing where the text is not exact odds."""
    found = _ODDS.fullmatch(text)
    if found is None:
        return None
    whole, places, against = found.group(1), found.group(2) or "", int(found.group(3))
    scale = 10 ** len(places)
    gain, stake = int(whole + places), against * scale
    if gain == 0 or stake == 0:
        return None
    common = math.gcd(gain, stake)
    return Odds(text, gain // common, stake // common)


def take_share(amount: int, *, gain: int, stake: int, unit: int, rounding: Rounding) -> Share:
    """``gain`` for every ``stake`` of an amount, rounded to a multiple of ``unit``, with the difference."""
    exact, step = amount * gain, stake * unit
    units, rest = divmod(exact, step)
    if rounding is Rounding.UP:
        units += rest > 0
    elif rounding is Rounding.HALF_UP:
        units += 2 * rest >= step
    rounded = units * unit
    return Share(amount=rounded, over=rounded * stake - exact, of=stake)


def divide(amount: int, claims: Sequence[int], unit: int) -> list[int]:
    """Divide an amount in proportion to claims, in whole units that together come to all of it.

    Each claim gets the units that it covers in full. Those left over go one by one to the largest remainders,
    of equal ones to the earlier claim. Whatever is less than a unit is not given out.
    """
    units, whole = amount // unit, sum(claims)
    covered = [divmod(units * claim, whole) for claim in claims]
    over = units - sum(share for share, _ in covered)
    by_remainder = sorted(range(len(claims)), key=lambda place: -covered[place][1])
    favoured = set(by_remainder[:over])
    return [(share + (place in favoured)) * unit for place, (share, _) in enumerate(covered)]


def parse_amount(text: str, currency: Currency) -> int | None:
    """An amount such as ``333`` or ``316.35`` in minor units, or nothing where it could mean anything else.

    Screens read amounts by the same grammar (screens/src/lib/amount.ts, docs/screens.md).
    """
    found = _AMOUNT.fullmatch(text)
    if found is None:
        return None
    whole, places = found.group(1), found.group(2) or ""
    if len(places) > currency.exponent or len(whole) + currency.exponent > _MOST_DIGITS:
        return None
    return int(whole + places.ljust(currency.exponent, "0"))


def parse_balance(text: str, currency: Currency) -> int | None:
    """An amount, or one below zero such as ``-250``, in minor units."""
    minor = parse_amount(text.removeprefix("-"), currency)
    return -minor if minor is not None and text.startswith("-") else minor


def format_amount(minor: int, currency: Currency) -> str:
    """Minor units as a decimal string with the currency's places: ``31635`` is ``316.35``."""
    return f"{Decimal(minor).scaleb(-currency.exponent):f}"


# digits of an amount in minor units: sums of many stay below 2**53, so readers of JSON keep them whole
_MOST_DIGITS = 14
MOST_AMOUNT = 10**_MOST_DIGITS - 1
_ODDS = re.compile(r"(\d+)(?:\.(\d+))? to (\d+)", re.ASCII)
# a zero in front could stand for a point left out, as in 050
_AMOUNT = re.compile(r"(0|[1-9]\d*)(?:\.(\d+))?", re.ASCII)
