"""The slips of the chips and the cash of a table, as they print: those of the last two inventories."""

from msgspec import Struct
from msgspec.structs import replace

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
