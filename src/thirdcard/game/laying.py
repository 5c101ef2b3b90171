"""Cards laid where they belong: every card that came out, in the order of drawing, by the table of play."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.card_sources import INITIAL
from thirdcard.game.case_cards import (
    are_hands_asked_about,
    aside_with,
    came_early,
    cards_of_case,
    free_hands_without_cards,
    is_from_other_cards,
    is_laid_in_order,
    sets_aside,
    strays_of_round,
    unclaimed,
)
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.outcome import next_draw
from thirdcard.game.rounds import hands_of
from thirdcard.game.shoe_loading import no_free_hand
from thirdcard.game.squeezing import opens_at_once
from thirdcard.game.state import CardState, DealtCard, Hand, Table
from thirdcard.game.table_setup import Automatic
from thirdcard.rulebook.table_of_play import Draws

NOBODY = ""  # has laid a card that lies aside


class LaidCards(NamedTuple):
    """Cards laid in the order of drawing: at their hands, not judged yet, and those that no hand takes.

    Whether a hand takes a third card is judged once the cards before it are known.
    """

    laid: tuple[DealtCard, ...]
    waiting: tuple[DealtCard, ...] = ()
    left: tuple[DealtCard, ...] = ()


def lay_out(desk: QueryDesk, out: Sequence[DealtCard]) -> LaidCards:
    """Lay the cards that came out, in their order, at the hands that have them by the table of play.

    A card that was face down stays so, unless the table opens the cards of its hand by itself.
    """
    laid: list[DealtCard] = []
    for index, each in enumerate(out):
        if index >= INITIAL and any(card.card is None for card in laid):
            return LaidCards(tuple(laid), waiting=tuple(out[index:]))
        hand = _takes(desk, laid)
        if hand is None:
            return LaidCards(tuple(laid), left=tuple(out[index:]))
        opens = each.card is not None and opens_at_once(desk, hand, third=index >= INITIAL)
        laid.append(replace(each, hand=hand, state=CardState.EXPOSED if opens else each.state))
    return LaidCards(tuple(laid))


def _takes(desk: QueryDesk, laid: list[DealtCard]) -> Hand | None:
    """The hand that takes the next card after these."""
    if len(laid) < INITIAL:
        return Hand.PLAYER if len(laid) % 2 == 0 else Hand.BANKER
    turn = next_draw(desk.rulebook, *hands_of(laid))
    return turn.hand if isinstance(turn, Draws) else None


def lying_aside(desk: QueryDesk, faces: tuple[Card | None, ...]) -> list[DealtCard]:
    """Cards that lie at no hand, in the order in which they came out, ready for somebody to lay them.

    A table that opens cards by itself lays one open whose face was told while it lay there.
    """
    opens = Automatic.EXPOSE in desk.table.setup.automatic
    states = (CardState.EXPOSED if face and opens else CardState.FACE_DOWN for face in faces)
    return [DealtCard(Hand.PLAYER, face, state, NOBODY) for face, state in zip(faces, states, strict=True)]


def third_card(hand: Hand, card: Card | None, by: str) -> DealtCard:
    """Return a card that lay aside as the third one of a hand: open where its face was told there."""
    return DealtCard(hand, card, CardState.EXPOSED if card else CardState.FACE_DOWN, by)


class CameOut(NamedTuple):
    """The cards that came out for the round, in the order in which they came.

    The first so many are those of the hands. ``waits`` has the numbers of those that wait for the next round,
    ``theirs`` of those that other cases decide about, and ``alone`` of those that are judged one by one.
    ``others`` lie aside and belong to a case that is still to say in which order they came.
    """

    cards: tuple[DealtCard, ...]
    hands: int
    waits: frozenset[int] = frozenset()
    others: tuple[Card | None, ...] = ()
    theirs: frozenset[int] = frozenset()
    alone: frozenset[int] = frozenset()

    def laid_by(self, person: str) -> tuple[DealtCard, ...]:
        """The cards when somebody lays those that lie at no hand."""
        return tuple(
            replace(each, drawn_by=person) if each.drawn_by == NOBODY else each for each in self.cards
        )

    def aside(self, layout: LaidCards) -> tuple[Card | None, ...]:
        """The cards that lie aside when the others are laid; one that cannot be judged yet is among them.

        While a case is still to say how its cards came, one that waited goes on waiting.
        """
        left, moves = range(len(layout.laid), len(self.cards)), layout.waiting and not self.others
        stay = (self.cards[each].card for each in left if moves or each not in self.waits)
        return (*stay, *self.others)


def came_out(
    desk: QueryDesk,
    hands: Sequence[DealtCard],
    own: tuple[tuple[int, ...], tuple[Card | None, ...]] = ((), ()),
) -> CameOut:
    """Every card that came out for the round: those of the hands, and in their order those aside and waiting.

    ``own`` are the places of the cards that a case lays, and their faces in the order that was found. Those
    that came together wait for their case until then, and so does what came after them. No card is left over
    from a round before four are out for it: what waits then is still to be dealt. Of new cards none came out
    for a round that was dealt before them.
    """
    table, shoe = desk.table, desk.table.shoe
    assert shoe is not None
    aside = aside_with(table, *own)
    if is_from_other_cards(table):
        return CameOut(tuple(hands), len(hands), others=aside)
    first = sorted((*shoe.places.lying[: len(hands)], *shoe.places.aside))[:INITIAL]
    waiting = strays_of_round(table) if len(first) == INITIAL else ()
    outside = [(place, face, True) for place, face in waiting if place > first[-1]]
    doubted = _order_open_from(table, own[0])
    lying = [(place, face, False) for place, face in zip(shoe.places.aside, aside, strict=True)]
    outside = [each for each in (*outside, *lying) if doubted is None or each[0] < doubted]
    others = tuple(face for place, face, _ in lying if doubted is not None and place >= doubted)
    outside.sort(key=lambda each: each[0])
    put = dict(shoe.places.put)
    lying_there = zip(outside, lying_aside(desk, tuple(face for _, face, _ in outside)), strict=True)
    more = (
        third_card(each.hand, face, each.drawn_by) if face and place in put else each
        for (place, face, _), each in lying_there
    )
    cards = (*hands, *more)
    waits = (len(hands) + number for number, (_, _, is_stray) in enumerate(outside) if is_stray)
    alone = {*shoe.places.early, *{*put}.intersection(shoe.places.returned)}  # these are judged one by one
    free = {*own[0], *unclaimed(table)} - alone
    judged = [place for place, _, is_stray in outside if not is_stray]
    numbers = {place: len(hands) + number for number, (place, _, _) in enumerate(outside)}
    theirs = frozenset(numbers[place] for place in judged if place not in free)
    by_turns = frozenset(numbers[place] for place in judged if place in alone.intersection(unclaimed(table)))
    return CameOut(cards, len(hands), frozenset(waits), others, theirs, by_turns)


def _order_open_from(table: Table, own: tuple[int, ...]) -> int | None:
    """The place of the first card aside of another case that is still to say how its cards came."""
    cases = (cards_of_case(table, each) for each in table.open_cases if is_laid_in_order(table, each))
    places = (place for each in cases if each.pile == "aside" for place in each.places)
    return min((place for place in places if place not in own), default=None)


def lay_again(desk: Desk, out: CameOut, clauses: tuple[Clause, ...], *, keeps_aside: bool) -> None:
    """Lay the cards that came out where they belong, and keep what no hand takes any more for the next round.

    What lay aside is kept as well where no other case is about it, and no card before it is to be judged.
    """
    current = desk.table.round
    assert current is not None
    layout = lay_out(desk, out.laid_by(desk.actor))
    aside = out.aside(layout)
    judged = () if layout.waiting else range(len(layout.laid), len(out.cards))
    elsewhere = out.waits | out.theirs
    first_alone = min((each for each in out.alone if each in judged), default=len(out.cards))
    kept = first_alone if keeps_aside else out.hands
    over = [each for each in judged if each not in elsewhere and each < kept]
    left = tuple(out.cards[each].card for each in over)
    if is_from_other_cards(desk.table):  # what is over has gone with the cards before these
        left = out.others if keeps_aside else ()
    waits = layout.waiting and desk.table.ordered_by != clauses
    if layout.laid != current.cards or waits or (aside != desk.table.aside and len(left) < len(aside)):
        desk.emit(ev.CardsReconstructed(cards=layout.laid, aside=aside, clauses=clauses))
    if left:
        desk.emit(ev.StrayCardsKept(cards=left, clauses=clauses))


def lay_what_waits(desk: Desk) -> None:
    """Lay cards that came together and lie aside in their order, as far as the hands can be judged now."""
    table, current = desk.table, desk.table.round
    if current is None or not table.aside or any(sets_aside(table, each) for each in table.open_cases):
        return
    if came_early(table) or are_hands_asked_about(table):
        return
    out = came_out(desk, current.cards)
    layout = lay_out(desk, out.cards)
    if not layout.waiting or len(layout.laid) > len(current.cards):
        lay_again(desk, out, table.ordered_by, keeps_aside=True)
        end_free_hands(desk)


def end_free_hands(desk: Desk) -> None:
    """End the free hands of cards that have their place in the round after all."""
    for clause in dict.fromkeys(each.clause for each in free_hands_without_cards(desk.table)):
        desk.emit(no_free_hand(clause))
