"""The results of a game's wagers together: exact means and covariances, from every ordered draw."""

from collections import Counter
from fractions import Fraction

from msgspec import Struct

from thirdcard.odds.compiled import row_of
from thirdcard.odds.exact import endings, full_shoe
from thirdcard.rulebook.book import Rulebook, Wager
from thirdcard.rulebook.facts import Facts, PairRule

NOTHING = Fraction(0)


class Covariances(Struct, frozen=True):
    """The gain of the house by unit staked: its mean for each wager, and the covariance of each two."""

    edges: dict[str, Fraction]
    covariances: dict[tuple[str, str], Fraction]


def covariances(rulebook: Rulebook, decks: int, pair_rule: PairRule) -> Covariances:
    """The covariances of a game's wagers in the first round of a shoe; counted once for each game."""
    key = (rulebook.digest, rulebook.id, decks, pair_rule)
    if key not in _COUNTED:
        _COUNTED[key] = _count(rulebook, decks, pair_rule)
    return _COUNTED[key]


_COUNTED: dict[tuple[str, str, int, PairRule], Covariances] = {}


def joint_results(rulebook: Rulebook, decks: int, pair_rule: PairRule) -> Counter[tuple[Fraction, ...]]:
    """Return the ordered draws in which each combination of the gains of the house by all wagers comes."""
    ends = endings(rulebook.drawing, full_shoe(decks), pair_rule)
    wagers = tuple(rulebook.wagers.values())
    together: Counter[tuple[Fraction, ...]] = Counter()
    for facts, count in ends.counts.items():
        together[tuple(_gain(wager, facts) for wager in wagers)] += count
    return together


def _count(rulebook: Rulebook, decks: int, pair_rule: PairRule) -> Covariances:
    wagers, together = tuple(rulebook.wagers.values()), joint_results(rulebook, decks, pair_rule)
    total = sum(together.values())
    places = range(len(wagers))
    edges = [
        sum((gains[each] * count for gains, count in together.items()), NOTHING) / total for each in places
    ]
    found = {
        (wagers[one].id, wagers[other].id): sum(
            (gains[one] * gains[other] * count for gains, count in together.items()), NOTHING
        )
        / total
        - edges[one] * edges[other]
        for one in places
        for other in places
    }
    return Covariances({wager.id: edges[place] for place, wager in enumerate(wagers)}, found)


def _gain(wager: Wager, facts: Facts) -> Fraction:
    """The gain of the house by a unit on a wager."""
    row = row_of(wager, facts)
    if row is None:
        return Fraction(1)
    odds = wager.rows[row].odds
    return Fraction(-odds.gain, odds.stake) if odds else NOTHING
