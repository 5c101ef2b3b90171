"""Who may be handed the award of a dispute: its patron, or somebody whom the patron has named."""

import re

from thirdcard.game.desk import Desk
from thirdcard.game.dispute_steps import Dispute
from thirdcard.refusals import Refusal, Refused, refuse


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
