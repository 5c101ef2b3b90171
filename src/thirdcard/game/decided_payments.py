"""Payments and claims by decisions about a round, counted so that nothing is paid or taken twice."""

from collections import Counter
from collections.abc import Iterable

from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.earlier_rounds import Mistake
from thirdcard.game.state import Table
from thirdcard.rulebook.house import REFERRAL


def sum_of(found: Iterable[Mistake], number: int, patron: str) -> int:
    """The sum of what is remembered of a patron and a round."""
    return sum(each.amount for each in found if (each.round, each.patron) == (number, patron))


def is_decided_about(table: Table) -> bool:
    """Whether there is any decision to count: a payment, a claim, or a dispute that may have an award."""
    return bool(table.claimed or table.payments or table.disputes)


def count_decided(
    desk: Desk, before: Counter[str], given: Counter[str], clauses: tuple[Clause, ...], *, void: bool = False
) -> None:
    """Count what was decided about the settlement before, once it is made again or the round is void.

    What a patron gets less now is not claimed from the patron as well, and what the patron gets more was not
    lacking, nor is it awarded as well. Nothing is claimed of a round that is void.
    """
    number, table = desk.table.settled_round, desk.table
    decided = [each.patron for each in (*table.claimed, *table.payments) if each.round == number]
    awarded = [each.patron for each in table.disputes if each.round == number and each.unpaid > 0]
    second, procedure = desk.envelope.authoriser, None if clauses else REFERRAL
    for patron in dict.fromkeys((*decided, *awarded)):
        less, more = before[patron] - given[patron], given[patron] - before[patron]
        claimed = _claimed_of_outcome(table, number, patron)
        lapsed = claimed if void else min(claimed, less)
        if lapsed > 0:
            over = ev.PaymentClaimed(
                patron=patron,
                amount=-lapsed,
                by=desk.actor,
                second=second,
                procedure=procedure,
                clauses=clauses,
            )
            desk.emit(over)
        again = min(_paid_by_decision(table, number, patron), more)
        if again > 0:
            back = ev.PaymentCorrected(
                patron=patron,
                amount=again,
                by=desk.actor,
                second=second,
                procedure=procedure,
                clauses=clauses,
            )
            desk.emit(back)
        _set_awards_off(desk, (number, patron), more - max(again, 0), clauses)


def _set_awards_off(desk: Desk, told: tuple[int, str], more: int, clauses: tuple[Clause, ...]) -> None:
    """Let awards that nobody has paid lapse, as far as a patron gets more of the round in question."""
    for dispute in desk.table.disputes:
        amount = min(dispute.unpaid, more) if (dispute.round, dispute.patron) == told else 0
        if amount > 0:
            off = ev.AwardSetOff(
                id=dispute.id,
                patron=dispute.patron,
                amount=amount,
                procedure=None if clauses else REFERRAL,
                clauses=clauses,
            )
            desk.emit(off)
            more -= amount


def _paid_by_decision(table: Table, number: int, patron: str) -> int:
    """Return what decisions paid to a patron for a round, but for making good a payment too small."""
    return sum_of((each for each in table.payments if not each.made_good), number, patron)


def _claimed_of_outcome(table: Table, number: int, patron: str) -> int:
    """Return what decisions claimed from a patron of a round's outcome, and not of payments beside it."""
    mistaken = sum_of((each for each in table.mistakes if each.amount > 0), number, patron)
    beside = mistaken + _paid_by_decision(table, number, patron)
    return max(sum_of(table.claimed, number, patron) - max(beside, 0), 0)
