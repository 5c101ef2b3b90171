"""The disputes at a table as staff see them: what is left to do, by whom and by which clauses."""

from thirdcard.clauses import Clause
from thirdcard.game.attendance import is_here
from thirdcard.game.desk import QueryDesk
from thirdcard.game.dispute_duties import can_be_complained_about, duties_left, is_there
from thirdcard.game.dispute_steps import AwardWay, Dispute, DisputeDuty, DisputeStep
from thirdcard.rulebook.dispute_rules import DisputePower, DisputeRules, dispute_rules
from thirdcard.views.dispute_page import page_of
from thirdcard.views.next_actions import Due
from thirdcard.views.sections.staff import DisputeShown, DisputesSection, DutyOfDispute
from thirdcard.views.sources import Sources

_BY_PATRON = (DisputeDuty.ANSWER, DisputeDuty.RECEIPT)
_BY_COMPLAINTS = (DisputeDuty.RECEIVE_COMPLAINT, DisputeDuty.ANSWER_COMPLAINT)


def disputes_section(sources: Sources, _: Due) -> DisputesSection:
    """The disputes, each with what is left to do."""
    desk = QueryDesk(sources.rulebook, sources.house, sources.table)
    rules = dispute_rules(sources.rulebook.document, sources.house.form)
    disputes = sources.table.disputes
    page = page_of(disputes, lambda each: each.step is DisputeStep.CLOSED and not duties_left(each, rules))
    shown = tuple(_shown(desk, each, rules) for each in page)
    return DisputesSection(shown, rules, len(disputes) - len(page))


def _shown(desk: QueryDesk, dispute: Dispute, rules: DisputeRules) -> DisputeShown:
    to_credits = desk.table.setup.terminal and is_here(desk, dispute.patron)
    return DisputeShown(
        dispute=dispute,
        due=tuple(_duty(each, dispute, rules) for each in duties_left(dispute, rules)),
        lacking=tuple(each.id for each in rules.sources if not is_there(each, dispute)),
        unpaid=dispute.unpaid,
        ways=(AwardWay.CREDITS, AwardWay.PAYOUT) if to_credits else (AwardWay.PAYOUT,),
        may_complain=can_be_complained_about(dispute),
    )


def _duty(duty: DisputeDuty, dispute: Dispute, rules: DisputeRules) -> DutyOfDispute:
    posts = tuple(each.post for each in _powers(duty, dispute, rules))
    return DutyOfDispute(duty, posts, _clauses(duty, rules))


def _powers(duty: DisputeDuty, dispute: Dispute, rules: DisputeRules) -> tuple[DisputePower, ...]:
    """The posts that see to a duty; none where the patron does."""
    if duty in _BY_PATRON:
        return ()
    if duty in _BY_COMPLAINTS:
        return (rules.complaints_to,)
    if duty is DisputeDuty.PAY:
        return (rules.awards_paid_by,)
    if duty is DisputeDuty.ESCALATE or not dispute.escalated:
        return rules.first_level
    return (rules.in_charge,)


def _clauses(duty: DisputeDuty, rules: DisputeRules) -> tuple[Clause, ...]:
    match duty:
        case DisputeDuty.RESOLVE:
            return rules.taken
        case DisputeDuty.ESCALATE:
            return rules.escalated
        case DisputeDuty.GATHER:
            return rules.gathered
        case DisputeDuty.SURVEILLANCE:
            return rules.surveillance_told
        case DisputeDuty.TIME_FRAME:
            return rules.time_frame
        case DisputeDuty.DECIDE:
            return rules.regarded
        case DisputeDuty.TELL_RIGHT | DisputeDuty.RECEIVE_COMPLAINT | DisputeDuty.ANSWER_COMPLAINT:
            return rules.complaint_right
        case _:
            return ()
