"""Everything that can be asked of a table, in the imperative, and the envelope it comes in."""

import datetime
import enum
from typing import Literal

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.dispute_steps import AwardWay, UnavailableSource
from thirdcard.game.planned import Stop, TableChange
from thirdcard.game.shoe import Seal, ShuffleRecord
from thirdcard.game.state import Hand
from thirdcard.game.table_chips import Pieces
from thirdcard.game.table_setup import Setup
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.staff import Post
from thirdcard.tags import tag_of

HeldChoice = Literal["release", "settle", "hand-back", "seize"]


class Envelope(Struct, frozen=True, kw_only=True):
    """The person who asks, on whose authority, and when: the engine's only source of time and identity."""

    actor: str
    received_at: datetime.datetime
    command_id: str
    authoriser: str | None = None


class CommandBase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=tag_of):
    """A command of a table as it is sent: its tag is its name, unknown keys are refused."""


class SetUpTable(CommandBase, frozen=True, kw_only=True):
    """Set up a table."""

    setup: Setup
    method: Method | None = None


class TickEquipment(CommandBase, frozen=True, kw_only=True):
    """Tick an item of the opening check list, or mark it as not needed."""

    item: str
    needed: bool = True


class RecordConfirmation(CommandBase, frozen=True, kw_only=True):
    """Record the regulator's confirmation of a document whose approval names another game."""

    reference: str
    date: datetime.date


class OpenTable(CommandBase, frozen=True, kw_only=True):
    """Open the table."""


class PauseTable(CommandBase, frozen=True, kw_only=True):
    """Pause the table."""

    reason: str


class ResumeTable(CommandBase, frozen=True, kw_only=True):
    """Let the table go on."""


class CloseTable(CommandBase, frozen=True, kw_only=True):
    """Close the table."""

    reason: str


class StopAfterRound(CommandBase, frozen=True, kw_only=True):
    """Pause or close the table once the round under way is over, or at once between rounds."""

    stop: Stop
    reason: str


class CancelStop(CommandBase, frozen=True, kw_only=True):
    """Let the table play on after the round after all."""


class ChangeTable(CommandBase, frozen=True, kw_only=True):
    """Give the table other limits from its next round on, and its next shoe other decks."""

    change: TableChange


class ComeOnDuty(CommandBase, frozen=True, kw_only=True):
    """Come on duty at the table in a post."""

    person: str
    post: Post


class GoOffDuty(CommandBase, frozen=True, kw_only=True):
    """Leave the table."""

    person: str


class AppointActing(CommandBase, frozen=True, kw_only=True):
    """Appoint a person to act in a post for a time."""

    person: str
    post: Post
    start: datetime.datetime
    end: datetime.datetime


class ComeToTable(CommandBase, frozen=True, kw_only=True):
    """Come to the table as a patron."""

    patron: str
    position: int | None = None
    seated: bool = True


class LeaveTable(CommandBase, frozen=True, kw_only=True):
    """Leave the table as a patron."""

    patron: str


class BuyCredits(CommandBase, frozen=True, kw_only=True):
    """Buy credits at a terminal; staff may have to say why."""

    terminal: str
    amount: int
    reason: str = ""


class CashOut(CommandBase, frozen=True, kw_only=True):
    """Cash out credits at a terminal; staff may have to say why, and the patron to confirm it."""

    terminal: str
    amount: int
    reason: str = ""


class ConfirmCredits(CommandBase, frozen=True, kw_only=True):
    """Confirm at the terminal, or decline, what staff want to sell there or to cash out."""

    id: int
    agrees: bool


class ChangeMethod(CommandBase, frozen=True, kw_only=True):
    """Change the method of dealing."""

    method: Method


class LimitOwners(CommandBase, frozen=True, kw_only=True):
    """Let fewer patrons share a playing area."""

    most: int


class LoadShoe(CommandBase, frozen=True, kw_only=True):
    """Load new cards into the dealing device."""

    decks: int
    jokers: int = 0
    same_backs: bool = True
    seal: Seal | None = None
    shuffle: ShuffleRecord | None = None


class CountCards(CommandBase, frozen=True, kw_only=True):
    """Enter how many cards were counted at the end of a shoe: the discards and what is left in it."""

    cards: int


