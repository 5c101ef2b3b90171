"""Whatever a rulebook says is shown: change any value of it, and the two documents differ."""

import datetime
import enum
import typing
from collections.abc import Iterator

import msgspec
import pytest

from thirdcard.rulebook.document import Document
from thirdcard.rulebook.pages.diff import diff
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED

ELSEWHERE = ("format", "id", "text", "readings", "clauses")  # how it is written, or shown by other commands
ROW_READINGS = "irregularities.#.readings.#"
CELLS = {"hand", "total", "player_third"}  # a table of play with other cells has holes and is refused


def changed(value: object, hint: object = Document) -> Iterator[tuple[tuple[str, ...], object]]:
    """Everything that a value could be instead, with one thing in it changed, and where."""
    if isinstance(value, msgspec.Struct):
        hints = typing.get_type_hints(type(value))
        for name in value.__struct_fields__:
            if name == "or_above" and getattr(value, "by", "somebody") is None:
                continue  # nobody is above no post
            for path, other in changed(getattr(value, name), hints[name]):
                yield (name, *path), msgspec.structs.replace(value, **{name: other})
    elif isinstance(value, tuple):
        for at, each in enumerate(value):
            for path, other in changed(each, hint):
                yield ("#", *path), (*value[:at], other, *value[at + 1 :])
    elif isinstance(value, dict):
        for key, each in value.items():
            for path, other in changed(each, hint):
                yield ("*", *path), {**value, key: other}
    elif value is not None:
        yield from (((), other) for other in others(value, hint))


def others(value: object, hint: object) -> Iterator[object]:
    """A value of the same kind that is not the same, if there is one."""
    words = [each for each in choices(hint) if each != value]
    match value:
        case bool():
            yield not value
        case enum.Enum():
            yield next(each for each in type(value) if each is not value)
        case int():
            yield value + 1
        case datetime.datetime():
            yield value + datetime.timedelta(days=1)
        case str() if value in choices(hint):
            yield from words[:1]
        case str() if value.startswith("call."):
            yield "call.bets-are-open"
        case _:
            yield "9.9.9"


def choices(hint: object) -> tuple[object, ...]:
    """The words of the closed list that a value is from."""
    inside = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        return inside
    return tuple(word for each in inside for word in choices(each))


def distinct(document: Document) -> dict[str, object]:
    """One changed document for each key."""
    found: dict[str, object] = {}
    for path, other in changed(document):
        if path[0] not in ELSEWHERE and not (path[0] == "table_of_play" and CELLS & set(path)):
            found.setdefault(".".join(path), other)
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("name", DOCUMENTS)
def test_whatever_changes_in_a_document_shows(name: str) -> None:
    document = SHIPPED.document(name)
    silent = []
    for key, other in distinct(document).items():
        assert isinstance(other, Document)
        if key != ROW_READINGS and not any(topic.differs or topic.moved for topic in diff(document, other)):
            silent.append(key)
    assert silent == []
