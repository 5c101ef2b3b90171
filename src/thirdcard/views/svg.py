"""A scoreboard as one SVG picture: the five roads with titles, the statistics of the shoe and a legend."""

from collections.abc import Callable, Iterable, Iterator
from xml.sax.saxutils import escape

from msgspec import Struct

from thirdcard.folds.roads import ROAD_ROWS, Colour, Content, RoadCell, width, window
from thirdcard.folds.scoreboard import BigRoad, DerivedRoad, MarksNext, RoundShown, Scoreboard, Statistics
from thirdcard.messages import message, say
from thirdcard.rulebook.facts import Winner
from thirdcard.views.shapes import LARGE, SMALL, bead, disc, ring, slash, style, with_ties

EDGE, GAP, HEADING = 30, 30, 30  # around the picture, between panels, above a panel
LEAST_COLUMNS = 16  # of large cells in a panel that takes half of the picture
STATISTICS_LINE, LEGEND_LINE, LEGEND_LINES = 20, 18, 5
NEXT_LINE = 24  # below everything, where the marks that come next are shown
MARKS_SHOWN = 9  # beside nine counts; no game has more


class Panel(Struct, frozen=True):
    """Where a road is drawn, how large its cells are, how many it has across, and which columns are seen."""

    x: int
    y: int
    cell: int
    across: int
    first: int
    end: int
    hidden: int


def svg(board: Scoreboard, *, columns: int | None = None) -> str:
    """The picture of a scoreboard: of each road all columns, or so many up to the newest mark."""
    half, whole = _columns(board, columns)
    left, right = EDGE, EDGE + half * LARGE + GAP
    heights = (ROAD_ROWS * LARGE, ROAD_ROWS * LARGE, ROAD_ROWS * SMALL, ROAD_ROWS * SMALL)
    tops = [EDGE + 2 * HEADING + sum(heights[:row]) + row * (GAP + HEADING) for row in range(4)]
    plate, road = board.bead_plate, board.big_road
    end = tops[3] + heights[3]
    below = GAP + NEXT_LINE if board.next_marks else 0
    parts = [
        *_opening(whole * LARGE + 2 * EDGE, end + below + EDGE, board.statistics),
        *_bead_plate(plate, _panel(plate, columns, x=left, y=tops[0], cell=LARGE, room=half)),
        *_statistics(board.statistics, right, tops[0], half * LARGE),
        *_big_road(road, _panel(road.cells, columns, x=left, y=tops[1], cell=LARGE, room=whole)),
    ]
    derived: tuple[tuple[str, DerivedRoad, Callable[[Colour], str], int, int], ...] = (
        ("road.big-eye-boy", board.big_eye_boy, ring, left, tops[2]),
        ("road.small-road", board.small_road, disc, right, tops[2]),
        ("road.cockroach-pig", board.cockroach_pig, slash, left, tops[3]),
    )
    for title, each, shape, x, y in derived:
        panel = _panel(each.cells, columns, x=x, y=y, cell=SMALL, room=half * 2)
        parts += _grid(panel, title)
        parts += (_put(panel, cell, shape(cell.content)) for cell in _seen(panel, each.cells))
    parts += _legend(board.statistics, right, tops[3], half * LARGE)
    if board.next_marks:
        parts += _next_marks("road.if-banker", board.next_marks.banker, left, end + GAP)
        parts += _next_marks("road.if-player", board.next_marks.player, right, end + GAP)
    return "\n".join((*parts, "</svg>")) + "\n"


