"""Disputes: decided with regard to every source, at the first level or after that; awards and complaints."""

import datetime

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here, refuse_stranger
from thirdcard.game.controls import refuse_alone
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.dispute_duties import is_left_to_escalate, left_out, without_evidence, wrongly_unavailable
from thirdcard.game.dispute_parties import (
    refuse_complaint,
    refuse_decider,
    refuse_opening,
    refuse_party,
    refuse_payee,
    refuse_recipient,
    refuse_word,
)
from thirdcard.game.dispute_steps import PAYEE, AwardWay, Dispute, DisputeStep
from thirdcard.game.settlement import refuse_too_fine
from thirdcard.game.state import Phase
from thirdcard.game.terminal_credits import about_credits
from thirdcard.game.texts import has_words
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.dispute_rules import DisputePower, DisputeRules, dispute_rules
from thirdcard.rulebook.house import DISPUTE_AWARD, MoneyAct
from thirdcard.rulebook.procedure import Grant

MINUTES_A_DAY = 24 * 60
LONGEST_TIME_FRAME = 90 * MINUTES_A_DAY


def rules_at(desk: QueryDesk) -> DisputeRules:
    """Return the procedure that holds at a table."""
    return dispute_rules(desk.document, desk.house.form)


def decide_step(desk: Desk, body: cmd.DisputeCommand) -> Refused | None:
    """Take a step of a dispute, or say why not."""
    if isinstance(body, cmd.OpenDispute):
        return _open(desk, body)
    rules = rules_at(desk)
    found = next((each for each in desk.table.disputes if each.id == body.id), None)
    if found is None:
        return refuse(Refusal.NO_SUCH_DISPUTE, dispute=body.id)
    if found.step is DisputeStep.CLOSED and not (isinstance(body, AFTER_CLOSING) or _names_payee(body)):
        return refuse(Refusal.NO_SUCH_DISPUTE, dispute=body.id)
    taken = _step(desk, body, found, rules)
    if isinstance(taken, Refused):
        return taken
    desk.emit(taken)
    return None


# the right to complain outlasts the closing, and so does an award that nobody has paid
AFTER_CLOSING = (
    cmd.PayAward,
    cmd.ConfirmReceipt,
    cmd.InformInspector,
    cmd.TellComplaintRight,
    cmd.FileComplaint,
    cmd.ReceiveComplaint,
    cmd.AnswerComplaint,
)
StepCommand = (
    cmd.EscalateDispute
    | cmd.GatherInformation
    | cmd.InformSurveillance
    | cmd.GiveTimeFrame
    | cmd.SayNoTimeFrame
    | cmd.DecideDispute
    | cmd.AnswerDecision
    | cmd.InformInspector
    | cmd.PayAward
    | cmd.ConfirmReceipt
    | cmd.TellComplaintRight
    | cmd.FileComplaint
    | cmd.ReceiveComplaint
    | cmd.AnswerComplaint
    | cmd.CloseDispute
)


def _step(  # noqa: C901, PLR0911, PLR0912 - one case a command
    desk: Desk, body: StepCommand, dispute: Dispute, rules: DisputeRules
) -> ev.Event | Refused:
    match body:
        case cmd.EscalateDispute():
            return _escalate(desk, dispute, rules)
        case cmd.GatherInformation():
            return _gather(desk, body, dispute, rules)
        case cmd.InformSurveillance():
            second, cited = desk.envelope.authoriser, rules.surveillance_told
            told = ev.SurveillanceInformed(id=body.id, by=desk.actor, second=second, clauses=cited)
            return _refuse_escalated(desk, dispute, rules) or told
        case cmd.GiveTimeFrame():
            return _refuse_level(desk, dispute, rules) or _time_frame(desk, body, rules)
        case cmd.SayNoTimeFrame():
            none = ev.TimeFrameNotPossible(id=body.id, why=body.why, by=desk.actor, clauses=rules.time_frame)
            return _refuse_level(desk, dispute, rules) or none
        case cmd.DecideDispute():
            return _decide(desk, body, dispute, rules)
        case cmd.AnswerDecision():
            return _answer(desk, body, dispute)
        case cmd.InformInspector():
            return _inform_inspector(desk, dispute, rules)
        case cmd.PayAward():
            return _pay(desk, body, dispute, rules)
        case cmd.ConfirmReceipt():
            return _confirm(desk, body, dispute)
        case cmd.TellComplaintRight():
            return _tell_right(desk, dispute, rules)
        case cmd.FileComplaint():
            return _complain(desk, body, dispute, rules)
        case cmd.ReceiveComplaint():
            return _receive(desk, dispute, rules)
        case cmd.AnswerComplaint():
            return _answer_complaint(desk, body, dispute, rules)
        case _:
            return _close(desk, dispute, rules)


