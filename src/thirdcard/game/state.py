"""The table as a value: everything that its events have made of it."""

import bisect
import datetime
import enum
import operator

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game.causes import Cause
from thirdcard.game.dispute_steps import Dispute
from thirdcard.game.earlier_rounds import (
    Confirmation,
    EarlierRound,
    Mark,
    Mistake,
    PastOffer,
    PatronRounds,
    ShoeStart,
    WithdrawnAll,
)
from thirdcard.game.money_state import CreditRequest, UnseenMoney
from thirdcard.game.planned import PlannedStop, TableChange
from thirdcard.game.shoe import Shoe
from thirdcard.game.table_chips import TableChips
from thirdcard.game.table_setup import Setup
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Effect, Method, Situation, Withdrawable
from thirdcard.rulebook.table_of_play import Hand as Hand  # noqa: PLC0414 - part of every state
from thirdcard.staff import Acting, Post

# why a table pauses that stood still while nobody served it
RESTART = "restart"

# and how the reason begins where its store failed it
STORE_TROUBLE = "store trouble: "


class Phase(enum.Enum):
    """How far a table is."""

    SHUT = "shut"
    IDLE = "idle"
    BETTING = "betting"
    CLOSED = "closed"
    DEALING = "dealing"
    OUTCOME = "outcome"


class OnDuty(Struct, frozen=True):
    """A member of staff and the post they hold."""

    person: str
    post: Post


class Patron(Struct, frozen=True):
    """A patron; ``marked`` is the round of a wager under the minimum, ``gone`` one who left wagers lying."""

    name: str
    position: int | None
    seated: bool
    marked: int | None = None
    gone: bool = False


class PlacedWager(Struct, frozen=True):
    """A wager on its area; ``order`` says when it reached its amount, ``pulled`` what was taken away late.

    ``marked`` says that its patron was marked when it was placed: a stay may end before a settlement does.
    ``reached`` has the smaller amounts that it had before, each with its order. ``held`` is the suspicion for
    which its chips are with the staff: it stays in the round, and what it brings waits for the decision.
    """

    id: int
    patron: str
    position: int | None
    wager: str
    stake: int
    order: int
    pulled: int = 0
    marked: bool = False
    reached: tuple[tuple[int, int], ...] = ()
    held: int = 0

    @property
    def lying(self) -> int:
        """The chips that lie there: those that were taken away late are with the patron already."""
        return self.stake - self.pulled


class CardState(enum.Enum):
    """The knowledge of a card: nobody's, its holder's, or the table's."""

    FACE_DOWN = "face-down"
    SEEN = "seen"
    EXPOSED = "exposed"


class DealtCard(Struct, frozen=True):
    """A card of the round in true draw order; its face may not be known yet."""

    hand: Hand
    card: Card | None
    state: CardState
    drawn_by: str


class Holding(Struct, frozen=True):
    """A hand that lies with a patron to be squeezed."""

    hand: Hand
    patron: str


class SettledWager(Struct, frozen=True, kw_only=True):
    """A wager after settlement: what of it was in action, what was paid, taken and handed back.

    ``held`` is the suspicion that nothing of it is handed over for yet.
    """

    id: int
    patron: str
    position: int | None
    wager: str
    stake: int
    in_action: int
    result: str
    back: int
    odds: str | None = None
    paid: int = 0
    taken: int = 0
    commission: int = 0
    rounded_over: int = 0
    rounded_of: int = 1
    pulled: int = 0
    held: int = 0
    clauses: tuple[Clause, ...] = ()

    @property
    def lying(self) -> int:
        """The chips that lay there before the settlement."""
        return self.stake - self.pulled

    @property
    def owed(self) -> int:
        """The part of a lost wager that the chips which lay there do not cover."""
        return self.back + self.taken - self.lying


