"""Everything that can happen at a table, in the past tense, with the clauses that made it happen."""

import datetime

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game.alarm_kinds import Alarm
from thirdcard.game.dispute_steps import AwardWay, UnavailableSource
from thirdcard.game.planned import Stop, TableChange
from thirdcard.game.shoe import Seal, ShuffleRecord
from thirdcard.game.state import CardState, Case, DealtCard, Hand, Offer, PlacedWager, SettledWager, Wait
from thirdcard.game.table_chips import Pieces
from thirdcard.game.table_setup import Setup
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import Method
from thirdcard.staff import Post
from thirdcard.tags import tag_of

AnyClauses = tuple[Clause, ...]


class EventBase(Struct, frozen=True, kw_only=True, tag=tag_of):
    """An event of a table; its tag is its name."""


class TableSetUp(EventBase, frozen=True, kw_only=True):
    """A table was set up."""

    setup: Setup
    method: Method | None
    owners_per_area: int | None
    clauses: AnyClauses = ()


class EquipmentTicked(EventBase, frozen=True, kw_only=True):
    """An item of the opening check list was ticked, or marked as not needed."""

    item: str
    needed: bool
    clauses: AnyClauses = ()


class ApprovalConfirmed(EventBase, frozen=True, kw_only=True):
    """The regulator's confirmation was recorded, because the approval of the document names another game."""

    reference: str
    date: datetime.date
    by: str
    second: str
    clauses: AnyClauses = ()


class TableOpened(EventBase, frozen=True, kw_only=True):
    """The table was opened."""

    clauses: AnyClauses = ()


class TablePaused(EventBase, frozen=True, kw_only=True):
    """The table was paused."""

    reason: str
    clauses: AnyClauses = ()


class TableResumed(EventBase, frozen=True, kw_only=True):
    """The table goes on."""

    clauses: AnyClauses = ()


class TableClosed(EventBase, frozen=True, kw_only=True):
    """The table was closed."""

    reason: str
    clauses: AnyClauses = ()


class StopPlanned(EventBase, frozen=True, kw_only=True):
    """The table is to be paused or closed once the round under way is over."""

    stop: Stop
    reason: str
    by: str
    clauses: AnyClauses = ()


class StopCancelled(EventBase, frozen=True, kw_only=True):
    """The table plays on after the round after all."""

    by: str
    clauses: AnyClauses = ()


class ChangePlanned(EventBase, frozen=True, kw_only=True):
    """The table is to have other limits from its next round on, and its next shoe other decks."""

    change: TableChange
    clauses: AnyClauses = ()


class TableChanged(EventBase, frozen=True, kw_only=True):
    """The table has other limits or decks."""

    change: TableChange
    clauses: AnyClauses = ()


class StaffCame(EventBase, frozen=True, kw_only=True):
    """A member of staff came on duty at the table."""

    person: str
    post: Post
    clauses: AnyClauses = ()


class StaffLeft(EventBase, frozen=True, kw_only=True):
    """A member of staff left the table."""

    person: str
    clauses: AnyClauses = ()


class ActingAppointed(EventBase, frozen=True, kw_only=True):
    """A person was appointed to act in a post for a time."""

    person: str
    post: Post
    start: datetime.datetime
    end: datetime.datetime
    clauses: AnyClauses = ()


class PatronCame(EventBase, frozen=True, kw_only=True):
    """A patron came to the table, seated or standing; one who was marked before still is."""

    patron: str
    position: int | None
    seated: bool
    marked: int | None = None
    clauses: AnyClauses = ()


class PatronLeft(EventBase, frozen=True, kw_only=True):
    """A patron left the table."""

    patron: str
    clauses: AnyClauses = ()


class CreditsBought(EventBase, frozen=True, kw_only=True):
    """Credits were bought at a terminal: by its patron, or ``by`` staff for the patron."""

    terminal: str
    amount: int
    procedure: str
    by: str | None = None
    second: str | None = None
    reason: str = ""
    clauses: AnyClauses


class CreditsCashedOut(EventBase, frozen=True, kw_only=True):
    """Credits were cashed out at a terminal: by its patron, or ``by`` staff for the patron."""

    terminal: str
    amount: int
    procedure: str
    by: str | None = None
    second: str | None = None
    reason: str = ""
    clauses: AnyClauses


