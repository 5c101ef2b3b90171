"""The recorded bodies that a recount reads, in a form of its own; it leaves alone whatever else they hold."""

import typing
from typing import Literal

from msgspec import Struct

HandName = Literal["player", "banker"]
Fact = str | int | bool


class Face(Struct, frozen=True):
    """The face of a card: ace 1, jack 11, queen 12, king 13."""

    rank: int


class LaidCard(Struct, frozen=True):
    """A card at a hand; its face may not be known yet."""

    hand: HandName
    card: Face | None


class Limit(Struct, frozen=True):
    """The posted limits of a wager."""

    wager: str
    minimum: int
    maximum: int


class Setup(Struct, frozen=True):
    """What of the set-up of a table bears on money."""

    game: str
    limits: tuple[Limit, ...]
    differential: int


class SettledLine(Struct, frozen=True, kw_only=True):
    """A wager as its settlement was written down."""

    id: int
    patron: str
    wager: str
    stake: int
    in_action: int
    result: str
    back: int
    odds: str | None
    paid: int
    taken: int
    commission: int
    rounded_over: int
    rounded_of: int
    pulled: int
    clauses: tuple[str, ...]


class ReturnedLine(Struct, frozen=True):
    """A stake as it was handed back in a void round."""

    id: int
    patron: str
    wager: str
    stake: int


class TableSetUp(Struct, frozen=True, tag="table-set-up"):
    """A table was set up."""

    setup: Setup


class PatronCame(Struct, frozen=True, tag="patron-came"):
    """A patron came to the table, or took another place at it."""

    patron: str


class PatronLeft(Struct, frozen=True, tag="patron-left"):
    """A patron left the table."""

    patron: str


class PatronMarked(Struct, frozen=True, tag="patron-marked"):
    """A patron was marked for a wager under the minimum."""

    patron: str
    round: int


class BettingOpened(Struct, frozen=True, tag="betting-opened"):
    """Wagers are taken."""


class RoundBegan(Struct, frozen=True, tag="round-began"):
    """A round began."""

    number: int


class WagerPlaced(Struct, frozen=True, tag="wager-placed"):
    """A wager was placed or increased."""

    id: int
    patron: str
    wager: str
    amount: int


class WagerFound(Struct, frozen=True, tag="wager-found"):
    """A wager was found that had been placed in time."""

    id: int
    patron: str
    wager: str
    amount: int


class WagerReduced(Struct, frozen=True, tag="wager-reduced"):
    """A wager was decreased or withdrawn."""

    id: int
    patron: str
    wager: str
    amount: int


class WagerPulledLate(Struct, frozen=True, tag="wager-pulled-late"):
    """Chips were taken away too late; the wager stays in action."""

    id: int
    patron: str
    wager: str
    amount: int


class CardDrawn(Struct, frozen=True, tag="card-drawn"):
    """A card was drawn for a hand."""

    hand: HandName
    card: Face | None


class CardsExposed(Struct, frozen=True, tag="cards-exposed"):
    """The cards of a hand were opened."""

    hand: HandName
    cards: tuple[Face, ...]


class CardsReconstructed(Struct, frozen=True, tag="cards-reconstructed"):
    """The hands were laid again."""

    cards: tuple[LaidCard, ...]


class CardsSubstituted(Struct, frozen=True, tag="cards-substituted"):
    """Equal cards took the place of missing ones."""

    cards: tuple[LaidCard, ...]


class CardsRetrieved(Struct, frozen=True, tag="cards-retrieved"):
    """The cards of the round went back."""


class OutcomeKnown(Struct, frozen=True, tag="outcome-known"):
    """The outcome is known."""

    facts: dict[str, Fact]


class RoundSettled(Struct, frozen=True, tag="round-settled"):
    """The wagers of a round were settled."""

    wagers: tuple[SettledLine, ...]


class SettlementReversed(Struct, frozen=True, tag="settlement-reversed"):
    """A settlement was taken back to be made again."""

    wagers: tuple[SettledLine, ...]


class RoundVoided(Struct, frozen=True, tag="round-voided"):
    """A round is void."""

    number: int
    returned: tuple[ReturnedLine, ...]
    reversed: tuple[SettledLine, ...]


class RoundEnded(Struct, frozen=True, tag="round-ended"):
    """A round is over."""


Body = (
    TableSetUp
    | PatronCame
    | PatronLeft
    | PatronMarked
    | BettingOpened
    | RoundBegan
    | WagerPlaced
    | WagerFound
    | WagerReduced
    | WagerPulledLate
    | CardDrawn
    | CardsExposed
    | CardsReconstructed
    | CardsSubstituted
    | CardsRetrieved
    | OutcomeKnown
    | RoundSettled
    | SettlementReversed
    | RoundVoided
    | RoundEnded
)
KINDS: dict[object, type[Body]] = {kind.__struct_config__.tag: kind for kind in typing.get_args(Body)}
