"""Simulated odds with their standard errors beside the exact ones, by seed and number of shoes alone."""

import concurrent.futures
import functools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from msgspec import Struct

from thirdcard.odds.compiled import Compiled
from thirdcard.odds.exact import full_shoe
from thirdcard.odds.executors import chunk_of, share_out, silent
from thirdcard.odds.plan import ShoePlan, block_of, check_plan
from thirdcard.odds.price import prices
from thirdcard.odds.tally import Tally, empty, play_shoes, product_pairs, task_of

NORMAL_95 = 1.959963984540054


class Estimate(Struct, frozen=True):
    """A share that was simulated, with its standard error, beside the exact one."""

    share: float
    error: float
    exact: float

    @property
    def z(self) -> float:
        """How many standard errors it is off."""
        return (self.share - self.exact) / self.error if self.error else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Around the true share in 95 of 100 simulations."""
        return self.share - NORMAL_95 * self.error, self.share + NORMAL_95 * self.error


class RowEstimate(Struct, frozen=True):
    """A row of a wager: its odds, none where it stands off, and how often it came."""

    odds: str | None
    count: int
    estimate: Estimate


class WagerEstimate(Struct, frozen=True):
    """A wager as it was simulated: its rows in order, and the house edge."""

    wager: str
    rows: tuple[RowEstimate, ...]
    edge: Estimate


class Simulated(Struct, frozen=True):
    """The results of a simulation."""

    shoes: int
    rounds: int
    wagers: tuple[WagerEstimate, ...]
    rounds_of_shoe: dict[int, int]  # shoes by their number of rounds
    longest: dict[str, dict[int, int]]  # shoes by the longest run of player, banker, tie


def run(
    compiled: Compiled,
    plan: ShoePlan,
    *,
    seed: int,
    shoes: int,
    executor: concurrent.futures.Executor,
    workers: int,
    progress: Callable[[Tally], None] = silent,
) -> Tally:
    """Play shoes on an executor; an interrupt stops it, and what is done by then is counted."""
    block = block_of(shoes)
    task = task_of(compiled, check_plan(plan), seed=seed, block=block)
    return share_out(
        functools.partial(play_shoes, task),
        empty(task),
        shoes=shoes,
        chunk=chunk_of(shoes, block, workers),
        executor=executor,
        workers=workers,
        progress=progress,
    )


def event_totals(compiled: Compiled, tally: Tally) -> list[int]:
    """How often each event came."""
    kinds = np.frombuffer(compiled.kind_of, np.uint16)
    by_kind = [int(tally.classes[kinds == kind].sum()) for kind in range(compiled.kinds)]
    return [
        sum(count for kind, count in enumerate(by_kind) if compiled.event_of[event * compiled.kinds + kind])
        for event in range(len(compiled.events))
    ]


def simulated(compiled: Compiled, plan: ShoePlan, tally: Tally) -> Simulated:
    """A tally as estimates of what the exact odds of a full shoe say."""
    counts, rounds = event_totals(compiled, tally), tally.rounds
    exact = prices(compiled.rulebook, full_shoe(plan.decks), compiled.pair_rule)
    sums = dict(zip(product_pairs(compiled), (int(each) for each in tally.sums), strict=True))
    moments = _Moments(sums, len(compiled.events), counts, rounds, tally.blocks)
    wagers = []
    for odds in exact.wagers:
        numbers = compiled.events_of(odds.wager)
        gains = [_back(compiled, number) for number in numbers]
        paid = iter(row.count for row in odds.rows)
        rows = []
        pushes = tuple(number for number in numbers if compiled.events[number].odds is None)
        for number in numbers:
            event = compiled.events[number]
            if number in pushes[1:]:
                continue  # with the first one: the exact odds count them together
            same = (number,) if event.odds else pushes
            known = next(paid) if event.odds else odds.stood_off
            estimate = moments.estimate(dict.fromkeys(same, Fraction(1)), Fraction(known, exact.total))
            count = sum(counts[each] for each in same)
            rows.append(RowEstimate(event.odds.text if event.odds else None, count, estimate))
        edge = moments.estimate(
            {number: -gain for number, gain in zip(numbers, gains, strict=True)}, odds.edge - 1
        )
        edge = Estimate(share=1 + edge.share, error=edge.error, exact=float(odds.edge))
        wagers.append(WagerEstimate(odds.wager, tuple(rows), edge))
    course = [{n: int(shoes) for n, shoes in enumerate(part) if shoes} for part in tally.course]
    longest = dict(zip(("player", "banker", "tie"), course[1:], strict=True))
    return Simulated(tally.shoes, rounds, tuple(wagers), rounds_of_shoe=course[0], longest=longest)


def _back(compiled: Compiled, number: int) -> Fraction:
    """Return the amount that comes back for a unit staked when an event holds."""
    odds = compiled.events[number].odds
    return 1 + Fraction(odds.gain, odds.stake) if odds else Fraction(1)


class _Moments(Struct, frozen=True):
    """Sums of products over blocks, from which the variance of any combination of events follows."""

    sums: dict[tuple[int, int], int]
    rounds_event: int
    counts: list[int]
    rounds: int
    blocks: int

    def estimate(self, weights: dict[int, Fraction], exact: Fraction) -> Estimate:
        """A weighted share of rounds, its error estimated between blocks of shoes."""
        if not self.rounds:
            return Estimate(0.0, 0.0, float(exact))
        share = sum((weight * self.counts[event] for event, weight in weights.items()), start=Fraction(0))
        share /= self.rounds
        one = self.rounds_event
        squares = share * share * self.sums[one, one]
        for event, weight in weights.items():
            squares -= 2 * share * weight * self.sums[event, one]
            for other, factor in weights.items():
                squares += weight * factor * self.sums[min(event, other), max(event, other)]
        if self.blocks < 2:
            return Estimate(float(share), math.inf, float(exact))
        variance = squares * self.blocks / (self.blocks - 1) / self.rounds**2
        return Estimate(float(share), math.sqrt(variance), float(exact))