class CreditsAsked(EventBase, frozen=True, kw_only=True):
    """Staff are to sell credits or to cash them out, once the patron has confirmed it at the terminal."""

    id: int
    act: MoneyAct
    terminal: str
    amount: int
    by: str
    second: str | None
    reason: str
    clauses: AnyClauses


class CreditsDeclined(EventBase, frozen=True, kw_only=True):
    """A patron does not confirm what staff were to sell or to cash out."""

    id: int
    terminal: str
    clauses: AnyClauses = ()


class MethodChanged(EventBase, frozen=True, kw_only=True):
    """The method of dealing was changed."""

    method: Method
    by: str
    clauses: AnyClauses = ()


class OwnersLimited(EventBase, frozen=True, kw_only=True):
    """Fewer patrons may share a playing area."""

    most: int
    by: str
    clauses: AnyClauses = ()


class ShoeLoaded(EventBase, frozen=True, kw_only=True):
    """Cards were loaded into the dealing device."""

    number: int
    decks: int
    cards: int
    seal: Seal | None = None
    shuffle: ShuffleRecord | None = None
    clauses: AnyClauses = ()


class CardsCounted(EventBase, frozen=True, kw_only=True):
    """The cards of a shoe were counted at its end; ``expected`` are those drawn, burned and left."""

    cards: int
    expected: int
    by: str
    clauses: AnyClauses = ()


class ShoeOpened(EventBase, frozen=True, kw_only=True):
    """A sealed shoe was laid open, in the order in which it was sealed; it is over."""

    number: int
    order: tuple[Card, ...]
    secret: str
    clauses: AnyClauses = ()


class CardsCut(EventBase, frozen=True, kw_only=True):
    """The cards were cut."""

    by: str
    depth: int
    clauses: AnyClauses = ()


class CardsBurned(EventBase, frozen=True, kw_only=True):
    """Cards were burned; the first of them may have been shown."""

    cards: int
    first: Card | None = None
    waiting: bool = False
    clauses: AnyClauses = ()


class LastHandAnnounced(EventBase, frozen=True, kw_only=True):
    """The next hand was announced as the last of the shoe."""

    clauses: AnyClauses = ()


class DeviceTaken(EventBase, frozen=True, kw_only=True):
    """A patron took control of the dealing device."""

    patron: str
    clauses: AnyClauses = ()


class DeviceReleased(EventBase, frozen=True, kw_only=True):
    """A patron no longer controls the dealing device."""

    patron: str
    clauses: AnyClauses = ()


class DrawingPermitted(EventBase, frozen=True, kw_only=True):
    """A patron may draw cards without a wager."""

    patron: str
    by: str
    clauses: AnyClauses = ()


class SqueezePermitted(EventBase, frozen=True, kw_only=True):
    """A patron, or somebody a patron named, may squeeze."""

    person: str
    by: str
    clauses: AnyClauses = ()


class SqueezeForbidden(EventBase, frozen=True, kw_only=True):
    """A patron, or everybody, may not squeeze in this round."""

    by: str
    patron: str | None = None
    clauses: AnyClauses = ()


class SqueezeRequested(EventBase, frozen=True, kw_only=True):
    """A patron asked to squeeze and may."""

    patron: str
    clauses: AnyClauses = ()


class BettingOpened(EventBase, frozen=True, kw_only=True):
    """Wagers are taken."""

    call: str
    clauses: AnyClauses = ()


class RoundBegan(EventBase, frozen=True, kw_only=True):
    """A round of play began."""

    number: int
    method: Method | None
    free: bool
    last: bool
    clauses: AnyClauses = ()


class WagerPlaced(EventBase, frozen=True, kw_only=True):
    """A wager was placed or increased."""

    id: int
    patron: str
    position: int | None
    wager: str
    amount: int
    placed_by: str | None
    clauses: AnyClauses


class WagerReduced(EventBase, frozen=True, kw_only=True):
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
    reason: str = ""
    clauses: AnyClauses

    @property
    def back(self) -> int:
        """The chips that go back to the patron."""
        return 0 if self.held else self.amount - self.gone


class MoneyHeld(EventBase, frozen=True, kw_only=True):
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
    clauses: AnyClauses


