"""The golden rounds of tests/rounds, each read and played once in a test run."""

import functools
from pathlib import Path

from msgspec import Struct

from thirdcard.roundfile.parse import RoundFile, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import find_rulebook, shelf_house

FOLDER = Path(__file__).parent / "rounds"
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.round"))


class Golden(Struct, frozen=True):
    """A round file, the game it is played at, and how it was played."""

    text: str
    file: RoundFile
    rulebook: Rulebook
    house: House
    played: Played


@functools.cache
def golden(name: str) -> Golden:
    """Return a round by its name under tests/rounds."""
    text = (FOLDER / name).read_text("utf-8")
    file = parse(text)
    rulebook = find_rulebook(file.settings.game)
    assert isinstance(rulebook, Rulebook)
    house = shelf_house(file.settings.house or rulebook.document.house)
    return Golden(text, file, rulebook, house, play(file, rulebook, house))
