"""The engine plays the kernel's shoes card by card and agrees; the random stream is as documented."""

import pytest
from lengths import sized
from odds.kernels import KERNELS

from thirdcard.cards import Card, Rank
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.odds.compiled import compile_game, facts_by_class
from thirdcard.odds.kernel import VARIABLE
from thirdcard.odds.plan import BURN_BY_FIRST_CARD, ShoePlan
from thirdcard.odds.script import write_shoes
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

MASK32, MASK64 = 2**32 - 1, 2**64 - 1
# the kernel numbers tens and court cards first: then the point value is the number less three
RANK_NUMBERS = (*list(Rank)[9:], *list(Rank)[:9])
SHOES = sized(200, 20_000)  # under each of two pair rules


def splitmix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK64
    return z ^ (z >> 31)


def cards_of(seed: int, shoe: int, decks: int, number: int) -> list[int]:
    """The first cards of a shoe as rank numbers, in plain Python."""
    key = splitmix(splitmix(seed) + (shoe + 1) * 0x9E3779B97F4A7C15 & MASK64)
    low, high = key & MASK32, key >> 32
    left, cards = [4 * decks] * 13, []
    for taken in range(number):
        h = low + taken * 0x9E3779B9 & MASK32
        h = (h ^ (h >> 16)) * 0x85EBCA6B & MASK32 ^ high
        h = (h ^ (h >> 13)) * 0xC2B2AE35 & MASK32
        at, rank = h * sum(left) >> 32, 0
        while at >= left[rank]:
            at, rank = at - left[rank], rank + 1
        left[rank] -= 1
        cards.append(rank)
    return cards


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_random_stream_is_the_documented_one(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    plan, seed = ShoePlan(decks=6, burn=BURN_BY_FIRST_CARD), 2**63 + 12345
    rules = compile_game(SHIPPED.rulebook("mbs-tiger-v3"), PairRule.RANK).rules
    script = write_shoes(rules, plan, seed, 10**12, 40)
    for at, row in enumerate(script.cards.tolist()):
        cards = [card for card in row if card >= 0]
        assert cards == cards_of(seed, 10**12 + at, 6, len(cards))


@pytest.mark.sweep
@pytest.mark.parametrize("pair_rule", PairRule)
def test_engine_and_kernel_agree_on_many_shoes(pair_rule: PairRule) -> None:
    plan = ShoePlan(decks=8, burn=BURN_BY_FIRST_CARD)
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    script = write_shoes(compile_game(rulebook, pair_rule).rules, plan, 4, 0, SHOES)
    ranks = [Card(rank) for rank in RANK_NUMBERS]
    facts = facts_by_class()
    played: dict[tuple[int, ...], Outcome] = {}
    rounds = 0
    for shoe in range(SHOES):
        cards = [number for number in script.cards[shoe].tolist() if number >= 0]
        starts = [start for start in script.starts[shoe].tolist() if start >= 0]
        for place, start in enumerate(starts):
            end = starts[place + 1] if place + 1 < len(starts) else len(cards)
            drawn = tuple(cards[start:end])
            if drawn not in played:
                outcome = play_out(rulebook, tuple(ranks[number] for number in drawn), pair_rule)
                assert isinstance(outcome, Outcome), (shoe, place, drawn)
                played[drawn] = outcome
            assert played[drawn].facts == facts[script.classes[shoe, place]]
            rounds += 1
    assert rounds > 75 * SHOES
