"""Two rule documents side by side: what differs, and what only moved its number."""

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.pages.lines import PageLine, PageTable
from thirdcard.rulebook.pages.show import tables


class Difference(Struct, frozen=True):
    """One row that differs: what each document says about it, nothing where it says nothing."""

    about: tuple[str, ...]
    left: tuple[str, ...] | None
    right: tuple[str, ...] | None
    left_clauses: tuple[Clause, ...]
    right_clauses: tuple[Clause, ...]


class Topic(Struct, frozen=True):
    """One topic of two documents: rows that differ, rows that only moved, and how many are alike in all."""

    title: str
    differs: tuple[Difference, ...]
    moved: tuple[Difference, ...]
    same: int


def diff(left: Document, right: Document) -> tuple[Topic, ...]:
    """Every topic that either document treats."""
    ours = {table.title: table for table in tables(left)}
    theirs = {table.title: table for table in tables(right)}
    return tuple(_topic(title, ours.get(title), theirs.get(title)) for title in {**ours, **theirs})


def _topic(title: str, left: PageTable | None, right: PageTable | None) -> Topic:
    ours, theirs = _by_key(left), _by_key(right)
    differs: list[Difference] = []
    moved: list[Difference] = []
    same = 0
    for about in {**ours, **theirs}:
        one, other = ours.get(about), theirs.get(about)
        difference = _difference(about, one, other)
        if one is None or other is None or one.said != other.said:
            differs.append(difference)
        elif one.clauses != other.clauses:
            moved.append(difference)
        else:
            same += 1
    return Topic(title, tuple(differs), tuple(moved), same)


def _by_key(table: PageTable | None) -> dict[tuple[str, ...], PageLine]:
    return {line.about: line for line in table.lines} if table else {}


def _difference(about: tuple[str, ...], left: PageLine | None, right: PageLine | None) -> Difference:
    return Difference(
        about=about,
        left=left.said if left else None,
        right=right.said if right else None,
        left_clauses=left.clauses if left else (),
        right_clauses=right.clauses if right else (),
    )
