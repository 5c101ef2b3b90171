"""Made-up evenings and written rounds of all six games under watch: nothing reaches whom it is not for."""

from pathlib import Path

import pytest
from machines.commands import make_command, make_house, make_temper
from machines.dice import SeededDice
from projections.watching import WatchedEvening, watch_all

from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import all_rulebooks, find_rulebook, shelf_house

EVENINGS, STEPS = 2, 150
# the other games have much the same rounds
GAMES = ("hoiana-tiger-2024-commission", "mbs-super-six-etg-v3", "mbs-tiger-v3", "manners")
FILES = Path(__file__).parent.parent / "rounds"
ROUNDS = [path for game in GAMES for path in sorted((FILES / game).glob("*.round"))]


@pytest.mark.parametrize("seed", range(EVENINGS))
@pytest.mark.parametrize("rulebook", all_rulebooks(), ids=lambda rulebook: rulebook.id)
def test_no_viewer_of_an_evening_learns_what_is_not_for_them(rulebook: Rulebook, seed: int) -> None:
    dice = SeededDice(seed)
    house = make_house(dice, shelf_house(rulebook.document.house))
    evening = WatchedEvening(rulebook, house, make_temper(dice))
    for _ in range(STEPS):
        bare = evening.table is None
        evening.do(make_command(dice, evening.scene))
        if bare and evening.table is not None:
            evening.get_ready()
    evening.finish()


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_viewer_of_a_round_learns_what_is_not_for_them(path: Path) -> None:
    file = parse(path.read_text("utf-8"))
    rulebook = find_rulebook(file.settings.game)
    assert isinstance(rulebook, Rulebook)
    house = shelf_house(rulebook.document.house)
    watch_all(rulebook, house, play(file, rulebook, house).events)
