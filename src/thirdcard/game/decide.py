"""The engine's one question: what follows from a command, given the rules, the house and the table?"""

import datetime

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.game import (
    alarms,
    approvals,
    attendance,
    betting,
    chips,
    closing,
    counting,
    dealing,
    decreasing,
    device,
    disputes,
    drawing,
    methods,
    named_cases,
    offers,
    planning,
    set_up,
    shoe_loading,
    terminal_credits,
    texts,
    timing,
)
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import begin
from thirdcard.game.desk import Desk
from thirdcard.game.irregularities import cases as irregularities
from thirdcard.game.irregularities import (
    confirming,
    corrected_wagers,
    corrections,
    established_wagers,
    handling,
    judged_anew,
    left_with_cards,
    new_cards,
    noticed_hands,
    noticing,
    rulings,
    suspicions,
)
from thirdcard.game.methods import find_method
from thirdcard.game.state import Phase, Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Situation

# refusals of whoever does not act in a post here
OF_STAFF = (Refusal.NOT_STAFF, Refusal.NOT_AUTHORISED, Refusal.SECOND_PERSON_NEEDED)


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
    """Return what ``decide`` says, with the tables that it has made on the way."""
    body, envelope = command.body, command.envelope
    if type(body) in texts.TEXTS:
        trimmed = texts.with_texts_trimmed(body)
        if isinstance(trimmed, Refused):
            return trimmed
        body = trimmed
    if envelope.received_at.utcoffset() is None or isinstance(body, cmd.AppointActing):
        refused = _refuse_instants(envelope.received_at, body)
        if refused:
            return refused
    if table is None and isinstance(body, cmd.SetUpTable):
        refused = set_up.refuse_set_up(rulebook, house, body, envelope.received_at)
        if refused:
            return refused
        first = set_up.set_up(rulebook, body)
        return Decision((first,), (begin(first),))
    if table is None:
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase="@phase.shut")
    desk = Desk(rulebook, house, table, envelope, body)
    refused = named_cases.refuse_other(table, body) if type(body) in named_cases.NAMING else None
    if refused:
        return refused
    refused = desk.refuse_second() if envelope.authoriser is not None else None
    if refused:
        return _name_interest(desk, refused)
    lapsed = bool(table.open_cases) and irregularities.let_lapse(desk, body)
    if lapsed and desk.table.aside:
        noticing.look_at_cards_aside(desk)
    ended = lapsed and isinstance(body, cmd.EndOffer)  # that was all there was to end
    refused = None if ended else timing.refuse_now(desk, body) or _decide(desk, body)
    if refused is not None:
        return _name_interest(desk, refused)
    _look_around(desk, table, lapsed=lapsed)
    return Decision(tuple(desk.events), tuple(desk.tables))


def _name_interest(desk: Desk, refused: Refused) -> Refused:
    """Say of somebody on duty who is refused as a patron that it is for somebody else."""
    own = desk.refuse_interests(refused.clauses) if refused.reason in OF_STAFF else None
    return own or refused


def _look_around(desk: Desk, before: Table, *, lapsed: bool) -> None:
    """Look at the table as a command has left it, and open or close cases by what it shows."""
    table, current = desk.table, desk.table.round
    if table.open_cases or (current is not None and current.judged):
        judged_anew.judge_anew(desk)
    if desk.table.aside:
        noticing.lay_ordered_cards(desk)
        noticing.look_at_cards_aside(desk)
    if before.open_cases:
        noticing.close_pointless(desk, before)
    if lapsed:
        irregularities.call_by_itself(desk)
    shoe = desk.table.shoe  # a card may be known before it comes, or a burn is owed before it
    if shoe and (desk.table.strays or shoe.places.ahead or shoe.places.back or shoe.burn_owed):
        noticing.look_ahead(desk)
    if desk.document.burn is not None:
        noticing.look_for_burn(desk)
    if table.stop is not None or desk.table.stop is not None:
        planning.stop_if_over(desk)


def _refuse_instants(received: datetime.datetime, body: cmd.Body) -> Refused | None:
    """Refuse an instant without its offset, which cannot be set beside another."""
    instants = (received, body.start, body.end) if isinstance(body, cmd.AppointActing) else (received,)
    for each in instants:
        if each.utcoffset() is None:
            return refuse(Refusal.TIME_WITHOUT_OFFSET, time=each.isoformat())
    return None


