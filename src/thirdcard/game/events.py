"""Everything that can happen at a table, in the past tense, with the clauses that made it happen."""

import datetime

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game.alarm_kinds import Alarm
from thirdcard.game.dispute_steps import AwardWay, UnavailableSource
from thirdcard.game.shoe import Seal, ShuffleRecord
from thirdcard.game.state import (
    CardState,
    Case,
    DealtCard,
    Hand,
    Offer,
    PlacedWager,
    SettledWager,
    Setup,
    Wait,
)
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Method
from thirdcard.staff import Post

Clauses = tuple[Clause, ...]


class TableSetUp(Struct, frozen=True, kw_only=True, tag="table-set-up"):
    """A table was set up."""

    setup: Setup
    method: Method | None
    owners_per_area: int | None
    clauses: Clauses = ()


class EquipmentTicked(Struct, frozen=True, kw_only=True, tag="equipment-ticked"):
    """An item of the opening check list was ticked, or marked as not needed."""

    item: str
    needed: bool
    clauses: Clauses = ()


class ApprovalConfirmed(Struct, frozen=True, kw_only=True, tag="approval-confirmed"):
    """The regulator's confirmation was recorded, because the approval of the document names another game."""

    reference: str
    date: datetime.date
    by: str
    second: str
    clauses: Clauses = ()


class TableOpened(Struct, frozen=True, kw_only=True, tag="table-opened"):
    """The table was opened."""

    clauses: Clauses = ()


class TablePaused(Struct, frozen=True, kw_only=True, tag="table-paused"):
    """The table was paused."""

    reason: str
    clauses: Clauses = ()


class TableResumed(Struct, frozen=True, kw_only=True, tag="table-resumed"):
    """The table goes on."""

    clauses: Clauses = ()


class TableClosed(Struct, frozen=True, kw_only=True, tag="table-closed"):
    """The table was closed."""

    reason: str
    clauses: Clauses = ()


class StaffCame(Struct, frozen=True, kw_only=True, tag="staff-came"):
    """A member of staff came on duty at the table."""

    person: str
    post: Post
    clauses: Clauses = ()


class StaffLeft(Struct, frozen=True, kw_only=True, tag="staff-left"):
    """A member of staff left the table."""

    person: str
    clauses: Clauses = ()


class ActingAppointed(Struct, frozen=True, kw_only=True, tag="acting-appointed"):
    """A person was appointed to act in a post for a time."""

    person: str
    post: Post
    start: datetime.datetime
    end: datetime.datetime
    clauses: Clauses = ()


class PatronCame(Struct, frozen=True, kw_only=True, tag="patron-came"):
    """A patron came to the table, seated or standing; one who was marked before still is."""

    patron: str
    position: int | None
    seated: bool
    marked: int | None = None
    clauses: Clauses = ()


class PatronLeft(Struct, frozen=True, kw_only=True, tag="patron-left"):
    """A patron left the table."""

    patron: str
    clauses: Clauses = ()


class CreditsBought(Struct, frozen=True, kw_only=True, tag="credits-bought"):
    """Credits were bought at a terminal."""

    terminal: str
    amount: int
    procedure: str
    clauses: Clauses


class CreditsCashedOut(Struct, frozen=True, kw_only=True, tag="credits-cashed-out"):
    """Credits were cashed out at a terminal."""

    terminal: str
    amount: int
    procedure: str
    clauses: Clauses


class MethodChanged(Struct, frozen=True, kw_only=True, tag="method-changed"):
    """The method of dealing was changed."""

    method: Method
    by: str
    clauses: Clauses = ()


class OwnersLimited(Struct, frozen=True, kw_only=True, tag="owners-limited"):
    """Fewer patrons may share a playing area."""

    most: int
    by: str
    clauses: Clauses = ()


class ShoeLoaded(Struct, frozen=True, kw_only=True, tag="shoe-loaded"):
    """Cards were loaded into the dealing device."""

    number: int
    decks: int
    cards: int
    seal: Seal | None = None
    shuffle: ShuffleRecord | None = None
    clauses: Clauses = ()


