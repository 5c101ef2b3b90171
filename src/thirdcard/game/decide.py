"""The engine's one question: what follows from a command, given the rules, the house and the table?"""

from typing import assert_never

from msgspec import Struct

from thirdcard.game import (
    alarms,
    betting,
    closing,
    dealing,
    disputes,
    effects,
    floor,
    irregularities,
    offers,
    squeezing,
)
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import begin
from thirdcard.game.desk import Desk
from thirdcard.game.floor import find_method
from thirdcard.game.state import Phase, Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Method, ReplaceCards, Situation

S, I, B, C, D, O = Phase.SHUT, Phase.IDLE, Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME  # noqa: E741
OPEN = (I, B, C, D, O)

# in which phases a command makes sense; a command that is not listed always does
PHASES: dict[type[cmd.Body], tuple[Phase, ...]] = {
    cmd.SetUpTable: (S,),
    cmd.TickEquipment: (S,),
    cmd.OpenTable: (S,),
    cmd.CloseTable: (I,),
    cmd.ChangeMethod: (I,),
    cmd.LimitOwners: (I,),
    cmd.LoadShoe: (S, I),
    cmd.OpenShoe: (S, I),
    cmd.CutCards: (S, I),
    cmd.BurnCards: (S, I, B, C),
    cmd.TakeDevice: (I, B, C),
    cmd.OpenBetting: (I,),
    cmd.CloseBetting: (B,),
    cmd.AskToDecreaseWagers: (B, C),
    cmd.RemoveWager: (B, C),
    cmd.FindWager: (C, D, O),
    cmd.DrawCard: (B, C, D),
    cmd.SeeCuttingCard: (B, C, D),
    cmd.PassCards: (D,),
    cmd.ChooseSqueezer: (D,),
    cmd.DeclineCards: (D,),
    cmd.ChooseRevealOrder: (D,),
    cmd.LookAtCards: (D,),
    cmd.ExposeCards: (D,),
    cmd.CallOutcome: (O,),
    cmd.ReportDeviceResult: (I, O),
    cmd.DealFreeHand: (I, B, C),
    cmd.PlaceWager: OPEN,
    cmd.ReduceWager: OPEN,
}

# what may still be asked while an irregularity is under way
DURING_A_CASE = (
    cmd.ConfirmFacts,
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
    cmd.AcknowledgeAlert,
    cmd.RaiseAlarm,
)
WHILE_PAUSED = (*DURING_A_CASE, cmd.CloseTable, cmd.OpenShoe, cmd.ReportIrregularity)


class Decision(Struct, frozen=True):
    """The events that follow from a command, and the table as it is after each of them."""

    events: tuple[ev.Event, ...]
    tables: tuple[Table, ...]


def decide(
    rulebook: Rulebook, house: House, table: Table | None, command: cmd.Command
) -> tuple[ev.Event, ...] | Refused:
    """The events that follow from a command, or why none do.

    A table is set up by the books that it will have, and everything else is decided by those it has.
    """
    decision = decide_and_apply(rulebook, house, table, command)
    return decision if isinstance(decision, Refused) else decision.events


def decide_and_apply(
    rulebook: Rulebook, house: House, table: Table | None, command: cmd.Command
) -> Decision | Refused:
    """What ``decide`` says, with the tables that it has made on the way."""
    body = command.body
    refused = _instants(command)
    if refused:
        return refused
    if isinstance(body, cmd.SetUpTable) and table is None:
        first = floor.set_up(rulebook, house, body, command.envelope)
        return first if isinstance(first, Refused) else Decision((first,), (begin(first),))
    if table is None:
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase="@phase.shut")
    desk = Desk(rulebook, house, table, command.envelope)
    refused = _not_now(desk, body) or _decide(desk, body)
    return refused or Decision(tuple(desk.events), tuple(desk.tables))


def _instants(command: cmd.Command) -> Refused | None:
    """An instant without its offset cannot be set beside another."""
    body, received = command.body, command.envelope.received_at
    instants = (received, body.start, body.end) if isinstance(body, cmd.AppointActing) else (received,)
    for each in instants:
        if each.utcoffset() is None:
            return refuse(Refusal.TIME_WITHOUT_OFFSET, time=each.isoformat())
    return None


