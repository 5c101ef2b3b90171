"""Whether a rulebook keeps an edge for the house on every wager, with every number of decks it permits."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from thirdcard.odds.exact import Endings, endings, full_shoe, wager_odds
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.table_of_play import Drawing, Step


class Edge(Struct, frozen=True):
    """The exact house edge of a wager with a number of decks; below zero it favours the patron."""

    wager: str
    decks: int
    edge: Fraction
    allowed: str | None

    @property
    def refused(self) -> bool:
        """Whether the wager favours the patron and the rulebook gives no reason for it."""
        return self.edge < 0 and self.allowed is None


Decisions = tuple[tuple[object, ...], ...]


class EdgeBook:
    """Exact edges of rulebooks; those with the same table of play share one enumeration."""

    def __init__(self) -> None:
        self._endings: dict[tuple[Decisions, int, PairRule], Endings] = {}

    def edges(self, rulebook: Rulebook, pair_rule: PairRule) -> Iterator[Edge]:
        """The edge of every wager with every permitted number of decks."""
        permitted = rulebook.document.decks
        for decks in range(permitted.least, permitted.most + 1):
            ends = self._count(rulebook.drawing, decks, pair_rule)
            for wager in rulebook.wagers.values():
                yield Edge(wager.id, decks, wager_odds(wager, ends).edge, wager.allow_patron_edge)

    def _count(self, drawing: Drawing, decks: int, pair_rule: PairRule) -> Endings:
        key = (_decisions(drawing), decks, pair_rule)
        if key not in self._endings:
            self._endings[key] = endings(drawing, full_shoe(decks), pair_rule)
        return self._endings[key]


def _decisions(drawing: Drawing) -> Decisions:
    """What a table of play decides, without its clauses."""
    draws = [(key, cell.step is Step.DRAWS) for key, cell in sorted(drawing.player.items())]
    banker = [(key, cell.step is Step.DRAWS) for key, cell in sorted(drawing.banker.items())]
    return (tuple(drawing.player_naturals), tuple(drawing.banker_naturals), tuple(draws), tuple(banker))
