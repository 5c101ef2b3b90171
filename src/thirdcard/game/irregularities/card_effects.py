"""The effects of irregularities on the cards."""

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.case_cards import (
    TELLS_THE_ORDER,
    CaseCards,
    are_cards_out,
    are_hands_asked_about,
    aside_with,
    aside_without,
    cards_of_case,
    faces_aside,
    is_laid_in_order,
    is_order_doubted,
    is_taken_along_referred,
    set_aside_for,
    sets_aside,
    stays_in_shoe,
    unclaimed,
)
from thirdcard.game.causes import Cause
from thirdcard.game.dealing import (
    advance,
    current_round,
    open_by_dealer,
)
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.money_effects import case_of, reverse_settlement
from thirdcard.game.laying import (
    CameOut,
    came_out,
    end_free_hands,
    lay_again,
    lay_out,
    lying_aside,
    third_card,
)
from thirdcard.game.places import before, known_ahead
from thirdcard.game.rounds import MOST_CARDS, is_concluded, is_to_begin
from thirdcard.game.squeezing import entitled, hands_to_open, hands_with, holder_of, is_finished
from thirdcard.game.state import CardState, Case, DealtCard, Hand, Phase, Table
from thirdcard.rulebook import irregularity as rule

# effects that lay, pass or open cards which have been dealt
ABOUT_DEALT_CARDS = (
    rule.ReconstructCards,
    rule.DetermineCardOrder,
    rule.DeliverToRightPatron,
    rule.ExposeByDealer,
    rule.GiveCardToBanker,
)


def _as_told(lying: tuple[DealtCard, ...], told: tuple[Card | None, ...]) -> tuple[DealtCard, ...]:
    """The cards that lie there in the order in which they are told, each as open as it lies.

    Those that are told without their faces keep their order; some may have been opened meanwhile.
    """
    left, ordered = [*lying], dict[int, DealtCard]()
    numbered = [*enumerate(told[: len(lying)])]
    for number, face in sorted(numbered, key=lambda each: each[1] is None):
        same = (each for each in left if face is not None and each.card == face)
        unknown = (each for each in left if face is not None and each.card is None)
        found = next(same, None) or next(unknown, left[0])
        left.remove(found)
        ordered[number] = replace(found, card=face or found.card)
    return tuple(ordered[number] for number, _ in numbered)


def _in_drawn_order(desk: QueryDesk) -> CameOut:
    """The cards that came out in the true order of drawing, as told or else as drawn."""
    case, hands = case_of(desk), current_round(desk).cards
    if case.cards and case.situation in TELLS_THE_ORDER:
        more = lying_aside(desk, case.cards[len(hands) :])
        hands = _as_told((*hands, *more), case.cards)
    own = cards_of_case(desk.table, case)
    if own.pile != "aside":
        return came_out(desk, hands)
    told = case.situation is rule.Situation.CARDS_TOGETHER and len(case.cards) == len(own.places)
    faces = case.cards if told else faces_aside(desk.table, own.places)
    return _as_open_as_they_lay(came_out(desk, hands, (own.places, faces)), case)


def _as_open_as_they_lay(out: CameOut, case: Case) -> CameOut:
    """The cards that came out, with those open that lay open at a hand before they were taken up."""
    lay_open = {each.card for each in case.dealt if each.card and each.state is CardState.EXPOSED}
    cards = (replace(each, state=CardState.EXPOSED) if each.card in lay_open else each for each in out.cards)
    return out._replace(cards=tuple(cards)) if lay_open else out


def lie_otherwise(desk: QueryDesk, _: object = None) -> bool:
    """Whether the cards do not lie yet as they are to lie; another decision may have laid them meanwhile.

    Another case may ask patrons before it lays them, and then it does that.
    """
    current = current_round(desk)
    if are_hands_asked_about(desk.table, case_of(desk).id):
        return False
    out = _in_drawn_order(desk)
    laid = lay_out(desk, out.cards).laid
    as_they_lie = [(each.hand, each.card) for each in current.cards]
    moved = len(laid) < out.hands or [(each.hand, each.card) for each in laid] != as_they_lie
    set_aside = cards_of_case(desk.table, case_of(desk)).pile == "aside"
    return not current.void and (moved or set_aside)


def can_be_laid(desk: QueryDesk, _: object = None) -> bool:
    """Whether cards are to be laid otherwise, also where the record does not show it: nobody knows a face."""
    case = case_of(desk)
    unseen = case.situation in TELLS_THE_ORDER and case.cards.count(None) > 1
    return lie_otherwise(desk) or (unseen and desk.round is not None)


