"""Who has to do with a dispute: who does not decide it, and who may be handed its award."""

import re

from thirdcard.game.desk import Desk
from thirdcard.game.dispute_steps import Dispute
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.dispute_rules import DisputeRules
from thirdcard.rulebook.procedure import Grant


def refuse_opener(desk: Desk, dispute: Dispute) -> Refused | None:
    """Whoever opened a dispute or filed a complaint for its patron does not decide it."""
    filed_by = dispute.complaint.filed_by if dispute.complaint else None
    for person in (dispute.opened_by, filed_by):
        if person is None or person == dispute.patron:
            continue
        if person in (desk.actor, desk.envelope.authoriser):
            return refuse(Refusal.OPENED_THE_DISPUTE, person=person)
    return None


def refuse_party(desk: Desk, dispute: Dispute, rules: DisputeRules) -> Refused | None:
    """Refuse a complaint to whoever opened the dispute, filed it for the patron, or made the decision."""
    power, clauses = rules.complaints_to, rules.complaint_right
    grant = Grant(power.post, clauses[0], power.or_above) if power.clauses else None
    taker = desk.decider(grant, power.post)
    decided = refuse(Refusal.DECIDED_THE_DISPUTE, *clauses, person=taker)
    own = taker in (dispute.decided_by, dispute.decided_second)
    return refuse_opener(desk, dispute) or (decided if own else None)


def refuse_recipient(desk: Desk, dispute: Dispute, person: str) -> Refused | None:
    """Refuse to hand an award to staff, or to somebody whom the patron never named."""
    if _plain(person) == _plain(dispute.patron):
        return None
    if _is_of_the_house(desk, dispute, person):
        return refuse(Refusal.PAID_TO_STAFF, person=person)
    if not _is_named(dispute, person):
        return refuse(Refusal.PAID_TO_ANOTHER, person=person, patron=dispute.patron)
    return None


def _is_of_the_house(desk: Desk, dispute: Dispute, person: str) -> bool:
    """Whether a name is one of the staff at the table, or of those who had to do with a dispute."""
    steps = {dispute.opened_by, dispute.escalated_by, *dispute.settled_by} - {dispute.patron, None}
    staff = {each.person for each in desk.table.staff} | {each.person for each in desk.table.acting}
    names = (each for each in (*steps, *staff, desk.table.setup.table) if each)
    return _plain(person) in map(_plain, names)


def _is_named(dispute: Dispute, person: str) -> bool:
    """Whether the patron has named somebody in an account that was taken down."""
    words = (_plain(each.what) for each in dispute.information if each.given_by == dispute.patron)
    name = _plain(person)
    return any(re.search(rf"\b{re.escape(name)}\b", each) for each in words)


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
