"""The table after cards of the hands were drawn, passed, opened or laid again."""

from collections.abc import Iterable

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.card_sources import INITIAL, RESERVE, STRAY
from thirdcard.game.case_cards import free_hands_without_cards, strays_of_round, was_seen
from thirdcard.game.current_folds import in_case, in_round, no_longer_noted
from thirdcard.game.next_cards import stray_taken
from thirdcard.game.places import draw_to_hand, learn, lie, still_wait, take, with_places
from thirdcard.game.shoe import Places, Shoe
from thirdcard.game.shoe_folds import SeenPlaces, first_stray, went_back_seen
from thirdcard.game.state import CardState, DealtCard, Holding, Phase, Round, Table, Wait
from thirdcard.rulebook.irregularity import Situation

# chosen for a hand that the Dealer opens, because the patron who had it is away
DEALERS_OWN = ""

# the reports that say so
AWAY = (Situation.PATRON_ABSENT, Situation.PATRON_LEFT_WITH_CARDS)

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


def fold_cards(table: Table, event: CardEvent) -> Table:
    """The table after cards of the hands were passed, opened or laid."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    match event:
        case ev.CardsSetAside():
            return _set_aside(table, current, shoe, event)
        case ev.CardsDelivered() | ev.CardsTakenBack():
            return _passed(table, current, event)
        case ev.CardsDeclined():
            return _declined(table, current, event)
        case ev.RevealOrderChosen():
            return in_round(table, reveal_first=event.first)
        case ev.CardsSeen():
            cards = tuple(
                replace(each, state=CardState.SEEN)
                if each.hand is event.hand and each.state is CardState.FACE_DOWN
                else each
                for each in current.cards
            )
            by = (Holding(event.hand, event.patron),) if event.patron else ()
            table = _as_it_lies(table, current, event)
            return in_round(table, cards=cards, looked=tuple(dict.fromkeys((*current.looked, *by))))
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
            table = in_round(
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


def _declined(table: Table, current: Round, event: ev.CardsDeclined) -> Table:
    """The table when a patron does not have a hand; where one is away who did, nobody is chosen for it."""
    declined = (*current.declined, Holding(event.hand, event.patron))
    holdings = tuple(each for each in current.holdings if each.hand is not event.hand)
    chosen = tuple(each for each in current.chosen if each.hand is not event.hand)
    away = any(each.situation in AWAY and each.patron == event.patron for each in table.open_cases)
    chosen = (*chosen, Holding(event.hand, DEALERS_OWN)) if away else chosen
    return in_round(table, declined=declined, holdings=holdings, chosen=chosen)


def _set_aside(table: Table, current: Round, shoe: Shoe, event: ev.CardsSetAside) -> Table:
    """The table when cards lie aside: those that waited or were reserved come first.

    They may have been put to a hand.
    """
    if event.by == STRAY:
        first = stray_taken(table, event.cards[0])
        count = min(len(event.cards), len(shoe.places.strays) - first)
        waited = shoe.places.strays[first : first + count]
        told = zip(table.strays[first:], event.cards[:count], strict=False)
        shoe = learn(_came_out(shoe, waited), waited, event.cards[:count])
        shoe = replace(shoe, drawn=_drawn_as_told(shoe, told))
        table = replace(table, strays=(*table.strays[:first], *table.strays[first + count :]))
        table = in_round(table, to_come=tuple(each for each in current.to_come if each not in waited))
        table = without_its_cards(replace(table, shoe=shoe)) if current.free else table
    else:
        count = min(len(event.cards), len(table.reserved)) if event.by == RESERVE else 0
        waited = shoe.places.reserved[:count]
        shoe = with_places(shoe, reserved=shoe.places.reserved[count:])
        table = replace(in_round(table, to_come=()), reserved=table.reserved[count:])
    more = max(len(event.cards) - count - shoe.left, 0)  # than the count has left: they were there
    shoe = replace(shoe, left=shoe.left + more, discards=shoe.discards - more) if more else shoe
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


def _without_choice(table: Table) -> Table:
    """The table when no card is out any more: a burn that is still to be made leaves patrons no choice.

    Once a card comes without it, it is judged again.
    """
    shoe = table.shoe
    if shoe is None or not shoe.patrons_choose or shoe.burned is not None:
        return table
    shoe = replace(shoe, patrons_choose=False, choosers=(), chosen=())
    return no_longer_noted(replace(table, shoe=shoe), Situation.BURN_FORGOTTEN)


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
    table = in_round(table, cards=event.cards, facts=None, substituted=substituted)
    return replace(table, phase=Phase.DEALING, shoe=shoe)


def _substitute(table: Table, current: Round, event: ev.CardsSubstituted) -> Table:
    """Equal cards lie in the place of missing ones, for the first time or after a correction."""
    new = (place for place, each in enumerate(current.cards) if each.card is None and event.cards[place].card)
    first = table.case is not None and table.case.waits is Wait.SUBSTITUTES
    table, shoe = _laid_again(in_case(table, waits=None) if first else table, event.cards, table.aside)
    table = in_round(table, cards=event.cards, substituted=(*current.substituted, *new))
    return replace(table, shoe=shoe)


def fold_drawn(table: Table, event: ev.CardDrawn) -> Table:
    """A card comes out and lies at a hand: one that waited or was reserved, or the next of the shoe."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    dealt = DealtCard(event.hand, event.card, event.state, event.by)
    laid = replace(current, cards=(*current.cards, dealt), to_come=())
    if shoe.places.ruled and not current.cards:  # what was ruled was ruled for this round
        ruled = tuple(each for each in shoe.places.ruled if each in shoe.places.strays)
        shoe = with_places(shoe, ruled=ruled)
    places = shoe.places
    lying = places.lying if current.cards else ()
    if event.by == STRAY:
        first = stray_taken(table, event.card)
        place = places.strays[first]
        shoe = _came_out(_learn_stray(shoe, place, table.strays[first], event.card), (place,))
        strays = (*table.strays[:first], *table.strays[first + 1 :])
        laid = replace(laid, to_come=tuple(each for each in current.to_come if each != place))
        ruled = tuple(each for each in shoe.places.ruled if each != place)  # it has come
        shoe = with_places(shoe, lying=(*lying, place), ruled=ruled)
        table = replace(table, round=laid, phase=Phase.DEALING, strays=strays, shoe=shoe)
        return without_its_cards(table) if current.free else table
    if event.by == RESERVE and places.reserved:
        shoe = with_places(shoe, lying=(*lying, *places.reserved[:1]), reserved=places.reserved[1:])
        return replace(table, round=laid, phase=Phase.DEALING, reserved=table.reserved[1:], shoe=shoe)
    shoe = draw_to_hand(shoe, event.card, lying)
    if shoe.places.ruled:  # it has come
        came = shoe.places.lying[-1]
        shoe = with_places(shoe, ruled=tuple(each for each in shoe.places.ruled if each != came))
    return replace(table, round=laid, phase=Phase.DEALING, shoe=shoe)