def _not_now(desk: Desk, body: cmd.Body) -> Refused | None:
    table = desk.table
    if table.case is not None and not isinstance(body, DURING_A_CASE):
        clauses = (table.case.clause,) if table.case.clause else ()
        return refuse(
            Refusal.IRREGULARITY_UNDER_WAY, *clauses, situation=f"@situation.{table.case.situation.value}"
        )
    if table.paused and not isinstance(body, WHILE_PAUSED):
        return refuse(Refusal.TABLE_PAUSED)
    phases = PHASES.get(type(body))
    if phases is not None and table.phase not in phases:
        return refuse(Refusal.NOT_IN_THIS_PHASE, *_why(desk, body), phase=f"@phase.{table.phase.value}")
    return None


def _why(desk: Desk, body: cmd.Body) -> tuple[str, ...]:
    """The clause that fixes when something may be done."""
    rules, methods = desk.document.round, desk.document.methods
    match body:
        case cmd.PlaceWager() | cmd.ReduceWager():
            return (rules.opening.clause,)
        case cmd.ChangeMethod() if methods:
            return (methods.change_clause,)
        case cmd.DrawCard() | cmd.OpenBetting():
            return (rules.begins.clause,)
        case _:
            return ()


def _decide(desk: Desk, body: cmd.Body) -> Refused | None:  # noqa: C901, PLR0911, PLR0912, PLR0915
    match body:
        case cmd.PlaceWager():  # first, because the steps of a round are the most frequent
            return betting.place_wager(desk, body)
        case cmd.DrawCard():
            return _draw(desk, body)
        case cmd.OpenBetting():
            return _staff_only(desk) or betting.open_betting(desk)
        case cmd.CloseBetting():
            return _staff_only(desk) or betting.close_betting(desk)
        case cmd.SetUpTable():
            return floor.set_up_anew(desk, body)
        case cmd.TickEquipment():
            return floor.tick_equipment(desk, body)
        case cmd.OpenTable():
            return floor.open_table(desk)
        case cmd.PauseTable():
            return _staff(desk, ev.TablePaused(reason=body.reason))
        case cmd.ResumeTable():
            return _staff(desk, ev.TableResumed())
        case cmd.CloseTable():
            refused = _staff_only(desk) or floor.still_sealed(desk)
            return refused or _staff(desk, ev.TableClosed(reason=body.reason))
        case cmd.ComeOnDuty():
            return floor.come_on_duty(desk, body)
        case cmd.GoOffDuty():
            desk.emit(ev.StaffLeft(person=body.person))
            return None
        case cmd.AppointActing():
            return _staff_only(desk) or floor.appoint_acting(desk, body)
        case cmd.ComeToTable():
            desk.emit(ev.PatronCame(patron=body.patron, position=body.position, seated=body.seated))
            return None
        case cmd.LeaveTable():
            return floor.leave_table(desk, body)
        case cmd.BuyCredits():
            return floor.buy_credits(desk, body)
        case cmd.CashOut():
            return floor.cash_out(desk, body)
        case cmd.ChangeMethod():
            return floor.change_method(desk, body)
        case cmd.LimitOwners():
            return floor.limit_owners(desk, body)
        case cmd.LoadShoe():
            return floor.load_shoe(desk, body)
        case cmd.OpenShoe():
            return floor.open_shoe(desk, body)
        case cmd.CutCards():
            return floor.cut_cards(desk, body)
        case cmd.BurnCards():
            return floor.burn_cards(desk, body)
        case cmd.AnnounceLastHand():
            return _staff(desk, ev.LastHandAnnounced())
        case cmd.TakeDevice() | cmd.GiveUpDevice() | cmd.PermitDrawing():
            return _device(desk, body)
        case cmd.PermitSqueeze() | cmd.ForbidSqueeze() | cmd.RequestSqueeze():
            return _squeeze(desk, body)
        case cmd.ReduceWager():
            return betting.reduce_wager(desk, body)
        case cmd.FindWager():
            return betting.record_found(desk, body)
        case cmd.AskToDecreaseWagers():
            return _staff_only(desk) or betting.ask_to_decrease(desk)
        case cmd.RemoveWager():
            return betting.remove_wager(desk, body)
        case cmd.SeeCuttingCard():
            return _staff_only(desk) or _cutting_card(desk)
        case cmd.PassCards():
            return dealing.pass_cards(desk, body)
        case cmd.ChooseSqueezer():
            return dealing.choose_squeezer(desk, body)
        case cmd.DeclineCards():
            return dealing.decline_cards(desk, body)
        case cmd.ChooseRevealOrder():
            return dealing.choose_reveal_order(desk, body)
        case cmd.LookAtCards():
            return dealing.look_at_cards(desk, body)
        case cmd.ExposeCards():
            return dealing.expose_cards(desk, body)
        case cmd.CallOutcome():
            return _staff_only(desk) or closing.call_outcome(desk, body.winner)
        case cmd.ReportDeviceResult():
            return _device_result(desk, body)
        case cmd.DealFreeHand():
            return dealing.deal_free_hand(desk)
        case cmd.ReportIrregularity():
            return irregularities.report(desk, body)
        case cmd.ConfirmFacts():
            return irregularities.confirm(desk)
        case cmd.Rule():
            return irregularities.rule(desk, body)
        case cmd.AnswerOffer():
            return offers.answer(desk, body) or _after_answers(desk, ended=False)
        case cmd.EndOffer():
            return offers.end_offer(desk) or _after_answers(desk, ended=True)
        case cmd.ReserveCards():
            return irregularities.reserve_cards(desk, body)
        case cmd.EnterSortedCards():
            return irregularities.enter_sorted(desk, body)
        case cmd.SubstituteCards():
            return irregularities.substitute(desk, body)
        case cmd.ChooseCards():
            return _choose_cards(desk, body)
        case cmd.AcknowledgeAlert():
            return alarms.acknowledge(desk, body)
        case cmd.RaiseAlarm():
            return alarms.raise_alarm(desk, body)
        case cmd.OpenDispute():
            return disputes.open_dispute(desk, body)
        case cmd.EscalateDispute():
            return disputes.escalate(desk, body)
        case cmd.InformSurveillance():
            return disputes.inform_surveillance(desk, body)
        case cmd.GiveTimeFrame():
            return disputes.give_time_frame(desk, body)
        case cmd.DecideDispute():
            return disputes.decide_dispute(desk, body)
        case cmd.AnswerDecision():
            return disputes.answer_decision(desk, body)
        case cmd.TellComplaintRight():
            return disputes.tell_right(desk, body)
        case cmd.FileComplaint():
            return disputes.file_complaint(desk, body)
        case cmd.CloseDispute():
            return disputes.close_dispute(desk, body)
        case _:
            assert_never(body)


