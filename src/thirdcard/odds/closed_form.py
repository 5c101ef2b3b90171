"""Exact counts for many shoes at a time with numpy: the kernel's closed form, array by array.

The six cards are exchangeable, so the third cards are taken out first and the two hands are counted in what
is left, by point value; pairs are taken out before the third cards. Whole numbers of 64 bits throughout.
"""

import functools
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from thirdcard.odds.compiled import FINALS, PAIR_STATES

Int64Array = npt.NDArray[np.int64]
COMPOSITIONS_AT_ONCE = 32  # compositions: more would not stay in the cache

_OTHER = (np.arange(10)[:, None] - np.arange(10)[None, :]) % 10  # [total, value]: the value of the other card
_SAME = np.equal(_OTHER, np.arange(10)).astype(np.int64)  # where the other card has the same value
_UNIT = np.eye(10, dtype=np.int64)


class Spread(Struct, frozen=True):
    """Where each count of openings and third cards belongs: places in the order of their finals."""

    places: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]
    finals: npt.NDArray[np.intp]


def final_counts(left: Int64Array, rules: bytes) -> Int64Array:
    """Ordered draws of six cards by final, for compositions by point value (a row each)."""
    return np.concatenate([_gather(_all_hands(part), _spread(rules)) for part in _parts(left)])


def class_counts(left: Int64Array, rules: bytes) -> Int64Array:
    """Ordered draws of six cards by class, for compositions by rank number (a row each)."""
    return np.concatenate([_classes(part, rules) for part in _parts(left)])


def pair_counts(left: Int64Array, rules: bytes) -> Int64Array:
    """Ordered draws of six cards by pair state, for compositions by rank number (a row each)."""
    cards = left.sum(axis=1)
    after = (cards - 4) * (cards - 5)
    pairs, twins = _pairs(left, rules), _twins(left)
    one = pairs.sum(axis=1) * (cards - 2) * (cards - 3)
    both = _two_pairs(left, rules, pairs).sum(axis=(1, 2))
    twin = twins.sum(axis=1)
    total = cards * (cards - 1) * (cards - 2) * (cards - 3)
    states = (total - 2 * one + both + twin, one - both - twin, one - both - twin, both, twin)
    return np.asarray(np.stack(states, axis=1) * after[:, None])


def by_value(left: Int64Array) -> Int64Array:
    """Compositions by point value from compositions by rank number."""
    return np.concatenate([left[:, :4].sum(axis=1, keepdims=True), left[:, 4:]], axis=1)


def _parts(left: Int64Array) -> Iterator[Int64Array]:
    for first in range(0, max(len(left), 1), COMPOSITIONS_AT_ONCE):
        yield left[first : first + COMPOSITIONS_AT_ONCE]


def _hands(left: Int64Array) -> Int64Array:
    """Ordered hands of two cards by total; the last axis is the point value."""
    other = left[..., _OTHER] - _SAME
    return np.asarray((left[..., None, :] * other).sum(axis=-1))


def _two_hands(left: Int64Array) -> Int64Array:
    """Ordered pairs of hands by both totals: all pairs of hands, less those that share a card."""
    other = left[..., _OTHER] - _SAME
    hands = (left[..., None, :] * other).sum(axis=-1)
    shared = (left[..., None, :] * other) @ other.swapaxes(-1, -2)
    return np.asarray(hands[..., :, None] * (hands[..., None, :] + 2 * _UNIT) - 4 * shared)