class CardsCounted(Struct, frozen=True, kw_only=True, tag="cards-counted"):
    """The cards of a shoe were counted at its end; ``expected`` are those drawn, burned and left."""

    cards: int
    expected: int
    by: str
    clauses: Clauses = ()


class ShoeOpened(Struct, frozen=True, kw_only=True, tag="shoe-opened"):
    """A sealed shoe was laid open, in the order in which it was sealed; it is over."""

    number: int
    order: tuple[Card, ...]
    secret: str
    clauses: Clauses = ()


class CardsCut(Struct, frozen=True, kw_only=True, tag="cards-cut"):
    """The cards were cut."""

    by: str
    depth: int
    clauses: Clauses = ()


class CardsBurned(Struct, frozen=True, kw_only=True, tag="cards-burned"):
    """Cards were burned; the first of them may have been shown."""

    cards: int
    first: Card | None = None
    waiting: bool = False
    clauses: Clauses = ()


class LastHandAnnounced(Struct, frozen=True, kw_only=True, tag="last-hand-announced"):
    """The next hand was announced as the last of the shoe."""

    clauses: Clauses = ()


class DeviceTaken(Struct, frozen=True, kw_only=True, tag="device-taken"):
    """A patron took control of the dealing device."""

    patron: str
    clauses: Clauses = ()


class DeviceReleased(Struct, frozen=True, kw_only=True, tag="device-released"):
    """A patron no longer controls the dealing device."""

    patron: str
    clauses: Clauses = ()


class DrawingPermitted(Struct, frozen=True, kw_only=True, tag="drawing-permitted"):
    """A patron may draw cards without a wager."""

    patron: str
    by: str
    clauses: Clauses = ()


class SqueezePermitted(Struct, frozen=True, kw_only=True, tag="squeeze-permitted"):
    """A patron, or somebody a patron named, may squeeze."""

    person: str
    by: str
    clauses: Clauses = ()


class SqueezeForbidden(Struct, frozen=True, kw_only=True, tag="squeeze-forbidden"):
    """A patron, or everybody, may not squeeze in this round."""

    by: str
    patron: str | None = None
    clauses: Clauses = ()


class SqueezeRequested(Struct, frozen=True, kw_only=True, tag="squeeze-requested"):
    """A patron asked to squeeze and may."""

    patron: str
    clauses: Clauses = ()


class BettingOpened(Struct, frozen=True, kw_only=True, tag="betting-opened"):
    """Wagers are taken."""

    call: str
    clauses: Clauses = ()


class RoundBegan(Struct, frozen=True, kw_only=True, tag="round-began"):
    """A round of play began."""

    number: int
    method: Method | None
    free: bool
    last: bool
    clauses: Clauses = ()


class WagerPlaced(Struct, frozen=True, kw_only=True, tag="wager-placed"):
    """A wager was placed or increased."""

    id: int
    patron: str
    position: int | None
    wager: str
    amount: int
    placed_by: str | None
    clauses: Clauses


class WagerReduced(Struct, frozen=True, kw_only=True, tag="wager-reduced"):
    """A wager was decreased or withdrawn; ``case`` has the offer that was taken up.

    ``amount`` is in action no longer. Of it ``gone`` was with the patron already, and the rest goes back, or
    stays with the staff where it is ``held``. ``order`` says when the wager had reached what is left of it;
    without one that is now. Where staff enter a withdrawal, ``second`` stands for it with ``by``; so it does
    where the amount was entered by mistake and ``mistaken`` takes it out again.
    """

    id: int
    patron: str
    wager: str
    amount: int
    by: str
    case: int | None = None
    gone: int = 0
    order: int | None = None
    second: str | None = None
    held: int = 0
    mistaken: bool = False
    clauses: Clauses

    @property
    def back(self) -> int:
        """The chips that go back to the patron."""
        return 0 if self.held else self.amount - self.gone