def _decide(desk: Desk, body: cmd.Body) -> Refused | None:  # noqa: C901, PLR0911, PLR0912, PLR0915
    match body:
        case cmd.PlaceWager():  # first, because the steps of a round are the most frequent
            return betting.place_wager(desk, body)
        case cmd.ReduceWager():
            return _after(desk, _reduce(desk, body))
        case cmd.DrawCard():
            return drawing.draw(desk, body)
        case cmd.OpenBetting():
            return desk.refuse_other_than_dealer(
                (desk.document.round.opening.clause,)
            ) or betting.open_betting(desk)
        case cmd.CloseBetting():
            return desk.refuse_other_than_dealer(
                (desk.document.round.closing.clause,)
            ) or betting.close_betting(desk)
        case cmd.DealNow():
            return betting.deal_now(desk, body)
        case cmd.SetUpTable():
            return set_up.set_up_anew(desk, body)
        case cmd.TickEquipment():
            return set_up.tick_equipment(desk, body)
        case cmd.RecordConfirmation():
            return approvals.record_confirmation(desk, body)
        case cmd.OpenTable():
            return set_up.open_table(desk)
        case cmd.PauseTable():
            return _staff(desk, ev.TablePaused(reason=body.reason))
        case cmd.ResumeTable():
            refused = desk.refuse_other_than_staff() or (
                None if desk.table.paused else refuse(Refusal.NOT_AWAITED)
            )
            return refused or _staff(desk, ev.TableResumed())
        case cmd.CloseTable():
            refused = desk.refuse_other_than_staff() or shoe_loading.still_sealed(desk)
            return refused or _staff(desk, ev.TableClosed(reason=body.reason))
        case cmd.StopAfterRound():
            return planning.plan_stop(desk, body)
        case cmd.CancelStop():
            return planning.cancel_stop(desk)
        case cmd.ChangeTable():
            return planning.plan_change(desk, body)
        case cmd.ComeOnDuty():
            return attendance.come_on_duty(desk, body)
        case cmd.GoOffDuty():
            desk.emit(ev.StaffLeft(person=body.person))
            return None
        case cmd.AppointActing():
            return desk.refuse_other_than_staff() or attendance.appoint_acting(desk, body)
        case cmd.ComeToTable():
            return attendance.come_to_table(desk, body)
        case cmd.LeaveTable():
            return attendance.leave_table(desk, body) or new_cards.conclude(desk)
        case cmd.BuyCredits():
            return terminal_credits.buy_credits(desk, body)
        case cmd.CashOut():
            return terminal_credits.cash_out(desk, body)
        case cmd.ConfirmCredits():
            return terminal_credits.answer_request(desk, body)
        case cmd.ChangeMethod():
            return methods.change_method(desk, body)
        case cmd.LimitOwners():
            return set_up.limit_owners(desk, body)
        case cmd.LoadShoe():
            return shoe_loading.load_shoe(desk, body)
        case cmd.CountCards():
            return _count(desk, body)
        case cmd.OpenShoe():
            return shoe_loading.open_shoe(desk, body)
        case cmd.CutCards():
            return shoe_loading.cut_cards(desk, body)
        case cmd.BurnCards():
            return desk.refuse_other_than_staff() or drawing.burn_cards(desk, body)
        case cmd.AnnounceLastHand():
            return _staff(desk, ev.LastHandAnnounced())
        case cmd.TakeDevice() | cmd.GiveUpDevice() | cmd.PermitDrawing():
            return device.control_device(desk, body)
        case cmd.PermitSqueeze() | cmd.ForbidSqueeze() | cmd.RequestSqueeze():
            return handling.control_squeezing(desk, body)
        case cmd.HoldMoney():
            return suspicions.hold_money(desk, body)
        case cmd.DecideHeldMoney():
            return suspicions.decide_held(desk, body)
        case cmd.FindWager():
            return established_wagers.find_wager(desk, body)
        case cmd.CorrectWager():
            return corrected_wagers.correct_wager(desk, body)
        case cmd.AskToDecreaseWagers():
            return desk.refuse_other_than_staff() or decreasing.ask_to_decrease(desk)
        case cmd.RemoveWager():
            return decreasing.remove_wager(desk, body)
        case cmd.SeeCuttingCard():
            return desk.refuse_other_than_staff() or _cutting_card(desk)
        case cmd.PassCards():
            return noticed_hands.pass_hand(desk, body)
        case cmd.ChooseSqueezer():
            return handling.choose_squeezer(desk, body)
        case cmd.DeclineCards():
            return handling.decline_cards(desk, body)
        case cmd.ChooseRevealOrder():
            return handling.choose_reveal_order(desk, body)
        case cmd.LookAtCards():
            return handling.look_at_cards(desk, body)
        case cmd.ExposeCards():
            return noticed_hands.open_hand(desk, body)
        case cmd.AnnounceTotals():
            return desk.refuse_other_than_dealer(
                (desk.document.table_of_play.clause,)
            ) or dealing.announce_totals(desk, body)
        case cmd.CallOutcome():
            totals = (body.player, body.banker)
            return desk.refuse_other_than_dealer(_calling(desk)) or closing.call_outcome(
                desk, body.winner, totals
            )
        case cmd.ReportDeviceResult():
            return desk.refuse_other_than_staff() or device.compare_result(desk, body)
        case cmd.DealFreeHand():
            return dealing.deal_free_hand(desk)
        case cmd.ReportIrregularity():
            return irregularities.report(desk, body)
        case cmd.ConfirmFacts():
            return confirming.confirm(desk, body)
        case cmd.DisproveFacts():
            return confirming.disprove(desk, body)
        case cmd.WithdrawReport():
            return confirming.withdraw_report(desk, body)
        case cmd.CorrectCard():
            return corrections.correct_card(desk, body)
        case cmd.Rule():
            return rulings.rule(desk, body)
        case cmd.AnswerOffer():
            return _after(desk, offers.answer(desk, body))
        case cmd.EndOffer() if new_cards.may_choose(desk) and not desk.table.open_cases:
            return desk.refuse_other_than_staff() or new_cards.end_choice(desk)
        case cmd.EndOffer():
            return _after(desk, offers.end_offer(desk))
        case cmd.ReserveCards():
            return left_with_cards.reserve_cards(desk, body)
        case cmd.EnterSortedCards():
            return left_with_cards.enter_sorted(desk, body)
        case cmd.SubstituteCards():
            return left_with_cards.substitute(desk, body)
        case cmd.ChooseCards():
            return new_cards.choose_cards(desk, body)
        case cmd.AcknowledgeAlert():
            return alarms.acknowledge(desk, body)
        case cmd.RaiseAlarm():
            return alarms.raise_alarm(desk, body)
        case _ if isinstance(body, cmd.ChipsCommand):
            return chips.decide_chips(desk, body)
        case _:
            return disputes.decide_step(desk, body)


