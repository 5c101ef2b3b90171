"""When a command makes sense at all: in which phase, during a case, at a paused table."""

import typing

from thirdcard.game import betting, drawing, squeezing
from thirdcard.game import commands as cmd
from thirdcard.game.card_sources import INITIAL
from thirdcard.game.case_cards import AFTER_THE_ROUND, blocking, goes_with_the_cards, refuse_before
from thirdcard.game.desk import QueryDesk
from thirdcard.game.state import Phase, Table, Wait
from thirdcard.refusals import Refusal, Refused, refuse

S, I, B, C, D, O = Phase.SHUT, Phase.IDLE, Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME  # noqa: E741
OPEN = (I, B, C, D, O)

# in which phases a command makes sense; a command that is not listed always does
PHASES: dict[type[cmd.Body], tuple[Phase, ...]] = {
    cmd.SetUpTable: (S,),
    cmd.TickEquipment: (S,),
    cmd.RecordConfirmation: (S,),
    cmd.OpenTable: (S,),
    cmd.CloseTable: (I,),
    cmd.StopAfterRound: OPEN,
    cmd.CancelStop: OPEN,
    cmd.ChangeMethod: (I,),
    cmd.LimitOwners: (I, B),
    cmd.LoadShoe: (S, I, B, C),
    cmd.CountCards: (S, I),
    cmd.OpenShoe: (S, I, B, C),
    cmd.CutCards: (S, I, B, C),
    cmd.BurnCards: (S, I, B, C, D, O),
    cmd.TakeDevice: (I, B, C, D),
    cmd.OpenBetting: (I,),
    cmd.CloseBetting: (B,),
    cmd.DealNow: (B,),
    cmd.AskToDecreaseWagers: (B, C),
    cmd.RemoveWager: (B, C),
    cmd.FindWager: (S, I, C, D, O),
    cmd.CorrectWager: (S, I, C, D, O),
    cmd.DrawCard: (B, C, D, O),
    cmd.SeeCuttingCard: (B, C, D, O),
    cmd.PassCards: (D, O),
    cmd.ChooseSqueezer: (D,),
    cmd.DeclineCards: (D,),
    cmd.ChooseRevealOrder: (D,),
    cmd.LookAtCards: (D,),
    cmd.ExposeCards: (D,),
    cmd.AnnounceTotals: (D, O),
    cmd.CallOutcome: (O,),
    cmd.ReportDeviceResult: (I, O),
    cmd.DealFreeHand: (I, B, C),
    cmd.PlaceWager: OPEN,
    cmd.ReduceWager: OPEN,
    cmd.CountOpener: (S, I),
    cmd.CountCloser: (S, I),
}

# what may still be asked while an irregularity is under way
DURING_A_CASE = (
    cmd.ReportIrregularity,
    cmd.ConfirmFacts,
    cmd.DisproveFacts,
    cmd.WithdrawReport,
    cmd.CorrectCard,
    cmd.Rule,
    cmd.AnswerOffer,
    cmd.EndOffer,
    cmd.ReserveCards,
    cmd.EnterSortedCards,
    cmd.SubstituteCards,
    cmd.ComeOnDuty,
    cmd.GoOffDuty,
    cmd.AppointActing,
    cmd.ComeToTable,
    cmd.LeaveTable,
    cmd.PauseTable,
    cmd.ResumeTable,
    cmd.StopAfterRound,
    cmd.CancelStop,
    cmd.ChangeTable,
    cmd.AcknowledgeAlert,
    cmd.RaiseAlarm,
    cmd.HoldMoney,  # chips are held whatever else is under way
    cmd.DecideHeldMoney,
    cmd.BuyCredits,  # credits are the patron's own; what is at stake lies as a wager
    cmd.CashOut,
    cmd.ConfirmCredits,
    *typing.get_args(cmd.DisputeCommand),
    *typing.get_args(cmd.ChipsCommand),  # chips and cash are where they are, whatever else is under way
)
WHILE_PAUSED = (*DURING_A_CASE, cmd.CloseTable, cmd.OpenShoe)
# chips that move after closing, or are found to lie there, are recorded whatever else is under way
CHIPS = (cmd.PlaceWager, cmd.ReduceWager, cmd.FindWager, cmd.CorrectWager)
# by which new cards come, and with them an end to what is asked about cards of the next hand
NEW_CARD_COMMANDS = (cmd.ChooseCards, cmd.LoadShoe)


