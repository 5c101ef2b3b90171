"""Reports and decisions about payments, held against what was settled, paid and claimed before."""

from thirdcard.game import commands as cmd
from thirdcard.game.decided_payments import sum_of
from thirdcard.game.desk import QueryDesk
from thirdcard.game.earlier_rounds import patrons_before
from thirdcard.game.handed import given_by, handed_to, refund_of
from thirdcard.game.irregularities.limit_mistakes import (
    last_settled,
    refuse_as_settled,
    refuse_more,
    settles,
)
from thirdcard.game.irregularities.money_effects import is_lost_taken, is_payment_put_right, told_amount
from thirdcard.game.irregularities.wager_claims import refuse_now
from thirdcard.game.rounds import BETWEEN_ROUNDS
from thirdcard.game.settlement import refuse_too_fine
from thirdcard.game.state import Case
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
    if body.patron is not None:
        paid = {each.patron for each in last_settled(desk)} | {e.terminal for e in desk.table.round.refunded}
        astray = bool(paid) and not body.underpaid
        if body.patron not in paid and not astray:
            return _refuse_unsettled(desk, body.patron)
    if not body.amount and body.wager is None:  # nothing is told that the table could know better
        return None
    amount = -body.amount if body.underpaid else body.amount
    due = given_by(last_settled(desk))[body.patron] if body.patron else 0
    settled = refuse_settled(desk, body.patron, amount, wager=body.wager, due=due)
    refused = settled or refuse_too_fine(desk.house, body.amount)
    if refused:
        return refused
    if body.underpaid:
        return refuse_more(desk, body.amount, _most_too_little(desk, body)) if body.amount else None
    told = body.amount in _told_amounts(desk, body.patron or "")
    return refuse_more(desk, body.amount, 0) if told else None


def _refuse_unsettled(desk: QueryDesk, patron: str) -> Refused:
    """Refuse the wrong payment of a patron of whom that round settled nothing; say how one before is told."""
    earlier = patron in patrons_before(desk.table.stakes, desk.table.settled_round)
    reason = Refusal.PAID_IN_AN_EARLIER_ROUND if earlier else Refusal.NOTHING_WAS_SETTLED
    return refuse(reason, patron=patron)


def _most_too_little(desk: QueryDesk, body: Report) -> int:
    """Return what can be lacking of a payment: what was due, without what was found lacking before."""
    table, patron = desk.table, body.patron or ""
    due = given_by(last_settled(desk))[patron] + refund_of(table, patron)
    made_good = (each for each in table.payments if each.made_good)
    before = sum_of(made_good, table.settled_round, patron) - _standing(desk, body, too_little=True)
    return max(min(due - before, _most_lacking(desk, body, due)), 0)


def _told_amounts(desk: QueryDesk, patron: str) -> set[int]:
    """The amounts that a patron was found to have got by mistake in the last round that was settled, or owes.

    Whoever decides can still claim what was left to the patron.
    """
    table, current = desk.table, desk.table.round
    number = table.settled_round
    mistakes = (*table.mistakes, *table.put_right)
    found = {e.amount for e in mistakes if (e.round, e.patron) == (number, patron) and e.amount > 0}
    claims = current.claims if current is not None and current.number == number else ()
    return found | {each.credits for each in claims if each.terminal == patron}


def refuse_settled(
    desk: QueryDesk, patron: str | None, amount: int, *, wager: str | None = None, due: int | None = None
) -> Refused | None:
    """Refuse to put right what was paid or collected outside the limits, where a clause calls it settled.

    A negative amount was paid too little, of what was ``due``.
    """
    clause, number = settles(desk), desk.table.settled_round
    own = (each for each in desk.table.mistakes if (each.round, each.patron) == (number, patron))
    booked = (each.amount for each in own if clause is not None and each.by == clause)
    if clause is not None and any(0 < amount <= each or each <= amount < 0 for each in booked):
        return refuse(Refusal.EARLIER_ROUNDS_STAND, clause)
    return refuse_as_settled(desk, patron, amount, wager=wager, due=due)


def refuse_unpaid(desk: QueryDesk, case: Case, patron: str, amount: int) -> Refused | None:
    """Refuse to claim more from a patron than was paid, of a wrong payment than in the last two rounds.

    What was claimed before counts, and so does what two people tell with the case, though nobody booked it.
    Chips that were taken away late are their patron's until the settlement says what is owed of them.
    """
    lost = is_lost_taken(desk, case)
    own = case.patron == patron and (lost or case.situation is not Situation.LATE_WITHDRAWAL)
    told = told_amount(case) if own else 0
    wrong = case.situation in (Situation.WRONG_PAYMENT, Situation.OLD_LIMIT_MISTAKE)
    mistaken = wrong or (lost and case.patron == patron)
    most = told if lost and told else told + _can_be_claimed(desk, patron, whole=not mistaken)
    if amount <= most:
        return None
    return refuse(Refusal.MORE_THAN_WAS_PAID, patron=patron, most=format_amount(most, desk.house.currency))


def is_of_void_round(desk: QueryDesk, patron: str | None, amount: int) -> bool:
    """Whether as much went back to a patron because the last round is void, and nobody has claimed it."""
    table = desk.table
    claimed = sum_of(table.claimed, table.settled_round, patron or "")
    return 0 < amount <= refund_of(table, patron or "") - claimed


def _can_be_claimed(desk: QueryDesk, patron: str, *, whole: bool) -> int:
    """Return what a patron was given in the last two rounds, or as a ``whole``, and nobody has claimed."""
    table, current = desk.table, desk.table.round
    given = given_by((*(current.settled if current else ()), *table.last_settled))[patron]
    given += refund_of(table, patron) + (handed_to(table, patron) if whole else 0)
    since = table.settled_round - 1  # of limit mistakes more is remembered
    others = (*(each for each in table.mistakes if each.amount > 0), *table.payments)
    beside = sum(each.amount for each in others if each.patron == patron and each.round >= since)
    claimed = sum(each.amount for each in table.claimed if each.patron == patron)
    return max(given + beside - claimed, 0)


def _most_lacking(desk: QueryDesk, body: Report, due: int) -> int:
    """Return the most that a terminal was paid too little: credits that never came are not cashed out.

    Where it is put right at once, the terminal has as many as before.
    """
    at_once = desk.table.phase in BETWEEN_ROUNDS and is_payment_put_right(desk, body.patron or "")
    return due if at_once or not desk.table.setup.terminal else desk.table.credits_of(body.patron or "")


def _standing(desk: QueryDesk, body: Report, *, too_little: bool) -> int:
    """Return what was paid by mistake to a patron in the round in question, and stands; or too little."""
    number = desk.table.settled_round
    found = (
        each.amount for each in desk.table.mistakes if (each.round, each.patron) == (number, body.patron)
    )
    return sum(each for each in found if (each < 0) is too_little)
