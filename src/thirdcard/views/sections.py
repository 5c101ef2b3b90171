"""The sections of what a screen shows: a client keeps them by name, and gets those that have changed.

What stands in a section that everybody gets is for everybody; names, faces and balances stand elsewhere.
"""

import datetime
import enum
from typing import Literal

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.folds.alerts import Alerts
from thirdcard.folds.faces import CardShown
from thirdcard.folds.history import Irregular, Returned
from thirdcard.folds.scoreboard import Scoreboard
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.causes import Cause
from thirdcard.game.commands import HeldChoice
from thirdcard.game.dispute_steps import AwardWay, Dispute, DisputeDuty, DisputeStep
from thirdcard.game.earlier_rounds import Confirmation
from thirdcard.game.state import (
    Balance,
    Hand,
    Holding,
    OnDuty,
    Patron,
    Phase,
    PlacedWager,
    SettledWager,
    Wait,
)
from thirdcard.messages import Message
from thirdcard.money import Currency
from thirdcard.rulebook.book import Kind
from thirdcard.rulebook.dispute_rules import DisputeRules
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Area, Method, Situation, Withdrawable
from thirdcard.staff import Acting, Post
from thirdcard.views.next_actions import Awaited, Gap


class Fact(Struct, frozen=True):
    """A fact that a pay row asks for, and the values that it may have."""

    name: str
    values: tuple[str | int | bool, ...]


class Example(Struct, frozen=True):
    """An example of a pay: a stake, the amount paid, and the commission that is kept of it."""

    stake: int
    paid: int
    commission: int


class Pay(Struct, frozen=True):
    """The odds of a wager when all facts hold, with an example; without odds it stands off."""

    odds: str | None
    when: tuple[Fact, ...]
    clauses: tuple[Clause, ...]
    example: Example


class WagerOffered(Struct, frozen=True):
    """A wager with its posted limits in minor units, and its pays in order."""

    id: str
    name: str
    kind: Kind
    minimum: int
    maximum: int
    pays: tuple[Pay, ...]
    lost: tuple[Clause, ...]


class FeltRows(Struct, frozen=True):
    """The playing areas of one position row by row, those nearest to the patron last: wide, and narrow."""

    wide: tuple[tuple[str, ...], ...]
    narrow: tuple[tuple[str, ...], ...]


class SetupSection(Struct, frozen=True, kw_only=True):
    """The set-up of the table; ``differential`` is absent where the document knows none.

    ``labels`` are what the layout has printed on it besides English, by language and wager.
    """

    table: str
    game: str
    name: str
    rulebook: str
    house: str
    layout: str | None
    labels: dict[str, dict[str, str]]
    felt: FeltRows
    positions: int
    area: Area
    decks: int
    terminal: bool
    face_down: bool
    currency: Currency
    unit: int
    owners_per_area: int | None
    differential: int | None
    wagers: tuple[WagerOffered, ...]
    training: bool


class CaseStep(Struct, frozen=True):
    """An effect of an irregularity as it is said, and whether it was carried out."""

    effect: str
    says: Message
    clauses: tuple[Clause, ...]
    done: bool


class CaseShown(Struct, frozen=True):
    """An irregularity under way: what it waits for, and the post that must decide."""

    id: int
    situation: Situation
    cause: Cause | None
    clause: Clause | None
    steps: tuple[CaseStep, ...]
    waits: Wait | None
    post: Post | None


