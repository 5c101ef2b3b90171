"""Wagers that lay in time and are found only after closing."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import refuse_stranger
from thirdcard.game.betting import (
    no_wagers,
    own_wager,
    refuse_late,
    refuse_position,
    wagers_at,
)
from thirdcard.game.case_cards import blocking
from thirdcard.game.controls import refuse_two, refuse_without_reason
from thirdcard.game.decreasing import late_withdrawal_clauses
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.wager_claims import refuse_now
from thirdcard.game.rounds import BETWEEN_ROUNDS, is_settled_last
from thirdcard.game.settlement import refuse_wager
from thirdcard.game.state import Phase
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import MoneyAct


def may_establish(desk: QueryDesk) -> bool:
    """Whether two people can establish what lay on the felt: after closing, until the next opening."""
    table = desk.table
    settled = table.phase in BETWEEN_ROUNDS and is_settled_last(desk) and blocking(table) is None
    after_closing = table.phase in (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
    return (settled or after_closing) and not (table.setup.terminal or table.paused)


def refuse_found(desk: Desk, body: cmd.FindWager) -> Refused | None:
    """Why chips cannot have lain on the felt in time.

    No clause gives this to anybody, so that two people establish it. Their patron may have left since.
    """
    if desk.table.setup.terminal:  # a terminal takes nothing that it does not know of
        return refuse_late(desk)
    settled = is_settled_last(desk)
    if desk.table.phase in BETWEEN_ROUNDS and not settled:
        return refuse_now(desk)
    return (
        (None if settled else no_wagers(desk))
        or refuse_stranger(desk, body.patron)
        or refuse_position(desk, body.position)
        or refuse_wager(desk.rulebook, desk.house, body.wager, body.amount)
        or refuse_two(desk, MoneyAct.FOUND_WAGER)
        or refuse_without_reason(desk, MoneyAct.FOUND_WAGER, body.reason)
    )


def record_found(desk: Desk, body: cmd.FindWager) -> Refused | None:
    """Chips that lay on the felt in time but are found only now: recorded as they are, limits or not."""
    if body.was_pulled:
        return _record_not_pulled(desk, body)
    emit_found(desk, body)
    return None


def emit_found(desk: Desk, body: cmd.FindWager) -> None:
    """Record a wager that lies there, or more chips of one."""
    existing = own_wager(wagers_at(desk, body.wager, body.position), body.patron)
    limits, offered = desk.document.limits, desk.rulebook.wagers[body.wager].placed
    number = existing.id if existing else desk.table.next_wager
    held = existing.held if existing else 0
    _emit(desk, body, number, (limits.posted,) if limits else offered, held)


def _record_not_pulled(desk: Desk, body: cmd.FindWager) -> Refused | None:
    """Put right that chips were booked as taken away late: they lie there, and the stake is what it was."""
    lying = wagers_at(desk, body.wager, body.position)
    away = next((each for each in lying if each.patron == body.patron and each.pulled), None)
    if away is None or body.amount > away.pulled:
        gone = format_amount(away.pulled if away else 0, desk.house.currency)
        return refuse(Refusal.LESS_WAS_TAKEN_AWAY, amount=gone)
    decides = desk.document.authority.not_covered
    clauses = late_withdrawal_clauses(desk) or ((decides.clause,) if decides else ())
    _emit(desk, body, away.id, clauses, away.held)
    return None


def _emit(desk: Desk, body: cmd.FindWager, number: int, clauses: tuple[Clause, ...], held: int) -> None:
    found = ev.WagerFound(
        id=number,
        patron=body.patron,
        position=body.position,
        wager=body.wager,
        amount=body.amount,
        by=desk.actor,
        second=desk.envelope.authoriser,
        was_pulled=body.was_pulled,
        held=held,
        reason=body.reason,
        clauses=clauses,
    )
    desk.emit(found)
