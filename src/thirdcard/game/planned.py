"""Plans for a table: a stop after the round, and other limits and decks from the next round on."""

import enum

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.game.table_setup import PostedLimit, Setup


class Stop(enum.Enum):
    """A way in which play stops after a round."""

    PAUSE = "pause"
    CLOSE = "close"


class PlannedStop(Struct, frozen=True):
    """A stop after the round under way, who planned it, and why."""

    stop: Stop
    by: str
    reason: str


class TableChange(Struct, frozen=True):
    """The part of a set-up that can change at an open table: limits, and the decks of the next shoe."""

    limits: tuple[PostedLimit, ...]
    differential: int
    decks: int


def change_of(setup: Setup) -> TableChange:
    """The part of a set-up that can change at an open table."""
    return TableChange(setup.limits, setup.differential, setup.decks)


def changed(setup: Setup, change: TableChange) -> Setup:
    """A set-up with other limits and decks."""
    return replace(setup, limits=change.limits, differential=change.differential, decks=change.decks)


def changes_while_open(before: Setup, after: Setup) -> bool:
    """Whether an open table can become this one; it is set up anew for anything else."""
    return changed(before, change_of(after)) == after