def _open(desk: Desk, body: cmd.OpenDispute) -> Refused | None:
    """Open a dispute at any time, about a round of this table or about none; staff take it first."""
    refused = refuse_opening(desk, body.patron, rules_at(desk))
    if refused:
        return refused
    table = desk.table
    # where a round begins with its first card, the one for which wagers lie has its number to come
    coming = table.rounds + 1 if desk.round is None and table.phase in (Phase.BETTING, Phase.CLOSED) else 0
    if body.round != coming and not 0 <= body.round <= table.rounds:
        return refuse(Refusal.NO_SUCH_ROUND)
    if body.wager is not None and body.wager not in desk.rulebook.wagers:
        params = {"game": desk.rulebook.id, "wager": body.wager, "offered": ", ".join(desk.rulebook.wagers)}
        return refuse(Refusal.WAGER_NOT_OFFERED, *desk.rulebook.menu, **params)
    opened = ev.DisputeOpened(
        id=len(table.disputes) + 1,
        patron=body.patron,
        about=body.about,
        round=body.round,
        shoe=table.shoes if body.round > table.rounds else table.shoe_of(body.round),
        wager=body.wager,
        by=desk.actor,
        clauses=rules_at(desk).taken,
    )
    desk.emit(opened)
    return None


# who takes a step


def _has(desk: Desk, power: DisputePower) -> Refused | None:
    """Why somebody does not have a power; a higher post has it where the document or the house lets it."""
    if not power.clauses:
        return desk.house_authority(power.post)
    found = desk.authority(Grant(power.post, power.clauses[0], power.or_above))
    return found if isinstance(found, Refused) else None


def _has_any(desk: Desk, powers: tuple[DisputePower, ...]) -> Refused | None:
    refused = [_has(desk, power) for power in powers]
    return None if None in refused else refused[0]


def _refuse_level(desk: Desk, dispute: Dispute, rules: DisputeRules) -> Refused | None:
    """Why somebody has no say at the level at which a dispute is."""
    return _has(desk, rules.in_charge) if dispute.escalated else _has_any(desk, rules.first_level)


def _refuse_escalated(desk: Desk, dispute: Dispute, rules: DisputeRules) -> Refused | None:
    """Why a step is not taken that belongs to what was escalated."""
    if not dispute.escalated:
        return refuse(Refusal.NOT_AWAITED, *rules.escalated)
    return _has(desk, rules.in_charge)


# the steps


def _escalate(desk: Desk, dispute: Dispute, rules: DisputeRules) -> ev.Event | Refused:
    """Pass up what the first level cannot resolve; an award that it did not pay lapses with its decision.

    A decision that is not answered goes up once its patron has left or the time frame is over; two people
    let an award lapse with it.
    """
    upwards = tuple(DisputePower(each.post, each.clauses, or_above=True) for each in rules.first_level)
    refused = _has_any(desk, upwards)
    if refused:
        return refused
    unanswered = dispute.is_unanswered
    waits = unanswered and is_here(desk, dispute.patron) and not _is_time_over(desk, dispute)
    if dispute.escalated or dispute.agrees or waits:
        return refuse(Refusal.NOT_AWAITED, *rules.escalated)
    refused = desk.two_people() if unanswered and dispute.unpaid else None
    return refused or ev.DisputeEscalated(
        id=dispute.id,
        by=desk.actor,
        second=desk.envelope.authoriser,
        lapsed=dispute.unpaid,
        unanswered=unanswered,
        procedure=DISPUTE_AWARD if dispute.unpaid and not rules.escalated else None,
        clauses=rules.escalated,
    )


def _is_time_over(desk: Desk, dispute: Dispute) -> bool:
    """Whether the time frame that the patron was given has ended."""
    return dispute.answer_by is not None and desk.envelope.received_at > dispute.answer_by


def _gather(
    desk: Desk, body: cmd.GatherInformation, dispute: Dispute, rules: DisputeRules
) -> ev.Event | Refused:
    """Take down a piece of information until the dispute is decided; a patron names a payee at any time."""
    refused = _refuse_level(desk, dispute, rules)
    if refused:
        return refused
    if _names_payee(body):
        refused = refuse_payee(desk, dispute, body)
    elif dispute.decision is not None:
        refused = refuse(Refusal.NOT_AWAITED, *rules.gathered)
    else:
        refused = _unknown((body.source,) if body.source else (), rules)
    return refused or ev.InformationGathered(
        id=dispute.id,
        what=body.what,
        given_by=body.given_by,
        by=desk.actor,
        second=desk.envelope.authoriser,
        source=body.source,
        clauses=rules.gathered if dispute.escalated else rules.taken,
    )


