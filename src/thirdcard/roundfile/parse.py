"""Reads a round file: a head that says what table it is, then who did what, and what came of it."""

import re
from collections.abc import Callable

from msgspec import Struct

from thirdcard.game import commands as cmd
from thirdcard.messages import message, say
from thirdcard.money import Currency, parse_balance
from thirdcard.roundfile.actions import bodies_of, forms_near, has_a_form
from thirdcard.roundfile.head import KEYS, RoundFileHead, full_key, read_head
from thirdcard.roundfile.hints import with_hyphens
from thirdcard.roundfile.values import NUMBER, BadLine, BadWord, instant_of, number_of
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED, Shelf, UnknownGame, UnknownHouse
from thirdcard.spelling import nearest

CHECK = "check"
EXPECTED, REFUSED = "= ", "! "
# what can be checked: of a patron, of the house, of the shoe
OF_A_PATRON = ("won", "taken", "back", "net", "claim", "credits")
HOUSE_CHECKS = ("net",)
SHOE_CHECKS = ("left", "discards")
_ACT = re.compile(r"(?:at (?P<at>\S+) )?(?P<who>[^:]+?)(?: with (?P<with>[^:]+?))?: (?P<what>.+)")
_CHECK = re.compile(r"(?P<who>[^:]+?)(?: in round (?P<round>[^\s:]+))?: (?P<amounts>.+)")


class WrittenAct(Struct, frozen=True):
    """One line of what happened: who, the commands it means, and on whose authority."""

    number: int
    text: str
    actor: str
    bodies: tuple[cmd.Body, ...]
    authoriser: str | None = None
    at: str | None = None


class Check(Struct, frozen=True):
    """One line of what must have come out of everything above it, or of one round."""

    number: int
    patron: str
    amounts: tuple[tuple[str, str], ...]
    round: int | None = None


class RoundFile(Struct, frozen=True):
    """A round file: its head, its acts with the lines expected after each, and its checks."""

    head: dict[str, str]
    lines: tuple[str, ...]
    acts: tuple[tuple[WrittenAct, tuple[str, ...]], ...]
    checks: tuple[Check, ...]
    settings: RoundFileHead


class RoundRules(Struct, frozen=True):
    """The shelf that a round file is read by, and the house that it is played at whatever it names.

    ``find_house`` finds a house that a file names and the shelf has not.
    """

    shelf: Shelf = SHIPPED
    house: House | None = None
    find_house: Callable[[str], House] | None = None

    def currency(self, game: str) -> Currency:
        """Return the currency of a game."""
        usual = self.shelf.house_of(self.shelf.rulebook(game)).currency
        return self.house.currency if self.house else usual

    def named_house(self, name: str) -> House:
        """Return the house for a name in a file; a name of none is a bad word."""
        if self.house is not None:
            return self.house
        if self.find_house is not None:
            return self.find_house(name)
        try:
            return self.shelf.house(name)
        except UnknownHouse as error:
            raise BadWord(str(error)) from error


SHIPPED_RULES = RoundRules()


def parse(text: str, rules: RoundRules = SHIPPED_RULES) -> RoundFile:
    """A round file from its text; amounts are read in the currency of the house it names, or of its game."""
    lines = tuple(text.removesuffix("\n").split("\n"))
    reader = _LineReader()
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.strip().startswith("#"):
            reader.take(number, line)
    money = _currency(reader.head, rules)
    settings = read_head(reader.head, money)
    wagers = tuple(rules.shelf.rulebook(settings.game).wagers)
    acts = tuple(
        (_act(number, line, money, wagers), tuple(expected)) for number, line, expected in reader.acts
    )
    names = {seat.name for seat in settings.patrons}
    names |= {body.patron for act, _ in acts for body in act.bodies if isinstance(body, cmd.ComeToTable)}
    checks = tuple(_check(number, line, names, money) for number, line in reader.checks)
    return RoundFile({key: value for key, (_, value) in reader.head.items()}, lines, acts, checks, settings)


def is_expected(line: str) -> bool:
    """Whether a line says what is expected: it is indented, and no remark."""
    return line.startswith((" ", "\t")) and not line.strip().startswith("#") and bool(line.strip())