class MoneyHeld(Struct, frozen=True, kw_only=True, tag="money-held"):
    """Chips or cash are held because they may be counterfeit; surveillance is told.

    ``wager`` is theirs and stays ``in_play``; records of old forms took it out of the round. ``settled`` has
    its settlement where one was made before. Without a wager they were to buy chips or credits.
    """

    id: int
    patron: str
    amount: int
    round: int
    by: str
    wager: PlacedWager | None = None
    in_play: bool = False
    settled: SettledWager | None = None
    second: str | None = None
    procedure: str | None = None
    clauses: Clauses


class HeldWagerJudged(Struct, frozen=True, kw_only=True, tag="held-wager-judged"):
    """The record of a round was corrected: a wager of it that is held is settled otherwise, or cannot be."""

    id: int
    patron: str
    settled: SettledWager | None
    clauses: Clauses


class HeldMoneyDecided(Struct, frozen=True, kw_only=True, tag="held-money-decided"):
    """Money that was held lies there again, is handed over as settled, goes back, or is kept from its patron.

    ``wager`` is the one that lies there again, ``settled`` the one that the cards decided. One that was taken
    out of its round after the first card is set ``apart``: it brings nothing, and nobody else is cut by it.
    """

    id: int
    patron: str
    amount: int
    choice: str
    found: str
    by: str
    bought: bool = False
    wager: PlacedWager | None = None
    settled: SettledWager | None = None
    apart: bool = False
    second: str | None = None
    procedure: str | None = None
    clauses: Clauses


class WagerFound(Struct, frozen=True, kw_only=True, tag="wager-found"):
    """A wager that had been placed in time was found only now.

    ``was_pulled`` says that its chips had been booked as taken away late; the stake is what it was. They are
    ``held`` with the other chips of a wager that is.
    """

    id: int
    patron: str
    position: int | None
    wager: str
    amount: int
    by: str
    second: str | None = None
    was_pulled: bool = False
    held: int = 0
    clauses: Clauses


class WagerHandedBack(Struct, frozen=True, kw_only=True, tag="wager-handed-back"):
    """Chips that were not taken as a wager were handed back, by a clause or by a procedure of the house."""

    patron: str
    position: int | None
    wager: str
    amount: int
    why: str
    procedure: str | None = None
    clauses: Clauses


class WagerPulledLate(Struct, frozen=True, kw_only=True, tag="wager-pulled-late"):
    """A patron took chips away after closing; the wager stays in action."""

    id: int
    patron: str
    wager: str
    amount: int
    clauses: Clauses


class BettingClosed(Struct, frozen=True, kw_only=True, tag="betting-closed"):
    """No more wagers are taken."""

    call: str | None
    clauses: Clauses = ()


class DifferentialExceeded(Struct, frozen=True, kw_only=True, tag="differential-exceeded"):
    """The table differential is exceeded."""

    gap: int
    limit: int
    heavier: Hand
    clauses: Clauses = ()


class DecreaseAsked(Struct, frozen=True, kw_only=True, tag="decrease-asked"):
    """Patrons on the heavier hand were asked to decrease their wagers."""

    heavier: Hand
    clauses: Clauses = ()


class DecreaseAnswered(Struct, frozen=True, kw_only=True, tag="decrease-answered"):
    """A patron who was asked to decrease has answered, or was ``silent`` until the time was ended."""

    patron: str
    silent: bool = False
    clauses: Clauses = ()


class CardsChosen(Struct, frozen=True, kw_only=True, tag="cards-chosen"):
    """A patron wants new cards, or wants the shoe to go on; one who said nothing lets it go on."""

    patron: str
    replace: bool
    clauses: Clauses = ()


class CardDrawn(Struct, frozen=True, kw_only=True, tag="card-drawn"):
    """A card was drawn for a hand."""

    hand: Hand
    card: Card | None
    state: CardState
    by: str
    clauses: Clauses = ()


class CardsSetAside(Struct, frozen=True, kw_only=True, tag="cards-set-aside"):
    """Cards came out that no hand has by right, or in no clear order; they lie aside until it is decided.

    ``hand`` is where a single card was put.
    """

    cards: tuple[Card | None, ...]
    hand: Hand | None
    by: str
    clauses: Clauses = ()


