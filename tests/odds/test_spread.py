"""Spreads of stakes beside the count that stakes one unit, and their worth by hand."""

import concurrent.futures
import math
from fractions import Fraction

import pytest

from thirdcard.odds.compiled import compile_game
from thirdcard.odds.counting import CountTask, count_shoes, parse_count, worth
from thirdcard.odds.plan import CannotSimulate, ShoePlan
from thirdcard.odds.spread import (
    SPREAD_SCALE,
    SpreadStep,
    SpreadTally,
    SpreadTask,
    checked_steps,
    run_spread,
    spread_shoes,
    spread_worth,
)
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

TIGER, PLAN = SHIPPED.rulebook("mbs-tiger-v3"), ShoePlan(burn=0, after=0)
COUNT = parse_count("0,0,-1,-1,-1,-2,1,2,2,0", "8")


def task(*steps: tuple[int, int], perfect: bool = False) -> SpreadTask:
    found = checked_steps([(Fraction(at), units) for at, units in steps])
    return SpreadTask(TIGER, PairRule.RANK, "big-tiger", PLAN, 1, None if perfect else COUNT, found)


def test_a_spread_of_one_unit_is_the_count_itself() -> None:
    tally = spread_shoes(task((8, 1)), 0, 200)
    counted = count_shoes(CountTask(TIGER, PairRule.RANK, "big-tiger", PLAN, 1, COUNT), 0, 200)
    known = worth(compile_game(TIGER, PairRule.RANK), "big-tiger", counted.all)
    found = spread_worth(tally)
    assert (found.rounds, found.bets) == (known.rounds, known.bets)
    assert found.per_100_rounds == pytest.approx(known.per_100_rounds, rel=1e-6)


def test_perfect_knowledge_stakes_where_the_edge_is_the_patrons() -> None:
    tally = spread_shoes(task((0, 1), perfect=True), 0, 200)
    counted = count_shoes(CountTask(TIGER, PairRule.RANK, "big-tiger", PLAN, 1, None), 0, 200)
    assert tally.bets == counted.all.bets
    assert 0 < tally.shoes_with < tally.shoes == 200
    dear = spread_shoes(task((0, 1), (10, 5), perfect=True), 0, 200)
    assert dear.bets == tally.bets
    assert dear.staked > tally.staked


def test_steps_are_taken_up_as_the_count_rises() -> None:
    one, more = spread_shoes(task((8, 1)), 0, 100), spread_shoes(task((8, 1), (12, 4)), 0, 100)
    assert one.bets == more.bets == one.staked
    late = spread_shoes(task((12, 1)), 0, 100)
    assert more.staked == one.staked + 3 * late.staked
    assert spread_shoes(task((8, 0)), 0, 100).bets == 0


def test_work_that_is_shared_out_gives_the_same() -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        shared = run_spread(task((8, 1)), shoes=300, executor=threads, workers=2)
    assert shared == spread_shoes(task((8, 1)), 0, 300)


def test_worth_of_a_spread_by_hand() -> None:
    """1,000 rounds that win 10 units with variance 400: 1 unit and √40 per 100, 0.01 and 0.4 a round."""
    tally = SpreadTally(
        shoes=10,
        shoes_with=4,
        rounds=1000,
        bets=50,
        staked=100,
        expected=10 * SPREAD_SCALE,
        variance=400 * SPREAD_SCALE,
        growth=SPREAD_SCALE,
    )
    found = spread_worth(tally)
    assert (found.share, found.shoes_share, found.staked_per_100_rounds) == (0.05, 0.4, 10)
    assert found.per_100_rounds == 1
    assert found.deviation_of_100_rounds == pytest.approx(math.sqrt(40))
    assert found.enough_rounds == pytest.approx(0.4 / 0.01**2)
    assert found.bankroll == pytest.approx(math.log(20) * 0.4 / 0.02)
    assert found.kelly_growth == pytest.approx(0.1)
    nothing = spread_worth(SpreadTally())
    assert (nothing.enough_rounds, nothing.bankroll) == (None, None)


def test_steps_are_ordered_or_refused() -> None:
    assert checked_steps([(Fraction(9), 2), (Fraction(8), 1)])[0] == SpreadStep(Fraction(8), 1)
    for bad in ([], [(Fraction(8), -1)], [(Fraction(8), 1), (Fraction(8), 2)]):
        with pytest.raises(CannotSimulate, match="no steps of a spread"):
            checked_steps(bad)
