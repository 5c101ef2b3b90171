"""Made-up evenings at all six tables under watch: nothing reaches anybody for whom it is not."""

import pytest
from machines.commands import make_command, make_house, make_temper
from machines.dice import SeededDice
from projections.watching import WatchedEvening

from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import all_rulebooks, shelf_house

EVENINGS, STEPS = 3, 150


def spend(rulebook: Rulebook, seed: int) -> WatchedEvening:
    dice = SeededDice(seed)
    house = make_house(dice, shelf_house(rulebook.document.house))
    evening = WatchedEvening(rulebook, house, make_temper(dice))
    for _ in range(STEPS):
        bare = evening.table is None
        evening.do(make_command(dice, evening.scene))
        if bare and evening.table is not None:
            evening.get_ready()
    evening.finish()
    return evening


@pytest.mark.parametrize("seed", range(EVENINGS))
@pytest.mark.parametrize("rulebook", all_rulebooks(), ids=lambda rulebook: rulebook.id)
def test_no_viewer_learns_what_is_not_for_them(rulebook: Rulebook, seed: int) -> None:
    spend(rulebook, seed)
