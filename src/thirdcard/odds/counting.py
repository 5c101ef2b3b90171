"""Card counting: how often a wager favours the patron, at what edge, and what that is worth.

A count adds a tag for every card that was seen; the true count is the running count × 52 ÷ cards left, not
rounded, and the wager is made when it reaches the trigger. With perfect knowledge it is made whenever the
exact edge of the shoe as it stands is the patron's. Every bet is priced exactly, so that few shoes give a
steady figure.
"""

import concurrent.futures
import functools
import math
import re
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from thirdcard.messages import message, say
from thirdcard.odds.compiled import Compiled, compile_game
from thirdcard.odds.executors import share_out, silent
from thirdcard.odds.plan import BURN_BY_FIRST_CARD, CannotSimulate, ShoePlan, check_plan
from thirdcard.odds.price import edges
from thirdcard.odds.script import Script, write_shoes
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule

DEPTHS = 10  # tenths of a shoe
POINT_VALUES = 10  # tags are for A to 9, then ten and court cards
CHUNK = 256  # shoes whose cards are written down at a time
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,6}(?:\.[0-9]{1,6}|/0*[1-9][0-9]{0,5})?|\.[0-9]{1,6})", re.ASCII)
_LARGEST = 10**7  # of tags and trigger in whole units: with these no count leaves 64 bits
_SCALE = 2**40  # edges are added up as whole numbers, so that no order of adding them matters


class Count(Struct, frozen=True):
    """A counting system: tags for A, 2 … 9 and 10 in whole units, and the true count from which to bet."""

    tags: tuple[int, ...]
    unit: Fraction
    trigger: Fraction


class CountTask(Struct, frozen=True):
    """A worker's task of playing shoes against one wager; without a count knowledge is perfect."""

    rulebook: Rulebook
    pair_rule: PairRule
    wager: str
    plan: ShoePlan
    seed: int
    count: Count | None


class DepthTally(Struct, frozen=True):
    """Rounds begun at one depth of the shoe: how many, with how many bets, and how those went."""

    rounds: int = 0
    bets: int = 0
    expected: int = 0  # what the patron wins by the exact edges, in units ÷ 2**40
    squares: int = 0
    rows: tuple[int, ...] = ()  # bets by row of the wager

    def __add__(self, other: "DepthTally") -> "DepthTally":
        """Both together."""
        rows = self.rows or (0,) * len(other.rows)
        return DepthTally(
            rounds=self.rounds + other.rounds,
            bets=self.bets + other.bets,
            expected=self.expected + other.expected,
            squares=self.squares + other.squares,
            rows=tuple(one + more for one, more in zip(rows, other.rows or (0,) * len(rows), strict=True)),
        )


class CountTally(Struct, frozen=True):
    """Shoes played against a wager, by tenths of the shoe."""

    shoes: int = 0
    depths: tuple[DepthTally, ...] = (DepthTally(),) * DEPTHS

    def __add__(self, other: "CountTally") -> "CountTally":
        """Both together."""
        depths = tuple(one + more for one, more in zip(self.depths, other.depths, strict=True))
        return CountTally(self.shoes + other.shoes, depths)

    @property
    def all(self) -> DepthTally:
        """All depths together."""
        return functools.reduce(DepthTally.__add__, self.depths)

    @property
    def rounds(self) -> int:
        """All rounds."""
        return self.all.rounds


class Worth(Struct, frozen=True):
    """The worth of betting: shares of rounds, edges and units for the patron."""

    rounds: int
    bets: int
    share: float
    edge: float  # the patron's, of a bet
    error: float  # of the edge
    won: float  # units that the bets really won
    per_100_rounds: float


def parse_count(tags: str, trigger: str) -> Count:
    """A count from ten tags for A, 2 … 9 and 10, and the true count from which the wager is made."""
    parts = [part for part in re.split(r"[\s,]+", tags.strip().strip("()")) if part]
    exact = [number for number in map(_number, parts) if number is not None]
    limit = _number(trigger.strip())
    if limit is None or not len(parts) == len(exact) == POINT_VALUES:
        raise CannotSimulate(say(message("simulate.bad-tags", tags=tags, trigger=trigger)))
    unit = Fraction(1, math.lcm(*(tag.denominator for tag in exact)))
    counted = Count(tuple(int(tag / unit) for tag in exact), unit, limit)
    scaled = limit / unit
    if max(*map(abs, counted.tags), abs(scaled.numerator), scaled.denominator) > _LARGEST:
        raise CannotSimulate(say(message("simulate.uneven-tags", tags=tags, trigger=trigger)))
    return counted


def _number(text: str) -> Fraction | None:
    """A plain number or a fraction, or nothing where it is neither or has too many digits."""
    written = text.replace("−", "-")
    return Fraction(written) if _NUMBER.fullmatch(written) else None


