"""Folds events into the table: it has no rulebook, so it cannot decide anything."""

import operator
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game import held_folds
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.booked_mistakes import bookings_in_doubt, leaves_a_booking, outside_of
from thirdcard.game.case_cards import (
    IN_THE_SHOE,
    SET_ASIDE,
    TELLS_THE_ORDER,
    UNAUTHORISED,
    are_cards_out,
    cards_of_case,
    free_hands_without_cards,
    is_laid_in_order,
    is_noticed,
    is_order_doubted,
    is_order_lost,
    is_sorted,
    leaves_in_error,
    leaves_known_cards,
    never_came,
    places_told,
    set_aside_for,
    sets_aside,
    strays_of_round,
    unclaimed,
    was_seen,
)
from thirdcard.game.dispute_folds import fold_dispute
from thirdcard.game.dispute_steps import AwardWay
from thirdcard.game.earlier_rounds import (
    KEPT_OUTSIDE,
    KEPT_SHOE_STARTS,
    Confirmation,
    EarlierRound,
    Mark,
    Mistake,
    PastOffer,
    ShoeStart,
    WithdrawnAll,
    with_stake,
)
from thirdcard.game.handed import (
    as_balances,
    handed_before,
    left_waiting,
    refunded_by,
    wait_for,
    waiting_for,
)
from thirdcard.game.hands_told import ABOUT_A_HAND, cards_before, hands_in_doubt, leaves_a_hand
from thirdcard.game.interests import round_at_hand
from thirdcard.game.limits import gap_of, heavier_hand, limit_of
from thirdcard.game.places import (
    before,
    came_from_behind,
    coming,
    draw_to_hand,
    known_ahead,
    known_faces,
    learn,
    lie,
    passed_over,
    take,
    tell,
    was_misread,
    with_places,
)
from thirdcard.game.shoe import NewCards, Places, Shoe
from thirdcard.game.state import (
    Balance,
    CardState,
    Case,
    DealtCard,
    Holding,
    Offer,
    OnDuty,
    OutsideWager,
    OwedHand,
    Patron,
    Phase,
    PlacedWager,
    Round,
    Table,
    Wait,
    WithdrawnStake,
)
from thirdcard.rulebook.irregularity import (
    BurnNow,
    FreeHand,
    OfferWithdrawal,
    PlayCard,
    Preset,
    Situation,
    Withdrawable,
)
from thirdcard.staff import Acting

INITIAL = 4  # cards that the hands have at first


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
        return _place(table, event, table.next_wager)  # the most frequent one, and it changes no shoe
    step = STEPS.get(type(event))
    after = step(table, event) if step is not None else _apply(table, event)
    if table.told and table.shoe is not None and after.shoe is not table.shoe:
        after = _drawn_since(after, table.shoe)
    return _end_request(after) if after.decrease_asked else after


def _end_request(table: Table) -> Table:
    """End the request to decrease for everybody once it is met; another excess needs a request of its own."""
    if gap_of(table) > table.setup.differential and heavier_hand(table) is table.decrease_hand:
        return table
    return replace(table, decrease_asked=False, decrease_unanswered=(), decrease_answered=())


def _apply(table: Table, event: ev.Event) -> Table:  # noqa: C901, PLR0911, PLR0912, PLR0915 - one case an event
    match event:
        case ev.WagerFound():
            table = held_folds.join(table, event) if event.held else table
            if event.was_pulled:
                return _pull(table, event.id, -event.amount)
            return _place(_with_owner(table, event), event, reached=0)
        case ev.TotalsAnnounced():
            table = _in_round(table, announced=(event.player, event.banker))
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
            return _cards(table, event)
        case ev.TableSetUp():
            return _begin_again(table, event)
        case ev.EquipmentTicked():
            return replace(table, equipment=(*table.equipment, event.item))
        case ev.ApprovalConfirmed():
            confirmation = Confirmation(event.reference, event.date, event.by, event.second)
            return replace(table, confirmation=confirmation)
        case ev.TableOpened():
            return replace(table, phase=Phase.IDLE)
        case ev.TablePaused():
            return replace(table, paused=True, pause_reason=event.reason)
        case ev.TableResumed():
            return replace(table, paused=False, pause_reason=None)
        case ev.TableClosed():
            names = {each.name for each in table.patrons}.union(*(each.patrons for each in table.earlier))
            handed = tuple(each for each in table.handed if each.terminal in names)
            return replace(table, phase=Phase.SHUT, left=(), handed=handed)
        case ev.StaffCame():
            return replace(table, staff=(*table.staff, OnDuty(event.person, event.post)))
        case ev.StaffLeft():
            gone = (each.person for each in table.staff if each.person == event.person)
            former = tuple(dict.fromkeys((*table.former_staff, *gone)))
            staff = tuple(each for each in table.staff if each.person != event.person)
            return replace(table, staff=staff, former_staff=former)
        case ev.ActingAppointed():
            acting = Acting(event.person, event.post, event.start, event.end)
            return replace(table, acting=(*table.acting, acting))
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
            return replace(table, patrons=patrons, left=left)
        case ev.CreditsBought():
            return _credit(table, event.terminal, event.amount)
        case ev.CreditsCashedOut():
            return _credit(table, event.terminal, -event.amount)
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
                table = _from_this_shoe(_in_round(table, shoe=event.number), table.round.number)
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
            return _shoe(table, event)
        case ev.LastHandAnnounced():
            return replace(table, last_announced=True)
        case ev.DeviceTaken():
            if table.round is not None and table.round.device_lost_by == event.patron:
                table = _in_round(table, device_lost_by=None)
            return replace(table, device_holder=event.patron)
        case ev.DeviceReleased():
            permitted = tuple(each for each in table.drawing_permitted if each != event.patron)
            if table.round is not None and table.round.settled and not table.round.ended:
                table = _in_round(table, device_lost_by=event.patron)
            else:  # only what is ruled from here on is about who draws
                table = _no_longer_noted(table, Situation.NOT_COVERED)
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
        case ev.WagerReduced():
            return _reduce(table, event)
        case ev.WagerPulledLate():
            return _pull(table, event.id, event.amount)
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
            return _mark(table, event)
        case ev.RoundVoided():
            return _void(table, event)
        case ev.IrregularityReported():
            if table.round is not None:
                noted = tuple(dict.fromkeys((*table.round.noted, event.case.situation)))
                table = _in_round(table, noted=noted)
            table = _know_outside(_ask_about(_set_aside_for(table, event.case), event.case), event.case)
            table = _judged_by(table, event.case)
            return replace(table, open_cases=(*table.open_cases, event.case), cases=event.case.id)
        case ev.CaseWaits():
            table = table if event.case is None else _first(table, event.case)
            return _in_case(table, waits=event.waits)
        case ev.FactsConfirmed():
            number = event.id or (table.unconfirmed.id if table.unconfirmed else 0)
            return _in_case(_first(table, number), waits=None, offer=None, acted=True)
        case ev.OfferClosed():
            if table.offer is not None and not {*table.offer.asked} <= {*table.offer.answered}:
                table = _judged(table, table.case)
            return _in_case(_with_past_offer(table), waits=None, offer=None, acted=True)
        case ev.RulingMade():
            table = _let_come(_ruled_order(table, event), event)
            assert table.case is not None
            return _in_case(table, waits=None, cards=event.cards or table.case.cards, acted=True)
        case ev.SettlementReversed():
            return _reverse(table, event)
        case ev.ClaimBooked():
            return _claim(table, event)
        case ev.EffectCarriedOut() if event.lapsed and event.effect == FreeHand.__struct_config__.tag:
            return _without_its_cards(table)
        case ev.EffectCarriedOut() if event.done and event.effect == BurnNow.__struct_config__.tag:
            assert table.shoe is not None
            told = table.case is not None and table.case.situation in IN_THE_SHOE and bool(table.case.cards)
            owed = replace(table, shoe=replace(table.shoe, burn_owed=not told))
            return _in_case(owed, done=table.case.done + 1, waits=None) if table.case else owed
        case ev.EffectCarriedOut():
            if not event.done and not table.wagers:  # else whoever has a wager is not to be asked
                table = _with_past_offer(table)
            if event.effect == "let-past-rounds-stand":
                table = replace(table, rounds_stand_by=event.clauses[0])
            together = table.case is not None and table.case.situation is Situation.CARDS_TOGETHER
            unasked = event.effect == OfferWithdrawal.__struct_config__.tag and not event.done
            if together and unasked and table.phase is Phase.OUTCOME:  # no hand took a card
                table = _judged(table, table.case)
            return _in_case(table, done=table.case.done + 1, waits=None) if table.case else table
        case ev.OfferOpened():
            return _open_offer(table, event.offer)
        case ev.OfferAnswered():
            return _answer(table, event)
        case ev.AnswerTakenBack():
            return _take_answer_back(table, event)
        case ev.StrayCardsKept():
            return _keep_strays(table, event)
        case ev.FreeHandDue():
            due = OwedHand(event.clauses[0], event.places)
            return replace(table, free_hands=(*table.free_hands, due))
        case ev.BettingReopened():  # whoever has withdrawn may wager again
            table = _in_round(table, offers=(), withdrew_all=())
            return replace(
                table, phase=Phase.BETTING, uncalled=False, decrease_asked=False, decrease_unanswered=()
            )
        case ev.BettingCancelled():
            table = _nothing_ruled(table)
            return replace(table, phase=Phase.IDLE, decrease_asked=False, decrease_unanswered=())
        case ev.CardSeenInShoe():
            return _see_ahead(table, event)
        case ev.CardCorrected():
            return _correct(table, event)
        case ev.WrongPaymentFound():
            table = _book_mistake(table, event)
            return _credit(table, event.patron, event.amount) if table.setup.terminal else table
        case ev.PaymentCorrected():
            table = _put_right(table, event)
            return _credit(table, event.patron, -event.amount) if table.setup.terminal else table
        case ev.CardsReserved():
            return _reserve(table, event)
        case ev.MissingCardsDeduced():
            return _in_case(_in_round(table, lacking=event.lacking), missing=event.cards, waits=None)
        case ev.FactsDisproved() | ev.ReportWithdrawn() if any(e.id == event.id for e in table.told):
            return _untold(table, event.id)
        case ev.CaseClosed() | ev.FactsDisproved() | ev.ReportWithdrawn():
            not_so = not isinstance(event, ev.CaseClosed)
            lay_aside = any(e.id == event.id and sets_aside(table, e) for e in table.open_cases)
            known = () if not_so else _leaves_known(table, event.id)
            table = _judge_case(table, event)
            table = _to_be_judged(table, event) if isinstance(event, ev.CaseClosed) else table
            kept = None if not_so else table.round
            table = replace(table, told=(*table.told, *known))
            table = _count_again(table, event.id) if isinstance(event, ev.FactsDisproved) else table
            table = _not_so(table, event.id) if not_so else table
            over = not known and not (kept and any(e.id == event.id for e in kept.judged))
            table = _asked_no_more(table, event.id, forget=not_so and not lay_aside) if over else table
            table = _told_no_more(table, event.id)
            table = table if not_so else _comes_after_all(table, event.id)
            lost = any(e.id == event.id and is_order_lost(e) for e in table.open_cases)
            table = _lose_order(table) if lost else table
            return replace(table, open_cases=tuple(e for e in table.open_cases if e.id != event.id))
        case ev.DeviceMismatch():
            return _alarm(table, Alarm(AlarmKind.RESULT_MISMATCH))
        case ev.AlarmRaised():
            return _alarm(table, event.alarm)
        case ev.WagerHandedBack() | ev.DifferentialExceeded() | ev.AlertAcknowledged():
            return table
        case ev.PaymentClaimed():
            number = _round_in_question(table)
            claim = Mistake(number, event.patron, event.amount)
            stakes = with_stake(table.stakes, event.patron, number)
            return replace(table, claimed=(*table.claimed, claim), stakes=stakes)
        case ev.AwardPaid():
            to_credits = event.way is AwardWay.CREDITS
            table = _credit(table, event.patron, event.amount) if to_credits else table
            about = next(each.round for each in table.disputes if each.id == event.id)
            paid = (Mistake(about, event.patron, event.amount),) if about else ()
            return fold_dispute(replace(table, payments=(*table.payments, *paid)), event)
        case _:
            assert not isinstance(event, RoundStep)  # STEPS has these
            return fold_dispute(table, event)