class OpenCase(Struct, frozen=True, kw_only=True):
    """An open irregularity as staff see it; ``current`` is the one that people answer, ``blocks`` holds play.

    ``by`` reported it, with ``second`` and a ``note``; nobody did where the table noticed it, and of what no
    rule covers ``cause`` says what it noticed. It ``can_be_withdrawn`` by those in ``withdrawn_by``, or by
    anybody where there is nobody in it, and ``can_be_disproved`` in the post ``disproved_by`` but
    ``not_disproved_by`` one person, in some cases by two people. Of the ``choices`` of the post those in
    ``decided_by_two`` need two people; ``excludes`` has for each choice the others that it cannot go with,
    and ``words`` what it does in this case.
    """

    id: int
    situation: Situation
    cause: Cause | None
    clause: Clause | None
    steps: tuple[CaseStep, ...]
    waits: Wait | None
    post: Post | None
    by: str | None
    second: str | None
    note: str
    patron: str | None
    hand: Hand | None
    wager: str | None
    position: int | None
    amount: int
    current: bool
    blocks: bool
    can_be_withdrawn: bool
    withdrawn_by: tuple[str, ...]
    withdrawn_by_two: bool
    can_be_disproved: bool
    disproved_by: Post
    not_disproved_by: str
    disproved_by_two: bool
    choices: tuple[str, ...]
    decided_by_two: tuple[str, ...]
    excludes: dict[str, tuple[str, ...]]
    words: dict[str, Message]


class DutyKind(enum.Enum):
    """The kinds of duty at a table, in the order in which they are done."""

    CONFIRM_FACTS = "confirm-facts"
    DECIDE = "decide"
    ORDER_CARDS = "order-cards"
    RESERVE_CARDS = "reserve-cards"
    SORT_CARDS = "sort-cards"
    SUBSTITUTE_CARDS = "substitute-cards"
    ASK_PATRONS = "ask-patrons"
    CORRECT_PAYMENT = "correct-payment"
    PERMIT = "permit"
    ASK_TO_DECREASE = "ask-to-decrease"
    LOWER_WAGERS = "lower-wagers"
    REMOVE_WAGERS = "remove-wagers"
    INFORM_SURVEILLANCE = "inform-surveillance"
    CHOOSE_CARDS = "choose-cards"
    FIND_WHOLE = "find-whole"
    NEW_CARDS = "new-cards"
    BURN = "burn"
    PLAY_KNOWN_CARDS = "play-known-cards"
    FREE_HAND = "free-hand"


class Answerer(Struct, frozen=True):
    """A patron who is asked something, and whether the answer is there."""

    patron: str
    answered: bool


class Duty(Struct, frozen=True, kw_only=True):
    """Something that is owed: of which case, by which post, of whom, how many cards and how much.

    Where play may go on without it, it is ``optional``.
    """

    kind: DutyKind
    clauses: tuple[Clause, ...]
    case: int | None = None
    post: Post | None = None
    optional: bool = False
    patrons: tuple[Answerer, ...] = ()
    hand: Hand | None = None
    cards: int = 0
    amount: int = 0


CardPlace = Literal["hand", "aside", "waiting", "reserved"]


class CardOut(Struct, frozen=True):
    """A card that came out, by the number under which it is corrected; at a hand that is its draw order.

    ``card`` is the face of one that lies aside or waits, where people told it.
    """

    number: int
    place: CardPlace
    hand: Hand | None = None
    card: Card | None = None


class OfferShown(Struct, frozen=True):
    """An offer to withdraw wagers, and how many of those who were asked have answered."""

    wagers: Withdrawable
    clause: Clause
    asked: int
    answered: int


class PhaseSection(Struct, frozen=True, kw_only=True):
    """How far the table is and what it waits for.

    ``held`` says that it stood still while nobody served it, ``stopped`` that nothing is recorded at present,
    ``disabled`` that no new round begins.
    """

    phase: Phase
    paused: bool
    held: bool
    stopped: bool
    disabled: bool
    round: int | None
    free: bool
    last: bool
    method: Method | None
    awaited: Awaited | None
    case: CaseShown | None
    offer: OfferShown | None
    gap: Gap | None


class DrawingSection(Struct, frozen=True):
    """The step of a hand after the first four cards, on its total and by which clauses."""

    hand: Hand
    does: Literal["draws", "stands", "natural"]
    total: int
    clauses: tuple[Clause, ...]


