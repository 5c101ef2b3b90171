"""Reports and decisions about payments, held against what was settled, paid and claimed before."""

from thirdcard.game import commands as cmd
from thirdcard.game.attendance import is_here
from thirdcard.game.decided_payments import given_by, sum_of
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.money_effects import is_lost_taken, told_amount
from thirdcard.game.irregularities.wager_claims import refuse_now
from thirdcard.game.state import Case, Phase, SettledWager
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation

Report = cmd.ReportIrregularity


def contradict_payment(desk: QueryDesk, body: Report) -> Refused | None:
    """A wrong payment is one of a round that was settled; too little is paid only to whom it was due.

    Chips can have gone to anybody who was there. What was told once is not told again.
    """
    if desk.table.round is None:
        return refuse_now(desk)
    paid = {each.patron for each in _last_settled(desk)}
    astray = bool(paid) and not body.underpaid
    if body.patron is not None and body.patron not in paid and not astray:
        return refuse(Refusal.NOTHING_WAS_SETTLED, patron=body.patron)
    refused = None if body.underpaid else refuse_settled(desk, body.patron, body.amount)
    if refused:
        return refused
    if body.underpaid:
        return _at_most(desk, body, _most_too_little(desk, body)) if body.amount else None
    return _at_most(desk, body, 0) if body.amount in _told_amounts(desk, body.patron or "") else None


def _most_too_little(desk: QueryDesk, body: Report) -> int:
    """What can be lacking of a payment: what was due, without what was found lacking before."""
    table, patron = desk.table, body.patron or ""
    due = given_by(_last_settled(desk))[patron]
    made_good = (each for each in table.payments if each.made_good)
    before = sum_of(made_good, table.settled_round, patron) - _standing(desk, body, too_little=True)
    return max(min(due - before, _most_lacking(desk, body, due)), 0)


def _told_amounts(desk: QueryDesk, patron: str) -> set[int]:
    """The amounts that a patron was found to have got by mistake in the last round that was settled, or owes.

    Whoever decides can still claim what was left to the patron.
    """
    table, current = desk.table, desk.table.round
    number = table.settled_round
    found = {e.amount for e in table.mistakes if (e.round, e.patron) == (number, patron) and e.amount > 0}
    claims = current.claims if current is not None and current.number == number else ()
    return found | {each.credits for each in claims if each.terminal == patron}


def refuse_settled(desk: QueryDesk, patron: str | None, amount: int) -> Refused | None:
    """Refuse to claim back what was paid or collected outside the limits, where a clause calls it settled."""
    old = (each for each in desk.document.irregularities if each.situation is Situation.OLD_LIMIT_MISTAKE)
    settled = {each.clause for each in old if each.clause}
    for each in desk.table.mistakes:
        if each.by in settled and each.patron == patron and 0 < amount <= each.amount:
            return refuse(Refusal.EARLIER_ROUNDS_STAND, each.by)
    return None


def refuse_unpaid(desk: QueryDesk, case: Case, patron: str, amount: int) -> Refused | None:
    """Refuse to claim more from a patron than was paid, where the table knows all that can have been.

    What was claimed before counts, and so does what two people tell with the case, though nobody booked it.
    """
    told, lost = told_amount(case) if case.patron == patron else 0, is_lost_taken(desk, case)
    mistaken = case.situation is Situation.WRONG_PAYMENT or (lost and case.patron == patron)
    if not (mistaken or _knows_all_payments(desk, patron)):
        return None
    most = told if lost and told else told + _can_be_claimed(desk, patron)
    if amount <= most:
        return None
    return refuse(Refusal.MORE_THAN_WAS_PAID, patron=patron, most=format_amount(most, desk.house.currency))


def _can_be_claimed(desk: QueryDesk, patron: str) -> int:
    """What a patron was given in the last two rounds, and nobody has claimed back."""
    table, current = desk.table, desk.table.round
    given = given_by((*(current.settled if current else ()), *table.last_settled))[patron]
    others = (*(each for each in table.mistakes if each.amount > 0), *table.payments)
    beside = sum(each.amount for each in others if each.patron == patron)
    claimed = sum(each.amount for each in table.claimed if each.patron == patron)
    return max(given + beside - claimed, 0)


def _knows_all_payments(desk: QueryDesk, patron: str) -> bool:
    """Whether nothing of a patron was settled before the last two rounds, whose payments are known."""
    table, current = desk.table, desk.table.round
    older = range(1, current.number - 1 if current else table.rounds + 1)
    known = {each.number: each.patrons for each in table.earlier}
    return all(number in known and patron not in known[number] for number in older)


def _most_lacking(desk: QueryDesk, body: Report, due: int) -> int:
    """What a terminal can have been paid too little: nobody plays or cashes out credits that never came.

    Where it is put right at once, the terminal has as many as before.
    """
    at_once = desk.table.phase is Phase.IDLE and is_here(desk, body.patron or "")
    return due if at_once or not desk.table.setup.terminal else desk.table.credits_of(body.patron or "")


def _standing(desk: QueryDesk, body: Report, *, too_little: bool) -> int:
    """What was paid to a patron by mistake in the round in question, and stands; too little is negative."""
    number = desk.table.settled_round
    found = (
        each.amount for each in desk.table.mistakes if (each.round, each.patron) == (number, body.patron)
    )
    return sum(each for each in found if (each < 0) is too_little)


def _last_settled(desk: QueryDesk) -> tuple[SettledWager, ...]:
    """The wagers of the last round that was settled, except those of which nothing was handed over yet."""
    current = desk.table.round
    lines = current.settled if current is not None and current.ended else desk.table.last_settled
    return tuple(each for each in lines if not each.held)


def _at_most(desk: QueryDesk, body: Report, most: int) -> Refused | None:
    """Refuse an amount that is more than can be wrong."""
    if body.amount <= most:
        return None
    return refuse(Refusal.MORE_THAN_CAN_BE_WRONG, most=format_amount(most, desk.house.currency))


def contradict_old_mistake(desk: QueryDesk, body: Report) -> Refused | None:
    """A limit was disregarded in an earlier round: only what was not in action can be paid or collected."""
    earlier = desk.table.rounds - (1 if desk.round is not None else 0)
    if not earlier:
        return refuse_now(desk)
    if not body.amount:
        return None
    own = [each for each in _last_settled(desk) if each.patron == body.patron]
    outside = [each for each in own if each.stake != each.in_action]
    if not outside:
        return refuse(Refusal.NO_WAGER_CONCERNED)
    most = sum(_most_paid(desk, each.wager, each.stake - each.in_action) for each in outside)
    return _at_most(desk, body, max(most - _standing(desk, body, too_little=False), 0))


def _most_paid(desk: QueryDesk, wager: str, amount: int) -> int:
    """What an amount on a wager is paid at the highest odds that it has, and at least the amount."""
    rows = desk.rulebook.wagers[wager].rows
    return max(amount, *(-(-amount * row.odds.gain // row.odds.stake) for row in rows if row.odds))
