"""Hands settled per second with eight wagers, beside a bare integer loop in the same run.

.venv/bin/python bench/settle.py
"""

import itertools
import time
from collections.abc import Callable

from thirdcard.cards import Card, Rank
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.game.settlement import settle
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import find_rulebook, shelf_house

GAME = "mbs-tiger-nc-v4"
SECONDS = 2.0


def main() -> None:
    rulebook = find_rulebook(GAME)
    assert isinstance(rulebook, Rulebook)
    house = shelf_house(rulebook.document.house)
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
        """What eight payments cost as bare integers: multiply, divide, add."""
        total = 0
        for odds in (1, 1, 8, 12, 50, 22, 4, 35):
            gain, rest = divmod(10_000 * odds + index, 2)
            total += gain + rest

    print(f"{GAME}, {len(stakes)} wagers, {len(hands)} different hands")
    reference = rate(bare_loop)
    print(f"bare integer loop    {reference:12,.0f} hands/s")
    for name, work in (("settle", settle_only), ("play out and settle", play_and_settle)):
        speed = rate(work)
        print(f"{name:20} {speed:12,.0f} hands/s   1 : {reference / speed:.1f} of the loop")


def complete_hands(rulebook: Rulebook) -> list[tuple[Card, ...]]:
    """One complete hand for every combination of ranks in a small sample."""
    ranks = [Rank.TWO, Rank.SIX, Rank.NINE, Rank.KING, Rank.ACE]
    hands: list[tuple[Card, ...]] = []
    for first_four in itertools.product(ranks, repeat=4):
        cards = tuple(Card(rank) for rank in (*first_four, Rank.FIVE, Rank.FOUR))
        house = shelf_house(rulebook.document.house)
        for number in (4, 5, 6):
            if isinstance(play_out(rulebook, cards[:number], rulebook.pair_rule(house)), Outcome):
                hands.append(cards[:number])
                break
    return hands


def rate(work: Callable[[int], None]) -> float:
    """Calls per second over a fixed time."""
    done, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        for index in range(done, done + 500):
            work(index)
        done += 500
    return done / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
