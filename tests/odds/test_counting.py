"""Card counting: a published figure is reproduced, and tags, trigger and bad input are understood."""

import concurrent.futures
from fractions import Fraction

import pytest

from thirdcard.odds.compiled import Compiled, compile_game
from thirdcard.odds.counting import (
    CountTally,
    CountTask,
    DepthTally,
    count_shoes,
    parse_count,
    run_count,
    worth,
)
from thirdcard.odds.plan import BURN_BY_FIRST_CARD, CannotSimulate, ShoePlan
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

BIG_TIGER_TAGS = "(0,0,−1,−1,−1,−2,+1,+2,+2,0)"


def tiger() -> Compiled:
    rulebook = SHIPPED.rulebook("mbs-tiger-nc-v4")
    return compile_game(rulebook, PairRule.RANK)


def task(*, tags: str | None = BIG_TIGER_TAGS, trigger: str = "8", burn: int = 0) -> CountTask:
    count = parse_count(tags, trigger) if tags else None
    plan = ShoePlan(cut=14, after=0, burn=burn)
    return CountTask(tiger().rulebook, PairRule.RANK, "big-tiger", plan, 1, count)


def play(asked: CountTask, shoes: int) -> CountTally:
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        return run_count(asked, shoes=shoes, executor=threads, workers=2)


def test_the_published_figure_for_big_tiger_is_reproduced_within_a_tenth() -> None:
    # published: on about 3.5 % of rounds, about 0.256 units per 100 rounds dealt
    found = worth(tiger(), "big-tiger", play(task(), 8_000).all)
    assert found.share == pytest.approx(0.035, rel=0.1)
    assert found.per_100_rounds == pytest.approx(0.256, rel=0.1)
    assert found.edge > 5 * found.error


def test_perfect_knowledge_is_worth_more_than_a_count_and_most_at_the_end_of_the_shoe() -> None:
    counted, perfect = play(task(), 700), play(task(tags=None), 700)
    assert counted.rounds == perfect.rounds > 50_000
    known = [worth(tiger(), "big-tiger", each.all) for each in (counted, perfect)]
    assert known[0].per_100_rounds < known[1].per_100_rounds
    shares = [worth(tiger(), "big-tiger", depth).share for depth in perfect.depths]
    assert shares[0] == 0
    assert shares[9] > shares[7] > shares[5]


def test_bets_are_settled_by_what_the_rounds_brought() -> None:
    found = count_shoes(task(trigger="-1000"), 0, 300).all
    assert found.bets == found.rounds
    result = worth(tiger(), "big-tiger", found)
    assert result.won == 51 * found.rows[0] - found.bets
    assert result.edge == pytest.approx(-0.1525, abs=0.01)  # every round: the house edge


def test_chunks_add_up_to_the_same_tally() -> None:
    asked = task()
    assert count_shoes(asked, 0, 60) + count_shoes(asked, 60, 40) == count_shoes(asked, 0, 100)
    assert CountTally() + count_shoes(asked, 0, 3) == count_shoes(asked, 0, 3)
    assert count_shoes(asked, 0, 3) + CountTally() == count_shoes(asked, 0, 3)


def test_of_the_burned_cards_only_the_first_is_counted() -> None:
    """With a tag on sixes alone, the count before the first round is the tag of the card that was shown."""
    asked = task(tags="0,0,0,0,0,1,0,0,0,0", trigger="0.0001", burn=BURN_BY_FIRST_CARD)
    hidden = task(tags="0,0,0,0,0,1,0,0,0,0", trigger="0.0001", burn=40)
    first_rounds = [count_shoes(asked, shoe, 1).depths[0].bets for shoe in range(40)]
    assert min(first_rounds) < max(first_rounds)
    assert count_shoes(hidden, 0, 5).all.rounds > 0


def test_nothing_bet_is_worth_nothing() -> None:
    nothing = worth(tiger(), "big-tiger", DepthTally())
    assert (nothing.share, nothing.edge, nothing.won, nothing.per_100_rounds) == (0, 0, 0, 0)


def test_tags_may_be_fractions() -> None:
    count = parse_count("0 0 -1/2 0 0 0 0 0 0 1.5", "4")
    assert (count.tags, count.unit, count.trigger) == (
        (0, 0, -1, 0, 0, 0, 0, 0, 0, 3),
        Fraction(1, 2),
        Fraction(4),
    )


@pytest.mark.parametrize(
    ("tags", "trigger"),
    [
        ("1,2,3", "4"),
        ("a," * 10, "4"),
        ("0," * 10, "much"),
        ("1/0," * 10, "1"),
        ("1e30," * 10, "1"),
        ("0," * 10, "1e99"),
        ("0," * 9 + "1000000", "1"),
    ],
)
def test_tags_that_are_none_are_refused(tags: str, trigger: str) -> None:
    with pytest.raises(CannotSimulate, match="Give ten numbers for A, 2 … 9 and 10"):
        parse_count(tags, trigger)


@pytest.mark.parametrize(
    ("tags", "trigger"), [("1/999983, 1/999979" + ", 0" * 8, "1"), ("1/999," * 10, "999999")]
)
def test_tags_without_a_common_unit_are_refused(tags: str, trigger: str) -> None:
    with pytest.raises(CannotSimulate, match="Give rounder numbers"):
        parse_count(tags, trigger)


def test_the_largest_tags_are_counted_exactly() -> None:
    """A running count of many million units keeps within 64 bits: as many bets as with tags of one."""
    large = count_shoes(task(tags="400000," * 10, trigger="600000"), 0, 20)
    assert large == count_shoes(task(tags="1," * 10, trigger="1.5"), 0, 20)
    assert 0 < large.all.bets < large.all.rounds