def _calling(desk: Desk) -> tuple[Clause, ...]:
    """The clauses that leave the result to the Dealer: of the call, or of the method of dealing."""
    method = find_method(desk.document, desk.table.method) if desk.table.method else None
    return desk.document.round.result_call or ((method.drawn_clause,) if method else ())


def _staff(desk: Desk, event: ev.Event) -> Refused | None:
    """Let anybody on duty make something happen."""
    refused = desk.refuse_other_than_staff()
    if refused is None:
        desk.emit(event)
    return refused


def _reduce(desk: Desk, body: cmd.ReduceWager) -> Refused | None:
    """Take chips off; after closing, where the document has no clause about it, that is for the post."""
    refused = decreasing.reduce_wager(desk, body)
    late = refused is not None and refused.reason is Refusal.NO_LATE_WITHDRAWAL
    if not late or desk.table.setup.terminal:
        return refused
    taken = cmd.ReportIrregularity(
        situation=Situation.LATE_WITHDRAWAL,
        patron=body.patron,
        wager=body.wager,
        position=body.position,
        amount=body.amount,
    )
    own = desk.actor == body.patron
    return irregularities.see(desk, taken) if own else irregularities.report(desk, taken)


def _count(desk: Desk, body: cmd.CountCards) -> Refused | None:
    """Enter a count of the cards; one that differs is an irregularity of the set."""
    refused = counting.count_cards(desk, body)
    wrong = None if refused else counting.what_differs(desk.table)
    return irregularities.notice(desk, cmd.ReportIrregularity(situation=wrong)) if wrong else refused


def _cutting_card(desk: Desk) -> Refused | None:
    """The cutting card is put aside, once in a shoe; as the first card of a round it has rules of its own."""
    rule, current, shoe = desk.document.cutting_card, desk.table.round, desk.table.shoe
    if shoe is None or shoe.rounds_left is not None:
        return refuse(Refusal.NOT_AWAITED)
    playing = desk.table.phase in (Phase.DEALING, Phase.OUTCOME)
    first = not playing or current is None or not current.cards
    after = desk.house.form.settings.rounds_after_cutting_card
    clauses = (rule.clause,) if rule else ()
    desk.emit(ev.CuttingCardSeen(first=first, rounds_left=1 if first else 1 + after, clauses=clauses))
    if first and rule:
        return irregularities.notice(desk, cmd.ReportIrregularity(situation=Situation.CUTTING_CARD_FIRST))
    return None


def _after(desk: Desk, refused: Refused | None) -> Refused | None:
    """When everybody has answered, the case goes on."""
    if refused is None:
        irregularities.run_cases(desk)
    return refused
