"""Reads what clients send: forms by their type, and no number that a browser could not have written."""

import re
from typing import Any, TypeVar

import msgspec

from thirdcard.refusals import Refusal, Refused, refuse

T = TypeVar("T")
MOST = 2**53 - 1  # whole numbers beyond are not told apart everywhere
_MAY_BE_TOO_LARGE = re.compile(rb"[0-9]{16}")


def read(decoder: "msgspec.json.Decoder[T]", content: bytes) -> T | Refused:
    """What was sent, or why it makes no sense: where and what."""
    try:
        found = decoder.decode(content)
        if _MAY_BE_TOO_LARGE.search(content) and _has_too_large(msgspec.json.decode(content)):
            return refuse(Refusal.NOT_UNDERSTOOD, problem=f"a number is beyond {MOST}")
    except RecursionError:
        return refuse(Refusal.NOT_UNDERSTOOD, problem="it is nested too deeply")
    except (msgspec.DecodeError, UnicodeError) as error:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=re.sub(r"\s+", " ", str(error))[:200])
    return found


def _has_too_large(value: Any) -> bool:
    match value:
        case dict():
            return any(_has_too_large(each) for each in value.values())
        case list():
            return any(_has_too_large(each) for each in value)
        case int():
            return abs(value) > MOST
        case _:
            return False