class CardsSection(Struct, frozen=True):
    """The cards in draw order, totals of hands that lie open, and which hands lie with a patron.

    ``drawing`` says who draws and who stands, as far as the open cards tell, ``announced`` that the totals of
    the first four cards were announced.
    """

    cards: tuple[CardShown, ...] = ()
    player: int | None = None
    banker: int | None = None
    held: tuple[Hand, ...] = ()
    first: Hand | None = None
    drawing: tuple[DrawingSection, ...] = ()
    announced: bool = False


class WagerTotal(Struct, frozen=True):
    """All stakes on a kind of wager, and how many there are."""

    wager: str
    stake: int
    wagers: int


class TotalsSection(Struct, frozen=True):
    """The totals on the felt by kind of wager."""

    totals: tuple[WagerTotal, ...] = ()


class OutcomeSection(Struct, frozen=True, kw_only=True):
    """The round under way or the last one: its outcome once all cards lie open, and special results."""

    round: int | None = None
    facts: Facts | None = None
    called: Winner | None = None
    marks: tuple[str, ...] = ()
    void: bool = False
    ended: bool = False


class ShoeSection(Struct, frozen=True, kw_only=True):
    """The cards in use and what was announced of them: never how many are left, or which.

    ``seal`` is the root that binds a virtual shoe, published before its first wager.
    """

    number: int | None = None
    decks: int | None = None
    seal: str | None = None
    opened: bool = False
    cut: int | None = None
    burned: int | None = None
    rounds: int = 0
    rounds_left: int | None = None
    last_announced: bool = False
    replace_by: Clause | None = None
    doubted_by: Clause | None = None
    patrons_choose: bool = False
    keep_by: Clause | None = None
    free_hand_by: Clause | None = None


class HeldShown(Struct, frozen=True):
    """Money that is held as suspected, and what can be decided about it."""

    id: int
    patron: str
    amount: int
    wager: str | None
    position: int | None
    choices: tuple[HeldChoice, ...]


class OpensFirst(Struct, frozen=True):
    """A hand that is opened before cards are sorted: nobody took it along, and its faces are not known."""

    hand: Hand
    by: str | None
    cards: int


class DeskSection(Struct, frozen=True, kw_only=True):
    """The facts for staff beside what everybody sees; cards waiting or set aside are counted, not named.

    ``cases`` are the open irregularities, ``dealt_with`` the closed ones of the round, and ``duties`` what is
    owed; ``reported`` counts all irregularities that the table ever had. ``unnamed`` has a hand for each card
    whose face nobody has told, ``set_aside`` counts the cards that came out by mistake and ``aside`` says
    that the next card is not drawn from the shoe. ``cards_needed`` is how many cards the current case waits
    for, ``opens_first`` the hand to open before, ``possible`` what can be wrong, and ``cards_out`` are the
    cards that can be corrected. Those who are ``choosing`` have yet to say whether new cards come.
    """

    last_round: int
    reported: int
    pause_reason: str | None
    stopped_reason: str | None
    disabled_reason: str | None
    patron: str | None
    missing_equipment: tuple[str, ...]
    cases: tuple[OpenCase, ...]
    duties: tuple[Duty, ...]
    dealt_with: tuple[Irregular, ...]
    cards_out: tuple[CardOut, ...]
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    entered: tuple[str, ...]
    withdrawable: tuple[int, ...]
    holdings: tuple[Holding, ...]
    declined: tuple[Holding, ...]
    device_holder: str | None
    drawing_permitted: tuple[str, ...]
    squeeze_permitted: tuple[str, ...]
    squeeze_requested: tuple[str, ...]
    squeeze_forbidden: bool
    squeeze_forbidden_to: tuple[str, ...]
    decrease_asked: bool
    decrease_unanswered: tuple[str, ...]
    choosing: tuple[str, ...]
    strays: int
    set_aside: int
    reserved: int
    aside: bool
    unnamed: tuple[Hand, ...]
    cards_needed: int
    opens_first: OpensFirst | None
    possible: tuple[Situation, ...]
    confirmation: Confirmation | None
    held: tuple[HeldShown, ...]
    counted: int | None