def _names_payee(body: cmd.DisputeCommand) -> bool:
    """Whether a piece of information names who is to receive the award."""
    return isinstance(body, cmd.GatherInformation) and body.source == PAYEE


def _unknown(sources: tuple[str, ...], rules: DisputeRules) -> Refused | None:
    known = [each.id for each in rules.sources]
    for source in sources:
        if source not in known:
            return refuse(Refusal.UNKNOWN_SOURCE, *rules.regarded, source=source, sources=", ".join(known))
    return None


def _time_frame(desk: Desk, body: cmd.GiveTimeFrame, rules: DisputeRules) -> ev.Event | Refused:
    """Promise an answer by an instant that is to come."""
    if not 1 <= body.minutes <= LONGEST_TIME_FRAME:
        days = LONGEST_TIME_FRAME // MINUTES_A_DAY
        return refuse(Refusal.TIME_FRAME_OUT_OF_RANGE, *rules.time_frame, most=LONGEST_TIME_FRAME, days=days)
    until = desk.envelope.received_at + datetime.timedelta(minutes=body.minutes)
    return ev.TimeFrameGiven(id=body.id, until=until, by=desk.actor, clauses=rules.time_frame)


def _decide(desk: Desk, body: cmd.DecideDispute, dispute: Dispute, rules: DisputeRules) -> ev.Event | Refused:
    """Decide a dispute once at its level, with regard to every source."""
    refused = (
        _refuse_level(desk, dispute, rules)
        or refuse_decider(desk, dispute, rules)
        or _refuse_ground(body, dispute, rules)
        or _refuse_award(desk, dispute, body.award, rules)
    )
    if refused:
        return refused
    named = {*body.sources, *(each.source for each in body.unavailable)}
    cited = [clause for each in rules.sources if each.id in named for clause in each.clauses]
    return ev.DisputeDecided(
        id=dispute.id,
        decision=body.decision,
        sources=body.sources,
        unavailable=body.unavailable,
        award=body.award,
        counted=min(dispute.kept, body.award),
        by=desk.actor,
        second=desk.envelope.authoriser,
        procedure=DISPUTE_AWARD if body.award else None,
        clauses=(*(() if dispute.escalated else rules.taken), *rules.regarded, *cited),
    )


def _refuse_ground(body: cmd.DecideDispute, dispute: Dispute, rules: DisputeRules) -> Refused | None:
    """Why a dispute is not decided yet, or not on these sources."""
    if dispute.decision is not None:
        return refuse(Refusal.NOT_AWAITED, *rules.regarded)
    if dispute.escalated and rules.surveillance and not dispute.surveillance:
        return refuse(Refusal.SURVEILLANCE_NOT_INFORMED, *rules.surveillance_told)
    if dispute.escalated and not dispute.is_informed:
        return refuse(Refusal.NO_INFORMATION_GATHERED, *rules.gathered)
    unknown = _unknown((*body.sources, *(each.source for each in body.unavailable)), rules)
    if unknown:
        return unknown
    if not body.sources:
        return refuse(Refusal.NO_SOURCE_CITED, *rules.regarded)
    missing = left_out(rules, body.sources, body.unavailable)
    if missing:
        cited = (*rules.regarded, *missing.clauses)
        return refuse(Refusal.SOURCE_LEFT_OUT, *cited, source=f"@dispute.{missing.id}")
    there = wrongly_unavailable(rules, dispute, body.unavailable)
    if there:
        return refuse(Refusal.SOURCE_IS_THERE, *there.clauses, source=f"@dispute.{there.id}")
    empty = without_evidence(rules, dispute, body.sources)
    if empty:
        return refuse(Refusal.EVIDENCE_NOT_GATHERED, *empty.clauses, source=f"@dispute.{empty.id}")
    return None


def _refuse_award(desk: Desk, dispute: Dispute, award: int, rules: DisputeRules) -> Refused | None:
    """Why money is not awarded: to a stranger never, and by two people where no clause names the post."""
    if award < 0:
        return refuse(Refusal.STAKE_NOT_POSITIVE, *rules.regarded, stake=str(award), wager="award")
    by_two = None if rules.names_the_post else refuse_alone(desk, MoneyAct.AWARD, award)
    refused = by_two or refuse_stranger(desk, dispute.patron) or refuse_too_fine(desk.house, award)
    return refused if award else None


