"""Credits at a terminal: bought and cashed out, by its patron or by staff as the house controls it."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.controls import refuse_alone, refuse_without_reason
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.money_state import CreditRequest
from thirdcard.money import MOST_AMOUNT, format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import BUY_IN, CASH_OUT, MoneyAct


def buy_credits(desk: Desk, body: cmd.BuyCredits) -> Refused | None:
    """Buy credits at a terminal; where no clause speaks of credits, the house has its procedure."""
    return _refuse_purchase(desk, body) or _move(desk, MoneyAct.BUY_IN, body)


def cash_out(desk: Desk, body: cmd.CashOut) -> Refused | None:
    """Cash out credits, never more than there are."""
    return _refuse_payout(desk, body) or _move(desk, MoneyAct.CASH_OUT, body)


def answer_request(desk: Desk, body: cmd.ConfirmCredits) -> Refused | None:
    """Let the patron confirm, or decline, what staff want to sell or to cash out at the terminal."""
    told = (each for each in desk.table.credit_requests if each.id == body.id)
    request = next((each for each in told if each.terminal == desk.actor), None)
    if request is None:
        return refuse(Refusal.NOT_AWAITED)
    if not body.agrees:
        desk.emit(ev.CreditsDeclined(id=request.id, terminal=request.terminal))
        return None
    if request.act is MoneyAct.BUY_IN:
        refused = _refuse_purchase(desk, cmd.BuyCredits(terminal=request.terminal, amount=request.amount))
    else:
        refused = _refuse_payout(desk, cmd.CashOut(terminal=request.terminal, amount=request.amount))
    if refused is None:
        _emit(desk, request)
    return refused


def _refuse_purchase(desk: QueryDesk, body: cmd.BuyCredits) -> Refused | None:
    """Why credits cannot be bought; a terminal never has more than every reader of numbers keeps whole."""
    refused = _refuse_amount(desk, body.amount)
    if refused:
        return refused
    if not is_here(desk, body.terminal):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.terminal)
    if desk.table.credits_of(body.terminal) + body.amount > MOST_AMOUNT:
        return refuse(Refusal.TOO_MANY_CREDITS, most=format_amount(MOST_AMOUNT, desk.house.currency))
    return None


def _refuse_payout(desk: QueryDesk, body: cmd.CashOut) -> Refused | None:
    refused = _refuse_amount(desk, body.amount)
    if refused:
        return refused
    short = desk.table.credits_of(body.terminal) < body.amount
    return refuse(Refusal.CREDITS_SHORT, *about_credits(desk)) if short else None


def _refuse_amount(desk: QueryDesk, amount: int) -> Refused | None:
    if not desk.table.setup.terminal:
        return refuse(Refusal.CREDITS_NOT_HERE, *_chips(desk))
    positive = amount > 0
    return None if positive else refuse(Refusal.STAKE_NOT_POSITIVE, stake=str(amount), wager="credits")


def _move(desk: Desk, act: MoneyAct, body: cmd.BuyCredits | cmd.CashOut) -> Refused | None:
    """Move credits for the patron, or ask the patron first where staff do it and the house says so.

    A patron who has left confirms nothing; then two people stand for it.
    """
    own = desk.actor == body.terminal
    request = CreditRequest(
        id=desk.table.asked_credits + 1,
        act=act,
        terminal=body.terminal,
        amount=body.amount,
        by=desk.actor,
        second=desk.envelope.authoriser,
        reason=body.reason,
    )
    asks = not own and desk.house.control(act).patron
    gone = asks and not is_here(desk, body.terminal)
    refused = None if own else _refuse_staff(desk, request, gone=gone)
    if refused:
        return refused
    if asks and not gone:
        asked = ev.CreditsAsked(
            id=request.id,
            act=act,
            terminal=body.terminal,
            amount=body.amount,
            by=desk.actor,
            second=desk.envelope.authoriser,
            reason=body.reason,
            clauses=about_credits(desk),
        )
        desk.emit(asked)
    else:
        _emit(desk, request, own=own)
    return None


def _refuse_staff(desk: Desk, request: CreditRequest, *, gone: bool) -> Refused | None:
    """Why staff do not move credits: by a reason that lacks, or alone."""
    refused = refuse_without_reason(desk, request.act, request.reason)
    if refused is None and gone and request.second is None:
        return refuse(Refusal.SECOND_PERSON_NEEDED)
    return refused or refuse_alone(desk, request.act, request.amount)


def _emit(desk: Desk, request: CreditRequest, *, own: bool = False) -> None:
    buys = request.act is MoneyAct.BUY_IN
    kind = ev.CreditsBought if buys else ev.CreditsCashedOut
    moved = kind(
        terminal=request.terminal,
        amount=request.amount,
        procedure=BUY_IN if buys else CASH_OUT,
        by=None if own else request.by,
        second=None if own else request.second,
        reason=request.reason,
        clauses=about_credits(desk),
    )
    desk.emit(moved)


def _chips(desk: QueryDesk) -> tuple[Clause, ...]:
    chips = desk.document.round.chips_only
    return (chips,) if chips else ()


def about_credits(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clause about credits, where the document knows any."""
    clause = desk.document.round.credits
    return (clause,) if clause else ()
