"""A wager that was entered by mistake is corrected to what lay there, by two people."""

from thirdcard.game import commands as cmd
from thirdcard.game.attendance import refuse_stranger
from thirdcard.game.betting import refuse_held, refuse_late, refuse_position
from thirdcard.game.case_cards import refuse_before
from thirdcard.game.causes import Cause
from thirdcard.game.controls import refuse_two, refuse_without_reason
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.cases import run_cases
from thirdcard.game.irregularities.established_wagers import look_at_established, refer_wager
from thirdcard.game.irregularities.found_wagers import emit_found
from thirdcard.game.irregularities.money_effects import order_of, reverse_settlement
from thirdcard.game.irregularities.wager_claims import refuse_now
from thirdcard.game.limits import gap_of
from thirdcard.game.named_wagers import refuse_no_wager
from thirdcard.game.reducing import reduced
from thirdcard.game.rounds import BETWEEN_ROUNDS, is_settled_last, tells_outcome
from thirdcard.game.settlement import refuse_wager
from thirdcard.game.state import PlacedWager
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import MoneyAct


def correct_wager(desk: Desk, body: cmd.CorrectWager) -> Refused | None:
    """Take a wager out that was entered by mistake, and enter what lay there instead, if anything did.

    No clause gives this to anybody, so that two people stand for it. Until the next opening a settlement is
    taken back, and made again, unless the cards do not tell the outcome any more.
    """
    settled = is_settled_last(desk)
    if desk.table.setup.terminal:  # a terminal has what was entered there
        return refuse_late(desk)
    if desk.table.phase in BETWEEN_ROUNDS and not settled:
        return refuse_now(desk)
    refused = refuse_two(desk, MoneyAct.CORRECTION) or refuse_without_reason(
        desk, MoneyAct.CORRECTION, body.reason
    )
    wager = refused or _entered(desk, body)
    if isinstance(wager, Refused):
        return wager
    refused = _refuse_amount(desk, body, wager) or _refuse_instead(desk, body)
    if refused:
        return refused
    if settled and not tells_outcome(desk):
        return refer_wager(desk, body)
    clauses = desk.rulebook.wagers[body.wager].placed
    if settled:
        reverse_settlement(desk, clauses)
    gap, order = gap_of(desk.table), order_of(wager, wager.stake - body.amount)
    desk.emit(reduced(desk, wager, body.amount, clauses, order=order, mistaken=True, reason=body.reason))
    found = _instead(body)
    if found is not None:
        emit_found(desk, found)
        refused = look_at_established(desk, found, gap)
    run_cases(desk)
    return refused


def correctable_wagers(desk: QueryDesk) -> tuple[PlacedWager, ...]:
    """The wagers whose entry can be corrected, once two people can establish what lay there."""
    decided = {(case.patron, case.wager, case.position) for case in desk.table.open_cases}
    return tuple(
        each
        for each in wagers_established(desk)
        if each.lying and not each.held and (each.patron, each.wager, each.position) not in decided
    )


def wagers_established(desk: QueryDesk) -> tuple[PlacedWager, ...]:
    """The wagers that lie there, or lay there in the round that was settled last."""
    current = desk.table.round
    return current.lay if current is not None and is_settled_last(desk) else desk.table.wagers


def _entered(desk: QueryDesk, body: cmd.CorrectWager) -> PlacedWager | Refused:
    """The wager that was entered, if neither a suspicion nor an open case decides about it.

    One wager too many in an area may have been entered wrongly, and then it is none too many.
    """
    told, lying = (body.patron, body.wager, body.position), wagers_established(desk)
    wager = next((each for each in lying if (each.patron, each.wager, each.position) == told), None)
    if wager is None:
        return refuse_no_wager(desk, lying, body)
    if wager.held:
        return refuse_held(desk, wager)
    for case in desk.table.open_cases:
        if (case.patron, case.wager, case.position) == told and case.cause is not Cause.WAGER_TOO_MANY:
            return refuse_before(case)
    return wager


def _refuse_amount(desk: QueryDesk, body: cmd.CorrectWager, wager: PlacedWager) -> Refused | None:
    """Refuse more than lies there, or less than a chip; chips that were taken away had lain there."""
    if not 0 < body.amount <= wager.lying:
        return refuse(Refusal.LESS_ON_THE_WAGER, stake=format_amount(wager.lying, desk.house.currency))
    return refuse_wager(desk.rulebook, desk.house, body.wager, body.amount)


def _refuse_instead(desk: QueryDesk, body: cmd.CorrectWager) -> Refused | None:
    """Refuse what cannot have lain there instead, and an entry that is the same."""
    found = _instead(body)
    if found is None:
        return None
    if (found.patron, found.wager, found.position) == (body.patron, body.wager, body.position):
        return refuse(Refusal.ENTERED_SO)
    return (
        refuse_stranger(desk, found.patron)
        or refuse_position(desk, found.position)
        or refuse_wager(desk.rulebook, desk.house, found.wager, found.amount)
    )


def _instead(body: cmd.CorrectWager) -> cmd.FindWager | None:
    """The wager that lay there in truth."""
    if body.to_wager is None:
        return None
    return cmd.FindWager(
        patron=body.to_patron or body.patron,
        wager=body.to_wager,
        amount=body.amount,
        position=body.to_position,
        reason=body.reason,
    )
