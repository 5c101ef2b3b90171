"""The golden rounds of tests/rounds, each read and played once in a test run under each of its games."""

import functools
from pathlib import Path

from msgspec import Struct

from thirdcard.roundfile.games import texts_by_game
from thirdcard.roundfile.parse import RoundFile, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED

FOLDER = Path(__file__).parent / "rounds"


def texts_below(folder: Path) -> dict[str, str]:
    """The text of each round below a folder by its name: its path, and its game where a file has several."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.round")):
        name, texts = str(path.relative_to(folder)), texts_by_game(path.read_text("utf-8"))
        found |= {f"{name}, {game}" if len(texts) > 1 else name: text for game, text in texts.items()}
    return found


TEXTS = texts_below(FOLDER)
NAMES = sorted(TEXTS)


class Golden(Struct, frozen=True):
    """A round, the game it is played at, and how it was played."""

    text: str
    file: RoundFile
    rulebook: Rulebook
    house: House
    played: Played


@functools.cache
def golden(name: str) -> Golden:
    """Return a round by its name."""
    text = TEXTS[name]
    file = parse(text)
    rulebook = SHIPPED.rulebook(file.settings.game)
    house = SHIPPED.house(file.settings.house or rulebook.document.house)
    return Golden(text, file, rulebook, house, play(file, rulebook, house))