class HeldWagerJudged(EventBase, frozen=True, kw_only=True):
    """The record of a round was corrected: a wager of it that is held is settled otherwise, or cannot be."""

    id: int
    patron: str
    settled: SettledWager | None
    clauses: AnyClauses


class HeldMoneyDecided(EventBase, frozen=True, kw_only=True):
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
    clauses: AnyClauses


class WagerFound(EventBase, frozen=True, kw_only=True):
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
    reason: str = ""
    clauses: AnyClauses


class WagerHandedBack(EventBase, frozen=True, kw_only=True):
    """Chips that were not taken as a wager were handed back, by a clause or by a procedure of the house."""

    patron: str
    position: int | None
    wager: str
    amount: int
    why: str
    procedure: str | None = None
    clauses: AnyClauses


class WagerPulledLate(EventBase, frozen=True, kw_only=True):
    """A patron took chips away after closing; the wager stays in action."""

    id: int
    patron: str
    wager: str
    amount: int
    clauses: AnyClauses


class BettingClosed(EventBase, frozen=True, kw_only=True):
    """No more wagers are taken."""

    call: str | None
    clauses: AnyClauses = ()


class DifferentialExceeded(EventBase, frozen=True, kw_only=True):
    """The table differential is exceeded."""

    gap: int
    limit: int
    heavier: Hand
    clauses: AnyClauses = ()


class DecreaseAsked(EventBase, frozen=True, kw_only=True):
    """Patrons on the heavier hand were asked to decrease their wagers."""

    heavier: Hand
    clauses: AnyClauses = ()


class DecreaseAnswered(EventBase, frozen=True, kw_only=True):
    """A patron who was asked to decrease has answered, or was ``silent`` until the time was ended."""

    patron: str
    silent: bool = False
    clauses: AnyClauses = ()


class CardsChosen(EventBase, frozen=True, kw_only=True):
    """A patron wants new cards, or wants the shoe to go on; one who said nothing lets it go on."""

    patron: str
    replace: bool
    clauses: AnyClauses = ()


class CardDrawn(EventBase, frozen=True, kw_only=True):
    """A card was drawn for a hand."""

    hand: Hand
    card: Card | None
    state: CardState
    by: str
    clauses: AnyClauses = ()


class CardsSetAside(EventBase, frozen=True, kw_only=True):
    """Cards came out that no hand has by right, or in no clear order; they lie aside until it is decided.

    ``hand`` is where a single card was put.
    """

    cards: tuple[Card | None, ...]
    hand: Hand | None
    by: str
    clauses: AnyClauses = ()


class CardSeenInShoe(EventBase, frozen=True, kw_only=True):
    """A card was seen while it lay in the dealing device, with so many cards before it."""

    card: Card
    ahead: int
    clauses: AnyClauses = ()


class CuttingCardSeen(EventBase, frozen=True, kw_only=True):
    """The cutting card came and was put aside."""

    first: bool
    rounds_left: int
    clauses: AnyClauses = ()


class CardsDelivered(EventBase, frozen=True, kw_only=True):
    """A hand was passed face down to a patron; the one whom a post has ``chosen``, or the next by wager."""

    hand: Hand
    patron: str
    chosen: bool = False
    clauses: AnyClauses = ()


class CardsTakenBack(EventBase, frozen=True, kw_only=True):
    """The Dealer took a hand back from a patron who was not to have it."""

    hand: Hand
    patron: str
    clauses: AnyClauses = ()


class CardsDeclined(EventBase, frozen=True, kw_only=True):
    """A patron declined to handle a hand."""

    hand: Hand
    patron: str
    clauses: AnyClauses = ()


class RevealOrderChosen(EventBase, frozen=True, kw_only=True):
    """The Dealer chose which hand is opened first."""

    first: Hand
    clauses: AnyClauses = ()


class CardsSeen(EventBase, frozen=True, kw_only=True):
    """A hand was looked at by its holder, or was seen by somebody who is not told.

    ``case`` is the irregularity whose report says so.
    """

    hand: Hand
    patron: str | None
    clauses: AnyClauses = ()
    case: int | None = None