class CardSeenInShoe(Struct, frozen=True, kw_only=True, tag="card-seen-in-shoe"):
    """A card was seen while it lay in the dealing device, with so many cards before it."""

    card: Card
    ahead: int
    clauses: Clauses = ()


class CuttingCardSeen(Struct, frozen=True, kw_only=True, tag="cutting-card-seen"):
    """The cutting card came and was put aside."""

    first: bool
    rounds_left: int
    clauses: Clauses = ()


class CardsDelivered(Struct, frozen=True, kw_only=True, tag="cards-delivered"):
    """A hand was passed face down to a patron; the one whom a post has ``chosen``, or the next by wager."""

    hand: Hand
    patron: str
    chosen: bool = False
    clauses: Clauses = ()


class CardsTakenBack(Struct, frozen=True, kw_only=True, tag="cards-taken-back"):
    """The Dealer took a hand back from a patron who was not to have it."""

    hand: Hand
    patron: str
    clauses: Clauses = ()


class CardsDeclined(Struct, frozen=True, kw_only=True, tag="cards-declined"):
    """A patron declined to handle a hand."""

    hand: Hand
    patron: str
    clauses: Clauses = ()


class RevealOrderChosen(Struct, frozen=True, kw_only=True, tag="reveal-order-chosen"):
    """The Dealer chose which hand is opened first."""

    first: Hand
    clauses: Clauses = ()


class CardsSeen(Struct, frozen=True, kw_only=True, tag="cards-seen"):
    """A hand was looked at by its holder, or was seen by somebody who is not told."""

    hand: Hand
    patron: str | None
    clauses: Clauses = ()


class CardsExposed(Struct, frozen=True, kw_only=True, tag="cards-exposed"):
    """Cards of a hand were opened to the table; one without a face stays as it lies."""

    hand: Hand
    cards: tuple[Card | None, ...]
    by: str
    clauses: Clauses = ()


class OutcomeKnown(Struct, frozen=True, kw_only=True, tag="outcome-known"):
    """All cards lie open and the outcome is known."""

    facts: Facts
    clauses: Clauses = ()


class TotalsAnnounced(Struct, frozen=True, kw_only=True, tag="totals-announced"):
    """The point totals of the first four cards were announced, as they were said."""

    player: int
    banker: int
    by: str
    clauses: Clauses = ()


class OutcomeCalled(Struct, frozen=True, kw_only=True, tag="outcome-called"):
    """The outcome was called, with the point total of each hand where it was said."""

    winner: Winner
    by: str
    player: int | None = None
    banker: int | None = None
    clauses: Clauses = ()


class DeviceMismatch(Struct, frozen=True, kw_only=True, tag="device-mismatch"):
    """The dealing device shows another result than the cards."""

    device: Winner
    cards: Winner
    clauses: Clauses = ()


class RoundSettled(Struct, frozen=True, kw_only=True, tag="round-settled"):
    """Every wager of the round was settled."""

    wagers: tuple[SettledWager, ...]
    clauses: Clauses


class PatronMarked(Struct, frozen=True, kw_only=True, tag="patron-marked"):
    """A patron was marked for a wager under the minimum."""

    patron: str
    round: int
    clauses: Clauses = ()


class RoundVoided(Struct, frozen=True, kw_only=True, tag="round-voided"):
    """The round is void and every stake goes back, by a clause or by a procedure of the house."""

    number: int
    returned: tuple[PlacedWager, ...]
    reversed: tuple[SettledWager, ...]
    procedure: str | None = None
    clauses: Clauses


class RoundEnded(Struct, frozen=True, kw_only=True, tag="round-ended"):
    """The round is over."""

    number: int
    clauses: Clauses = ()


class ShoeEnded(Struct, frozen=True, kw_only=True, tag="shoe-ended"):
    """The shoe is played out; new cards are due."""

    clauses: Clauses = ()