def _book_mistake(table: Table, event: ev.WrongPaymentFound) -> Table:
    """The table with a payment by mistake, of the round that its case is about; or without one again."""
    if event.mistaken:
        told = (event.patron, -event.amount)
        booked = next(each for each in reversed(table.mistakes) if (each.patron, each.amount) == told)
        return replace(table, mistakes=tuple(each for each in table.mistakes if each is not booked))
    case, clause = _about_limits(table), next(iter(event.clauses), None)
    found = Mistake(_round_in_question(table), event.patron, event.amount, clause)
    if case is not None:
        found = replace(found, wager=case.wager, position=case.position)
    stakes = with_stake(table.stakes, event.patron, found.round)
    return replace(table, mistakes=(*table.mistakes, found), stakes=stakes)


def _about_limits(table: Table) -> Case | None:
    """The case that is dealt with, if it is about a limit mistake of a previous round."""
    case = table.case
    return case if case is not None and case.situation is Situation.OLD_LIMIT_MISTAKE else None


def _round_in_question(table: Table) -> int:
    """The round that a payment beside its settlement is of: the last one, or that of a limit mistake."""
    case = _about_limits(table)
    return (case.round if case is not None else None) or table.settled_round


def _put_right(table: Table, event: ev.PaymentCorrected) -> Table:
    """The table when a mistake stands no more, if one of that amount did, or when a decided payment is made.

    A positive amount without a mistake takes back a payment that was decided.
    """
    number, left = _round_in_question(table), list(table.mistakes)
    told = (number, event.patron, event.amount)
    same = next((each for each in left if (each.round, each.patron, each.amount) == told), None)
    if same is not None:
        left.remove(same)
        table = replace(table, put_right=(*table.put_right, same))
    if event.amount < 0 or same is None:
        good = same is not None
        paid = Mistake(number, event.patron, -event.amount, made_good=good)
        table = replace(table, payments=(*table.payments, paid))
    stakes = with_stake(table.stakes, event.patron, table.settled_round)
    return replace(table, mistakes=tuple(left), stakes=stakes)


def _open_betting(table: Table, event: ev.BettingOpened) -> Table:  # noqa: ARG001 - as all steps
    before_it = table.round
    return replace(
        table,
        round=replace(before_it, passed=before_it.ended) if before_it else None,
        phase=Phase.BETTING,
        uncalled=False,
        closed_by_card=False,
        free_hands=(),
        squeeze_requested=(),
        decrease_asked=False,
        decrease_unanswered=(),
    )


def _begin_round(table: Table, event: ev.RoundBegan) -> Table:
    """The table with a new round; of the one before, its cards are kept for as long as the shoe is in use."""
    last, shoe, earlier = table.round, table.shoe, table.earlier
    assert shoe is not None
    anew = last is not None and last.number == event.number  # it had begun, and no card of it is out
    if last is not None and not anew:
        places = shoe.places.lying if last.shoe == shoe.number and last.cards else ()
        cards = tuple([each.card for each in last.cards])
        mistaken = [each.patron for each in table.mistakes if each.round == last.number]
        patrons = dict.fromkeys([*[each.patron for each in last.settled], *mistaken])
        earlier = (*earlier, EarlierRound(last.number, cards, places, bool(last.settled), tuple(patrons)))
    begun = Round(
        number=event.number, method=event.method, free=event.free, last=event.last, shoe=shoe.number
    )
    owed = table.free_hand if event.free else None
    handed = table.handed if last is None or anew else handed_before(table, last.number)
    table = _acted_on(table, owed.places) if owed else table
    if owed is not None and not {*shoe.places.strays}.intersection(owed.places):
        begun = replace(begun, serves=owed)
        others = (each for each in table.free_hands if each is not owed)
        same = {*owed.places}  # of a card that two reports were about, one free hand comes
        left = tuple(each for each in others if not each.places or not same.issuperset(each.places))
        table = replace(table, free_hands=left)
    if not table.shoe_starts or table.shoe_starts[-1].shoe != shoe.number:
        table = _from_this_shoe(table, event.number)
    outside = () if anew or last is None else outside_of(last)
    outside = (*table.outside, *outside)[-KEPT_OUTSIDE:] if outside else table.outside
    return replace(
        table,
        rounds_stand_by=None,
        handed=handed,
        outside=outside,
        round=begun,
        rounds=event.number,
        phase=Phase.DEALING if event.free else table.phase,
        earlier=earlier,
        last_settled=table.last_settled if anew else last.settled if last else (),
        mistakes=_still_known(table.mistakes, last, outside),
        put_right=_still_known(table.put_right, last, outside),
        payments=_of_round(table.payments, last),
        claimed=_of_round(table.claimed, last),
    )


def _still_known(
    found: tuple[Mistake, ...], last: Round | None, outside: tuple[OutsideWager, ...]
) -> tuple[Mistake, ...]:
    """Return what is remembered of the last round, and of those who had wagers outside the limits before."""
    if not found:  # as nearly always
        return ()
    kept = {(each.round, each.wager.patron) for each in outside}
    number = last.number if last is not None else 0
    return tuple(each for each in found if each.round == number or (each.round, each.patron) in kept)


def _of_round(found: tuple[Mistake, ...], last: Round | None) -> tuple[Mistake, ...]:
    """Return what is remembered of one round."""
    return tuple(each for each in found if last and each.round == last.number) if found else ()


def _from_this_shoe(table: Table, number: int) -> Table:
    """The table with a round as the first one of the shoe in use."""
    assert table.shoe is not None
    before = tuple(each for each in table.shoe_starts if each.round != number)
    return replace(table, shoe_starts=(*before, ShoeStart(number, table.shoe.number))[-KEPT_SHOE_STARTS:])


def _credit(table: Table, terminal: str, amount: int) -> Table:
    """The table with more credits at one terminal; the others are not looked at."""
    place = table.place_of(terminal)
    before, after = table.credits[:place], table.credits[place:]
    if after and after[0].terminal == terminal:
        amount, after = after[0].credits + amount, after[1:]
    return replace(table, credits=(*before, Balance(terminal, amount), *after))


def _credit_all(table: Table, amounts: Iterable[tuple[str, int]]) -> Table:
    """The table with more credits at several terminals."""
    held = {each.terminal: each.credits for each in table.credits}
    for terminal, amount in amounts:
        held[terminal] = held.get(terminal, 0) + amount
    return replace(table, credits=tuple(Balance(name, credit) for name, credit in sorted(held.items())))


def _shoe(
    table: Table,
    event: ev.CardsCut
    | ev.CardsBurned
    | ev.CardsCounted
    | ev.CuttingCardSeen
    | ev.CardReplacementDue
    | ev.CardsChosen
    | ev.ShoeEnded
    | ev.ShoeOpened,
) -> Table:
    shoe = table.shoe
    assert shoe is not None
    match event:
        case ev.CardsCut():
            shoe = replace(shoe, cut_by=event.by, cut_depth=event.depth)
        case ev.CardsCounted():
            shoe = replace(shoe, counted=event.cards)
        case ev.CardsBurned():
            return _burn(table, shoe, event)
        case ev.CuttingCardSeen():
            shoe = replace(shoe, rounds_left=event.rounds_left)
        case ev.CardReplacementDue():
            if event.need == NewCards.SHALL and table.round is not None and not table.round.ended:
                table = _in_round(table, same_cards=False)  # also for a round whose cards went back
            shoe = _replacement(table, shoe, event)
        case ev.CardsChosen():
            others = tuple(each for each in shoe.chosen if each[0] != event.patron)
            shoe = replace(shoe, chosen=(*others, (event.patron, event.replace)))
        case ev.ShoeOpened():
            shoe = replace(shoe, opened=True, rounds_left=0)
        case _:
            shoe = replace(shoe, rounds_left=0)
    return replace(table, shoe=shoe)


def _replacement(table: Table, shoe: Shoe, event: ev.CardReplacementDue) -> Shoe:
    match event.need:
        case NewCards.SHALL:
            return replace(shoe, new_cards_due=True, replace_by=next(iter(event.clauses), None))
        case NewCards.PATRONS_CHOOSE:
            here = tuple(each.name for each in table.patrons if not each.gone)
            return replace(shoe, patrons_choose=True, choosers=here, chosen=(), burn_owed=False)
        case NewCards.WHOLE_OR_NEW | NewCards.WHOLE:
            return replace(shoe, doubted_by=event.clauses[0] if event.need == NewCards.WHOLE_OR_NEW else None)
        case NewCards.KEEP:
            return replace(shoe, keep_by=event.clauses[0], patrons_choose=False, burn_owed=False)
        case _:
            return shoe


