"""Every kernel that works on this machine, numpy included, and shoes to try them on."""

import random

from thirdcard.cards import Rank
from thirdcard.odds.exact import RankCounts
from thirdcard.odds.kernel import widths

KERNELS = tuple(width.value for width in widths())
FAST = [name for name in KERNELS if name != "numpy"]


def random_shoes(number: int, seed: int) -> list[RankCounts]:
    """Compositions of 4 to 10 decks of which some cards, or nearly all, are gone; six cards or more."""
    dice = random.Random(seed)
    shoes: list[RankCounts] = []
    while len(shoes) < number:
        full = 4 * dice.randint(4, 10)
        spared = dice.choice((0.05, 0.2, 0.6, 0.95))
        left = tuple(
            0 if dice.random() < 0.1 else sum(dice.random() < spared for _ in range(full)) for _ in Rank
        )
        if sum(left) >= 6:
            shoes.append(RankCounts(left))
    return shoes