class IrregularityReported(Struct, frozen=True, kw_only=True, tag="irregularity-reported"):
    """An irregularity was reported."""

    case: Case
    by: str
    note: str
    clauses: Clauses = ()


class FactsConfirmed(Struct, frozen=True, kw_only=True, tag="facts-confirmed"):
    """The facts of an irregularity were confirmed; without ``id`` of the one that came to light last."""

    by: str
    second: str | None = None
    id: int | None = None
    clauses: Clauses = ()


class FactsDisproved(Struct, frozen=True, kw_only=True, tag="facts-disproved"):
    """What was reported is not so; the table goes on where it stood."""

    id: int
    by: str
    found: str
    second: str | None = None
    clauses: Clauses = ()


class ReportWithdrawn(Struct, frozen=True, kw_only=True, tag="report-withdrawn"):
    """A report was taken back before anybody had acted on it."""

    id: int
    by: str
    second: str | None = None
    clauses: Clauses = ()


class CardCorrected(Struct, frozen=True, kw_only=True, tag="card-corrected"):
    """A card that was entered or read wrongly was corrected to the one that lies there, by two people."""

    round: int
    number: int
    old: Card | None
    new: Card
    by: str
    second: str
    clauses: Clauses = ()


class CaseWaits(Struct, frozen=True, kw_only=True, tag="case-waits"):
    """An irregularity waits for somebody; one that is named is dealt with first."""

    waits: Wait
    post: Post | None
    case: int | None = None
    clauses: Clauses = ()


class RulingMade(Struct, frozen=True, kw_only=True, tag="ruling-made"):
    """A ruling was made by somebody whose post decides.

    ``entered_by`` is who entered it, if that was another person; ``second`` is who stood for it besides.
    ``next_cards`` is how many cards of the dealing device are burned where its case has none of its own.
    """

    choice: str
    text: str
    by: str
    cards: tuple[Card | None, ...] = ()
    also: tuple[str, ...] = ()
    next_cards: int = 0
    patron: str | None = None
    amount: int = 0
    entered_by: str | None = None
    second: str | None = None
    clauses: Clauses = ()


class EffectCarriedOut(Struct, frozen=True, kw_only=True, tag="effect-carried-out"):
    """An effect of an irregularity was carried out; or not, since it was denied or came to nothing.

    A ``statement`` says how things stand and changes nothing else; a permission ``lapsed`` when play went on,
    a free hand when the cards that were to begin it have their place in this round after all, or are gone.
    """

    effect: str
    done: bool = True
    statement: bool = False
    lapsed: bool = False
    clauses: Clauses = ()


class OfferOpened(Struct, frozen=True, kw_only=True, tag="offer-opened"):
    """Patrons may withdraw wagers."""

    offer: Offer
    clauses: Clauses = ()


class OfferAnswered(Struct, frozen=True, kw_only=True, tag="offer-answered"):
    """A patron answered an offer, or was ``silent`` until it was ended; ``by`` is who entered the answer."""

    patron: str
    withdrew: bool
    silent: bool = False
    case: int | None = None
    by: str | None = None
    clauses: Clauses = ()


class AnswerTakenBack(Struct, frozen=True, kw_only=True, tag="answer-taken-back"):
    """What staff had entered as the answer of a patron was taken back: its ``wagers`` lie there again."""

    patron: str
    case: int
    wagers: tuple[PlacedWager, ...]
    by: str
    second: str | None
    clauses: Clauses


class OfferClosed(Struct, frozen=True, kw_only=True, tag="offer-closed"):
    """An offer ended."""

    clauses: Clauses = ()


class CardsReconstructed(Struct, frozen=True, kw_only=True, tag="cards-reconstructed"):
    """The hands were laid again in the true order; cards that no hand takes lie aside."""

    cards: tuple[DealtCard, ...]
    aside: tuple[Card | None, ...] = ()
    clauses: Clauses = ()


class CardsRetrieved(Struct, frozen=True, kw_only=True, tag="cards-retrieved"):
    """The cards of the round went back in order."""

    clauses: Clauses = ()


