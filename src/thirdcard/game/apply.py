"""Folds events into the table: it has no rulebook, so it cannot decide anything."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.places import learn, lie, take, with_places
from thirdcard.game.state import (
    Acting,
    AlarmKind,
    Balance,
    CardState,
    DealtCard,
    Dispute,
    DisputeStep,
    Holding,
    OnDuty,
    Patron,
    Phase,
    PlacedWager,
    Round,
    Shoe,
    Table,
)


def begin(event: ev.TableSetUp) -> Table:
    """The table as it was set up."""
    return Table(setup=event.setup, method=event.method, owners_per_area=event.owners_per_area)


def _begin_again(table: Table, event: ev.TableSetUp) -> Table:
    """The table as it was set up anew: people, disputes and alarms stay, and what is counted goes on."""
    return replace(
        begin(event),
        staff=table.staff,
        acting=table.acting,
        patrons=table.patrons,
        next_wager=table.next_wager,
        rounds=table.rounds,
        cases=table.cases,
        disputes=table.disputes,
        shoes=table.shoes,
        last_shoe=table.shoe.places.faces if table.shoe else table.last_shoe,
    )


def apply_all(table: Table, events: Iterable[ev.Event]) -> Table:
    """The table after several events."""
    for event in events:
        table = apply(table, event)
    return table


def apply(table: Table, event: ev.Event) -> Table:  # noqa: C901, PLR0911, PLR0912, PLR0915 - one case an event
    """The table after an event."""
    match event:
        case ev.WagerPlaced() | ev.WagerFound():  # first, because the steps of a round are the most frequent
            return _place(table, event)
        case (
            ev.CardDrawn()
            | ev.CardsDelivered()
            | ev.CardsDeclined()
            | ev.RevealOrderChosen()
            | ev.CardsSeen()
            | ev.CardsExposed()
            | ev.CardsReconstructed()
            | ev.CardsSubstituted()
            | ev.CardsRetrieved()
        ):
            return _cards(table, event)
        case ev.BettingOpened():
            return replace(
                table,
                phase=Phase.BETTING,
                squeeze_permitted=(),
                squeeze_forbidden=False,
                squeeze_requested=(),
                decrease_asked=False,
            )
        case ev.RoundBegan():
            begun = Round(number=event.number, method=event.method, free=event.free, last=event.last)
            phase = Phase.DEALING if event.free else table.phase
            return replace(table, round=begun, rounds=event.number, phase=phase)
        case ev.BettingClosed():
            return replace(table, phase=Phase.CLOSED)
        case ev.OutcomeKnown():
            return replace(_in_round(table, facts=event.facts), phase=Phase.OUTCOME)
        case ev.OutcomeCalled():
            return _in_round(table, called=event.winner)
        case ev.RoundSettled():
            return _settle(table, event)
        case ev.RoundEnded():
            return _end(table)
        case ev.TableSetUp():
            return _begin_again(table, event)
        case ev.EquipmentTicked():
            return replace(table, equipment=(*table.equipment, event.item))
        case ev.TableOpened():
            return replace(table, phase=Phase.IDLE)
        case ev.TablePaused():
            return replace(table, paused=True, pause_reason=event.reason)
        case ev.TableResumed():
            return replace(table, paused=False, pause_reason=None)
        case ev.TableClosed():
            return replace(table, phase=Phase.SHUT)
        case ev.StaffCame():
            return replace(table, staff=(*table.staff, OnDuty(event.person, event.post)))
        case ev.StaffLeft():
            return replace(table, staff=tuple(each for each in table.staff if each.person != event.person))
        case ev.ActingAppointed():
            acting = Acting(event.person, event.post, event.start, event.end)
            return replace(table, acting=(*table.acting, acting))
        case ev.PatronCame():
            others = tuple(each for each in table.patrons if each.name != event.patron)
            before = table.patron(event.patron)
            marked = before.marked if before and not before.gone else None
            here = Patron(event.patron, event.position, event.seated, marked)
            return replace(table, patrons=(*others, here))
        case ev.PatronLeft():
            lying = any(each.patron == event.patron for each in table.wagers)
            patrons = tuple(
                replace(each, gone=True) if each.name == event.patron else each
                for each in table.patrons
                if lying or each.name != event.patron
            )
            return replace(table, patrons=patrons)
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
            shoe = Shoe(number=event.number, decks=event.decks, left=event.cards, seal=event.seal)
            table = replace(table, shoe=shoe, shoes=event.number, last_shoe=last)
            return replace(table, strays=(), free_hand_by=None, last_announced=False)
        case (
            ev.CardsCut()
            | ev.CardsBurned()
            | ev.CuttingCardSeen()
            | ev.CardReplacementDue()
            | ev.ShoeEnded()
            | ev.ShoeOpened()
        ):
            return _shoe(table, event)
        case ev.LastHandAnnounced():
            return replace(table, last_announced=True)
        case ev.DeviceTaken():
            return replace(table, device_holder=event.patron)
        case ev.DeviceReleased():
            permitted = tuple(each for each in table.drawing_permitted if each != event.patron)
            return replace(table, device_holder=None, drawing_permitted=permitted)
        case ev.DrawingPermitted():
            return replace(table, drawing_permitted=(*table.drawing_permitted, event.patron))
        case ev.SqueezePermitted():
            return replace(table, squeeze_permitted=(*table.squeeze_permitted, event.person))
        case ev.SqueezeForbidden():
            return replace(table, squeeze_forbidden=True)
        case ev.SqueezeRequested():
            return replace(table, squeeze_requested=(*table.squeeze_requested, event.patron))
        case ev.WagerReduced():
            return _reduce(table, event)
        case ev.WagerPulledLate():
            return _pull(table, event)
        case ev.DecreaseAsked():
            return replace(table, decrease_asked=True)
        case ev.PatronMarked():
            patrons = tuple(
                replace(each, marked=event.round) if each.name == event.patron else each
                for each in table.patrons
            )
            return replace(table, patrons=patrons)
        case ev.RoundVoided():
            return _void(table, event)
        case ev.IrregularityReported():
            return replace(table, case=event.case, cases=event.case.id)
        case ev.CaseWaits():
            return _in_case(table, waits=event.waits)
        case ev.FactsConfirmed() | ev.OfferClosed():
            return replace(_in_case(table, waits=None), offer=None)
        case ev.RulingMade():
            assert table.case is not None
            return _in_case(table, waits=None, cards=event.cards or table.case.cards)
        case ev.SettlementReversed():
            return _reverse(table, event)
        case ev.ClaimBooked():
            return _credit(table, event.patron, event.amount)
        case ev.EffectCarriedOut():
            return _in_case(table, done=table.case.done + 1) if table.case else table
        case ev.OfferOpened():
            return replace(_in_case(table, waits=None), offer=event.offer)
        case ev.OfferAnswered():
            return _answer(table, event)
        case ev.StrayCardsKept():
            return _keep_strays(table, event)
        case ev.FreeHandDue():
            return replace(table, free_hand_by=event.clauses[0])
        case ev.BettingReopened():
            return replace(table, phase=Phase.BETTING)
        case ev.CardsReserved():
            return _reserve(table, event)
        case ev.MissingCardsDeduced():
            return _in_case(table, missing=event.cards, waits=None)
        case ev.CaseClosed():
            return replace(table, case=None, offer=None)
        case ev.DeviceMismatch():
            return _alarm(table, AlarmKind.RESULT_MISMATCH)
        case ev.AlarmRaised():
            return _alarm(table, event.alarm.kind)
        case (
            ev.DisputeOpened()
            | ev.DisputeEscalated()
            | ev.SurveillanceInformed()
            | ev.TimeFrameGiven()
            | ev.DisputeDecided()
            | ev.PatronAnswered()
            | ev.ComplaintRightTold()
            | ev.ComplaintFiled()
            | ev.DisputeClosed()
        ):
            return _dispute(table, event)
        case (
            ev.WagerHandedBack()
            | ev.DifferentialExceeded()
            | ev.WrongPaymentFound()
            | ev.PaymentCorrected()
            | ev.AlertAcknowledged()
        ):
            return table
        case _:
            assert_never(event)


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
    | ev.CuttingCardSeen
    | ev.CardReplacementDue
    | ev.ShoeEnded
    | ev.ShoeOpened,
) -> Table:
    shoe = table.shoe
    assert shoe is not None
    match event:
        case ev.CardsCut():
            shoe = replace(shoe, cut_by=event.by, cut_depth=event.depth)
        case ev.CardsBurned():
            shoe, _ = take(shoe, (event.first, *(None,) * event.cards)[: event.cards])
            shoe = replace(shoe, burned=event.cards, discards=shoe.discards + event.cards)
        case ev.CuttingCardSeen():
            shoe = replace(shoe, rounds_left=event.rounds_left)
        case ev.CardReplacementDue(need="shall"):
            shoe = replace(shoe, replace_by=event.clauses[0])
        case ev.CardReplacementDue(need="patrons-choose"):
            shoe = replace(shoe, patrons_choose=True)
        case ev.CardReplacementDue(need="keep"):
            shoe = replace(shoe, keep_by=event.clauses[0], patrons_choose=False)
        case ev.CardReplacementDue():
            pass
        case ev.ShoeOpened():
            shoe = replace(shoe, opened=True, rounds_left=0)
        case _:
            shoe = replace(shoe, rounds_left=0)
    return replace(table, shoe=shoe)


def _place(table: Table, event: ev.WagerPlaced | ev.WagerFound) -> Table:
    order, patron = table.next_wager, table.patron(event.patron)
    new = PlacedWager(
        id=event.id,
        patron=event.patron,
        position=event.position,
        wager=event.wager,
        stake=event.amount,
        order=order if isinstance(event, ev.WagerPlaced) else 0,
        marked=patron is not None and patron.marked is not None,
    )
    if event.id == order:  # ids are given in order, so this is a new wager
        wagers = (*table.wagers, new)
    else:
        wagers = tuple(
            replace(new, stake=each.stake + event.amount, pulled=each.pulled, marked=each.marked)
            if each.id == event.id
            else each
            for each in table.wagers
        )
    table = replace(table, wagers=wagers, next_wager=order + 1)
    return _credit(table, event.patron, -event.amount) if table.setup.terminal else table


def _reduce(table: Table, event: ev.WagerReduced) -> Table:
    def less(each: PlacedWager) -> PlacedWager:
        left = each.stake - event.amount
        return replace(each, stake=left, order=table.next_wager, pulled=min(each.pulled, left))

    wagers = (less(each) if each.id == event.id else each for each in table.wagers)
    table = replace(
        table, wagers=tuple(each for each in wagers if each.stake), next_wager=table.next_wager + 1
    )
    return _credit(table, event.patron, event.amount) if table.setup.terminal else table


def _pull(table: Table, event: ev.WagerPulledLate) -> Table:
    wagers = tuple(
        replace(each, pulled=each.pulled + event.amount) if each.id == event.id else each
        for each in table.wagers
    )
    return replace(table, wagers=wagers)


def _in_round(table: Table, **changes: object) -> Table:
    assert table.round is not None
    return replace(table, round=replace(table.round, **changes))


def _in_case(table: Table, **changes: object) -> Table:
    assert table.case is not None
    return replace(table, case=replace(table.case, **changes))


CardEvent = (
    ev.CardDrawn
    | ev.CardsDelivered
    | ev.CardsDeclined
    | ev.RevealOrderChosen
    | ev.CardsSeen
    | ev.CardsExposed
    | ev.CardsReconstructed
    | ev.CardsSubstituted
    | ev.CardsRetrieved
)


def _cards(table: Table, event: CardEvent) -> Table:  # noqa: PLR0911 - one case an event
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    match event:
        case ev.CardDrawn():
            dealt = DealtCard(event.hand, event.card, event.state, event.by)
            table = _in_round(table, cards=(*current.cards, dealt))
            lying, places = shoe.places.lying if current.cards else (), shoe.places
            if event.by == STRAY:
                shoe = with_places(shoe, lying=(*lying, *places.strays[:1]), strays=places.strays[1:])
                return replace(table, phase=Phase.DEALING, strays=table.strays[1:], shoe=shoe)
            if event.by == RESERVE:
                shoe = with_places(shoe, lying=(*lying, *places.reserved[:1]), reserved=places.reserved[1:])
                return replace(table, phase=Phase.DEALING, reserved=table.reserved[1:], shoe=shoe)
            shoe, taken = take(shoe, (event.card,))
            shoe = replace(shoe, drawn=(*shoe.drawn, event.card) if event.card else shoe.drawn)
            return replace(table, phase=Phase.DEALING, shoe=with_places(shoe, lying=(*lying, *taken)))
        case ev.CardsDelivered():
            holdings = tuple(each for each in current.holdings if each.hand is not event.hand)
            looked = tuple(each for each in current.looked if each.hand is not event.hand)
            return _in_round(table, holdings=(*holdings, Holding(event.hand, event.patron)), looked=looked)
        case ev.CardsDeclined():
            declined = (*current.declined, Holding(event.hand, event.patron))
            holdings = tuple(each for each in current.holdings if each.hand is not event.hand)
            return _in_round(table, declined=declined, holdings=holdings)
        case ev.RevealOrderChosen():
            return _in_round(table, reveal_first=event.first)
        case ev.CardsSeen():
            cards = tuple(
                replace(each, state=CardState.SEEN)
                if each.hand is event.hand and each.state is CardState.FACE_DOWN
                else each
                for each in current.cards
            )
            looked = tuple(dict.fromkeys((*current.looked, Holding(event.hand, event.patron))))
            return _in_round(table, cards=cards, looked=looked)
        case ev.CardsExposed():
            return _expose(table, current, event)
        case ev.CardsReconstructed():
            shoe = _laid_again(shoe, current.cards, event.cards)
            return replace(_in_round(table, cards=event.cards, facts=None), phase=Phase.DEALING, shoe=shoe)
        case ev.CardsSubstituted():
            shoe = _laid_again(shoe, current.cards, event.cards)
            return replace(_in_case(_in_round(table, cards=event.cards), waits=None), shoe=shoe)
        case _:
            seen = any(each.state is not CardState.FACE_DOWN for each in current.cards)
            seen = current.seen_before or seen
            table = _in_round(table, cards=(), holdings=(), looked=(), seen_before=seen)
            return replace(table, phase=Phase.CLOSED, shoe=_laid_again(shoe, current.cards, ()))


# who draws a card that had been drawn in error and waited for its free hand
STRAY = "stray"
# who draws a card that had been set aside as a possible third card
RESERVE = "reserve"


def _laid_again(shoe: Shoe, old: tuple[DealtCard, ...], new: tuple[DealtCard, ...]) -> Shoe:
    """The shoe when other cards lie before the hands than did before."""
    drawn: list[Card] = list(shoe.drawn)
    for each in old:
        if each.card:
            drawn.remove(each.card)
    drawn += [each.card for each in new if each.card]
    return replace(lie(shoe, len(old), [each.card for each in new]), drawn=tuple(drawn))


def _expose(table: Table, current: Round, event: ev.CardsExposed) -> Table:
    faces = list(event.cards)
    cards = tuple(
        DealtCard(each.hand, faces.pop(0), CardState.EXPOSED, each.drawn_by)
        if each.hand is event.hand
        else each
        for each in current.cards
    )
    shoe = table.shoe
    assert shoe is not None
    learned = tuple(
        new.card for old, new in zip(current.cards, cards, strict=True) if old.card is None and new.card
    )
    shoe = learn(replace(shoe, drawn=(*shoe.drawn, *learned)), shoe.places.lying, [e.card for e in cards])
    return replace(_in_round(table, cards=cards), shoe=shoe)


def _settle(table: Table, event: ev.RoundSettled) -> Table:
    table = replace(_in_round(table, lay=table.wagers, settled=event.wagers), wagers=())
    if table.setup.terminal:
        table = _credit_all(table, ((each.patron, each.back + each.paid) for each in event.wagers))
    return table


def _reverse(table: Table, event: ev.SettlementReversed) -> Table:
    """The wagers lie on the layout again as they did before the settlement, the cards before the hands."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    rounds_left = None if shoe.rounds_left is None else shoe.rounds_left + 1
    discards = shoe.discards - len(current.cards)
    shoe = replace(shoe, rounds=shoe.rounds - 1, discards=discards, rounds_left=rounds_left)
    if table.setup.terminal:
        table = _credit_all(table, ((each.patron, -each.back - each.paid) for each in event.wagers))
    undone = replace(current, lay=(), settled=(), called=None, ended=False)
    table = _unmarked(table, current.number)
    return replace(table, round=undone, wagers=current.lay, phase=Phase.OUTCOME, shoe=shoe)