def _came_out(shoe: Shoe, gone: tuple[int, ...]) -> Shoe:
    """The shoe when some of the cards that wait have come out."""
    return still_wait(shoe, tuple(place for place in shoe.places.strays if place not in gone))


def _passed(table: Table, current: Round, event: ev.CardsDelivered | ev.CardsTakenBack) -> Table:
    """A hand lies with a patron, or with the Dealer again."""
    holdings = tuple(each for each in current.holdings if each.hand is not event.hand)
    looked = tuple(each for each in current.looked if each.hand is not event.hand)
    if isinstance(event, ev.CardsDelivered):
        holdings = (*holdings, Holding(event.hand, event.patron))
    if isinstance(event, ev.CardsDelivered) and event.chosen:
        others = (each for each in current.chosen if each.hand is not event.hand)
        table = in_round(table, chosen=(*others, Holding(event.hand, event.patron)))
    return in_round(table, holdings=holdings, looked=looked)


def without_its_cards(table: Table) -> Table:
    """A free hand is owed no more once none of the cards that were to begin it waits; others stay."""
    gone = free_hands_without_cards(table)
    return replace(table, free_hands=tuple(each for each in table.free_hands if each not in gone))


def _learn_stray(shoe: Shoe, place: int, known: Card | None, drawn: Card | None) -> Shoe:
    """A card that waited face down is known once it is drawn."""
    if known is not None or drawn is None:
        return shoe
    return learn(replace(shoe, drawn=(*shoe.drawn, drawn)), (place,), (drawn,))


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
    shoe = still_wait(shoe, (*places.strays[: back.start], *places.strays[back.stop :]))
    shoe = lie(with_places(shoe, lying=pool), len(pool), faces)
    pool = shoe.places.lying
    shoe = with_places(shoe, lying=pool[: len(new)], aside=pool[len(new) :])
    shoe = with_places(shoe, ruled=tuple(each for each in places.ruled if _is_same_card(shoe, places, each)))
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
    shoe = went_back_seen(shoe, seen)
    return replace(table, aside=aside), replace(shoe, drawn=(*drawn, *(face for face in faces if face)))