def _close_betting(table: Table, event: ev.BettingClosed) -> Table:
    """Betting is closed; a call that comes after the first card leaves the deal as it is.

    A first card stops betting also where no clause closes it: then the call is still to come.
    """
    phase = Phase.CLOSED if table.phase is Phase.BETTING else table.phase
    by_card = event.call is None
    return replace(table, phase=phase, uncalled=by_card and not event.clauses, closed_by_card=by_card)


def _burn(table: Table, shoe: Shoe, event: ev.CardsBurned) -> Table:
    """Cards that wait outside are burned for the case that decides about them, others come from the shoe."""
    shoe, count = replace(shoe, discards=shoe.discards + event.cards), event.cards
    own = cards_of_case(table, table.case)
    if table.aside and event.waiting and own.pile != "strays":
        return _with_nothing_out(_without_aside(replace(table, shoe=shoe), _taken_aside(table, count)))
    if table.strays and event.waiting:
        burned = {*(own.places if own.pile == "strays" else shoe.places.strays)[:count]}
        left = [each for each in _waiting(table, shoe) if each[0] not in burned]
        shoe = with_places(shoe, strays=tuple(place for place, _ in left))
        return replace(table, strays=tuple(face for _, face in left), shoe=shoe)
    known = known_faces(shoe, coming(shoe, count))
    shoe, _ = take(shoe, (event.first or known[0], *known[1:]) if known else ())
    owed = shoe.burn_owed and table.case is not None  # a card that a post lets burn is not the burn
    return replace(table, shoe=replace(shoe, burned=(shoe.burned or 0) + count, burn_owed=owed))


def _waiting(table: Table, shoe: Shoe) -> list[tuple[int, Card | None]]:
    """The cards that wait for the next round, with their places."""
    return [*zip(shoe.places.strays, table.strays, strict=True)]


def _taken_aside(table: Table, count: int) -> tuple[int, ...]:
    """The places of so many cards aside that a case gives their place, as a rule its own.

    Besides it are those that no case has, and at last those of others.
    """
    case, shoe = table.case, table.shoe
    assert shoe is not None
    waits = case is not None and (case.waits is not None or case.offer is not None)
    cards = cards_of_case(table, None if waits else case)
    own = cards.places if cards.pile == "aside" else ()
    left = unclaimed(table)
    more = sorted({*own, *left} - {*shoe.places.early}) if count > len(own) else own
    return tuple(dict.fromkeys((*more, *left, *shoe.places.aside)))[:count]


def _without_aside(table: Table, gone: tuple[int, ...]) -> Table:
    """The table when some cards do not lie aside any more."""
    shoe = table.shoe
    assert shoe is not None
    lying = [each for each in zip(shoe.places.aside, table.aside, strict=True) if each[0] not in gone]
    shoe = with_places(shoe, aside=tuple(place for place, _ in lying))
    return replace(table, aside=tuple(face for _, face in lying), shoe=shoe)


def _with_nothing_out(table: Table) -> Table:
    """The table whose round is still to get its first card, if all that came out for it is elsewhere."""
    current = table.round
    playing = current is not None and not (current.ended or current.free) and table.phase is Phase.DEALING
    return replace(table, phase=Phase.CLOSED) if playing and not are_cards_out(table) else table


def _placed(table: Table, event: ev.WagerPlaced) -> Table:
    table = _raise(table, event) if table.phase is Phase.CLOSED else table
    return _place(table, event, table.next_wager)


def _place(table: Table, event: ev.WagerPlaced | ev.WagerFound, reached: int) -> Table:
    order, name, patron = table.next_wager, event.patron, table.patron(event.patron)
    marked = patron is not None and patron.marked is not None
    new = PlacedWager(event.id, name, event.position, event.wager, event.amount, reached, 0, marked)
    if event.id == order:  # ids are given in order, so this is a new wager
        wagers = (*table.wagers, new)
    else:
        wagers = tuple(
            replace(
                new,
                stake=each.stake + event.amount,
                pulled=each.pulled,
                marked=each.marked,
                held=each.held,
                reached=(*each.reached, (each.stake, each.order)),
            )
            if each.id == event.id
            else each
            for each in table.wagers
        )
    again = table.wagers and table.wagers[-1].patron == name  # so that it is known already
    stakes = table.stakes if again else with_stake(table.stakes, name, round_at_hand(table))
    table = replace(table, wagers=wagers, next_wager=order + 1, stakes=stakes)
    return _credit(table, event.patron, -event.amount) if table.setup.terminal else table


def _raise(table: Table, event: ev.WagerPlaced) -> Table:
    """The table whose round remembers that a wager was raised after the closing call, as a clause allows."""
    current = table.round
    if current is None or current.ended:
        return table
    raised = dict(current.raised)
    raised[event.id] = raised.get(event.id, 0) + event.amount
    return _in_round(table, raised=tuple(raised.items()))


def _with_owner(table: Table, event: ev.WagerFound) -> Table:
    """The table with the patron of a wager that is found: one who left before has left it lying."""
    if table.patron(event.patron) is not None:
        return table
    marked = {each.patron: each.round for each in table.marks}.get(event.patron)
    left = Patron(event.patron, event.position, seated=False, marked=marked, gone=True)
    return replace(table, patrons=(*table.patrons, left))


def _reduce(table: Table, event: ev.WagerReduced) -> Table:
    def less(each: PlacedWager) -> PlacedWager:
        left = each.stake - event.amount
        pulled = min(each.pulled - event.gone, left)
        order = table.next_wager if event.order is None else event.order
        reached = tuple(step for step in each.reached if step[1] < order) if event.order else ()
        return replace(each, stake=left, order=order, pulled=pulled, reached=reached)

    wagers = (less(each) if each.id == event.id else each for each in table.wagers)
    if event.case is not None:
        cases = (
            _withdrawn(each, table, event) if each.id == event.case else each for each in table.open_cases
        )
        table = replace(table, open_cases=tuple(cases))
    table = replace(
        table, wagers=tuple(each for each in wagers if each.stake), next_wager=table.next_wager + 1
    )
    if event.mistaken and table.round is not None and not table.round.ended:
        table = _in_round(table, mistaken=tuple(dict.fromkeys((*table.round.mistaken, event.wager))))
    if table.phase in (Phase.DEALING, Phase.OUTCOME):  # another difference than the one that was dealt with
        table = _no_longer_noted(table, Situation.DIFFERENTIAL_EXCEEDED)
    return _credit(table, event.patron, event.back) if table.setup.terminal else table


def _withdrawn(case: Case, table: Table, event: ev.WagerReduced) -> Case:
    """The case when a wager, or a part of one, was withdrawn in its offer."""
    offer, lay = case.offer, next(each for each in table.wagers if each.id == event.id)
    assert offer is not None
    stake = WithdrawnStake(replace(lay, stake=event.amount, pulled=event.gone), event.by)
    return replace(
        case,
        withdrawn=(*case.withdrawn, event.patron),
        offer=replace(offer, withdrawn=(*offer.withdrawn, stake)),
    )


def _pull(table: Table, wager: int, amount: int) -> Table:
    wagers = tuple(
        replace(each, pulled=each.pulled + amount) if each.id == wager else each for each in table.wagers
    )
    return replace(table, wagers=wagers)


def _in_round(table: Table, **changes: object) -> Table:
    assert table.round is not None
    return replace(table, round=replace(table.round, **changes))


def _in_case(table: Table, **changes: object) -> Table:
    """The table with changes to the case that is dealt with first."""
    *others, first = table.open_cases
    return replace(table, open_cases=(*others, replace(first, **changes)))


CardEvent = (
    ev.CardsSetAside
    | ev.CardsDelivered
    | ev.CardsTakenBack
    | ev.CardsDeclined
    | ev.RevealOrderChosen
    | ev.CardsSeen
    | ev.CardsExposed
    | ev.CardsReconstructed
    | ev.CardsSubstituted
    | ev.CardsRetrieved
)


def _cards(table: Table, event: CardEvent) -> Table:
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    match event:
        case ev.CardsSetAside():
            if event.by == STRAY:
                count = min(len(event.cards), len(shoe.places.strays))
                waited = shoe.places.strays[:count]
                told = zip(table.strays, event.cards[:count], strict=False)
                shoe = learn(_came_out(shoe, count), waited, event.cards[:count])
                shoe = replace(shoe, drawn=_drawn_as_told(shoe, told))
                table = replace(table, strays=table.strays[count:])
            else:
                count, waited = 0, ()
            shoe, taken = take(shoe, event.cards[count:])
            known = tuple(card for card in event.cards[count:] if card)
            shoe, taken = replace(shoe, drawn=(*shoe.drawn, *known)), (*waited, *taken)
            places = shoe.places
            lying = places.lying if current.cards else ()
            ruled = tuple(each for each in places.ruled if each not in taken)  # it was ruled how they come
            shoe = with_places(shoe, lying=lying, aside=(*places.aside, *taken), ruled=ruled)
            if event.hand is not None:
                put = (*places.put, *((place, event.hand) for place in taken))
                closed = any(each.state is not CardState.EXPOSED for each in current.cards)
                early = (*places.early, *(taken if closed and len(current.cards) >= INITIAL else ()))
                shoe = replace(shoe, places=replace(shoe.places, put=put, early=early))
            return replace(table, phase=_dealing(table), shoe=shoe, aside=(*table.aside, *event.cards))
        case ev.CardsDelivered() | ev.CardsTakenBack():
            return _passed(table, current, event)
        case ev.CardsDeclined():
            declined = (*current.declined, Holding(event.hand, event.patron))
            holdings = tuple(each for each in current.holdings if each.hand is not event.hand)
            chosen = tuple(each for each in current.chosen if each.hand is not event.hand)
            return _in_round(table, declined=declined, holdings=holdings, chosen=chosen)
        case ev.RevealOrderChosen():
            return _in_round(table, reveal_first=event.first)
        case ev.CardsSeen():
            cards = tuple(
                replace(each, state=CardState.SEEN)
                if each.hand is event.hand and each.state is CardState.FACE_DOWN
                else each
                for each in current.cards
            )
            by = (Holding(event.hand, event.patron),) if event.patron else ()
            table = _as_it_lies(table, current, event)
            return _in_round(table, cards=cards, looked=tuple(dict.fromkeys((*current.looked, *by))))
        case ev.CardsExposed():
            return _expose(_as_it_lies(table, current, event), current, event)
        case ev.CardsReconstructed():
            return _reconstruct(table, current, event)
        case ev.CardsSubstituted():
            return _substitute(table, current, event)
        case _:
            seen = any(was_seen(table, each) for each in current.cards) or any(table.aside)
            seen = current.seen_before or seen
            table, shoe = _laid_again(table, ())
            table = _in_round(
                table,
                cards=(),
                holdings=(),
                looked=(),
                declined=(),
                chosen=(),
                seen_before=seen,
                facts=None,
                same_cards=current.same_cards or shoe.new_cards_due,
                announced=None,
            )
            return _without_choice(replace(table, phase=Phase.CLOSED, shoe=shoe))


