"""The playing areas of one position as a screen draws them, row by row."""

from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.views.sections.public import FeltRows

AreaRows = tuple[tuple[str, ...], ...]
WIDEST, WIDEST_NARROW = 5, 3  # areas in a row
AREAS_OF_HANDS = (Winner.PLAYER.value, Winner.TIE.value, Winner.BANKER.value)  # nearest to the patron


def felt_rows(rulebook: Rulebook) -> FeltRows:
    """Return the rows of the document, and for wagers in none of them rows in the order of the rules."""
    layouts, wagers = rulebook.document.layouts, tuple(rulebook.wagers)
    wide = _complete(layouts.rows, wagers, WIDEST)
    return FeltRows(wide, _complete(layouts.narrow_rows or _narrowed(wide), wagers, WIDEST_NARROW))


def _complete(given: AreaRows, wagers: tuple[str, ...], widest: int) -> AreaRows:
    named = {each for row in given for each in row}
    side = tuple(each for each in wagers if each not in named and each not in AREAS_OF_HANDS)
    hands = tuple(each for each in AREAS_OF_HANDS if each in wagers and each not in named)
    rows = (*_divided(side, widest), *given, hands)
    offered = (tuple(each for each in row if each in wagers) for row in rows)
    return tuple(row for row in offered if row)


def _narrowed(wide: AreaRows) -> AreaRows:
    """Divide rows that are too long for a narrow screen."""
    return tuple(part for row in wide for part in _divided(row, WIDEST_NARROW))


def _divided(row: tuple[str, ...], widest: int) -> AreaRows:
    return tuple(row[start : start + widest] for start in range(0, len(row), widest))
