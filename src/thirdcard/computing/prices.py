"""Exact odds as answers: of one shoe, for every number of decks, and without one card of a rank."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from thirdcard.cards import Rank
from thirdcard.computing.results import Computed, count_column, number_column, text_column
from thirdcard.dossier.sheets import Cell, SheetColumn
from thirdcard.messages import message, say
from thirdcard.odds.exact import RankCounts, WagerOdds
from thirdcard.odds.price import LEAST_CARDS, Prices


class PricedShoe(Computed, frozen=True):
    """The exact odds of every wager for one shoe; ``decks`` is nothing for the cards that remain of one."""

    game: str
    name: str
    shoe: RankCounts
    decks: int | None
    prices: Prices

    @property
    def wagers(self) -> dict[str, WagerOdds]:
        """The odds by the id of their wager."""
        return {each.wager: each for each in self.prices.wagers}

    def __getitem__(self, wager: str) -> WagerOdds:
        """Return the odds of one wager."""
        return self.wagers[wager]

    @property
    def title(self) -> str:
        """The game and the draws that were counted."""
        key = "odds.title" if self.shoe.cards >= LEAST_CARDS else "odds.title-of-few"
        return say(message(key, game=self.name, cards=self.shoe.cards, total=f"{self.prices.total:,}"))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """The shoe, a result of a wager with its draws, and the figures of the wager."""
        return (
            text_column("game", "show.game"),
            count_column("decks", "show.decks"),
            count_column("total", "computing.draws"),
            count_column("void", "computing.void"),
            text_column("wager", "show.wager"),
            text_column("result", "settle.result"),
            text_column("odds", "settle.odds"),
            count_column("count", "odds.count"),
            number_column("probability", "odds.probability", 8),
            text_column("edge", "computing.exact-edge"),
            number_column("edge_percent", "odds.edge"),
            number_column("sd", "odds.deviation"),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each result of each wager."""
        about = (self.game, self.decks, self.prices.total, self.prices.void)
        return [
            (*about, each.wager, result, odds, count, count / each.total, *_cells(each.edge), each.deviation)
            for each in self.prices.wagers
            for result, odds, count in results_of(each)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the counts of every row, and edge and deviation of every wager."""
        left = {rank.text: self.shoe.left[rank - 1] for rank in Rank}
        shoe = {"remaining": left} if self.decks is None else {"decks": self.decks}
        return {
            "game": self.game,
            **shoe,
            "total": self.prices.total,
            "void": self.prices.void,
            "wagers": {each.wager: _described(each) for each in self.prices.wagers},
        }


class EdgesByDecks(Computed, frozen=True):
    """The house edge of every wager by the number of decks."""

    game: str
    name: str
    edges: dict[str, dict[int, Fraction]]

    @property
    def title(self) -> str:
        """The game, and that these are edges."""
        return f"{self.name}: {say(message('cli.check-edges'))}"

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A wager, a number of decks, and the edge."""
        return (text_column("wager", "show.wager"), count_column("decks", "show.decks"), *_edge_columns())

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each wager and number of decks."""
        return [
            (wager, decks, *_cells(edge))
            for wager, by_decks in self.edges.items()
            for decks, edge in by_decks.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the edges by wager and number of decks."""
        shown = {
            wager: {str(decks): edge_of(edge) for decks, edge in by_decks.items()}
            for wager, by_decks in self.edges.items()
        }
        return {"game": self.game, "wagers": shown}


class Removals(Computed, frozen=True):
    """By how much the house edge of every wager changes without one card of a rank, ace first."""

    game: str
    name: str
    decks: int
    changes: dict[str, tuple[Fraction, ...]]

    @property
    def title(self) -> str:
        """The game, and how many decks there are."""
        return say(message("odds.removal", game=self.name, decks=self.decks))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A wager, a rank, and the change of the edge."""
        return (text_column("wager", "show.wager"), text_column("rank", "odds.removed"), *_edge_columns())

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each wager and rank."""
        return [
            (wager, rank.text, *_cells(change))
            for wager, changes in self.changes.items()
            for rank, change in zip(Rank, changes, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the changes by wager and rank."""
        shown = {
            wager: {rank.text: edge_of(change) for rank, change in zip(Rank, changes, strict=True)}
            for wager, changes in self.changes.items()
        }
        return {"game": self.game, "decks": self.decks, "wagers": shown}


def results_of(odds: WagerOdds) -> Iterator[tuple[str, str, int]]:
    """Yield every result of a wager: in a word, its odds, and its ordered draws."""
    for row in odds.rows:
        yield "won", row.odds.text, row.count
    if odds.stood_off:
        yield "stood-off", "", odds.stood_off
    yield "lost", "", odds.lost


def edge_of(edge: Fraction) -> dict[str, str | float]:
    """Return an edge as a fraction and in per cent."""
    return {"edge": f"{edge.numerator}/{edge.denominator}", "edge_percent": float(edge * 100)}


def _edge_columns() -> tuple[SheetColumn, ...]:
    return text_column("edge", "computing.exact-edge"), number_column("edge_percent", "odds.edge")


def _cells(edge: Fraction) -> tuple[Cell, ...]:
    return tuple(edge_of(edge).values())


def _described(odds: WagerOdds) -> dict[str, Any]:
    return {
        "rows": [
            {"odds": row.odds.text, "count": row.count, "probability": row.count / odds.total}
            for row in odds.rows
        ],
        "stood_off": odds.stood_off,
        "lost": odds.lost,
        **edge_of(odds.edge),
        "sd": odds.deviation,
    }
