"""The people of a dispute: who does not decide it, who enters a patron's word, who is handed its award."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game.desk import Desk
from thirdcard.game.dispute_steps import Dispute, DisputeStep, plain_name
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.dispute_rules import DisputeRules

MOST_OPEN = 10  # disputes that one patron has opened and that nobody has closed


def refuse_opening(desk: Desk, patron: str, rules: DisputeRules) -> Refused | None:
    """Refuse a dispute for a patron by somebody who is not staff, or one too many by the patron.

    A patron who has many open at once tells staff of more, who open them without a limit.
    """
    if desk.actor != patron:
        return None if desk.is_staff(desk.actor) else refuse(Refusal.NOT_STAFF)
    own = [each for each in desk.table.disputes if each.opened_by == patron]
    if sum(each.step is not DisputeStep.CLOSED for each in own) < MOST_OPEN:
        return None
    return refuse(Refusal.TOO_MANY_DISPUTES, *rules.taken, most=MOST_OPEN)


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
    deciders = (dispute.decided_by, dispute.decided_second)
    return refuse_opener(desk, dispute) or _refuse_any_of(desk, deciders, rules.complaint_right)


def refuse_decider(desk: Desk, dispute: Dispute, rules: DisputeRules) -> Refused | None:
    """Refuse a decision to whoever opened the dispute, or made the one that was escalated."""
    before = (dispute.decided_by,) if dispute.escalated else ()
    return refuse_opener(desk, dispute) or _refuse_any_of(desk, before, rules.escalated)


def _refuse_any_of(desk: Desk, deciders: tuple[str | None, ...], cited: tuple[Clause, ...]) -> Refused | None:
    for person in (desk.actor, desk.envelope.authoriser):
        if person is not None and person in deciders:
            return refuse(Refusal.DECIDED_THE_DISPUTE, *cited, person=person)
    return None


def refuse_complaint(desk: Desk, dispute: Dispute, rules: DisputeRules) -> Refused | None:
    """Refuse a complaint without a decision, or a second one.

    The patron's own takes the place of what staff filed, and so does one that two people enter.
    """
    complaint = dispute.complaint
    if dispute.decision is None or (complaint is not None and complaint.filed_by is None):
        return refuse(Refusal.NOT_AWAITED, *rules.complaint_right)
    own = desk.actor == dispute.patron
    return None if complaint is None or own else desk.two_people()


def refuse_word(desk: Desk, dispute: Dispute, confirmed_by: str | None) -> Refused | None:
    """Why staff do not enter a patron's word: they name the patron, and not only who settled it stand for it.

    Nobody can be the witness of their own decision or payment.
    """
    if not desk.is_staff(desk.actor) or confirmed_by != dispute.patron:
        return refuse(Refusal.NOT_YOURS, patron=dispute.patron)
    second = desk.envelope.authoriser
    witnesses = {desk.actor} | ({second} if second and desk.posts(second) else set())
    return refuse(Refusal.SECOND_PERSON_NEEDED) if witnesses <= dispute.settled_by else None


def refuse_payee(desk: Desk, dispute: Dispute, body: cmd.GatherInformation) -> Refused | None:
    """Refuse that somebody is to receive an award whom the patron does not name before two people.

    Not both of them decided or paid; and nobody of the staff is named.
    """
    if body.given_by != dispute.patron:
        return refuse(Refusal.NOT_YOURS, patron=dispute.patron)
    refused = refuse_staff(desk, dispute, body.what) or desk.two_people()
    return refused or refuse_word(desk, dispute, body.given_by)


def refuse_recipient(desk: Desk, dispute: Dispute, person: str) -> Refused | None:
    """Refuse to hand an award to staff, or to somebody whom the patron has not named to receive it."""
    if plain_name(person) == plain_name(dispute.patron):
        return None
    named = plain_name(person) in map(plain_name, dispute.payees)
    another = refuse(Refusal.PAID_TO_ANOTHER, person=person, patron=dispute.patron)
    return refuse_staff(desk, dispute, person) or (None if named else another)


def refuse_staff(desk: Desk, dispute: Dispute, person: str) -> Refused | None:
    """Refuse an award for who is or was on duty at the table, or had to do with the dispute."""
    steps = {dispute.opened_by, dispute.escalated_by, *dispute.settled_by} - {dispute.patron, None}
    table = desk.table
    on_duty = {each.person for each in table.staff} | {each.person for each in table.acting}
    staff = {*on_duty, *table.former_staff} - {dispute.patron}
    names = (each for each in (*steps, *staff, table.setup.table) if each)
    if plain_name(person) in map(plain_name, names):
        return refuse(Refusal.PAID_TO_STAFF, person=person)
    return None
