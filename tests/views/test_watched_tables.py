"""Made-up evenings and written rounds of all six games under watch: nothing reaches whom it is not for."""

import pytest
from golden import NAMES, golden
from lengths import sized
from machines.commands import make_command, make_house, make_temper
from machines.dice import SeededDice
from views.watching import WatchedEvening, watch_all

from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import SHIPPED

EVENINGS, STEPS = sized(1, 20), 150
# the other games have much the same rounds
GAMES = ("hoiana-tiger-2024/commission", "mbs-super-six-etg-v3", "mbs-tiger-v3")
FOLDERS = (*(game.replace("/", "-") for game in GAMES), "manners")
FEW = [name for name in NAMES if name.partition("/")[0] in FOLDERS or name.endswith(GAMES)]
ROUNDS = sized(FEW[::3], NAMES)

pytestmark = pytest.mark.sweep


@pytest.mark.parametrize("seed", range(EVENINGS))
@pytest.mark.parametrize("rulebook", SHIPPED.rulebooks, ids=lambda rulebook: rulebook.id)
def test_no_viewer_of_an_evening_learns_what_is_not_for_them(rulebook: Rulebook, seed: int) -> None:
    dice = SeededDice(seed)
    house = make_house(dice, SHIPPED.house(rulebook.document.house))
    evening = WatchedEvening(rulebook, house, make_temper(dice))
    for _ in range(STEPS):
        bare = evening.table is None
        evening.do(make_command(dice, evening.scene))
        if bare and evening.table is not None:
            evening.get_ready()
    evening.finish()


@pytest.mark.parametrize("name", ROUNDS)
def test_no_viewer_of_a_round_learns_what_is_not_for_them(name: str) -> None:
    told = golden(name)
    watch_all(told.rulebook, told.house, told.played.events)
