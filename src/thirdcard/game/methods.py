"""The methods of dealing that a document has"""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.state import Table
from thirdcard.game.table_setup import Device, Setup
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import Area, Method
from thirdcard.rulebook.procedure import Grant, MethodOfDealing


def refuse_method(document: Document, setup: Setup, method: Method | None) -> Refused | None:
    """Refuse a method that the document does not have or that does not suit the table."""
    if method is None:
        return None
    found = find_method(document, method)
    if found is None:
        return refuse(Refusal.METHOD_NOT_OFFERED, method=method.value)
    return suits(document, found, setup.area, setup.device)


def find_method(document: Document, method: Method) -> MethodOfDealing | None:
    """A method of dealing as the document has it."""
    for each in document.methods.method if document.methods else ():
        if each.id is method:
            return each
    return None


def suits(document: Document, method: MethodOfDealing, area: Area, device: Device) -> Refused | None:
    """Why a method cannot be used at a table of this area with this device."""
    if area not in method.areas:
        rooms = document.authority.high_limit_area
        clauses = (method.chosen_by.clause, *((rooms.clause,) if rooms else ()))
        return refuse(Refusal.METHOD_NOT_IN_THIS_AREA, *clauses, method=method.id.value)
    if method.device == "card-reading" and device is not Device.CARD_READING:
        return refuse(Refusal.DEVICE_NOT_SUITABLE, method.drawn_clause, needed=Device.CARD_READING.value)
    return None


def allowing_method(document: Document, table: Table) -> Grant | None:
    """Return the post that must allow patrons to draw for money before the table opens."""
    real = table.method is Method.C and not table.setup.training
    method = find_method(document, Method.C) if real else None
    return method.chosen_by if method else None


def change_method(desk: Desk, body: cmd.ChangeMethod) -> Refused | None:
    """Change the method of dealing between rounds, by the post that the method belongs to."""
    method = find_method(desk.document, body.method)
    if method is None or desk.document.methods is None:
        return refuse(Refusal.METHOD_NOT_OFFERED, method=body.method.value)
    by = desk.authority(method.chosen_by)
    if isinstance(by, Refused):
        return by
    refused = suits(desk.document, method, desk.table.setup.area, desk.table.setup.device)
    if refused:
        return refused
    area = desk.document.authority.high_limit_area
    room = (area.clause,) if area and body.method is Method.C else ()
    clauses = (*by, desk.document.methods.clause, *room)
    desk.emit(ev.MethodChanged(method=body.method, by=desk.actor, clauses=clauses))
    return None
