"""The cards that a case decides about: each card outside the hands belongs to one case at most."""

from typing import Literal, NamedTuple, Protocol

from thirdcard.cards import Card
from thirdcard.game.hands_told import hands_in_doubt
from thirdcard.game.places import before, coming, is_disclosed_on_top, next_place, seen_at
from thirdcard.game.shoe import Shoe
from thirdcard.game.state import CardState, Case, DealtCard, Hand, OwedHand, Phase, Table, Wait
from thirdcard.game.table_setup import Device
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import (
    BurnNow,
    Continue,
    FreeHand,
    PlayCard,
    ReconstructCards,
    Refer,
    Situation,
    SortCards,
    VoidRound,
)

# situations in which cards came out that no hand has by right; one such case is open at a time
SET_ASIDE = (
    Situation.CARDS_TOGETHER,
    Situation.UNAUTHORISED_PLAYER_CARD,
    Situation.UNAUTHORISED_BANKER_CARD,
)

# cards in error and the hands that they were put to
UNAUTHORISED = {
    Situation.UNAUTHORISED_PLAYER_CARD: Hand.PLAYER,
    Situation.UNAUTHORISED_BANKER_CARD: Hand.BANKER,
}

# reports that tell in which order the dealt cards were drawn; the cards of all others are other cards
TELLS_THE_ORDER = (
    Situation.WRONG_ORDER,
    Situation.MISDEAL,
    Situation.WRONG_NUMBER_OF_CARDS,
)

# cases about cards that are still in the shoe
IN_THE_SHOE = (
    Situation.NEXT_CARD_KNOWN,
    Situation.FACE_UP_CARD,
    Situation.EXPOSED_IN_MOVEMENT,
    Situation.EXPOSED_IN_ERROR,
)

# what is carried out at once by the word of a report: the card is burned or played, or opens a free hand
BY_WORD = (BurnNow, Continue, FreeHand, PlayCard)

# cases that the round under way does not wait for
AFTER_THE_ROUND = (Situation.NEXT_CARD_KNOWN,)

Pile = Literal["aside", "strays", "shoe"]


class CaseCards(NamedTuple):
    """The cards that a case decides about: the pile that they lie in, and their places in the shoe.

    ``before`` is how many cards lie in the shoe before the first of them.
    """

    pile: Pile | None = None
    places: tuple[int, ...] = ()
    before: int = 0


class Tells(Protocol):
    """A report, or the case that it opened, as far as it tells of cards."""

    @property
    def situation(self) -> Situation:
        """Return what went wrong."""

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """The cards that it names."""

    @property
    def ahead(self) -> int:
        """How many cards lie before them in the dealing device."""

    @property
    def hand(self) -> Hand | None:
        """The hand that it names."""


def places_told(table: Table, told: Tells) -> tuple[int, ...]:
    """The places of the cards that a report is about: those that wait outside, or so many of the shoe.

    A card that was exposed in error lies in the dealing device where it is named without a hand.
    """
    shoe, situation, cards, ahead = table.shoe, told.situation, told.cards, told.ahead
    dealt = situation is Situation.EXPOSED_IN_ERROR and (told.hand is not None or not cards)
    if shoe is None or situation not in IN_THE_SHOE or dealt:
        return ()
    count = len(cards) or 1
    if situation is Situation.NEXT_CARD_KNOWN and table.strays and not ahead:
        return shoe.places.strays[:count]
    return coming(shoe, ahead + count)[ahead:]


def is_order_doubted(table: Table, case: Case | None) -> bool:
    """Whether the table opened a case because another card came than the one that was known to come."""
    noticed = case is not None and case.by == table.setup.table
    return case is not None and noticed and case.situation is Situation.ORDER_ALTERED


def is_order_lost(case: Case) -> bool:
    """Whether a round was void because the order of the cards is altered and cannot be reconstructed."""
    void = any(isinstance(each, VoidRound) for each in case.effects[: case.done])
    return void and case.situation is Situation.ORDER_ALTERED


