"""Exact odds against every order of small shoes, and against each other on random compositions."""

import functools
import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from lengths import sized
from odds.kernels import KERNELS
from odds.three_ways import compared
from plain_odds import rulebook_odds
from proof_of_odds.pay_rows import GAMES, STAND_OFF_ON_A_TIE, Dealt, by_letter, by_rank, dealt

from thirdcard.cards import Rank
from thirdcard.odds.exact import RankCounts, WagerOdds
from thirdcard.odds.kernel import VARIABLE
from thirdcard.odds.price import prices
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

MOST_CARDS = 9
SHOES_OF_A_SIZE = sized(6, 60)
PAIRS = {PairRule.RANK: by_rank, PairRule.POINT_VALUE: by_letter}
# any ranks; few ranks, so that hands are pairs; ranks that make sixes, sevens and third cards
RANKS = (
    list(Rank),
    [Rank.SIX, Rank.TEN, Rank.KING],
    [Rank.ACE, Rank.THREE, Rank.FOUR, Rank.SIX, Rank.SEVEN, Rank.JACK],
)
Ended = Counter[Dealt | None]
Results = tuple[dict[str, int], int, int, Fraction]  # paid by odds, stood off, lost, edge


@functools.cache
def small_shoes(number: int) -> tuple[tuple[tuple[Rank, ...], PairRule, Ended], ...]:
    """Shoes of so many cards, with what every order of their cards brings: each order of the six drawn."""
    dice, found = random.Random(number), []
    for place in range(SHOES_OF_A_SIZE):
        cards = tuple(dice.choices(RANKS[place % len(RANKS)], k=number))
        pair_rule = list(PairRule)[place // len(RANKS) % 2]
        ended: Ended = Counter()
        for order, times in Counter(itertools.permutations(cards, min(6, number))).items():
            ended[dealt(order, PAIRS[pair_rule])] += times
        found.append((cards, pair_rule, ended))
    return tuple(found)


def by_hand(game: str, ended: Ended) -> dict[str, Results]:
    """The results of every wager of a game, by the pay tables of its document."""
    total, results = ended.total(), {}
    rounds = {end: count for end, count in ended.items() if end is not None}
    for wager, rows in GAMES[game].items():
        paid = {
            odds: sum(count for end, count in rounds.items() if holds(end)) for odds, holds in rows.items()
        }
        ties = sum(count for end, count in rounds.items() if end.player == end.banker)
        stood_off = ties if wager in STAND_OFF_ON_A_TIE else 0
        lost = sum(rounds.values()) - sum(paid.values()) - stood_off
        won = sum((count * _gain(odds) for odds, count in paid.items()), start=Fraction(0))
        results[wager] = (paid, stood_off, lost, (lost - won) / total)
    return results


def _gain(odds: str) -> Fraction:
    gain, _, stake = odds.partition(" to ")
    return Fraction(gain) / Fraction(stake)


def as_results(wagers: tuple[WagerOdds, ...]) -> dict[str, Results]:
    return {
        each.wager: (
            {row.odds.text: row.count for row in each.rows},
            each.stood_off,
            each.lost,
            each.edge,
        )
        for each in wagers
    }


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", range(MOST_CARDS + 1))
def test_all_orders_of_up_to_nine_cards_every_wager(
    number: int, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cards, pair_rule, ended in small_shoes(number):
        assert ended.total() == math.perm(number, min(6, number))
        shoe, expected = RankCounts(tuple(cards.count(rank) for rank in Rank)), by_hand(game, ended)
        for kernel in KERNELS if number >= 6 else KERNELS[:1]:  # fewer cards are always enumerated
            monkeypatch.setenv(VARIABLE, kernel)
            priced = prices(SHIPPED.rulebook(game), shoe, pair_rule)
            assert (priced.total, priced.void) == (ended.total(), ended[None])
            assert as_results(priced.wagers) == expected


@pytest.mark.parametrize("number", range(6, MOST_CARDS + 1))
def test_the_enumeration_counts_all_orders_of_six_to_nine_cards_too(number: int) -> None:
    for (cards, pair_rule, ended), game in zip(small_shoes(number), itertools.cycle(GAMES)):
        shoe = RankCounts(tuple(cards.count(rank) for rank in Rank))
        assert as_results(rulebook_odds(SHIPPED.rulebook(game), shoe, pair_rule)) == by_hand(game, ended)


def test_in_some_small_shoe_every_row_is_paid_and_some_round_is_void() -> None:
    seen: Ended = Counter()
    for number in range(MOST_CARDS + 1):
        for _, _, ended in small_shoes(number):
            seen += ended
    assert seen[None]
    for game, wagers in GAMES.items():
        assert set(wagers) == set(SHIPPED.rulebook(game).wagers)
        for wager, (paid, _, lost, _) in by_hand(game, seen).items():
            assert lost, (game, wager)
            assert all(paid.values()), (game, wager, paid)


@pytest.mark.sweep
def test_random_compositions_of_every_game_are_the_same_every_way() -> None:
    """`scripts/soak odds N` does thousands."""
    groups = list(compared(24, seed=7, group=2))
    assert len(groups) == 12  # six games, both pair rules
    assert [each for _, differences in groups for each in differences] == []
