"""Chips and cash of a live table: opener, fills, returns, cash for chips, closer, and the count of the drop.

No clause speaks of them, so that each rests on a procedure of the house, and two people stand for it.
"""

from collections import Counter

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.controls import moved_unseen, refuse_alone, refuse_two, refuse_without_reason
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.settlement import refuse_too_fine
from thirdcard.game.table_chips import Inventory, Pieces, sum_of
from thirdcard.money import MOST_AMOUNT, format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import BUY_IN, CLOSER, CREDIT, DROP_COUNT, FILL, OPENER, MoneyAct

Count = tuple[Pieces, ...]


def keeps_chips(desk: QueryDesk) -> bool:
    """Whether chips are counted here: at a live table of a house that lists its chips."""
    return desk.house.form.chips is not None and not desk.table.setup.terminal


def is_opener_owed(desk: QueryDesk) -> bool:
    """Whether no wagers are called for before the opener is counted, because the house says so."""
    form, setup = desk.house.form.chips, desk.table.setup
    required = form is not None and form.opener == "required" and not setup.training
    return required and keeps_chips(desk) and desk.table.chips.open is None


def refuse_without_opener(desk: QueryDesk) -> Refused | None:
    """Refuse to call for wagers where the opener is owed."""
    return refuse(Refusal.OPENER_NEEDED) if is_opener_owed(desk) else None


def decide_chips(desk: Desk, body: cmd.ChipsCommand) -> Refused | None:
    """Count, move or sell chips of the table, or count its drop."""
    if not keeps_chips(desk):
        return refuse(Refusal.CHIPS_NOT_HERE)
    if isinstance(body, cmd.CountDrop):
        return _count_drop(desk, body)
    if isinstance(body, cmd.CountOpener):
        return _count_opener(desk, body)
    now = desk.table.chips.open
    if now is None:
        return refuse(Refusal.OPENER_NEEDED)
    match body:
        case cmd.FillChips() | cmd.ReturnChips():
            return _move_chips(desk, body)
        case cmd.BuyChips():
            return _buy_chips(desk, body)
        case cmd.VoidSlip():
            return _void_slip(desk, now, body)
        case _:
            return _count_closer(desk, now, body)


def _count_opener(desk: Desk, body: cmd.CountOpener) -> Refused | None:
    chips = desk.table.chips
    if chips.open is not None:
        return refuse(Refusal.OPENER_IS_COUNTED)
    count = _in_order(desk, body.count, desk.house.chip_values)
    if isinstance(count, Refused):
        return count
    refused = refuse_two(desk, MoneyAct.OPENER, sum_of(count))
    if refused is None:
        opened = ev.OpenerCounted(
            inventory=chips.inventories + 1,
            slip=_next_slip(desk),
            count=count,
            amount=sum_of(count),
            expected=chips.last_closer,
            by=desk.actor,
            second=_second(desk),
            procedure=OPENER,
            clauses=(),
        )
        desk.emit(opened)
    return refused


def _move_chips(desk: Desk, body: cmd.FillChips | cmd.ReturnChips) -> Refused | None:
    """Bring chips from the cage, or send them back.

    What nobody else has acknowledged counts with it: a large amount is one in parts as well.
    """
    count = _in_order(desk, body.count, desk.house.chip_values)
    if isinstance(count, Refused):
        return count
    fills = isinstance(body, cmd.FillChips)
    if not count:
        return refuse(Refusal.NOTHING_COUNTED)
    act = MoneyAct.FILL if fills else MoneyAct.CREDIT
    refused = refuse_two(desk, act, moved_unseen(desk.table, act) + sum_of(count))
    if refused is None:
        kind = ev.ChipsFilled if fills else ev.ChipsReturned
        moved = kind(
            slip=_next_slip(desk),
            count=count,
            amount=sum_of(count),
            by=desk.actor,
            second=_second(desk),
            procedure=FILL if fills else CREDIT,
            clauses=(),
        )
        desk.emit(moved)
    return refused