def _without(left: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The stock without one card of each value, and without two of each two values."""
    one = left[:, None, :] - _UNIT
    return one, one[:, :, None, :] - _UNIT


def _third_ways(left: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The ways to draw one card by value with any other behind it, and two cards by both values."""
    rest = left.sum(axis=1)
    one = left * (rest - 1)[:, None]
    return one, left[:, :, None] * (left[:, None, :] - _UNIT)


def _flat(none: Int64Array, one: Int64Array, two: Int64Array) -> Int64Array:
    """Counts by [], [v] and [v, w], each with both totals behind, as one row a composition."""
    rows = len(none)
    return np.concatenate([none.reshape(rows, -1), one.reshape(rows, -1), two.reshape(rows, -1)], axis=1)


def _all_hands(left: Int64Array) -> Int64Array:
    """Every opening by its totals, together with the third cards that may follow."""
    cards = left.sum(axis=1)
    without_one, without_two = _without(left)
    one = left * (cards - 5)[:, None]
    two = left[:, :, None] * (left[:, None, :] - _UNIT)
    return _flat(
        _two_hands(left) * ((cards - 4) * (cards - 5))[:, None, None],
        _two_hands(without_one) * one[..., None, None],
        _two_hands(without_two) * two[..., None, None],
    )


def _one_pair(left: Int64Array, pairs: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Openings with a pair in the Player's hand and in the Banker's: the other hand is any."""
    rows = len(left)
    none = np.zeros((rows, 10, 10), np.int64)
    one = np.zeros((rows, 10, 10, 10), np.int64)
    two = np.zeros((rows, 10, 10, 10, 10), np.int64)
    for value in range(10):
        rest = left - 2 * _UNIT[value]
        cards, weight, total = rest.sum(axis=1), pairs[:, value], 2 * value % 10
        without_one, without_two = _without(rest)
        none[:, total] += _hands(rest) * (weight * (cards - 2) * (cards - 3))[:, None]
        single = rest * (weight * (cards - 3))[:, None]
        one[:, :, total] += _hands(without_one) * single[..., None]
        double = rest[:, :, None] * (rest[:, None, :] - _UNIT) * weight[:, None, None]
        two[:, :, :, total] += _hands(without_two) * double[..., None]
    player = _flat(none, one, two)
    banker = _flat(none.swapaxes(-1, -2), one.swapaxes(-1, -2), two.swapaxes(-1, -2))
    return player, banker


def _two_pair_openings(left: Int64Array, weights: Int64Array) -> Int64Array:
    """Openings with a pair in both hands, by the values of the pairs."""
    rows = len(left)
    none = np.zeros((rows, 10, 10), np.int64)
    one = np.zeros((rows, 10, 10, 10), np.int64)
    two = np.zeros((rows, 10, 10, 10, 10), np.int64)
    for player in range(10):
        for banker in range(10):
            rest = left - 2 * _UNIT[player] - 2 * _UNIT[banker]
            cards, weight = rest.sum(axis=1), weights[:, player, banker]
            totals = 2 * player % 10, 2 * banker % 10
            single, double = _third_ways(rest)
            none[:, totals[0], totals[1]] += weight * cards * (cards - 1)
            one[:, :, totals[0], totals[1]] += single * weight[:, None]
            two[:, :, :, totals[0], totals[1]] += double * weight[:, None, None]
    return _flat(none, one, two)


def _pairs(left: Int64Array, rules: bytes) -> Int64Array:
    """Ordered pairs by point value."""
    ways = by_value(left * (left - 1))
    if rules[140]:
        ways[:, 0] += 2 * left[:, 0] * left[:, 1:4].sum(axis=1)
    return ways


def _twins(left: Int64Array) -> Int64Array:
    return by_value(left * (left - 1) * (left - 2) * (left - 3))


def _two_pairs(left: Int64Array, rules: bytes, pairs: Int64Array) -> Int64Array:
    """Ordered draws of a pair and another pair that are not all one rank, by their values."""
    ways = pairs[:, :, None] * pairs[:, None, :] * (1 - _UNIT)
    ranks = range(4)
    made = [(a, b) for a in ranks for b in ranks if a == b or (rules[140] and 0 in (a, b))]
    for a, b in made:
        for c, d in made:
            if not a == b == c == d:
                ways[:, 0, 0] += (
                    left[:, a]
                    * (left[:, b] - (b == a))
                    * (left[:, c] - (c == a) - (c == b))
                    * (left[:, d] - (d == a) - (d == b) - (d == c))
                )
    return np.asarray(ways)


def _classes(left: Int64Array, rules: bytes) -> Int64Array:
    spread, values = _spread(rules), by_value(left)
    pairs, twins = _pairs(left, rules), _twins(left)
    two_pairs = _two_pairs(left, rules, pairs)
    openings = (
        _all_hands(values),
        *_one_pair(values, pairs),
        _two_pair_openings(values, two_pairs),
        _two_pair_openings(values, twins[:, :, None] * _UNIT),
    )
    every, player, banker, both, twin = (_gather(each, spread) for each in openings)
    two = both + twin
    states = (every - player - banker + two, player - two, banker - two, both, twin)
    return np.stack(states, axis=2).reshape(len(left), FINALS * len(PAIR_STATES))


def _gather(flat: Int64Array, spread: Spread) -> Int64Array:
    counts = np.zeros((len(flat), FINALS), np.int64)
    counts[:, spread.finals] = np.add.reduceat(flat[:, spread.places], spread.starts, axis=1)
    return counts


@functools.cache
def _spread(rules: bytes) -> Spread:
    """The table of play as a map from counts of openings and third cards to finals."""
    found = sorted((final, place) for final, place in _endings(rules))
    finals = np.array([final for final, _ in found])
    starts = np.flatnonzero(np.diff(finals, prepend=-1))
    places = np.array([place for _, place in found])
    return Spread(places=places, starts=starts, finals=finals[starts])


def _endings(rules: bytes) -> Iterator[tuple[int, int]]:
    def final(player: int, banker: int, player_third: int, banker_third: int) -> int:
        return ((player % 10 * 10 + banker % 10) * 2 + player_third) * 2 + banker_third

    for player in range(10):
        for banker in range(10):
            totals = player * 10 + banker
            natural = rules[player] or rules[10 + banker]
            draws = rules[30 + 11 * banker : 41 + 11 * banker]
            if natural or not (rules[20 + player] or draws[0]):
                yield final(player, banker, 0, 0), totals
                continue
            for third in range(10):
                one, two = 100 + third * 100 + totals, 1100 + third * 1000 + totals
                if not rules[20 + player]:
                    yield final(player, banker + third, 0, 1), one
                elif not draws[1 + third]:
                    yield final(player + third, banker, 1, 0), one
                else:
                    for last in range(10):
                        yield final(player + third, banker + last, 1, 1), two + last * 100
