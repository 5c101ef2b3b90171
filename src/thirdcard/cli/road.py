"""``thirdcard road``: the scoreboard of a shoe, in the terminal, as a picture or as JSON."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from thirdcard.cli.arguments import Flag, WholeNumber
from thirdcard.cli.number_forms import FOR_PEOPLE, NumberForm
from thirdcard.cli.output import BadInput, console
from thirdcard.computing.roads import SIGNS_OF_EXTRAS, SIGNS_OF_WINNERS, roads
from thirdcard.folds.roads import ROAD_ROWS, Colour, RoadCell, Tail, window
from thirdcard.folds.scoreboard import (
    BigRoad,
    DerivedRoad,
    MarksNext,
    RoundShown,
    Scoreboard,
    Statistics,
)
from thirdcard.messages import message, say
from thirdcard.rulebook.facts import Winner
from thirdcard.views.svg import svg as picture

_STYLES = {
    Winner.PLAYER: "bold bright_blue",
    Winner.BANKER: "bold bright_red",
    Winner.TIE: "bold bright_green",
    Colour.RED: "bright_red",
    Colour.BLUE: "bright_blue",
}
_RINGS = {Colour.RED: "○", Colour.BLUE: "□"}
_DISCS = {Colour.RED: "●", Colour.BLUE: "■"}
_SLASHES = {Colour.RED: "/", Colour.BLUE: "\\"}
_LETTERS = {winner: letter for letter, winner in SIGNS_OF_WINNERS.items()}


def road(
    rounds: str,
    *,
    tail: Annotated[Tail, Parameter("--tail", name_transform=str.upper)] = Tail.A,
    svg: Path | None = None,
    columns: WholeNumber | None = None,
    next_: Annotated[Flag, Parameter("--next")] = False,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Draw the five roads of a shoe: bead plate, big road, big eye boy, small road, cockroach pig.

    Parameters
    ----------
    rounds
        P, B or T for each round; behind it + for a natural, .p or .b for a pair. Spaces do not matter.
    tail
        How a run goes on that cannot go down: A stays in its row, B drops again as soon as it can.
    svg
        Write a picture to this file instead.
    columns
        Draw only so many columns of each road, up to its newest mark; without it all that fit, or in a
        picture all.
    next_
        Show also which mark each derived road gets if Banker wins the next round, and if Player does.
    """
    if columns is not None and columns < 1:
        raise BadInput(say(message("road.columns-not-positive", columns=columns)))
    form.check()
    drawn = roads(rounds, tail=tail.value, with_next=next_)
    board = drawn.board
    if svg is not None:
        _write(svg, picture(board, columns=columns))

    def show() -> None:
        if svg is not None:
            console().print(say(message("road.written", file=str(svg), rounds=board.statistics.rounds)))
        else:
            print_board(board, columns)

    form.tell(drawn, show)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        reason = error.strerror or ""
        raise BadInput(say(message("road.not-written", file=str(file), reason=reason))) from error


def print_board(board: Scoreboard, columns: int | None = None) -> None:
    """The five roads, the statistics and the signs; all columns that fit where no number is given."""
    out = console()
    _print_road(out, "road.bead-plate", (_bead(cell) for cell in board.bead_plate), columns)
    _print_road(out, "road.big-road", _big_road(board.big_road), columns)
    _print_road(out, "road.big-eye-boy", _derived(board.big_eye_boy, _RINGS), columns)
    _print_road(out, "road.small-road", _derived(board.small_road, _DISCS), columns)
    _print_road(out, "road.cockroach-pig", _derived(board.cockroach_pig, _SLASHES), columns)
    if board.next_marks:
        for key, marks in (("banker", board.next_marks.banker), ("player", board.next_marks.player)):
            out.print(Text(say(message(f"road.if-{key}")), "bold").append_text(_next(marks)))
        out.print()
    for sentence in _sentences(board.statistics):
        out.print(sentence)
    out.print(say(message("road.signs")))
    out.print(say(message("road.colours")))


def _print_road(out: Console, title: str, cells: Iterable[RoadCell[Text]], columns: int | None) -> None:
    """A road under its title: as many columns as are asked for or fit; an empty road has one."""
    places = {(cell.row, cell.column): cell.content for cell in cells}
    widths = [1] * (max((column for _, column in places), default=0) + 1)
    for (_, column), content in places.items():
        widths[column] = max(widths[column], len(content))
    newest = next(reversed(places), (0, 0))[1]
    if columns is None:
        seen = window([width + 1 for width in widths], newest=newest, room=out.width + 1)
    else:
        seen = window([1] * len(widths), newest=newest, room=columns)
    heading = Text(say(message(title)), "bold")
    if len(seen) < len(widths):
        heading.append(f" ({say(message('road.not-drawn', columns=len(widths) - len(seen)))})", "dim")
    out.print(heading)
    for row in range(ROAD_ROWS):
        line = Text()
        for column in seen:
            content = places.get((row, column), Text("·", "dim"))
            line.append_text(content).append(" " * (widths[column] + 1 - len(content)))
        line.rstrip()
        out.print(line, no_wrap=True, overflow="ignore", crop=False)
    out.print()


def _bead(cell: RoadCell[RoundShown]) -> RoadCell[Text]:
    return RoadCell(cell.row, cell.column, _shown(cell.content))


def _shown(shown: RoundShown) -> Text:
    extras = "".join(sign.lower() for sign, name in SIGNS_OF_EXTRAS.items() if getattr(shown, name))
    return Text(_LETTERS[shown.winner] + extras, _STYLES[shown.winner])


def _big_road(road: BigRoad) -> list[RoadCell[Text]]:
    """The marks with their ties; ties before any win stand alone in the first place."""
    if not road.cells:
        return [RoadCell(0, 0, _ties(road.leading_ties))] if road.leading_ties else []
    return [
        RoadCell(cell.row, cell.column, _shown(cell.content.shown).append_text(_ties(cell.content.ties)))
        for cell in road.cells
    ]


def _ties(ties: int) -> Text:
    return Text(f"/{ties if ties > 1 else ''}" if ties else "", _STYLES[Winner.TIE])


def _derived(road: DerivedRoad, shapes: dict[Colour, str]) -> list[RoadCell[Text]]:
    return [
        RoadCell(cell.row, cell.column, Text(shapes[cell.content], _STYLES[cell.content]))
        for cell in road.cells
    ]


def _next(marks: MarksNext) -> Text:
    """The marks that come next in the derived roads; a dot where one gets none."""
    line = Text(":")
    of_roads = ((_RINGS, marks.big_eye_boy), (_DISCS, marks.small_road), (_SLASHES, marks.cockroach_pig))
    for shapes, colour in of_roads:
        line.append(" ").append(*((shapes[colour], _STYLES[colour]) if colour else ("·", "dim")))
    return line


def _sentences(counts: Statistics) -> tuple[str, ...]:
    outcomes = message(
        "road.outcomes", rounds=counts.rounds, banker=counts.banker, player=counts.player, tie=counts.tie
    )
    extras = message(
        "road.extras",
        naturals=counts.naturals,
        player_pairs=counts.player_pairs,
        banker_pairs=counts.banker_pairs,
    )
    longest = message(
        "road.longest",
        banker=counts.longest_banker_run,
        player=counts.longest_player_run,
        tie=counts.longest_tie_run,
    )
    return say(outcomes), say(extras), say(longest)