def _without_choice(table: Table) -> Table:
    """The table when no card is out any more: a burn that is still to be made leaves patrons no choice.

    Once a card comes without it, it is judged again.
    """
    shoe = table.shoe
    if shoe is None or not shoe.patrons_choose or shoe.burned is not None:
        return table
    shoe = replace(shoe, patrons_choose=False, choosers=(), chosen=())
    return _no_longer_noted(replace(table, shoe=shoe), Situation.BURN_FORGOTTEN)


def _drawn_as_told(shoe: Shoe, told: Iterable[tuple[Card | None, Card | None]]) -> tuple[Card, ...]:
    """The known cards of a shoe when some that waited lie aside as they are told now."""
    drawn = list(shoe.drawn)
    for known, face in told:
        if face and not known:
            drawn.append(face)
    return tuple(drawn)


def _reconstruct(table: Table, current: Round, event: ev.CardsReconstructed) -> Table:
    """The cards lie otherwise; of a round that is over, those that lay aside go back, and no more changes."""
    table, shoe = _laid_again(_ordered(table, event), event.cards, event.aside)
    if current.ended:
        return replace(table, shoe=shoe)
    faces = (dict(enumerate(each.card for each in cards)) for cards in (current.cards, event.cards))
    before, after = faces
    same = all(before[place] == after.get(place) for place in current.substituted)
    substituted = current.substituted if same else ()
    table = _in_round(table, cards=event.cards, facts=None, substituted=substituted)
    return replace(table, phase=Phase.DEALING, shoe=shoe)


def _substitute(table: Table, current: Round, event: ev.CardsSubstituted) -> Table:
    """Equal cards lie in the place of missing ones, for the first time or after a correction."""
    new = (place for place, each in enumerate(current.cards) if each.card is None and event.cards[place].card)
    first = table.case is not None and table.case.waits is Wait.SUBSTITUTES
    table, shoe = _laid_again(_in_case(table, waits=None) if first else table, event.cards, table.aside)
    table = _in_round(table, cards=event.cards, substituted=(*current.substituted, *new))
    return replace(table, shoe=shoe)


def _drawn(table: Table, event: ev.CardDrawn) -> Table:
    """A card comes out and lies at a hand: one that waited or was reserved, or the next of the shoe."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    dealt = DealtCard(event.hand, event.card, event.state, event.by)
    laid = replace(current, cards=(*current.cards, dealt))
    if shoe.places.ruled and not current.cards:  # what was ruled was ruled for this round
        ruled = tuple(each for each in shoe.places.ruled if each in shoe.places.strays)
        shoe = with_places(shoe, ruled=ruled)
    places = shoe.places
    lying = places.lying if current.cards else ()
    if event.by == STRAY:
        shoe = with_places(_came_out(_learn_stray(table, shoe, event), 1), lying=(*lying, *places.strays[:1]))
        table = replace(table, round=laid, phase=Phase.DEALING, strays=table.strays[1:], shoe=shoe)
        return _without_its_cards(table) if current.free else table
    if event.by == RESERVE and places.reserved:
        shoe = with_places(shoe, lying=(*lying, *places.reserved[:1]), reserved=places.reserved[1:])
        return replace(table, round=laid, phase=Phase.DEALING, reserved=table.reserved[1:], shoe=shoe)
    return replace(table, round=laid, phase=Phase.DEALING, shoe=draw_to_hand(shoe, event.card, lying))


def _came_out(shoe: Shoe, count: int) -> Shoe:
    """The shoe when the first of the cards that wait have come out."""
    gone, left = shoe.places.strays[:count], shoe.places.strays[count:]
    disclosed = tuple(place for place in shoe.places.disclosed if place not in gone)
    return with_places(shoe, strays=left, disclosed=disclosed)


def _passed(table: Table, current: Round, event: ev.CardsDelivered | ev.CardsTakenBack) -> Table:
    """A hand lies with a patron, or with the Dealer again."""
    holdings = tuple(each for each in current.holdings if each.hand is not event.hand)
    looked = tuple(each for each in current.looked if each.hand is not event.hand)
    if isinstance(event, ev.CardsDelivered):
        holdings = (*holdings, Holding(event.hand, event.patron))
    if isinstance(event, ev.CardsDelivered) and event.chosen:
        others = (each for each in current.chosen if each.hand is not event.hand)
        table = _in_round(table, chosen=(*others, Holding(event.hand, event.patron)))
    return _in_round(table, holdings=holdings, looked=looked)


# who draws a card that had been drawn in error and waited for its free hand
STRAY = "stray"
# who draws a card that had been set aside as a possible third card
RESERVE = "reserve"


def _without_its_cards(table: Table) -> Table:
    """A free hand is owed no more once none of the cards that were to begin it waits; others stay."""
    gone = free_hands_without_cards(table)
    return replace(table, free_hands=tuple(each for each in table.free_hands if each not in gone))


def _learn_stray(table: Table, shoe: Shoe, event: ev.CardDrawn) -> Shoe:
    """A card that waited face down is known once it is drawn."""
    if table.strays[0] is not None or event.card is None:
        return shoe
    return learn(replace(shoe, drawn=(*shoe.drawn, event.card)), shoe.places.strays[:1], (event.card,))


def _dealing(table: Table) -> Phase:
    """A card that comes out while wagers lie begins the deal; an outcome stays known, and a round over."""
    return table.phase if table.phase in (Phase.OUTCOME, Phase.IDLE) else Phase.DEALING


def _laid_again(
    table: Table, new: tuple[DealtCard, ...], aside: tuple[Card | None, ...] = ()
) -> tuple[Table, Shoe]:
    """The table and its shoe when other cards lie before the hands, and other cards aside, than did before.

    More cards are those that came out next and wait, or come from the shoe; cards that lie nowhere any more
    go back on top in their order.
    """
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    if current.shoe != shoe.number:  # the cards in use have nothing to do with those of the hands
        return (table, shoe) if aside else _aside_goes_back(table, shoe)
    drawn: list[Card] = list(shoe.drawn)
    faces = (*(each.card for each in new), *aside)
    places, came = shoe.places, (*(each.card for each in current.cards), *table.aside)
    back = _taken_back(table, shoe, faces)
    for face in (*came, *table.strays[back]):
        if face:
            drawn.remove(face)
    pool = (*places.lying[: len(current.cards)], *sorted((*places.aside, *places.strays[back])))
    seen = _seen_outside(table, current, places)
    table = replace(table, strays=(*table.strays[: back.start], *table.strays[back.stop :]))
    shoe = with_places(shoe, strays=(*places.strays[: back.start], *places.strays[back.stop :]))
    shoe = lie(with_places(shoe, lying=pool), len(pool), faces)
    pool = shoe.places.lying
    shoe = with_places(shoe, lying=pool[: len(new)], aside=pool[len(new) :])
    moved = (
        (place, old.hand)
        for place, old, laid in zip(places.lying, current.cards, new, strict=False)
        if old.hand is not laid.hand and place not in dict(places.put)
    )
    put = tuple(each for each in (*shoe.places.put, *moved) if each[0] not in shoe.places.back)
    early = tuple(place for place in shoe.places.early if place in shoe.places.aside)
    lay_there = {*places.aside} - {*places.returned}
    returned = tuple(place for place in shoe.places.aside if place not in lay_there)
    shoe = replace(shoe, places=replace(shoe.places, put=put, early=early, returned=returned))
    shoe = _went_back_seen(shoe, seen)
    return replace(table, aside=aside), replace(shoe, drawn=(*drawn, *(face for face in faces if face)))


def _aside_goes_back(table: Table, shoe: Shoe) -> tuple[Table, Shoe]:
    """The table and its shoe when the cards that lay aside are on top of it again, in their order."""
    drawn, places = list(shoe.drawn), shoe.places
    for face in filter(None, table.aside):
        drawn.remove(face)
    seen = tuple((place, face) for place, face in zip(places.aside, table.aside, strict=True) if face)
    shoe = replace(shoe, left=shoe.left + len(places.aside), drawn=tuple(drawn))
    shoe = with_places(shoe, back=(*places.aside, *places.back), aside=())
    return replace(table, aside=()), _went_back_seen(shoe, seen)


SeenPlaces = tuple[tuple[int, Card], ...]


def _seen_outside(table: Table, current: Round, places: Places) -> SeenPlaces:
    """The known cards outside the shoe that were seen: at the hands not all of them, elsewhere all."""
    seen = (each.card if was_seen(table, each) else None for each in current.cards)
    lying = zip(places.lying, seen, strict=False)
    others = zip((*places.aside, *places.strays), (*table.aside, *table.strays), strict=True)
    return tuple((place, face) for place, face in (*lying, *others) if face)


def _went_back_seen(shoe: Shoe, seen: SeenPlaces) -> Shoe:
    """The shoe when cards that were seen went back into it: known there, and nothing ruled yet."""
    back = {place: face for place, face in seen if place in shoe.places.back}
    if not back:
        return shoe
    ahead = (*(each for each in shoe.places.ahead if each[0] not in back), *back.items())
    ruled = tuple(place for place in shoe.places.ruled if place not in back)
    return replace(shoe, places=replace(shoe.places, ahead=ahead, ruled=ruled))


def _ordered(table: Table, event: ev.CardsReconstructed) -> Table:
    """Cards that came together have their order by the clauses by which their case lays them.

    Others lie aside by the clauses that have put them there.
    """
    together = table.case is not None and table.case.situation is Situation.CARDS_TOGETHER
    return replace(table, ordered_by=event.clauses) if together or not table.aside else table


def _taken_back(table: Table, shoe: Shoe, faces: tuple[Card | None, ...]) -> slice:
    """The cards among those that wait for the next round which are laid in this one after all."""
    hands, waiting = len(table.round.cards) if table.round else 0, strays_of_round(table)
    first, more = _first_stray(shoe, waiting), len(faces) - hands - len(table.aside)
    back = slice(first, first + max(min(len(waiting), more), 0))
    pool = sorted((*shoe.places.aside, *shoe.places.strays[back]))
    outside = dict(zip(pool, faces[hands:], strict=False))
    pairs = zip(shoe.places.strays[back], table.strays[back], strict=True)
    return back if all(face in (None, outside[place]) for place, face in pairs) else slice(first, first)


def _first_stray(shoe: Shoe, waiting: tuple[tuple[int, Card | None], ...]) -> int:
    """The index among the strays of the first of these, or behind the last one."""
    return shoe.places.strays.index(waiting[0][0]) if waiting else len(shoe.places.strays)


def _see_ahead(table: Table, event: ev.CardSeenInShoe) -> Table:
    """The face of a card that is still in the dealing device is known, by its place."""
    shoe = table.shoe
    assert shoe is not None
    return _know_ahead(table, coming(shoe, event.ahead + 1)[event.ahead :], (event.card,))


def _know_ahead(table: Table, told: tuple[int, ...], faces: tuple[Card | None, ...]) -> Table:
    """The table that knows the faces of some cards in the dealing device."""
    shoe = table.shoe
    assert shoe is not None
    places = shoe.places
    others = (each for each in places.ahead if each[0] not in told)
    known = ((place, face) for place, face in zip(told, faces, strict=False) if face)
    return replace(table, shoe=replace(shoe, places=replace(places, ahead=(*others, *known))))


def _ask_about(table: Table, case: Case) -> Table:
    """A case about cards of the dealing device has their places, and its report tells their faces.

    Where a clause lets them come in their turn, carrying it out tells the faces.
    """
    told, shoe = places_told(table, case), table.shoe
    if not told or shoe is None:
        return table
    played = any(isinstance(each, PlayCard) for each in case.effects)
    if before(shoe, told[0]) is not None and not played:
        known = known_faces(shoe, told)
        table = _know_ahead(table, told, case.cards)
        table = _told_first(table, case, (place for place, face in zip(told, known, strict=True) if not face))
        shoe = table.shoe
        assert shoe is not None
    places = replace(shoe.places, asked=(*shoe.places.asked, (case.id, told)))
    return replace(table, shoe=replace(shoe, places=places))


def _no_longer_noted(table: Table, situation: Situation) -> Table:
    """The table whose round is looked at anew for a situation that it has had before."""
    if table.round is None:
        return table
    return _in_round(table, noted=tuple(each for each in table.round.noted if each is not situation))


def _set_aside_for(table: Table, case: Case) -> Table:
    """The table when cards that lie aside have their case: those that it names, or else the first one.

    Nothing about them is left to judge later.
    """
    shoe = table.shoe
    if shoe is None or not sets_aside(table, case):
        return table
    together = case.situation is Situation.CARDS_TOGETHER
    own = unclaimed(table, doubted=together)[: len(case.cards) or 1]
    if is_order_doubted(table, case):  # also those that another case is about
        own = shoe.places.aside
    early = tuple(place for place in shoe.places.early if place not in own)
    returned = tuple(place for place in shoe.places.returned if place not in own)
    asked = (*shoe.places.asked, (case.id, own))
    places = replace(shoe.places, early=early, returned=returned, asked=asked)
    return replace(table, shoe=replace(shoe, places=places)) if own else table


def _told_first(table: Table, case: Case, places: Iterable[int]) -> Table:
    """The table that keeps which faces only the report of a case has told."""
    shoe = table.shoe
    assert shoe is not None
    first = tuple(places)
    others = tuple(each for each in shoe.places.told if each[0] != case.id)
    told = (*others, (case.id, first)) if first else others
    return replace(table, shoe=replace(shoe, places=replace(shoe.places, told=told)))


def _forget_told(table: Table, number: int) -> Table:
    """The table when nobody knows the faces that only a report told which was not so."""
    shoe = table.shoe
    assert shoe is not None
    first = dict(shoe.places.told).get(number, ())
    waiting = dict(zip(shoe.places.strays, table.strays, strict=True))
    drawn, faces = list(shoe.drawn), list(shoe.places.faces)
    for place in first:
        face = waiting.get(place)
        if face:
            drawn.remove(face)
            faces[place] = waiting[place] = None
    shoe = replace(shoe, drawn=tuple(drawn), places=replace(shoe.places, faces=tuple(faces)))
    table = replace(table, shoe=shoe, strays=tuple(waiting.values()))
    return _know_ahead(table, first, ())


def _know_outside(table: Table, case: Case) -> Table:
    """The table that knows the faces which a report tells of cards outside: dealt in error, or waiting."""
    shoe, own = table.shoe, cards_of_case(table, case)
    if shoe is None or case.situation not in (*UNAUTHORISED, Situation.NEXT_CARD_KNOWN):
        return table
    places = shoe.places
    outside = dict(zip((*places.aside, *places.strays), (*table.aside, *table.strays), strict=True))
    told = {
        place: face
        for place, face in zip(own.places, case.cards, strict=False)
        if face and place in outside and outside[place] is None
    }
    outside |= told
    table = _told_first(table, case, told) if told else table
    shoe = table.shoe
    assert shoe is not None
    return replace(
        table,
        shoe=replace(learn(shoe, told, [*told.values()]), drawn=(*shoe.drawn, *told.values())),
        aside=tuple(outside[place] for place in places.aside),
        strays=tuple(outside[place] for place in places.strays),
    )


def _not_so(table: Table, number: int) -> Table:
    """The table when an irregularity is found not to be so: its round does not note it.

    Cards that never came have no faces. Possible third cards that were set aside come next again.
    """
    case = next((each for each in table.open_cases if each.id == number), None)
    situation = case.situation if case else None
    again = any(each.situation is situation and each.id != number for each in table.open_cases)
    if case is None or table.round is None:
        return table
    if never_came(table, case):
        table = _forget_aside(table, cards_of_case(table, case).places)
    table = _unexposed(table, case)
    if again:
        return table
    if situation is Situation.PATRON_LEFT_WITH_CARDS and not is_sorted(case):
        table = _reserve_goes_back(table)
    if situation is Situation.WRONG_DELIVERY and is_noticed(table, case):
        return _hand_lies_as_before(table, case)
    assert situation is not None
    return _no_longer_noted(table, situation)


def _as_it_lies(table: Table, current: Round, event: ev.CardsSeen | ev.CardsExposed) -> Table:
    """The table that keeps how its cards lie before a report tells of a hand."""
    if event.case is None:
        return table
    return _in_round(table, untold=(*current.untold, (event.case, current.cards)))


def _told_no_more(table: Table, number: int) -> Table:
    """The table that does not keep how the cards lay before a report any more."""
    current = table.round
    if current is None or not any(case == number for case, _ in current.untold):
        return table
    return _in_round(table, untold=tuple(each for each in current.untold if each[0] != number))


def _unexposed(table: Table, case: Case) -> Table:
    """The table when a hand lies as it did before a report, which was not so: nobody knows what that told."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    cards = cards_before(table, case)
    if cards is None or cards == current.cards:
        return table
    drawn, faces = list(shoe.drawn), list(shoe.places.faces)
    changed = zip(shoe.places.lying, current.cards, cards, strict=False)
    for place, face in ((place, old.card) for place, old, new in changed if old.card and not new.card):
        faces[place] = None
        drawn.remove(face)
    shoe = replace(shoe, drawn=tuple(drawn), places=replace(shoe.places, faces=tuple(faces)))
    touched = {each.hand for each in cards if each.state is not CardState.FACE_DOWN}
    opened = tuple(each for each in current.opened if each in touched)
    looked = tuple(each for each in current.looked if each.hand in touched)
    table = _in_round(table, cards=cards, opened=opened, looked=looked, facts=None)
    phase = Phase.DEALING if table.phase is Phase.OUTCOME else table.phase
    return replace(table, shoe=shoe, phase=phase)


