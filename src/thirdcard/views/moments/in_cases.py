"""Moments of irregularities, of offers to patrons, of what is put right, and of alarms."""

from thirdcard.folds.faces import CardShown
from thirdcard.game.causes import Cause
from thirdcard.game.state import Hand, SettledWager, Wait
from thirdcard.rulebook.irregularity import Situation, Withdrawable
from thirdcard.staff import Post
from thirdcard.views.moments.moment import AnyMoment


class IrregularityReportedMoment(AnyMoment, frozen=True, kw_only=True):
    """An irregularity was reported."""

    case: int
    situation: Situation
    cause: Cause | None = None
    by: str | None = None
    second: str | None = None
    note: str | None = None
    patron: str | None = None
    hand: Hand | None = None
    amount: int | None = None


class FactsConfirmedMoment(AnyMoment, frozen=True, kw_only=True):
    """The facts of an irregularity were confirmed."""

    by: str | None = None
    second: str | None = None


class FactsDisprovedMoment(AnyMoment, frozen=True, kw_only=True):
    """A report was disproved; the table goes on where it stood."""

    case: int
    by: str | None = None
    second: str | None = None
    found: str | None = None


class ReportWithdrawnMoment(AnyMoment, frozen=True, kw_only=True):
    """A report was taken back before anybody had acted on it."""

    case: int
    by: str | None = None
    second: str | None = None


class CardCorrectedMoment(AnyMoment, frozen=True, kw_only=True):
    """A card that was entered or read wrongly was corrected to the one that lies there, by two people."""

    round: int
    number: int
    by: str | None = None
    second: str | None = None


class CaseWaitsMoment(AnyMoment, frozen=True, kw_only=True):
    """An irregularity waits for somebody."""

    waits: Wait
    post: Post | None = None


class RulingMadeMoment(AnyMoment, frozen=True, kw_only=True):
    """A ruling was made by somebody whose post decides."""

    choice: str
    also: tuple[str, ...]
    text: str | None = None
    by: str | None = None
    person: str | None = None
    second: str | None = None
    patron: str | None = None
    amount: int | None = None


class EffectCarriedOutMoment(AnyMoment, frozen=True, kw_only=True):
    """An effect of an irregularity was carried out; or not, since it was denied or came to nothing."""

    effect: str
    done: bool
    statement: bool
    lapsed: bool


class OfferOpenedMoment(AnyMoment, frozen=True, kw_only=True):
    """Patrons may withdraw wagers."""

    wagers: Withdrawable
    asked: tuple[str, ...] | None = None


class OfferAnsweredMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron answered an offer, or was ``silent`` until it was ended; ``by`` is who entered the answer."""

    patron: str
    withdrew: bool
    silent: bool
    by: str | None = None


class AnswerTakenBackMoment(AnyMoment, frozen=True, kw_only=True):
    """An answer that staff had entered for a patron was taken back."""

    patron: str
    by: str | None = None
    second: str | None = None


class OfferClosedMoment(AnyMoment, frozen=True, kw_only=True):
    """An offer ended."""


class CardsReconstructedMoment(AnyMoment, frozen=True, kw_only=True):
    """The hands were laid again in the true order; ``dealt`` are all cards before the hands."""

    dealt: tuple[CardShown, ...]


class CardsRetrievedMoment(AnyMoment, frozen=True, kw_only=True):
    """The cards of the round went back in order."""


class StrayCardsKeptMoment(AnyMoment, frozen=True, kw_only=True):
    """Cards drawn in error wait for the next round."""

    count: int


class FreeHandDueMoment(AnyMoment, frozen=True, kw_only=True):
    """A free hand is owed."""


class CardReplacementDueMoment(AnyMoment, frozen=True, kw_only=True):
    """New cards must or may come, by a clause or by a procedure of the house."""

    need: str


class BettingReopenedMoment(AnyMoment, frozen=True, kw_only=True):
    """Betting is open again until a second closing call."""


class BettingCancelledMoment(AnyMoment, frozen=True, kw_only=True):
    """Betting ends before a round has begun; the stakes have gone back."""

    procedure: str | None = None


class CardsReservedMoment(AnyMoment, frozen=True, kw_only=True):
    """Cards were set aside as possible third cards."""

    count: int


class MissingCardsDeducedMoment(AnyMoment, frozen=True, kw_only=True):
    """The missing cards follow from all the others."""

    count: int


class CardsSubstitutedMoment(AnyMoment, frozen=True, kw_only=True):
    """Equal cards took the place of the missing ones."""

    dealt: tuple[CardShown, ...]


class SettlementReversedMoment(AnyMoment, frozen=True, kw_only=True):
    """A settlement was taken back, entry by entry, to be made again."""

    settled: tuple[SettledWager, ...] | None = None


class ClaimBookedMoment(AnyMoment, frozen=True, kw_only=True):
    """A reversal takes back money that is not there; the patron owes it."""

    patron: str
    amount: int
    procedure: str | None = None


class WrongPaymentFoundMoment(AnyMoment, frozen=True, kw_only=True):
    """A payment that was made by mistake is booked, so that it can be taken back, or because it stands.

    ``collected`` says that so much of a stake was taken too much, ``mistaken`` that a booking is taken out.
    """

    patron: str
    amount: int
    collected: bool = False
    mistaken: bool = False


class PaymentCorrectedMoment(AnyMoment, frozen=True, kw_only=True):
    """A wrong payment was reversed; one that was too small has a negative amount."""

    patron: str
    amount: int
    procedure: str | None = None
    by: str | None = None
    second: str | None = None


class PaymentClaimedMoment(AnyMoment, frozen=True, kw_only=True):
    """Money that was paid is claimed back, as a post decided; the patron owes it."""

    patron: str
    amount: int
    procedure: str | None = None
    by: str | None = None
    second: str | None = None


class CaseClosedMoment(AnyMoment, frozen=True, kw_only=True):
    """An irregularity is dealt with, or another one has made it pointless."""

    case: int
    superseded_by: int | None = None


class AlertAcknowledgedMoment(AnyMoment, frozen=True, kw_only=True):
    """The alert or alarm of a record was acknowledged."""

    sequence: int
    by: str


class AlarmRaisedMoment(AnyMoment, frozen=True, kw_only=True):
    """Alarm was given; it is an alert that stays until it is acknowledged."""

    about: str
    by: str


CaseMoment = (
    IrregularityReportedMoment
    | FactsConfirmedMoment
    | FactsDisprovedMoment
    | ReportWithdrawnMoment
    | CardCorrectedMoment
    | CaseWaitsMoment
    | RulingMadeMoment
    | EffectCarriedOutMoment
    | OfferOpenedMoment
    | OfferAnsweredMoment
    | AnswerTakenBackMoment
    | OfferClosedMoment
    | CardsReconstructedMoment
    | CardsRetrievedMoment
    | StrayCardsKeptMoment
    | FreeHandDueMoment
    | CardReplacementDueMoment
    | BettingReopenedMoment
    | BettingCancelledMoment
    | CardsReservedMoment
    | MissingCardsDeducedMoment
    | CardsSubstitutedMoment
    | SettlementReversedMoment
    | ClaimBookedMoment
    | WrongPaymentFoundMoment
    | PaymentCorrectedMoment
    | PaymentClaimedMoment
    | CaseClosedMoment
    | AlertAcknowledgedMoment
    | AlarmRaisedMoment
)
