"""Words of a round file turned into values, or what is wrong with them and what to do."""

import enum
import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import TypeVar

from thirdcard.cards import Card, parse_card
from thirdcard.messages import message, say
from thirdcard.money import Currency, parse_amount

Choice = TypeVar("Choice", bound=enum.Enum)
YEARS = range(2000, 2100)
NUMBER = re.compile("[0-9]{1,9}")


class BadLine(Exception):
    """A line that cannot be played: its number where it has one, what is wrong and what to do."""

    def __init__(self, number: int | None, what: str) -> None:
        self.number = number
        self.what = what
        super().__init__(what if number is None else say(message("round.at-line", line=number, what=what)))


class BadWord(Exception):
    """A wrong word: what is wrong with it and what to do; the reader of the line adds its number."""


def bad_word(key: str, /, **params: str | int) -> BadWord:
    """A bad word by the key of its sentence."""
    return BadWord(say(message(key, **params)))


def amount_of(text: str, currency: Currency) -> int:
    """An amount in minor units, never below zero."""
    minor = parse_amount(text, currency)
    if minor is None:
        raise bad_word("round.bad-amount", text=text)
    return minor


def number_of(text: str) -> int:
    """A whole number."""
    if not NUMBER.fullmatch(text):
        raise bad_word("round.bad-number", text=text)
    return int(text)


def cards_of(text: str) -> tuple[Card, ...]:
    """Cards with spaces between them."""
    return tuple(_card(word) for word in text.split())


def faces_of(text: str) -> tuple[Card | None, ...]:
    """Cards with spaces between them; a question mark is a card that nobody has seen."""
    return tuple(None if word == "?" else _card(word) for word in text.split())


def _card(word: str) -> Card:
    card = parse_card(word)
    if card is None:
        raise bad_word("round.bad-card", text=word)
    return card


def instant_of(text: str) -> datetime:
    """An instant with its offset."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise bad_word("round.bad-instant", text=text) from None
    if instant.tzinfo is None or instant.year not in YEARS:
        raise bad_word("round.bad-instant", text=text)
    return instant


def date_of(text: str) -> date:
    """A day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise bad_word("round.bad-date", text=text) from None


def choice_of(kind: type[Choice], text: str) -> Choice:
    """A member of a closed list by its name."""
    for member in kind:
        if member.value == text:
            return member
    raise no_choice(text, (member.value for member in kind))


def no_choice(text: str, choices: Iterable[str]) -> BadWord:
    """A word that is none of those it may be."""
    return bad_word("round.no-choice", text=text, choices=", ".join(choices))
