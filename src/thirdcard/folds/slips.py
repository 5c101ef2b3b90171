"""The slips of the chips and the cash of a table, as they print: those of the last two inventories.

By their times a drop box is overdue: one that nobody has counted by the end of its gaming day.
"""

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.floor.gaming_day import GamingDays
from thirdcard.folds.record_place import Recorded
from thirdcard.game import events as ev
from thirdcard.game.state import Table
from thirdcard.game.table_chips import Pieces
from thirdcard.rulebook.house import MoneyAct

KEPT_INVENTORIES = 2
_ACTS: dict[type[ev.ChipsEvent], MoneyAct] = {
    ev.OpenerCounted: MoneyAct.OPENER,
    ev.ChipsFilled: MoneyAct.FILL,
    ev.ChipsReturned: MoneyAct.CREDIT,
    ev.ChipsBought: MoneyAct.BUY_IN,
    ev.CloserCounted: MoneyAct.CLOSER,
    ev.DropCounted: MoneyAct.DROP_COUNT,
}


class Voiding(Struct, frozen=True):
    """The people who voided a slip, and their reason."""

    recorded: Recorded
    by: str
    second: str
    reason: str


class Slip(Struct, frozen=True, kw_only=True):
    """A slip: what was counted or moved, by whom, and for which inventory.

    A count is held against what was ``expected``. It was made ``during`` an inventory; the cash of one is
    counted later.
    """

    recorded: Recorded
    number: int
    act: MoneyAct
    inventory: int
    during: int
    amount: int
    count: tuple[Pieces, ...]
    expected: int | None
    patron: str | None
    reason: str
    by: str
    second: str | None
    voided: Voiding | None = None


class OverdueBox(Struct, frozen=True):
    """A drop box that nobody has counted in time: its inventory, and the end of its gaming day if known."""

    inventory: int
    since: int | None


Slips = tuple[Slip, ...]


def slips_after(slips: Slips, event: ev.ChipsEvent, table: Table, recorded: Recorded) -> Slips:
    """The slips after an event that made the table what it is."""
    if isinstance(event, ev.SlipVoided):
        voided = Voiding(recorded, event.by, event.second, event.reason)
        return tuple(replace(each, voided=voided) if each.number == event.slip else each for each in slips)
    now = table.chips.inventories
    slip = Slip(
        recorded=recorded,
        number=event.slip,
        act=_ACTS[type(event)],
        inventory=getattr(event, "inventory", now),
        during=now,
        amount=event.amount,
        count=getattr(event, "count", ()),
        expected=getattr(event, "expected", None),
        patron=getattr(event, "patron", None),
        reason=getattr(event, "reason", ""),
        by=event.by,
        second=event.second,
    )
    return (*(each for each in slips if each.during > now - KEPT_INVENTORIES), slip)


def overdue_boxes(table: Table, slips: Slips, days: GamingDays, now: int) -> tuple[OverdueBox, ...]:
    """Return the drop boxes that nobody has counted although their gaming day has ended.

    It is that of the closer; of an inventory that is still open, that of the opener, so that no box goes
    uncounted because nobody counts a closer. Where the slip is no longer kept, the day is over as well.
    """
    closers, openers = (
        {each.inventory: each.recorded.wall_time for each in slips if each.act is act}
        for act in (MoneyAct.CLOSER, MoneyAct.OPENER)
    )
    waiting = [(each.inventory, closers.get(each.inventory)) for each in table.chips.boxes]
    if table.chips.open is not None:
        waiting.append((table.chips.open.number, openers.get(table.chips.open.number)))
    ends = [(inventory, at and days.day(days.date_of(at)).ends) for inventory, at in waiting]
    return tuple(OverdueBox(inventory, end) for inventory, end in ends if end is None or end <= now)