def _hand_lies_as_before(table: Table, case: Case) -> Table:
    """The table when a patron was there after all, or a hand was never passed to a wrong one.

    Who was not away has the hand again; one that was not passed lies with the Dealer.
    """
    current, hands = table.round, hands_in_doubt(table, case)
    assert current is not None
    noted = tuple(each for each in current.noted if each is not case.situation)
    if case.situation is Situation.WRONG_DELIVERY:
        held = tuple(each for each in current.holdings if each.hand not in hands)
        return _in_round(table, holdings=held, noted=noted)
    drawn = {each.hand for each in current.cards if each.drawn_by == case.patron}
    again = tuple(each for each in current.declined if each.hand in hands and each.patron == case.patron)
    passed = tuple(each for each in again if each.hand not in drawn)  # who drew a hand has it without that
    declined = tuple(each for each in current.declined if each not in again)
    return _in_round(table, holdings=(*current.holdings, *passed), declined=declined, noted=noted)


def _count_again(table: Table, number: int) -> Table:
    """The table when a card is found in a dealing device that had none left by the count."""
    shoe = table.shoe
    too_few = any(e.id == number and e.situation is Situation.TOO_FEW_CARDS for e in table.open_cases)
    if shoe is None or not too_few:
        return table
    return replace(table, shoe=replace(shoe, left=shoe.left + 1, discards=shoe.discards - 1))


def _forget_aside(table: Table, never_out: tuple[int, ...]) -> Table:
    """The table when nobody knows some of the cards that lie aside."""
    shoe = table.shoe
    assert shoe is not None
    drawn, faces = list(shoe.drawn), list(shoe.places.faces)
    aside = dict(zip(shoe.places.aside, table.aside, strict=True))
    for place in never_out:
        face = aside[place]
        faces[place] = aside[place] = None
        if face:
            drawn.remove(face)
    shoe = replace(shoe, drawn=tuple(drawn), places=replace(shoe.places, faces=tuple(faces)))
    return replace(table, aside=tuple(aside.values()), shoe=shoe)


def _reserve_goes_back(table: Table) -> Table:
    """The table when possible third cards lie in the dealing device again, on top in drawn order and seen."""
    shoe, reserved = table.shoe, table.reserved
    assert shoe is not None
    drawn, places = list(shoe.drawn), shoe.places.reserved
    for face in reserved:
        drawn.remove(face)
    shoe = with_places(shoe, reserved=(), back=(*places, *shoe.places.back))
    shoe = replace(shoe, left=shoe.left + len(places), drawn=tuple(drawn))
    return replace(table, reserved=(), shoe=_went_back_seen(shoe, tuple(zip(places, reserved, strict=True))))


