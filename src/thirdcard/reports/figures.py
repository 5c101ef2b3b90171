"""Figures of a table in a time: what was wagered and won, and what the exact odds expect of it."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

from msgspec import Struct, field

from thirdcard.odds.covariance import NOTHING, Covariances
from thirdcard.rulebook.facts import PairRule

MICROSECONDS_OF_HOUR = 3_600_000_000


class Priced(Struct, frozen=True):
    """A game as it is priced: by its rulebook, the decks of the table and the pair rule of its house."""

    rulebook: str  # its digest
    game: str
    decks: int
    pair_rule: PairRule


CovariancesOf = Callable[[Priced], Covariances]


class Figures(Struct):
    """Sums over a time, in minor units and microseconds.

    ``turnover`` is what was in action and settled, ``win`` what the house won of it; ``besides`` is what
    corrections, claims and awards moved to the house. Stakes are by wager, and by two wagers of one round.
    The win by count and by wagers is that of inventories, once they are closed and their cash is counted.
    """

    rounds: int = 0
    void_rounds: int = 0
    wagers: int = 0
    turnover: int = 0
    win: int = 0
    commission: int = 0
    besides: int = 0
    bought: int = 0
    cashed_out: int = 0
    drop: int = 0
    opener: int = 0
    fills: int = 0
    chip_returns: int = 0
    closer: int = 0
    win_by_count: int = 0
    win_by_wagers: int = 0
    irregularities: int = 0
    rulings: int = 0
    disputes: int = 0
    awarded: int = 0
    open: int = 0
    stakes: Counter[tuple[Priced, str]] = field(default_factory=Counter)
    products: Counter[tuple[Priced, str, str]] = field(default_factory=Counter)

    def stake(self, game: Priced, stakes: Iterable[tuple[str, int]], sign: int) -> None:
        """Add the stakes of one round by wager, or take them out again."""
        by_wager: Counter[str] = Counter()
        for wager, stake in stakes:
            by_wager[wager] += stake
        for one, stake in by_wager.items():
            self.stakes[game, one] += sign * stake
            for other, beside in by_wager.items():
                self.products[game, one, other] += sign * stake * beside

    def expected(self, covariances_of: CovariancesOf) -> Fraction:
        """Return the win that the exact odds expect of these stakes."""
        return sum(
            (
                covariances_of(game).edges[wager] * stake
                for (game, wager), stake in self.stakes.items()
                if stake
            ),
            start=NOTHING,
        )

    def deviation(self, covariances_of: CovariancesOf) -> float:
        """Return the standard deviation of that win: wagers of one round go together, rounds do not."""
        variance = sum(
            (
                covariances_of(game).covariances[one, other] * product
                for (game, one, other), product in self.products.items()
                if product
            ),
            start=NOTHING,
        )
        return math.sqrt(variance)

    @property
    def hold(self) -> float | None:
        """Return the win as a share of the credits and chips that were bought; nothing where none were."""
        bought = self.bought + self.drop
        return self.win / bought if bought else None

    @property
    def rounds_per_hour(self) -> float | None:
        """Return the rounds for every hour that tables were open; nothing where they were not."""
        return self.rounds * MICROSECONDS_OF_HOUR / self.open if self.open else None