class _LineReader:
    """Sorts the lines of a file into head, acts and checks."""

    def __init__(self) -> None:
        self.head: dict[str, tuple[int, str]] = {}
        self.acts: list[tuple[int, str, list[str]]] = []
        self.checks: list[tuple[int, str]] = []

    def take(self, number: int, line: str) -> None:
        if is_expected(line):
            self._expected(number, line.strip())
            return
        word, _, rest = line.strip().partition(" ")
        if word == CHECK:
            self.checks.append((number, rest.strip()))
        elif ": " in line:
            self.acts.append((number, line.strip(), []))
        else:
            self._key(number, word, rest.strip())

    def _expected(self, number: int, text: str) -> None:
        if not self.acts:
            raise _bad(number, "round.expected-too-early", text=text)
        if not text.startswith((EXPECTED, REFUSED)):
            raise _bad(number, "round.bad-expected", text=text)
        self.acts[-1][2].append(text)

    def _key(self, number: int, word: str, rest: str) -> None:
        if self.acts and word in KEYS:
            raise _bad(number, "round.head-too-late", key=word)
        if self.acts or word.endswith(":"):
            raise _bad(number, "round.nobody", text=f"{word} {rest}".strip())
        if word not in KEYS:
            near = nearest(word, KEYS)
            if near:
                raise _bad(number, "round.key-near", key=word, near=near)
            raise _bad(number, "round.no-such-key", key=word, keys=", ".join(KEYS))
        key = full_key(word, rest)
        if key in self.head:
            raise _bad(number, "round.key-twice", key=key, line=self.head[key][0])
        self.head[key] = (number, rest)


def _bad(number: int, key: str, /, **params: str | int) -> BadLine:
    return BadLine(number, say(message(key, **params)))


def _currency(head: dict[str, tuple[int, str]], rules: RoundRules) -> Currency:
    if "game" not in head:
        raise BadLine(None, say(message("round.no-game")))
    number, game = head["game"]
    try:
        usual = rules.currency(game)
    except UnknownGame as error:
        raise BadLine(number, str(error)) from error
    if "house" not in head:
        return usual
    line, house = head["house"]
    try:
        return rules.named_house(house).currency
    except BadWord as error:
        raise BadLine(line, str(error)) from error


def _act(number: int, line: str, currency: Currency, wagers: tuple[str, ...]) -> WrittenAct:
    """``[at TIME] WHO [with WHO]: WHAT``."""
    found = _ACT.fullmatch(line)
    if found is None:
        raise _bad(number, "round.nobody", text=line)
    what, actor = found["what"], found["who"]
    try:
        if found["at"]:
            instant_of(found["at"])
        bodies = bodies_of(what, actor, currency)
    except BadWord as error:
        raise BadLine(number, str(error)) from error
    if bodies is None:
        raise _not_understood(number, what, wagers)
    return WrittenAct(number, line, actor, bodies, found["with"], found["at"])


def _not_understood(number: int, what: str, wagers: tuple[str, ...]) -> BadLine:
    """Hint at the wager with its hyphen, or else at a form, for a line that has no form."""
    meant = next(filter(has_a_form, with_hyphens(what, wagers)), None)
    if meant is not None:
        return _bad(number, "round.line-near", text=what, near=meant)
    forms = forms_near(what)
    if forms:
        return _bad(number, "round.form-near", text=what, forms=" / ".join(forms))
    return _bad(number, "round.bad-line", text=what)


def _check(number: int, text: str, names: set[str], currency: Currency) -> Check:
    """``WHO[ in round NUMBER]: WHAT AMOUNT, WHAT AMOUNT``."""
    found = _CHECK.fullmatch(text)
    pairs = [part.split() for part in found["amounts"].split(",")] if found else []
    if found is None or any(len(pair) != 2 for pair in pairs):
        raise _bad(number, "round.bad-check", text=text)
    who = found["who"].strip()
    can = {"house": HOUSE_CHECKS, "shoe": SHOE_CHECKS}.get(who, OF_A_PATRON if who in names else ())
    if not can:
        raise _bad(number, "round.check-nobody", who=who, names=", ".join((*sorted(names), "house", "shoe")))
    for what, amount in pairs:
        if what not in can:
            raise _bad(number, "round.check-nothing", who=who, what=what, choices=", ".join(can))
        right = NUMBER.fullmatch(amount) if who == "shoe" else parse_balance(amount, currency) is not None
        if not right:
            raise _bad(number, "round.bad-amount", text=amount)
    return Check(number, who, tuple((what, amount) for what, amount in pairs), _round_of(number, who, found))


def _round_of(number: int, who: str, found: re.Match[str]) -> int | None:
    """The round that a check is about; nothing where it is about everything so far."""
    if found["round"] is None:
        return None
    if who == "shoe":
        raise _bad(number, "round.check-shoe-in-round")
    try:
        return number_of(found["round"])
    except BadWord as error:
        raise BadLine(number, str(error)) from error
