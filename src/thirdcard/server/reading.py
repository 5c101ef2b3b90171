"""Reads what clients send: forms by their type, and no number that a browser or a person could not mean."""

import re
from typing import Any, TypeVar

import msgspec

from thirdcard.money import MOST_AMOUNT
from thirdcard.refusals import Refusal, Refused, refuse

T = TypeVar("T")
GREATEST_NUMBER = 2**53 - 1  # whole numbers beyond are not told apart everywhere
AMOUNT_KEYS = frozenset(("amount", "award", "minimum", "maximum", "differential"))
_MAY_BE_TOO_LARGE = re.compile(rb"[0-9]{15}")


def read(decoder: "msgspec.json.Decoder[T]", content: bytes) -> T | Refused:
    """Return the decoded content, or why it makes no sense: where and what."""
    try:
        found = decoder.decode(content)
        exceeded = _exceeded(msgspec.json.decode(content)) if _MAY_BE_TOO_LARGE.search(content) else None
        if exceeded is not None:
            return refuse(Refusal.NOT_UNDERSTOOD, problem=f"a number is beyond {exceeded}")
    except RecursionError:
        return refuse(Refusal.NOT_UNDERSTOOD, problem="it is nested too deeply")
    except (msgspec.DecodeError, UnicodeError) as error:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=re.sub(r"\s+", " ", str(error))[:200])
    return found


def _exceeded(value: Any, most: int = GREATEST_NUMBER) -> int | None:
    """The limit that some number is beyond; an amount has a limit of its own."""
    match value:
        case dict():
            found = (
                _exceeded(each, MOST_AMOUNT if key in AMOUNT_KEYS else GREATEST_NUMBER)
                for key, each in value.items()
            )
        case list():
            found = (_exceeded(each) for each in value)
        case int():
            return most if abs(value) > most else None
        case _:
            return None
    return next((each for each in found if each is not None), None)