def is_laid_in_order(table: Table, case: Case) -> bool:
    """Whether a decision to play the cards of a case lays them at the hands, by the table of play."""
    return case.situation is Situation.CARDS_TOGETHER or is_order_doubted(table, case)


def are_hands_asked_about(table: Table, this: int | None = None) -> bool:
    """Whether another case asks, or may ask, patrons before it lays the cards of the hands again.

    Until then nobody is shown the hands as they are going to be.
    """
    asking = (each for each in table.open_cases if each.offer is not None or each.waits is Wait.PERMISSION)
    about = (each for each in asking if each.situation in TELLS_THE_ORDER and each.id != this)
    return any(isinstance(left, ReconstructCards) for each in about for left in each.effects[each.done :])


def is_order_told(table: Table) -> bool:
    """Whether an open case tells in which order the cards of the hands came, and is still to lay them."""
    told = (each for each in table.open_cases if each.situation in TELLS_THE_ORDER and each.cards)
    return any(isinstance(left, ReconstructCards) for each in told for left in each.effects[each.done :])


def sets_aside(table: Table, case: Case) -> bool:
    """Whether a case is of those that decide about cards which lie aside."""
    return case.situation in SET_ASIDE or is_order_doubted(table, case) or _is_fourth_card(table, case)


def _is_fourth_card(table: Table, case: Case) -> bool:
    """Whether the table opened a case because a card came out for a hand that has three."""
    return case.situation is Situation.NOT_COVERED and is_noticed(table, case) and bool(case.cards)


def cards_of_case(table: Table, case: Case | None) -> CaseCards:
    """Return the cards that a case decides about; none where they are gone or another case has them."""
    shoe = table.shoe
    if case is None or shoe is None:
        return CaseCards()
    doubted = any(is_order_doubted(table, each) and each.id != case.id for each in table.open_cases)
    others = case.situation in SET_ASIDE and doubted  # whether they count at all is decided first
    if sets_aside(table, case) and not others:
        will_lie = case.cards and not case.id  # a report sets its cards aside
        places = set_aside_for(table, case)
        closed = not places and any(each.id == case.id for each in table.told)
        if closed and not is_order_doubted(table, case):
            return _kept_in_error(shoe, case)
        if not closed:
            return CaseCards("aside", places) if places or will_lie else CaseCards()
    told = places_told(table, case) if not case.id else ()
    places = dict(shoe.places.asked).get(case.id, told)
    if not places:
        return CaseCards()
    if set(places) <= {*shoe.places.strays}:
        return CaseCards("strays", places)
    first = before(shoe, places[0])
    return CaseCards("shoe", places, first) if first is not None else CaseCards()


def _kept_in_error(shoe: Shoe, case: Case) -> CaseCards:
    """The cards in error that wait for the next hand by a case which is closed, if none came after them."""
    own = dict(shoe.places.asked).get(case.id, ())
    last = own and own == shoe.places.strays[-len(own) :]
    behind = range(max(own, default=0) + 1, len(shoe.places.faces))
    none_since = all(place in shoe.places.back for place in behind)
    return CaseCards("strays", own) if last and none_since else CaseCards()


def leaves_in_error(table: Table, case: Case) -> bool:
    """Whether a case that is closed leaves cards in error that begin a free hand, and nobody has acted.

    Another clause by which they begin one says that somebody had seen them: then they came. Cards that came
    together begin one only if they were seen.
    """
    own = {*dict(table.shoe.places.asked).get(case.id, ())} if table.shoe else set()
    waits = table.shoe is not None and bool(own) and own <= {*table.shoe.places.strays}
    free = sum(bool(own.intersection(each.places)) for each in table.free_hands)
    together = case.situation is Situation.CARDS_TOGETHER and free <= 1
    return waits and not case.acted and (together or (free == 1 and case.situation in UNAUTHORISED))