def refuse_now(desk: QueryDesk, body: cmd.Body) -> Refused | None:
    """Refuse a command whose time it is not."""
    table = desk.table
    if table.open_cases and not isinstance(body, DURING_A_CASE):
        case = blocking(table)
        late = isinstance(body, CHIPS) and table.phase in (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
        sorting = (Wait.RESERVED_CARDS, Wait.SORTED_CARDS)
        opens = isinstance(body, cmd.ExposeCards) and case is not None and case.waits in sorting
        set_goes = isinstance(body, NEW_CARD_COMMANDS) and _ends_with_the_cards(table)
        if case is not None and not (late or opens or set_goes or _is_fact(desk, body)):
            return refuse_before(case)
    if table.paused and not isinstance(body, WHILE_PAUSED):
        return refuse(Refusal.TABLE_PAUSED)
    phases = PHASES.get(type(body))
    if phases is None or table.phase in phases or _is_call_after_all(table, body):
        return None
    if isinstance(body, cmd.DrawCard) and drawing.is_after_the_round(desk, body):
        return None
    return refuse(Refusal.NOT_IN_THIS_PHASE, *_why(desk, body), phase=f"@phase.{table.phase.value}")


def _is_fact(desk: QueryDesk, body: cmd.Body) -> bool:
    """Whether a command says what happened although a case is open, or only a permission is in its way."""
    playing = (Phase.DEALING, Phase.OUTCOME)
    waits = [
        each.waits
        for each in desk.table.open_cases
        if not (desk.table.phase in playing and each.situation in AFTER_THE_ROUND)
    ]
    if all(each is Wait.PERMISSION for each in waits):  # a clause that says may holds nobody up
        return True
    match body:
        case cmd.GiveUpDevice() | cmd.SeeCuttingCard():
            return True
        case cmd.CloseBetting():
            return _is_call_after_all(desk.table, body)
        case cmd.LookAtCards():  # nobody sees her look who took the cards along
            return desk.round is not None and squeezing.was_taken_along(desk, desk.round, body.hand) is None
        case cmd.ExposeCards():
            holder = squeezing.holder_of(desk, body.hand)
            return holder is not None and holder == (body.by or holder)
        case cmd.DrawCard():
            return body.instead and drawing.can_have_come(desk)
        case _:
            return False


def _is_call_after_all(table: Table, body: cmd.Body) -> bool:
    """Whether the Dealer makes the closing call after a first card that came without it."""
    return isinstance(body, cmd.CloseBetting) and betting.is_call_owed(table)


def _ends_with_the_cards(table: Table) -> bool:
    """Whether new cards must or may come, and all that is asked is about cards of the next hand."""
    shoe = table.shoe
    due = shoe is not None and (shoe.new_cards_due or shoe.doubted_by is not None)
    return due and all(goes_with_the_cards(table, each) for each in table.open_cases)


def _why(desk: QueryDesk, body: cmd.Body) -> tuple[str, ...]:
    """The clause that fixes when something may be done."""
    rules, methods = desk.document.round, desk.document.methods
    match body:
        case cmd.PlaceWager() | cmd.ReduceWager():
            return (rules.opening.clause,)
        case cmd.ChangeMethod() if methods:
            return (methods.change_clause,)
        case cmd.DrawCard() | cmd.OpenBetting():
            return (rules.begins.clause,)
        case cmd.CallOutcome() if desk.round is not None and len(desk.round.cards) < INITIAL:
            return desk.document.deal.two_hands
        case _:
            return ()
