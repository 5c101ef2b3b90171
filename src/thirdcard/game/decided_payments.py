"""Payments and claims by decisions about a round, counted so that nothing is paid or taken twice."""

from collections import Counter
from collections.abc import Iterable

from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.earlier_rounds import Mistake
from thirdcard.game.state import Table
from thirdcard.game.terminal_credits import about_credits
from thirdcard.rulebook.house import REFERRAL


def sum_of(found: Iterable[Mistake], number: int, patron: str) -> int:
    """The sum of what is remembered of a patron and a round."""
    return sum(each.amount for each in found if (each.round, each.patron) == (number, patron))


def is_decided_about(table: Table) -> bool:
    """Whether there is any decision to count: a payment, a claim, or a dispute that may have an award."""
    return bool(table.claimed or table.payments or table.disputes)


def set_off(desk: Desk, given: Counter[str], clauses: tuple[Clause, ...]) -> None:
    """Set what a patron is given off against what the patron owes of the same round."""
    current = desk.table.round
    for claim in current.claims if current else ():
        amount = min(claim.credits, given[claim.terminal])
        if amount > 0:
            cited = (*clauses, *about_credits(desk))
            desk.emit(ev.ClaimBooked(patron=claim.terminal, amount=-amount, clauses=cited))


def count_decided(
    desk: Desk, given: Counter[str], clauses: tuple[Clause, ...], *, void: bool = False
) -> Counter[str]:
    """Count what was decided about a round against its settlement now, or against the stakes of a void one.

    What a patron gets less than when a claim was decided is not claimed as well, and what the patron gets
    more than when a payment or an award was decided is not paid as well. If it turns round once more, the
    decisions hold as they were made. Nothing is claimed of a round that is void. Return what is taken of each
    patron's payments, below zero where it is paid again.
    """
    number, table = desk.table.settled_round, desk.table
    decided = [each.patron for each in (*table.claimed, *table.payments) if each.round == number]
    awarded = [each.patron for each in table.disputes if each.round == number]
    taken: Counter[str] = Counter()
    for patron in dict.fromkeys((*decided, *awarded)):
        _count_claims(desk, (number, patron), None if void else given[patron], clauses)
        paid = [each for each in _of(table.payments, number, patron) if not each.made_good]
        covered = _covered(paid, given[patron])
        change = covered + sum(each.amount for each in paid if each.counted)
        taken[patron] = change
        if change:
            desk.emit(_corrected(desk, patron, change, clauses))
        _count_awards(desk, (number, patron), (given[patron], covered), clauses)
    return taken


def _of(found: Iterable[Mistake], number: int, patron: str) -> list[Mistake]:
    return [each for each in found if (each.round, each.patron) == (number, patron)]


def _covered(decided: Iterable[Mistake], given: int, sign: int = 1) -> int:
    """Return what of several decisions a settlement covers, by what it gives more, or less, than before."""
    covered = 0
    for each in decided:
        if each.given is not None:
            covered += min(max(sign * (given - each.given) - covered, 0), each.amount)
    return covered


def _corrected(desk: Desk, patron: str, amount: int, clauses: tuple[Clause, ...]) -> ev.PaymentCorrected:
    """A decided payment is taken back, or given again: nobody decides that, so that nobody stands for it."""
    by, second = (desk.actor, desk.envelope.authoriser) if amount > 0 else ("", None)
    procedure = None if clauses else REFERRAL
    return ev.PaymentCorrected(
        patron=patron, amount=amount, by=by, second=second, procedure=procedure, clauses=clauses
    )


def _count_claims(desk: Desk, told: tuple[int, str], given: int | None, clauses: tuple[Clause, ...]) -> None:
    """Let claims lapse as far as the settlement has taken the money, or all of them; or claim it again."""
    table, (number, patron) = desk.table, told
    claimed = _of(table.claimed, number, patron)
    mistaken = sum_of((each for each in table.mistakes if each.amount > 0), number, patron)
    beside = max(mistaken + _paid_by_decision(table, number, patron), 0)
    of_outcome = max(sum(each.amount for each in claimed if not each.counted) - beside, 0)
    lapsed = of_outcome if given is None else min(_covered(claimed, given, -1), of_outcome)
    change = lapsed + sum(each.amount for each in claimed if each.counted)
    if change:
        by, second = (desk.actor, desk.envelope.authoriser) if change > 0 else ("", None)
        over = ev.PaymentClaimed(
            patron=patron,
            amount=-change,
            by=by,
            second=second,
            procedure=None if clauses else REFERRAL,
            clauses=clauses,
        )
        desk.emit(over)


def _count_awards(
    desk: Desk, told: tuple[int, str], counted: tuple[int, int], clauses: tuple[Clause, ...]
) -> None:
    """Let awards that nobody has paid lapse as far as the settlement gives the money; or owe them again."""
    given, covered = counted
    for dispute in desk.table.disputes:
        if (dispute.round, dispute.patron) != told or dispute.given is None:
            continue
        part = min(max(given - dispute.given - covered, 0), dispute.unpaid + dispute.set_off)
        covered += part
        if part != dispute.set_off:
            off = ev.AwardSetOff(
                id=dispute.id,
                patron=dispute.patron,
                amount=part - dispute.set_off,
                procedure=None if clauses else REFERRAL,
                clauses=clauses,
            )
            desk.emit(off)


def _paid_by_decision(table: Table, number: int, patron: str) -> int:
    """Return what decisions paid to a patron for a round, but for making good a payment too small."""
    return sum_of((each for each in table.payments if not each.made_good), number, patron)
