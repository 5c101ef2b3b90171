"""Whether a rulebook keeps an edge for the house on every wager, with every number of decks it permits."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from thirdcard.odds.exact import full_shoe
from thirdcard.odds.price import prices
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule


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


def edges_by_decks(rulebook: Rulebook, pair_rule: PairRule) -> Iterator[Edge]:
    """The edge of every wager with every permitted number of decks."""
    permitted = rulebook.document.decks
    for decks in range(permitted.least, permitted.most + 1):
        for odds in prices(rulebook, full_shoe(decks), pair_rule).wagers:
            yield Edge(odds.wager, decks, odds.edge, rulebook.wagers[odds.wager].allow_patron_edge)