class BettingCancelled(Struct, frozen=True, kw_only=True, tag="betting-cancelled"):
    """Betting ends before a round has begun; the stakes have gone back."""

    procedure: str | None = None
    clauses: Clauses = ()


class StrayCardsKept(Struct, frozen=True, kw_only=True, tag="stray-cards-kept"):
    """Cards drawn in error wait for the next round."""

    cards: tuple[Card | None, ...]
    clauses: Clauses = ()


class FreeHandDue(Struct, frozen=True, kw_only=True, tag="free-hand-due"):
    """A free hand is owed; ``places`` are those of the cards, drawn in error or seen, that begin it."""

    places: tuple[int, ...] = ()
    clauses: Clauses = ()


class CardReplacementDue(Struct, frozen=True, kw_only=True, tag="card-replacement-due"):
    """New cards must or may come, by a clause or by a procedure of the house."""

    need: str
    procedure: str | None = None
    clauses: Clauses = ()


class BettingReopened(Struct, frozen=True, kw_only=True, tag="betting-reopened"):
    """Betting is open again until a second closing call."""

    clauses: Clauses = ()


class CardsReserved(Struct, frozen=True, kw_only=True, tag="cards-reserved"):
    """Cards were set aside as possible third cards."""

    cards: tuple[Card, ...]
    clauses: Clauses = ()


class MissingCardsDeduced(Struct, frozen=True, kw_only=True, tag="missing-cards-deduced"):
    """The missing cards follow from all the others; ``lacking`` is the list of what the sorted decks lack."""

    cards: tuple[Card, ...]
    lacking: tuple[Card, ...]
    clauses: Clauses = ()


class CardsSubstituted(Struct, frozen=True, kw_only=True, tag="cards-substituted"):
    """Equal cards took the place of the missing ones."""

    cards: tuple[DealtCard, ...]
    clauses: Clauses = ()


class SettlementReversed(Struct, frozen=True, kw_only=True, tag="settlement-reversed"):
    """A settlement was taken back, entry by entry, to be made again."""

    wagers: tuple[SettledWager, ...]
    procedure: str | None = None
    clauses: Clauses


class ClaimBooked(Struct, frozen=True, kw_only=True, tag="claim-booked"):
    """A reversal takes back what is not there; the patron owes it.

    A terminal no longer has the credits, or the patron has ``left`` the table with the chips. Or the patron
    took back chips that were ``lost``.
    """

    patron: str
    amount: int
    left: bool = False
    lost: bool = False
    procedure: str | None = None
    clauses: Clauses


class WrongPaymentFound(Struct, frozen=True, kw_only=True, tag="wrong-payment-found"):
    """A payment that was made by mistake is booked, so that it can be taken back, or because it stands."""

    patron: str
    amount: int
    procedure: str | None = None
    clauses: Clauses


class PaymentClaimed(Struct, frozen=True, kw_only=True, tag="payment-claimed"):
    """Money that was paid is claimed back, as a post decided and two people book it; the patron owes it.

    A negative amount says that a claim lapses, because the settlement made again has taken it.
    """

    patron: str
    amount: int
    by: str
    second: str | None
    procedure: str | None = None
    clauses: Clauses


class PaymentCorrected(Struct, frozen=True, kw_only=True, tag="payment-corrected"):
    """A wrong payment was reversed; one that was too small has a negative amount.

    A payment that was decided is reversed as well where the settlement made again has paid it.
    """

    patron: str
    amount: int
    by: str = ""
    second: str | None = None
    procedure: str | None = None
    clauses: Clauses


class CaseClosed(Struct, frozen=True, kw_only=True, tag="case-closed"):
    """An irregularity is dealt with, or another one has made it pointless."""

    id: int
    superseded_by: int | None = None
    clauses: Clauses = ()


class AlertAcknowledged(Struct, frozen=True, kw_only=True, tag="alert-acknowledged"):
    """Somebody has seen to what the record of a sequence gave alert or alarm of."""

    sequence: int
    by: str
    clauses: Clauses = ()


