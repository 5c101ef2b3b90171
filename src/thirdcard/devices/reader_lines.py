"""The lines that a card reader and a table exchange; docs/card-reader.md is their reference."""

import enum
import re
import zlib
from collections.abc import Callable
from typing import assert_never

from msgspec import Struct

from thirdcard.cards import Card, parse_card
from thirdcard.rulebook.facts import Winner

VERSION = 1
LONGEST = 256  # bytes of a line with its line feed
_LINE = re.compile(rb"([ -~]+) \*([0-9a-f]{8})")
_NUMBER = re.compile("[1-9][0-9]{0,14}|0")
_NAME = re.compile("[!-~]{1,64}")


class ReaderHello(Struct, frozen=True):
    """A reader connects: its table, its name, its run since power came on, the oldest message it holds."""

    table: str
    reader: str
    run: str
    first: int
    version: int = VERSION


class CardRead(Struct, frozen=True):
    """A card left the shoe."""

    shoe: str
    card: Card


class CardMisread(Struct, frozen=True):
    """A card left the shoe and could not be read."""

    shoe: str


class CardBurned(Struct, frozen=True):
    """Cards were burned; this was the first, which is shown."""

    shoe: str
    card: Card


class CuttingCardCame(Struct, frozen=True):
    """The cutting card came."""

    shoe: str


class ResultShown(Struct, frozen=True):
    """The result that the reader worked out by itself and shows."""

    shoe: str
    winner: Winner


class Fault(Struct, frozen=True):
    """The reader cannot go on: a jam, an open cover."""

    shoe: str


ReaderReading = CardRead | CardMisread | CardBurned | CuttingCardCame | ResultShown | Fault


class Numbered(Struct, frozen=True):
    """A reading under its number."""

    number: int
    reading: ReaderReading


class Beat(Struct, frozen=True):
    """The reader is there; the number is that of the message it will send next."""

    number: int


class Welcome(Struct, frozen=True):
    """The table takes messages from a number on."""

    number: int
    version: int = VERSION


class Ack(Struct, frozen=True):
    """Everything up to a number is recorded."""

    number: int


class Again(Struct, frozen=True):
    """Everything from a number on must be sent again."""

    number: int


class WhyNot(enum.Enum):
    """Why a table does not take a reader: its version, no such table, or another reader is there."""

    VERSION = "version"
    TABLE = "table"
    BUSY = "busy"


class Refuse(Struct, frozen=True):
    """The table does not take the reader."""

    why: WhyNot


ReaderLine = ReaderHello | Numbered | Beat | Welcome | Ack | Again | Refuse


def write_line(line: ReaderLine) -> bytes:
    """A line with its checksum and line feed."""
    body = " ".join(_words(line)).encode("ascii")
    return b"%s *%08x\n" % (body, zlib.crc32(body))


def read_line(data: bytes) -> ReaderLine | None:
    """The line that bytes are, or nothing where they were damaged on the way or mean nothing."""
    found = _LINE.fullmatch(data.removesuffix(b"\n").removesuffix(b"\r"))
    if found is None or int(found[2], 16) != zlib.crc32(found[1]):
        return None
    words = found[1].decode("ascii").split(" ")
    if _NUMBER.fullmatch(words[0]):
        reading = _reading(words[1:])
        return Numbered(int(words[0]), reading) if reading else None
    if words[0] == "hello":
        return _hello(words[1:])
    if words[0] == "welcome":
        return _welcome(words[1:])
    if words[0] == "refuse":
        return next((Refuse(why) for why in WhyNot if words[1:] == [why.value]), None)
    return _simple(words)


def _words(line: ReaderLine) -> tuple[str, ...]:
    match line:
        case ReaderHello():
            return ("hello", str(line.version), line.table, line.reader, line.run, str(line.first))
        case Numbered():
            return (str(line.number), *_reading_words(line.reading))
        case Beat():
            return ("beat", str(line.number))
        case Welcome():
            return ("welcome", str(line.version), str(line.number))
        case Ack():
            return ("ack", str(line.number))
        case Again():
            return ("again", str(line.number))
        case Refuse():
            return ("refuse", line.why.value)
        case _:
            assert_never(line)


def _reading_words(reading: ReaderReading) -> tuple[str, ...]:
    match reading:
        case CardRead():
            return ("card", reading.shoe, reading.card.text)
        case CardMisread():
            return ("misread", reading.shoe)
        case CardBurned():
            return ("burn", reading.shoe, reading.card.text)
        case CuttingCardCame():
            return ("cutting-card", reading.shoe)
        case ResultShown():
            return ("result", reading.shoe, reading.winner.value)
        case Fault():
            return ("fault", reading.shoe)
        case _:
            assert_never(reading)


def _reading(words: list[str]) -> ReaderReading | None:
    match words:
        case ["card", shoe, text]:
            card = _whole_card(text)
            return CardRead(shoe, card) if card and _NAME.fullmatch(shoe) else None
        case ["burn", shoe, text]:
            card = _whole_card(text)
            return CardBurned(shoe, card) if card and _NAME.fullmatch(shoe) else None
        case ["result", shoe, text]:
            known = text in {winner.value for winner in Winner} and _NAME.fullmatch(shoe)
            return ResultShown(shoe, Winner(text)) if known else None
        case [name, shoe] if name in _WITHOUT_MORE and _NAME.fullmatch(shoe):
            return _WITHOUT_MORE[name](shoe)
        case _:
            return None


_WITHOUT_MORE: dict[str, Callable[[str], ReaderReading]] = {
    "misread": CardMisread,
    "cutting-card": CuttingCardCame,
    "fault": Fault,
}


def _whole_card(text: str) -> Card | None:
    """A card exactly as the page writes it: with its suit, in capitals."""
    card = parse_card(text)
    return card if card and card.suit and card.text == text else None


def _hello(words: list[str]) -> ReaderHello | None:
    match words:
        case [version, table, reader, run, first]:
            named = all(_NAME.fullmatch(word) for word in (table, reader, run))
            counted = _NUMBER.fullmatch(version) and _NUMBER.fullmatch(first) and first != "0"
            return ReaderHello(table, reader, run, int(first), int(version)) if named and counted else None
        case _:
            return None


def _welcome(words: list[str]) -> Welcome | None:
    match words:
        case [version, number] if _NUMBER.fullmatch(version) and _NUMBER.fullmatch(number):
            return Welcome(int(number), int(version))
        case _:
            return None


def _simple(words: list[str]) -> ReaderLine | None:
    match words:
        case ["beat", number] if _NUMBER.fullmatch(number):
            return Beat(int(number))
        case ["ack", number] if _NUMBER.fullmatch(number):
            return Ack(int(number))
        case ["again", number] if _NUMBER.fullmatch(number):
            return Again(int(number))
        case _:
            return None