class OpenShoe(CommandBase, frozen=True, kw_only=True):
    """Lay a sealed shoe open: its order as it was sealed, and the secret behind its salts in hexadecimal."""

    order: tuple[Card, ...]
    secret: str


class CutCards(CommandBase, frozen=True, kw_only=True):
    """Cut the cards."""

    depth: int


class BurnCards(CommandBase, frozen=True, kw_only=True):
    """Burn cards before the first round of a shoe."""

    first: Card | None = None


class AnnounceLastHand(CommandBase, frozen=True, kw_only=True):
    """Announce the next hand as the last of the shoe."""


class TakeDevice(CommandBase, frozen=True, kw_only=True):
    """Take control of the dealing device."""

    patron: str


class GiveUpDevice(CommandBase, frozen=True, kw_only=True):
    """Give up control of the dealing device."""

    patron: str


class PermitDrawing(CommandBase, frozen=True, kw_only=True):
    """Let a patron draw without a wager."""

    patron: str


class PermitSqueeze(CommandBase, frozen=True, kw_only=True):
    """Let a patron, or somebody a patron names, squeeze."""

    person: str


class ForbidSqueeze(CommandBase, frozen=True, kw_only=True):
    """Forbid a patron, or everybody, to squeeze in the round."""

    patron: str | None = None


class RequestSqueeze(CommandBase, frozen=True, kw_only=True):
    """Ask to squeeze."""

    patron: str


class OpenBetting(CommandBase, frozen=True, kw_only=True):
    """Call for wagers."""


Money = Literal["chips", "cash", "credits"]


class PlaceWager(CommandBase, frozen=True, kw_only=True):
    """Place a wager, or add to it; where nothing is said, in the money that the table takes."""

    patron: str
    wager: str
    amount: int
    position: int | None = None
    money: Money | None = None
    in_area: bool = True


class ReduceWager(CommandBase, frozen=True, kw_only=True):
    """Take chips off a wager."""

    patron: str
    wager: str
    amount: int
    position: int | None = None


class HoldMoney(CommandBase, frozen=True, kw_only=True):
    """Hold a wager whose chips may be counterfeit; without a wager it is money to buy chips or credits."""

    patron: str
    wager: str | None = None
    position: int | None = None
    amount: int = 0


class DecideHeldMoney(CommandBase, frozen=True, kw_only=True):
    """Decide what becomes of money that is held, and say what was found."""

    id: int
    choice: HeldChoice
    found: str


class FindWager(CommandBase, frozen=True, kw_only=True):
    """Record a wager that was placed in time and is found only now.

    ``was_pulled`` says that its chips were booked as taken away late by mistake.
    """

    patron: str
    wager: str
    amount: int
    position: int | None = None
    was_pulled: bool = False
    reason: str = ""


class CorrectWager(CommandBase, frozen=True, kw_only=True):
    """Correct an amount that was entered by mistake to the wager that lay there in truth, or to none.

    Without ``to_wager`` nothing lay there; without ``to_patron`` it was the same patron's.
    """

    patron: str
    wager: str
    amount: int
    position: int | None = None
    to_patron: str | None = None
    to_wager: str | None = None
    to_position: int | None = None
    reason: str = ""


class CloseBetting(CommandBase, frozen=True, kw_only=True):
    """Call an end to wagers."""


class DealNow(CommandBase, frozen=True, kw_only=True):
    """End wagers at once, because the only patron of a table that deals by itself wants the cards."""

    patron: str


class AskToDecreaseWagers(CommandBase, frozen=True, kw_only=True):
    """Ask patrons on the heavier hand to decrease their wagers."""


class RemoveWager(CommandBase, frozen=True, kw_only=True):
    """Remove a wager, or part of it, to meet the differential."""

    patron: str
    wager: str
    amount: int
    position: int | None = None