def is_laid_by_continuing(desk: QueryDesk, case: Case) -> bool:
    """Whether cards are laid again when a case is decided by going on: it must be about their order.

    A round that was over and waits to be settled again stands as it lies.
    """
    about = case.situation in TELLS_THE_ORDER or is_laid_in_order(desk.table, case)
    return about and desk.round is not None and not is_concluded(desk) and lie_otherwise(desk)


def reconstruct(desk: Desk, clause: Clause | None) -> None:
    """Lay the cards in the true order of drawing.

    A card stays aside until it can be judged which hand has it; one that no hand has opens the next round.
    """
    clauses, case = (clause,) if clause else (), case_of(desk)
    if are_hands_asked_about(desk.table, case.id):  # that case lays them, with those that lie aside
        _turn_to_ruled_order(desk)
        return
    before, out = desk.table, _in_drawn_order(desk)
    current = current_round(desk)
    if current.ended and lay_out(desk, out.laid_by(desk.actor)).laid != current.cards:
        reverse_settlement(desk, clauses)
    lay_again(desk, out, clauses, keeps_aside=sets_aside(desk.table, case))
    end_what_is_pointless(desk, before, this=case.id)
    if desk.round is not None:
        advance(desk)


def are_laid(desk: QueryDesk, before: Table) -> bool:
    """Whether cards were reconstructed: not if all that came together are left over."""
    together = case_of(desk).situation is rule.Situation.CARDS_TOGETHER
    lay = before.round.cards if before.round else ()
    return not together or bool(desk.table.aside) or current_round(desk).cards != lay


def end_what_is_pointless(desk: Desk, before: Table, this: int | None = None) -> None:
    """End other cases, and the free hand, of cards that have their place in the round after all."""
    for each in desk.table.open_cases:
        lay_aside = each.id != this and bool(set_aside_for(before, each))
        if lay_aside and not set_aside_for(desk.table, each):
            desk.emit(ev.CaseClosed(id=each.id))
    end_free_hands(desk)


def deliver(desk: Desk, effect: rule.DeliverToRightPatron) -> None:
    """Take a hand back from where it is, and pass it on to the patron who has a right to it."""
    hand = case_of(desk).hand
    assert hand is not None
    right, holder = entitled(desk, hand), holder_of(desk, hand)
    if holder is not None:
        desk.emit(ev.CardsTakenBack(hand=hand, patron=holder, clauses=(effect.clause,)))
    if isinstance(right, tuple):
        desk.emit(ev.CardsDelivered(hand=hand, patron=right[0], clauses=(effect.clause, *right[1])))


def can_be_fetched(desk: QueryDesk, effect: object = None) -> bool:
    """Whether a hand that lies face down is to go elsewhere: to the right patron, or back to the Dealer."""
    case, current = case_of(desk), current_round(desk)
    closed = any(each.hand is case.hand and each.state is not CardState.EXPOSED for each in current.cards)
    astray = case.hand is not None and holder_of(desk, case.hand) is not None
    return closed and (astray or is_somebody_right(desk, effect))


def is_somebody_right(desk: QueryDesk, _: object = None) -> bool:
    """Whether some patron is to have the hand; else it stays with the Dealer."""
    hand = case_of(desk).hand
    return hand is not None and isinstance(entitled(desk, hand), tuple)


def expose(desk: Desk, effect: rule.ExposeByDealer) -> None:
    """The Dealer opens every hand that lies with a patron who is away, and later cards of it too."""
    open_hands(desk, (effect.clause,))


def open_hands(desk: Desk, clauses: tuple[Clause, ...]) -> None:
    """Open every hand that the patron of the case has, or took along, with the faces that were told."""
    case, current = case_of(desk), current_round(desk)
    assert case.patron is not None
    told = [card for card in case.cards if card]
    hands = hands_to_open(desk, current, case.patron)
    if case.situation is rule.Situation.PATRON_LEFT_WITH_CARDS:
        hands = hands_with(desk, current, case.patron)
    for hand in (each for each in Hand if each in hands):
        count = sum(each.hand is hand for each in current.cards)
        faces, told = tuple(told[:count]), told[count:]
        if is_finished(current, hand):
            continue
        desk.emit(ev.CardsDeclined(hand=hand, patron=case.patron, clauses=clauses))
        open_by_dealer(desk, hand, clauses, faces)


def open_known_cards(desk: Desk, effect: rule.SubstituteMissingCards) -> None:
    """The Dealer opens cards that a patron took along, if it turned out what they are: none is missing."""
    case, current = case_of(desk), current_round(desk)
    closed = [each for each in current.cards if each.state is not CardState.EXPOSED]
    unknown = {each.hand for each in closed if each.card is None}
    taken = {each.hand for each in closed} & hands_with(desk, current, case.patron or "") - unknown
    for hand in sorted(taken, key=lambda each: each.value):
        desk.emit(ev.CardsDeclined(hand=hand, patron=case.patron or "", clauses=(effect.clause,)))
        open_by_dealer(desk, hand, (effect.clause,))