def run_count(
    task: CountTask,
    *,
    shoes: int,
    executor: concurrent.futures.Executor,
    workers: int,
    progress: Callable[[CountTally], None] = silent,
) -> CountTally:
    """Play shoes on an executor; an interrupt stops it, and what is done by then is counted."""
    check_plan(task.plan)
    return share_out(
        functools.partial(count_shoes, task),
        CountTally(),
        shoes=shoes,
        chunk=CHUNK,
        executor=executor,
        workers=workers,
        progress=progress,
    )


def count_shoes(task: CountTask, first: int, number: int) -> CountTally:
    """Play shoes from a first one on against one wager."""
    compiled = compile_game(task.rulebook, task.pair_rule)
    script = write_shoes(compiled.rules, task.plan, task.seed, first, number)
    shoe, round_ = np.nonzero(script.classes >= 0)
    taken = script.starts[shoe, round_].astype(np.int64)
    left = compositions(task.plan, script, shoe, taken)
    wager = list(task.rulebook.wagers).index(task.wager)
    if task.count is None:
        edge = edges(compiled, left)[:, wager]
        bet = edge < 0
        edge = edge[bet]
    else:
        bet = reaches(task.count, task.count.trigger, task.plan, script, shoe, taken)
        edge = edges(compiled, left[bet])[:, wager]
    depth = taken * DEPTHS // task.plan.cards
    rows = _rows(compiled, task.wager, script.classes[shoe, round_][bet])
    gain = np.rint(-edge * _SCALE).astype(np.int64)
    depths = tuple(_depth(depth == at, depth[bet] == at, gain, rows) for at in range(DEPTHS))
    return CountTally(number, depths)


def worth(compiled: Compiled, wager: str, tally: DepthTally) -> Worth:
    """Return the worth of a tally to the patron, by exact edges and as it came."""
    numbers = compiled.events_of(wager)
    won = -float(tally.bets)
    for number, count in zip(numbers, tally.rows or (0,) * len(numbers), strict=True):
        odds = compiled.events[number].odds
        won += count * (1 + odds.gain / odds.stake if odds else 1.0)
    edge = tally.expected / _SCALE / tally.bets if tally.bets else 0.0
    spread = tally.squares / _SCALE / tally.bets - edge * edge if tally.bets else 0.0
    return Worth(
        rounds=tally.rounds,
        bets=tally.bets,
        share=tally.bets / tally.rounds if tally.rounds else 0.0,
        edge=edge,
        error=(max(spread, 0.0) / tally.bets) ** 0.5 if tally.bets else 0.0,
        won=won,
        per_100_rounds=100 * edge * tally.bets / tally.rounds if tally.rounds else 0.0,
    )


Index = npt.NDArray[np.int64]


def compositions(plan: ShoePlan, script: Script, shoe: Index, taken: Index) -> Index:
    """Return the cards left by rank, ace first, before each round."""
    left = np.empty((len(shoe), 13), np.int64)
    for number in range(13):
        gone = np.zeros((len(script.cards), script.cards.shape[1] + 1), np.int16)
        np.cumsum(script.cards == number, axis=1, out=gone[:, 1:])
        left[:, (number + 9) % 13] = 4 * plan.decks - gone[shoe, taken]
    return left


def reaches(
    count: Count, from_: Fraction, plan: ShoePlan, script: Script, shoe: Index, taken: Index
) -> npt.NDArray[np.bool_]:
    """Return where the true count has reached a trigger; burned cards that nobody saw do not count."""
    by_number = np.array([*(count.tags[9],) * 4, *count.tags[:9], 0], np.int64)  # -1 is no card
    tags = by_number[script.cards]
    seen = 1 if plan.burn == BURN_BY_FIRST_CARD else 0
    hidden = np.arange(tags.shape[1])[None, :] < script.starts[:, :1]
    hidden[:, :seen] = False
    tags[hidden] = 0
    running = np.zeros((len(tags), tags.shape[1] + 1), np.int64)
    np.cumsum(tags, axis=1, out=running[:, 1:])
    trigger = from_ / count.unit
    left = plan.cards - taken
    return np.asarray(running[shoe, taken] * 52 * trigger.denominator >= trigger.numerator * left)


def _rows(compiled: Compiled, wager: str, classes: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    """Rows of the wager × bets, where the row holds."""
    holds = np.frombuffer(compiled.event_of, np.uint8).reshape(len(compiled.events), compiled.kinds)
    kinds = np.frombuffer(compiled.kind_of, np.uint16)[classes]
    return holds[list(compiled.events_of(wager))][:, kinds].astype(bool)


def _depth(
    here: npt.NDArray[np.bool_], bets_here: npt.NDArray[np.bool_], gain: Index, rows: npt.NDArray[np.bool_]
) -> DepthTally:
    gains = gain[bets_here]
    squares = np.rint((gains / _SCALE) ** 2 * _SCALE).astype(np.int64)
    return DepthTally(
        rounds=int(here.sum()),
        bets=len(gains),
        expected=int(gains.sum()),
        squares=int(squares.sum()),
        rows=tuple(int(each) for each in rows[:, bets_here].sum(axis=1)),
    )
