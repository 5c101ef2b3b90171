"""The dealing device: which patron controls it, and the result that it shows."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.dealing import may_keep_drawing, refuse_without_wager
from thirdcard.game.desk import Desk
from thirdcard.game.methods import find_method
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Method


def control_device(desk: Desk, body: cmd.TakeDevice | cmd.GiveUpDevice | cmd.PermitDrawing) -> Refused | None:
    """Take the device, give it up, or permit drawing without a wager.

    A patron may give it up at any time; in the middle of a deal another one takes it and draws on.
    """
    methods, method = desk.document.methods, find_method(desk.document, Method.C)
    if methods is None or method is None or desk.table.method is not Method.C:
        return refuse(Refusal.METHOD_NOT_OFFERED, method=Method.C.value)
    control = methods.control
    if not isinstance(body, cmd.GiveUpDevice) and not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, control.without_wager.clause, patron=body.patron)
    match body:
        case cmd.PermitDrawing():
            by = desk.authority(control.without_wager)
            if isinstance(by, Refused):
                return by
            desk.emit(ev.DrawingPermitted(patron=body.patron, by=desk.actor, clauses=by))
        case cmd.TakeDevice():
            holder = desk.table.device_holder
            if holder is not None and may_keep_drawing(desk, holder) is None:
                return refuse(Refusal.NOT_THE_DRAWER, control.kept)
            refused = refuse_without_wager(desk, body.patron)
            if refused:
                return refused
            if holder is not None:
                desk.emit(ev.DeviceReleased(patron=holder, clauses=(control.without_wager.clause,)))
            desk.emit(ev.DeviceTaken(patron=body.patron, clauses=(control.kept, method.drawn_clause)))
        case _:
            if desk.table.device_holder != body.patron:
                return refuse(Refusal.NOT_THE_DRAWER, control.given_up)
            desk.emit(ev.DeviceReleased(patron=body.patron, clauses=(control.kept, control.given_up)))
    return None


def compare_result(desk: Desk, body: cmd.ReportDeviceResult) -> Refused | None:
    """Compare the device's own result with the cards; a difference is an alert, and the cards decide.

    Where the table calls by itself the round is over by the time that the device shows its result.
    """
    facts = desk.table.round.facts if desk.table.round else None
    if facts is None:
        return refuse(Refusal.NOT_AWAITED)
    if body.winner is not facts.winner:
        items = desk.document.equipment
        prevail = desk.document.display.cards_prevail
        clauses = tuple(item.clause for item in items if item.id == "card-reading-shoe")
        clauses += (prevail,) if prevail else ()
        desk.emit(ev.DeviceMismatch(device=body.winner, cards=facts.winner, clauses=clauses))
    return None
