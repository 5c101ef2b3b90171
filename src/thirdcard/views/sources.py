"""The sources of everything that a table shows."""

from msgspec import Struct

from thirdcard.floor.state import Disabled
from thirdcard.folds.alerts import Alerts
from thirdcard.folds.history import History
from thirdcard.game.state import Table
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.staff import Acting


class Sources(Struct, frozen=True, kw_only=True):
    """A table with its books and folds; ``stopped`` is why its store takes nothing at present.

    ``acting`` are the appointments that are in force now, ``next_marks`` says whether the floor has these
    shown.
    """

    table: Table
    rulebook: Rulebook
    house: House
    history: History
    alerts: Alerts = ()
    disabled: Disabled | None = None
    stopped: str | None = None
    acting: tuple[Acting, ...] = ()
    next_marks: bool = False