SqueezingEntry = Literal["request", "permit", "forbid"]


class LateCall(Struct, frozen=True, kw_only=True):
    """The closing call that was not made before the first card; ``calls`` are alternatives of its words."""

    calls: tuple[str, ...]
    clause: Clause


class WagerEntry(Struct, frozen=True, kw_only=True):
    """A wager that was entered; ``amount`` is what lies there, ``pulled`` was booked as taken away late."""

    patron: str
    wager: str
    position: int | None
    amount: int
    pulled: int = 0


class HandToGive(Struct, frozen=True, kw_only=True):
    """A hand that a post may give to one of these patrons, since the order of wagers names nobody."""

    hand: Hand
    post: Post
    clause: Clause
    patrons: tuple[str, ...]


class SaidTotals(Struct, frozen=True, kw_only=True):
    """The point totals of the first four cards, as they are to be announced."""

    player: int
    banker: int


class EntriesSection(Struct, frozen=True, kw_only=True):
    """The entries that staff can make beside the next step.

    ``correctable`` are wagers whose entry two people can correct, and ``pulled`` those of which chips were
    booked as taken away late; ``overlooked`` says that chips can be entered which lay there in time.
    Patrons may lower the kinds in ``lowered``, and after closing each may raise those in ``raised``:
    whatever else changes then comes too late. ``hands`` can be given to a patron, and ``drawers`` may take
    the dealing device. ``squeezing`` is what can be said about a patron who wants to squeeze. ``totals`` can
    be announced, a ``cutting_card`` can come, and the device can have shown a ``device_result``.
    """

    late_call: LateCall | None
    correctable: tuple[WagerEntry, ...]
    pulled: tuple[WagerEntry, ...]
    overlooked: bool
    lowered: tuple[str, ...]
    raised: dict[str, tuple[str, ...]]
    hands: tuple[HandToGive, ...]
    drawers: tuple[str, ...]
    squeezing: tuple[SqueezingEntry, ...]
    totals: SaidTotals | None
    cutting_card: bool
    device_result: bool
    alarms: tuple[AlarmKind, ...]


class ByPost(Struct, frozen=True):
    """A power of the document: the post that has it, and the clause."""

    post: Post
    clause: Clause


class EquipmentShown(Struct, frozen=True):
    """An item of the opening check list; one that is there if required may be marked as not needed.

    ``by`` is the post that ticks it, where not everybody does.
    """

    id: str
    clause: Clause
    if_required: bool
    by: Post | None


class MethodShown(Struct, frozen=True):
    """A method of dealing that this table can have, who chooses it, and who draws."""

    method: Method
    by: ByPost
    drawn_by: Literal["dealer", "patron"]


class SituationShown(Struct, frozen=True):
    """Something that can go wrong, and the clauses of the document about it."""

    situation: Situation
    clauses: tuple[Clause, ...]


class ApprovalShown(Struct, frozen=True):
    """An approval that names another game, and the post that records the regulator's confirmation."""

    names: str
    post: Post
    clause: Clause | None


class RulesSection(Struct, frozen=True, kw_only=True):
    """The powers of staff at this table by the document and the house; nobody has a power that is absent.

    ``posts`` are those of the house from the lowest up; ``stands_for`` has for each of them those whose
    holder may be asked to approve what belongs to it.
    """

    posts: tuple[Post, ...]
    stands_for: dict[Post, tuple[Post, ...]]
    equipment: tuple[EquipmentShown, ...]
    least_decks: int
    most_decks: int
    burn: Clause | None
    cutting_card: Clause | None
    methods: tuple[MethodShown, ...]
    permits_drawing: ByPost | None
    seats: Clause | None
    squeezed_on_request: Clause | None
    permits_squeeze: ByPost | None
    forbids_squeeze: ByPost | None
    reveal_order: Clause | None
    fewer_owners: ByPost | None
    most_owners: int
    removes_wagers: ByPost | None
    settles_pro_rata: Clause | None
    approval: ApprovalShown | None
    decides_held: Post
    shuffle_record: bool
    situations: tuple[SituationShown, ...]


