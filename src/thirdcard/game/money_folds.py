"""The table after money moved outside a round: the act stays unseen until somebody else acknowledges it."""

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.money_state import CreditRequest, UnseenMoney
from thirdcard.game.state import Table
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import Preset

# rulings by which stakes go back; what else a post decides to pay or to claim is an event of its own
GIVES_STAKES_BACK = frozenset((Preset.VOID_ROUND.value, Preset.RETURN_WAGERS.value))
MOVES_MONEY: frozenset[type[ev.Event]] = frozenset(
    (
        ev.CreditsBought,
        ev.CreditsCashedOut,
        ev.ChipsBought,
        ev.ChipsFilled,
        ev.ChipsReturned,
        ev.OpenerCounted,
        ev.CloserCounted,
        ev.DropCounted,
        ev.SlipVoided,
        ev.DisputeDecided,
        ev.ComplaintAnswered,
        ev.AwardPaid,
        ev.WagerFound,
        ev.WagerReduced,
        ev.CardCorrected,
        ev.PaymentClaimed,
        ev.PaymentCorrected,
        ev.HeldMoneyDecided,
        ev.RulingMade,
    )
)


def act_of(table: Table, event: ev.Event) -> UnseenMoney | None:  # noqa: C901, PLR0911, PLR0912 - one case an event
    """Return the act by which somebody moves money outside a round, if an event is one.

    What a patron does at the own terminal needs nobody. A post that decides alone by its clause is seen too.
    """
    if type(event) is ev.WagerReduced and not event.mistaken:  # the most frequent one
        return None
    match event:
        case ev.CreditsBought(by=str(by)):
            return _act(table, MoneyAct.BUY_IN, event.terminal, event.amount, by, event.second)
        case ev.CreditsCashedOut(by=str(by)):
            return _act(table, MoneyAct.CASH_OUT, event.terminal, event.amount, by, event.second)
        case ev.ChipsBought():
            return _act(table, MoneyAct.BUY_IN, event.patron, event.amount, event.by, event.second)
        case ev.ChipsFilled() | ev.ChipsReturned():
            return _act(table, MoneyAct(event.procedure), "", event.amount, event.by, event.second)
        case ev.OpenerCounted() | ev.CloserCounted() | ev.DropCounted() if differs(event):
            missing = abs(event.amount - (event.expected or 0))
            return _act(table, MoneyAct(event.procedure), "", missing, event.by, event.second)
        case ev.DisputeDecided() | ev.ComplaintAnswered() if event.award > event.counted:
            patron = next(each.patron for each in table.disputes if each.id == event.id)
            return _act(table, MoneyAct.AWARD, patron, event.award, event.by, event.second)
        case ev.AwardPaid():
            return _act(table, MoneyAct.AWARD_PAYMENT, event.patron, event.amount, event.by, event.second)
        case ev.WagerFound():
            return _act(table, MoneyAct.FOUND_WAGER, event.patron, event.amount, event.by, event.second)
        case ev.WagerReduced():
            return _act(table, MoneyAct.CORRECTION, event.patron, event.amount, event.by, event.second)
        case ev.SlipVoided():
            return _act(table, MoneyAct.CORRECTION, event.patron or "", event.amount, event.by, event.second)
        case ev.CardCorrected():
            return _act(table, MoneyAct.CORRECTION, "", 0, event.by, event.second)
        case ev.PaymentClaimed() | ev.PaymentCorrected() if event.by:
            return _act(table, MoneyAct.PAYMENT, event.patron, abs(event.amount), event.by, event.second)
        case ev.HeldMoneyDecided():
            return _act(table, MoneyAct.PAYMENT, event.patron, event.amount, event.by, event.second)
        case ev.RulingMade(second=None, entered_by=None) if GIVES_STAKES_BACK & {event.choice, *event.also}:
            return _act(table, MoneyAct.RULING, event.patron or "", 0, event.by, None)
        case _:
            return None


def differs(event: ev.OpenerCounted | ev.CloserCounted | ev.DropCounted) -> bool:
    """Whether a count is not what must be there; the first opener has nothing to be."""
    return event.expected not in (None, event.amount)


def _act(
    table: Table, act: MoneyAct, patron: str, amount: int, by: str, second: str | None
) -> UnseenMoney | None:
    """Return the next act; the table itself is nobody whom somebody else must look after."""
    if by == table.setup.table:
        return None
    return UnseenMoney(table.money_acts + 1, act, by, second, patron, amount)


def note_act(table: Table, event: ev.Event) -> Table:
    """The table with an act that nobody else has seen, counted with those of the same people and patron."""
    act = act_of(table, event)
    if act is None:
        return table
    same = next((each for each in table.unseen if act.is_more_of(each)), None)
    if same is not None:
        act = replace(act, amount=same.amount + act.amount, times=same.times + 1)
    others = tuple(each for each in table.unseen if each is not same)
    return replace(table, money_acts=act.id, unseen=(*others, act))


def see_act(table: Table, event: ev.AlertAcknowledged) -> Table:
    """The table when somebody has acknowledged an act."""
    if not event.act:
        return table
    return replace(table, unseen=tuple(each for each in table.unseen if each.id != event.act))


def ask_patron(table: Table, event: ev.CreditsAsked) -> Table:
    """The table when a patron is asked to confirm; only the last request of a patron stands."""
    request = CreditRequest(
        id=event.id,
        act=event.act,
        terminal=event.terminal,
        amount=event.amount,
        by=event.by,
        second=event.second,
        reason=event.reason,
    )
    others = tuple(each for each in table.credit_requests if each.terminal != event.terminal)
    return replace(table, credit_requests=(*others, request), asked_credits=event.id)


def answer_request(table: Table, terminal: str) -> Table:
    """The table when a patron is asked no more."""
    if not table.credit_requests:
        return table
    left = tuple(each for each in table.credit_requests if each.terminal != terminal)
    return replace(table, credit_requests=left)