def _unmarked(table: Table, number: int) -> Table:
    """Without its settlement a round has paid and collected nothing, so it has marked nobody."""
    patrons = tuple(replace(each, marked=None) if each.marked == number else each for each in table.patrons)
    return replace(table, patrons=patrons)


def _void(table: Table, event: ev.RoundVoided) -> Table:
    if table.setup.terminal:
        back = ((each.patron, each.stake) for each in event.returned)
        undone = ((each.patron, each.stake - each.back - each.paid) for each in event.reversed)
        table = _credit_all(table, (*back, *undone))
    current = table.round
    assert current is not None
    table = _unmarked(table, current.number)
    return replace(table, round=replace(current, void=True, lay=(), settled=()), wagers=())


def _end(table: Table) -> Table:
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    rounds_left = None if shoe.rounds_left is None else max(shoe.rounds_left - 1, 0)
    discards = shoe.discards + len(current.cards) + len(table.reserved)
    shoe = replace(shoe, rounds=shoe.rounds + 1, discards=discards, rounds_left=rounds_left)
    shoe = with_places(shoe, reserved=())
    return replace(
        table,
        round=replace(current, ended=True, holdings=()),
        shoe=shoe,
        phase=Phase.IDLE,
        free_hand_by=None if current.free and not table.strays else table.free_hand_by,
        decrease_asked=False,
        reserved=(),
        patrons=tuple(each for each in table.patrons if not each.gone),
    )