SettlementAct = Literal["take-back", "give-back", "take", "leave", "pay"]


class SettlementLine(Struct, frozen=True, kw_only=True):
    """An act about a wager; ``back`` of its stake is its owner's, ``owed`` are chips that are gone.

    ``settlement`` counts the settlements of the round from zero, since one may be taken back: what was paid
    by it is taken back, what was taken is given back, by the ``reversal`` of that number. ``gone`` says that
    the patron had left by then. ``key`` tells the line from all others of the round, and ``undoes`` is the
    key of the line that it undoes.
    """

    key: str
    does: SettlementAct
    id: int
    patron: str
    position: int | None
    wager: str
    stake: int
    taken: int = 0
    paid: int = 0
    back: int = 0
    owed: int = 0
    commission: int = 0
    odds: str | None = None
    settlement: int = 0
    reversal: int | None = None
    undoes: str | None = None
    gone: bool = False
    clauses: tuple[Clause, ...] = ()


class ReversalShown(Struct, frozen=True, kw_only=True):
    """Why a settlement was taken back: the card that was corrected, or the irregularity."""

    number: int
    card: int | None
    situation: Situation | None
    void: bool
    clauses: tuple[Clause, ...]


class SettlementSection(Struct, frozen=True, kw_only=True):
    """The last round in the order in which it is settled: what is undone, takes, what stays, pays; the sums.

    ``reversals`` say why something is undone, ``undone`` is what the tray gets by it. While a round whose
    settlement was taken back goes on, nothing is undone yet. ``balances`` says that what lay on the felt and
    what is owed is what was taken and what goes back. Lines that are ``due`` are done before the next step.
    """

    round: int | None = None
    due: bool = False
    void: bool = False
    reversals: tuple[ReversalShown, ...] = ()
    lines: tuple[SettlementLine, ...] = ()
    undone: int = 0
    taken: int = 0
    paid: int = 0
    back: int = 0
    owed: int = 0
    commission: int = 0
    balances: bool = True


class WagersSection(Struct, frozen=True):
    """Every wager that lies, and those of the last round as they were settled.

    Those in ``to_hold`` can be held as suspected.
    """

    lying: tuple[PlacedWager, ...]
    settled: tuple[SettledWager, ...]
    to_hold: tuple[WagerEntry, ...]


class PeopleSection(Struct, frozen=True):
    """The people on duty, those who act in a post, and the patrons.

    ``on_duty`` has everybody who counts as staff here now, with their posts: their own, and those that they
    act in at present.
    """

    staff: tuple[OnDuty, ...]
    acting: tuple[Acting, ...]
    patrons: tuple[Patron, ...]
    on_duty: dict[str, tuple[Post, ...]]


class DutyOfDispute(Struct, frozen=True):
    """Something that is left to do about a dispute, by which posts and clauses; the patron has no post."""

    duty: DisputeDuty
    posts: tuple[Post, ...]
    clauses: tuple[Clause, ...]


class DisputeShown(Struct, frozen=True, kw_only=True):
    """A dispute, and what is left to do about it in the order of the procedure.

    Of the sources those ``lacking`` cannot be considered, since what they need was not gathered. What is
    ``unpaid`` of the award is paid in one of the ``ways``.
    """

    dispute: Dispute
    due: tuple[DutyOfDispute, ...]
    lacking: tuple[str, ...]
    unpaid: int
    ways: tuple[AwardWay, ...]
    may_complain: bool


class DisputesSection(Struct, frozen=True):
    """The disputes at the table, and the procedure that holds for them."""

    disputes: tuple[DisputeShown, ...]
    rules: DisputeRules


class BalancesSection(Struct, frozen=True):
    """The credits of all terminals."""

    balances: tuple[Balance, ...]


class AlertsSection(Struct, frozen=True):
    """The alerts that somebody must see to, and the post that may acknowledge them."""

    alerts: Alerts
    post: Post