class AlarmRaised(Struct, frozen=True, kw_only=True, tag="alarm-raised"):
    """Alarm was given; it is an alert that stays until it is acknowledged."""

    alarm: Alarm
    by: str
    clauses: Clauses = ()


class DisputeOpened(Struct, frozen=True, kw_only=True, tag="dispute-opened"):
    """A patron disputes something: the ``round`` that it is about, zero for none, with its shoe.

    Records before form 6 do not say which round it is.
    """

    id: int
    patron: str
    about: str
    round: int | None = None
    shoe: int | None = None
    wager: str | None = None
    by: str | None = None
    clauses: Clauses = ()


class DisputeEscalated(Struct, frozen=True, kw_only=True, tag="dispute-escalated"):
    """A dispute went to the next level; an award that nobody had paid has ``lapsed`` with its decision.

    ``unanswered`` says that the patron had not answered that decision.
    """

    id: int
    by: str
    lapsed: int = 0
    second: str | None = None
    procedure: str | None = None
    unanswered: bool = False
    clauses: Clauses


class InformationGathered(Struct, frozen=True, kw_only=True, tag="information-gathered"):
    """A piece of information about a dispute was taken down."""

    id: int
    what: str
    given_by: str
    by: str
    source: str | None = None
    second: str | None = None
    clauses: Clauses = ()


class SurveillanceInformed(Struct, frozen=True, kw_only=True, tag="surveillance-informed"):
    """Surveillance was informed of a dispute."""

    id: int
    by: str
    second: str | None = None
    clauses: Clauses = ()


class TimeFrameGiven(Struct, frozen=True, kw_only=True, tag="time-frame-given"):
    """The patron was told by when to expect an answer; records before form 7 say it in words."""

    id: int
    time_frame: str = ""
    until: datetime.datetime | None = None
    by: str | None = None
    clauses: Clauses = ()


class TimeFrameNotPossible(Struct, frozen=True, kw_only=True, tag="time-frame-not-possible"):
    """No time frame can be given to the patron, for a reason."""

    id: int
    why: str
    by: str
    clauses: Clauses = ()


class DisputeDecided(Struct, frozen=True, kw_only=True, tag="dispute-decided"):
    """A dispute was decided on the sources that were considered; others were not available."""

    id: int
    decision: str
    sources: tuple[str, ...]
    award: int
    by: str
    second: str | None = None
    unavailable: tuple[UnavailableSource, ...] = ()
    procedure: str | None = None
    clauses: Clauses


class PatronAnswered(Struct, frozen=True, kw_only=True, tag="patron-answered"):
    """The patron agreed or disagreed with a decision; ``by`` and ``second`` of the staff entered it."""

    id: int
    agrees: bool
    by: str | None = None
    second: str | None = None
    clauses: Clauses = ()


class InspectorInformed(Struct, frozen=True, kw_only=True, tag="inspector-informed"):
    """The inspector was told of a dispute that stays unresolved."""

    id: int
    by: str
    second: str | None = None
    clauses: Clauses = ()


class AwardPaid(Struct, frozen=True, kw_only=True, tag="award-paid"):
    """An award was paid: to the patron's credits, or handed ``to`` somebody, and ``how``."""

    id: int
    patron: str
    amount: int
    way: AwardWay
    to: str
    how: str
    by: str
    second: str | None = None
    procedure: str | None = None
    clauses: Clauses


class ReceiptConfirmed(Struct, frozen=True, kw_only=True, tag="receipt-confirmed"):
    """The patron confirmed having received an award, which is no consent to the decision.

    ``by`` and ``second`` are who of the staff entered it.
    """

    id: int
    patron: str
    by: str | None = None
    second: str | None = None
    clauses: Clauses = ()


class ComplaintRightTold(Struct, frozen=True, kw_only=True, tag="complaint-right-told"):
    """The patron was told of the right to complain, and until when, where there is a term."""

    id: int
    until: datetime.datetime | None = None
    by: str | None = None
    clauses: Clauses = ()


