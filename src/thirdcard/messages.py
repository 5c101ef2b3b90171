"""Sentences for people: every one is a key with parameters, and a language file says how it reads."""

import contextlib
import functools
import importlib.resources
import re
import tomllib
from collections.abc import Iterable, Iterator
from contextvars import ContextVar

from msgspec import Struct

FIRST_LANGUAGE = "en"  # the language that has every sentence
FORMS = frozenset(("zero", "one", "two", "few", "many", "other"))  # the plural forms that languages have
PLURAL_FORMS = {"en": ("one", "other")}  # a language that is not named here has the form "other" alone
NAMED_BY_ID = ("post", "wager")  # what is said by its id in words where a language has no name for it
DECIMAL_MARKS = {"vi": ","}  # a language that is not named here writes a point
SPACELESS = ("zh-Hans", "zh-Hant")  # languages that write no space between two sentences
_AMOUNT = re.compile(r"\d+\.\d{2,3}")
_ODDS = re.compile(r"([\d.]+) to (\d+)")
Params = tuple[tuple[str, str | int], ...]
_reader: ContextVar[str] = ContextVar("language of the reader", default=FIRST_LANGUAGE)


class Message(Struct, frozen=True):
    """A sentence to be said, before it is said in a language."""

    key: str
    params: Params = ()


class Plural(Struct, frozen=True):
    """A sentence that has a form for one and another for several: its language, and what is counted."""

    language: str
    by: str
    forms: dict[str, str]

    def form(self, params: dict[str, str | int]) -> str:
        """The form for the number among the parameters."""
        return self.forms[plural_form(self.language, params.get(self.by, 0))]


def plural_forms(language: str) -> tuple[str, ...]:
    """The plural forms that a language has for whole numbers, as CLDR lists them."""
    return PLURAL_FORMS.get(language, ("other",))


def plural_form(language: str, number: str | int) -> str:
    """The form for a number, which may be written out.

    >>> plural_form("en", 1), plural_form("en", 2), plural_form("ko", 1)
    ('one', 'other', 'other')
    """
    return "one" if str(number) == "1" and "one" in plural_forms(language) else "other"


def message(key: str, /, **params: str | int) -> Message:
    """A message by its key, with its parameters by name."""
    return Message(key, tuple(sorted(params.items())))


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything within in the language of a reader, in English where there is no such language."""
    token = _reader.set(language if language in languages() else FIRST_LANGUAGE)
    try:
        yield
    finally:
        _reader.reset(token)


def spoken_language() -> str:
    """The language of the reader."""
    return _reader.get()


def say(what: Message, language: str | None = None) -> str:
    """The sentence of a message, in a language or in that of the reader.

    >>> say(message("post.pit-manager"))
    'Pit Manager'
    >>> with speaking("zh-Hans"):
    ...     say(message("hand.player"))
    '闲'
    """
    language = language or _reader.get()
    plural = _plurals(language).get(what.key)
    text = sentences(language)[what.key] if plural is None else plural.form(dict(what.params))
    return text.format_map({name: _spoken(name, value, language) for name, value in what.params})


def say_all(what: Iterable[Message], language: str | None = None) -> str:
    """Several sentences one after the other, with a space between them where the language writes one."""
    language = language or _reader.get()
    return ("" if language in SPACELESS else " ").join(say(each, language) for each in what)


def _spoken(name: str, value: str | int, language: str) -> str | int:
    """A parameter such as ``@hand.player`` is itself a key; what people typed may begin with @ as well.

    Amounts and odds are said as the language has them. A wager by its id has its name; the rulebooks have it
    in English, and so English keeps the id.
    """
    if isinstance(value, int):
        return value
    if value.startswith("@"):
        section, _, name = value[1:].partition(".")
        own = in_words(name) if section in NAMED_BY_ID else value
        return sentences(language).get(value[1:], own)
    if name == "odds" and (odds := _ODDS.fullmatch(value)):
        return say(message("said.odds", gain=odds[1], stake=odds[2]), language)
    if name == "wager" and language != FIRST_LANGUAGE:
        return sentences(language).get(f"wager.{value}", value)
    if language in DECIMAL_MARKS and not name.startswith("clause") and _AMOUNT.fullmatch(value):
        return value.replace(".", DECIMAL_MARKS[language])
    return value


def in_words(name: str) -> str:
    """An id as people say it where no language has a name for it: ``floor-host`` is Floor Host."""
    return name.replace("-", " ").title()


def knows(key: str, language: str | None = None) -> bool:
    """Whether a language, or that of the reader, has a sentence for a key."""
    return key in sentences(language or _reader.get())


@functools.cache
def languages() -> frozenset[str]:
    """The languages that have a file."""
    folder = importlib.resources.files("thirdcard").joinpath("languages")
    return frozenset(each.name.removesuffix(".toml") for each in folder.iterdir())


@functools.cache
def sentences(language: str) -> dict[str, str]:
    """All sentences of a language file by their dotted key, in English where it has none.

    One that has plural forms is here with its usual one. Nothing where there is no such file.
    """
    own = {key: each if isinstance(each, str) else each.forms["other"] for key, each in _own(language)}
    return own if not own or language == FIRST_LANGUAGE else {**sentences(FIRST_LANGUAGE), **own}


@functools.cache
def _plurals(language: str) -> dict[str, Plural]:
    """The sentences with plural forms by their dotted key, in English where a language has none."""
    own = dict(_own(language))
    found = {} if language == FIRST_LANGUAGE else _plurals(FIRST_LANGUAGE)
    mine = {key: each for key, each in own.items() if isinstance(each, Plural)}
    return {key: each for key, each in found.items() if key not in own} | mine


@functools.cache
def _own(language: str) -> tuple[tuple[str, str | Plural], ...]:
    """The sentences of a language's own file."""
    source = importlib.resources.files("thirdcard").joinpath("languages", f"{language}.toml")
    if not source.is_file():
        return ()
    return tuple(_flatten(language, "", tomllib.loads(source.read_text("utf-8"))))


def _flatten(language: str, prefix: str, table: dict[str, object]) -> Iterator[tuple[str, str | Plural]]:
    for key, value in table.items():
        if not isinstance(value, dict):
            yield prefix + key, str(value)
        elif "other" in value and value.keys() <= FORMS | {"by"}:
            forms = {name: str(text) for name, text in value.items() if name in FORMS}
            yield prefix + key, Plural(language, str(value.get("by", "count")), forms)
        else:
            yield from _flatten(language, f"{prefix}{key}.", value)
