"""Shoes written down card by card: by the kernel, or by numpy with the same cards.

The random number of a draw belongs to the shoe and to the place of the card in it: a Weyl sequence from the
first key word, mixed by the steps of murmur3's 32-bit finaliser with the second key word folded in; the key
words come from seed and shoe by SplitMix64. Number h draws card (h · left) >> 32 of those left, tens and
court cards first: a card's chance differs from 1 ÷ left by less than one in 2**32.
"""

import ctypes

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from thirdcard.odds.kernel import KernelPlan, kernel
from thirdcard.odds.plan import BURN_BY_FIRST_CARD, ShoePlan

MOST_CARDS, MOST_ROUNDS = 520, 160
RANK_COUNT = 13
_WEYL = np.uint32(0x9E3779B9)
_LOW = np.uint64(0xFFFFFFFF)


class Script(Struct, frozen=True):
    """Shoes by row: rank numbers as drawn; of each round its class and the cards before it; -1 beyond."""

    cards: npt.NDArray[np.int8]
    classes: npt.NDArray[np.int16]
    starts: npt.NDArray[np.int16]


def write_shoes(rules: bytes, plan: ShoePlan, seed: int, first: int, number: int) -> Script:
    """Play so many shoes from a first one on, and write everything down."""
    script = Script(
        cards=np.full((number, MOST_CARDS), -1, np.int8),
        classes=np.full((number, MOST_ROUNDS), -1, np.int16),
        starts=np.full((number, MOST_ROUNDS), -1, np.int16),
    )
    found = kernel()
    if found is None:
        _Shoes(rules, plan, seed, first, script).play()
        return script
    arrays = (script.cards.ctypes.data, script.classes.ctypes.data, script.starts.ctypes.data)
    found.script(rules, ctypes.byref(kernel_plan(plan, seed)), first, number, *arrays)
    return script


def kernel_plan(plan: ShoePlan, seed: int) -> KernelPlan:
    """A plan as the kernel reads it."""
    left = (ctypes.c_int32 * RANK_COUNT)(*(4 * plan.decks,) * RANK_COUNT)
    return KernelPlan(left, plan.burn, plan.rounds or 0, plan.cut, plan.after, seed % 2**64)


def shoe_keys(seed: int, first: int, number: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """The two key words of every shoe."""
    shoes = np.arange(first + 1, first + number + 1, dtype=np.uint64)
    start = _splitmix(np.array([seed % 2**64], np.uint64))
    keys = _splitmix(start + shoes * np.uint64(0x9E3779B97F4A7C15))
    return (keys & _LOW).astype(np.uint32), (keys >> np.uint64(32)).astype(np.uint32)


def _splitmix(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


Lane = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class _Shoes:
    """Many shoes at once, a row each."""

    def __init__(self, rules: bytes, plan: ShoePlan, seed: int, first: int, script: Script) -> None:
        number = len(script.cards)
        self.plan, self.script = plan, script
        self.rows = np.arange(number)
        self.weyl, self.key = shoe_keys(seed, first, number)
        self.left = np.full((number, RANK_COUNT), 4 * plan.decks, np.int64)
        self.taken = np.zeros(number, np.int64)
        self.rounds = np.zeros(number, np.int64)
        table = np.frombuffer(rules, np.uint8).astype(bool)
        self.natural = table[:10, None] | table[None, 10:20]
        self.player_draws = table[20:30]
        self.banker_draws = table[30:140].reshape(10, 11)
        self.by_point_value = bool(rules[140])

    def play(self) -> None:
        everyone = np.ones(len(self.rows), np.bool_)
        self._burn(everyone)
        after = np.full(len(self.rows), self.plan.after)
        while True:
            came = self.plan.cards - self.taken <= self.plan.cut
            rounds = self.plan.rounds
            live = ~came | (after > 0) if rounds is None else self.rounds < rounds
            if not live.any():
                return
            after -= came & live
            self._round(live)

    def _burn(self, everyone: Mask) -> None:
        if self.plan.burn == 0:
            return
        value, _ = self._draw(everyone)
        worth = np.where(value == 0, 10, value)
        for number in range(self.plan.most_burned - 1):
            self._draw(worth > number if self.plan.burn == BURN_BY_FIRST_CARD else everyone)

    def _draw(self, who: Mask) -> tuple[Lane, Lane]:
        """The point value and the rank number of a card for some shoes; both are nothing for the others."""
        h = self.weyl ^ (self.weyl >> np.uint32(16))
        h = h * np.uint32(0x85EBCA6B) ^ self.key
        h = (h ^ (h >> np.uint32(13))) * np.uint32(0xC2B2AE35)
        cards = (self.plan.cards - self.taken).astype(np.uint64)
        at = ((h.astype(np.uint64) * cards) >> np.uint64(32)).astype(np.int64)
        rank = (at[:, None] >= np.cumsum(self.left, axis=1)).sum(axis=1)
        rows = self.rows[who]
        self.left[rows, rank[who]] -= 1
        self.script.cards[rows, self.taken[who]] = rank[who]
        self.weyl[who] += _WEYL
        self.taken[who] += 1
        rank = np.where(who, rank, 0)
        return np.maximum(rank - 3, 0), rank

    def _round(self, live: Mask) -> None:
        starts = self.taken.copy()
        values, ranks = zip(*(self._draw(live) for _ in range(4)), strict=True)
        player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
        going = live & ~self.natural[player, banker]
        player_draws = going & self.player_draws[player]
        fifth, _ = self._draw(player_draws)
        third = np.where(player_draws, fifth + 1, 0)
        banker_draws = going & self.banker_draws[banker, third]
        sixth, _ = self._draw(banker_draws)
        finals = ((player + fifth) % 10 * 10 + (banker + sixth) % 10) * 4 + player_draws * 2 + banker_draws
        player_pair, banker_pair = self._pair(ranks[0], ranks[2]), self._pair(ranks[1], ranks[3])
        twin = (ranks[0] == ranks[1]) & (ranks[0] == ranks[2]) & (ranks[1] == ranks[3])
        classes = finals * 5 + player_pair + 2 * banker_pair + twin
        rows, at = self.rows[live], self.rounds[live]
        self.script.classes[rows, at] = classes[live]
        self.script.starts[rows, at] = starts[live]
        self.rounds[live] += 1

    def _pair(self, first: Lane, second: Lane) -> Mask:
        same = first == second
        if self.by_point_value:
            same |= (first < 4) & (second < 4) & ((first == 0) | (second == 0))
        return np.asarray(same)