class CardsExposed(EventBase, frozen=True, kw_only=True):
    """Cards of a hand were opened to the table; one without a face stays as it lies.

    ``case`` is the irregularity whose report says so.
    """

    hand: Hand
    cards: tuple[Card | None, ...]
    by: str
    clauses: AnyClauses = ()
    case: int | None = None


class OutcomeKnown(EventBase, frozen=True, kw_only=True):
    """All cards lie open and the outcome is known."""

    facts: Facts
    clauses: AnyClauses = ()


class TotalsAnnounced(EventBase, frozen=True, kw_only=True):
    """The point totals of the first four cards were announced, as they were said."""

    player: int
    banker: int
    by: str
    clauses: AnyClauses = ()


class OutcomeCalled(EventBase, frozen=True, kw_only=True):
    """The outcome was called, with the point total of each hand where it was said."""

    winner: Winner
    by: str
    player: int | None = None
    banker: int | None = None
    clauses: AnyClauses = ()


class DeviceMismatch(EventBase, frozen=True, kw_only=True):
    """The dealing device shows another result than the cards."""

    device: Winner
    cards: Winner
    clauses: AnyClauses = ()


class RoundSettled(EventBase, frozen=True, kw_only=True):
    """Every wager of the round was settled."""

    wagers: tuple[SettledWager, ...]
    clauses: AnyClauses


class PatronMarked(EventBase, frozen=True, kw_only=True):
    """A patron was marked for a wager under the minimum."""

    patron: str
    round: int
    clauses: AnyClauses = ()


class RoundVoided(EventBase, frozen=True, kw_only=True):
    """The round is void and every stake goes back, by a clause or by a procedure of the house."""

    number: int
    returned: tuple[PlacedWager, ...]
    reversed: tuple[SettledWager, ...]
    procedure: str | None = None
    clauses: AnyClauses


class RoundEnded(EventBase, frozen=True, kw_only=True):
    """The round is over."""

    number: int
    clauses: AnyClauses = ()


class ShoeEnded(EventBase, frozen=True, kw_only=True):
    """The shoe is played out; new cards are due."""

    clauses: AnyClauses = ()


class IrregularityReported(EventBase, frozen=True, kw_only=True):
    """An irregularity was reported."""

    case: Case
    by: str
    note: str
    clauses: AnyClauses = ()


class FactsConfirmed(EventBase, frozen=True, kw_only=True):
    """The facts of an irregularity were confirmed; without ``id`` of the one that came to light last."""

    by: str
    second: str | None = None
    id: int | None = None
    clauses: AnyClauses = ()


class FactsDisproved(EventBase, frozen=True, kw_only=True):
    """A report is not so; the table goes on where it stood."""

    id: int
    by: str
    found: str
    second: str | None = None
    clauses: AnyClauses = ()


class ReportWithdrawn(EventBase, frozen=True, kw_only=True):
    """A report was taken back before anybody had acted on it."""

    id: int
    by: str
    second: str | None = None
    clauses: AnyClauses = ()


class CardCorrected(EventBase, frozen=True, kw_only=True):
    """A card that was entered or read wrongly was corrected to the one that lies there, by two people."""

    round: int
    number: int
    old: Card | None
    new: Card
    by: str
    second: str
    reason: str = ""
    clauses: AnyClauses = ()


class CaseWaits(EventBase, frozen=True, kw_only=True):
    """An irregularity waits for somebody; one that is named is dealt with first."""

    waits: Wait
    post: Post | None
    case: int | None = None
    clauses: AnyClauses = ()


class RulingMade(EventBase, frozen=True, kw_only=True):
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
    clauses: AnyClauses = ()


class EffectCarriedOut(EventBase, frozen=True, kw_only=True):
    """An effect of an irregularity was carried out; or not, since it was denied or came to nothing.

    A ``statement`` says how things stand and changes nothing else; a permission ``lapsed`` when play went on,
    a free hand when the cards that were to begin it have their place in this round after all, or are gone.
    """

    effect: str
    done: bool = True
    statement: bool = False
    lapsed: bool = False
    clauses: AnyClauses = ()


class OfferOpened(EventBase, frozen=True, kw_only=True):
    """Patrons may withdraw wagers."""

    offer: Offer
    clauses: AnyClauses = ()


