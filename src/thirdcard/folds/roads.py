"""The arithmetic of the roads: runs of the same winner, the marks derived from them, and places in a grid.

Marks are derived from the lengths of the runs, never from drawn cells: a run that turns right at the bottom
of the grid is as long as ever.
"""

import enum
import itertools
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from thirdcard.rulebook.facts import Winner

ROAD_ROWS = 6
Content = TypeVar("Content")
RoadPlace = tuple[int, int]


class Colour(enum.Enum):
    """A mark of a derived road: red where the columns repeat a pattern, blue where they break it."""

    RED = "red"
    BLUE = "blue"


class Tail(enum.Enum):
    """How a run goes on that cannot go down: A stays in its row, B drops again as soon as it can."""

    A = "A"
    B = "B"


class RoadCell(Struct, Generic[Content], frozen=True):
    """A place in a grid of six rows, counted from zero at the top left, and what stands there."""

    row: int
    column: int
    content: Content


class Run(Struct, frozen=True):
    """A logical column of the big road: one winner, as often in a row as it won, ties left out."""

    winner: Winner
    length: int


def runs_of(winners: Iterable[Winner]) -> tuple[Run, ...]:
    """The logical columns of the big road: a new one at each change of winner."""
    decided = (winner for winner in winners if winner is not Winner.TIE)
    return tuple(Run(winner, sum(1 for _ in group)) for winner, group in itertools.groupby(decided))


def derive(lengths: tuple[int, ...], *, offset: int) -> tuple[Colour, ...]:
    """The marks of a derived road: offset 1 is the big eye boy, 2 the small road, 3 the cockroach pig.

    >>> [mark.value for mark in derive((2, 4), offset=1)]
    ['red', 'blue', 'red']
    """
    return tuple(
        _top_mark(lengths, column, offset) if row == 0 else _lower_mark(lengths[column - offset], row)
        for column in range(offset, len(lengths))
        for row in range(0 if column > offset else 1, lengths[column])
    )


def _top_mark(lengths: tuple[int, ...], column: int, offset: int) -> Colour:
    """A new column has begun: red when the one that it ended is as long as the one compared with."""
    return Colour.RED if lengths[column - 1] == lengths[column - 1 - offset] else Colour.BLUE


def _lower_mark(compared: int, row: int) -> Colour:
    """A column went on: blue in the one row where it outgrows the column compared with, else red."""
    return Colour.BLUE if compared == row else Colour.RED


def lay_out(lengths: Iterable[int], tail: Tail) -> tuple[RoadPlace, ...]:
    """The row and column of every mark of runs drawn one after the other in a grid without right edge.

    A run starts at the top, to the right of where the run before it started, and goes down while the place
    below is free; then it turns right. The place to the right is always free: whatever stood there would have
    stopped the run further up.
    """
    taken: set[RoadPlace] = set()
    start = -1
    places: list[RoadPlace] = []
    for length in lengths:
        start = next(column for column in itertools.count(start + 1) if (0, column) not in taken)
        row, column, turned = 0, start, False
        for step in range(length):
            if step:
                below = row + 1 < ROAD_ROWS and (row + 1, column) not in taken
                turned = turned or not below
                if below and not (turned and tail is Tail.A):
                    row += 1
                else:
                    column += 1
            taken.add((row, column))
            places.append((row, column))
    return tuple(places)


def width(cells: Iterable[RoadCell[Content]]) -> int:
    """How many columns a road takes."""
    return max((cell.column + 1 for cell in cells), default=0)


def window(widths: Sequence[int], *, newest: int, room: int) -> range:
    """The columns to draw where there is no room for all: that of the newest mark, those before, those after.

    The newest mark need not stand in the last column: an older run may have a tail that reaches further.

    >>> window([1] * 9, newest=6, room=4)
    range(3, 7)
    """
    first, end = newest, newest + 1
    room -= widths[newest]
    while first > 0 and widths[first - 1] <= room:
        first -= 1
        room -= widths[first]
    while end < len(widths) and widths[end] <= room:
        room -= widths[end]
        end += 1
    return range(first, end)
