"""Exact odds by plain enumeration: every ordered draw of six cards is counted, in whole numbers.

The first four cards are taken rank by rank, the third cards point value by point value, because only the
first four can make pairs. A round that needs fewer than six cards counts once for every order of the cards
that follow it, so that all rounds share one total.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from thirdcard.cards import Rank
from thirdcard.money import Odds
from thirdcard.rulebook.book import Wager
from thirdcard.rulebook.facts import Facts, PairRule, Pairs, hold, pairs_of, winner_of
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Drawing, Draws, Hand, Natural


class RankCounts(Struct, frozen=True):
    """How many cards of each rank are left, ace first."""

    left: tuple[int, ...]

    @property
    def cards(self) -> int:
        """All cards left."""
        return sum(self.left)


def full_shoe(decks: int) -> RankCounts:
    """A shoe of whole decks."""
    return RankCounts((4 * decks,) * len(Rank))


class Endings(Struct, frozen=True):
    """In how many ordered draws each combination of facts comes about; ``void`` could not be completed."""

    total: int
    void: int
    counts: dict[Facts, int]


class PaidRow(Struct, frozen=True):
    """Odds and the number of ordered draws in which they are paid."""

    odds: Odds
    count: int


class WagerOdds(Struct, frozen=True):
    """The exact odds of one wager: ordered draws by what comes of it."""

    wager: str
    rows: tuple[PaidRow, ...]
    stood_off: int
    lost: int
    total: int

    @property
    def edge(self) -> Fraction:
        """Return the share of a unit staked that the house keeps on average."""
        won = sum(
            (Fraction(row.odds.gain * row.count, row.odds.stake) for row in self.rows), start=Fraction(0)
        )
        return (self.lost - won) / self.total

    @property
    def won(self) -> int:
        """Ordered draws in which the wager is paid."""
        return sum(row.count for row in self.rows)

    @property
    def deviation(self) -> float:
        """The standard deviation of what a unit staked wins or loses."""
        squares = sum(
            (Fraction(row.odds.gain, row.odds.stake) ** 2 * row.count for row in self.rows), start=Fraction(0)
        )
        return math.sqrt((squares + self.lost) / self.total - self.edge**2)


PairState = tuple[bool, bool, Pairs]
Final = tuple[int, int, int, int]


def endings(drawing: Drawing, shoe: RankCounts, pair_rule: PairRule) -> Endings:
    """Every ending of a round from a shoe, counted."""
    drawn = min(6, shoe.cards)
    total = math.perm(shoe.cards, drawn)
    counts: dict[PairState, Counter[Final]] = {}
    void = 0
    if shoe.cards < 4:
        return Endings(total, total, {})
    left = _by_value(shoe)
    for (player, banker, removed), states in _openings(shoe, pair_rule).items():
        for value in removed:
            left[value] -= 1
        finals, unfinished = _third_cards(drawing, left, player, banker)
        for value in removed:
            left[value] += 1
        void += unfinished * sum(states.values())
        for state, weight in states.items():
            counted = counts.setdefault(state, Counter())
            for final, ways in finals.items():
                counted[final] += ways * weight
    by_facts = {
        _facts(final, state): count for state, finals in counts.items() for final, count in finals.items()
    }
    return Endings(total, void, by_facts)


def wager_odds(wager: Wager, ends: Endings) -> WagerOdds:
    """The exact odds of a wager: how often each row pays, and the house edge per unit staked."""
    paid = [0] * len(wager.rows)
    for facts, count in ends.counts.items():
        for index, row in enumerate(wager.rows):
            if hold(row.conditions, facts):
                paid[index] += count
                break
    return paid_by_row(wager, paid, total=ends.total, void=ends.void)


def paid_by_row(wager: Wager, paid: Sequence[int], *, total: int, void: int) -> WagerOdds:
    """The exact odds of a wager from the ordered draws that each of its rows gets."""
    rows: list[PaidRow] = []
    stood_off = 0
    for row, count in zip(wager.rows, paid, strict=True):
        if row.odds is None:
            stood_off += count
        else:
            rows.append(PaidRow(row.odds, count))
    return WagerOdds(wager.id, tuple(rows), stood_off, lost=total - void - sum(paid), total=total)


OddsOpening = tuple[int, int, tuple[int, ...]]


def _openings(shoe: RankCounts, pair_rule: PairRule) -> dict[OddsOpening, Counter[PairState]]:
    """The ordered draws of the first four cards, by totals, point values taken out, and pairs."""
    hands = list(itertools.combinations_with_replacement(Rank, 2))
    worth = {rank: rank.point_value for rank in Rank}
    found: dict[OddsOpening, Counter[PairState]] = {}
    left = list(shoe.left)
    for player in hands:
        for banker in hands:
            weight = (1 if player[0] == player[1] else 2) * (1 if banker[0] == banker[1] else 2)
            cards = (*player, *banker)
            for rank in cards:
                weight *= left[rank - 1]
                left[rank - 1] -= 1
            for rank in cards:
                left[rank - 1] += 1
            if weight:
                values = [worth[rank] for rank in cards]
                totals = (values[0] + values[1]) % 10, (values[2] + values[3]) % 10
                opening = (*totals, tuple(sorted(values)))
                found.setdefault(opening, Counter())[pairs_of(player, banker, pair_rule)] += weight
    return found


def _by_value(shoe: RankCounts) -> list[int]:
    """How many cards of each point value are left."""
    left = [0] * 10
    for rank in Rank:
        left[rank.point_value] += shoe.left[rank - 1]
    return left


def _third_cards(drawing: Drawing, left: list[int], player: int, banker: int) -> tuple[Counter[Final], int]:
    """The ordered draws of cards five and six by where they lead, and those that run out of cards."""
    rest = sum(left)
    orders = rest * (rest - 1) if rest > 1 else 1
    finals: Counter[Final] = Counter()
    first = drawing.next_draw(player, banker)
    if isinstance(first, Natural):
        finals[player, banker, 2, 2] = orders
        return finals, 0
    if not (isinstance(first, Draws) and first.hand is Hand.PLAYER):
        return _banker_card(drawing, left, (player, banker, NO_THIRD_CARD))
    if rest == 0:
        return finals, orders
    void = 0
    for third, ways in enumerate(left):
        if ways:
            left[third] -= 1
            after, unfinished = _banker_card(drawing, left, (player, banker, third))
            left[third] += 1
            void += ways * unfinished
            for final, count in after.items():
                finals[final] += ways * count
    return finals, void


def _banker_card(
    drawing: Drawing, left: list[int], state: tuple[int, int, int]
) -> tuple[Counter[Final], int]:
    player, banker, third = state
    total, cards = (player, 2) if third == NO_THIRD_CARD else ((player + third) % 10, 3)
    rest = sum(left)
    # one card of the six may follow the Banker's when the Player stood
    following = max(rest - 1, 1) if third == NO_THIRD_CARD else 1
    finals: Counter[Final] = Counter()
    if not isinstance(drawing.next_draw(player, banker, third), Draws):
        finals[total, banker, cards, 2] = max(rest, 1) * following
        return finals, 0
    if rest == 0:
        return finals, 1
    for value, ways in enumerate(left):
        if ways:
            finals[total, (banker + value) % 10, cards, 3] += ways * following
    return finals, 0


def _facts(final: Final, state: PairState) -> Facts:
    player_total, banker_total, player_cards, banker_cards = final
    return Facts(
        winner=winner_of(player_total, banker_total),
        player_total=player_total,
        banker_total=banker_total,
        player_cards=player_cards,
        banker_cards=banker_cards,
        third_cards=player_cards + banker_cards - 4,
        player_pair=state[0],
        banker_pair=state[1],
        pairs=state[2],
    )
