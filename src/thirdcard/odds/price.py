"""Exact odds as fast as the machine can: one shoe through the kernel, many shoes as an array."""

import ctypes
import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from thirdcard.odds.compiled import (
    FINALS,
    NOT_PAID,
    PAIR_STATES,
    Compiled,
    compile_game,
)
from thirdcard.odds.exact import RankCounts, WagerOdds, endings, paid_by_row, wager_odds
from thirdcard.odds.kernel import has_numpy, kernel
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule

if TYPE_CHECKING:  # loading numpy takes longer than the odds of one shoe
    import numpy as np
    import numpy.typing as npt

    Whole = npt.NDArray[np.int64]

MOST_OF_A_RANK = 40  # in ten decks: within this every count fits 64 bits
LEAST_CARDS = 6  # with fewer, some rounds cannot be completed: only the enumeration counts those


class Prices(Struct, frozen=True):
    """The exact odds of every wager of a game for one shoe."""

    total: int
    void: int
    wagers: tuple[WagerOdds, ...]


def prices(rulebook: Rulebook, shoe: RankCounts, pair_rule: PairRule) -> Prices:
    """The exact odds of every wager for one shoe."""
    fits = shoe.cards >= LEAST_CARDS and max(shoe.left) <= MOST_OF_A_RANK
    if not fits or (kernel() is None and not has_numpy()):
        ends = endings(rulebook.drawing, shoe, pair_rule)
        wagers = tuple(wager_odds(wager, ends) for wager in rulebook.wagers.values())
        return Prices(ends.total, ends.void, wagers)
    compiled = compile_game(rulebook, pair_rule)
    counts, total = iter(event_counts(compiled, shoe)), math.perm(shoe.cards, LEAST_CARDS)
    wagers = tuple(  # events are the rows of all wagers in order
        paid_by_row(wager, list(itertools.islice(counts, len(wager.rows))), total=total, void=0)
        for wager in rulebook.wagers.values()
    )
    return Prices(total, 0, wagers)


def event_counts(compiled: Compiled, shoe: RankCounts) -> list[int]:
    """Ordered draws of six cards by event, for one shoe of six cards or more and at most 40 of a rank."""
    left, events, found = (*shoe.left[9:], *shoe.left[:9]), len(compiled.events), kernel()
    if found is None:
        return _event_counts_with_numpy(compiled, left)
    cards, out = (ctypes.c_int32 * len(left))(*left), (ctypes.c_int64 * events)()
    if compiled.by_final is None:
        kinds = compiled.kind_of, compiled.kinds, compiled.event_of
        found.odds(compiled.rules, cards, *kinds, events, out)
    else:
        finals = compiled.by_final, len(compiled.by_final) // FINALS
        pairs = compiled.by_pairs, len(compiled.by_pairs) // len(PAIR_STATES)
        found.odds_apart(compiled.rules, cards, *finals, *pairs, events, out)
    return list(out)


def batch_counts(compiled: Compiled, left: "Whole") -> "Whole":
    """Ordered draws of six cards by event (a column each), for many compositions by rank (a row each)."""
    import numpy as np  # noqa: PLC0415 - see above

    from thirdcard.odds import closed_form  # noqa: PLC0415

    ordered = np.roll(np.asarray(left, np.int64), 4, axis=1)  # tens and court cards first
    if compiled.by_final is None:
        return closed_form.class_counts(ordered, compiled.rules) @ _holds(compiled).T
    counts = _count_rows(compiled, closed_form.by_value(ordered), compiled.by_final)
    states = closed_form.pair_counts(ordered, compiled.rules)
    for place, event in enumerate(compiled.by_pairs):
        if event != NOT_PAID:
            counts[:, event] += states[:, place % len(PAIR_STATES)]
    return counts


def edges(compiled: Compiled, left: "Whole") -> "npt.NDArray[np.float64]":
    """The house edge per unit staked of every wager (a column each) for many compositions (a row each).

    A composition is 13 counts, ace first, of six cards or more and at most 40 of a rank.
    """
    import numpy as np  # noqa: PLC0415 - see above

    cards = np.asarray(left, np.int64).sum(axis=1)
    total = cards.copy()
    for taken in range(1, LEAST_CARDS):
        total *= cards - taken
    counts = batch_counts(compiled, left)
    house = np.ones((len(counts), len(compiled.rulebook.wagers)))
    for place, wager in enumerate(compiled.rulebook.wagers):
        for number in compiled.events_of(wager):
            odds = compiled.events[number].odds
            back = 1.0 + odds.gain / odds.stake if odds else 1.0
            house[:, place] -= back * (counts[:, number] / total)
    return house


def removal(rulebook: Rulebook, shoe: RankCounts, pair_rule: PairRule) -> dict[str, tuple[Fraction, ...]]:
    """By how much the house edge of every wager changes when one card of a rank is removed, ace first."""
    before = prices(rulebook, shoe, pair_rule)
    changes: dict[str, list[Fraction]] = {odds.wager: [] for odds in before.wagers}
    for rank in range(len(shoe.left)):
        left = tuple(number - (place == rank) for place, number in enumerate(shoe.left))
        after = prices(rulebook, RankCounts(left), pair_rule)
        for one, other in zip(before.wagers, after.wagers, strict=True):
            changes[one.wager].append(other.edge - one.edge)
    return {wager: tuple(each) for wager, each in changes.items()}


def _event_counts_with_numpy(compiled: Compiled, left: tuple[int, ...]) -> list[int]:
    import numpy as np  # noqa: PLC0415 - see above

    from thirdcard.odds import closed_form  # noqa: PLC0415

    counts = closed_form.class_counts(np.array([left], np.int64), compiled.rules) @ _holds(compiled).T
    return [int(count) for count in counts[0]]


def _holds(compiled: Compiled) -> "Whole":
    """Events × classes, 1 where the event holds."""
    import numpy as np  # noqa: PLC0415 - see above

    holds = np.frombuffer(compiled.event_of, np.uint8).reshape(len(compiled.events), compiled.kinds)
    return holds[:, np.frombuffer(compiled.kind_of, np.uint16)].astype(np.int64)


def _count_rows(compiled: Compiled, left: "Whole", table: bytes) -> "Whole":
    """The events of all wagers that do not ask about pairs; compositions come by point value."""
    import numpy as np  # noqa: PLC0415 - see above

    from thirdcard.odds import closed_form  # noqa: PLC0415

    events, found = len(compiled.events), kernel()
    counts = np.zeros((len(left), events), np.int64)
    wagers = len(table) // FINALS
    if found is None:
        finals = closed_form.final_counts(left, compiled.rules)
        rows = np.frombuffer(table, np.uint8).reshape(wagers, FINALS)
        holds = (rows[:, :, None] == np.arange(events)).any(axis=0)
        return np.asarray(finals @ holds.astype(np.int64))
    narrow = np.ascontiguousarray(left, np.int32)
    found.rows(compiled.rules, narrow.ctypes.data, len(narrow), table, wagers, events, counts.ctypes.data)
    return counts