class DrawCard(CommandBase, frozen=True, kw_only=True):
    """Draw a card from the dealing device; ``by`` is the patron at the felt for whom staff enter it.

    ``hand`` is where the card was put; without it, it goes to the hand whose turn it is. The cards
    ``together`` came out at once with it. ``instead`` says that it really came where another was to come.
    ``at`` is its place among the cards of the round, as whoever entered it saw the table.
    """

    card: Card | None
    by: str | None = None
    hand: Hand | None = None
    together: tuple[Card | None, ...] = ()
    order_known: bool | None = None
    instead: bool = False
    at: int | None = None


class SeeCuttingCard(CommandBase, frozen=True, kw_only=True):
    """The cutting card came instead of a card."""


class PassCards(CommandBase, frozen=True, kw_only=True):
    """Pass a hand face down to a patron; ``instead`` says that it really went there, by mistake."""

    hand: Hand
    patron: str
    instead: bool = False


class ChooseSqueezer(CommandBase, frozen=True, kw_only=True):
    """Say who handles a hand where the rules do not tell."""

    hand: Hand
    patron: str


class DeclineCards(CommandBase, frozen=True, kw_only=True):
    """Decline to handle a hand."""

    hand: Hand
    patron: str


class ChooseRevealOrder(CommandBase, frozen=True, kw_only=True):
    """Say which hand is opened first."""

    first: Hand


class LookAtCards(CommandBase, frozen=True, kw_only=True):
    """Look at the cards of a hand that one holds."""

    hand: Hand
    patron: str


class ExposeCards(CommandBase, frozen=True, kw_only=True):
    """Open the cards of a hand to the table; ``by`` is the patron at the felt for whom staff enter it."""

    hand: Hand
    cards: tuple[Card, ...] = ()
    by: str | None = None


class AnnounceTotals(CommandBase, frozen=True, kw_only=True):
    """Announce the point totals of the first four cards, as they were said."""

    player: int
    banker: int


class CallOutcome(CommandBase, frozen=True, kw_only=True):
    """Call the outcome, with the point total of each hand where it was said."""

    winner: Winner
    player: int | None = None
    banker: int | None = None


class ReportDeviceResult(CommandBase, frozen=True, kw_only=True):
    """The dealing device signals its own result."""

    winner: Winner


class DealFreeHand(CommandBase, frozen=True, kw_only=True):
    """Begin the free hand that is due."""


class ReportIrregularity(CommandBase, frozen=True, kw_only=True):
    """Report that something went wrong.

    ``ahead`` is how many cards lie before the one that was seen in the dealing device; ``underpaid`` says
    that a wrong payment was too small; ``paying`` says that chips are still being taken and paid, so that the
    round lasts although it was called; ``dealt`` says that cards which came together were entered one by one
    and lie at the hands already.
    """

    situation: Situation
    reconstructable: bool | None = None
    order_known: bool | None = None
    seen: bool | None = None
    value_known: bool | None = None
    cards: tuple[Card | None, ...] = ()
    ahead: int = 0
    patron: str | None = None
    hand: Hand | None = None
    wager: str | None = None
    position: int | None = None
    amount: int = 0
    underpaid: bool = False
    previous_round: bool = False
    paying: bool = False
    dealt: bool = False
    note: str = ""


class ConfirmFacts(CommandBase, frozen=True, kw_only=True):
    """Confirm the facts of an irregularity; without ``case`` of the one that came to light last."""

    case: int | None = None


class DisproveFacts(CommandBase, frozen=True, kw_only=True):
    """Establish that what was reported is not so, and say what was found."""

    found: str
    case: int | None = None


class WithdrawReport(CommandBase, frozen=True, kw_only=True):
    """Take one's own report back, before anybody has acted on it."""

    case: int | None = None


class CorrectCard(CommandBase, frozen=True, kw_only=True):
    """Correct a card that was entered or read wrongly to the one that lies there, by its place in the order.

    Without ``round`` it is a card of the round under way, or of the last one.
    """

    number: int
    card: Card
    round: int | None = None
    reason: str = ""


class PlainRuling(enum.StrEnum):
    """The rulings on what is not referred: a permission, or the order of cards."""

    ALLOW = "allow"
    DENY = "deny"
    ORDER = "order"


