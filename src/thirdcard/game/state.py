"""The table as a value: everything that its events have made of it."""

import bisect
import datetime
import enum
import functools
import operator

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.messages import Message, message
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Area, Effect, Method, Situation, Withdrawable
from thirdcard.staff import Post


class Hand(enum.Enum):
    """The two hands of a round."""

    PLAYER = "player"
    BANKER = "banker"


class Device(enum.Enum):
    """What the cards are dealt from."""

    PLAIN = "plain"
    ELECTRONIC = "electronic"
    CARD_READING = "card-reading"


class Automatic(enum.Enum):
    """Steps of the dealer that a table takes by itself: opening cards nobody squeezes, calling the result."""

    EXPOSE = "expose"
    CALL = "call"


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


class PostedLimit(Struct, frozen=True):
    """The posted minimum and maximum of a wager, in minor units."""

    wager: str
    minimum: int
    maximum: int


class Setup(Struct, frozen=True, kw_only=True, dict=True):
    """What a table is, fixed before it opens; at one for training nothing is real."""

    table: str
    game: str
    house: str
    layout: str | None
    positions: int
    area: Area
    device: Device
    decks: int
    terminal: bool
    face_down: bool
    automatic: tuple[Automatic, ...]
    limits: tuple[PostedLimit, ...]
    differential: int
    training: bool = False

    @functools.cached_property
    def limit_by_wager(self) -> dict[str, PostedLimit]:
        """The posted limits by the wager that they are of."""
        return {limit.wager: limit for limit in self.limits}


class OnDuty(Struct, frozen=True):
    """A member of staff and the post they hold."""

    person: str
    post: Post


class Acting(Struct, frozen=True):
    """A person acting in a post from one instant until another."""

    person: str
    post: Post
    start: datetime.datetime
    end: datetime.datetime


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
    """

    id: int
    patron: str
    position: int | None
    wager: str
    stake: int
    order: int
    pulled: int = 0
    marked: bool = False


class CardState(enum.Enum):
    """Who knows a card: nobody, its holder, or the table."""

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
    """A wager after settlement: what of it was in action, what was paid, taken and handed back."""

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
    clauses: tuple[Clause, ...] = ()


class Round(Struct, frozen=True):
    """A round of play, from beginning to end; ``seen_before`` says that retrieved cards had been seen.

    ``lay`` are its wagers as they lay before they were settled.
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
    reveal_first: Hand | None = None
    facts: Facts | None = None
    called: Winner | None = None
    lay: tuple[PlacedWager, ...] = ()
    settled: tuple[SettledWager, ...] = ()
    void: bool = False
    ended: bool = False


