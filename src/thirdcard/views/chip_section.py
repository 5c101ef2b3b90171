"""The section about the chips and the cash of a live table."""

from thirdcard.folds.slips import Slip, Slips
from thirdcard.game.chips import keeps_chips
from thirdcard.game.desk import QueryDesk
from thirdcard.game.state import Table
from thirdcard.money import parse_amount
from thirdcard.rulebook.house import MAY_BE_LARGE, House, MoneyAct
from thirdcard.views.next_actions import Due
from thirdcard.views.sections.chips import BoxShown, ChipControl, ChipsSection, InventoryShown
from thirdcard.views.sources import Sources


def chips_section(sources: Sources, _: Due) -> ChipsSection:
    """Return what was counted and moved, and what must lie in the tray and in the drop boxes."""
    table, house, slips = sources.table, sources.house, sources.slips
    if not keeps_chips(QueryDesk(sources.rulebook, house, table)):
        return ChipsSection()
    openers = [each for each in slips if each.act is MoneyAct.OPENER]
    return ChipsSection(
        values=tuple(sorted(house.chip_values, reverse=True)),
        notes=tuple(sorted(house.note_values, reverse=True)),
        asks_opener=table.chips.open is None,
        controls=tuple(_control(house, act) for act in MoneyAct if act in MAY_BE_LARGE),
        inventories=tuple(_inventory(table, slips, opener) for opener in reversed(openers)),
        slips=tuple(reversed(slips)),
        boxes=tuple(BoxShown(each.inventory, each.cash) for each in table.chips.boxes),
        overdue=sources.overdue,
    )


def _control(house: House, act: MoneyAct) -> ChipControl:
    control = house.control(act)
    large = parse_amount(control.large, house.currency) if control.large else None
    return ChipControl(act, control.post, large, control.large_post)


def _inventory(table: Table, slips: Slips, opener: Slip) -> InventoryShown:
    """An inventory by its slips; one that is closed has its tray, as it must be, on the closer."""
    own = [each for each in slips if each.inventory == opener.inventory and each.voided is None]
    fills, returns, cash = (
        sum(each.amount for each in own if each.act is act)
        for act in (MoneyAct.FILL, MoneyAct.CREDIT, MoneyAct.BUY_IN)
    )
    closer = next((each for each in own if each.act is MoneyAct.CLOSER), None)
    drop = next((each.amount for each in own if each.act is MoneyAct.DROP_COUNT), None)
    now = table.chips.open
    tray = (closer.expected or 0) if closer else (now.tray if now else 0)
    by_wagers = tray + returns + cash - opener.amount - fills
    counted = cash if drop is None else drop
    win = closer.amount + returns + counted - opener.amount - fills if closer else None
    return InventoryShown(
        number=opener.inventory,
        opener=opener.amount,
        fills=fills,
        returns=returns,
        cash=cash,
        tray=tray,
        by_wagers=by_wagers,
        closer=closer.amount if closer else None,
        drop=drop,
        win=win,
        difference=None if win is None else win - by_wagers,
    )