class Rule(CommandBase, frozen=True, kw_only=True):
    """Make the ruling that an irregularity waits for; ``also`` adds decisions, a payment has its patron.

    ``case`` is the irregularity that it is about; without it, the one that is dealt with first.
    """

    choice: str
    text: str = ""
    cards: tuple[Card | None, ...] = ()
    also: tuple[str, ...] = ()
    patron: str | None = None
    amount: int = 0
    case: int | None = None


class AnswerOffer(CommandBase, frozen=True, kw_only=True):
    """Answer an offer to withdraw."""

    patron: str
    withdraw: bool
    wager: str | None = None
    position: int | None = None
    case: int | None = None


class EndOffer(CommandBase, frozen=True, kw_only=True):
    """End an offer; wagers of patrons who have not answered stay in action."""

    case: int | None = None


class ReserveCards(CommandBase, frozen=True, kw_only=True):
    """Set the next cards aside, their faces entered unseen by patrons."""

    cards: tuple[Card, ...]
    case: int | None = None


class EnterSortedCards(CommandBase, frozen=True, kw_only=True):
    """Enter which cards the sorted decks lack."""

    lacking: tuple[Card, ...]
    case: int | None = None


class SubstituteCards(CommandBase, frozen=True, kw_only=True):
    """Put equal cards from a complete deck in place of the missing ones."""

    cards: tuple[Card, ...]
    case: int | None = None


class ChooseCards(CommandBase, frozen=True, kw_only=True):
    """Say whether the shoe goes on or new cards come: each patron who was offered it, or a post."""

    replace: bool
    patron: str | None = None


class AcknowledgeAlert(CommandBase, frozen=True, kw_only=True):
    """Acknowledge what the record of a sequence gave alert of; ``act`` is the money that it moved, if any."""

    sequence: int
    act: int = 0


class RaiseAlarm(CommandBase, frozen=True, kw_only=True):
    """Give alarm."""

    kind: AlarmKind
    card: Card | None = None
    other: Card | None = None
    number: int = 0


class OpenDispute(CommandBase, frozen=True, kw_only=True):
    """Dispute something: the ``round`` that it is about, zero for none, and the wager if it is about one."""

    patron: str
    about: str
    round: int = 0
    wager: str | None = None


class EscalateDispute(CommandBase, frozen=True, kw_only=True):
    """Send a dispute to the next level."""

    id: int


class GatherInformation(CommandBase, frozen=True, kw_only=True):
    """Take down a piece of information about a dispute, and the source that it counts for."""

    id: int
    what: str
    given_by: str
    source: str | None = None


class InformSurveillance(CommandBase, frozen=True, kw_only=True):
    """Inform surveillance of a dispute."""

    id: int


class GiveTimeFrame(CommandBase, frozen=True, kw_only=True):
    """Tell the patron in how many minutes to expect an answer; records before form 7 say it in words."""

    id: int
    time_frame: str = ""
    minutes: int = 0


class SayNoTimeFrame(CommandBase, frozen=True, kw_only=True):
    """Say why the patron cannot be told by when to expect an answer."""

    id: int
    why: str


class DecideDispute(CommandBase, frozen=True, kw_only=True):
    """Decide a dispute on the sources that were considered; others are not available, each for a reason."""

    id: int
    decision: str
    sources: tuple[str, ...]
    award: int = 0
    unavailable: tuple[UnavailableSource, ...] = ()


class AnswerDecision(CommandBase, frozen=True, kw_only=True):
    """Agree or disagree with a decision; ``confirmed_by`` is the patron who agreed, as staff say."""

    id: int
    agrees: bool
    confirmed_by: str | None = None


class InformInspector(CommandBase, frozen=True, kw_only=True):
    """Tell the inspector of a dispute that stays unresolved."""

    id: int


class PayAward(CommandBase, frozen=True, kw_only=True):
    """Pay what a dispute awards: to the patron's credits, or ``to`` somebody, and ``how``."""

    id: int
    way: AwardWay
    to: str = ""
    how: str = ""


class ConfirmReceipt(CommandBase, frozen=True, kw_only=True):
    """Confirm that an award was received; ``confirmed_by`` is the patron who said so, as staff say."""

    id: int
    confirmed_by: str | None = None


class TellComplaintRight(CommandBase, frozen=True, kw_only=True):
    """Tell the patron of the right to complain."""

    id: int