def _asked_no_more(table: Table, number: int, *, forget: bool) -> Table:
    """A case is over; what a report told is forgotten where the report was not so."""
    shoe = table.shoe
    told = dict(shoe.places.asked).get(number, ()) if shoe else ()
    if shoe is None or not told:
        return table
    if forget:
        table = _forget_told(table, number)
        shoe = table.shoe
        assert shoe is not None
    asked = tuple(each for each in shoe.places.asked if each[0] != number)
    first = tuple(each for each in shoe.places.told if each[0] != number)
    return replace(table, shoe=replace(shoe, places=replace(shoe.places, asked=asked, told=first)))


def _to_be_judged(table: Table, event: ev.CaseClosed) -> Table:
    """The table when a case is over before anything was decided: its cards aside are judged again."""
    case, shoe = next((each for each in table.open_cases if each.id == event.id), None), table.shoe
    if case is None or shoe is None or case.done or case.situation not in UNAUTHORISED:
        return table
    returned = (*shoe.places.returned, *set_aside_for(table, case))
    return replace(table, shoe=with_places(shoe, returned=tuple(dict.fromkeys(returned))))


def _judge_case(table: Table, event: ev.CaseClosed | ev.FactsDisproved | ev.ReportWithdrawn) -> Table:
    """The table when a case is over: one that is not so is judged no more.

    One by which play goes on, as a wager was decided, is judged by that alone.
    """
    if not isinstance(event, ev.CaseClosed):
        left = tuple(each for each in table.round.judged if each.id != event.id) if table.round else ()
        return _in_round(table, judged=left) if table.round else table
    case = next((each for each in table.open_cases if each.id == event.id), None)
    by_course = case is not None and case.situation is Situation.POWER_FAILURE and not event.superseded_by
    asks = case is not None and any(isinstance(each, OfferWithdrawal) for each in case.effects)
    return _judged(table, case) if by_course and not asks else table


def _judged_by(table: Table, case: Case) -> Table:
    """The table when another case is about the same as some that have asked nobody."""
    current, shoe = table.round, table.shoe
    if current is None or shoe is None or not current.judged:
        return table
    asked = dict(shoe.places.asked)
    own = {*asked.get(case.id, ())}
    again = [
        each.id
        for each in current.judged
        if each.situation is case.situation and (not own or own.intersection(asked.get(each.id, ())))
    ]
    for number in again:
        table = _asked_no_more(table, number, forget=False)
    return _in_round(table, judged=tuple(each for each in current.judged if each.id not in again))


def _judged(table: Table, case: Case | None) -> Table:
    """The table when a case asks nobody as the cards lie: corrected cards may let it ask after all."""
    current = table.round
    assert case is not None
    return _in_round(table, judged=(*current.judged, case)) if current and not current.ended else table


def _comes_after_all(table: Table, number: int) -> Table:
    """The table when a case is over in which another card came than was to come: that one comes next.

    A case about the cards that came keeps their places. Somebody can still say that the one which comes next
    was misread.
    """
    shoe = table.shoe
    doubted = [e for e in table.open_cases if e.id == number and is_order_doubted(table, e)]
    if shoe is None or not doubted:
        return table
    came = {each.id for each in table.open_cases if sets_aside(table, each)}
    own = {case: told for case, told in shoe.places.asked if case in came}
    first = len(shoe.places.faces)
    for place in reversed(passed_over(shoe)):  # of several the first one comes first
        shoe = came_from_behind(shoe, place)
    still_there = tuple(reversed(range(first, len(shoe.places.faces))))
    asked = tuple((case, own.get(case, told)) for case, told in shoe.places.asked if case != number)
    asked = (*asked, (number, still_there)) if still_there else asked
    told = (*table.told, *doubted) if still_there else table.told
    return replace(table, told=told, shoe=replace(shoe, places=replace(shoe.places, asked=asked)))


def _lose_order(table: Table) -> Table:
    """The table when nobody knows any more which card of the dealing device comes where."""
    shoe = table.shoe
    assert shoe is not None
    old, drawn = shoe.places, list(shoe.drawn)
    waiting = dict(zip(old.strays, table.strays, strict=True))
    inside = old.disclosed  # they wait on top of the dealing device
    for face in (waiting.pop(place) for place in inside):
        if face:
            drawn.remove(face)
    places = replace(old, back=(), ahead=(), ruled=(), strays=tuple(waiting), disclosed=())
    shoe = replace(shoe, left=shoe.left + len(inside), drawn=tuple(drawn), places=places)
    told = tuple(
        each for each in table.told if each.situation not in IN_THE_SHOE and not is_order_doubted(table, each)
    )
    return replace(table, shoe=shoe, strays=tuple(waiting.values()), told=told)


def _leaves_known(table: Table, number: int) -> tuple[Case, ...]:
    """The case that is closed, if somebody can still say that its report was not so."""
    own = (each for each in table.open_cases if each.id == number)
    left = (leaves_known_cards, leaves_a_hand, leaves_in_error, leaves_a_booking)
    return tuple(each for each in own if any(leaves(table, each) for leaves in left))


def _untold(table: Table, number: int) -> Table:
    """The table when cards that a report told are not known: no free hand begins with them.

    Those that were kept on top of the dealing device come next, and of those outside nobody has seen the
    first one.
    """
    case, shoe = next(each for each in table.told if each.id == number), table.shoe
    assert shoe is not None
    if case.situation in (*ABOUT_A_HAND, Situation.OLD_LIMIT_MISTAKE):
        left = tuple(each for each in table.told if each.id != number)
        about_a_hand = case.situation in ABOUT_A_HAND
        return replace(_hand_lies_as_before(table, case) if about_a_hand else table, told=left)
    misread = _misread(table, number)
    if misread:
        table = _without_misread(table, misread)
        return _untold(table, number) if any(each.id == number for each in table.told) else table
    told, others = cards_of_case(table, case).places, _told_besides(table, number)
    went_back = told if case.situation in SET_ASIDE else shoe.places.disclosed  # they never came out
    inside = tuple(place for place in went_back if place in told and place not in others)
    waiting = dict(zip(shoe.places.strays, table.strays, strict=True))
    unseen = {*inside, *(place for place in told[:1] if place in waiting)}
    drawn, faces = list(shoe.drawn), list(shoe.places.faces)
    for place in unseen - {place for place, face in others.items() if face}:
        face = waiting[place]
        if face:
            drawn.remove(face)
        faces[place] = waiting[place] = None
    shoe = replace(shoe, drawn=tuple(drawn), left=shoe.left + len(inside))
    places = replace(
        shoe.places,
        faces=tuple(faces),
        back=(*inside, *shoe.places.back),
        strays=tuple(place for place in shoe.places.strays if place not in inside),
        disclosed=tuple(place for place in shoe.places.disclosed if place not in inside),
        put=tuple(each for each in shoe.places.put if each[0] not in inside),
    )
    owed = [each for each in table.free_hands if {*each.places}.intersection(told)]
    owed = owed[-1:] if others.keys() & {*told} else owed  # the others rest on what the others told
    table = replace(
        table,
        shoe=replace(shoe, places=places),
        strays=tuple(waiting[place] for place in places.strays),
        free_hands=_without_last(table.free_hands, owed),
        told=tuple(each for each in table.told if each.id != number),
    )
    if table.round is not None:
        noted = tuple(each for each in table.round.noted if each is not case.situation)
        table = _in_round(table, noted=noted)
    table = _asked_no_more(_know_ahead(table, told, ()), number, forget=False)
    again = tuple(place for place in told if others.get(place) and before(shoe, place) is not None)
    return _know_ahead(table, again, tuple(others[place] for place in again)) if again else table


def _misread(table: Table, number: int) -> tuple[int, ...]:
    """The places of cards that were to come next after others came, if a report about them is not so."""
    asked = dict(table.shoe.places.asked) if table.shoe else {}
    doubted = (each.id for each in table.told if is_order_doubted(table, each))
    still_there = {place for each in doubted for place in asked.get(each, ())}
    return tuple(place for place in asked.get(number, ()) if place in still_there)


def _without_misread(table: Table, places: tuple[int, ...]) -> Table:
    """The table when cards that were to come next were misread: nobody knows any of them."""
    shoe = table.shoe
    assert shoe is not None
    for place in sorted(places, reverse=True):
        shoe = was_misread(shoe, place)
    over = {case for case, left in shoe.places.asked if not left}
    asked = tuple(each for each in shoe.places.asked if each[0] not in over)
    told = tuple(each for each in table.told if each.id not in over)
    return replace(table, told=told, shoe=replace(shoe, places=replace(shoe.places, asked=asked)))


def _told_besides(table: Table, number: int) -> dict[int, Card | None]:
    """The cards that other reports tell of, which are as much in doubt, by their places."""
    asked = dict(table.shoe.places.asked) if table.shoe else {}
    found: dict[int, Card | None] = {}
    for each in (other for other in table.told if other.id != number):
        places = asked.get(each.id, ())
        for place, face in zip(places, (*each.cards, *(None,) * len(places)), strict=False):
            found[place] = face or found.get(place)
    return found


def _without_last(hands: tuple[OwedHand, ...], gone: list[OwedHand]) -> tuple[OwedHand, ...]:
    """Free hands without some of them, each the last one of its kind."""
    left = list(reversed(hands))
    for each in gone:
        left.remove(each)
    return tuple(reversed(left))


def _acted_on(table: Table, places: tuple[int, ...]) -> Table:
    """The table when somebody has acted on what was told of some cards: that is taken back no more."""
    asked = dict(table.shoe.places.asked) if table.shoe else {}
    told = tuple(each for each in table.told if not {*asked.get(each.id, ())}.intersection(places))
    return replace(table, told=told) if len(told) < len(table.told) else table


def _drawn_since(table: Table, before_it: Shoe) -> Table:
    """The table when cards have come out that a report told of: whoever drew them has acted on it.

    Where another card came than the one that was told, nobody has.
    """
    shoe = table.shoe
    assert shoe is not None
    others = passed_over(shoe)
    places = (place for _, told in shoe.places.asked for place in told)
    out = (place for place in places if place not in others and _waits(before_it, place))
    return _acted_on(table, tuple(place for place in out if not _waits(shoe, place)))


def _waits(shoe: Shoe, place: int) -> bool:
    """Whether a card is still to be drawn: it is in the dealing device, or waits for the next round."""
    return place in shoe.places.strays or before(shoe, place) is not None


