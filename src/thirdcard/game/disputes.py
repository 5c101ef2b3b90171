"""Disputes: from the table to a decision on cited sources, and to a complaint."""

from collections.abc import Callable

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.dispute_steps import Dispute, DisputeStep
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import DISPUTE_AWARD
from thirdcard.rulebook.procedure import Dispute as Procedure
from thirdcard.rulebook.procedure import Grant


def open_dispute(desk: Desk, body: cmd.OpenDispute) -> Refused | None:
    """A patron disputes something; staff at the table take it first."""
    rule = desk.document.dispute
    clauses = (rule.first_level[0].clause,) if rule else ()
    number = len(desk.table.disputes) + 1
    desk.emit(ev.DisputeOpened(id=number, patron=body.patron, about=body.about, clauses=clauses))
    return None


def find(desk: QueryDesk, number: int) -> Dispute | Refused:
    """A dispute that is not closed."""
    for each in desk.table.disputes:
        if each.id == number and each.step is not DisputeStep.CLOSED:
            return each
    return refuse(Refusal.NO_SUCH_DISPUTE, dispute=number)


def escalate(desk: Desk, body: cmd.EscalateDispute) -> Refused | None:
    """What the first level cannot resolve goes to the next."""
    found = find(desk, body.id)
    if isinstance(found, Refused):
        return found
    rule = desk.document.dispute
    if rule is None:
        refused = None if desk.is_staff(desk.actor) else refuse(Refusal.NOT_STAFF)
        clauses: tuple[Clause, ...] = ()
    else:
        rights = [desk.authority(Grant(g.post, g.clause, or_above=True)) for g in rule.first_level]
        allowed = [right for right in rights if not isinstance(right, Refused)]
        refused = None if allowed else next(right for right in rights if isinstance(right, Refused))
        clauses = (rule.escalates_to.clause,)
    if refused:
        return refused
    if found.step is not DisputeStep.OPEN:
        return refuse(Refusal.NOT_AWAITED, *clauses)
    desk.emit(ev.DisputeEscalated(id=body.id, by=desk.actor, clauses=clauses))
    return None


Step = Callable[[Dispute, Procedure | None], ev.Event | Refused]


def _in_charge(desk: Desk, number: int, step: Step) -> Refused | None:
    """Take a step that belongs to the post in charge of a dispute, once it has come to that post."""
    found = find(desk, number)
    if isinstance(found, Refused):
        return found
    rule = desk.document.dispute
    if rule is None:
        refused = desk.house_authority(desk.house.form.facts_confirmed_by)
    elif found.step is DisputeStep.OPEN:
        refused = refuse(Refusal.NOT_AWAITED, rule.escalates_to.clause)
    else:
        by = desk.authority(rule.gathers_facts)
        refused = by if isinstance(by, Refused) else None
    if refused:
        return refused
    taken = step(found, rule)
    if isinstance(taken, Refused):
        return taken
    desk.emit(taken)
    return None


def inform_surveillance(desk: Desk, body: cmd.InformSurveillance) -> Refused | None:
    """Surveillance is told of the dispute."""

    def inform(_: Dispute, rule: Procedure | None) -> ev.Event:
        clauses = (rule.surveillance_informed,) if rule else ()
        return ev.SurveillanceInformed(id=body.id, by=desk.actor, clauses=clauses)

    return _in_charge(desk, body.id, inform)


def give_time_frame(desk: Desk, body: cmd.GiveTimeFrame) -> Refused | None:
    """The patron is told by when to expect an answer."""

    def promise(_: Dispute, rule: Procedure | None) -> ev.Event:
        clauses = (rule.time_frame,) if rule else ()
        return ev.TimeFrameGiven(id=body.id, time_frame=body.time_frame, clauses=clauses)

    return _in_charge(desk, body.id, promise)


def decide_dispute(desk: Desk, body: cmd.DecideDispute) -> Refused | None:
    """A decision is made once, and rests on at least one source that the document knows."""

    def decide(dispute: Dispute, rule: Procedure | None) -> ev.Event | Refused:
        clause = (rule.sources_cited,) if rule else ()
        if not body.sources:
            return refuse(Refusal.NO_SOURCE_CITED, *clause)
        known = {source.id: source.clause for source in rule.source} if rule else {}
        unknown = [source for source in body.sources if rule and source not in known]
        if unknown:
            return refuse(Refusal.UNKNOWN_SOURCE, *clause, source=unknown[0], sources=", ".join(known))
        if body.award < 0:
            return refuse(Refusal.STAKE_NOT_POSITIVE, *clause, stake=str(body.award), wager="award")
        if dispute.decision is not None:
            return refuse(Refusal.NOT_AWAITED, *clause)
        refused = desk.two_people() if body.award and rule is None else None
        if refused:  # no clause names who gives money away
            return refused
        return ev.DisputeDecided(
            id=body.id,
            decision=body.decision,
            sources=body.sources,
            award=body.award,
            by=desk.actor,
            procedure=DISPUTE_AWARD if body.award else None,
            clauses=(*clause, *(known[source] for source in body.sources if source in known)),
        )

    return _in_charge(desk, body.id, decide)


def answer_decision(desk: Desk, body: cmd.AnswerDecision) -> Refused | None:
    """The patron agrees with the decision or does not; staff name who agreed, since a right hangs on it."""
    found = find(desk, body.id)
    if isinstance(found, Refused):
        return found
    if found.step is not DisputeStep.DECIDED:
        return refuse(Refusal.NOT_AWAITED)
    if body.agrees and found.patron not in (desk.actor, body.confirmed_by):
        return refuse(Refusal.NOT_YOURS, patron=found.patron)
    desk.emit(ev.PatronAnswered(id=body.id, agrees=body.agrees))
    return None


def tell_right(desk: Desk, body: cmd.TellComplaintRight) -> Refused | None:
    """The patron is told of the right to complain."""

    def tell(_: Dispute, rule: Procedure | None) -> ev.Event:
        return ev.ComplaintRightTold(id=body.id, clauses=(rule.complaint_right,) if rule else ())

    return _in_charge(desk, body.id, tell)


def file_complaint(desk: Desk, body: cmd.FileComplaint) -> Refused | None:
    """A formal complaint is filed, with somebody's help."""
    found = find(desk, body.id)
    if isinstance(found, Refused):
        return found
    rule = desk.document.dispute
    clauses = (rule.complaint_help,) if rule else ()
    filed = ev.ComplaintFiled(id=body.id, text=body.text, helper=body.helper, clauses=clauses)
    desk.emit(filed)
    return None


def close_dispute(desk: Desk, body: cmd.CloseDispute) -> Refused | None:
    """Close a dispute: surveillance told, a source cited and, on disagreement, the right explained."""

    def close(dispute: Dispute, rule: Procedure | None) -> ev.Event | Refused:
        if not dispute.surveillance:
            return refuse(Refusal.SURVEILLANCE_NOT_INFORMED, *((rule.surveillance_informed,) if rule else ()))
        if not dispute.sources:
            return refuse(Refusal.NO_SOURCE_CITED, *((rule.sources_cited,) if rule else ()))
        if not dispute.agrees and not dispute.right_told:
            return refuse(Refusal.COMPLAINT_RIGHT_NOT_TOLD, *((rule.complaint_right,) if rule else ()))
        return ev.DisputeClosed(id=body.id)

    return _in_charge(desk, body.id, close)
