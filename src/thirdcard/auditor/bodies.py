"""The recorded bodies that a recount reads, in a form of its own; it leaves alone whatever else they hold."""

import typing
from typing import Literal

from msgspec import Struct

from thirdcard.auditor.chip_bodies import DutyBody, SlipBody, SlipVoided
from thirdcard.auditor.dispute_bodies import (
    AwardPaid,
    AwardSetOff,
    ComplaintAnswered,
    DisputeClosed,
    DisputeDecided,
    DisputeEscalated,
    DisputeOpened,
    InformationGathered,
    PatronAnswered,
    ReceiptConfirmed,
    SurveillanceInformed,
)
from thirdcard.auditor.wager_bodies import (
    HeldMoneyDecided,
    HeldWagerJudged,
    MoneyHeld,
    ReturnedLine,
    SettledLine,
)

HandName = Literal["player", "banker"]
HANDS: tuple[HandName, ...] = ("player", "banker")
NOT_COVERED = "not-covered"  # the situation that no rule covers
Fact = str | int | bool


class Face(Struct, frozen=True):
    """The face of a card: ace 1, jack 11, queen 12, king 13."""

    rank: int


class LaidCard(Struct, frozen=True):
    """A card at a hand; its face may not be known yet."""

    hand: HandName
    card: Face | None
    state: str


class Limit(Struct, frozen=True):
    """The posted limits of a wager."""

    wager: str
    minimum: int
    maximum: int


class Setup(Struct, frozen=True):
    """The parts of the set-up of a table that bear on money."""

    table: str
    game: str
    limits: tuple[Limit, ...]
    differential: int
    terminal: bool


class TableSetUp(Struct, frozen=True, tag="table-set-up"):
    """A table was set up."""

    setup: Setup


class ChangedTerms(Struct, frozen=True):
    """The parts of a change of the table that bear on money."""

    limits: tuple[Limit, ...]
    differential: int


class TableChanged(Struct, frozen=True, tag="table-changed"):
    """The table has other limits."""

    change: ChangedTerms


class PatronCame(Struct, frozen=True, tag="patron-came"):
    """A patron came to the table, or took another place at it; ``marked`` has the round of an old mark."""

    patron: str
    marked: int | None


class PatronLeft(Struct, frozen=True, tag="patron-left"):
    """A patron left the table."""

    patron: str


class PatronMarked(Struct, frozen=True, tag="patron-marked"):
    """A patron was marked for a wager under the minimum."""

    patron: str
    round: int


class CreditsBought(Struct, frozen=True, tag="credits-bought"):
    """Credits were bought at a terminal."""

    terminal: str
    amount: int


class CreditsCashedOut(Struct, frozen=True, tag="credits-cashed-out"):
    """Credits were cashed out at a terminal."""

    terminal: str
    amount: int


class ShoeLoaded(Struct, frozen=True, tag="shoe-loaded"):
    """Cards were loaded into the dealing device."""


class BettingOpened(Struct, frozen=True, tag="betting-opened"):
    """Wagers are taken."""


class BettingReopened(Struct, frozen=True, tag="betting-reopened"):
    """Wagers are taken again, until a second closing call."""


class BettingClosed(Struct, frozen=True, tag="betting-closed"):
    """No more wagers are taken."""


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
    """A wager was found that had been placed in time, or chips of one that were booked as taken away."""

    id: int
    patron: str
    wager: str
    amount: int
    by: str
    second: str | None
    was_pulled: bool
    held: int = 0


class WagerReduced(Struct, frozen=True, tag="wager-reduced"):
    """A wager was decreased or withdrawn; ``gone`` of the amount was with the patron already.

    ``case`` is the one in whose offer it was withdrawn, ``by`` who entered that, with ``second``.
    What is ``held`` stays so. What is ``mistaken`` had been entered and lay there never.
    """

    id: int
    patron: str
    wager: str
    amount: int
    by: str
    case: int | None
    gone: int
    second: str | None = None
    held: int = 0
    mistaken: bool = False


class OfferAnswered(Struct, frozen=True, tag="offer-answered"):
    """A patron answered an offer; ``by`` is the member of staff who entered the answer."""

    patron: str
    case: int | None
    by: str | None


class AnswerTakenBack(Struct, frozen=True, tag="answer-taken-back"):
    """An answer that staff had entered for a patron was taken back: its wagers lie there again."""

    patron: str
    case: int
    wagers: tuple[ReturnedLine, ...]
    by: str
    second: str | None


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
    state: str
    by: str


class CardsSetAside(Struct, frozen=True, tag="cards-set-aside"):
    """Cards came out that no hand has by right; ``hand`` is where one card was put, ``by`` the drawer."""

    hand: HandName | None
    cards: tuple[Face | None, ...]
    by: str


class StrayCardsKept(Struct, frozen=True, tag="stray-cards-kept"):
    """Cards wait for the next round."""

    cards: tuple[Face | None, ...]


class CardsBurned(Struct, frozen=True, tag="cards-burned"):
    """Cards were burned, of the shoe or of those that lie aside or wait."""

    cards: int
    waiting: bool = False