def are_more_open(desk: QueryDesk, before: Table) -> bool:
    """Whether cards lie open that did not: the Dealer cannot open faces that nobody has told yet."""
    lay = before.round.cards if before.round else ()
    opened = [each.state for each in current_round(desk).cards].count(CardState.EXPOSED)
    return opened > [each.state for each in lay].count(CardState.EXPOSED)


def play_card(desk: Desk, effect: rule.PlayCard) -> None:
    """A card that was seen in the dealing device comes in its turn, and no other in its place."""
    case = case_of(desk)
    for place, card in enumerate(case.cards):
        assert card is not None
        desk.emit(ev.CardSeenInShoe(card=card, ahead=case.ahead + place, clauses=(effect.clause,)))


def give_to_banker(desk: Desk, effect: rule.GiveCardToBanker) -> None:
    """The card that was put to the Player becomes the Banker's third; others wait for a free hand."""
    own = cards_of_case(desk.table, case_of(desk)).places
    first, *rest = faces_aside(desk.table, own)
    current, clauses = current_round(desk), (effect.clause,)
    cards = (*current.cards, third_card(Hand.BANKER, first, desk.actor))
    desk.emit(ev.CardsReconstructed(cards=cards, aside=aside_without(desk.table, own[:1]), clauses=clauses))
    end_free_hands(desk)
    if rest:
        desk.emit(ev.StrayCardsKept(cards=tuple(rest), clauses=clauses))
        desk.emit(ev.FreeHandDue(places=own[1:], clauses=clauses))
    advance(desk)


def give_free_hand(desk: Desk, clauses: tuple[Clause, ...]) -> None:
    """A hand without wagers is owed, beginning with the cards of the case, drawn in error or seen."""
    own = cards_of_case(desk.table, case_of(desk))
    if _begins_this_hand(desk, own):
        return
    places = () if stays_in_shoe(desk.table, own) else own.places
    keep_strays(desk, clauses[0] if clauses else None)
    desk.emit(ev.FreeHandDue(places=places, clauses=clauses))


def _begins_this_hand(desk: QueryDesk, own: CaseCards) -> bool:
    """Whether known cards on top of the dealing device begin the free hand that is under way."""
    free = desk.round is not None and desk.round.free and not are_cards_out(desk.table)
    return free and own.pile == "shoe" and not own.before


def keep_strays(desk: Desk, clause: Clause | None) -> None:
    """The cards of the case, aside or on top of the shoe, open the next hand; strays wait there already.

    Known cards behind others stay in the shoe, where they come in their turn.
    """
    case = case_of(desk)
    own = cards_of_case(desk.table, case)
    ordered = case.situation is rule.Situation.CARDS_TOGETHER and len(case.cards) == len(own.places)
    aside = case.cards if ordered or own.pile != "aside" else faces_aside(desk.table, own.places)
    found = {"aside": aside, "shoe": case.cards}.get(own.pile or "", ())
    if found and not stays_in_shoe(desk.table, own):
        desk.emit(ev.StrayCardsKept(cards=found[: len(own.places)], clauses=(clause,) if clause else ()))


def wait_again(desk: Desk) -> None:
    """Let cards aside wait again that were to begin the next hand before a correction: the round takes none.

    They are the first of those that no case is about.
    """
    shoe = desk.table.shoe
    assert shoe is not None
    owed = {place: each.clause for each in desk.table.free_hands for place in each.places}
    _, decides = desk.not_covered()
    kept = owed | {place: decides for place in shoe.places.ruled if place not in owed}
    for place in [each for each in unclaimed(desk.table) if each not in shoe.places.early]:
        if place not in kept:
            return
        faces, clause = faces_aside(desk.table, (place,)), kept[place]
        desk.emit(ev.StrayCardsKept(cards=faces, clauses=(clause,) if clause else ()))


def comes_in_this_round(desk: QueryDesk, case: Case) -> bool:
    """Whether the cards of a case are in the dealing device, for a round that has begun without a card."""
    return is_to_begin(desk) and cards_of_case(desk.table, case).pile == "shoe"


