"""Hands settled per second of processor time with eight wagers, beside a bare integer loop in the same run.

.venv/bin/python bench/settle.py
"""

import itertools
import time
from collections.abc import Callable

from figures import record_cost

from thirdcard.cards import Card, Rank
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.game.settlement import settle
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import SHIPPED

GAME = "mbs-tiger-nc-v4"
SECONDS = 2.0
BATCH = 500


def main() -> None:
    rulebook = SHIPPED.rulebook(GAME)
    house = SHIPPED.house(rulebook.document.house)
    pair_rule = rulebook.pair_rule(house)
    hands = complete_hands(rulebook)
    stakes = tuple((wager, 10_000) for wager in rulebook.wagers)
    outcomes = [
        outcome for hand in hands if isinstance(outcome := play_out(rulebook, hand, pair_rule), Outcome)
    ]

    def play_and_settle(index: int) -> None:
        outcome = play_out(rulebook, hands[index % len(hands)], pair_rule)
        assert isinstance(outcome, Outcome)
        settle(rulebook, house, outcome, stakes)

    def settle_only(index: int) -> None:
        settle(rulebook, house, outcomes[index % len(outcomes)], stakes)

    def bare_loop(index: int) -> None:
        """Compute eight payments as bare integers: multiply, divide, add."""
        total = 0
        for odds in (1, 1, 8, 12, 50, 22, 4, 35):
            gain, rest = divmod(10_000 * odds + index, 2)
            total += gain + rest

    print(f"{GAME}, {len(stakes)} wagers, {len(hands)} different hands")
    reference = rate(bare_loop)
    print(f"bare integer loop    {reference:12,.0f} hands/s")
    for name, work in (("settle", settle_only), ("play out and settle", play_and_settle)):
        speed = rate(work)
        record_cost(name, 1 / speed)
        print(f"{name:20} {speed:12,.0f} hands/s   1 : {reference / speed:.1f} of the loop")


def complete_hands(rulebook: Rulebook) -> list[tuple[Card, ...]]:
    """One complete hand for every combination of ranks in a small sample."""
    ranks = [Rank.TWO, Rank.SIX, Rank.NINE, Rank.KING, Rank.ACE]
    hands: list[tuple[Card, ...]] = []
    for first_four in itertools.product(ranks, repeat=4):
        cards = tuple(Card(rank) for rank in (*first_four, Rank.FIVE, Rank.FOUR))
        house = SHIPPED.house(rulebook.document.house)
        for number in (4, 5, 6):
            if isinstance(play_out(rulebook, cards[:number], rulebook.pair_rule(house)), Outcome):
                hands.append(cards[:number])
                break
    return hands


def rate(work: Callable[[int], None]) -> float:
    """Calls per second of processor time in the quickest batch of a fixed time."""
    quickest, done, spent = float("inf"), 0, 0.0
    while spent < SECONDS:
        begun = time.process_time()
        for index in range(done, done + BATCH):
            work(index)
        taken = time.process_time() - begun
        quickest, done, spent = min(quickest, taken), done + BATCH, spent + taken
    return BATCH / quickest


if __name__ == "__main__":
    main()