class OfferAnswered(EventBase, frozen=True, kw_only=True):
    """A patron answered an offer, or was ``silent`` until it was ended; ``by`` is who entered the answer."""

    patron: str
    withdrew: bool
    silent: bool = False
    case: int | None = None
    by: str | None = None
    clauses: AnyClauses = ()


class AnswerTakenBack(EventBase, frozen=True, kw_only=True):
    """An answer that staff had entered for a patron was taken back: its ``wagers`` lie there again."""

    patron: str
    case: int
    wagers: tuple[PlacedWager, ...]
    by: str
    second: str | None
    clauses: AnyClauses


class OfferClosed(EventBase, frozen=True, kw_only=True):
    """An offer ended."""

    clauses: AnyClauses = ()


class CardsReconstructed(EventBase, frozen=True, kw_only=True):
    """The hands were laid again in the true order; cards that no hand takes lie aside."""

    cards: tuple[DealtCard, ...]
    aside: tuple[Card | None, ...] = ()
    clauses: AnyClauses = ()


class CardsRetrieved(EventBase, frozen=True, kw_only=True):
    """The cards of the round went back in order."""

    clauses: AnyClauses = ()


class BettingCancelled(EventBase, frozen=True, kw_only=True):
    """Betting ends before a round has begun; the stakes have gone back."""

    procedure: str | None = None
    clauses: AnyClauses = ()


class StrayCardsKept(EventBase, frozen=True, kw_only=True):
    """Cards drawn in error wait for the next round."""

    cards: tuple[Card | None, ...]
    clauses: AnyClauses = ()


class FreeHandDue(EventBase, frozen=True, kw_only=True):
    """A free hand is owed; ``places`` are those of the cards, drawn in error or seen, that begin it."""

    places: tuple[int, ...] = ()
    clauses: AnyClauses = ()


class CardReplacementDue(EventBase, frozen=True, kw_only=True):
    """New cards must or may come, by a clause or by a procedure of the house."""

    need: str
    procedure: str | None = None
    clauses: AnyClauses = ()


class BettingReopened(EventBase, frozen=True, kw_only=True):
    """Betting is open again until a second closing call."""

    clauses: AnyClauses = ()


class CardsReserved(EventBase, frozen=True, kw_only=True):
    """Cards were set aside as possible third cards."""

    cards: tuple[Card, ...]
    clauses: AnyClauses = ()


class MissingCardsDeduced(EventBase, frozen=True, kw_only=True):
    """The missing cards follow from all the others; ``lacking`` is the list of what the sorted decks lack."""

    cards: tuple[Card, ...]
    lacking: tuple[Card, ...]
    clauses: AnyClauses = ()


class CardsSubstituted(EventBase, frozen=True, kw_only=True):
    """Equal cards took the place of the missing ones."""

    cards: tuple[DealtCard, ...]
    clauses: AnyClauses = ()


class SettlementReversed(EventBase, frozen=True, kw_only=True):
    """A settlement was taken back, entry by entry, to be made again."""

    wagers: tuple[SettledWager, ...]
    procedure: str | None = None
    clauses: AnyClauses


class ClaimBooked(EventBase, frozen=True, kw_only=True):
    """A reversal takes back what is not there; the patron owes it.

    A terminal no longer has the credits, or the patron has ``left`` the table with the chips. Or the patron
    took back chips that were ``lost``.
    """

    patron: str
    amount: int
    left: bool = False
    lost: bool = False
    procedure: str | None = None
    clauses: AnyClauses


class WrongPaymentFound(EventBase, frozen=True, kw_only=True):
    """A payment that was made by mistake is booked, so that it can be taken back, or because it stands.

    A payment that was too small has a negative amount; ``collected`` says that so much of a stake was taken
    too much. ``mistaken`` takes a booking out again that was entered by mistake, by the opposite amount.
    """

    patron: str
    amount: int
    collected: bool = False
    mistaken: bool = False
    procedure: str | None = None
    clauses: AnyClauses


class PaymentClaimed(EventBase, frozen=True, kw_only=True):
    """Money that was paid is claimed back, as a post decided; the patron owes it.

    Where no clause names the post, a second person stands for it. A negative amount says that a claim lapses,
    because the settlement made again has taken it. If a further one gives it again, it is owed again; nobody
    decides that, so that it is ``by`` nobody.
    """

    patron: str
    amount: int
    by: str
    second: str | None
    procedure: str | None = None
    clauses: AnyClauses