def _answer(table: Table, event: ev.OfferAnswered) -> Table:
    offer, case = table.offer, table.case
    assert offer is not None
    assert case is not None
    table = _in_case(table, withdrew=case.withdrew or event.withdrew)
    return replace(table, offer=replace(offer, answered=(*offer.answered, event.patron)))


def _keep_strays(table: Table, event: ev.StrayCardsKept) -> Table:
    shoe = table.shoe
    assert shoe is not None
    shoe, taken = take(replace(shoe, drawn=(*shoe.drawn, *event.cards)), event.cards)
    shoe = with_places(shoe, strays=(*shoe.places.strays, *taken))
    return replace(table, strays=(*table.strays, *event.cards), shoe=shoe)


def _reserve(table: Table, event: ev.CardsReserved) -> Table:
    shoe = table.shoe
    assert shoe is not None
    shoe, taken = take(replace(shoe, drawn=(*shoe.drawn, *event.cards)), event.cards)
    shoe = with_places(shoe, reserved=(*shoe.places.reserved, *taken))
    return replace(_in_case(table, waits=None), shoe=shoe, reserved=(*table.reserved, *event.cards))


def _alarm(table: Table, kind: AlarmKind) -> Table:
    """The shoe in use remembers of what there was alarm."""
    shoe = table.shoe
    if shoe is None:
        return table
    return replace(table, shoe=replace(shoe, alarms=tuple(dict.fromkeys((*shoe.alarms, kind)))))


