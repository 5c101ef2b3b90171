"""Credits at a terminal: bought and cashed out."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import BUY_IN, CASH_OUT


def buy_credits(desk: Desk, body: cmd.BuyCredits) -> Refused | None:
    """Buy credits at a terminal; where no clause speaks of credits, the house has its procedure."""
    if not desk.table.setup.terminal:
        return refuse(Refusal.CREDITS_NOT_HERE, *_chips(desk))
    if body.amount <= 0:
        return refuse(Refusal.STAKE_NOT_POSITIVE, stake=str(body.amount), wager="credits")
    if not is_here(desk, body.terminal):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.terminal)
    bought = ev.CreditsBought(
        terminal=body.terminal, amount=body.amount, procedure=BUY_IN, clauses=about_credits(desk)
    )
    desk.emit(bought)
    return None


def cash_out(desk: Desk, body: cmd.CashOut) -> Refused | None:
    """Cash out credits, never more than there are."""
    if not desk.table.setup.terminal:
        return refuse(Refusal.CREDITS_NOT_HERE, *_chips(desk))
    if body.amount <= 0:
        return refuse(Refusal.STAKE_NOT_POSITIVE, stake=str(body.amount), wager="credits")
    if desk.table.credits_of(body.terminal) < body.amount:
        return refuse(Refusal.CREDITS_SHORT, *about_credits(desk))
    out = ev.CreditsCashedOut(
        terminal=body.terminal, amount=body.amount, procedure=CASH_OUT, clauses=about_credits(desk)
    )
    desk.emit(out)
    return None


def _chips(desk: QueryDesk) -> tuple[Clause, ...]:
    chips = desk.document.round.chips_only
    return (chips,) if chips else ()


def about_credits(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clause about credits, where the document knows any."""
    clause = desk.document.round.credits
    return (clause,) if clause else ()
