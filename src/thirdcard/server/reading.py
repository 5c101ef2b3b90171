"""Reads what clients send: forms by their type, no key twice, no number or text that nobody could mean."""

import json
import re
from typing import Any, TypeVar

import msgspec

from thirdcard.money import MOST_AMOUNT
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.spelling import is_plain

T = TypeVar("T")
GREATEST_NUMBER = 2**53 - 1  # whole numbers beyond are not told apart everywhere
AMOUNT_KEYS = frozenset(("amount", "award", "minimum", "maximum", "differential"))
LONGEST_STRING = 2_000  # characters; a table takes fewer, and says how many
NEVER_SHOWN = frozenset(("password", "new"))
_DIGITS = bytes(ord("0") if chr(byte).isdigit() and byte < 128 else ord(" ") for byte in range(256))
_MAY_BE_TOO_LARGE = b"0" * 15  # with every digit put as a nought


def read(decoder: "msgspec.json.Decoder[T]", content: bytes) -> T | Refused:
    """Return the decoded content, or why it makes no sense: where and what."""
    try:
        found = decoder.decode(content)
        plain = msgspec.json.decode(content)
        exceeded = _exceeded(plain) if _MAY_BE_TOO_LARGE in content.translate(_DIGITS) else None
        if exceeded is not None:
            return refuse(Refusal.NOT_UNDERSTOOD, problem=f"a number is beyond {exceeded}")
        if content.count(b":") != _count_keys(plain):  # a colon in a text, or a key that stands there twice
            _keys.decode(content.decode())
        longest = _longest(plain) if len(content) > LONGEST_STRING else 0
        if longest > LONGEST_STRING:
            return refuse(Refusal.TEXT_TOO_LONG, most=LONGEST_STRING, length=longest)
        odd = None if _is_plain(content) else _not_plain(plain)
        if odd is not None:
            return refuse(Refusal.NOT_UNDERSTOOD, problem=f"no text may have the character U+{ord(odd):04X}")
    except _KeyTwice as error:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"the key {error} stands there twice")
    except RecursionError:
        return refuse(Refusal.NOT_UNDERSTOOD, problem="it is nested too deeply")
    except (msgspec.DecodeError, ValueError) as error:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=re.sub(r"\s+", " ", str(error))[:200])
    return found


class _KeyTwice(Exception):
    """A key stands twice in an object, so that readers may differ about its value."""


def _refuse_twice(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) == len(pairs):
        return
    keys = [key for key, _ in pairs]
    raise _KeyTwice(next(key for place, key in enumerate(keys) if key in keys[:place])[:80])


_keys = json.JSONDecoder(object_pairs_hook=_refuse_twice)


def _count_keys(value: Any) -> int:
    """The number of keys in a value; each had a colon, so that as many colons leave no room for another."""
    count = 0
    if type(value) is dict:
        count, value = len(value), value.values()
    elif type(value) is not list:
        return 0
    for each in value:
        if type(each) is dict or type(each) is list:
            count += _count_keys(each)
    return count


def _longest(value: Any) -> int:
    """The length of the longest text in a value."""
    match value:
        case str():
            return len(value)
        case dict():
            return max(map(_longest, value.values()), default=0)
        case list():
            return max(map(_longest, value), default=0)
        case _:
            return 0


def _is_plain(content: bytes) -> bool:
    """Whether what was sent has none but the signs of ASCII, and nothing that stands for another one."""
    return content.isascii() and b"\\" not in content and b"\x7f" not in content


def _not_plain(value: Any) -> str | None:
    """The first character in a text that is not seen, or that steers who shows it; passwords may have any."""
    match value:
        case str():
            return next((each for each in value if not is_plain(each)), None)
        case dict():
            found = (_not_plain(each) for key, each in value.items() if key not in NEVER_SHOWN)
        case list():
            found = (_not_plain(each) for each in value)
        case _:
            return None
    return next((each for each in found if each is not None), None)


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
