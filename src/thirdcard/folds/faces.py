"""The only door for faces of cards: what lies open, and to its holder what the holder has looked at."""

from collections.abc import Iterable

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.game.state import CardState, DealtCard, Hand, Holding, Round, Table
from thirdcard.game.table_setup import Device


class CardShown(Struct, frozen=True):
    """A card before a hand; without a face it lies face down."""

    hand: Hand
    state: CardState
    card: Card | None = None


def open_face(card: Card | None, state: CardState) -> Card | None:
    """The face of a card that lies open."""
    return card if state is CardState.EXPOSED else None


def told_outside(table: Table, cards: Iterable[Card | None]) -> tuple[Card | None, ...]:
    """Cards outside the hands as staff see them: with faces that people told, never what a device read."""
    told = tells_outside(table)
    return tuple(card if told else None for card in cards)


def tells_outside(table: Table) -> bool:
    """Whether people told the faces of the cards outside the hands, so that staff know them."""
    sealed = table.shoe is not None and table.shoe.seal is not None
    return not sealed and table.setup.device is not Device.CARD_READING


def shown_to_all(cards: Iterable[DealtCard]) -> tuple[CardShown, ...]:
    """Cards as the whole table sees them."""
    return tuple(CardShown(each.hand, each.state, open_face(each.card, each.state)) for each in cards)


def shown_to_holder(current: Round, holding: Holding) -> tuple[CardShown, ...]:
    """The cards of a hand as the patron sees them with whom it lies; faces come once the patron looked."""
    looked = holding in current.looked
    return tuple(
        CardShown(each.hand, each.state, each.card)
        if looked and each.state is CardState.SEEN
        else CardShown(each.hand, each.state, open_face(each.card, each.state))
        for each in current.cards
        if each.hand is holding.hand
    )
