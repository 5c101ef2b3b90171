"""Folds the events of disputes into a table."""

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.dispute_steps import AwardPayment, Complaint, Dispute, DisputeStep, Information
from thirdcard.game.handed import given_so_far
from thirdcard.game.state import Table


def fold_dispute(table: Table, event: ev.DisputeEvent) -> Table:
    """Return the table after an event of a dispute."""
    if isinstance(event, ev.DisputeOpened):
        opened = Dispute(
            event.id,
            event.patron,
            event.about,
            round=event.round,
            shoe=event.shoe,
            wager=event.wager,
            opened_by=event.by,
        )
        return replace(table, disputes=(*table.disputes, opened))
    changed = tuple(_after(each, event) if each.id == event.id else each for each in table.disputes)
    table = replace(table, disputes=changed)
    awards = isinstance(event, ev.DisputeDecided | ev.ComplaintAnswered) and event.award
    return _compare_from_now(table, event.id) if awards else table


def _compare_from_now(table: Table, number: int) -> Table:
    """The table that knows what the round of a dispute has given its patron when money is awarded."""
    known = (
        replace(each, given=given_so_far(table, each.round, each.patron), set_off=0)
        if each.id == number
        else each
        for each in table.disputes
    )
    return replace(table, disputes=tuple(known))


def _after(dispute: Dispute, event: ev.DisputeEvent) -> Dispute:  # noqa: PLR0911 - one case an event
    match event:
        case ev.DisputeEscalated():
            return _escalated(dispute, event)
        case ev.InformationGathered():
            piece = Information(event.what, event.given_by, event.by, event.source)
            return replace(dispute, information=(*dispute.information, piece))
        case ev.SurveillanceInformed():
            return replace(dispute, surveillance=True, surveillance_by=_people(event))
        case ev.TimeFrameGiven():
            said = event.time_frame or None
            return replace(dispute, time_frame=said, answer_by=event.until, no_time_frame=None)
        case ev.TimeFrameNotPossible():
            return replace(dispute, time_frame=None, answer_by=None, no_time_frame=event.why)
        case ev.DisputeDecided():
            return _decided(dispute, event)
        case ev.PatronAnswered():
            return replace(dispute, agrees=event.agrees, answer_entered_by=_people(event))
        case ev.InspectorInformed():
            return replace(dispute, inspector=True, inspector_by=_people(event))
        case ev.AwardPaid() | ev.AwardSetOff() | ev.ReceiptConfirmed():
            return _paid(dispute, event)
        case ev.ComplaintRightTold():
            by = (event.by,) if event.by else ()
            return replace(dispute, right_told=True, complain_until=event.until, right_told_by=by)
        case ev.ComplaintFiled() | ev.ComplaintReceived() | ev.ComplaintAnswered():
            return _complained(dispute, event)
        case _:
            return replace(dispute, step=DisputeStep.CLOSED)


def _people(event: ev.SurveillanceInformed | ev.InspectorInformed | ev.PatronAnswered) -> tuple[str, ...]:
    """Those of the staff who stand behind an event."""
    return tuple(each for each in (event.by, event.second) if each is not None)


def _escalated(dispute: Dispute, event: ev.DisputeEscalated) -> Dispute:
    """Let what the first level decided settle nothing any more; what it has paid stays paid."""
    return replace(
        dispute,
        step=DisputeStep.ESCALATED,
        escalated=True,
        escalated_by=event.by,
        earlier_decision=dispute.decision,
        decision=None,
        sources=(),
        unavailable=(),
        agrees=None,
        answer_entered_by=(),
        time_frame=None,
        answer_by=None,
        no_time_frame=None,
        right_told=False,
        complain_until=None,
        right_told_by=(),
        award=dispute.award - event.lapsed,
        set_off=0,
    )


def _decided(dispute: Dispute, event: ev.DisputeDecided) -> Dispute:
    return replace(
        dispute,
        step=DisputeStep.DECIDED,
        decision=event.decision,
        sources=event.sources,
        unavailable=event.unavailable,
        decided_by=event.by,
        decided_second=event.second,
        award=dispute.award + event.award - event.counted,
    )


def _paid(dispute: Dispute, event: ev.AwardPaid | ev.AwardSetOff | ev.ReceiptConfirmed) -> Dispute:
    if isinstance(event, ev.AwardSetOff):
        return replace(dispute, award=dispute.award - event.amount, set_off=dispute.set_off + event.amount)
    if isinstance(event, ev.ReceiptConfirmed):
        return replace(dispute, payments=tuple(replace(each, received=True) for each in dispute.payments))
    paid = AwardPayment(event.amount, event.way, event.to, event.how, event.by, event.second)
    return replace(dispute, payments=(*dispute.payments, paid))


def _complained(
    dispute: Dispute, event: ev.ComplaintFiled | ev.ComplaintReceived | ev.ComplaintAnswered
) -> Dispute:
    if isinstance(event, ev.ComplaintFiled):
        filed = Complaint(event.text, event.helper, event.late, filed_by=event.by)
        return replace(dispute, complaint=filed)
    assert dispute.complaint is not None
    if isinstance(event, ev.ComplaintReceived):
        return replace(dispute, complaint=replace(dispute.complaint, received_by=event.by))
    answered = replace(
        dispute.complaint, answer=event.answer, answered_by=event.by, answered_second=event.second
    )
    more = event.award - event.lapsed - event.counted
    return replace(dispute, complaint=answered, award=dispute.award + more)