class PaymentCorrected(EventBase, frozen=True, kw_only=True):
    """A wrong payment was reversed; one that was too small has a negative amount.

    A payment that was decided is reversed as well where the settlement made again has paid it. If a further
    one does not, it is made again; nobody decides that, so that it is ``by`` nobody.
    """

    patron: str
    amount: int
    by: str = ""
    second: str | None = None
    procedure: str | None = None
    clauses: AnyClauses


class CaseClosed(EventBase, frozen=True, kw_only=True):
    """An irregularity is dealt with, or another one has made it pointless."""

    id: int
    superseded_by: int | None = None
    clauses: AnyClauses = ()


class AlertAcknowledged(EventBase, frozen=True, kw_only=True):
    """The alert or alarm that the record of a sequence gave is dealt with; ``act`` is the money it was of."""

    sequence: int
    by: str
    act: int = 0
    clauses: AnyClauses = ()


class AlarmRaised(EventBase, frozen=True, kw_only=True):
    """Alarm was given; it is an alert that stays until it is acknowledged."""

    alarm: Alarm
    by: str
    clauses: AnyClauses = ()


class DisputeOpened(EventBase, frozen=True, kw_only=True):
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
    clauses: AnyClauses = ()


class DisputeEscalated(EventBase, frozen=True, kw_only=True):
    """A dispute went to the next level; an award that nobody had paid has ``lapsed`` with its decision.

    ``unanswered`` says that the patron had not answered that decision.
    """

    id: int
    by: str
    lapsed: int = 0
    second: str | None = None
    procedure: str | None = None
    unanswered: bool = False
    clauses: AnyClauses


class InformationGathered(EventBase, frozen=True, kw_only=True):
    """A piece of information about a dispute was taken down."""

    id: int
    what: str
    given_by: str
    by: str
    source: str | None = None
    second: str | None = None
    clauses: AnyClauses = ()


class SurveillanceInformed(EventBase, frozen=True, kw_only=True):
    """Surveillance was informed of a dispute."""

    id: int
    by: str
    second: str | None = None
    clauses: AnyClauses = ()


class TimeFrameGiven(EventBase, frozen=True, kw_only=True):
    """The patron was told by when to expect an answer; records before form 7 say it in words."""

    id: int
    time_frame: str = ""
    until: datetime.datetime | None = None
    by: str | None = None
    clauses: AnyClauses = ()


class TimeFrameNotPossible(EventBase, frozen=True, kw_only=True):
    """No time frame can be given to the patron, for a reason."""

    id: int
    why: str
    by: str
    clauses: AnyClauses = ()


class DisputeDecided(EventBase, frozen=True, kw_only=True):
    """A dispute was decided on the sources that were considered; others were not available.

    Of ``award`` what was paid before is ``counted``.
    """

    id: int
    decision: str
    sources: tuple[str, ...]
    award: int
    by: str
    second: str | None = None
    unavailable: tuple[UnavailableSource, ...] = ()
    procedure: str | None = None
    counted: int = 0
    clauses: AnyClauses


class PatronAnswered(EventBase, frozen=True, kw_only=True):
    """The patron agreed or disagreed with a decision; ``by`` and ``second`` of the staff entered it."""

    id: int
    agrees: bool
    by: str | None = None
    second: str | None = None
    clauses: AnyClauses = ()


class InspectorInformed(EventBase, frozen=True, kw_only=True):
    """The inspector was told of a dispute that stays unresolved."""

    id: int
    by: str
    second: str | None = None
    clauses: AnyClauses = ()


class AwardPaid(EventBase, frozen=True, kw_only=True):
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
    clauses: AnyClauses


class AwardSetOff(EventBase, frozen=True, kw_only=True):
    """An award that nobody had paid lapses, as far as the round gives the patron more after all.

    A negative amount is owed again, because a further settlement does not give it.
    """

    id: int
    patron: str
    amount: int
    procedure: str | None = None
    clauses: AnyClauses


class ReceiptConfirmed(EventBase, frozen=True, kw_only=True):
    """The patron confirmed having received an award, which is no consent to the decision.

    ``by`` and ``second`` are who of the staff entered it.
    """

    id: int
    patron: str
    by: str | None = None
    second: str | None = None
    clauses: AnyClauses = ()


