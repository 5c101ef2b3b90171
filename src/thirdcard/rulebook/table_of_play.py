"""The table of play: which hand takes a third card, and by which clause."""

import enum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from thirdcard.clauses import Clause

Points = Annotated[int, Meta(ge=0, le=9)]


class Step(enum.Enum):
    """What a hand does when its turn for a third card comes."""

    DRAWS = "draws"
    STANDS = "stands"


class NaturalRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Two-card totals of one hand that end the drawing for both."""

    hand: Literal["player", "banker"]
    total: tuple[Points, ...]
    clause: Clause


class PlayerRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What the Player hand does on some two-card totals."""

    total: tuple[Points, ...]
    step: Step
    clause: Clause


class BankerRow(Struct, frozen=True, forbid_unknown_fields=True):
    """What the Banker hand does on some two-card totals, by the third card of the Player hand."""

    total: tuple[Points, ...]
    player_third: tuple[Points, ...] | Literal["any", "none"]
    step: Step
    clause: Clause


class TableOfPlay(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of play as the document lays it out."""

    clause: Clause
    natural: tuple[NaturalRow, ...]
    player: tuple[PlayerRow, ...]
    banker: tuple[BankerRow, ...]
    natural_clause: Clause | None = None
    player_clause: Clause | None = None
    banker_clause: Clause | None = None


class Cell(Struct, frozen=True):
    """One decision of the table with the clause of its row."""

    step: Step
    clause: Clause


NO_THIRD_CARD = -1
BankerCells = dict[tuple[int, int], Cell]


class Drawing(Struct, frozen=True):
    """The table of play cell by cell: the Banker's by (total, Player's third card or ``NO_THIRD_CARD``)."""

    player_naturals: dict[int, Clause]
    banker_naturals: dict[int, Clause]
    player: dict[int, Cell]
    banker: BankerCells


def spread(table: TableOfPlay) -> tuple[Drawing, tuple[tuple[str, str], ...]]:
    """Every cell of the table, and the cells that two rows claim (as clause and place)."""
    clashes: list[tuple[str, str]] = []
    naturals: dict[str, dict[int, Clause]] = {"player": {}, "banker": {}}
    for natural in table.natural:
        for total in natural.total:
            if total in naturals[natural.hand]:
                clashes.append((natural.clause, f"{natural.hand} {total}"))
            naturals[natural.hand][total] = natural.clause
    player: dict[int, Cell] = {}
    for row in table.player:
        for total in row.total:
            if total in player or total in naturals["player"]:
                clashes.append((row.clause, f"player {total}"))
            player[total] = Cell(row.step, row.clause)
    banker: BankerCells = {}
    for line in table.banker:
        for key in _banker_keys(line):
            if key in banker or key[0] in naturals["banker"]:
                clashes.append((line.clause, place(key)))
            banker[key] = Cell(line.step, line.clause)
    return Drawing(naturals["player"], naturals["banker"], player, banker), tuple(clashes)


def holes(drawing: Drawing) -> tuple[str, ...]:
    """The situations that no row of the table covers."""
    player_totals = [total for total in range(10) if total not in drawing.player_naturals]
    banker_totals = [total for total in range(10) if total not in drawing.banker_naturals]
    missing = [f"player {total}" for total in player_totals if total not in drawing.player]
    keys = [(total, third) for total in banker_totals for third in (NO_THIRD_CARD, *range(10))]
    missing += [place(key) for key in keys if key not in drawing.banker]
    return tuple(missing)


def place(key: tuple[int, int]) -> str:
    """A Banker cell in words."""
    total, third = key
    return (
        f"banker {total}, player stood" if third == NO_THIRD_CARD else f"banker {total}, third card {third}"
    )


def _banker_keys(row: BankerRow) -> list[tuple[int, int]]:
    named: dict[object, tuple[int, ...]] = {"any": tuple(range(10)), "none": (NO_THIRD_CARD,)}
    thirds = row.player_third if isinstance(row.player_third, tuple) else named[row.player_third]
    return [(total, third) for total in row.total for third in thirds]
