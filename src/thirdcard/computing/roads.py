"""The roads of typed rounds."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from thirdcard.computing.bad_input import BadInput
from thirdcard.computing.results import Computed, count_column, text_column
from thirdcard.dossier.sheets import Cell, SheetColumn
from thirdcard.folds.roads import RoadCell, Tail
from thirdcard.folds.scoreboard import RoundShown, Scoreboard, next_marks, scoreboard
from thirdcard.messages import message, say
from thirdcard.rulebook.facts import Winner
from thirdcard.views.svg import svg

SIGNS_OF_WINNERS = {"P": Winner.PLAYER, "B": Winner.BANKER, "T": Winner.TIE}
SIGNS_OF_EXTRAS = {"+": "natural", ".P": "player_pair", ".B": "banker_pair"}
_SIGN = re.compile(r"[PBT]|\+|\.[PB]|\s+", re.IGNORECASE)


class Roads(Computed, frozen=True):
    """The five roads of a shoe with its statistics, drawn in a notebook."""

    board: Scoreboard

    @property
    def title(self) -> str:
        """The outcomes in numbers."""
        counts = self.board.statistics
        numbers = {"banker": counts.banker, "player": counts.player, "tie": counts.tie}
        return say(message("road.outcomes", rounds=counts.rounds, **numbers))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A mark and its place, counted from nought at the top left."""
        return (
            text_column("road", "computing.road"),
            count_column("row", "computing.row"),
            count_column("column", "computing.column"),
            text_column("mark", "computing.mark"),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each mark of each road."""
        board = self.board
        derived = {
            "big-eye-boy": board.big_eye_boy.cells,
            "small-road": board.small_road.cells,
            "cockroach-pig": board.cockroach_pig.cells,
        }
        return [
            *_marks("bead-plate", ((cell, cell.content.winner.value) for cell in board.bead_plate)),
            *_marks("big-road", ((cell, cell.content.shown.winner.value) for cell in board.big_road.cells)),
            *(
                row
                for road, cells in derived.items()
                for row in _marks(road, ((cell, cell.content.value) for cell in cells))
            ),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return every road with all its marks, and the statistics."""
        board: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.board))
        return board

    def _repr_html_(self) -> str:
        """Draw the roads in a notebook."""
        return svg(self.board).partition("?>")[2].strip()


def roads(rounds: str, *, tail: str = Tail.A.value, with_next: bool = False) -> Roads:
    """Draw the roads of a shoe: P, B or T for each round, behind it + for a natural, .p or .b for a pair.

    A run that cannot go down stays in its row with tail A, and drops again as soon as it can with tail B.
    ``with_next`` adds the marks that the next round would bring.
    """
    if tail not in {each.value for each in Tail}:
        tails = ", ".join(each.value for each in Tail)
        raise BadInput(say(message("cli.no-choice", option="tail", value=tail, choices=tails)))
    shown = parse_rounds(rounds)
    board = scoreboard(shown, Tail(tail))
    return Roads(replace(board, next_marks=next_marks(shown)) if with_next else board)


def parse_rounds(text: str) -> tuple[RoundShown, ...]:
    """The rounds that people type: ``P B+ T`` is Player, Banker with a natural, and a tie."""
    rounds: list[RoundShown] = []
    at = 0
    while at < len(text):
        found = _SIGN.match(text, at)
        if found is None:
            raise BadInput(say(message("road.bad-sign", place=at + 1, sign=text[at])))
        sign = found.group().upper()
        if sign in SIGNS_OF_WINNERS:
            rounds.append(RoundShown(SIGNS_OF_WINNERS[sign]))
        elif sign in SIGNS_OF_EXTRAS:
            if not rounds:
                raise BadInput(say(message("road.sign-alone", place=at + 1, sign=found.group())))
            if getattr(rounds[-1], SIGNS_OF_EXTRAS[sign]):
                raise BadInput(say(message("road.sign-twice", place=at + 1, sign=found.group())))
            rounds[-1] = replace(rounds[-1], **{SIGNS_OF_EXTRAS[sign]: True})
        at = found.end()
    return tuple(rounds)


def _marks(road: str, cells: Iterable[tuple[RoadCell[Any], str]]) -> list[tuple[Cell, ...]]:
    return [(road, cell.row, cell.column, mark) for cell, mark in cells]
