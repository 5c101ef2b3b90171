"""A battery that judges shufflers by what they do to a deck in known order, and shufflers that must fail it.

Every verdict but the repeats is a chi-square statistic with a bound that a fair shuffler exceeds about once
in a million runs: for k degrees of freedom, P(X >= k + 2 sqrt(k x) + 2 x) <= exp(-x).
"""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

Order = tuple[int, ...]
Shuffler = Callable[[Sequence[int]], Sequence[int]]

RARE = math.log(1e6)  # a fair shuffler is blamed with a probability of at most exp(-RARE)
CARDS = 52
SMALL = 5  # a deck so small that every order of it is counted


def bound(freedom: int) -> float:
    """The value that a chi-square statistic exceeds once in a million times at most."""
    return freedom + 2 * math.sqrt(freedom * RARE) + 2 * RARE


def chi_square(counts: Iterable[int], expected: float) -> float:
    """How far counts are from what they should be."""
    return sum((count - expected) ** 2 for count in counts) / expected


def faults(shuffler: Shuffler, shuffles: int) -> set[str]:
    """The faults of a shuffler, by the names of the statistics that it fails."""
    deck = range(CARDS)
    orders = [tuple(shuffler(deck)) for _ in range(shuffles)]
    small = [tuple(shuffler(range(SMALL))) for _ in range(4 * shuffles)]
    verdicts = {
        "cards": any(sorted(order) != list(deck) for order in orders),
        "positions": _positions(orders),
        "neighbours": _neighbours(orders),
        "first two": _first_two(orders),
        "all orders": _all_orders(small),
        "repeats": len(set(orders)) < len(orders),
    }
    return {name for name, failed in verdicts.items() if failed}


def _positions(orders: list[Order]) -> bool:
    """Each card at each position equally often; fixed sums of rows and columns lower the statistic."""
    counts: Counter[tuple[int, int]] = Counter()
    for order in orders:
        counts.update(enumerate(order))
    cells = (counts[position, card] for position in range(CARDS) for card in range(CARDS))
    statistic = chi_square(cells, len(orders) / CARDS) * (CARDS - 1) / CARDS
    return statistic > bound((CARDS - 1) ** 2)


def _neighbours(orders: list[Order]) -> bool:
    """Each card right behind each other one equally often."""
    counts: Counter[int] = Counter()
    for order in orders:
        counts.update((after - before) % CARDS for before, after in itertools.pairwise(order))
    expected = len(orders) * (CARDS - 1) / (CARDS - 1)
    return chi_square((counts[step] for step in range(1, CARDS)), expected) > bound(CARDS - 2)


def _first_two(orders: list[Order]) -> bool:
    """The distance between the first two cards."""
    counts = Counter((order[1] - order[0]) % CARDS for order in orders)
    return chi_square((counts[step] for step in range(1, CARDS)), len(orders) / (CARDS - 1)) > bound(
        CARDS - 2
    )


def _all_orders(orders: list[Order]) -> bool:
    """Every order of a small deck equally often."""
    counts = Counter(orders)
    every = math.factorial(SMALL)
    cells = (counts[order] for order in itertools.permutations(range(SMALL)))
    return chi_square(cells, len(orders) / every) > bound(every - 1)


# shufflers that are wrong in ways that have happened


