"""Counts how often each kind of round comes in all orders of 4 to 10 decks, without the engine.

A kind with point totals goes through all values of six cards, one with pairs through all ranks of the first
four; both weigh an order by the cards that there are. `pytest --update tests/odds/test_exact.py` keeps the
counts in known.json.
"""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence

from proof_of_odds.dealing import deal

DECKS = range(4, 11)

# by the totals of Player and Banker and their numbers of cards
ENDINGS: dict[str, Callable[[int, int, int, int], bool]] = {
    "player": lambda player, banker, *_: player > banker,
    "banker": lambda player, banker, *_: banker > player,
    "tie": lambda player, banker, *_: player == banker,
    "banker-six-two-cards": lambda player, banker, _, cards: banker == 6 > player and cards == 2,
    "banker-six-three-cards": lambda player, banker, _, cards: banker == 6 > player and cards == 3,
    "tie-six": lambda player, banker, *_: player == banker == 6,
    "player-seven-two-cards": lambda player, banker, cards, _: player == 7 > banker and cards == 2,
    "player-seven-three-cards": lambda player, banker, cards, _: player == 7 > banker and cards == 3,
    "seven-over-six-four-cards": lambda *end: end[:2] == (7, 6) and sum(end[2:]) == 4,
    "seven-over-six-five-cards": lambda *end: end[:2] == (7, 6) and sum(end[2:]) == 5,
    "seven-over-six-six-cards": lambda *end: end[:2] == (7, 6) and sum(end[2:]) == 6,
}
# by the ranks of the first four cards, drawn for Player, Banker, Player, Banker
OPENINGS: dict[str, Callable[[int, int, int, int], bool]] = {
    "player-pair": lambda one, _, two, __: one == two,
    "banker-pair": lambda _, one, __, two: one == two,
    "one-pair": lambda a, b, c, d: (a == c) != (b == d),
    "two-pairs": lambda a, b, c, d: a == c and b == d and a != b,
    "twin-pairs": lambda a, b, c, d: a == b == c == d,
}


def counts() -> dict[str, dict[str, int]]:
    """The number of orders of each kind, by the number of decks."""
    found: dict[str, Counter[tuple[int, ...]]] = {each: Counter() for each in (*ENDINGS, *OPENINGS)}
    for values in itertools.product(range(10), repeat=6):
        end = deal(values)
        assert end is not None
        cards = tuple(sorted(values))
        for name, holds in ENDINGS.items():
            if holds(*end):
                found[name][cards] += 1
    for ranks in itertools.product(range(13), repeat=4):
        cards = tuple(sorted(ranks))
        for name, holds in OPENINGS.items():
            if holds(*ranks):
                found[name][cards] += 1
    return {str(decks): _weighed(found, decks) for decks in DECKS}


def _weighed(found: dict[str, Counter[tuple[int, ...]]], decks: int) -> dict[str, int]:
    values = [16 * decks, *[4 * decks] * 9]
    ranks = [4 * decks] * 13
    after_four = math.perm(52 * decks - 4, 2)
    return {
        "total": math.perm(52 * decks, 6),
        **{name: sum(_ways(cards, values) * n for cards, n in found[name].items()) for name in ENDINGS},
        **{
            name: sum(_ways(cards, ranks) * n for cards, n in found[name].items()) * after_four
            for name in OPENINGS
        },
    }


def _ways(cards: Sequence[int], there: Sequence[int]) -> int:
    """In how many ways single cards can stand for these values or ranks."""
    return math.prod(math.perm(there[each], number) for each, number in Counter(cards).items())
