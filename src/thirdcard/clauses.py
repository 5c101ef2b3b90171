"""Clause numbers of a rule document, as printed."""

import functools
import re
from typing import Annotated, NewType

from msgspec import Meta

Clause = NewType("Clause", str)
Clauses = Annotated[tuple[Clause, ...], Meta(min_length=1)]

_PART = re.compile(r"(\d+)")


@functools.lru_cache(maxsize=4096)  # the steps of a round cite few combinations, again and again
def each_once(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Clauses in their order, each where it comes first."""
    return tuple(dict.fromkeys(clauses))


def clause_order(clause: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key that puts clauses in document order: ``Front.1 < 2.2 < 2.10 < 3.9.T1 < App.A``."""
    front = -1 if clause.startswith("Front") else 0
    back = 1 if clause.startswith("App") else 0
    head = (front + back, 0, "")
    return (head, *(_part(text) for text in clause.split(".")))


def _part(text: str) -> tuple[int, int, str]:
    if text.isdecimal():
        return (0, int(text), "")
    pieces = _PART.split(text)
    number = int(pieces[1]) if len(pieces) > 1 else 0
    return (1, number, pieces[0])
