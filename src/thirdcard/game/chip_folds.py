"""The table after chips or cash were counted or moved: what must lie in its tray and in its drop box."""

from collections.abc import Iterable

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.state import SettledWager, Table
from thirdcard.game.table_chips import ChipSlip, DropBox, Inventory, TableChips
from thirdcard.rulebook.house import MoneyAct

# the events by which chips come to the tray, or leave it, beside the slips
MOVES_CHIPS: frozenset[type[ev.Event]] = frozenset(
    (
        ev.RoundSettled,
        ev.SettlementReversed,
        ev.RoundVoided,
        ev.MoneyHeld,
        ev.HeldMoneyDecided,
        ev.ClaimBooked,
        ev.WrongPaymentFound,
        ev.PaymentCorrected,
    )
)
# whether a slip brings chips to the tray, or takes them from it
TO_TRAY = {MoneyAct.FILL: 1, MoneyAct.CREDIT: -1, MoneyAct.BUY_IN: -1}


def fold_chips(table: Table, event: ev.ChipsEvent) -> Table:
    """The table after a count, a slip, or a slip that was voided."""
    chips = table.chips
    if isinstance(event, ev.OpenerCounted):
        people = tuple(dict.fromkeys(each.person for each in table.staff))
        opened = Inventory(event.inventory, tray=event.amount, people=people)
        chips = replace(chips, inventories=event.inventory, open=opened)
    elif isinstance(event, ev.DropCounted):
        boxes = tuple(each for each in chips.boxes if each.inventory != event.inventory)
        chips = replace(chips, boxes=boxes)
    else:
        assert chips.open is not None
        chips = _moved(chips, chips.open, event)
    slips = chips.slips if isinstance(event, ev.SlipVoided) else event.slip
    return replace(table, chips=replace(chips, slips=slips))


def _moved(
    chips: TableChips,
    now: Inventory,
    event: ev.ChipsFilled | ev.ChipsReturned | ev.ChipsBought | ev.SlipVoided | ev.CloserCounted,
) -> TableChips:
    """The chips of a table after a slip of its open inventory."""
    match event:
        case ev.ChipsFilled():
            slip = ChipSlip(event.slip, MoneyAct.FILL, event.amount)
        case ev.ChipsReturned():
            slip = ChipSlip(event.slip, MoneyAct.CREDIT, event.amount)
        case ev.ChipsBought():
            slip = ChipSlip(event.slip, MoneyAct.BUY_IN, event.amount, event.patron)
        case ev.SlipVoided():
            others = tuple(each for each in now.slips if each.number != event.slip)
            voided = ChipSlip(event.slip, event.act, -event.amount, event.patron)
            return replace(chips, open=replace(_by_slip(now, voided), slips=others))
        case _:
            box = DropBox(now.number, now.cash, now.people)
            return replace(chips, open=None, last_closer=event.amount, boxes=(*chips.boxes, box))
    return replace(chips, open=replace(_by_slip(now, slip), slips=(*now.slips, slip)))


def _by_slip(now: Inventory, slip: ChipSlip) -> Inventory:
    """The inventory when the chips of a slip have moved, and its cash."""
    cash = slip.amount if slip.act is MoneyAct.BUY_IN else 0
    return replace(now, tray=now.tray + TO_TRAY[slip.act] * slip.amount, cash=now.cash + cash)


def move_chips(table: Table, event: ev.Event) -> Table:
    """The table with what wagers and payments bring to its tray, while an inventory is open."""
    now = table.chips.open
    if now is None:
        return table
    return replace(table, chips=replace(table.chips, open=replace(now, tray=now.tray + to_tray(event))))


def join_table(table: Table, person: str) -> Table:
    """The table with somebody more who was on duty while its inventory was open."""
    now = table.chips.open
    if now is None or person in now.people:
        return table
    return replace(table, chips=replace(table.chips, open=replace(now, people=(*now.people, person))))


def to_tray(event: ev.Event) -> int:
    """Return the chips that an event brings to the tray by wagers and payments; below zero it takes them."""
    match event:
        case ev.RoundSettled():
            return _kept(event.wagers)
        case ev.SettlementReversed():
            return -_kept(event.wagers)
        case ev.RoundVoided():
            return -_kept(event.reversed)
        case ev.MoneyHeld() if event.settled:
            return -_kept((event.settled,))
        case ev.HeldMoneyDecided() if event.settled:
            return _kept((event.settled,))
        case ev.WrongPaymentFound() | ev.ClaimBooked():
            return -event.amount
        case ev.PaymentCorrected():
            return event.amount
        case _:
            return 0


def _kept(wagers: Iterable[SettledWager]) -> int:
    """The chips of settled wagers that go to the tray, without those that come from it; held ones stay."""
    return sum(each.lying - each.back - each.paid for each in wagers if not each.held)