def _answer(desk: Desk, body: cmd.AnswerDecision, dispute: Dispute) -> ev.Event | Refused:
    """Take the patron's answer, or one that staff enter for a patron who has not answered in person."""
    if dispute.step is not DisputeStep.DECIDED:
        return refuse(Refusal.NOT_AWAITED)
    if desk.actor == dispute.patron:
        same = dispute.is_answered_by_patron and dispute.agrees is body.agrees
        return refuse(Refusal.NOT_AWAITED) if same else ev.PatronAnswered(id=dispute.id, agrees=body.agrees)
    return _refuse_entry(desk, body, dispute) or ev.PatronAnswered(
        id=dispute.id, agrees=body.agrees, by=desk.actor, second=desk.envelope.authoriser
    )


def _refuse_entry(desk: Desk, body: cmd.AnswerDecision, dispute: Dispute) -> Refused | None:
    """Why staff do not enter an answer: the patron's own stands, and two people stand for what costs money.

    By a no an award lapses that was not paid; an answer that was entered before is corrected.
    """
    refused = refuse_word(desk, dispute, body.confirmed_by)
    if refused:
        return refused
    if dispute.is_answered_by_patron:
        return refuse(Refusal.PATRON_HAS_ANSWERED, patron=dispute.patron)
    if dispute.agrees is body.agrees:
        return refuse(Refusal.NOT_AWAITED)
    lapses = not body.agrees and dispute.unpaid
    return desk.two_people() if lapses or dispute.agrees is not None else None


def _inform_inspector(desk: Desk, dispute: Dispute, rules: DisputeRules) -> ev.Event | Refused:
    """Tell the inspector what stays unresolved, where statute asks for it."""
    if not rules.inspector:
        return refuse(Refusal.NOT_AWAITED)
    refused = _refuse_escalated(desk, dispute, rules)
    second = desk.envelope.authoriser
    return refused or ev.InspectorInformed(id=dispute.id, by=desk.actor, second=second)


def _pay(desk: Desk, body: cmd.PayAward, dispute: Dispute, rules: DisputeRules) -> ev.Event | Refused:
    """Pay the whole award that is open, by two people, one of them in the post that the house names.

    What the patron does not accept is escalated first. Whoever decided does not pay alone what one may pay.
    """
    own = desk.envelope.authoriser is None and desk.actor in dispute.settled_by
    alone = desk.two_people() if own else refuse_alone(desk, MoneyAct.AWARD_PAYMENT, dispute.unpaid)
    refused = desk.refuse_other_than_staff() or alone or _has(desk, rules.awards_paid_by)
    if refused:
        return refused
    if dispute.unpaid <= 0:
        return refuse(Refusal.NOT_AWAITED)
    if dispute.is_refused:
        return refuse(Refusal.NOT_RESOLVED, *rules.taken)
    to_credits = body.way is AwardWay.CREDITS
    if to_credits and not desk.table.setup.terminal:
        return refuse(Refusal.CREDITS_NOT_HERE)
    if to_credits and not is_here(desk, dispute.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=dispute.patron)
    if not to_credits and not (has_words(body.to) and has_words(body.how)):
        return refuse(Refusal.PAYOUT_NOT_NAMED)
    refused = None if to_credits else refuse_recipient(desk, dispute, body.to)
    return refused or ev.AwardPaid(
        id=dispute.id,
        patron=dispute.patron,
        amount=dispute.unpaid,
        way=body.way,
        to=dispute.patron if to_credits else body.to,
        how="" if to_credits else body.how,
        by=desk.actor,
        second=desk.envelope.authoriser,
        procedure=DISPUTE_AWARD,
        clauses=about_credits(desk) if to_credits else (),
    )


def _confirm(desk: Desk, body: cmd.ConfirmReceipt, dispute: Dispute) -> ev.Event | Refused:
    """Take the patron's word that an award was received; it is no consent to the decision."""
    own = desk.actor == dispute.patron
    refused = None if own else refuse_word(desk, dispute, body.confirmed_by)
    if refused:
        return refused
    if all(each.received for each in dispute.payments):
        return refuse(Refusal.NOT_AWAITED)
    by, second = (None, None) if own else (desk.actor, desk.envelope.authoriser)
    return ev.ReceiptConfirmed(id=dispute.id, patron=dispute.patron, by=by, second=second)