class CardCorrected(Struct, frozen=True, tag="card-corrected"):
    """A card that was entered wrongly was corrected."""

    round: int
    number: int
    old: Face | None
    new: Face
    by: str
    second: str | None


class CardsExposed(Struct, frozen=True, tag="cards-exposed"):
    """Cards of a hand were opened; one without a face stays as it lies."""

    hand: HandName
    cards: tuple[Face | None, ...]


class CardsReconstructed(Struct, frozen=True, tag="cards-reconstructed"):
    """The hands were laid again, and other cards lie aside."""

    cards: tuple[LaidCard, ...]
    aside: tuple[Face | None, ...]


class CardsReserved(Struct, frozen=True, tag="cards-reserved"):
    """Possible third cards were set aside."""

    cards: tuple[Face, ...]


class MissingCardsDeduced(Struct, frozen=True, tag="missing-cards-deduced"):
    """The cards that somebody took along were found."""


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


class BettingCancelled(Struct, frozen=True, tag="betting-cancelled"):
    """Betting ended before a round had begun."""


class ReportedCase(Struct, frozen=True):
    """An irregularity as it was reported, by one person or with a ``second``."""

    id: int
    situation: str
    effects: tuple[dict[str, object], ...]
    patron: str | None
    wager: str | None
    amount: int
    by: str
    cards: tuple[Face | None, ...]
    ahead: int
    round: int | None = None
    second: str | None = None


class IrregularityReported(Struct, frozen=True, tag="irregularity-reported"):
    """An irregularity was reported."""

    case: ReportedCase


class FactsConfirmed(Struct, frozen=True, tag="facts-confirmed"):
    """The facts of an irregularity were confirmed; without ``id`` of the one that was reported last."""

    by: str
    id: int | None = None


class RulingMade(Struct, frozen=True, tag="ruling-made"):
    """A ruling was made on the irregularity that was reported last."""

    choice: str
    also: tuple[str, ...]
    patron: str | None
    amount: int


class CaseClosed(Struct, frozen=True, tag="case-closed"):
    """An irregularity is dealt with, or another one has made it pointless."""

    id: int
    superseded_by: int | None


class FactsDisproved(Struct, frozen=True, tag="facts-disproved"):
    """A report is not so."""

    id: int


class ReportWithdrawn(Struct, frozen=True, tag="report-withdrawn"):
    """A report was taken back."""

    id: int


class WrongPaymentFound(Struct, frozen=True, tag="wrong-payment-found"):
    """A wrong payment was booked, or a booking is taken out that was ``mistaken``."""

    patron: str
    amount: int
    collected: bool = False
    mistaken: bool = False


class PaymentClaimed(Struct, frozen=True, tag="payment-claimed"):
    """Money that was paid is claimed back."""

    patron: str
    amount: int
    by: str
    second: str | None


class PaymentCorrected(Struct, frozen=True, tag="payment-corrected"):
    """A wrong payment was reversed, or a payment made that was decided."""

    patron: str
    amount: int
    by: str
    second: str | None


class ClaimBooked(Struct, frozen=True, tag="claim-booked"):
    """A patron owes what a reversal takes back and is not there, or less of it."""

    patron: str
    amount: int


Body = (
    TableSetUp
    | TableChanged
    | PatronCame
    | PatronLeft
    | PatronMarked
    | CreditsBought
    | CreditsCashedOut
    | ShoeLoaded
    | BettingOpened
    | BettingReopened
    | BettingClosed
    | RoundBegan
    | WagerPlaced
    | WagerFound
    | WagerReduced
    | OfferAnswered
    | AnswerTakenBack
    | WagerPulledLate
    | MoneyHeld
    | HeldWagerJudged
    | HeldMoneyDecided
    | CardDrawn
    | CardsSetAside
    | StrayCardsKept
    | CardsBurned
    | CardCorrected
    | CardsExposed
    | CardsReconstructed
    | CardsReserved
    | MissingCardsDeduced
    | CardsSubstituted
    | CardsRetrieved
    | OutcomeKnown
    | RoundSettled
    | SettlementReversed
    | RoundVoided
    | RoundEnded
    | BettingCancelled
    | IrregularityReported
    | FactsConfirmed
    | RulingMade
    | CaseClosed
    | FactsDisproved
    | ReportWithdrawn
    | WrongPaymentFound
    | PaymentCorrected
    | PaymentClaimed
    | DisputeOpened
    | DisputeEscalated
    | SurveillanceInformed
    | InformationGathered
    | DisputeDecided
    | ComplaintAnswered
    | AwardPaid
    | AwardSetOff
    | PatronAnswered
    | ReceiptConfirmed
    | DisputeClosed
    | ClaimBooked
    | DutyBody
    | SlipBody
    | SlipVoided
)
# what neither moves a stake nor lays a card
OtherBody = CreditsBought | CreditsCashedOut | ClaimBooked | DutyBody | SlipBody | SlipVoided
KINDS: dict[object, type[Body]] = {kind.__struct_config__.tag: kind for kind in typing.get_args(Body)}