class Round(Struct, frozen=True):
    """A round of play, from beginning to end; ``seen_before`` says that retrieved cards had been seen.

    ``opened`` are the hands that the Dealer opened because they lay with nobody. ``lay`` are its wagers as
    they lay before they were settled. ``claims`` are what terminals owe because its settlement was taken
    back. ``shoe`` is the number of the shoe that its cards are from. ``device_lost_by`` lost control of the
    dealing device by its settlement. ``same_cards`` says that its cards went back to be dealt again while
    new ones were due only before the next round. ``serves`` is the free hand that it is, where no card
    waited outside to begin it. ``lacking`` are the cards that the sorted decks lacked when cards of it were
    missing, ``substituted`` the cards at the hands that took their place. ``had`` says with whom hands lay
    when it ended. ``set_apart`` are wagers whose chips were kept or handed back as suspected after the first
    card: they bring nothing, and others are settled as if they lay there. ``undone`` is its settlement, if
    it was taken back and not made again yet. ``offers`` are those that are closed, ``withdrew_all`` says who
    took all wagers back in one, ``mistaken`` of which wagers one was entered by mistake, and ``raised``
    which wagers were raised after the closing call, by how much. ``refunded`` is what it handed back as
    void. ``waiting`` is what it gave to patrons who had left before its settlement: it is still there. It is
    ``shut`` if it was taken up again at a closed table. ``untold`` has its cards as they lay before a
    report, by its case; ``judged`` are cases that have asked nobody. ``to_come`` are the places of cards
    that waited when it began and come next, ``in_turn`` of those that a post lets come out.
    """

    number: int
    method: Method | None
    free: bool = False
    last: bool = False
    cards: tuple[DealtCard, ...] = ()
    seen_before: bool = False
    holdings: tuple[Holding, ...] = ()
    looked: tuple[Holding, ...] = ()
    declined: tuple[Holding, ...] = ()
    chosen: tuple[Holding, ...] = ()
    opened: tuple[Hand, ...] = ()
    reveal_first: Hand | None = None
    facts: Facts | None = None
    called: Winner | None = None
    called_totals: tuple[int | None, int | None] = (None, None)
    announced: tuple[int, int] | None = None
    lay: tuple[PlacedWager, ...] = ()
    settled: tuple[SettledWager, ...] = ()
    noted: tuple[Situation, ...] = ()
    void: bool = False
    ended: bool = False
    passed: bool = False
    claims: tuple["Balance", ...] = ()
    shoe: int = 0
    device_lost_by: str | None = None
    same_cards: bool = False
    serves: "OwedHand | None" = None
    lacking: tuple[Card, ...] = ()
    substituted: tuple[int, ...] = ()
    had: tuple[Holding, ...] = ()
    set_apart: tuple[PlacedWager, ...] = ()
    undone: tuple[SettledWager, ...] | None = None
    offers: tuple[PastOffer, ...] = ()
    withdrew_all: tuple[WithdrawnAll, ...] = ()
    mistaken: tuple[str, ...] = ()
    raised: tuple[tuple[int, int], ...] = ()
    refunded: tuple["Balance", ...] = ()
    waiting: tuple["Balance", ...] = ()
    shut: bool = False
    untold: tuple[tuple[int, tuple[DealtCard, ...]], ...] = ()
    judged: tuple["Case", ...] = ()
    to_come: tuple[int, ...] = ()
    in_turn: tuple[int, ...] = ()

    @property
    def totals_called_wrongly(self) -> bool:
        """Whether a point total was called that a hand does not have."""
        facts = self.facts
        assert facts is not None
        right = (facts.player_total, facts.banker_total)
        return any(said not in (None, total) for said, total in zip(self.called_totals, right, strict=True))


class OutsideWager(Struct, frozen=True):
    """A wager of a round that was not in action in full, because of a limit, with the facts of that round."""

    round: int
    wager: SettledWager
    facts: Facts


class Wait(enum.Enum):
    """A thing that an irregularity waits for."""

    CONFIRMATION = "confirmation"
    PERMISSION = "permission"
    CARD_ORDER = "card-order"
    DECISION = "decision"
    RESERVED_CARDS = "reserved-cards"
    SORTED_CARDS = "sorted-cards"
    SUBSTITUTES = "substitutes"


class WithdrawnStake(Struct, frozen=True):
    """A wager, or the part of one, that was withdrawn in an offer, as it lay, and who entered that."""

    wager: PlacedWager
    by: str


class Offer(Struct, frozen=True):
    """An option to withdraw wagers: who is asked, who has answered, and what was withdrawn.

    ``entered`` are those for whom staff entered the answer.
    """

    case: int
    wagers: Withdrawable
    clause: Clause
    asked: tuple[str, ...]
    answered: tuple[str, ...] = ()
    entered: tuple[str, ...] = ()
    withdrawn: tuple[WithdrawnStake, ...] = ()


