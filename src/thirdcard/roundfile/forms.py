"""Forms of a line such as ``AMOUNT on WAGER[ at POSITION]``: what is printed about a line is what reads it.

Words in capitals stand for a part of the line, square brackets hold what may be left out.
"""

import functools
import re

from thirdcard.cards import Card
from thirdcard.game.state import Hand
from thirdcard.game.table_chips import Pieces
from thirdcard.money import Currency
from thirdcard.roundfile.values import amount_of, cards_of, number_of

PATTERNS = {
    "ALARM": "[a-z-]+",
    "AMOUNT": r"\S+?",
    "AREA": r"[^\s,]+",
    "BANKER": "[0-9]",
    "BATCH": ".+?",
    "CARD": r"\S+",
    "CARDS": "(?!because |paying )[^,]+?",
    "DATE": r"\S+",
    "CHOICE": "[a-z-]+(?: and [a-z-]+)*",
    "FACTS": ".+?",
    "HAND": "player|banker",
    "HELPER": ".+?",
    "ITEM": "[a-z-]+",
    "LACKING": r"[a-z-]+ \([^)]*\)(?:, [a-z-]+ \([^)]*\))*",
    "METHOD": r"\S+",
    "MINUTES": r"\S+",
    "MONEY": "chips|cash|credits",
    "NUMBER": r"[^\s,]+",
    "OWNER": ".+?",
    "PATRON": r"(?:(?! on | amount | at \d).)+?",
    "PERSON": ".+?",
    "PIECES": r"[0-9]+ x [^\s,]+(?:, [0-9]+ x [^\s,]+)*|nothing",
    "PLACE": r"[^\s,]+",
    "PLAYER": "[0-9]",
    "POSITION": r"[^\s,]+",
    "POST": "[a-z-]+",
    "REFERENCE": ".+?",
    "ROUND": "[0-9]+",
    "SHUFFLER": ".+?",
    "SITUATION": "[a-z-]+",
    "SOURCE": "[a-z-]+",
    "SOURCES": "[a-z, -]+?",
    "TEXT": ".+?",
    "TIME": r"\S+",
    "WAGER": r"[^\s,]+",
    "WINNER": "player|banker|tie",
}
_TOKEN = re.compile(r"[A-Z]{2,}|\[|\]|[^A-Z\[\]]+")


@functools.cache
def pattern_of(form: str) -> re.Pattern[str]:
    """The pattern of a form: a group for each part, and one for each optional text without a part."""
    tokens: list[str] = _TOKEN.findall(form)
    written: list[str] = []
    for at, token in enumerate(tokens):
        if token in PATTERNS:
            written.append(f"(?P<{token}>{PATTERNS[token]})")
        elif token == "[":
            flag = tokens[at + 1] if tokens[at + 2] == "]" else ""
            written.append(f"(?P<{_flag(flag)}>" if flag else "(?:")
        else:
            written.append(")?" if token == "]" else re.escape(token))
    return re.compile("".join(written))


def _flag(text: str) -> str:
    """The name of the group for an optional text."""
    return "_".join(re.findall("[a-z]+", text))


def first_words(form: str) -> frozenset[str]:
    """The words that a line of this form can begin with; none where it begins with a part."""
    shorter = re.sub(r"^\[[^\]]*\]", "", form)
    begins = (re.match("[a-z]+", text.lstrip("[")) for text in (form, shorter))
    return frozenset(found.group() for found in begins if found)


class Words:
    """The parts of a line that a form has found, turned into values."""

    def __init__(self, found: re.Match[str], actor: str, currency: Currency) -> None:
        self._parts = found.groupdict()
        self._currency = currency
        self.actor = actor

    def text(self, part: str) -> str:
        """A part as it was written; nothing where it was left out."""
        return self._parts[part] or ""

    def has(self, part: str) -> bool:
        """Whether a part, or an optional text, was written."""
        return self._parts[_flag(part) if part.islower() else part] is not None

    def is_part(self, part: str) -> bool:
        """Whether the form of the line has a part."""
        return part in self._parts

    def number(self, part: str = "NUMBER") -> int:
        """A whole number."""
        return number_of(self.text(part))

    def position(self) -> int | None:
        """The position, where one was written."""
        return self.number("POSITION") if self.has("POSITION") else None

    def amount(self) -> int:
        """The amount; zero where none was written."""
        return amount_of(self.text("AMOUNT"), self._currency) if self.has("AMOUNT") else 0

    def hand(self) -> Hand:
        """The hand."""
        return Hand(self.text("HAND"))

    def cards(self) -> tuple[Card, ...]:
        """The cards; none where they were left out."""
        return cards_of(self.text("CARDS"))

    def pieces(self) -> tuple[Pieces, ...]:
        """Chips or notes as they were counted: none, or so many of each value."""
        found = (each.split(" x ") for each in self.text("PIECES").split(", ") if " x " in each)
        return tuple(Pieces(amount_of(value, self._currency), number_of(number)) for number, value in found)

    def patron(self) -> str:
        """The patron that the line names, or else who acts."""
        return self._parts.get("PATRON") or self.actor