def _ruled_order(table: Table, event: ev.RulingMade) -> Table:
    """The table when a post has said in which order the cards of its case came."""
    shoe, own = table.shoe, cards_of_case(table, table.case)
    if shoe is None or own.pile != "aside" or not event.cards:
        return table
    ordered = tuple(dict.fromkeys((*shoe.places.ordered, *own.places)))
    return replace(table, shoe=with_places(shoe, ordered=ordered))


def _let_come(table: Table, event: ev.RulingMade) -> Table:
    """A post lets known cards come in their turn; cards that it lets be laid by the table of play have none.

    Where it burns a card that came instead of one that waits or was seen, that one comes. What it decides
    about a burn that was left out ends what was owed.
    """
    shoe, case, chosen = table.shoe, table.case, (event.choice, *event.also)
    own = cards_of_case(table, case)
    if not is_order_doubted(
        table, case
    ):  # else the post decides about another card than the one that was told
        table = _acted_on(table, own.places)
    if shoe is None or case is None or (Preset.PLAY_CARD in chosen and is_laid_in_order(table, case)):
        return table
    places = own.places if {Preset.PLAY_CARD, Preset.KEEP_AS_NEXT_CARD}.intersection(chosen) else ()
    inside = (*shoe.places.back, *known_ahead(shoe))
    if Preset.BURN_CARD in chosen and is_order_doubted(table, case):
        places = (*shoe.places.strays, *shoe.places.aside, *inside)
    if case.situation is Situation.DEVICE_RESET and Preset.VOID_ROUND not in chosen:
        places = inside  # the round is dealt again with them
    if case.situation is Situation.BURN_FORGOTTEN:
        shoe = replace(shoe, burn_owed=False)
    ruled = (*shoe.places.ruled, *places)
    return replace(table, shoe=replace(shoe, places=replace(shoe.places, ruled=ruled)))


def _correct(table: Table, event: ev.CardCorrected) -> Table:
    """The table with another face on a card of its last round, or of one before that it still knows.

    Cards count in the order in which they came out: those at the hands, those aside, those that wait, and
    possible third cards.
    """
    current, shoe, index = table.round, table.shoe, event.number - 1
    if current is None or shoe is None or current.number != event.round:
        return _correct_earlier(table, event)
    if index >= len(current.cards):
        return _correct_outside(table, index - len(current.cards), event)
    cards = tuple(
        replace(each, card=event.new) if place == index else each for place, each in enumerate(current.cards)
    )
    cases = (
        _told_otherwise(each, event) if each.situation in TELLS_THE_ORDER else each
        for each in table.open_cases
    )
    table = replace(_in_round(table, cards=cards), open_cases=tuple(cases))
    if index in current.substituted:
        table = _in_round(table, lacking=tuple(filter(None, _exchange(current.lacking, event))))
    if current.shoe == shoe.number:
        table = replace(table, shoe=_other_face(shoe, shoe.places.lying[index : index + 1], event))
    if table.phase is not Phase.OUTCOME:
        return table
    return replace(_in_round(table, facts=None), phase=Phase.DEALING)


def _correct_outside(table: Table, index: int, event: ev.CardCorrected) -> Table:
    """The table with another face on a card that lies aside, waits for the next round, or is reserved."""
    shoe = table.shoe
    assert shoe is not None
    is_aside, strays = index < len(table.aside), strays_of_round(table)
    if index >= len(table.aside) + len(strays):
        return _correct_reserved(table, shoe, index - len(table.aside) - len(strays), event)
    waiting = _first_stray(shoe, strays) + index - len(table.aside)
    index, pile = (index, table.aside) if is_aside else (waiting, table.strays)
    places = (shoe.places.aside if is_aside else shoe.places.strays)[index : index + 1]
    changed = (*pile[:index], event.new, *pile[index + 1 :])
    cases = (
        _told_otherwise(each, event) if _is_about(table, each, places) else each for each in table.open_cases
    )
    table = replace(table, open_cases=tuple(cases), shoe=_other_face(shoe, places, event))
    return replace(table, aside=changed) if is_aside else replace(table, strays=changed)


def _correct_reserved(table: Table, shoe: Shoe, index: int, event: ev.CardCorrected) -> Table:
    """The table with another face on a possible third card."""
    shoe = _other_face(shoe, shoe.places.reserved[index : index + 1], event)
    reserved = (*table.reserved[:index], event.new, *table.reserved[index + 1 :])
    return replace(table, reserved=reserved, shoe=shoe)


def _other_face(shoe: Shoe, places: tuple[int, ...], event: ev.CardCorrected) -> Shoe:
    """The shoe when a card that left it has another face."""
    drawn = list(shoe.drawn)
    if event.old in drawn:
        drawn.remove(event.old)
    ahead = ((each, event.new if each in places else face) for each, face in shoe.places.ahead)
    shoe = replace(shoe, places=replace(shoe.places, ahead=tuple(ahead)))
    return replace(learn(shoe, places, (event.new,) * len(places)), drawn=(*drawn, event.new))


def _is_about(table: Table, case: Case, places: tuple[int, ...]) -> bool:
    return {*places} <= {*cards_of_case(table, case).places}


def _told_otherwise(case: Case, event: ev.CardCorrected) -> Case:
    """The case with another face on one of its cards."""
    return replace(case, cards=_exchange(case.cards, event))


def _exchange(cards: tuple[Card | None, ...], event: ev.CardCorrected) -> tuple[Card | None, ...]:
    """Cards with the new face of a correction in the place of its old one, if that is among them."""
    if event.old not in cards:
        return cards
    index = cards.index(event.old)
    return (*cards[:index], event.new, *cards[index + 1 :])


def _correct_earlier(table: Table, event: ev.CardCorrected) -> Table:
    """The table with another face on a card of a round before the last one, if it still has that round."""
    index, shoe = event.number - 1, table.shoe
    earlier = list(table.earlier)
    for place, each in enumerate(earlier):
        if each.number == event.round and index < len(each.cards):
            cards = (*each.cards[:index], event.new, *each.cards[index + 1 :])
            earlier[place] = replace(each, cards=cards)
            if shoe is not None and each.places:
                shoe = _other_face(shoe, each.places[index : index + 1], event)
    return replace(table, shoe=shoe, earlier=tuple(earlier))


def _expose(table: Table, current: Round, event: ev.CardsExposed) -> Table:
    faces = list(event.cards)
    cards = tuple(
        replace(each, card=face, state=CardState.EXPOSED)
        if each.hand is event.hand and (face := faces.pop(0))
        else each
        for each in current.cards
    )
    shoe = table.shoe
    assert shoe is not None
    learned = tuple(
        new.card for old, new in zip(current.cards, cards, strict=True) if old.card is None and new.card
    )
    shoe = learn(replace(shoe, drawn=(*shoe.drawn, *learned)), shoe.places.lying, [e.card for e in cards])
    held = any(each.hand is event.hand for each in current.holdings)
    opened = current.opened if held else tuple(dict.fromkeys((*current.opened, event.hand)))
    return replace(_in_round(table, cards=cards, opened=opened), shoe=shoe)


def _come(table: Table, event: ev.PatronCame) -> Table:
    """Somebody comes, or takes another place, and has what waited at the table."""
    others = tuple(each for each in table.patrons if each.name != event.patron)
    before, current = table.patron(event.patron), table.round
    marked = before.marked if before and not before.gone else event.marked
    here = Patron(event.patron, event.position, event.seated, marked)
    waited = waiting_for(current, event.patron)
    if current is not None and waited:
        table = replace(table, round=wait_for(current, event.patron, -waited))
    return replace(table, patrons=(*others, here))


def _claim(table: Table, event: ev.ClaimBooked) -> Table:
    """A patron owes more, or less, because the settlement of the last round was taken back."""
    if table.setup.terminal:
        table = _credit(table, event.patron, event.amount)
    assert table.round is not None
    claims = {each.terminal: each.credits for each in table.round.claims}
    claims[event.patron] = claims.get(event.patron, 0) + event.amount
    current = wait_for(table.round, event.patron, event.amount) if event.amount < 0 else table.round
    owed = tuple(Balance(name, amount) for name, amount in claims.items() if amount)
    return replace(table, round=replace(current, claims=owed))


def _known(table: Table, event: ev.OutcomeKnown) -> Table:
    return replace(_in_round(table, facts=event.facts), phase=Phase.OUTCOME)


def _called(table: Table, event: ev.OutcomeCalled) -> Table:
    return _in_round(table, called=event.winner, called_totals=(event.player, event.banker))


def _settle(table: Table, event: ev.RoundSettled) -> Table:
    waiting = left_waiting(table, event.wagers)
    settled = _in_round(table, lay=table.wagers, settled=event.wagers, undone=(), waiting=waiting)
    table = replace(settled, wagers=())
    if table.setup.terminal:
        table = _credit_all(table, ((each.patron, each.back + each.paid) for each in event.wagers))
    return held_folds.settle(table, event.wagers) if table.held else table


