"""Rounds told in Simplified Chinese: no English stands there but what people typed and are called."""

import re
from collections.abc import Iterator

import msgspec
import pytest
from golden import NAMES, golden
from lengths import sized

from thirdcard.dossier.story import lines_of, refusal_line, terms_of
from thirdcard.messages import sentences, speaking
from thirdcard.refusals import Refused
from thirdcard.rulebook.shelf import SHIPPED

WORD = re.compile(r"[A-Za-z]{2,}")
# ids that have names in every language: they are no names that people gave
NAMED = ("preset", "choice", "winner", "dispute", "equipment", "device", "post")
IDS = {name for section, _, name in (key.partition(".") for key in sentences("en")) if section in NAMED}
IDS |= {wager for book in SHIPPED.rulebooks for wager in book.wagers} | {
    book.id for book in SHIPPED.rulebooks
}
# parameters of refusals that list ids
LISTS = ("choices", "sources", "offered", "items", "facts", "needed", "game")
PRINTED = {"Hoiana"}  # the name of a house stands in the names of its games


def typed(value: object) -> Iterator[str]:
    """The words that people typed or are called by, somewhere in a value."""
    if isinstance(value, str):
        yield from () if value in IDS else (value,)
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from typed(each)


def english_in(line: str, own: set[str]) -> list[str]:
    for each in sorted(own, key=len, reverse=True):
        line = line.replace(each, "")
    return WORD.findall(line)


@pytest.mark.sweep
def test_golden_rounds_are_told_in_chinese() -> None:
    left: dict[str, list[str]] = {}
    for name in NAMES[:: len(NAMES) // sized(120, len(NAMES))]:
        told = golden(name)
        with speaking("zh-Hans"):
            terms = terms_of(told.rulebook, told.house)
            for event in told.played.events:
                own = set(typed(msgspec.to_builtins(event)))
                for line in lines_of(event, terms, str):
                    if english_in(line.text, own):
                        left[line.text] = [name]
            for refused in told.played.refusals:
                line = refusal_line("rule", refused, terms)
                if english_in(line.text, _own(refused)):
                    left[line.text] = [name]
    assert left == {}


def _own(refused: Refused) -> set[str]:
    return PRINTED | {str(value) for name, value in refused.params if name not in LISTS}
