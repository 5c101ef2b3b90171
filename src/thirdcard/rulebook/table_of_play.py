"""The table of play: which hand takes a third card, and by which clause."""

import enum
import itertools
from typing import Annotated, Literal

from msgspec import Meta, Struct

from thirdcard.clauses import Clause

Points = Annotated[int, Meta(ge=0, le=9)]


class Hand(enum.Enum):
    """The two hands of a round."""

    PLAYER = "player"
    BANKER = "banker"


class DrawStep(enum.Enum):
    """The step of a hand when its turn for a third card comes."""

    DRAWS = "draws"
    STANDS = "stands"


class NaturalRow(Struct, frozen=True, forbid_unknown_fields=True):
    """Two-card totals of one hand that end the drawing for both."""

    hand: Literal["player", "banker"]
    total: tuple[Points, ...]
    clause: Clause


class PlayerRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The step of the Player hand on some two-card totals."""

    total: tuple[Points, ...]
    step: DrawStep
    clause: Clause


class BankerRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The step of the Banker hand on some two-card totals, by the third card of the Player hand."""

    total: tuple[Points, ...]
    player_third: tuple[Points, ...] | Literal["any", "none"]
    step: DrawStep
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


class DrawingCell(Struct, frozen=True):
    """One decision of the table with the clause of its row."""

    step: DrawStep
    clause: Clause


class Draws(Struct, frozen=True):
    """The hand that takes the next card."""

    hand: Hand
    clause: Clause


class Stands(Struct, frozen=True):
    """No hand takes another card."""

    clause: Clause


class Natural(Struct, frozen=True):
    """No hand takes another card because of the first two cards of this one."""

    hand: Hand
    clause: Clause


NextDraw = Draws | Stands | Natural
NO_THIRD_CARD = -1
BankerCells = dict[tuple[int, int], DrawingCell]


class Drawing(Struct, frozen=True):
    """The table of play cell by cell: the Banker's by (total, Player's third card or ``NO_THIRD_CARD``)."""

    player_naturals: dict[int, Clause]
    banker_naturals: dict[int, Clause]
    player: dict[int, DrawingCell]
    banker: BankerCells
    turns: dict[tuple[int, int, int], NextDraw]

    def __hash__(self) -> int:  # so that what follows from it can be remembered
        return hash(tuple(self.player.values()))

    def next_draw(self, player: int, banker: int, third: int = NO_THIRD_CARD) -> NextDraw:
        """Return what comes after two-card totals and, once the Player hand has it, its third card's value.

        A third card that the Player hand has against the table counts for nothing.
        """
        turn = self.turns.get((player, banker, third))
        return turn or self.turns[player, banker, NO_THIRD_CARD]


def spread(table: TableOfPlay) -> tuple[Drawing, tuple[tuple[str, str], ...]]:
    """Every cell of the table, and the cells that two rows claim (as clause and place)."""
    clashes: list[tuple[str, str]] = []
    naturals: dict[str, dict[int, Clause]] = {"player": {}, "banker": {}}
    for natural in table.natural:
        for total in natural.total:
            if total in naturals[natural.hand]:
                clashes.append((natural.clause, f"{natural.hand} {total}"))
            naturals[natural.hand][total] = natural.clause
    player: dict[int, DrawingCell] = {}
    for row in table.player:
        for total in row.total:
            if total in player or total in naturals["player"]:
                clashes.append((row.clause, f"player {total}"))
            player[total] = DrawingCell(row.step, row.clause)
    banker: BankerCells = {}
    for line in table.banker:
        for key in _banker_keys(line):
            if key in banker or key[0] in naturals["banker"]:
                clashes.append((line.clause, place(key)))
            banker[key] = DrawingCell(line.step, line.clause)
    turns = _turns(naturals, player, banker)
    return Drawing(naturals["player"], naturals["banker"], player, banker, turns), tuple(clashes)


def _turns(
    naturals: dict[str, dict[int, Clause]], player: dict[int, DrawingCell], banker: BankerCells
) -> dict[tuple[int, int, int], NextDraw]:
    """Every answer of ``next_draw``; a cell that the table lacks has none."""
    turns: dict[tuple[int, int, int], NextDraw] = {}
    for own_total, other_total in itertools.product(range(10), repeat=2):
        natural: NextDraw | None = None
        for hand, total in zip(Hand, (own_total, other_total), strict=True):
            clause = naturals[hand.value].get(total)
            natural = natural or (Natural(hand, clause) if clause else None)
        if natural is not None:
            turns[own_total, other_total, NO_THIRD_CARD] = natural
            continue
        own = player.get(own_total)
        draws = own is not None and own.step is DrawStep.DRAWS
        if own is not None and draws:
            turns[own_total, other_total, NO_THIRD_CARD] = Draws(Hand.PLAYER, own.clause)
        for third in range(10) if draws else (NO_THIRD_CARD,):
            cell = banker.get((other_total, third))
            if cell is not None:
                drawn = cell.step is DrawStep.DRAWS
                turn = Draws(Hand.BANKER, cell.clause) if drawn else Stands(cell.clause)
                turns[own_total, other_total, third] = turn
    return turns


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
