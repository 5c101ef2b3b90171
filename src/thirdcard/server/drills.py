"""The drills that a server offers, shipped ones and those of a trainer, and the right way of each."""

import functools
from pathlib import Path

from thirdcard.roundfile.parse import RoundRules
from thirdcard.rulebook.shelf import Shelf
from thirdcard.training.drill import Drill
from thirdcard.training.packs import drills_below, shipped_drills
from thirdcard.training.rehearsal import Rehearsal, rehearse
from thirdcard.wire.training import DrilledGame, DrillLine, DrillsAnswer


def list_drills(packs: Path | None, shelf: Shelf) -> dict[str, DrillsAnswer]:
    """Return the drills of each game; it takes a second, since each is played once for its posts."""
    lines: dict[str, list[DrillLine]] = {}
    for each in all_drills(packs, shelf):
        posts = rehearsal_of(each, shelf).posts()
        lines.setdefault(each.game, []).append(DrillLine(each.name, each.title, posts))
    games = tuple(_game(game, own, shelf) for game, own in lines.items())
    return {game: DrillsAnswer(game, games, tuple(own)) for game, own in lines.items()}


def find_drill(name: str, game: str, packs: Path | None, shelf: Shelf) -> Drill | None:
    """Return a drill by its name and its game."""
    found = (each for each in all_drills(packs, shelf) if (each.name, each.game) == (name, game))
    return next(found, None)


@functools.lru_cache(maxsize=1)
def all_drills(packs: Path | None, shelf: Shelf) -> tuple[Drill, ...]:
    """Return the drills of a folder, and those that are shipped unless it has some of the same names."""
    own = () if packs is None else tuple(drills_below(packs, RoundRules(shelf=shelf)))
    names = {each.name for each in own}
    return (*own, *(each for each in shipped_drills() if each.name not in names))


def check_packs(packs: Path, shelf: Shelf) -> None:
    """Play each drill of a folder once; a line that cannot be read or played is a bad line, with its file."""
    if not packs.is_dir():
        raise NotADirectoryError(str(packs))
    for each in drills_below(packs, RoundRules(shelf=shelf)):
        rehearsal_of(each, shelf)


def rehearsal_of(drill: Drill, shelf: Shelf) -> Rehearsal:
    """Return the right way of a drill at its house."""
    rulebook = shelf.rulebook(drill.game)
    return rehearse(drill, rulebook, shelf.house(drill.settings.house or rulebook.document.house))


def _game(game: str, lines: list[DrillLine], shelf: Shelf) -> DrilledGame:
    """A game with the posts of its drills, the lowest first."""
    document = shelf.rulebook(game).document
    held = {post for each in lines for post in each.posts}
    ladder = shelf.house(document.house).form.posts
    return DrilledGame(game, document.name, tuple(post for post in ladder if post in held))