def _columns(board: Scoreboard, columns: int | None) -> tuple[int, int]:
    """The large cells across half of the picture and across all of it, so that every road has room."""
    derived = (board.big_eye_boy, board.small_road, board.cockroach_pig)
    half = max(
        LEAST_COLUMNS,
        len(_drawn(board.bead_plate, columns)),
        len(_drawn(board.big_road.cells, columns)) // 2,
        *((len(_drawn(road.cells, columns)) + 1) // 2 for road in derived),
    )
    return half, 2 * half + 1


def _drawn(cells: tuple[RoadCell[Content], ...], columns: int | None) -> range:
    every = width(cells)
    if columns is None or columns >= every:
        return range(every)
    return window([1] * every, newest=cells[-1].column, room=columns)


def _panel(
    cells: tuple[RoadCell[Content], ...], columns: int | None, *, x: int, y: int, cell: int, room: int
) -> Panel:
    seen, every = _drawn(cells, columns), width(cells)
    return Panel(x, y, cell, room, first=seen.start, end=seen.stop, hidden=every - len(seen))


def _seen(panel: Panel, cells: Iterable[RoadCell[Content]]) -> Iterator[RoadCell[Content]]:
    return (cell for cell in cells if panel.first <= cell.column < panel.end)


def _put(panel: Panel, cell: RoadCell[Content], shape: str, about: str = "") -> str:
    """A sign in its cell, with a sentence about it that a pointer and a screen reader find."""
    x, y = panel.x + (cell.column - panel.first) * panel.cell, panel.y + cell.row * panel.cell
    title = f"<title>{escape(about)}</title>" if about else ""
    return f'<g transform="translate({x} {y})">{title}{shape}</g>'


def _opening(across: int, down: int, statistics: Statistics) -> Iterator[str]:
    title = escape(say(message("road.scoreboard")))
    rounds = escape(say(message("road.rounds", rounds=statistics.rounds)))
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" '
        f'viewBox="0 0 {across} {down}" role="img">'
    )
    yield f"<title>{title}. {rounds}</title>"
    yield style()
    yield f'<rect class="paper" width="{across}" height="{down}"/>'
    yield f'<text class="title" x="{EDGE}" y="{EDGE + 18}">{title}</text>'
    yield f'<text class="faint right" x="{across - EDGE}" y="{EDGE + 18}">{rounds}</text>'


def _grid(panel: Panel, key: str) -> Iterator[str]:
    """The empty cells of a road under its title, which says so where columns are not drawn."""
    across, down = panel.across * panel.cell, ROAD_ROWS * panel.cell
    yield _heading(key, panel.x, panel.y)
    if panel.hidden:
        hidden = escape(say(message("road.not-drawn", columns=panel.hidden)))
        yield f'<text class="faint right" x="{panel.x + across}" y="{panel.y - 10}">{hidden}</text>'
    yield f'<rect class="field" x="{panel.x}" y="{panel.y}" width="{across}" height="{down}"/>'
    lines = [f"M{panel.x} {panel.y + row * panel.cell}h{across}" for row in range(ROAD_ROWS + 1)]
    lines += [f"M{panel.x + column * panel.cell} {panel.y}v{down}" for column in range(panel.across + 1)]
    yield f'<path class="grid" d="{"".join(lines)}"/>'


def _heading(key: str, x: int, y: int) -> str:
    return f'<text class="heading" x="{x}" y="{y - 10}">{escape(say(message(key)))}</text>'


def _bead_plate(cells: tuple[RoadCell[RoundShown], ...], panel: Panel) -> Iterator[str]:
    yield from _grid(panel, "road.bead-plate")
    for cell in _seen(panel, cells):
        number = cell.column * ROAD_ROWS + cell.row + 1
        yield _put(panel, cell, bead(cell.content), _about(number, cell.content))


def _big_road(road: BigRoad, panel: Panel) -> Iterator[str]:
    yield from _grid(panel, "road.big-road")
    if road.leading_ties and not road.cells:
        yield _put(panel, RoadCell(0, 0, None), with_ties("", road.leading_ties))
    for cell in _seen(panel, road.cells):
        mark = cell.content
        sign = with_ties(bead(mark.shown), mark.ties)
        yield _put(panel, cell, sign, _about(mark.round, mark.shown, ties=mark.ties))


def _about(number: int, shown: RoundShown, ties: int = 0) -> str:
    """A round in words: its outcome, then whatever else it showed."""
    outcome = {Winner.PLAYER: "hand.player", Winner.BANKER: "hand.banker", Winner.TIE: "road.tie"}
    seen = (
        (shown.natural, "road.natural"),
        (shown.player_pair, "road.player-pair"),
        (shown.banker_pair, "road.banker-pair"),
    )
    words = [say(message(outcome[shown.winner])), *(say(message(key)) for holds, key in seen if holds)]
    words += shown.marks
    if ties:
        words.append(say(message("road.ties", ties=ties)))
    return say(message("road.round", number=number, shown=", ".join(words)))