def _reverse(table: Table, event: ev.SettlementReversed) -> Table:
    """The wagers lie on the layout again as they did before the settlement, the cards before the hands."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    if current.shoe == shoe.number:
        rounds_left = None if shoe.rounds_left is None else shoe.rounds_left + 1
        discards = shoe.discards - len(current.cards)
        shoe = replace(shoe, rounds=shoe.rounds - 1, discards=discards, rounds_left=rounds_left)
    if table.setup.terminal:
        table = _credit_all(table, ((each.patron, -each.back - each.paid) for each in event.wagers))
    shut = table.phase is Phase.SHUT
    undone = replace(current, lay=(), settled=(), undone=event.wagers, waiting=())
    undone = replace(undone, called=None, ended=False, shut=shut)
    table = held_folds.undo(_unmarked(table, current.number), event.wagers)
    return replace(table, round=undone, wagers=current.lay, phase=Phase.OUTCOME, shoe=shoe)


def _mark(table: Table, event: ev.PatronMarked) -> Table:
    """Mark a patron by the wagers under the minimum that were paid or collected."""
    lines = (each for each in table.round.settled if each.patron == event.patron) if table.round else ()
    moved = (each for each in lines if each.paid or each.taken)
    wagers = tuple(each.id for each in moved if each.stake < limit_of(table, each.wager).minimum)
    patrons = tuple(
        replace(each, marked=event.round) if each.name == event.patron else each for each in table.patrons
    )
    marks = tuple(each for each in table.marks if each.patron != event.patron)
    return replace(table, patrons=patrons, marks=(*marks, Mark(event.patron, event.round, wagers)))


def _unmarked(table: Table, number: int) -> Table:
    """Without its settlement a round has paid and collected nothing, so it has marked nobody."""
    patrons = tuple(replace(each, marked=None) if each.marked == number else each for each in table.patrons)
    return replace(table, patrons=patrons, marks=tuple(each for each in table.marks if each.round != number))


def _void(table: Table, event: ev.RoundVoided) -> Table:
    if table.setup.terminal:
        back = ((each.patron, each.lying) for each in event.returned)
        undone = ((each.patron, each.lying - each.back - each.paid) for each in event.reversed)
        table = _credit_all(table, (*back, *undone))
    current = table.round
    assert current is not None
    table = held_folds.undo(_nothing_ruled(_unmarked(table, current.number)), event.reversed)
    if current.ended and table.aside and table.shoe:  # a round takes along what lies aside
        shoe = with_places(table.shoe, aside=())
        table = replace(table, aside=(), shoe=replace(shoe, discards=shoe.discards + len(table.aside)))
    still_owed = (current.serves,) if current.serves and not current.void else ()
    return replace(
        table,
        round=replace(
            current,
            void=True,
            lay=(),
            settled=(),
            undone=(),
            waiting=(),
            set_apart=(),
            refunded=as_balances(refunded_by((*event.returned, *event.reversed))),
        ),
        wagers=(),
        free_hands=(*still_owed, *table.free_hands),
    )


def _nothing_ruled(table: Table) -> Table:
    """The table when the wagers go back: what was ruled about known cards was ruled for them.

    Whoever decides that may decide about cards of the next round as well.
    """
    shoe, own = table.shoe, cards_of_case(table, table.case).places
    assert shoe is not None
    own = (*own, *dict(shoe.places.asked).get(table.case.id if table.case else 0, ()))
    return replace(
        table, shoe=with_places(shoe, ruled=tuple(each for each in shoe.places.ruled if each in own))
    )


def _end(table: Table, event: ev.RoundEnded) -> Table:  # noqa: ARG001 - as all steps
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    outside = len(table.reserved) + len(table.aside)  # these came out of the cards in use in any case
    if current.shoe == shoe.number:
        rounds_left = None if shoe.rounds_left is None else max(shoe.rounds_left - 1, 0)
        discards = shoe.discards + len(current.cards)
        shoe = replace(shoe, rounds=shoe.rounds + 1, discards=discards, rounds_left=rounds_left)
    shoe = with_places(replace(shoe, discards=shoe.discards + outside), reserved=(), aside=())
    reserved, lacking = list(table.reserved), list[Card]()
    for card in current.lacking:  # what was reserved and not needed lies among the discards by now
        (reserved.remove if card in reserved else lacking.append)(card)
    return replace(
        table,
        told=tuple(each for each in table.told if each.situation not in ABOUT_A_HAND),
        round=replace(current, ended=True, holdings=(), had=current.holdings, lacking=tuple(lacking)),
        shoe=shoe,
        phase=Phase.SHUT if current.shut else Phase.IDLE,
        decrease_asked=False,
        decrease_unanswered=(),
        squeeze_permitted=(),
        squeeze_forbidden=False,
        squeeze_forbidden_to=(),
        reserved=(),
        aside=(),
        patrons=tuple(each for each in table.patrons if not each.gone),
    )


def _open_offer(table: Table, offer: Offer) -> Table:
    """Patrons are asked; one may be asked later than others, while another irregularity is dealt with."""
    asks = (
        replace(each, waits=None, offer=offer) if each.id == offer.case else each for each in table.open_cases
    )
    return replace(table, open_cases=tuple(asks))


def _answer(table: Table, event: ev.OfferAnswered) -> Table:
    """An offer may be answered while another irregularity is dealt with first."""
    if event.withdrew:
        table = _with_all_withdrawn(table, event)
    return replace(
        table,
        open_cases=tuple(
            replace(
                each,
                withdrew=each.withdrew or event.withdrew,
                acted=True,
                offer=_answered(each.offer, event),
            )
            if each.offer is not None and event.case in (None, each.id)
            else each
            for each in table.open_cases
        ),
    )


def _with_past_offer(table: Table) -> Table:
    """The table whose round remembers the offer of a case that is over: whoever has no wager is not asked."""
    case, current = table.case, table.round
    effect = case.effects[case.done] if case and case.done < len(case.effects) else None
    if case is None or current is None or current.ended or not isinstance(effect, OfferWithdrawal):
        return table
    asked, count = case.offer.asked if case.offer else (), len(current.cards)
    past = PastOffer(case.situation, case.clause, case.effects, effect, asked, count)
    return _in_round(table, offers=(*current.offers, past))


def _with_all_withdrawn(table: Table, event: ev.OfferAnswered) -> Table:
    """The table whose round remembers that a patron took all wagers back, or all that cards left open."""
    current = table.round
    for case in table.open_cases:
        offer = case.offer
        if current is None or current.ended or offer is None or event.case not in (None, case.id):
            continue
        if offer.wagers is not Withdrawable.SINGLE:
            misplaced = any(each.situation is Situation.WRONG_ORDER for each in table.open_cases)
            lying = [place for place, each in enumerate(current.cards) if each.state is CardState.EXPOSED]
            remaining = offer.wagers is Withdrawable.ALL_REMAINING
            taken = WithdrawnAll(
                event.patron, case.id, offer.clause, remaining, () if misplaced else tuple(lying)
            )
            table = _in_round(table, withdrew_all=(*current.withdrew_all, taken))
    return table


def _answered(offer: Offer, event: ev.OfferAnswered) -> Offer:
    entered = (event.patron,) if event.by is not None else ()
    return replace(offer, answered=(*offer.answered, event.patron), entered=(*offer.entered, *entered))


def _take_answer_back(table: Table, event: ev.AnswerTakenBack) -> Table:
    """A patron is asked again, and what was withdrawn for her lies there as it did."""
    lying = {each.id: each for each in table.wagers}
    for each in reversed(event.wagers):  # of several parts the first one lay there longest
        left = lying.get(each.id)
        whole = (
            replace(each, stake=each.stake + left.stake, pulled=each.pulled + left.pulled) if left else each
        )
        lying[each.id] = whole
    cases = (_ask_again(each, event) if each.id == event.case else each for each in table.open_cases)
    wagers = tuple(lying[number] for number in sorted(lying))
    table = replace(table, wagers=wagers, open_cases=tuple(cases))
    if table.round is not None and table.round.withdrew_all:
        own = (event.patron, event.case)
        others = (each for each in table.round.withdrew_all if (each.patron, each.case) != own)
        table = _in_round(table, withdrew_all=tuple(others))
    back = sum(each.lying for each in event.wagers)
    return _credit(table, event.patron, -back) if table.setup.terminal else table


def _ask_again(case: Case, event: ev.AnswerTakenBack) -> Case:
    offer, withdrawn = case.offer, list(case.withdrawn)
    assert offer is not None
    for _ in event.wagers:
        withdrawn.remove(event.patron)
    return replace(
        case,
        withdrew=bool(withdrawn),
        withdrawn=tuple(withdrawn),
        offer=replace(
            offer,
            answered=tuple(each for each in offer.answered if each != event.patron),
            entered=tuple(each for each in offer.entered if each != event.patron),
            withdrawn=tuple(each for each in offer.withdrawn if each.wager not in event.wagers),
        ),
    )


def _first(table: Table, number: int) -> Table:
    """The table that deals first with one of its irregularities."""
    return replace(table, open_cases=tuple(sorted(table.open_cases, key=lambda each: each.id == number)))


def _keep_strays(table: Table, event: ev.StrayCardsKept) -> Table:
    """Cards that lay aside wait for the next round; those of a case about the shoe come from there.

    Such a case takes none while it waits for somebody. Whatever was kept first, cards wait in the order in
    which they came out.
    """
    shoe, case, count = table.shoe, table.case, len(event.cards)
    assert shoe is not None
    lying = shoe.places.aside
    waits = case is not None and (case.waits is not None or case.offer is not None)
    if lying and (waits or cards_of_case(table, case).pile != "shoe"):
        taken = _taken_aside(table, count)
        table = _without_aside(table, taken)
        assert table.shoe is not None
        shoe = tell(table.shoe, taken, event.cards)
    else:
        known = tuple(card for card in event.cards if card)
        shoe, taken = take(replace(shoe, drawn=(*shoe.drawn, *known)), event.cards)
        shoe = with_places(shoe, disclosed=(*shoe.places.disclosed, *taken))
    waiting = [*_waiting(table, shoe), *zip(taken, event.cards, strict=True)]
    waiting.sort(key=operator.itemgetter(0))
    shoe = with_places(shoe, strays=tuple(place for place, _ in waiting))
    table = replace(table, strays=tuple(face for _, face in waiting), shoe=shoe)
    return _with_nothing_out(table)


def _reserve(table: Table, event: ev.CardsReserved) -> Table:
    shoe = table.shoe
    assert shoe is not None
    shoe, taken = take(replace(shoe, drawn=(*shoe.drawn, *event.cards)), event.cards)
    shoe = with_places(shoe, reserved=(*shoe.places.reserved, *taken))
    return replace(_in_case(table, waits=None), shoe=shoe, reserved=(*table.reserved, *event.cards))


def _alarm(table: Table, alarm: Alarm) -> Table:
    """The shoe in use remembers of what there was alarm.

    Where another card came than was to come, nothing is ruled any more about cards that are still to come,
    and one that had gone back stays known at its place; a burn that is owed takes it.
    """
    shoe = table.shoe
    if shoe is None:
        return table
    if alarm.kind is AlarmKind.OTHER_CARD_CAME:
        shoe = with_places(shoe, ruled=())
        back, other = shoe.places.back[alarm.number : alarm.number + 1], alarm.other
        if other is not None and not shoe.burn_owed and known_faces(shoe, back) == (other,):
            table = _know_ahead(replace(table, shoe=shoe), back, (other,))
            assert table.shoe is not None
            shoe = table.shoe
    return replace(table, shoe=replace(shoe, alarms=tuple(dict.fromkeys((*shoe.alarms, alarm.kind)))))


RoundStep = (
    ev.WagerPlaced
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
    ev.WagerPlaced: _placed,
    ev.CardDrawn: _drawn,
    ev.BettingOpened: _open_betting,
    ev.RoundBegan: _begin_round,
    ev.BettingClosed: _close_betting,
    ev.OutcomeKnown: _known,
    ev.OutcomeCalled: _called,
    ev.RoundSettled: _settle,
    ev.RoundEnded: _end,
}
