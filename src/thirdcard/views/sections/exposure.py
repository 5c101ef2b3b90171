"""The most that the house stands to lose at a table, as staff see it."""

from msgspec import Struct

from thirdcard.rulebook.facts import Winner


class ExposedWager(Struct, frozen=True):
    """All wagers of a kind, and what the house loses on them; below zero it wins."""

    wager: str
    loses: int


class ExposureLine(Struct, frozen=True):
    """The worst ending with a winner: what the house loses in all and by wager; below zero it wins."""

    winner: Winner
    loses: int
    wagers: tuple[ExposedWager, ...]


class ExposureSection(Struct, frozen=True):
    """The most that the house stands to lose by the wagers that lie there, for each winner that can come.

    ``worst`` is the highest of these; where no wagers lie there is nothing.
    """

    lines: tuple[ExposureLine, ...] = ()
    worst: ExposureLine | None = None