def set_aside_for(table: Table, case: Case) -> tuple[int, ...]:
    """The places of the cards aside that a case is about, also while it is doubted that they count at all."""
    shoe = table.shoe
    if shoe is None or not sets_aside(table, case):
        return ()
    none_yet = shoe.places.aside if is_order_doubted(table, case) else unclaimed(table)
    own = dict(shoe.places.asked).get(case.id, none_yet)
    return tuple(each for each in own if each in shoe.places.aside)


def unclaimed(table: Table, *, doubted: bool = False) -> tuple[int, ...]:
    """The places of the cards that lie aside and that no open case has as its own.

    With ``doubted`` also of those that came instead of others, and that no further case is about.
    """
    shoe = table.shoe
    if shoe is None or not table.aside:
        return ()
    cases = (each for each in table.open_cases if not doubted or not is_order_doubted(table, each))
    numbers = {each.id for each in cases if sets_aside(table, each)}
    own = {place for number, places in shoe.places.asked if number in numbers for place in places}
    return tuple(place for place in shoe.places.aside if place not in own)


def faces_aside(table: Table, places: tuple[int, ...]) -> tuple[Card | None, ...]:
    """The faces of cards that lie aside, by their places."""
    lying = dict(zip(table.shoe.places.aside if table.shoe else (), table.aside, strict=True))
    return tuple(lying[place] for place in places)


def was_seen_aside(table: Table, place: int) -> bool:
    """Whether anybody has seen a card that lies aside: its face was told, or it was to begin a free hand."""
    disclosed = any(place in each.places for each in table.free_hands)
    return disclosed or faces_aside(table, (place,)) != (None,)


def aside_together(table: Table) -> tuple[int, ...]:
    """The places of the cards aside that can have come together: no other case decides about them."""
    cases = (each for each in table.open_cases if each.situation is Situation.CARDS_TOGETHER)
    own = (place for each in cases for place in set_aside_for(table, each))
    return tuple(sorted({*own, *unclaimed(table, doubted=True)}))


def aside_with(
    table: Table, places: tuple[int, ...], faces: tuple[Card | None, ...]
) -> tuple[Card | None, ...]:
    """The cards that lie aside when some of them are turned into another order."""
    assert table.shoe is not None
    lying = dict(zip(table.shoe.places.aside, table.aside, strict=True))
    return tuple((lying | dict(zip(places, faces, strict=True))).values())


def aside_without(table: Table, gone: tuple[int, ...]) -> tuple[Card | None, ...]:
    """The cards that lie aside but for some of them."""
    assert table.shoe is not None
    return faces_aside(table, tuple(place for place in table.shoe.places.aside if place not in gone))


def refuse_before(case: Case) -> Refused:
    """Refuse what cannot be before a case is dealt with."""
    clauses = (case.clause,) if case.clause else ()
    return refuse(Refusal.IRREGULARITY_UNDER_WAY, *clauses, situation=case.about)


def came_early(table: Table) -> bool:
    """Whether a card was put to a hand before the first four lay open: it lies aside, to be judged later."""
    early = table.shoe.places.early if table.shoe else ()
    return bool(early) and any(place in early for place in unclaimed(table)[:1])


def is_taken_along_referred(case: Case) -> bool:
    """Whether a post decides what becomes of a round whose cards a patron took along."""
    left = case.situation is Situation.PATRON_LEFT_WITH_CARDS
    return left and any(isinstance(each, Refer) for each in case.effects)


def is_noticed(table: Table, case: Case) -> bool:
    """Whether the table noticed a case by itself."""
    return case.by == table.setup.table


def is_told_anew(table: Table, case: Case | None) -> bool:
    """Whether what was told of cards that came together is not so: the table waits for the right report."""
    noticed = case is not None and is_noticed(table, case)
    return case is not None and noticed and case.situation is Situation.CARDS_TOGETHER


