"""The sources of everything that a table shows."""

from msgspec import Struct

from thirdcard.floor.state import Disabled
from thirdcard.floor.table_rules import ComingRulebook, PendingChange
from thirdcard.folds.alerts import Alerts
from thirdcard.folds.history import History
from thirdcard.folds.slips import OverdueBox, Slips
from thirdcard.game.state import Table
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.staff import Acting


class Sources(Struct, frozen=True, kw_only=True):
    """A table with its books and folds; ``stopped`` is why its store takes nothing at present.

    ``acting`` are the appointments that are in force now, ``pending`` what was approved and has not taken
    effect, ``coming`` the next version of the rulebook. The table stands where it does since
    ``stands_since``. The drop boxes in ``overdue`` were not counted in time. ``next_marks`` says whether the
    floor has these shown, and ``dealt_by_itself`` whether no person deals there.
    """

    table: Table
    rulebook: Rulebook
    house: House
    history: History
    alerts: Alerts = ()
    slips: Slips = ()
    overdue: tuple[OverdueBox, ...] = ()
    disabled: Disabled | None = None
    stopped: str | None = None
    acting: tuple[Acting, ...] = ()
    pending: PendingChange | None = None
    coming: ComingRulebook | None = None
    stands_since: int = 0
    next_marks: bool = False
    dealt_by_itself: bool = False
