"""A spread of stakes against one wager: more is staked the better the shoe looks, and what that is worth.

The shoe is looked at by a count, or by the exact edge of the patron in per cent. Every stake is priced from
the cards that are left, so that gain and variance are exact for the shoes that were dealt.
"""

import concurrent.futures
import functools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from thirdcard.messages import message, say
from thirdcard.odds.compiled import Compiled, compile_game
from thirdcard.odds.counting import CHUNK, Count, compositions, reaches
from thirdcard.odds.executors import share_out, silent
from thirdcard.odds.plan import CannotSimulate, ShoePlan, check_plan
from thirdcard.odds.price import LEAST_CARDS, batch_counts
from thirdcard.odds.script import write_shoes
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule

SPREAD_SCALE = 2**36  # sums are whole numbers, so that no order of adding them matters
RUIN_OF_BANKROLL = 0.05
Floats = npt.NDArray[np.float64]


class SpreadStep(Struct, frozen=True):
    """A stake in units, and the true count, or the patron's edge in per cent, from which it is made."""

    trigger: Fraction
    stake: int


class SpreadTask(Struct, frozen=True):
    """A worker's task of playing shoes with a spread of stakes; without a count knowledge is perfect."""

    rulebook: Rulebook
    pair_rule: PairRule
    wager: str
    plan: ShoePlan
    seed: int
    count: Count | None
    steps: tuple[SpreadStep, ...]


class SpreadTally(Struct, frozen=True):
    """Shoes played with a spread: whole numbers; expected, variance and growth in parts of a unit."""

    shoes: int = 0
    shoes_with: int = 0  # in which any stake was made
    rounds: int = 0
    bets: int = 0
    staked: int = 0
    expected: int = 0
    variance: int = 0
    growth: int = 0

    def __add__(self, other: "SpreadTally") -> "SpreadTally":
        """Both together."""
        names = self.__struct_fields__
        return SpreadTally(*(getattr(self, name) + getattr(other, name) for name in names))


class SpreadWorth(Struct, frozen=True):
    """The worth of a spread to the patron.

    ``shoes_share`` is how many shoes ever call for a stake; ``enough_rounds`` are those after which the gain
    is one deviation; ``bankroll`` is lost once in twenty times if one plays for ever; ``kelly_growth`` is by
    how much the logarithm of a bankroll grows in 100 rounds where each stake is the best fraction of it.
    """

    rounds: int
    bets: int
    share: float
    shoes_share: float
    staked_per_100_rounds: float
    per_100_rounds: float
    deviation_of_100_rounds: float
    enough_rounds: float | None
    bankroll: float | None
    kelly_growth: float


def checked_steps(steps: list[tuple[Fraction, int]]) -> tuple[SpreadStep, ...]:
    """Return steps in order, each with a larger trigger than the one before it; stakes are whole units."""
    found = tuple(SpreadStep(trigger, stake) for trigger, stake in sorted(steps))
    if (
        not found
        or min(each.stake for each in found) < 0
        or len({each.trigger for each in found}) < len(found)
    ):
        raise CannotSimulate(say(message("spread.bad-steps")))
    return found


def run_spread(
    task: SpreadTask,
    *,
    shoes: int,
    executor: concurrent.futures.Executor,
    workers: int,
    progress: Callable[[SpreadTally], None] = silent,
) -> SpreadTally:
    """Play shoes on an executor; an interrupt stops it, and what is done by then is counted."""
    check_plan(task.plan)
    return share_out(
        functools.partial(spread_shoes, task),
        SpreadTally(),
        shoes=shoes,
        chunk=CHUNK,
        executor=executor,
        workers=workers,
        progress=progress,
    )


def spread_shoes(task: SpreadTask, first: int, number: int) -> SpreadTally:
    """Play shoes from a first one on with a spread of stakes."""
    compiled = compile_game(task.rulebook, task.pair_rule)
    script = write_shoes(compiled.rules, task.plan, task.seed, first, number)
    shoe, round_ = np.nonzero(script.classes >= 0)
    taken = script.starts[shoe, round_].astype(np.int64)
    left = compositions(task.plan, script, shoe, taken)
    stake = np.zeros(len(shoe), np.int64)
    mean, square = np.zeros(len(shoe)), np.zeros(len(shoe))
    if task.count is None:
        mean, square = _moments(compiled, task.wager, left)
        for step in task.steps:
            stake[mean > float(step.trigger) / 100] = step.stake
    else:
        for step in task.steps:
            stake[reaches(task.count, step.trigger, task.plan, script, shoe, taken)] = step.stake
    bet = stake > 0
    if task.count is not None:
        mean[bet], square[bet] = _moments(compiled, task.wager, left[bet])
    made, gain, second = stake[bet], mean[bet], square[bet]
    growth = np.where(gain > 0, gain**2 / (2 * second), 0.0)
    return SpreadTally(
        shoes=number,
        shoes_with=len(np.unique(shoe[bet])),
        rounds=len(shoe),
        bets=len(made),
        staked=int(made.sum()),
        expected=_whole(made * gain),
        variance=_whole(made**2 * (second - gain**2)),
        growth=_whole(growth),
    )


def spread_worth(tally: SpreadTally) -> SpreadWorth:
    """Return the worth of a tally to the patron."""
    rounds, shoes = max(tally.rounds, 1), max(tally.shoes, 1)
    mean = tally.expected / SPREAD_SCALE / rounds
    variance = tally.variance / SPREAD_SCALE / rounds
    return SpreadWorth(
        rounds=tally.rounds,
        bets=tally.bets,
        share=tally.bets / rounds,
        shoes_share=tally.shoes_with / shoes,
        staked_per_100_rounds=100 * tally.staked / rounds,
        per_100_rounds=100 * mean,
        deviation_of_100_rounds=math.sqrt(100 * variance),
        enough_rounds=variance / mean**2 if mean > 0 else None,
        bankroll=-math.log(RUIN_OF_BANKROLL) * variance / (2 * mean) if mean > 0 else None,
        kelly_growth=100 * tally.growth / SPREAD_SCALE / rounds,
    )


def _moments(compiled: Compiled, wager: str, left: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """The mean gain of the patron by a unit, and the mean of its square, for each composition."""
    cards = left.sum(axis=1).astype(np.float64)
    total = np.prod([cards - taken for taken in range(LEAST_CARDS)], axis=0)
    counts = batch_counts(compiled, left) / total[:, None]
    lost, mean, square = np.ones(len(left)), np.zeros(len(left)), np.zeros(len(left))
    for number in compiled.events_of(wager):
        odds = compiled.events[number].odds
        gain = odds.gain / odds.stake if odds else 0.0
        lost -= counts[:, number]
        mean += gain * counts[:, number]
        square += gain * gain * counts[:, number]
    return mean - lost, square + lost


def _whole(parts: Floats) -> int:
    return int(np.rint(parts * SPREAD_SCALE).astype(np.int64).sum())