def leaves_known_cards(table: Table, case: Case) -> bool:
    """Whether a case that is closed leaves known cards or their free hand, by the word of a report alone."""
    word = not case.acted and not is_noticed(table, case) and cards_of_case(table, case).pile is not None
    return word and case.situation in IN_THE_SHOE and all(isinstance(each, BY_WORD) for each in case.effects)


def reports_in_doubt(table: Table) -> tuple[Case, ...]:
    """The reports that can still be taken back although their cases are closed: no card of theirs came.

    Of those about a hand, nobody has opened a card of it.
    """
    return tuple(
        each
        for each in table.told
        if cards_of_case(table, each).pile is not None or hands_in_doubt(table, each)
    )


def seen_after_all(table: Table, told: Tells) -> Case | None:
    """The case of a card dealt in error about which a post decides, if a report can tell that it was seen.

    Nobody was known to have seen it. A card that has no case yet is another one.
    """
    if not table.open_cases or told.situation not in UNAUTHORISED or unclaimed(table):
        return None
    unseen = (
        each
        for each in reversed(table.open_cases)
        if each.situation is told.situation and each.waits is Wait.DECISION and not any(each.cards)
    )
    return next(
        (each for each in unseen if None in faces_aside(table, cards_of_case(table, each).places)), None
    )


def never_came(table: Table, case: Case | None) -> bool:
    """Whether a case is about cards aside that did not come at all, if it is not so.

    Those that came before others did come.
    """
    out = is_last_aside(table, case)
    together = case is not None and case.situation is Situation.CARDS_TOGETHER
    return out and (not together or is_told_anew(table, case))


def is_last_aside(table: Table, case: Case | None) -> bool:
    """Whether no card lies aside that came after those of a case."""
    own = cards_of_case(table, case)
    return (
        own.pile == "aside"
        and table.shoe is not None
        and own.places == table.shoe.places.aside[-len(own.places) :]
    )


def is_sorted(case: Case) -> bool:
    """Whether the cards of the shoe were sorted in a case: they have no order any more."""
    return any(isinstance(each, SortCards) for each in case.effects[: case.done])


def is_from_other_cards(table: Table) -> bool:
    """Whether the cards at the hands are from a shoe before the one in use."""
    return table.round is not None and table.shoe is not None and table.round.shoe != table.shoe.number


def strays_of_round(table: Table) -> tuple[tuple[int, Card | None], ...]:
    """The cards that wait for the next round and came out after those at the hands, by their places.

    A card that was disclosed on top of the shoe never came out, and one that waited when the round began is
    still to come in it.
    """
    shoe, current = table.shoe, table.round
    assert shoe is not None
    assert current is not None
    if is_from_other_cards(table):  # what waits came out of the new cards
        return ()
    last = max(shoe.places.lying[: len(current.cards)], default=-1)
    later = {*shoe.places.disclosed, *current.to_come}
    waiting = zip(shoe.places.strays, table.strays, strict=True)
    return tuple((place, face) for place, face in waiting if place > last and place not in later)


def waiting_by_number(table: Table) -> tuple[tuple[int, Card | None], ...]:
    """The cards that wait outside, by their places, in the order in which a correction counts them.

    Those that waited when the round began and have not come in it are behind those that came out for it.
    """
    own, shoe = strays_of_round(table), table.shoe
    if shoe is None or is_from_other_cards(table):
        return own
    counted = {*shoe.places.disclosed, *(place for place, _ in own)}
    waiting = zip(shoe.places.strays, table.strays, strict=True)
    return (*own, *(each for each in waiting if each[0] not in counted))


def stays_in_shoe(table: Table, own: CaseCards) -> bool:
    """Whether known cards cannot be taken out now: others come first, or the round takes them itself."""
    return own.pile == "shoe" and (own.before > 0 or table.phase is Phase.DEALING)