class Case(Struct, frozen=True):
    """An irregularity under way: its effects in order, how many are done, and what it waits for.

    ``by`` reported it, with ``second`` where two people did; ``acted`` says that somebody else has acted
    on the report; ``withdrew`` says that some patron took up its offer, and ``withdrawn`` has those who took
    back a wager. ``round`` is the one that it is about, where that is over and another one was called since,
    ``corrected`` the one of which a card was corrected. ``cause`` says what the table noticed where no
    situation does. ``dealt`` are cards that came together by its report, as they lay at the hands before.
    """

    id: int
    situation: Situation
    effects: tuple[Effect, ...]
    clause: Clause | None
    cards: tuple[Card | None, ...] = ()
    ahead: int = 0
    patron: str | None = None
    hand: Hand | None = None
    wager: str | None = None
    position: int | None = None
    amount: int = 0
    by: str = ""
    second: str | None = None
    done: int = 0
    waits: Wait | None = None
    acted: bool = False
    withdrew: bool = False
    withdrawn: tuple[str, ...] = ()
    offer: Offer | None = None
    missing: tuple[Card, ...] = ()
    round: int | None = None
    cause: Cause | None = None
    corrected: int | None = None
    dealt: tuple[DealtCard, ...] = ()

    @property
    def about(self) -> str:
        """The key of what it is about: its situation, or the cause of what no rule covers."""
        return f"@cause.{self.cause.value}" if self.cause else f"@situation.{self.situation.value}"


class Balance(Struct, frozen=True):
    """The credits of a terminal in minor units."""

    terminal: str
    credits: int


class OwedHand(Struct, frozen=True):
    """A free hand that is owed: its clause, and the places of the cards that wait to begin it, if any do."""

    clause: Clause
    places: tuple[int, ...] = ()


class HeldMoney(Struct, frozen=True):
    """Chips or cash that are held because they may be counterfeit.

    ``wager`` is the wager that they are or were, or nothing where they were to buy chips or credits.
    ``settled`` is that wager once its round is settled, and ``unjudged`` as it was settled before corrected
    cards left its round without an outcome. ``counts`` are the cards of the Player and the Banker that it was
    settled by. What of ``amount`` is no part of the wager any more only goes back or is kept.
    """

    id: int
    patron: str
    amount: int
    round: int
    wager: PlacedWager | None = None
    settled: SettledWager | None = None
    unjudged: SettledWager | None = None
    counts: tuple[int, int] = (0, 0)


