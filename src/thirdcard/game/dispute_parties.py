"""The people of a dispute: who does not decide it, and who may be handed its award."""

from thirdcard.game.desk import Desk
from thirdcard.game.dispute_steps import Dispute
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.dispute_rules import DisputeRules


def refuse_opener(desk: Desk, dispute: Dispute) -> Refused | None:
    """Refuse the person who opened a dispute or filed a complaint for its patron to decide it."""
    filed_by = dispute.complaint.filed_by if dispute.complaint else None
    for person in (dispute.opened_by, filed_by):
        if person is None or person == dispute.patron:
            continue
        if person in (desk.actor, desk.envelope.authoriser):
            return refuse(Refusal.OPENED_THE_DISPUTE, person=person)
    return None


def refuse_party(desk: Desk, dispute: Dispute, rules: DisputeRules) -> Refused | None:
    """Refuse a complaint to whoever opened the dispute, filed it for the patron, or made the decision."""
    for person in (desk.actor, desk.envelope.authoriser):
        if person is not None and person in (dispute.decided_by, dispute.decided_second):
            own = refuse(Refusal.DECIDED_THE_DISPUTE, *rules.complaint_right, person=person)
            return refuse_opener(desk, dispute) or own
    return refuse_opener(desk, dispute)


def refuse_recipient(desk: Desk, dispute: Dispute, person: str) -> Refused | None:
    """Refuse to hand an award to staff, or to somebody whom the patron has not named to receive it."""
    if _plain(person) == _plain(dispute.patron):
        return None
    named = _plain(person) in map(_plain, dispute.payees)
    another = refuse(Refusal.PAID_TO_ANOTHER, person=person, patron=dispute.patron)
    return refuse_staff(desk, dispute, person) or (None if named else another)


def refuse_staff(desk: Desk, dispute: Dispute, person: str) -> Refused | None:
    """Refuse an award for who is or was on duty at the table, or had to do with the dispute."""
    steps = {dispute.opened_by, dispute.escalated_by, *dispute.settled_by} - {dispute.patron, None}
    table = desk.table
    on_duty = {each.person for each in table.staff} | {each.person for each in table.acting}
    staff = {*on_duty, *table.former_staff} - {dispute.patron}
    names = (each for each in (*steps, *staff, table.setup.table) if each)
    if _plain(person) in map(_plain, names):
        return refuse(Refusal.PAID_TO_STAFF, person=person)
    return None


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
