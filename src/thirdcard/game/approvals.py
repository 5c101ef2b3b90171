"""The regulator's confirmation of a document whose approval names another game."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.refusals import Refusal, Refused, refuse


def refuse_unconfirmed(desk: QueryDesk) -> Refused | None:
    """Refuse to open a real table while no confirmation of a mismatched approval is on record for it."""
    document, table = desk.document, desk.table
    if document.names_another_game is None or table.setup.training or table.confirmation is not None:
        return None
    clauses = (document.approval,) if document.approval else ()
    return refuse(
        Refusal.APPROVAL_NOT_CONFIRMED, *clauses, named=document.names_another_game, game=document.name
    )


def record_confirmation(desk: Desk, body: cmd.RecordConfirmation) -> Refused | None:
    """Record what the regulator has confirmed, by the post for what no rule covers and a second person."""
    document = desk.document
    clauses = (document.approval,) if document.approval else ()
    if document.names_another_game is None:
        return refuse(Refusal.NOTHING_TO_CONFIRM, *clauses)
    refused = desk.house_authority(desk.house.form.not_covered_decided_by) or desk.two_people()
    if refused:
        return refused
    second = desk.envelope.authoriser
    assert second is not None
    if not body.reference.strip() or body.date > desk.envelope.received_at.date():
        return refuse(Refusal.CONFIRMATION_INCOMPLETE, *clauses)
    confirmed = ev.ApprovalConfirmed(
        reference=body.reference.strip(), date=body.date, by=desk.actor, second=second, clauses=clauses
    )
    desk.emit(confirmed)
    return None