def _staff_only(desk: Desk) -> Refused | None:
    return None if desk.is_staff(desk.actor) else refuse(Refusal.NOT_STAFF)


def _staff(desk: Desk, event: ev.Event) -> Refused | None:
    refused = _staff_only(desk)
    if refused is None:
        desk.emit(event)
    return refused


def _draw(desk: Desk, body: cmd.DrawCard) -> Refused | None:
    """A card that should come and does not is an irregularity of its own."""
    refused = dealing.may_draw(desk, body)
    if refused:
        return refused
    if dealing.is_empty(desk):
        return irregularities.notice(desk, cmd.ReportIrregularity(situation=Situation.TOO_FEW_CARDS))
    dealing.draw_card(desk, body)
    return None


def _cutting_card(desk: Desk) -> Refused | None:
    """The cutting card is put aside, once in a shoe; as the first card of a round it has rules of its own."""
    rule, current, shoe = desk.document.cutting_card, desk.table.round, desk.table.shoe
    if shoe is None or shoe.rounds_left is not None:
        return refuse(Refusal.NOT_AWAITED)
    first = desk.table.phase is not Phase.DEALING or current is None or not current.cards
    after = desk.house.form.settings.rounds_after_cutting_card
    clauses = (rule.clause,) if rule else ()
    desk.emit(ev.CuttingCardSeen(first=first, rounds_left=1 if first else 1 + after, clauses=clauses))
    if first and rule:
        return irregularities.notice(desk, cmd.ReportIrregularity(situation=Situation.CUTTING_CARD_FIRST))
    return None