class OwnWager(Struct, frozen=True):
    """A wager of the patron; ``withdrawable`` where the patron is asked whether it goes."""

    id: int
    wager: str
    position: int | None
    stake: int
    pulled: int
    withdrawable: bool


class OwnHand(Struct, frozen=True):
    """A hand that lies with the patron; faces come once the patron looks."""

    hand: Hand
    looked: bool
    cards: tuple[CardShown, ...]


class OwnOffer(Struct, frozen=True):
    """A question to the patron, by an irregularity: withdraw or stay."""

    wagers: Withdrawable
    clause: Clause
    answered: bool
    case: int


class OwnLine(Struct, frozen=True):
    """A settled wager of the patron, and why it got what it got."""

    settled: SettledWager
    why: Message


class OwnResult(Struct, frozen=True):
    """The result of the patron's wagers in the last round that had some."""

    round: int
    winner: Winner | None
    void: bool
    lines: tuple[OwnLine, ...]
    returned: tuple[Returned, ...]


class OwnDispute(Struct, frozen=True):
    """A dispute of the patron as far as the patron is told.

    ``unpaid`` of the award is still to be paid; ``to_confirm`` was paid, and the patron has not said so yet.
    Staff ``entered`` the answer, so that the patron can still give it in person; ``may_answer`` and
    ``may_complain`` say what the patron can do now.
    """

    id: int
    about: str
    round: int | None
    wager: str | None
    step: DisputeStep
    escalated: bool
    time_frame: str | None
    answer_by: datetime.datetime | None
    no_time_frame: str | None
    decision: str | None
    sources: tuple[str, ...]
    award: int
    unpaid: int
    to_confirm: int
    agrees: bool | None
    entered: bool
    may_answer: bool
    may_complain: bool
    right_told: bool
    complain_until: datetime.datetime | None
    complaint: str | None
    complaint_received: bool
    complaint_answer: str | None


class OwnSection(Struct, frozen=True, kw_only=True):
    """The section of one patron; ``squeeze`` are the hands that go to the patron next.

    ``may_take_device`` where the patron may take control of the dealing device. While a complaint may be
    filed, ``helpers`` are those on duty who can help with it.
    """

    patron: str
    here: bool
    position: int | None = None
    seated: bool = False
    marked: int | None = None
    credits: int | None = None
    wagers: tuple[OwnWager, ...] = ()
    hands: tuple[OwnHand, ...] = ()
    squeeze: tuple[Hand, ...] = ()
    may_request_squeeze: bool = False
    may_take_device: bool = False
    controls_device: bool = False
    offer: OwnOffer | None = None
    last: OwnResult | None = None
    disputes: tuple[OwnDispute, ...] = ()
    helpers: tuple[OnDuty, ...] = ()


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that one viewer sees of a table; a section that is absent is not for this viewer."""

    setup: SetupSection
    phase: PhaseSection
    cards: CardsSection
    totals: TotalsSection
    outcome: OutcomeSection
    shoe: ShoeSection
    scoreboard: Scoreboard
    rules: RulesSection | None = None
    desk: DeskSection | None = None
    entries: EntriesSection | None = None
    settlement: SettlementSection | None = None
    wagers: WagersSection | None = None
    people: PeopleSection | None = None
    disputes: DisputesSection | None = None
    balances: BalancesSection | None = None
    alerts: AlertsSection | None = None
    own: OwnSection | None = None


Section = (
    SetupSection
    | PhaseSection
    | CardsSection
    | TotalsSection
    | OutcomeSection
    | ShoeSection
    | Scoreboard
    | RulesSection
    | DeskSection
    | EntriesSection
    | SettlementSection
    | WagersSection
    | PeopleSection
    | DisputesSection
    | BalancesSection
    | AlertsSection
    | OwnSection
)


class BettingClock(Struct, frozen=True):
    """When betting opened, when patrons are warned, and when it closes, in microseconds since 1970."""

    opened: int
    warns: int
    closes: int
