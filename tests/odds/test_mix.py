"""Mixes of wagers: gain, hold and ruin beside what a round comes to, wager by wager and step by step."""

import math
from fractions import Fraction

import pytest

from thirdcard.odds import mix as mixing
from thirdcard.odds.arguments import CannotPrice
from thirdcard.odds.covariance import covariances
from thirdcard.odds.mix import Mix, hold_of, mix_of, ruin_of
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

TIGER = SHIPPED.rulebook("mbs-tiger-v3")
HALF = Fraction(1, 2)
COIN = Mix({"heads": Fraction(1)}, {Fraction(1): HALF, Fraction(-1): HALF})


def test_a_mix_has_the_mean_and_the_variance_of_its_covariances() -> None:
    stakes = {"banker": 100, "tiger": 10, "tie": 5}
    mix = mix_of(TIGER, 8, PairRule.RANK, stakes)
    together = covariances(TIGER, 8, PairRule.RANK)
    assert sum(mix.chances.values()) == 1
    assert mix.staked == 115
    assert mix.mean == sum(stake * together.edges[wager] for wager, stake in stakes.items())
    assert mix.variance == sum(
        stakes[one] * stakes[other] * together.covariances[one, other] for one in stakes for other in stakes
    )


def test_a_step_divides_every_gain_and_the_stakes() -> None:
    """Banker pays 0.95 to 1 (4.1.T1): with 100 a round brings 95, with 10 on Tiger 120 or 200 more."""
    mix = mix_of(TIGER, 8, PairRule.RANK, {"banker": 100, "tiger": 10})
    assert mix.step == 5
    assert set(mix.chances) == {-215, -295, -85, 110, 10}


def test_the_chance_to_lose_is_counted_for_few_rounds() -> None:
    """Of three tosses one loses two or three in 4 of 8 cases; of two tosses both in 1 of 4."""
    assert hold_of(COIN, 3, 2.0).loses == pytest.approx(0.5)
    found = hold_of(COIN, 2, 2.0)
    assert found.loses == pytest.approx(0.25)
    assert (found.exact, found.mean) == (True, 0)
    assert found.low == -found.high == pytest.approx(-2 * math.sqrt(2))


def test_the_chance_to_lose_of_many_rounds_is_that_of_the_normal_distribution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mix = mix_of(TIGER, 8, PairRule.RANK, {"banker": 1})
    counted = hold_of(mix, 10_000)
    monkeypatch.setattr(mixing, "MOST_STATES", 100)
    estimated = hold_of(mix, 10_000)
    assert (counted.exact, estimated.exact) == (True, False)
    assert counted.loses == pytest.approx(estimated.loses, abs=0.002)


def test_ruin_of_a_coin_is_that_of_the_textbook() -> None:
    """From 3 with goal 10 a fair coin ruins with chance 7 ÷ 10, and in the end nothing else is left."""
    found = ruin_of(COIN, bankroll=3, rounds=2000, goal=10)
    assert found.ruined == pytest.approx(0.7)
    assert found.reached == pytest.approx(0.3)
    assert found.still == pytest.approx(0, abs=1e-9)


def test_ruin_without_a_goal_counts_every_way() -> None:
    """From 2: after two tosses gone in 1 of 4 cases, after four in 2 more of 16."""
    assert ruin_of(COIN, bankroll=2, rounds=2).ruined == pytest.approx(1 / 4)
    found = ruin_of(COIN, bankroll=2, rounds=4)
    assert found.ruined == pytest.approx(1 / 4 + 2 / 16)
    assert (found.reached, found.goal) == (0, None)
    assert found.still == pytest.approx(1 - found.ruined)


def test_a_push_leaves_the_bankroll_and_a_large_win_ends_at_the_goal() -> None:
    mix = Mix(
        {"a": Fraction(1)}, {Fraction(0): HALF, Fraction(-7): Fraction(1, 4), Fraction(1): Fraction(1, 4)}
    )
    found = ruin_of(mix, bankroll=Fraction(3, 2), rounds=1, goal=4)
    assert (found.ruined, found.reached, found.still) == (0.25, 0.25, 0.5)


@pytest.mark.parametrize(
    ("stakes", "sentence"),
    [({"lucky": 1}, "has no wager lucky"), ({}, "stake above nothing"), ({"tie": 0}, "stake above nothing")],
)
def test_a_mix_is_refused(stakes: dict[str, int], sentence: str) -> None:
    with pytest.raises(CannotPrice, match=sentence):
        mix_of(TIGER, 8, PairRule.RANK, stakes)


def test_too_small_a_bankroll_and_no_rounds_are_refused() -> None:
    with pytest.raises(CannotPrice, match="bankroll"):
        ruin_of(COIN, bankroll=HALF, rounds=1)
    with pytest.raises(CannotPrice, match="bankroll"):
        ruin_of(COIN, bankroll=10_000_000, rounds=1)
    with pytest.raises(CannotPrice, match="rounds"):
        hold_of(COIN, 0)
