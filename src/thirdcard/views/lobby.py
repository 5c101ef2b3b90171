"""One line for each table: what a patron wants to know before sitting down."""

import enum

from msgspec import Struct

from thirdcard.folds.roads import width, window
from thirdcard.folds.scoreboard import BigRoad, Statistics
from thirdcard.folds.viewers import DISPLAY
from thirdcard.game.state import Phase, Table
from thirdcard.money import Currency
from thirdcard.rulebook.book import Kind
from thirdcard.rulebook.facts import Winner
from thirdcard.views.sections.public import PhaseSection, WagerOffered
from thirdcard.views.sections.whole import View
from thirdcard.views.view import ShownViews, view_of

MINI_COLUMNS = 12


class TableState(enum.Enum):
    """How a table stands as the lobby says it."""

    SHUT = "shut"
    STOPPED = "stopped"
    DISABLED = "disabled"
    PAUSED = "paused"
    BETTING = "betting"
    DEALING = "dealing"
    BETWEEN_ROUNDS = "between-rounds"


class MiniMark(Struct, frozen=True):
    """A mark of the mini road in its place, counted from zero at the top left."""

    row: int
    column: int
    winner: Winner
    ties: int


class LobbyLimits(Struct, frozen=True):
    """The lowest minimum and the highest maximum of a kind of wager."""

    kind: Kind
    minimum: int
    maximum: int


class LobbyLine(Struct, frozen=True, kw_only=True):
    """A table in the lobby; ``road`` is the end of its big road, ``free_positions`` are those to sit at."""

    table: str
    game: str
    name: str
    currency: Currency
    limits: tuple[LobbyLimits, ...]
    state: TableState
    training: bool
    terminal: bool
    positions: int
    free_positions: tuple[int, ...]
    shoe: int | None
    statistics: Statistics
    road: tuple[MiniMark, ...]


def lobby_line(showing: ShownViews) -> LobbyLine:
    """The line of a table."""
    view = view_of(showing, DISPLAY)
    setup, board = view.setup, view.scoreboard
    return LobbyLine(
        table=setup.table,
        game=setup.game,
        name=setup.name,
        currency=setup.currency,
        limits=tuple(_limits(view, kind) for kind in Kind),
        state=_state(view.phase),
        training=setup.training,
        terminal=setup.terminal,
        positions=setup.positions,
        free_positions=free_positions(showing.ground.sources.table),
        shoe=view.shoe.number,
        statistics=board.statistics,
        road=_mini_road(board.big_road),
    )


def free_positions(table: Table) -> tuple[int, ...]:
    """The positions at which nobody sits."""
    taken = {each.position for each in table.seated}
    return tuple(number for number in range(1, table.setup.positions + 1) if number not in taken)


def _limits(view: View, kind: Kind) -> LobbyLimits:
    wagers: list[WagerOffered] = [each for each in view.setup.wagers if each.kind is kind]
    least = min((each.minimum for each in wagers), default=0)
    return LobbyLimits(kind, least, max((each.maximum for each in wagers), default=0))


def _state(phase: PhaseSection) -> TableState:
    for holds, state in (
        (phase.stopped, TableState.STOPPED),
        (phase.phase is Phase.SHUT, TableState.SHUT),
        (phase.paused, TableState.PAUSED),
        (phase.phase is Phase.BETTING, TableState.BETTING),
        (phase.phase is not Phase.IDLE, TableState.DEALING),
        (phase.disabled, TableState.DISABLED),
    ):
        if holds:
            return state
    return TableState.BETWEEN_ROUNDS


def _mini_road(road: BigRoad) -> tuple[MiniMark, ...]:
    """The columns up to the newest mark, and those after it that there is room for."""
    if not road.cells:
        return ()
    columns = window([1] * width(road.cells), newest=road.cells[-1].column, room=MINI_COLUMNS)
    return tuple(
        MiniMark(cell.row, cell.column - columns.start, cell.content.shown.winner, cell.content.ties)
        for cell in road.cells
        if cell.column in columns
    )