def biased(chance: random.Random) -> dict[str, Shuffler]:
    """Wrong shufflers by what is wrong with them; their chance itself is good."""
    return {
        "each card is swapped with any card": lambda deck: _swap_with_any(deck, chance),
        "sorted by keys that may be equal": lambda deck: sorted(deck, key=lambda _: chance.randrange(64)),
        "off by one: never with itself": lambda deck: _never_itself(deck, chance),
        "off by one: the last choice is missing": lambda deck: _last_missing(deck, chance),
        "a byte modulo the number of cards": lambda deck: _fisher_yates(
            deck, lambda n: chance.getrandbits(8) % n
        ),
        "a short fraction times the number of cards": lambda deck: _fisher_yates(
            deck, lambda n: chance.getrandbits(7) * n // 128
        ),
        "the last card is skipped": lambda deck: [*_fair(deck[:-1], chance), deck[-1]],
        "the first card is skipped": lambda deck: [deck[0], *_fair(deck[1:], chance)],
        "three perfect riffles": lambda deck: _perfect_riffle(_perfect_riffle(_perfect_riffle(deck))),
        "three riffles by hand": lambda deck: _riffles(deck, 3, chance),
        "ten overhand shuffles": lambda deck: _overhand(deck, 10, chance),
        "nothing but a cut": lambda deck: _cut(deck, chance),
        "cards stick in pairs": lambda deck: _in_pairs(deck, chance),
        "a seed of sixteen bits": lambda deck: _fair(deck, random.Random(chance.getrandbits(16))),
        "the second half mirrors the first": lambda deck: _mirrored(deck, chance),
        "a card is lost and another doubled": lambda deck: [*_fair(deck, chance)[:-1], deck[0]],
        "not shuffled at all": list,
    }


def _fisher_yates(deck: Sequence[int], choose: Callable[[int], int]) -> list[int]:
    order = list(deck)
    for last in range(len(order) - 1, 0, -1):
        chosen = choose(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def _fair(deck: Sequence[int], chance: random.Random) -> list[int]:
    return _fisher_yates(deck, chance.randrange)


def _swap_with_any(deck: Sequence[int], chance: random.Random) -> list[int]:
    order = list(deck)
    for position in range(len(order)):
        other = chance.randrange(len(order))
        order[position], order[other] = order[other], order[position]
    return order


def _never_itself(deck: Sequence[int], chance: random.Random) -> list[int]:
    return _fisher_yates(deck, lambda n: chance.randrange(n - 1))


def _last_missing(deck: Sequence[int], chance: random.Random) -> list[int]:
    order = list(deck)
    for first in range(len(order) - 1):
        chosen = chance.randrange(first, len(order) - 1)
        order[first], order[chosen] = order[chosen], order[first]
    return order


def _perfect_riffle(deck: Sequence[int]) -> list[int]:
    half = (len(deck) + 1) // 2
    mixed = [card for pair in itertools.zip_longest(deck[:half], deck[half:]) for card in pair]
    return [card for card in mixed if card is not None]


def _riffles(deck: Sequence[int], times: int, chance: random.Random) -> list[int]:
    order = list(deck)
    for _ in range(times):
        half = sum(chance.getrandbits(1) for _ in order)
        left, right, mixed = order[:half], order[half:], []
        while left or right:
            mixed.append((left if chance.randrange(len(left) + len(right)) < len(left) else right).pop(0))
        order = mixed
    return order


def _overhand(deck: Sequence[int], times: int, chance: random.Random) -> list[int]:
    order = list(deck)
    for _ in range(times):
        left = order
        mixed: list[int] = []
        while left:
            packet = chance.randint(1, max(1, min(len(left), len(order) // 5)))
            mixed[:0], left = left[:packet], left[packet:]
        order = mixed
    return order


def _cut(deck: Sequence[int], chance: random.Random) -> list[int]:
    at = chance.randrange(len(deck))
    return [*deck[at:], *deck[:at]]


def _in_pairs(deck: Sequence[int], chance: random.Random) -> list[int]:
    """Pairs travel together from any place on, so that each card is everywhere equally often."""
    turned = _cut(deck, chance)
    pairs = [turned[at : at + 2] for at in range(0, len(turned), 2)]
    return _cut([card for at in _fair(range(len(pairs)), chance) for card in pairs[at]], chance)


def _mirrored(deck: Sequence[int], chance: random.Random) -> list[int]:
    half = len(deck) // 2
    first = _fair(range(half), chance)
    rest = [card + half for card in reversed(first)]
    return [deck[at] for at in (*first, *rest, *range(2 * half, len(deck)))]
