"""The sections of the consoles: what can be entered, the rules of the table, wagers, people and disputes."""

from typing import Literal

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.floor.table_rules import ComingRulebook, PendingChange
from thirdcard.folds.alerts import Alerts
from thirdcard.folds.history import Irregular
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.commands import HeldChoice
from thirdcard.game.dispute_steps import AwardWay, Dispute, DisputeDuty
from thirdcard.game.earlier_rounds import Confirmation
from thirdcard.game.planned import PlannedStop
from thirdcard.game.state import Balance, Hand, Holding, OnDuty, Patron, PlacedWager, SettledWager
from thirdcard.rulebook.dispute_rules import DisputeRules
from thirdcard.rulebook.irregularity import Method, Situation
from thirdcard.staff import Acting, Post
from thirdcard.views.sections.cases import CardOut, Duty, OpenCase


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

    ``cases`` are the open irregularities, ``dealt_with`` the closed ones of the round, ``doubtful`` closed
    ones that can still turn out not so, and ``duties`` what is owed; ``reported`` counts all irregularities
    that the table ever had. ``unnamed`` has a hand for each card whose face nobody has told, ``set_aside``
    counts the cards that came out by mistake and ``aside`` says that the next card is not drawn from the
    shoe. ``cards_needed`` is how many cards the current case waits for, ``opens_first`` the hand to open
    before, ``possible`` what can be wrong, and ``cards_out`` are the cards that can be corrected. Those who
    are ``choosing`` have yet to say whether new cards come.
    """

    last_round: int
    reported: int
    pause_reason: str | None
    stopped_reason: str | None
    disabled_reason: str | None
    patron: str | None
    missing_equipment: tuple[str, ...]
    cases: tuple[OpenCase, ...]
    doubtful: tuple[OpenCase, ...]
    duties: tuple[Duty, ...]
    dealt_with: tuple[Irregular, ...]
    cards_out: tuple[CardOut, ...]
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


class RunningSection(Struct, frozen=True, kw_only=True):
    """How the table runs: a stop that is planned, a change that is to come, cards left, and its pace.

    It stands where it does ``since`` so many microseconds after 1970. ``per_hour`` counts the last rounds of
    the shoe, from the opening of the first to the end of the last.
    """

    stop: PlannedStop | None
    pending: PendingChange | None
    coming: ComingRulebook | None
    since: int
    cards_left: int | None
    per_hour: int | None


class WagersSection(Struct, frozen=True):
    """Every wager that lies, and those of the last round as they were settled.

    Those in ``to_hold`` can be held as suspected. ``last`` are those of the round before, as they lay.
    """

    lying: tuple[PlacedWager, ...]
    settled: tuple[SettledWager, ...]
    to_hold: tuple[WagerEntry, ...]
    last: tuple[WagerEntry, ...] = ()


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
    """The disputes at the table, and the procedure that holds for them.

    There are ``more``: the newest that wait for older ones to be closed, and the oldest that are over.
    """

    disputes: tuple[DisputeShown, ...]
    rules: DisputeRules
    more: int


class BalancesSection(Struct, frozen=True):
    """The credits of all terminals."""

    balances: tuple[Balance, ...]


class AlertsSection(Struct, frozen=True):
    """The alerts that somebody must see to, and the post that may acknowledge them."""

    alerts: Alerts
    post: Post
