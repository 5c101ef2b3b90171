"""The head of a round file: what table it is, and what is so before the first line of play."""

import re
from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from thirdcard.game.table_setup import Automatic, Device
from thirdcard.money import Currency
from thirdcard.roundfile.values import (
    BadLine,
    BadWord,
    amount_of,
    bad_word,
    choice_of,
    instant_of,
    no_choice,
    number_of,
)
from thirdcard.rulebook.irregularity import Area, Method

LIMIT = "limit"
START = datetime.fromisoformat("2025-06-02T20:00:00+00:00")
_SEAT = re.compile(r"(?P<name>[^:]+?)(?: at (?P<position>\S+))?(?P<standing> standing)?")


class Seat(Struct, frozen=True):
    """A patron who is at the table from the beginning."""

    name: str
    position: int | None = None
    seated: bool = True


class RoundFileHead(Struct, frozen=True, kw_only=True):
    """The head as values; what is nothing is as the rulebook or the house has it."""

    game: str
    scenario: str = ""
    house: str | None = None
    start: datetime | None = None
    layout: str | None = None
    positions: int | None = None
    area: Area = Area.MAIN_FLOOR
    device: Device | None = None
    method: Method | None = None
    decks: int | None = None
    automatic: tuple[Automatic, ...] = (Automatic.EXPOSE, Automatic.CALL)
    face_down: bool = False
    terminal: bool = False
    training: bool = False
    main: tuple[int, int] | None = None
    side: tuple[int, int] | None = None
    limit: dict[str, tuple[int, int]] = {}
    differential: int | None = None
    equipment: bool = False
    confirmation: bool = False
    table: bool = False
    shoe: bool = False
    burn: bool = False
    left: int | None = None
    patrons: tuple[Seat, ...] = ()
    marked: tuple[str, ...] = ()
    lines: dict[str, int] = {}

    def line(self, key: str) -> int | None:
        """The number of the line with a key, or else of the game."""
        return self.lines.get(key) or self.lines.get("game")


class HeadKey(Struct, frozen=True):
    """A key of the head: what stands behind it, what holds without it, and how it is read."""

    name: str
    value: str
    default: str
    read: Callable[[str, Currency], object]

    @property
    def field(self) -> str:
        """The field of the head that the key fills."""
        return self.name.replace("-", "_")


def _text(text: str, _: Currency) -> str:
    return text


def _number(text: str, _: Currency) -> int:
    return number_of(text)


def _word(word: str) -> Callable[[str, Currency], bool]:
    """A key that knows one word only."""

    def read(text: str, _: Currency) -> bool:
        if text != word:
            raise bad_word("round.only-word", text=text or '""', word=word)
        return True

    return read


def _nothing(text: str, _: Currency) -> bool:
    if text:
        raise bad_word("round.no-value", text=text)
    return True


def _automatic(text: str, _: Currency) -> tuple[Automatic, ...]:
    words = text.split()
    if words == ["none"]:
        return ()
    if not words:
        raise no_choice('""', (*(step.value for step in Automatic), "none"))
    return tuple(choice_of(Automatic, word) for word in words)


def _limits(text: str, currency: Currency) -> tuple[int, int]:
    words = text.split()
    if len(words) != 2:
        raise bad_word("round.bad-limits", text=text)
    least, most = (amount_of(word, currency) for word in words)
    if least > most:
        raise bad_word("round.bad-limits", text=text)
    return least, most


def _limit(text: str, currency: Currency) -> dict[str, tuple[int, int]]:
    words = text.split()
    if len(words) != 3:
        raise bad_word("round.bad-limit", text=text)
    return {words[0]: _limits(" ".join(words[1:]), currency)}


def _seats(text: str, _: Currency) -> tuple[Seat, ...]:
    seats = tuple(_seat(part.strip()) for part in text.split(","))
    names = [seat.name for seat in seats]
    if len(set(names)) < len(names):
        raise bad_word("round.patron-twice")
    return seats


def _seat(text: str) -> Seat:
    found = _SEAT.fullmatch(text)
    if found is None:
        raise bad_word("round.bad-seat", text=text)
    position = found["position"]
    return Seat(found["name"], number_of(position) if position else None, found["standing"] is None)


def _names(text: str, _: Currency) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(","))
    if not all(names):
        raise bad_word("round.bad-names", text=text)
    return names


HEAD = (
    HeadKey("scenario", "TEXT", "none", _text),
    HeadKey("game", "ID, ...", "must be given", _text),
    HeadKey("house", "ID or FILE", "the house that the rulebook names", _text),
    HeadKey("start", "TIME", START.isoformat(), lambda text, _: instant_of(text)),
    HeadKey("layout", "LAYOUT", "the first of the game", _text),
    HeadKey("positions", "NUMBER", "as many as the layout has", _number),
    HeadKey("area", "`main-floor` or `high-limit`", "main-floor", lambda text, _: choice_of(Area, text)),
    HeadKey(
        "device",
        "`plain`, `electronic` or `card-reading`",
        "plain, or what the check list of the game needs",
        lambda text, _: choice_of(Device, text),
    ),
    HeadKey(
        "method", "`A`, `B` or `C`", "B where the game has methods", lambda text, _: choice_of(Method, text)
    ),
    HeadKey("decks", "NUMBER", "the usual number of the game", _number),
    HeadKey("automatic", "`expose`, `call`, both or `none`", "expose call", _automatic),
    HeadKey("face-down", "nothing", "cards are dealt face up", _nothing),
    HeadKey("terminal", "nothing", "where the game is played at terminals", _nothing),
    HeadKey("training", "nothing", "the table is real", _nothing),
    HeadKey("main", "MINIMUM MAXIMUM", "the limits of the house", _limits),
    HeadKey("side", "MINIMUM MAXIMUM", "the limits of the house", _limits),
    HeadKey(LIMIT, "WAGER MINIMUM MAXIMUM", "as `main` and `side`", _limit),
    HeadKey(
        "differential",
        "AMOUNT",
        "the limit of the house",
        amount_of,
    ),
    HeadKey("equipment", "`by hand`", "every item is ticked", _word("by hand")),
    HeadKey(
        "confirmation",
        "`by hand`",
        "on record, where the approval of the document names another game",
        _word("by hand"),
    ),
    HeadKey("table", "`shut`", "the table is open", _word("shut")),
    HeadKey("shoe", "`empty`", "a shoe is loaded", _word("empty")),
    HeadKey("burn", "`forgotten`", "burned where the game burns", _word("forgotten")),
    HeadKey("left", "NUMBER", "the whole shoe", _number),
    HeadKey("patrons", "NAME[ at POSITION][ standing], ...", "none", _seats),
    HeadKey("marked", "NAME, ...", "nobody", _names),
)
KEYS = {key.name: key for key in HEAD}


def full_key(name: str, text: str) -> str:
    """Return what may stand in the head once: a key, or the key of a limit together with its wager."""
    return " ".join((name, *text.split()[:1])) if name == LIMIT else name


def read_head(written: dict[str, tuple[int, str]], currency: Currency) -> RoundFileHead:
    """The head from its lines: number and text by full key."""
    values: dict[str, object] = {}
    limits: dict[str, object] = {}
    for name, (number, text) in written.items():
        key = KEYS[name.partition(" ")[0]]
        try:
            value = key.read(text, currency)
        except BadWord as error:
            raise BadLine(number, str(error)) from error
        if isinstance(value, dict):
            limits |= value
        else:
            values[key.field] = value
    lines = {name: number for name, (number, _) in written.items()}
    return RoundFileHead(**values, limit=limits, lines=lines)  # type: ignore[arg-type]