def _tell_right(desk: Desk, dispute: Dispute, rules: DisputeRules) -> ev.Event | Refused:
    """Tell the patron of the right to complain, and of the days for it."""
    if not dispute.escalated and not dispute.is_unanswered:
        return refuse(Refusal.NOT_AWAITED, *rules.escalated)
    refused = _refuse_level(desk, dispute, rules)
    if refused:
        return refused
    if dispute.decision is None:
        return refuse(Refusal.NOT_AWAITED, *rules.complaint_right)
    days, now = rules.complaint_days, desk.envelope.received_at
    until = now + datetime.timedelta(days=days) if days else None
    return ev.ComplaintRightTold(id=dispute.id, until=until, by=desk.actor, clauses=rules.complaint_right)


def _complain(
    desk: Desk, body: cmd.FileComplaint, dispute: Dispute, rules: DisputeRules
) -> ev.Event | Refused:
    """File a formal complaint about a decision, with the help of somebody on duty.

    What the first level has not resolved is escalated, and is decided there.
    """
    own = desk.actor == dispute.patron
    if not own and not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_YOURS, patron=dispute.patron)
    refused = refuse_complaint(desk, dispute, rules)
    if refused:
        return refused
    if is_left_to_escalate(dispute):
        return refuse(Refusal.NOT_RESOLVED, *rules.taken)
    if body.helper == dispute.patron or not desk.posts(body.helper):
        off_duty = refuse(Refusal.HELPER_NOT_ON_DUTY, *rules.complaint_help, helper=body.helper)
        return desk.refuse_interest(body.helper, rules.complaint_help) or off_duty
    until = dispute.complain_until
    return ev.ComplaintFiled(
        id=dispute.id,
        text=body.text,
        helper=body.helper,
        late=until is not None and desk.envelope.received_at > until,
        by=None if own else desk.actor,
        clauses=(*rules.complaint_right, *rules.complaint_help),
    )


def _receive(desk: Desk, dispute: Dispute, rules: DisputeRules) -> ev.Event | Refused:
    """Receive a complaint, which the post for complaints alone does."""
    refused = _has(desk, rules.complaints_to) or refuse_party(desk, dispute, rules)
    if refused:
        return refused
    if dispute.complaint is None or dispute.complaint.received_by is not None:
        return refuse(Refusal.NOT_AWAITED, *rules.complaint_right)
    second = desk.envelope.authoriser
    return ev.ComplaintReceived(id=dispute.id, by=desk.actor, second=second, clauses=rules.complaint_right)


def _answer_complaint(
    desk: Desk, body: cmd.AnswerComplaint, dispute: Dispute, rules: DisputeRules
) -> ev.Event | Refused:
    """Answer a complaint that was received, once; money that it awards takes the place of an unpaid award."""
    refused = _has(desk, rules.complaints_to) or refuse_party(desk, dispute, rules)
    if refused:
        return refused
    complaint = dispute.complaint
    if complaint is None or complaint.received_by is None or complaint.answer is not None:
        return refuse(Refusal.NOT_AWAITED, *rules.complaint_right)
    return _refuse_award(desk, dispute, body.award, rules) or ev.ComplaintAnswered(
        id=dispute.id,
        answer=body.answer,
        award=body.award,
        counted=min(dispute.kept, body.award),
        by=desk.actor,
        second=desk.envelope.authoriser,
        procedure=DISPUTE_AWARD if body.award else None,
        lapsed=dispute.unpaid if body.award else 0,
        clauses=rules.complaint_right,
    )


def _close(desk: Desk, dispute: Dispute, rules: DisputeRules) -> ev.Event | Refused:
    """Close what is resolved, or what was decided and all the patron's rights were told; and paid.

    What the first level decided is closed without an answer once the time frame for it is over.
    """
    refused = _refuse_level(desk, dispute, rules)
    if refused:
        return refused
    over = dispute.is_unanswered and _is_time_over(desk, dispute)
    if dispute.decision is None or not (dispute.escalated or dispute.agrees or over):
        return refuse(Refusal.NOT_RESOLVED, *(rules.regarded if dispute.escalated else rules.taken))
    if not dispute.agrees and rules.inspector and not dispute.inspector:
        return refuse(Refusal.INSPECTOR_NOT_INFORMED)
    if not dispute.agrees and not dispute.right_told:
        return refuse(Refusal.COMPLAINT_RIGHT_NOT_TOLD, *rules.complaint_right)
    if dispute.unpaid:
        return refuse(Refusal.AWARD_NOT_PAID, *(rules.regarded if dispute.escalated else rules.taken))
    unanswered = dispute.is_unanswered and not dispute.escalated
    return ev.DisputeClosed(id=dispute.id, unanswered=unanswered)