class ComplaintFiled(Struct, frozen=True, kw_only=True, tag="complaint-filed"):
    """A formal complaint was filed with help; ``late`` where it came after its term.

    ``by`` is who of the staff filed it for the patron.
    """

    id: int
    text: str
    helper: str
    late: bool = False
    by: str | None = None
    clauses: Clauses = ()


class ComplaintReceived(Struct, frozen=True, kw_only=True, tag="complaint-received"):
    """A formal complaint was received by the post that answers it."""

    id: int
    by: str
    second: str | None = None
    clauses: Clauses = ()


class ComplaintAnswered(Struct, frozen=True, kw_only=True, tag="complaint-answered"):
    """A formal complaint was answered, perhaps with money for the patron.

    Where it awards money, an award of the same dispute that nobody had paid has ``lapsed``.
    """

    id: int
    answer: str
    award: int
    by: str
    second: str | None = None
    procedure: str | None = None
    lapsed: int = 0
    clauses: Clauses


class DisputeClosed(Struct, frozen=True, kw_only=True, tag="dispute-closed"):
    """A dispute was closed, perhaps while its decision was still ``unanswered``."""

    id: int
    unanswered: bool = False
    clauses: Clauses = ()


DisputeEvent = (
    DisputeOpened
    | DisputeEscalated
    | InformationGathered
    | SurveillanceInformed
    | TimeFrameGiven
    | TimeFrameNotPossible
    | DisputeDecided
    | PatronAnswered
    | InspectorInformed
    | AwardPaid
    | ReceiptConfirmed
    | ComplaintRightTold
    | ComplaintFiled
    | ComplaintReceived
    | ComplaintAnswered
    | DisputeClosed
)

Event = (
    TableSetUp
    | EquipmentTicked
    | ApprovalConfirmed
    | TableOpened
    | TablePaused
    | TableResumed
    | TableClosed
    | StaffCame
    | StaffLeft
    | ActingAppointed
    | PatronCame
    | PatronLeft
    | CreditsBought
    | CreditsCashedOut
    | MethodChanged
    | OwnersLimited
    | ShoeLoaded
    | CardsCounted
    | ShoeOpened
    | CardsCut
    | CardsBurned
    | LastHandAnnounced
    | DeviceTaken
    | DeviceReleased
    | DrawingPermitted
    | SqueezePermitted
    | SqueezeForbidden
    | SqueezeRequested
    | BettingOpened
    | RoundBegan
    | WagerPlaced
    | WagerReduced
    | MoneyHeld
    | HeldWagerJudged
    | HeldMoneyDecided
    | WagerFound
    | WagerHandedBack
    | WagerPulledLate
    | BettingClosed
    | DifferentialExceeded
    | DecreaseAsked
    | DecreaseAnswered
    | CardsChosen
    | CardDrawn
    | CardsSetAside
    | CardSeenInShoe
    | CuttingCardSeen
    | CardsDelivered
    | CardsTakenBack
    | CardsDeclined
    | RevealOrderChosen
    | CardsSeen
    | CardsExposed
    | OutcomeKnown
    | TotalsAnnounced
    | OutcomeCalled
    | DeviceMismatch
    | RoundSettled
    | PatronMarked
    | RoundVoided
    | RoundEnded
    | ShoeEnded
    | IrregularityReported
    | FactsConfirmed
    | FactsDisproved
    | ReportWithdrawn
    | CardCorrected
    | CaseWaits
    | RulingMade
    | EffectCarriedOut
    | OfferOpened
    | OfferAnswered
    | AnswerTakenBack
    | OfferClosed
    | CardsReconstructed
    | CardsRetrieved
    | BettingCancelled
    | StrayCardsKept
    | FreeHandDue
    | CardReplacementDue
    | BettingReopened
    | CardsReserved
    | MissingCardsDeduced
    | CardsSubstituted
    | SettlementReversed
    | ClaimBooked
    | PaymentClaimed
    | WrongPaymentFound
    | PaymentCorrected
    | CaseClosed
    | AlertAcknowledged
    | AlarmRaised
    | DisputeEvent
)
