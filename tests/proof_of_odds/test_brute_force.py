"""Exact odds against every order of small shoes, and against the enumeration on random compositions."""

import itertools
import random
from collections import Counter

import pytest
from odds.kernels import KERNELS, random_shoes
from proof_of_odds.dealing import deal

from thirdcard.cards import Rank
from thirdcard.odds.exact import Shoe, rulebook_odds
from thirdcard.odds.kernel import VARIABLE
from thirdcard.odds.price import prices
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import find_rulebook


def rulebook(game: str) -> Rulebook:
    found = find_rulebook(game)
    assert isinstance(found, Rulebook)
    return found


def every_order(cards: list[Rank]) -> Counter[str]:
    """What every order of the cards brings, six of them drawn."""
    counts: Counter[str] = Counter()
    for order in itertools.permutations(cards, min(6, len(cards))):
        counts["total"] += 1
        ended = deal([card.point_value for card in order])
        if ended is None:
            counts["void"] += 1
            continue
        player, banker, _, banker_cards = ended
        counts["player" if player > banker else "banker" if banker > player else "tie"] += 1
        if banker > player and banker == 6:
            counts["small-tiger" if banker_cards == 2 else "big-tiger"] += 1
        if player == banker == 6:
            counts["tiger-tie"] += 1
        pairs = (order[0] == order[2]) + (order[1] == order[3])
        twin = pairs == 2 and order[0] == order[1]
        counts[("no-pair", "one-pair", "two-pairs")[pairs] if not twin else "twin"] += 1
    return counts


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("kernel", KERNELS)
def test_all_orders_of_up_to_nine_cards(kernel: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    dice = random.Random(number)
    for ranks in (list(Rank), [Rank.SIX, Rank.TEN, Rank.KING, Rank.THREE]):
        cards = dice.choices(ranks, k=number)
        counts = every_order(cards)
        shoe = Shoe(tuple(cards.count(rank) for rank in Rank))
        priced = prices(rulebook("mbs-tiger-nc-v4"), shoe, PairRule.RANK)
        assert (priced.total, priced.void) == (counts["total"], counts["void"])
        wagers = {each.wager: each for each in priced.wagers}
        for name in ("player", "banker", "tie", "small-tiger", "big-tiger", "tiger-tie"):
            wins = counts[name]
            if name == "tie":
                assert wagers["player"].stood_off == wagers["banker"].stood_off == wins
            sixes = counts["small-tiger"] + counts["big-tiger"]
            assert wagers[name].won == wins
            assert name != "banker" or [row.count for row in wagers[name].rows] == [sixes, wins - sixes]
        rows = [row.count for row in wagers["tiger-pair"].rows]
        assert rows == [counts["one-pair"], counts["two-pairs"], counts["twin"]]


@pytest.mark.parametrize("game", ["mbs-tiger-nc-v4", "mbs-super-six-etg-v3"])
def test_random_compositions_agree_with_the_enumeration(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`scripts/soak odds N` does thousands."""
    for number, shoe in enumerate(random_shoes(20, seed=len(game))):
        pair_rule = list(PairRule)[number % 2]
        expected = rulebook_odds(rulebook(game), shoe, pair_rule)
        for kernel in KERNELS:
            monkeypatch.setenv(VARIABLE, kernel)
            assert prices(rulebook(game), shoe, pair_rule).wagers == expected
