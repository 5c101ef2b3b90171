"""Folds events into the table: it has no rulebook, so it cannot decide anything."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game import held_folds
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.booked_mistakes import bookings_in_doubt
from thirdcard.game.card_folds import fold_cards, fold_drawn, without_its_cards
from thirdcard.game.case_cards import IN_THE_SHOE, is_order_doubted, is_order_lost, sets_aside
from thirdcard.game.chip_folds import MOVES_CHIPS, fold_chips, join_table, move_chips
from thirdcard.game.correction_folds import correct_card
from thirdcard.game.current_folds import in_case, in_round, no_longer_noted, put_first, wait_for_the_deal
from thirdcard.game.dispute_folds import fold_dispute
from thirdcard.game.earlier_rounds import Confirmation
from thirdcard.game.handed import handed_before, wait_for, waiting_for
from thirdcard.game.money_folds import MOVES_MONEY, answer_request, ask_patron, note_act, see_act
from thirdcard.game.offer_folds import answer_offer, open_offer, take_answer_back, with_past_offer
from thirdcard.game.payment_folds import (
    award_anew,
    book_claim,
    book_decided_claim,
    book_mistake,
    pay_award,
    put_right,
)
from thirdcard.game.planned import PlannedStop, Stop, change_of, changed
from thirdcard.game.report_folds import (
    ask_about,
    asked_no_more,
    comes_after_all,
    count_again,
    drawn_since,
    judge_case,
    judge_others,
    know_outside,
    lay_aside_for,
    leaves_known,
    let_come,
    ruled_order,
    take_back_told,
    tells_of_cards,
    to_be_judged,
    told_no_more,
    undo_report,
    with_judged,
)
from thirdcard.game.round_folds import (
    begin_round,
    close_betting,
    end_round,
    fold_call,
    fold_outcome,
    from_this_shoe,
    nothing_ruled,
    open_betting,
    reverse_settlement,
    settle_round,
    void_round,
)
from thirdcard.game.shoe import Shoe
from thirdcard.game.shoe_folds import fold_shoe, keep_strays, raise_alarm, reserve_cards, see_ahead
from thirdcard.game.state import OnDuty, OwedHand, Patron, Phase, Table, Wait
from thirdcard.game.wager_folds import (
    credit_terminal,
    end_request,
    fold_placed,
    mark_patron,
    place_wager,
    pull_wager,
    reduce_wager,
    with_owner,
)
from thirdcard.rulebook.irregularity import BurnNow, FreeHand, OfferWithdrawal, Situation
from thirdcard.staff import Acting


def begin(event: ev.TableSetUp) -> Table:
    """The table as it was set up."""
    return Table(setup=event.setup, method=event.method, owners_per_area=event.owners_per_area)


def fold(table: Table | None, event: ev.Event) -> Table:
    """Return the table after an event; the first event of a table sets it up."""
    if table is None:
        assert isinstance(event, ev.TableSetUp)
        return begin(event)
    return apply(table, event)


def _begin_again(table: Table, event: ev.TableSetUp) -> Table:
    """The table as it was set up anew: people and disputes stay, and what is counted goes on."""
    return replace(
        begin(event),
        staff=table.staff,
        acting=table.acting,
        patrons=table.patrons,
        next_wager=table.next_wager,
        rounds=table.rounds,
        cases=table.cases,
        marks=table.marks,
        disputes=table.disputes,
        handed=handed_before(table, None),
        stakes=table.stakes,
        former_staff=table.former_staff,
        suspicions=table.suspicions,
        money_acts=table.money_acts,
        unseen=table.unseen,
        asked_credits=table.asked_credits,
        closed=table.closed,
        chips=table.chips,
        shoes=table.shoes,
        shoe_starts=table.shoe_starts,
        last_shoe=table.shoe.places.faces if table.shoe else table.last_shoe,
    )


def apply_all(table: Table, events: Iterable[ev.Event]) -> Table:
    """The table after several events."""
    for event in events:
        table = apply(table, event)
    return table


def apply(table: Table, event: ev.Event) -> Table:
    """The table after an event."""
    if type(event) is ev.WagerPlaced and table.phase is Phase.BETTING and not table.decrease_asked:
        return place_wager(table, event, table.next_wager)  # the most frequent one, and it changes no shoe
    step = STEPS.get(type(event))
    after = step(table, event) if step is not None else _apply(table, event)
    if type(event) in MOVES_MONEY:
        after = note_act(after, event)
    if type(event) in MOVES_CHIPS:
        after = move_chips(after, event)
    if after.told and table.shoe is not None and after.shoe is not table.shoe:
        after = drawn_since(after, table.shoe)
    return end_request(after) if after.decrease_asked else after


def _apply(table: Table, event: ev.Event) -> Table:  # noqa: C901, PLR0911, PLR0912, PLR0915 - one case an event
    match event:
        case ev.WagerFound():
            table = held_folds.join(table, event) if event.held else table
            if event.was_pulled:
                return pull_wager(table, event.id, -event.amount)
            return place_wager(with_owner(table, event), event, reached=0)
        case ev.TotalsAnnounced():
            table = in_round(table, announced=(event.player, event.banker))
            assert table.shoe is not None
            return replace(table, shoe=replace(table.shoe, announces=True))
        case (
            ev.CardsSetAside()
            | ev.CardsDelivered()
            | ev.CardsTakenBack()
            | ev.CardsDeclined()
            | ev.RevealOrderChosen()
            | ev.CardsSeen()
            | ev.CardsExposed()
            | ev.CardsReconstructed()
            | ev.CardsSubstituted()
            | ev.CardsRetrieved()
        ):
            return fold_cards(table, event)
        case ev.TableSetUp():
            return _begin_again(table, event)
        case ev.EquipmentTicked():
            return replace(table, equipment=(*table.equipment, event.item))
        case ev.ApprovalConfirmed():
            confirmation = Confirmation(event.reference, event.date, event.by, event.second)
            return replace(table, confirmation=confirmation)
        case ev.TableOpened():
            return replace(table, phase=Phase.IDLE, closed=False)
        case ev.TablePaused():
            stop = None if table.stop and table.stop.stop is Stop.PAUSE else table.stop
            return replace(table, paused=True, pause_reason=event.reason, stop=stop)
        case ev.TableResumed():
            return replace(table, paused=False, pause_reason=None)
        case ev.TableClosed():
            names = {each.name for each in table.patrons}.union(*(each.patrons for each in table.earlier))
            handed = tuple(each for each in table.handed if each.terminal in names)
            return replace(table, phase=Phase.SHUT, left=(), handed=handed, stop=None, closed=True)
        case ev.StopPlanned():
            return replace(table, stop=PlannedStop(event.stop, event.by, event.reason))
        case ev.StopCancelled():
            return replace(table, stop=None)
        case ev.ChangePlanned():
            return replace(table, change=None if event.change == change_of(table.setup) else event.change)
        case ev.TableChanged():
            return replace(table, setup=changed(table.setup, event.change), change=None)
        case ev.StaffCame():
            came = replace(table, staff=(*table.staff, OnDuty(event.person, event.post)))
            return join_table(came, event.person)
        case ev.StaffLeft():
            gone = (each.person for each in table.staff if each.person == event.person)
            former = tuple(dict.fromkeys((*table.former_staff, *gone)))
            staff = tuple(each for each in table.staff if each.person != event.person)
            return replace(table, staff=staff, former_staff=former)
        case ev.ActingAppointed():
            acting = Acting(event.person, event.post, event.start, event.end)
            return join_table(replace(table, acting=(*table.acting, acting)), event.person)
        case ev.PatronCame():
            return _come(table, event)
        case ev.PatronLeft():
            lying = any(each.patron == event.patron for each in table.wagers)
            patrons = tuple(
                replace(each, gone=True) if each.name == event.patron else each
                for each in table.patrons
                if lying or each.name != event.patron
            )
            left = tuple(dict.fromkeys((*table.left, event.patron)))
            return answer_request(replace(table, patrons=patrons, left=left), event.patron)
        case ev.CreditsBought():
            return credit_terminal(answer_request(table, event.terminal), event.terminal, event.amount)
        case ev.CreditsCashedOut():
            return credit_terminal(answer_request(table, event.terminal), event.terminal, -event.amount)
        case ev.CreditsAsked():
            return ask_patron(table, event)
        case ev.CreditsDeclined():
            return answer_request(table, event.terminal)
        case ev.MethodChanged():
            return replace(table, method=event.method, device_holder=None)
        case ev.OwnersLimited():
            return replace(table, owners_per_area=event.most)
        case ev.ShoeLoaded():
            last = table.shoe.places.faces if table.shoe else table.last_shoe
            shoe = Shoe(
                number=event.number,
                decks=event.decks,
                left=event.cards,
                seal=event.seal,
                shuffle=event.shuffle,
            )
            table = replace(table, shoe=shoe, shoes=event.number, last_shoe=last)
            if table.round is not None and not table.round.ended:
                table = from_this_shoe(in_round(table, shoe=event.number), table.round.number)
            hang_on_none = tuple(each for each in table.free_hands if not each.places)
            table = replace(table, told=bookings_in_doubt(table))
            return replace(table, strays=(), free_hands=hang_on_none, last_announced=False, earlier=())
        case ev.MoneyHeld():
            return held_folds.hold(table, event)
        case ev.HeldWagerJudged():
            return held_folds.judge(table, event)
        case ev.HeldMoneyDecided():
            return held_folds.decide(table, event)
        case (
            ev.CardsCut()
            | ev.CardsBurned()
            | ev.CardsCounted()
            | ev.CuttingCardSeen()
            | ev.CardReplacementDue()
            | ev.CardsChosen()
            | ev.ShoeEnded()
            | ev.ShoeOpened()
        ):
            return fold_shoe(table, event)
        case ev.LastHandAnnounced():
            return replace(table, last_announced=True)
        case ev.DeviceTaken():
            if table.round is not None and table.round.device_lost_by == event.patron:
                table = in_round(table, device_lost_by=None)
            return replace(table, device_holder=event.patron)
        case ev.DeviceReleased():
            permitted = tuple(each for each in table.drawing_permitted if each != event.patron)
            if table.round is not None and table.round.settled and not table.round.ended:
                table = in_round(table, device_lost_by=event.patron)
            else:  # only what is ruled from here on is about who draws
                table = no_longer_noted(table, Situation.NOT_COVERED)
            return replace(table, device_holder=None, drawing_permitted=permitted)
        case ev.DrawingPermitted():
            return replace(table, drawing_permitted=(*table.drawing_permitted, event.patron))
        case ev.SqueezePermitted():
            return replace(table, squeeze_permitted=(*table.squeeze_permitted, event.person))
        case ev.SqueezeForbidden():
            if event.patron is None:
                return replace(table, squeeze_forbidden=True)
            return replace(table, squeeze_forbidden_to=(*table.squeeze_forbidden_to, event.patron))
        case ev.SqueezeRequested():
            return replace(table, squeeze_requested=(*table.squeeze_requested, event.patron))
        case ev.WagerPulledLate():
            return pull_wager(table, event.id, event.amount)
        case ev.DecreaseAsked():
            asked = dict.fromkeys(e.patron for e in table.wagers if e.wager == event.heavier.value)
            return replace(
                table,
                decrease_asked=True,
                decrease_unanswered=tuple(asked),
                decrease_answered=(),
                decrease_hand=event.heavier,
            )
        case ev.DecreaseAnswered() if not table.decrease_asked:  # the answer met the differential
            return table
        case ev.DecreaseAnswered():
            left = tuple(each for each in table.decrease_unanswered if each != event.patron)
            answered = tuple(dict.fromkeys((*table.decrease_answered, event.patron)))
            return replace(table, decrease_unanswered=left, decrease_answered=answered)
        case ev.PatronMarked():
            return mark_patron(table, event)
        case ev.RoundVoided():
            return void_round(table, event)
        case ev.IrregularityReported():
            if table.round is not None:
                noted = tuple(dict.fromkeys((*table.round.noted, event.case.situation)))
                table = in_round(table, noted=noted)
            if tells_of_cards(table, event.case):
                table = know_outside(ask_about(lay_aside_for(table, event.case), event.case), event.case)
            current = table.round
            if current is not None and current.judged and not current.ended:
                table = judge_others(table, event.case)
            return replace(table, open_cases=(*table.open_cases, event.case), cases=event.case.id)
        case ev.CaseWaits():
            table = table if event.case is None else put_first(table, event.case)
            table = in_case(table, waits=event.waits)
            return wait_for_the_deal(table) if event.waits is Wait.RESERVED_CARDS else table
        case ev.FactsConfirmed():
            number = event.id or (table.unconfirmed.id if table.unconfirmed else 0)
            return in_case(put_first(table, number), waits=None, offer=None, acted=True)
        case ev.OfferClosed():
            if table.offer is not None and not {*table.offer.asked} <= {*table.offer.answered}:
                table = with_judged(table, table.case)
            return in_case(with_past_offer(table), waits=None, offer=None, acted=True)
        case ev.RulingMade():
            if table.case is not None and tells_of_cards(table, table.case):
                table = let_come(ruled_order(table, event), event)
            assert table.case is not None
            return in_case(table, waits=None, cards=event.cards or table.case.cards, acted=True)
        case ev.SettlementReversed():
            return reverse_settlement(table, event)
        case ev.ClaimBooked():
            return book_claim(table, event)
        case ev.EffectCarriedOut() if event.lapsed and event.effect == FreeHand.__struct_config__.tag:
            return without_its_cards(table)
        case ev.EffectCarriedOut() if event.done and event.effect == BurnNow.__struct_config__.tag:
            assert table.shoe is not None
            told = table.case is not None and table.case.situation in IN_THE_SHOE and bool(table.case.cards)
            owed = replace(table, shoe=replace(table.shoe, burn_owed=not told))
            return in_case(owed, done=table.case.done + 1, waits=None) if table.case else owed
        case ev.EffectCarriedOut():
            if not event.done and not table.wagers:  # else whoever has a wager is not to be asked
                table = with_past_offer(table)
            if event.effect == "let-past-rounds-stand":
                table = replace(table, rounds_stand_by=event.clauses[0])
            together = table.case is not None and table.case.situation is Situation.CARDS_TOGETHER
            unasked = event.effect == OfferWithdrawal.__struct_config__.tag and not event.done
            if together and unasked and table.phase is Phase.OUTCOME:  # no hand took a card
                table = with_judged(table, table.case)
            return in_case(table, done=table.case.done + 1, waits=None) if table.case else table
        case ev.OfferOpened():
            return open_offer(table, event.offer)
        case ev.OfferAnswered():
            return answer_offer(table, event)
        case ev.AnswerTakenBack():
            return take_answer_back(table, event)
        case ev.StrayCardsKept():
            return keep_strays(table, event)
        case ev.FreeHandDue():
            due = OwedHand(event.clauses[0], event.places)
            return replace(table, free_hands=(*table.free_hands, due))
        case ev.BettingReopened():  # whoever has withdrawn may wager again
            table = in_round(table, offers=(), withdrew_all=())
            return replace(
                table, phase=Phase.BETTING, uncalled=False, decrease_asked=False, decrease_unanswered=()
            )
        case ev.BettingCancelled():
            table = nothing_ruled(table)
            return replace(table, phase=Phase.IDLE, decrease_asked=False, decrease_unanswered=())
        case ev.CardSeenInShoe():
            return see_ahead(table, event)
        case ev.CardCorrected():
            return correct_card(table, event)
        case ev.WrongPaymentFound():
            table = book_mistake(table, event)
            return credit_terminal(table, event.patron, event.amount) if table.setup.terminal else table
        case ev.PaymentCorrected():
            table = put_right(table, event)
            return credit_terminal(table, event.patron, -event.amount) if table.setup.terminal else table
        case ev.CardsReserved():
            return reserve_cards(table, event)
        case ev.MissingCardsDeduced():
            return in_case(in_round(table, lacking=event.lacking), missing=event.cards, waits=None)
        case ev.FactsDisproved() | ev.ReportWithdrawn() if any(e.id == event.id for e in table.told):
            return take_back_told(table, event.id)
        case ev.CaseClosed() if not any(
            each.id == event.id and tells_of_cards(table, each) for each in table.open_cases
        ):
            table = judge_case(table, event)
            return replace(table, open_cases=tuple(e for e in table.open_cases if e.id != event.id))
        case ev.CaseClosed() | ev.FactsDisproved() | ev.ReportWithdrawn():
            return _end_case(table, event)
        case ev.DeviceMismatch():
            return raise_alarm(table, Alarm(AlarmKind.RESULT_MISMATCH))
        case ev.AlarmRaised():
            return raise_alarm(table, event.alarm)
        case ev.AlertAcknowledged():
            return see_act(table, event)
        case ev.WagerHandedBack() | ev.DifferentialExceeded():
            return table
        case ev.PaymentClaimed():
            return book_decided_claim(table, event)
        case ev.AwardPaid():
            return fold_dispute(pay_award(table, event), event)
        case ev.DisputeDecided() | ev.ComplaintAnswered() if event.award:
            return fold_dispute(award_anew(table, event.id), event)
        case _ if isinstance(event, ev.ChipsEvent):
            return fold_chips(table, event)
        case _:
            assert not isinstance(event, RoundStep)  # STEPS has these
            return fold_dispute(table, event)


def _end_case(table: Table, event: ev.CaseClosed | ev.FactsDisproved | ev.ReportWithdrawn) -> Table:
    """The table when a case ends that told of cards, a hand or a booking, or that was not so."""
    not_so = not isinstance(event, ev.CaseClosed)
    lay_aside = any(e.id == event.id and sets_aside(table, e) for e in table.open_cases)
    known = () if not_so else leaves_known(table, event.id)
    table = judge_case(table, event)
    table = to_be_judged(table, event) if isinstance(event, ev.CaseClosed) else table
    kept = None if not_so else table.round
    table = replace(table, told=(*table.told, *known))
    table = count_again(table, event.id) if isinstance(event, ev.FactsDisproved) else table
    table = undo_report(table, event.id) if not_so else table
    over = not known and not (kept and any(e.id == event.id for e in kept.judged))
    table = asked_no_more(table, event.id, forget=not_so and not lay_aside) if over else table
    table = told_no_more(table, event.id)
    table = table if not_so else comes_after_all(table, event.id)
    lost = any(e.id == event.id and is_order_lost(e) for e in table.open_cases)
    table = _lose_order(table) if lost else table
    return replace(table, open_cases=tuple(e for e in table.open_cases if e.id != event.id))


def _lose_order(table: Table) -> Table:
    """The table when nobody knows any more which card of the dealing device comes where."""
    shoe = table.shoe
    assert shoe is not None
    old, drawn = shoe.places, list(shoe.drawn)
    waiting = dict(zip(old.strays, table.strays, strict=True))
    inside = old.disclosed  # they wait on top of the dealing device
    for face in filter(None, [waiting.pop(place) for place in inside]):
        drawn.remove(face)
    back = (*inside, *old.back)  # among the others: each has a place, and nobody knows its face
    faces = tuple(None if place in back else face for place, face in enumerate(old.faces))
    places = replace(old, faces=faces, back=back, ahead=(), ruled=(), strays=tuple(waiting), disclosed=())
    shoe = replace(shoe, left=shoe.left + len(inside), drawn=tuple(drawn), places=places)
    told = tuple(
        each for each in table.told if each.situation not in IN_THE_SHOE and not is_order_doubted(table, each)
    )
    table = in_round(table, seen_before=False)  # nor which of those that went back somebody has seen
    return replace(table, shoe=shoe, strays=tuple(waiting.values()), told=told)


def _come(table: Table, event: ev.PatronCame) -> Table:
    """Seat a patron who comes, or takes another place, with what waited at the table."""
    others = tuple(each for each in table.patrons if each.name != event.patron)
    before, current = table.patron(event.patron), table.round
    marked = before.marked if before and not before.gone else event.marked
    here = Patron(event.patron, event.position, event.seated, marked)
    waited = waiting_for(current, event.patron)
    if current is not None and waited:
        table = replace(table, round=wait_for(current, event.patron, -waited))
    return replace(table, patrons=(*others, here))


RoundStep = (
    ev.WagerPlaced
    | ev.WagerReduced
    | ev.CardDrawn
    | ev.BettingOpened
    | ev.RoundBegan
    | ev.BettingClosed
    | ev.OutcomeKnown
    | ev.OutcomeCalled
    | ev.RoundSettled
    | ev.RoundEnded
)

# the steps of every round, found at once because they are the most frequent; ``_apply`` has all other events
STEPS: dict[type[ev.Event], Callable[[Table, Any], Table]] = {
    ev.WagerPlaced: fold_placed,
    ev.WagerReduced: reduce_wager,
    ev.CardDrawn: fold_drawn,
    ev.BettingOpened: open_betting,
    ev.RoundBegan: begin_round,
    ev.BettingClosed: close_betting,
    ev.OutcomeKnown: fold_outcome,
    ev.OutcomeCalled: fold_call,
    ev.RoundSettled: settle_round,
    ev.RoundEnded: end_round,
}