def _is_same_card(shoe: Shoe, before: Places, place: int) -> bool:
    """Whether the card at a place is the one that was there, so that what was ruled about it still holds."""
    return shoe.places.faces[place : place + 1] == before.faces[place : place + 1]


def _aside_goes_back(table: Table, shoe: Shoe) -> tuple[Table, Shoe]:
    """The table and its shoe when the cards that lay aside are on top of it again, in their order."""
    drawn, places = list(shoe.drawn), shoe.places
    for face in filter(None, table.aside):
        drawn.remove(face)
    seen = tuple((place, face) for place, face in zip(places.aside, table.aside, strict=True) if face)
    shoe = replace(shoe, left=shoe.left + len(places.aside), drawn=tuple(drawn))
    shoe = with_places(shoe, back=(*places.aside, *places.back), aside=())
    return replace(table, aside=()), went_back_seen(shoe, seen)


def _seen_outside(table: Table, current: Round, places: Places) -> SeenPlaces:
    """The known cards outside the shoe that were seen: at the hands not all of them, elsewhere all."""
    seen = (each.card if was_seen(table, each) else None for each in current.cards)
    lying = zip(places.lying, seen, strict=False)
    others = zip((*places.aside, *places.strays), (*table.aside, *table.strays), strict=True)
    return tuple((place, face) for place, face in (*lying, *others) if face)


def _ordered(table: Table, event: ev.CardsReconstructed) -> Table:
    """Cards that came together have their order by the clauses by which their case lays them.

    Others lie aside by the clauses that have put them there.
    """
    together = table.case is not None and table.case.situation is Situation.CARDS_TOGETHER
    return replace(table, ordered_by=event.clauses) if together or not table.aside else table


def _taken_back(table: Table, shoe: Shoe, faces: tuple[Card | None, ...]) -> slice:
    """The cards among those that wait for the next round which are laid in this one after all."""
    hands, waiting = len(table.round.cards) if table.round else 0, strays_of_round(table)
    first, more = first_stray(shoe, waiting), len(faces) - hands - len(table.aside)
    back = slice(first, first + max(min(len(waiting), more), 0))
    pool = sorted((*shoe.places.aside, *shoe.places.strays[back]))
    outside = dict(zip(pool, faces[hands:], strict=False))
    pairs = zip(shoe.places.strays[back], table.strays[back], strict=True)
    return back if all(face in (None, outside[place]) for place, face in pairs) else slice(first, first)


def _as_it_lies(table: Table, current: Round, event: ev.CardsSeen | ev.CardsExposed) -> Table:
    """The table that keeps how its cards lie before a report tells of a hand."""
    if event.case is None:
        return table
    return in_round(table, untold=(*current.untold, (event.case, current.cards)))


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
    return replace(in_round(table, cards=cards, opened=opened), shoe=shoe)