def _statistics(statistics: Statistics, x: int, y: int, across: int) -> Iterator[str]:
    """Counts of the shoe in the left half of a panel, and of its special results in the right half."""
    counts = (
        ("hand.banker", statistics.banker),
        ("hand.player", statistics.player),
        ("road.tie", statistics.tie),
        ("road.banker-pair", statistics.banker_pairs),
        ("road.player-pair", statistics.player_pairs),
        ("road.natural", statistics.naturals),
        ("road.longest-banker-run", statistics.longest_banker_run),
        ("road.longest-player-run", statistics.longest_player_run),
        ("road.longest-tie-run", statistics.longest_tie_run),
    )
    yield _heading("road.statistics", x, y)
    yield from _lines([(say(message(key)), count) for key, count in counts], x, y, across // 2 - GAP)
    special = [(each.mark, each.count) for each in statistics.marks[:MARKS_SHOWN]]
    yield from _lines(special, x + across // 2, y, across // 2 - GAP)


def _lines(lines: list[tuple[str, int]], x: int, y: int, across: int) -> Iterator[str]:
    for at, (label, count) in enumerate(lines):
        baseline = y + at * STATISTICS_LINE + 15
        yield f'<text x="{x}" y="{baseline}">{escape(label)}</text>'
        yield f'<text class="number" x="{x + across}" y="{baseline}">{count}</text>'


def _legend(statistics: Statistics, x: int, y: int, across: int) -> Iterator[str]:
    """Yield the meaning of every sign, in two columns; special results only where the shoe has any."""
    yield _heading("road.legend", x, y)
    signs = [
        ("hand.banker", _reduced(bead(RoundShown(Winner.BANKER)))),
        ("hand.player", _reduced(bead(RoundShown(Winner.PLAYER)))),
        ("road.tie", _reduced(bead(RoundShown(Winner.TIE)))),
        ("road.ties-sign", _reduced(with_ties(bead(RoundShown(Winner.PLAYER)), 2))),
        ("road.natural", _reduced(bead(RoundShown(Winner.BANKER, natural=True)))),
        ("road.banker-pair", _reduced(bead(RoundShown(Winner.PLAYER, banker_pair=True)))),
        ("road.player-pair", _reduced(bead(RoundShown(Winner.PLAYER, player_pair=True)))),
        ("road.red", _derived_signs(Colour.RED)),
        ("road.blue", _derived_signs(Colour.BLUE)),
    ]
    if statistics.marks:
        signs.append(("road.special", _reduced(bead(RoundShown(Winner.PLAYER, marks=("",))))))
    for at, (key, sign) in enumerate(signs):
        column, line = divmod(at, LEGEND_LINES)
        left, top = x + column * (across // 2), y + line * LEGEND_LINE
        yield f'<g transform="translate({left} {top})">{sign}</g>'
        indent = 56 if column else 26
        yield f'<text x="{left + indent}" y="{top + 14}">{escape(say(message(key)))}</text>'


def _next_marks(key: str, marks: MarksNext, x: int, y: int) -> Iterator[str]:
    """The marks of the derived roads if a hand wins the next round, behind its name."""
    yield f'<text class="heading" x="{x}" y="{y + 13}">{escape(say(message(key)))}</text>'
    signs = ((ring, marks.big_eye_boy), (disc, marks.small_road), (slash, marks.cockroach_pig))
    for at, (shape, colour) in enumerate(signs):
        sign = shape(colour) if colour else '<path class="faint-line" stroke-width="1.5" d="M5 7.5h5"/>'
        yield f'<g transform="translate({x + 130 + at * 22} {y})">{sign}</g>'


def _reduced(sign: str) -> str:
    return f'<g transform="scale(0.6)">{sign}</g>'


def _derived_signs(colour: Colour) -> str:
    shapes = enumerate((ring, disc, slash))
    return "".join(f'<g transform="translate({at * 17} 1.5)">{shape(colour)}</g>' for at, shape in shapes)