DisputeEvent = (
    ev.DisputeOpened
    | ev.DisputeEscalated
    | ev.SurveillanceInformed
    | ev.TimeFrameGiven
    | ev.DisputeDecided
    | ev.PatronAnswered
    | ev.ComplaintRightTold
    | ev.ComplaintFiled
    | ev.DisputeClosed
)


def _dispute(table: Table, event: DisputeEvent) -> Table:
    if isinstance(event, ev.DisputeOpened):
        return replace(table, disputes=(*table.disputes, Dispute(event.id, event.patron, event.about)))
    changed = tuple(_after(each, event) if each.id == event.id else each for each in table.disputes)
    return replace(table, disputes=changed)


def _after(dispute: Dispute, event: DisputeEvent) -> Dispute:
    match event:
        case ev.DisputeEscalated():
            return replace(dispute, step=DisputeStep.ESCALATED)
        case ev.SurveillanceInformed():
            return replace(dispute, surveillance=True)
        case ev.TimeFrameGiven():
            return replace(dispute, time_frame=event.time_frame)
        case ev.DisputeDecided():
            return replace(dispute, step=DisputeStep.DECIDED, decision=event.decision, sources=event.sources)
        case ev.PatronAnswered():
            return replace(dispute, agrees=event.agrees)
        case ev.ComplaintRightTold():
            return replace(dispute, right_told=True)
        case ev.ComplaintFiled():
            return replace(dispute, complaint=event.text)
        case _:
            return replace(dispute, step=DisputeStep.CLOSED)