class Table(Struct, frozen=True):
    """A table, whole; ``ordered_by`` are the clauses by which cards that lie aside have their order.

    ``told`` are reports of known cards whose cases are closed, and on which nobody has acted. Until the next
    round begins, earlier rounds stand by the clause ``rounds_stand_by``, if a case has said so. ``payments``
    are those of the last rounds that a correction or a decision made, ``claimed`` what decisions claimed
    back, ``left`` who has left since the table was opened, ``stakes`` the rounds of all patrons. It is
    ``closed_by_card`` where a first card has stopped betting, and ``uncalled`` while no clause closes it but
    the call, which is still to come. ``unseen`` is money that moved outside a round and that nobody else has
    acknowledged, ``credit_requests`` what patrons are to confirm at their terminals. It is to ``stop`` after
    the round, and to ``change`` with the next one; once people ``closed`` it, people open it.
    """

    setup: Setup
    phase: Phase = Phase.SHUT
    paused: bool = False
    pause_reason: str | None = None
    equipment: tuple[str, ...] = ()
    method: Method | None = None
    owners_per_area: int | None = None
    staff: tuple[OnDuty, ...] = ()
    acting: tuple[Acting, ...] = ()
    patrons: tuple[Patron, ...] = ()
    credits: tuple[Balance, ...] = ()
    shoe: Shoe | None = None
    wagers: tuple[PlacedWager, ...] = ()
    next_wager: int = 1
    rounds: int = 0
    round: Round | None = None
    earlier: tuple[EarlierRound, ...] = ()
    device_holder: str | None = None
    drawing_permitted: tuple[str, ...] = ()
    squeeze_permitted: tuple[str, ...] = ()
    squeeze_forbidden: bool = False
    squeeze_forbidden_to: tuple[str, ...] = ()
    squeeze_requested: tuple[str, ...] = ()
    decrease_asked: bool = False
    decrease_unanswered: tuple[str, ...] = ()
    decrease_answered: tuple[str, ...] = ()
    decrease_hand: Hand | None = None
    marks: tuple[Mark, ...] = ()
    aside: tuple[Card | None, ...] = ()
    ordered_by: tuple[Clause, ...] = ()
    strays: tuple[Card | None, ...] = ()
    reserved: tuple[Card, ...] = ()
    free_hands: tuple[OwedHand, ...] = ()
    last_announced: bool = False
    cases: int = 0
    uncalled: bool = False
    closed_by_card: bool = False
    open_cases: tuple[Case, ...] = ()
    told: tuple[Case, ...] = ()
    last_settled: tuple[SettledWager, ...] = ()
    outside: tuple[OutsideWager, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    put_right: tuple[Mistake, ...] = ()
    payments: tuple[Mistake, ...] = ()
    claimed: tuple[Mistake, ...] = ()
    handed: tuple[Balance, ...] = ()
    rounds_stand_by: Clause | None = None
    disputes: tuple[Dispute, ...] = ()
    shoes: int = 0
    shoe_starts: tuple[ShoeStart, ...] = ()
    last_shoe: tuple[Card | None, ...] = ()
    confirmation: Confirmation | None = None
    suspicions: int = 0
    held: tuple[HeldMoney, ...] = ()
    left: tuple[str, ...] = ()
    stakes: tuple[PatronRounds, ...] = ()
    former_staff: tuple[str, ...] = ()
    money_acts: int = 0
    unseen: tuple[UnseenMoney, ...] = ()
    asked_credits: int = 0
    credit_requests: tuple[CreditRequest, ...] = ()
    stop: PlannedStop | None = None
    change: TableChange | None = None
    closed: bool = False
    chips: TableChips = TableChips()

    @property
    def decks_to_load(self) -> int:
        """The decks of the next shoe."""
        return self.change.decks if self.change else self.setup.decks

    @property
    def case(self) -> Case | None:
        """The irregularity that is dealt with first: the one that came to light last."""
        return self.open_cases[-1] if self.open_cases else None

    @property
    def unconfirmed(self) -> Case | None:
        """The irregularity whose facts are still to be confirmed; of several the one that came last."""
        return next((each for each in reversed(self.open_cases) if each.waits is Wait.CONFIRMATION), None)

    @property
    def free_hand(self) -> OwedHand | None:
        """The free hand that comes next; one that waiting cards begin goes before the others."""
        return next((each for each in self.free_hands if each.places), next(iter(self.free_hands), None))

    @property
    def free_hand_by(self) -> Clause | None:
        """The clause by which a free hand comes next."""
        return self.free_hand.clause if self.free_hands and self.free_hand else None

    @property
    def offer(self) -> Offer | None:
        """The offer of the irregularity that is dealt with first."""
        return self.open_cases[-1].offer if self.open_cases else None

    @property
    def settled_round(self) -> int:
        """The number of the round that was settled last, or was to be."""
        if (current := self.round) is None:
            return 0
        settled = current.settled or (current.called is not None and current.undone is None)
        return current.number if current.ended or settled or current.void else current.number - 1

    def shoe_of(self, number: int) -> int | None:
        """Return the shoe from which a round was dealt, as far back as that is known."""
        return next((each.shoe for each in reversed(self.shoe_starts) if each.round <= number), None)

    def place_of(self, terminal: str) -> int:
        """Where the credits of a terminal stand, or would stand: they are in order of the terminals."""
        return bisect.bisect_left(self.credits, terminal, key=operator.attrgetter("terminal"))

    def credits_of(self, terminal: str) -> int:
        """The credits of a terminal."""
        for each in self.credits[self.place_of(terminal) :][:1]:
            if each.terminal == terminal:
                return each.credits
        return 0

    def posts_at(self, person: str, instant: datetime.datetime) -> tuple[Post, ...]:
        """Return the posts that a person holds at an instant: their own, then acting ones."""
        held = tuple([each.post for each in self.staff if each.person == person])
        if not self.acting:
            return held
        return (*held, *(each.post for each in self.acting_at(instant) if each.person == person))

    def acting_at(self, instant: datetime.datetime) -> tuple[Acting, ...]:
        """Return the appointments to a post that are in force at an instant."""
        return tuple(each for each in self.acting if each.start <= instant < each.end)

    def is_attended_at(self, instant: datetime.datetime) -> bool:
        """Whether anybody is on duty at the table, in a post of their own or acting in one."""
        return bool(self.staff or self.acting_at(instant))

    @property
    def seated(self) -> tuple[Patron, ...]:
        """The patrons who sit at the table; whoever left wagers lying has left the seat."""
        return tuple(each for each in self.patrons if each.seated and not each.gone)

    def patron(self, name: str) -> Patron | None:
        """A patron who is at the table, or has left wagers lying there."""
        for each in self.patrons:  # asked several times by every wager
            if each.name == name:
                return each
        return None
