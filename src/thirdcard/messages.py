"""Sentences for people: every one is a key with parameters, and a language file says how it reads."""

import contextlib
import functools
import importlib.resources
import tomllib
from collections.abc import Iterator
from contextvars import ContextVar

from msgspec import Struct

FIRST_LANGUAGE = "en"  # the language that has every sentence
Params = tuple[tuple[str, str | int], ...]
_reader: ContextVar[str] = ContextVar("language of the reader", default=FIRST_LANGUAGE)


class Message(Struct, frozen=True):
    """A sentence to be said, before it is said in a language."""

    key: str
    params: Params = ()


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
    return sentences(language)[what.key].format_map(
        {name: _spoken(value, language) for name, value in what.params}
    )


def _spoken(value: str | int, language: str) -> str | int:
    """A parameter such as ``@hand.player`` is itself a key; what people typed may begin with @ as well."""
    if isinstance(value, str) and value.startswith("@"):
        own = in_words(value.removeprefix("@post.")) if value.startswith("@post.") else value
        return sentences(language).get(value[1:], own)
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

    Nothing where there is no such file.
    """
    source = importlib.resources.files("thirdcard").joinpath("languages", f"{language}.toml")
    if not source.is_file():
        return {}
    own = dict(_flatten("", tomllib.loads(source.read_text("utf-8"))))
    return own if language == FIRST_LANGUAGE else {**sentences(FIRST_LANGUAGE), **own}


def _flatten(prefix: str, table: dict[str, object]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flatten(f"{prefix}{key}.", value)
        else:
            found.append((prefix + key, str(value)))
    return found
