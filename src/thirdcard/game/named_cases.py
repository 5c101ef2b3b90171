"""Commands that name the irregularity, or the place of the card, which they are about.

Whoever sends one may have seen another one.
"""

import typing

from thirdcard.game import commands as cmd
from thirdcard.game.booked_mistakes import bookings_in_doubt
from thirdcard.game.case_cards import refuse_before, reports_in_doubt
from thirdcard.game.state import Case, Table
from thirdcard.refusals import Refusal, Refused, refuse

# these act on the irregularity that is dealt with first, whichever that is by now
ToTheFirst = cmd.Rule | cmd.EndOffer | cmd.ReserveCards | cmd.EnterSortedCards | cmd.SubstituteCards

NAMING = frozenset((cmd.DrawCard, *typing.get_args(ToTheFirst)))


def refuse_other(table: Table, body: cmd.Body) -> Refused | None:
    """Refuse a command of ``NAMING`` about another irregularity or place than the one whose turn it is."""
    if isinstance(body, cmd.DrawCard):
        return _refuse_elsewhere(table, body)
    assert isinstance(body, ToTheFirst)
    return _refuse_case(table, body)


def _refuse_elsewhere(table: Table, body: cmd.DrawCard) -> Refused | None:
    """Refuse a card that was entered for another place of the round than the one that comes next."""
    if body.at is None:
        return None
    due = _next_place(table)
    return None if body.at == due else refuse(Refusal.OTHER_PLACE, at=body.at, due=due)


def _next_place(table: Table) -> int:
    """The place of the next card among those that came out in the round: at the hands, or set aside."""
    current = table.round
    lying = len(current.cards) if current is not None and not current.ended else 0
    return lying + len(table.aside) + 1


def _refuse_case(table: Table, body: ToTheFirst) -> Refused | None:
    """Refuse what is said to an irregularity that is over, or that another one goes before."""
    if body.case is None:
        return None
    first, case = table.case, find_case(table, body.case)
    if isinstance(case, Refused):
        return case
    return refuse_before(first) if first is not None and first.id != body.case else None


def closed_in_doubt(table: Table) -> tuple[Case, ...]:
    """Return the reports that can be taken back although their cases are closed, in their order."""
    return tuple(sorted((*reports_in_doubt(table), *bookings_in_doubt(table)), key=lambda each: each.id))


def find_case(table: Table, number: int) -> Case | Refused:
    """Return the irregularity of a number, open or still open to doubt, or the refusal where it is over."""
    cases = (*table.open_cases, *closed_in_doubt(table))
    found = next((each for each in cases if each.id == number), None)
    return found or refuse(Refusal.CASE_IS_OVER)
