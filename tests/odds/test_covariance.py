"""Means and covariances of wagers, beside the exact odds of each and what every round comes to."""

import math
from fractions import Fraction

import pytest

from thirdcard.odds.covariance import covariances
from thirdcard.odds.exact import full_shoe
from thirdcard.odds.price import prices
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

DECKS = 8


@pytest.mark.parametrize("rulebook", SHIPPED.rulebooks, ids=lambda book: book.id)
def test_means_and_variances_are_those_of_each_wager_alone(rulebook: Rulebook) -> None:
    together = covariances(rulebook, DECKS, PairRule.RANK)
    for odds in prices(rulebook, full_shoe(DECKS), PairRule.RANK).wagers:
        assert together.edges[odds.wager] == odds.edge
        assert math.sqrt(together.covariances[odds.wager, odds.wager]) == pytest.approx(
            odds.deviation, rel=1e-12
        )


def test_player_and_banker_in_tiger_go_against_each_other() -> None:
    # 8 decks: Banker wins 2,292,252,566,437,888 of the ordered draws, Player 2,230,518,282,592,256, a tie
    # 475,627,426,473,216; Banker pays 0.95 (4.1.T1), Player 1, and a tie leaves both
    banker, player, tie = 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216
    total = banker + player + tie
    product = Fraction(-19 * banker - 20 * player, 20 * total)
    edges = Fraction(player * 20 - banker * 19, 20 * total), Fraction(banker - player, total)
    found = covariances(SHIPPED.rulebook("mbs-tiger-v3"), DECKS, PairRule.RANK)
    assert (found.edges["banker"], found.edges["player"]) == edges
    assert found.covariances["banker", "player"] == product - edges[0] * edges[1]


def test_the_edges_of_a_game_are_counted_once() -> None:
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    assert covariances(rulebook, DECKS, PairRule.RANK) is covariances(rulebook, DECKS, PairRule.RANK)
