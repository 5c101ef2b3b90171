"""Cards whose place in the order of drawing is known, or was ruled: no report turns it."""

from thirdcard.cards import Card
from thirdcard.game.card_sources import RESERVE
from thirdcard.game.case_cards import is_from_other_cards, strays_of_round
from thirdcard.game.desk import QueryDesk
from thirdcard.game.shoe import Places
from thirdcard.game.state import Round
from thirdcard.game.table_setup import Device
from thirdcard.refusals import Refusal, Refused, refuse


def refuse_other_order(desk: QueryDesk, current: Round, told: tuple[Card | None, ...]) -> Refused | None:
    """Refuse an order of the cards at the hands that moves one whose place is known or was ruled."""
    lying = tuple(each.card for each in current.cards)
    for index, (face, said) in enumerate(zip(lying, told, strict=False)):
        moved = face is not None and said != face and (said is not None or told.count(face) > 0)
        if face is not None and moved and _has_its_place(desk, current, index):
            return refuse(Refusal.ORDER_IS_KNOWN, card=face.text, number=index + 1)
    return None


def refuse_known_order(desk: QueryDesk, current: Round, numbers: range) -> Refused | None:
    """Refuse that nobody knows the order of cards at the hands, where the place of one is known.

    Those that wait for the next round are counted behind them.
    """
    waiting = (face for _, face in strays_of_round(desk.table))
    faces = (*(each.card for each in current.cards), *waiting)
    for index in numbers:
        face = faces[index]
        if face is not None and _has_its_place(desk, current, index):
            return refuse(Refusal.ORDER_IS_KNOWN, card=face.text, number=index + 1)
    return None


def _has_its_place(desk: QueryDesk, current: Round, index: int) -> bool:
    """Whether a card has its place by more than the word of those who dealt it.

    A device has read it, unless it lies there for a missing one; it was kept in drawn order before the post
    that a clause names (5.11.1); a post has determined the order; or it was seen in the dealing device.
    """
    table = desk.table
    reserved = any(each.drawn_by == RESERVE for each in current.cards[index : index + 1])
    if reserved or (_reads_cards(desk) and index not in current.substituted):
        return True
    places = table.shoe.places if table.shoe and not is_from_other_cards(table) else Places()
    lying = zip(places.lying, (each.card for each in current.cards), strict=False)
    own = (*lying, *strays_of_round(table))[index : index + 1]
    seen = dict(places.ahead)
    return any(place in places.ordered or (face and seen.get(place) == face) for place, face in own)


def _reads_cards(desk: QueryDesk) -> bool:
    """Whether the document speaks of a dealing device that reads cards, and the table has it."""
    methods = desk.document.methods.method if desk.document.methods else ()
    named = any(each.device == Device.CARD_READING.value for each in methods)
    return named and desk.table.setup.device is Device.CARD_READING