class ComplaintRightTold(EventBase, frozen=True, kw_only=True):
    """The patron was told of the right to complain, and until when, where there is a term."""

    id: int
    until: datetime.datetime | None = None
    by: str | None = None
    clauses: AnyClauses = ()


class ComplaintFiled(EventBase, frozen=True, kw_only=True):
    """A formal complaint was filed with help; ``late`` where it came after its term.

    ``by`` is who of the staff filed it for the patron.
    """

    id: int
    text: str
    helper: str
    late: bool = False
    by: str | None = None
    clauses: AnyClauses = ()


class ComplaintReceived(EventBase, frozen=True, kw_only=True):
    """A formal complaint was received by the post that answers it."""

    id: int
    by: str
    second: str | None = None
    clauses: AnyClauses = ()


class ComplaintAnswered(EventBase, frozen=True, kw_only=True):
    """A formal complaint was answered, perhaps with money for the patron.

    Where it awards money, an award of the same dispute that nobody had paid has ``lapsed``, and of ``award``
    what was paid before is ``counted``.
    """

    id: int
    answer: str
    award: int
    by: str
    second: str | None = None
    procedure: str | None = None
    lapsed: int = 0
    counted: int = 0
    clauses: AnyClauses


class DisputeClosed(EventBase, frozen=True, kw_only=True):
    """A dispute was closed, perhaps while its decision was still ``unanswered``."""

    id: int
    unanswered: bool = False
    clauses: AnyClauses = ()


class OpenerCounted(EventBase, frozen=True, kw_only=True):
    """The chips in the tray were counted before play: an inventory is open.

    ``expected`` is the closer of the one before, where there was one.
    """

    inventory: int
    slip: int
    count: tuple[Pieces, ...]
    amount: int
    expected: int | None
    by: str
    second: str
    procedure: str
    clauses: AnyClauses


class ChipsFilled(EventBase, frozen=True, kw_only=True):
    """Chips came from the cage to the table."""

    slip: int
    count: tuple[Pieces, ...]
    amount: int
    by: str
    second: str
    procedure: str
    clauses: AnyClauses


class ChipsReturned(EventBase, frozen=True, kw_only=True):
    """Chips went from the table to the cage."""

    slip: int
    count: tuple[Pieces, ...]
    amount: int
    by: str
    second: str
    procedure: str
    clauses: AnyClauses


class ChipsBought(EventBase, frozen=True, kw_only=True):
    """A patron bought chips at the table: the cash is in the drop box."""

    slip: int
    patron: str
    amount: int
    by: str
    second: str | None
    reason: str
    procedure: str
    clauses: AnyClauses


class SlipVoided(EventBase, frozen=True, kw_only=True):
    """A slip was voided: what it moved is where it was before."""

    slip: int
    act: MoneyAct
    amount: int
    patron: str | None
    reason: str
    by: str
    second: str
    procedure: str
    clauses: AnyClauses


class CloserCounted(EventBase, frozen=True, kw_only=True):
    """The chips in the tray were counted after play: the inventory is closed.

    ``expected`` is what must lie there by all slips, wagers and payments since the opener.
    """

    inventory: int
    slip: int
    count: tuple[Pieces, ...]
    amount: int
    expected: int
    by: str
    second: str
    procedure: str
    clauses: AnyClauses


class DropCounted(EventBase, frozen=True, kw_only=True):
    """The cash in the drop box of an inventory was counted; ``expected`` is what patrons bought chips for."""

    inventory: int
    slip: int
    count: tuple[Pieces, ...]
    amount: int
    expected: int
    by: str
    second: str
    procedure: str
    clauses: AnyClauses


ChipsEvent = (
    OpenerCounted | ChipsFilled | ChipsReturned | ChipsBought | SlipVoided | CloserCounted | DropCounted
)

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
    | AwardSetOff
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
    | StopPlanned
    | StopCancelled
    | ChangePlanned
    | TableChanged
    | StaffCame
    | StaffLeft
    | ActingAppointed
    | PatronCame
    | PatronLeft
    | CreditsBought
    | CreditsCashedOut
    | CreditsAsked
    | CreditsDeclined
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
    | ChipsEvent
)
