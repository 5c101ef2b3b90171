"""Small pictures of odds as SVG: bars, a grid of the table of play, lines by decks, and a map of removals."""

from collections.abc import Sequence
from fractions import Fraction
from xml.sax.saxutils import escape

from thirdcard.cards import Rank
from thirdcard.messages import message, say
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Drawing, DrawStep

INK, FAINT, RULE = "#1d2733", "#5b6875", "#d5dbe1"
HOUSE, PATRON, PLAYER, BANKER, TIE = "#a63d2f", "#2f6f9f", "#2f6f9f", "#a63d2f", "#3d8b57"
FONT = 'font-family="system-ui, sans-serif" font-size="12"'


def bars(lines: Sequence[tuple[str, float, str]], *, about: str, width: int = 640) -> str:
    """Bars from zero to the right, each with its name on the left and its value behind it."""
    left, right, step = 150, 90, 24
    longest = max((abs(value) for _, value, _ in lines), default=0.0) or 1.0
    parts = []
    for at, (name, value, shown) in enumerate(lines):
        y, length = at * step, abs(value) / longest * (width - left - right)
        parts.append(_words(name, left - 8, y + 16, anchor="end"))
        colour = HOUSE if value >= 0 else PATRON
        parts.append(
            f'<rect x="{left}" y="{y + 4}" width="{length:.1f}" height="16" rx="2" fill="{colour}"/>'
        )
        parts.append(_words(shown, left + length + 6, y + 16, colour=FAINT))
    return _svg(width, len(lines) * step, about, parts)


def shares(parts: Sequence[tuple[str, Fraction, str]], *, about: str, width: int = 640) -> str:
    """One bar that is the whole, divided among named parts."""
    drawn, x = [], 0.0
    for name, share, colour in parts:
        length = float(share) * width
        drawn.append(f'<rect x="{x:.1f}" y="0" width="{length:.1f}" height="34" fill="{colour}"/>')
        drawn.append(_words(name, x + length / 2, 15, colour="#fff", anchor="middle"))
        drawn.append(_words(f"{float(share):.2%}", x + length / 2, 29, colour="#fff", anchor="middle"))
        x += length
    return _svg(width, 34, about, drawn)


def table_of_play(drawing: Drawing, *, about: str) -> str:
    """The Banker's decisions: totals downwards, the Player's third card across; dark squares draw."""
    cell, left, top = 34, 96, 40
    thirds = (NO_THIRD_CARD, *range(10))
    totals = [total for total in range(10) if total not in drawing.banker_naturals]
    parts = [_words(say(message("sheet.third-card")), left, 14, colour=FAINT)]
    for column, third in enumerate(thirds):
        name = say(message("sheet.stood")) if third == NO_THIRD_CARD else str(third)
        parts.append(_words(name, left + column * cell + cell / 2, top - 8, anchor="middle"))
    for row, total in enumerate(totals):
        y = top + row * cell
        parts.append(_words(say(message("sheet.banker-on", total=total)), left - 8, y + 21, anchor="end"))
        for column, third in enumerate(thirds):
            draws = drawing.banker[total, third].step is DrawStep.DRAWS
            x, fill = left + column * cell, BANKER if draws else "#f1f3f5"
            parts.append(
                f'<rect x="{x}" y="{y}" width="{cell - 2}" height="{cell - 2}" rx="3" fill="{fill}"/>'
            )
            sign = say(message("sheet.draws" if draws else "sheet.stands"))
            colour = "#fff" if draws else FAINT
            parts.append(_words(sign, x + cell / 2 - 1, y + 21, colour=colour, anchor="middle"))
    return _svg(left + len(thirds) * cell, top + len(totals) * cell, about, parts)


def line(values: Sequence[float], *, about: str, width: int = 120, height: int = 26) -> str:
    """A line through values at equal distances, between their own least and most."""
    least, most = min(values), max(values)
    span, step = (most - least) or 1.0, (width - 8) / max(len(values) - 1, 1)
    points = [
        (4 + at * step, height - 4 - (value - least) / span * (height - 8)) for at, value in enumerate(values)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.8" fill="{HOUSE}"/>' for x, y in points]
    drawn = f'<polyline points="{path}" fill="none" stroke="{HOUSE}" stroke-width="1.4"/>'
    return _svg(width, height, about, [drawn, *dots])


def removal_map(changes: dict[str, tuple[Fraction, ...]], names: dict[str, str], *, about: str) -> str:
    """Wagers downwards, ranks across: red squares help the house, blue ones the patron, by size in a row."""
    left, top, across, down = 110, 24, 41, 24
    parts = [
        _words(rank.text, left + at * across + across / 2, 16, anchor="middle")
        for at, rank in enumerate(Rank)
    ]
    for row, (wager, each) in enumerate(changes.items()):
        y, most = top + row * down, max(abs(change) for change in each) or Fraction(1)
        parts.append(_words(names[wager], left - 8, y + 16, anchor="end"))
        for at, change in enumerate(each):
            x, strength = left + at * across, float(abs(change) / most)
            fill = HOUSE if change > 0 else PATRON if change else FAINT
            parts.append(
                f'<rect x="{x}" y="{y}" width="{across - 2}" height="{down - 2}" fill="{fill}" '
                f'fill-opacity="{0.08 + 0.8 * strength:.2f}"/>'
            )
            colour = "#fff" if strength > 0.8 else INK
            shown = f"{float(change * 100):+.3f}" if change else "0"
            parts.append(_words(shown, x + across / 2 - 1, y + 15, colour=colour, anchor="middle", size=10))
    return _svg(left + 13 * across, top + len(changes) * down, about, parts)


def _words(text: str, x: float, y: float, *, colour: str = INK, anchor: str = "start", size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" font-size="{size}">'
        f"{escape(text)}</text>"
    )


def _svg(width: float, height: float, about: str, parts: Sequence[str]) -> str:
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT} role="img">'
        f"<title>{escape(about)}</title>{''.join(parts)}</svg>"
    )