def _buy_chips(desk: Desk, body: cmd.BuyChips) -> Refused | None:
    """Sell chips for cash; who counts it acts alone up to what the house says."""
    if body.amount <= 0:
        return refuse(Refusal.NOTHING_COUNTED)
    if body.amount > MOST_AMOUNT:
        return _refuse_too_high(desk)
    if not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)
    refused = (
        refuse_too_fine(desk.house, body.amount)
        or desk.refuse_other_than_staff()
        or refuse_without_reason(desk, MoneyAct.BUY_IN, body.reason)
        or refuse_alone(desk, MoneyAct.BUY_IN, body.amount)
    )
    if refused is None:
        bought = ev.ChipsBought(
            slip=_next_slip(desk),
            patron=body.patron,
            amount=body.amount,
            by=desk.actor,
            second=desk.envelope.authoriser,
            reason=body.reason,
            procedure=BUY_IN,
            clauses=(),
        )
        desk.emit(bought)
    return refused


def _void_slip(desk: Desk, now: Inventory, body: cmd.VoidSlip) -> Refused | None:
    """Void a slip of the open inventory, by two people who could have made it."""
    slip = next((each for each in now.slips if each.number == body.slip), None)
    if slip is None:
        return refuse(Refusal.NO_SUCH_SLIP, slip=body.slip)
    refused = refuse_two(desk, slip.act, slip.amount)
    if refused is None:
        voided = ev.SlipVoided(
            slip=slip.number,
            act=slip.act,
            amount=slip.amount,
            patron=slip.patron,
            reason=body.reason,
            by=desk.actor,
            second=_second(desk),
            procedure=slip.act.value,
            clauses=(),
        )
        desk.emit(voided)
    return refused


def _count_closer(desk: Desk, now: Inventory, body: cmd.CountCloser) -> Refused | None:
    """Close the inventory; what must lie there is told beside what was counted, whatever the difference."""
    if desk.table.wagers:
        return refuse(Refusal.WAGERS_LIE)
    count = _in_order(desk, body.count, desk.house.chip_values)
    if isinstance(count, Refused):
        return count
    refused = refuse_two(desk, MoneyAct.CLOSER, sum_of(count))
    if refused is None:
        closed = ev.CloserCounted(
            inventory=now.number,
            slip=_next_slip(desk),
            count=count,
            amount=sum_of(count),
            expected=now.tray,
            by=desk.actor,
            second=_second(desk),
            procedure=CLOSER,
            clauses=(),
        )
        desk.emit(closed)
    return refused


def _count_drop(desk: Desk, body: cmd.CountDrop) -> Refused | None:
    """Count the cash of a drop box: by two people who were not on duty at the table while it filled.

    Who may is for the floor to say, which knows the posts of people who are not on duty here.
    """
    box = next((each for each in desk.table.chips.boxes if each.inventory == body.inventory), None)
    if box is None:
        return refuse(Refusal.NO_BOX_TO_COUNT, inventory=body.inventory)
    count = _in_order(desk, body.count, desk.house.note_values)
    if isinstance(count, Refused):
        return count
    second = desk.envelope.authoriser
    if second is None:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    of_table = next((each for each in (desk.actor, second) if each in box.people), None)
    if of_table is not None:
        return refuse(Refusal.WORKED_AT_TABLE, person=of_table)
    counted = ev.DropCounted(
        inventory=box.inventory,
        slip=_next_slip(desk),
        count=count,
        amount=sum_of(count),
        expected=box.cash,
        by=desk.actor,
        second=second,
        procedure=DROP_COUNT,
        clauses=(),
    )
    desk.emit(counted)
    return None


def _in_order(desk: Desk, count: Count, values: tuple[int, ...]) -> Count | Refused:
    """Return what was counted from the highest value down, each value once; only values that there are.

    No sum is higher than every reader of numbers keeps whole.
    """
    for each in count:
        if each.value not in values:
            known = ", ".join(format_amount(value, desk.house.currency) for value in sorted(values))
            value = format_amount(each.value, desk.house.currency)
            return refuse(Refusal.NO_SUCH_PIECE, value=value, values=known)
    if sum_of(count) > MOST_AMOUNT:
        return _refuse_too_high(desk)
    numbers: Counter[int] = Counter()
    for each in count:
        numbers[each.value] += each.number
    return tuple(Pieces(value, numbers[value]) for value in sorted(numbers, reverse=True))


def _refuse_too_high(desk: Desk) -> Refused:
    return refuse(Refusal.COUNT_TOO_HIGH, most=format_amount(MOST_AMOUNT, desk.house.currency))


def _next_slip(desk: Desk) -> int:
    return desk.table.chips.slips + 1


def _second(desk: Desk) -> str:
    """The second person, whom the controls have asked for."""
    assert desk.envelope.authoriser is not None
    return desk.envelope.authoriser