def _after_answers(desk: Desk, *, ended: bool) -> Refused | None:
    """When everybody has answered, or the time is up, the case goes on."""
    case = desk.table.case
    if case is None or not (ended or offers.is_answered(desk)):
        return None
    effect = case.effects[case.done]
    desk.emit(ev.OfferClosed())
    effects.finish(desk, effect)
    irregularities.run_case(desk)
    return None


def _device(desk: Desk, body: cmd.TakeDevice | cmd.GiveUpDevice | cmd.PermitDrawing) -> Refused | None:
    methods, method = desk.document.methods, find_method(desk.document, Method.C)
    if methods is None or method is None or desk.table.method is not Method.C:
        return refuse(Refusal.METHOD_NOT_OFFERED, method=Method.C.value)
    control = methods.control
    match body:
        case cmd.PermitDrawing():
            by = desk.authority(control.without_wager)
            if isinstance(by, Refused):
                return by
            desk.emit(ev.DrawingPermitted(patron=body.patron, by=desk.actor, clauses=by))
        case cmd.TakeDevice():
            wagers = [
                e for e in desk.table.wagers if e.patron == body.patron and e.wager in ("player", "banker")
            ]
            if desk.table.device_holder is not None:
                return refuse(Refusal.NOT_THE_DRAWER, control.kept)
            if not wagers and body.patron not in desk.table.drawing_permitted:
                return refuse(Refusal.WAGER_NEEDED_TO_DRAW, control.without_wager.clause)
            desk.emit(ev.DeviceTaken(patron=body.patron, clauses=(control.kept, method.drawn_clause)))
        case _:
            if desk.table.device_holder != body.patron:
                return refuse(Refusal.NOT_THE_DRAWER, control.given_up)
            desk.emit(ev.DeviceReleased(patron=body.patron, clauses=(control.kept, control.given_up)))
    return None


def _squeeze(desk: Desk, body: cmd.PermitSqueeze | cmd.ForbidSqueeze | cmd.RequestSqueeze) -> Refused | None:
    rule = desk.document.squeezing
    if isinstance(body, cmd.RequestSqueeze):
        granted = squeezing.request_squeeze(desk, body.patron)
        if isinstance(granted, Refused):
            return granted
        desk.emit(ev.SqueezeRequested(patron=body.patron, clauses=granted))
        return None
    permit = isinstance(body, cmd.PermitSqueeze)
    grant = (rule.permission if permit else rule.prohibition) if rule else None
    if grant is None:
        return refuse(Refusal.NOT_AWAITED)
    by = desk.authority(grant)
    if isinstance(by, Refused):
        return by
    if isinstance(body, cmd.PermitSqueeze):
        if desk.table.method is Method.B:
            method = find_method(desk.document, Method.B)
            clauses = (method.opened_clause,) if method else ()
            return refuse(Refusal.PATRONS_MAY_NOT_HANDLE_CARDS, *clauses)
        desk.emit(ev.SqueezePermitted(person=body.person, by=desk.actor, clauses=by))
    else:
        desk.emit(ev.SqueezeForbidden(by=desk.actor, clauses=by))
    return None


def _device_result(desk: Desk, body: cmd.ReportDeviceResult) -> Refused | None:
    """The device's own result is compared with the cards; a difference is an alert, and the cards decide.

    Where the table calls by itself the round is over by the time that the device shows its result.
    """
    facts = desk.table.round.facts if desk.table.round else None
    if facts is None:
        return refuse(Refusal.NOT_AWAITED)
    if body.winner is not facts.winner:
        items = desk.document.equipment
        clauses = tuple(item.clause for item in items if item.id == "card-reading-shoe")
        desk.emit(ev.DeviceMismatch(device=body.winner, cards=facts.winner, clauses=clauses))
    return None


def _choose_cards(desk: Desk, body: cmd.ChooseCards) -> Refused | None:
    shoe = desk.table.shoe
    if shoe is None or not shoe.patrons_choose:
        return refuse(Refusal.NOT_AWAITED)
    clauses = tuple(
        effect.clause
        for row in desk.document.irregularities
        for effect in row.effects
        if isinstance(effect, ReplaceCards) and effect.need == "patrons-choose"
    )
    need = "shall" if body.replace else "keep"
    return _staff(desk, ev.CardReplacementDue(need=need, clauses=clauses))