def retrieve(desk: Desk, effect: rule.BurnNow | rule.ResetDealingDevice) -> None:
    """Cards that are out go back in order, and the deal can begin again; cases about them are pointless.

    So is one about an excess that was found in the deal: it is met before the first card again.
    """
    if desk.round is None or not (desk.round.cards or desk.table.aside):
        if isinstance(effect, rule.BurnNow):
            _know_before_the_burn(desk, effect.clause)
        return
    _turn_to_ruled_order(desk)
    desk.emit(ev.CardsRetrieved(clauses=(effect.clause,)))
    this = case_of(desk).id
    for each in desk.table.open_cases:
        dealt = any(isinstance(one, ABOUT_DEALT_CARDS) for one in each.effects)
        excess = each.situation is rule.Situation.DIFFERENTIAL_EXCEEDED
        about = sets_aside(desk.table, each) or dealt or excess
        void = any(isinstance(one, rule.VoidRound) for one in each.effects)
        if each.id != this and about and not void:
            desk.emit(ev.CaseClosed(id=each.id, superseded_by=this))


def _know_before_the_burn(desk: Desk, clause: Clause) -> None:
    """Cards that were seen in the dealing device before the burn are known there until it is made."""
    case = case_of(desk)
    for number, card in [(at, face) for at, face in enumerate(case.cards) if face is not None]:
        desk.emit(ev.CardSeenInShoe(card=card, ahead=case.ahead + number, clauses=(clause,)))


def _turn_to_ruled_order(desk: Desk) -> None:
    """Cards that came together lie aside as they were told; a post may have determined another order."""
    for each in desk.table.open_cases:
        for done in each.effects[: each.done]:
            own = cards_of_case(desk.table, each).places
            lying = faces_aside(desk.table, own) if isinstance(done, rule.DetermineCardOrder) else each.cards
            if each.cards != lying and sorted(map(str, each.cards)) == sorted(map(str, lying)):
                cards, clauses = current_round(desk).cards, rule.effect_clauses(done)
                aside = aside_with(desk.table, own, each.cards)
                desk.emit(ev.CardsReconstructed(cards=cards, aside=aside, clauses=clauses))


def burn_cards(desk: Desk, case: Case, clauses: tuple[Clause, ...]) -> None:
    """Burn the cards of the case, and those before them in the shoe; a case without any burns what went back.

    Where none went back either, the next one is burned.
    """
    own, before = cards_of_case(desk.table, case), desk.table
    count = own.before + len(own.places) or next_to_burn(desk, case)
    desk.emit(ev.CardsBurned(cards=count, waiting=own.pile in ("aside", "strays"), clauses=clauses))
    end_what_is_pointless(desk, before, this=case.id)


def next_to_burn(desk: QueryDesk, case: Case) -> int:
    """How many cards of the dealing device are burned for a case that has no cards of its own.

    After a reset they are those that went back, and those up to the last one that was seen and can come.
    """
    shoe, own = desk.table.shoe, cards_of_case(desk.table, case)
    assert shoe is not None
    if own.places:
        return 0
    reset = case.situation is rule.Situation.DEVICE_RESET
    seen = ((before(shoe, place) or 0) + 1 for place in known_ahead(shoe)) if reset else ()
    deepest = max((each for each in seen if each <= MOST_CARDS), default=0)
    return min(max(len(shoe.places.back), deepest) or 1, shoe.left)


def has_case_of_its_own(desk: QueryDesk, case: Case) -> bool:
    """Whether cards that came instead of known ones came together, so that their own case lays them."""
    return is_order_doubted(desk.table, case) and any(
        each.situation is rule.Situation.CARDS_TOGETHER for each in desk.table.open_cases
    )


def is_misplaced(desk: QueryDesk) -> bool:
    """Whether a card lies at a hand that has it by no rule."""
    cards = current_round(desk).cards
    layout = lay_out(desk, cards)
    return len(layout.laid) < len(cards) or any(
        a.hand is not b.hand for a, b in zip(layout.laid, cards, strict=True)
    )


def lay_at_the_end(desk: Desk) -> None:
    """Lay the cards of a case that ends: those that came together in the order that was found.

    A card at the wrong hand goes by its turn, and cards that a patron took along lie open as they were told.
    """
    case, (_, decides) = case_of(desk), desk.not_covered()
    playing = desk.table.phase in (Phase.DEALING, Phase.OUTCOME) and desk.round is not None
    ordered = [each.clause for each in case.effects if isinstance(each, rule.DetermineCardOrder)]
    if case.situation is rule.Situation.CARDS_TOGETHER and ordered and playing and desk.table.aside:
        reconstruct(desk, ordered[0])
    corrected = case.cause is Cause.CARD_CORRECTED and case.round is None and case.hand is not None
    out_of_order = case.situation is rule.Situation.WRONG_ORDER or corrected
    if out_of_order and playing and is_misplaced(desk):
        reconstruct(desk, decides)
    if is_taken_along_referred(case) and desk.table.phase is Phase.DEALING:
        open_hands(desk, (decides,) if decides else ())
