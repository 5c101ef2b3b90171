"""An irregularity as screens show it: its steps, its duties, and the cards that it is about."""

import enum
from typing import Literal

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game.causes import Cause
from thirdcard.game.state import Hand, Wait
from thirdcard.messages import Message
from thirdcard.rulebook.irregularity import Situation, Withdrawable
from thirdcard.staff import Post


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


class OfferEntries(Struct, frozen=True, kw_only=True):
    """An offer to withdraw wagers as staff enter its answers; ``entered`` are answers that staff gave.

    ``withdrawable`` are the wagers that can go, by their numbers.
    """

    wagers: Withdrawable
    clause: Clause
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    entered: tuple[str, ...]
    withdrawable: tuple[int, ...]


class OpenCase(Struct, frozen=True, kw_only=True):
    """An irregularity as staff see it; ``current`` is the one dealt with first, ``blocks`` holds play.

    What it waits for is ``answerable`` now, or only once the others before it are dealt with.
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
    answerable: bool
    blocks: bool
    offer: OfferEntries | None
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