class FileComplaint(CommandBase, frozen=True, kw_only=True):
    """File a formal complaint with somebody's help."""

    id: int
    text: str
    helper: str


class ReceiveComplaint(CommandBase, frozen=True, kw_only=True):
    """Receive a formal complaint."""

    id: int


class AnswerComplaint(CommandBase, frozen=True, kw_only=True):
    """Answer a formal complaint, perhaps with money for the patron."""

    id: int
    answer: str
    award: int = 0


class CloseDispute(CommandBase, frozen=True, kw_only=True):
    """Close a dispute."""

    id: int


class CountOpener(CommandBase, frozen=True, kw_only=True):
    """Enter the chips that are counted in the tray before play."""

    count: tuple[Pieces, ...]


class FillChips(CommandBase, frozen=True, kw_only=True):
    """Bring chips from the cage to the table."""

    count: tuple[Pieces, ...]


class ReturnChips(CommandBase, frozen=True, kw_only=True):
    """Send chips of the table back to the cage."""

    count: tuple[Pieces, ...]


class BuyChips(CommandBase, frozen=True, kw_only=True):
    """Sell chips to a patron for cash, which goes into the drop box."""

    patron: str
    amount: int
    reason: str = ""


class VoidSlip(CommandBase, frozen=True, kw_only=True):
    """Void a slip of the open inventory that was entered wrongly."""

    slip: int
    reason: str


class CountCloser(CommandBase, frozen=True, kw_only=True):
    """Enter the chips that are counted in the tray after play."""

    count: tuple[Pieces, ...]


class CountDrop(CommandBase, frozen=True, kw_only=True):
    """Enter the notes that are counted in the drop box of an inventory that is closed."""

    inventory: int
    count: tuple[Pieces, ...]


ChipsCommand = CountOpener | FillChips | ReturnChips | BuyChips | VoidSlip | CountCloser | CountDrop

DisputeCommand = (
    OpenDispute
    | EscalateDispute
    | GatherInformation
    | InformSurveillance
    | GiveTimeFrame
    | SayNoTimeFrame
    | DecideDispute
    | AnswerDecision
    | InformInspector
    | PayAward
    | ConfirmReceipt
    | TellComplaintRight
    | FileComplaint
    | ReceiveComplaint
    | AnswerComplaint
    | CloseDispute
)

Body = (
    SetUpTable
    | TickEquipment
    | RecordConfirmation
    | OpenTable
    | PauseTable
    | ResumeTable
    | CloseTable
    | StopAfterRound
    | CancelStop
    | ChangeTable
    | ComeOnDuty
    | GoOffDuty
    | AppointActing
    | ComeToTable
    | LeaveTable
    | BuyCredits
    | CashOut
    | ConfirmCredits
    | ChangeMethod
    | LimitOwners
    | LoadShoe
    | CountCards
    | OpenShoe
    | CutCards
    | BurnCards
    | AnnounceLastHand
    | TakeDevice
    | GiveUpDevice
    | PermitDrawing
    | PermitSqueeze
    | ForbidSqueeze
    | RequestSqueeze
    | OpenBetting
    | PlaceWager
    | ReduceWager
    | HoldMoney
    | DecideHeldMoney
    | FindWager
    | CorrectWager
    | CloseBetting
    | DealNow
    | AskToDecreaseWagers
    | RemoveWager
    | DrawCard
    | SeeCuttingCard
    | PassCards
    | ChooseSqueezer
    | DeclineCards
    | ChooseRevealOrder
    | LookAtCards
    | ExposeCards
    | AnnounceTotals
    | CallOutcome
    | ReportDeviceResult
    | DealFreeHand
    | ReportIrregularity
    | ConfirmFacts
    | DisproveFacts
    | WithdrawReport
    | CorrectCard
    | Rule
    | AnswerOffer
    | EndOffer
    | ReserveCards
    | EnterSortedCards
    | SubstituteCards
    | ChooseCards
    | AcknowledgeAlert
    | RaiseAlarm
    | DisputeCommand
    | ChipsCommand
)


class Command(Struct, frozen=True):
    """A body in its envelope."""

    body: Body
    envelope: Envelope