def opens_seen(table: Table, case: Case) -> bool:
    """Whether the next hand would open with a seen card if the cards of a case were kept for it.

    Of cards that lie aside any one can be ruled to be the first.
    """
    own, shoe = cards_of_case(table, case), table.shoe
    if shoe is None or stays_in_shoe(table, own):
        return False
    match own.pile:
        case "aside":
            return any(faces_aside(table, own.places) or case.cards)
        case "strays":
            return any(table.strays[:1])
        case _:
            return not table.strays and any(seen_at(shoe, own.places[:1]))


def others_have_the_shoe(table: Table, case: Case | None) -> bool:
    """Return whether another case decides about the next card of the shoe."""
    others = (each for each in table.open_cases if case is None or each.id != case.id)
    return any((own := cards_of_case(table, each)).pile == "shoe" and not own.before for each in others)


def are_cards_out(table: Table) -> bool:
    """Whether cards of the round under way lie at its hands or aside."""
    current = table.round
    return bool(table.aside or (current is not None and not current.ended and current.cards))


def was_seen(table: Table, dealt: DealtCard) -> bool:
    """Whether anybody has seen a card at a hand: whoever entered its face has, unless the device reads it."""
    sealed = table.shoe is not None and table.shoe.seal is not None
    entered = dealt.card is not None and table.setup.device is not Device.CARD_READING and not sealed
    return entered or dealt.state is not CardState.FACE_DOWN


def has_its_place(table: Table) -> bool:
    """Whether the next card was seen in the shoe: it comes in its turn, or opens the next hand.

    Cards that went back have no place yet, unless one of them begins a free hand.
    """
    shoe = table.shoe
    assert shoe is not None
    seen = not shoe.places.back and next_place(shoe) in dict(shoe.places.ahead)
    return seen or begins_free_hand(table, shoe)


def begins_free_hand(table: Table, shoe: Shoe) -> bool:
    """Whether the next card of the shoe is one that begins a free hand, its face told or not."""
    return is_disclosed_on_top(shoe) or any(next_place(shoe) in each.places for each in table.free_hands)


def becomes_free(table: Table) -> bool:
    """Whether the round under way, of which no card is out, is the free hand of a card seen on top.

    One whose face nobody told is still in the shoe.
    """
    current, shoe = table.round, table.shoe
    if current is None or current.ended or current.free or shoe is None or are_cards_out(table):
        return False
    places = [place for each in table.free_hands for place in each.places]
    return any(place in shoe.places.disclosed or before(shoe, place) is not None for place in places)


def begins_with_cards(table: Table) -> bool:
    """Whether a free hand is owed that waiting cards begin: others that are known come in it."""
    return any(each.places for each in table.free_hands)


def free_hands_without_cards(table: Table) -> tuple[OwedHand, ...]:
    """The free hands whose cards have their place elsewhere.

    One that lies aside may still be left over, and one whose face nobody told is still in the shoe.
    """
    shoe = table.shoe
    assert shoe is not None
    outside = {*shoe.places.strays, *shoe.places.aside}

    def is_to_come(place: int) -> bool:
        return place in outside or before(shoe, place) is not None

    return tuple(each for each in table.free_hands if each.places and not any(map(is_to_come, each.places)))


def goes_with_the_cards(table: Table, case: Case) -> bool:
    """Whether a case is about cards of the next hand alone, so that new cards leave nothing to decide."""
    return case.situation in AFTER_THE_ROUND or (table.phase is Phase.IDLE and case.situation in IN_THE_SHOE)


def blocking(table: Table) -> Case | None:
    """The case for which play waits; some wait themselves until the round is over."""
    for case in reversed(table.open_cases):
        waits = case.situation in AFTER_THE_ROUND and table.phase in (Phase.DEALING, Phase.OUTCOME)
        if not waits and not is_deal_completed_first(table, case):
            return case
    return None


def is_deal_completed_first(table: Table, case: Case) -> bool:
    """Whether the first four cards are dealt before possible third ones are set aside in a case."""
    return case.waits is Wait.RESERVED_CARDS and table.round is not None and len(table.round.cards) < 4
