"""The drills that a server offers: which there are, and the right way of one that is begun."""

import functools

from thirdcard.rulebook.shelf import Shelf
from thirdcard.streams.opening import OpenedPlace
from thirdcard.training.drill import Drill
from thirdcard.training.packs import shipped_drills
from thirdcard.training.rehearsal import Rehearsal, rehearse
from thirdcard.wire.training import DrillLine


def list_drills(where: OpenedPlace) -> tuple[DrillLine, ...]:
    """Return a line for each drill; it takes seconds, since each is played once for the posts that it has."""
    return tuple(_line(each, where.shelf) for each in all_drills())


def find_drill(name: str, game: str) -> Drill | None:
    """Return a drill by its name and its game."""
    return next((each for each in all_drills() if (each.name, each.game) == (name, game)), None)


@functools.cache
def all_drills() -> tuple[Drill, ...]:
    """Return all drills."""
    return shipped_drills()


def rehearsal_of(drill: Drill, shelf: Shelf) -> Rehearsal:
    """Return the right way of a drill at its house."""
    rulebook = shelf.rulebook(drill.game)
    return rehearse(drill, rulebook, shelf.house(drill.settings.house or rulebook.document.house))


def _line(drill: Drill, shelf: Shelf) -> DrillLine:
    rehearsal = rehearsal_of(drill, shelf)
    return DrillLine(
        name=drill.name,
        pack=drill.name.rpartition("/")[0],
        title=drill.title,
        game=drill.game,
        game_name=rehearsal.rulebook.document.name,
        posts=rehearsal.posts(),
    )
