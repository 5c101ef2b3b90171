"""Cards: rank, suit, and the many ways people write them."""

import enum
import re

from msgspec import Struct


class Rank(enum.IntEnum):
    """The thirteen ranks, ace first.

    ``point_value`` is what the card counts: ace one, two to nine their pips, ten and court cards nothing;
    ``text`` is the rank as printed in results: ``A``, ``2`` … ``10``, ``J``, ``Q``, ``K``.
    """

    point_value: int
    text: str

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    def __init__(self, number: int) -> None:
        self.point_value = number if number < 10 else 0
        self.text = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(number, str(number))


class Suit(enum.Enum):
    """The four suits by their letter."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Card(Struct, frozen=True):
    """One card; the suit is absent where nobody needs it."""

    rank: Rank
    suit: Suit | None = None

    @property
    def text(self) -> str:
        """The card as printed in results: ``10``, ``10H``."""
        return self.rank.text + (self.suit.value if self.suit else "")


# the 52 cards as they come out of their box here: suit after suit, ace first
NEW_DECK = tuple(Card(rank, suit) for suit in Suit for rank in Rank)


def parse_card(text: str) -> Card | None:
    """The card that ``10``, ``10H``, ``Th``, ``K♠`` or ``a`` means, or nothing."""
    found = _CARD.fullmatch(text.strip().upper())
    if found is None:
        return None
    letter, suit = found.groups()
    return Card(_RANK_OF[letter], _SUIT_OF[suit] if suit else None)


_RANK_OF = {rank.text: rank for rank in Rank} | {"T": Rank.TEN}
_SUIT_OF = {suit.value: suit for suit in Suit} | {
    "♠": Suit.SPADES,
    "♥": Suit.HEARTS,
    "♦": Suit.DIAMONDS,
    "♣": Suit.CLUBS,
}
# a suit sign may carry U+FE0F, which asks for its coloured form
_CARD = re.compile("(A|[2-9]|10|T|J|Q|K)(?:([SHDC♠♥♦♣])\ufe0f?)?")