class Seal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is recorded of a virtual shoe before its first wager.

    ``root`` binds every card at its position, ``content`` is the order, encrypted under a key.
    """

    root: str
    cards: int
    behind_cutting_card: int
    key_id: str
    content: str


class Places(Struct, frozen=True):
    """Where cards are that left the shoe, each by its place in the order of the shoe after the cut.

    ``faces`` has the cards by place as far as they were seen; ``back`` were put back and come first again.
    """

    faces: tuple[Card | None, ...] = ()
    back: tuple[int, ...] = ()
    lying: tuple[int, ...] = ()
    strays: tuple[int, ...] = ()
    reserved: tuple[int, ...] = ()


class AlarmKind(enum.Enum):
    """What a dealing device, or a look at its cards, can give alarm about."""

    MISREAD = "misread"
    CARD_MISMATCH = "card-mismatch"
    UNEXPECTED_CARD = "unexpected-card"
    OUT_OF_SEQUENCE = "out-of-sequence"
    WRONG_SHOE = "wrong-shoe"
    RESULT_MISMATCH = "result-mismatch"
    READER_SILENT = "reader-silent"
    READER_FAULT = "reader-fault"
    NOT_THE_SEALED_CARD = "not-the-sealed-card"
    TOO_MANY_COPIES = "too-many-copies"
    NEW_DECK_ORDER = "new-deck-order"
    REPEATS_ITSELF = "repeats-itself"
    REPEATS_LAST_SHOE = "repeats-last-shoe"
    WRONG_COMPOSITION = "wrong-composition"


class Alarm(Struct, frozen=True):
    """Something that a person must look at."""

    kind: AlarmKind
    card: Card | None = None
    other: Card | None = None
    number: int = 0

    @property
    def message(self) -> Message:
        """What to say about it."""
        faces = {"card": self.card, "other": self.other}
        spoken = {name: face.text if face else "@said.nothing" for name, face in faces.items()}
        return message(f"alarm.{self.kind.value}", number=self.number, **spoken)


class Shoe(Struct, frozen=True):
    """The cards in use: how many, what was seen, and whether they must be replaced."""

    number: int
    decks: int
    left: int
    cut_by: str | None = None
    cut_depth: int | None = None
    burned: int | None = None
    discards: int = 0
    drawn: tuple[Card, ...] = ()
    rounds: int = 0
    rounds_left: int | None = None
    replace_by: Clause | None = None
    patrons_choose: bool = False
    keep_by: Clause | None = None
    seal: Seal | None = None
    opened: bool = False
    places: Places = Places()
    alarms: tuple[AlarmKind, ...] = ()


class Wait(enum.Enum):
    """What an irregularity waits for."""

    CONFIRMATION = "confirmation"
    PERMISSION = "permission"
    CARD_ORDER = "card-order"
    DECISION = "decision"
    RESERVED_CARDS = "reserved-cards"
    SORTED_CARDS = "sorted-cards"
    SUBSTITUTES = "substitutes"


class Case(Struct, frozen=True):
    """An irregularity under way: its effects in order, how many are done, and what it waits for.

    ``withdrew`` says that some patron took up its offer.
    """

    id: int
    situation: Situation
    effects: tuple[Effect, ...]
    clause: Clause | None
    cards: tuple[Card, ...] = ()
    patron: str | None = None
    hand: Hand | None = None
    amount: int = 0
    done: int = 0
    waits: Wait | None = None
    withdrew: bool = False
    missing: tuple[Card, ...] = ()


class Offer(Struct, frozen=True):
    """An option to withdraw wagers: who is asked, and who has answered."""

    case: int
    wagers: Withdrawable
    clause: Clause
    asked: tuple[str, ...]
    answered: tuple[str, ...] = ()


class DisputeStep(enum.Enum):
    """How far a dispute is."""

    OPEN = "open"
    ESCALATED = "escalated"
    DECIDED = "decided"
    CLOSED = "closed"


class Dispute(Struct, frozen=True):
    """A dispute with everything that must be there before it can be closed."""

    id: int
    patron: str
    about: str
    step: DisputeStep = DisputeStep.OPEN
    surveillance: bool = False
    time_frame: str | None = None
    sources: tuple[str, ...] = ()
    decision: str | None = None
    agrees: bool | None = None
    right_told: bool = False
    complaint: str | None = None


class Balance(Struct, frozen=True):
    """The credits of a terminal in minor units."""

    terminal: str
    credits: int


class Table(Struct, frozen=True):
    """A table, whole."""

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
    device_holder: str | None = None
    drawing_permitted: tuple[str, ...] = ()
    squeeze_permitted: tuple[str, ...] = ()
    squeeze_forbidden: bool = False
    squeeze_requested: tuple[str, ...] = ()
    decrease_asked: bool = False
    strays: tuple[Card, ...] = ()
    reserved: tuple[Card, ...] = ()
    free_hand_by: Clause | None = None
    last_announced: bool = False
    cases: int = 0
    case: Case | None = None
    offer: Offer | None = None
    disputes: tuple[Dispute, ...] = ()
    shoes: int = 0
    last_shoe: tuple[Card | None, ...] = ()

    def place_of(self, terminal: str) -> int:
        """Where the credits of a terminal stand, or would stand: they are in order of the terminals."""
        return bisect.bisect_left(self.credits, terminal, key=operator.attrgetter("terminal"))

    def credits_of(self, terminal: str) -> int:
        """The credits of a terminal."""
        place = self.place_of(terminal)
        return sum(each.credits for each in self.credits[place : place + 1] if each.terminal == terminal)

    def patron(self, name: str) -> Patron | None:
        """A patron who is at the table, or has left wagers lying there."""
        for each in self.patrons:
            if each.name == name:
                return each
        return None
