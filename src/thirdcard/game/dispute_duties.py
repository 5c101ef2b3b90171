"""Answers what is left to do about a dispute, and what a decision of it lacks."""

from collections.abc import Iterable, Iterator

from thirdcard.game.dispute_steps import Dispute, DisputeDuty, DisputeStep, UnavailableSource, plain_name
from thirdcard.rulebook.dispute_rules import DisputeRules, RegardedSource

GAME_RULES = "game-rules"


def duties_left(dispute: Dispute, rules: DisputeRules) -> tuple[DisputeDuty, ...]:
    """Return what is left to do about a dispute, in the order of its procedure."""
    steps = _escalated(dispute, rules) if dispute.escalated else _first_level(dispute)
    closed = dispute.step is DisputeStep.CLOSED
    return (*(() if closed else steps), *_money(dispute), *_complaint(dispute))


def _first_level(dispute: Dispute) -> Iterator[DisputeDuty]:
    if dispute.decision is None:
        yield DisputeDuty.RESOLVE
    elif dispute.agrees is None:
        yield DisputeDuty.ANSWER
        if not dispute.has_time_frame:
            yield DisputeDuty.TIME_FRAME
        if not dispute.right_told:
            yield DisputeDuty.TELL_RIGHT
        if dispute.answer_by:  # once the time frame is over
            yield DisputeDuty.ESCALATE
            if dispute.right_told and not dispute.unpaid:
                yield DisputeDuty.CLOSE
    elif not dispute.agrees:
        yield DisputeDuty.ESCALATE
    elif not dispute.unpaid:
        yield DisputeDuty.CLOSE


def _escalated(dispute: Dispute, rules: DisputeRules) -> Iterator[DisputeDuty]:
    if dispute.decision is None:
        if not dispute.is_informed:
            yield DisputeDuty.GATHER
        if rules.surveillance and not dispute.surveillance:
            yield DisputeDuty.SURVEILLANCE
        if not dispute.has_time_frame:
            yield DisputeDuty.TIME_FRAME
        yield DisputeDuty.DECIDE
        return
    if dispute.agrees is None:
        yield DisputeDuty.ANSWER
    if not dispute.agrees:
        if rules.inspector and not dispute.inspector:
            yield DisputeDuty.INSPECTOR
        if not dispute.right_told:
            yield DisputeDuty.TELL_RIGHT
    if not dispute.unpaid:
        yield DisputeDuty.CLOSE


def _money(dispute: Dispute) -> Iterator[DisputeDuty]:
    if dispute.unpaid and not dispute.is_refused:
        yield DisputeDuty.PAY
    if any(not each.received for each in dispute.payments):
        yield DisputeDuty.RECEIPT


def _complaint(dispute: Dispute) -> Iterator[DisputeDuty]:
    complaint = dispute.complaint
    if complaint is not None and complaint.received_by is None:
        yield DisputeDuty.RECEIVE_COMPLAINT
    elif complaint is not None and complaint.answer is None:
        yield DisputeDuty.ANSWER_COMPLAINT


def can_be_complained_about(dispute: Dispute) -> bool:
    """Whether a complaint can be filed about a decision that is not left to escalate: the patron's, once."""
    filed = dispute.complaint is not None and dispute.complaint.filed_by is None
    return dispute.decision is not None and not filed and not is_left_to_escalate(dispute)


def is_left_to_escalate(dispute: Dispute) -> bool:
    """Whether the first level has not resolved a dispute, nor passed it up."""
    return not dispute.escalated and not dispute.agrees and dispute.step is not DisputeStep.CLOSED


def left_out(
    rules: DisputeRules, considered: Iterable[str], unavailable: Iterable[UnavailableSource]
) -> RegardedSource | None:
    """Return the first source that a decision does not say to be considered, or not available and why."""
    told = {*considered}
    lacking = {each.source for each in unavailable if each.why.strip()}
    return next((each for each in rules.sources if (each.id in told) is (each.id in lacking)), None)


def without_evidence(
    rules: DisputeRules, dispute: Dispute, considered: Iterable[str]
) -> RegardedSource | None:
    """Return the first considered source of which nothing, or the word of one party only, was gathered."""
    told = {*considered}
    return next((each for each in rules.sources if each.id in told and not is_there(each, dispute)), None)


def wrongly_unavailable(
    rules: DisputeRules, dispute: Dispute, unavailable: Iterable[UnavailableSource]
) -> RegardedSource | None:
    """Return the first source that is said not to be available although it is.

    The approved rules of the game always are, and so is what was taken down in this dispute.
    """
    told = {each.source for each in unavailable}
    return next((each for each in rules.sources if each.id in told and _is_at_hand(each, dispute)), None)


def _is_at_hand(source: RegardedSource, dispute: Dispute) -> bool:
    gathered = any(each.source == source.id for each in dispute.information)
    return source.id == GAME_RULES or (gathered and is_there(source, dispute))


def is_there(source: RegardedSource, dispute: Dispute) -> bool:
    """Whether what a source needs was gathered."""
    givers = {plain_name(each.given_by) for each in dispute.information if each.source == source.id}
    if source.needs == "both-parties":
        return plain_name(dispute.patron) in givers and len(givers) > 1
    return source.needs is None or bool(givers)
