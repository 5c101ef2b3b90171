"""Leads from "something is wrong" to the row of the rulebook: question by question, then what it requires.

Only what the rows of a situation still turn on is asked, and what their effects cannot do without.
"""

import enum

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game.decide import decide
from thirdcard.game.desk import Desk
from thirdcard.game.effects import DRAWN_BESIDE
from thirdcard.game.irregularities import find_row
from thirdcard.game.rounds import circumstance_of
from thirdcard.game.state import CardState, Hand, Phase, Round, Table
from thirdcard.messages import Message
from thirdcard.projections.sections import Fact
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import (
    DetermineCardOrder,
    Effect,
    FreeHand,
    Irregularity,
    OfferWithdrawal,
    ReconstructCards,
    Refer,
    RemoveWagers,
    ReplaceCards,
    ReserveCards,
    Situation,
    VoidRound,
    circumstances,
    effect_clauses,
)
from thirdcard.rulebook.words import effect_message
from thirdcard.staff import Post

ABOUT_A_HAND = frozenset({Situation.WRONG_DELIVERY, Situation.NOT_DELIVERED, Situation.EXPOSED_IN_ERROR})
ABOUT_A_PATRON = frozenset(
    {
        *(Situation.WRONG_DELIVERY, Situation.PATRON_ABSENT, Situation.PATRON_LEFT_WITH_CARDS),
        *(Situation.WRONG_PAYMENT, Situation.OLD_LIMIT_MISTAKE),
    }
)
ABOUT_AN_AMOUNT = frozenset({Situation.WRONG_PAYMENT, Situation.OLD_LIMIT_MISTAKE})
ABOUT_THE_ORDER = frozenset(
    {Situation.WRONG_ORDER, Situation.MISDEAL, Situation.ORDER_ALTERED, Situation.WRONG_NUMBER_OF_CARDS}
)
# cards that left the dealing device beside those before the hands, how many at the least and at the most
UNAUTHORISED = frozenset({Situation.UNAUTHORISED_PLAYER_CARD, Situation.UNAUTHORISED_BANKER_CARD})
ONE_CARD = frozenset({*UNAUTHORISED, Situation.FACE_UP_CARD, Situation.NEXT_CARD_KNOWN})
TOGETHER, OF_A_ROUND = (2, 6), (4, 6)
# what can only go wrong while the cards of a round are dealt, and what also just after it
WITH_CARDS = frozenset(
    {
        *(Situation.FACE_UP_CARD, Situation.WRONG_ORDER, Situation.MISDEAL, Situation.CARDS_TOGETHER),
        *(Situation.WRONG_DELIVERY, Situation.NOT_DELIVERED, Situation.EXPOSED_IN_ERROR),
        *(Situation.EXPOSED_IN_MOVEMENT, Situation.PATRON_ABSENT, Situation.PATRON_LEFT_WITH_CARDS),
        *(Situation.ORDER_ALTERED, Situation.DEVICE_RESET, Situation.TOO_FEW_CARDS),
        Situation.BURN_FORGOTTEN,
    }
)
WITH_A_ROUND = frozenset(
    {
        *(Situation.WRONG_NUMBER_OF_CARDS, Situation.WRONG_CALL, Situation.WRONG_DISPLAY),
        *(Situation.WRONG_PAYMENT, Situation.OLD_LIMIT_MISTAKE),
    }
)


class Ask(enum.Enum):
    """What can be asked; the first five are circumstances that a table cannot know by itself."""

    RECONSTRUCTABLE = "reconstructable"
    ORDER_KNOWN = "order_known"
    VALUE_KNOWN = "value_known"
    SEEN = "seen"
    PREVIOUS_ROUND = "previous_round"
    HAND = "hand"
    PATRON = "patron"
    AMOUNT = "amount"
    CARDS = "cards"


FACTS = (Ask.RECONSTRUCTABLE, Ask.ORDER_KNOWN, Ask.VALUE_KNOWN, Ask.SEEN, Ask.PREVIOUS_ROUND)
CIRCUMSTANCES = {ask: ask.value for ask in FACTS} | {Ask.PREVIOUS_ROUND: "next_round_opened"}


class Told(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was told so far; nothing where it was not asked, empty where it was left out."""

    situation: Situation
    reconstructable: bool | None = None
    order_known: bool | None = None
    value_known: bool | None = None
    seen: bool | None = None
    previous_round: bool | None = None
    hand: Hand | None = None
    patron: str | None = None
    amount: int | None = None
    cards: tuple[Card, ...] | None = None

    @property
    def report(self) -> cmd.ReportIrregularity:
        """The command that reports it."""
        return cmd.ReportIrregularity(
            situation=self.situation,
            reconstructable=self.reconstructable,
            order_known=self.order_known,
            value_known=self.value_known,
            seen=self.seen,
            previous_round=bool(self.previous_round),
            hand=self.hand,
            patron=self.patron or None,
            amount=self.amount or 0,
            cards=self.cards or (),
        )


class Question(Struct, frozen=True, kw_only=True, tag_field="type", tag="question"):
    """The next question; cards have a number, may be in the order of drawing, and if masked stay unseen."""

    ask: Ask
    optional: bool = False
    least: int = 0
    most: int = 0
    ordered: bool = False
    masked: bool = False


class Decider(Struct, frozen=True, kw_only=True):
    """The post that decides, or must be there."""

    post: Post
    or_above: bool = False
    present: bool = False


class RequiredStep(Struct, frozen=True, kw_only=True):
    """An effect as it is said, its clauses, who decides it where somebody does, and among what."""

    effect: str
    says: Message
    clauses: tuple[Clause, ...]
    by: Decider | None = None
    choices: tuple[str, ...] = ()


class Required(Struct, frozen=True, kw_only=True, tag_field="type", tag="required"):
    """What the rulebook requires, step by step; ``refused`` is why it cannot be reported as things are.

    Without a row of the rulebook it is not ``covered``; ``confirmed_by`` must confirm the facts first.
    """

    situation: Situation
    covered: bool
    clause: Clause | None
    when: tuple[Fact, ...]
    confirmed_by: Post | None
    steps: tuple[RequiredStep, ...]
    refused: Message | None = None


def situations_of(document: Document) -> tuple[Situation, ...]:
    """What a document has rows for, in the order in which people look for it, and everything else."""
    named = {row.situation for row in document.irregularities}
    return tuple(each for each in Situation if each in named or each is Situation.NOT_COVERED)


def clauses_about(document: Document, situation: Situation) -> tuple[Clause, ...]:
    """The clauses of a situation."""
    rows = (row for row in document.irregularities if row.situation is situation)
    return tuple(dict.fromkeys(row.clause for row in rows if row.clause))


def possible(table: Table, document: Document) -> tuple[Situation, ...]:
    """What can have gone wrong as far as the table is: much is about cards that must have been dealt."""
    return tuple(each for each in situations_of(document) if can_be(table, each))


def can_be(table: Table, situation: Situation) -> bool:
    """Whether the table is far enough for a situation; a third card follows on four that lie open."""
    current, phase = table.round, table.phase
    if table.shoe is None:
        return False
    if situation in WITH_A_ROUND:
        return current is not None and phase is not Phase.SHUT
    if situation in UNAUTHORISED:
        return phase in (Phase.DEALING, Phase.OUTCOME) and current is not None and _all_open(current)
    return situation not in WITH_CARDS or (
        phase in (Phase.DEALING, Phase.OUTCOME) and current is not None and bool(current.cards)
    )


def _all_open(current: Round) -> bool:
    return len(current.cards) >= 4 and all(each.state is CardState.EXPOSED for each in current.cards)


def lead(
    rulebook: Rulebook, house: House, table: Table, told: Told, envelope: cmd.Envelope
) -> Question | Required | Refused:
    """The next question about what was told, or what the rulebook requires once nothing is left to ask."""
    desk = Desk(rulebook, house, table, envelope)
    if not can_be(table, told.situation):
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{table.phase.value}")
    fact = _fact(desk, told)
    if fact is not None:
        return Question(ask=fact)
    row = find_row(desk, told.report)
    assert isinstance(row, Irregularity)  # every fact that it turns on was asked for
    return _detail(desk, told, row) or _required(desk, told, row)


# the facts


def _fact(desk: Desk, told: Told) -> Ask | None:
    """The first fact that is not known, of those on which the rows turn that may still hold."""
    rows = [row for row in desk.document.irregularities if row.situation is told.situation]
    open_rows = [row for row in rows if _may_hold(desk, told, row)]
    named = {name for row in open_rows for name in circumstances(row)}
    for ask in FACTS:
        if CIRCUMSTANCES[ask] in named and not _known(desk, told, ask):
            return ask
    return None


def _may_hold(desk: Desk, told: Told, row: Irregularity) -> bool:
    unknown = {CIRCUMSTANCES[ask] for ask in FACTS if not _known(desk, told, ask)}
    return all(
        name in unknown or circumstance_of(desk, told.report, name) in allowed
        for name, allowed in circumstances(row).items()
    )


def _known(desk: Desk, told: Told, ask: Ask) -> bool:
    """Whether a fact was told, or the table knows it anyway."""
    if getattr(told, ask.value) is not None:
        return True
    if ask is Ask.PREVIOUS_ROUND:
        return desk.table.phase is Phase.IDLE
    seen = ask is Ask.SEEN and told.situation is Situation.BURN_FORGOTTEN
    return seen and bool(circumstance_of(desk, told.report, ask.value))


# what happened


def _detail(desk: Desk, told: Told, row: Irregularity) -> Question | None:
    situation, payment = told.situation, told.situation is Situation.WRONG_PAYMENT
    if situation in ABOUT_A_HAND and told.hand is None:
        return Question(ask=Ask.HAND)
    if situation in ABOUT_A_PATRON and told.patron is None:
        return Question(ask=Ask.PATRON, optional=not payment)
    if situation in ABOUT_AN_AMOUNT and told.amount is None:
        return Question(ask=Ask.AMOUNT, optional=not payment)
    return _cards(desk, told, row) if told.cards is None else None


def _cards(desk: Desk, told: Told, row: Irregularity) -> Question | None:
    """Which cards it is about: those drawn beside the others, or all of them in the order of drawing."""
    situation = told.situation
    laid_again = any(isinstance(each, ReconstructCards | DetermineCardOrder) for each in row.effects)
    if situation in ONE_CARD:
        optional, masked = situation not in UNAUTHORISED, told.seen is False
        return Question(ask=Ask.CARDS, optional=optional, least=1, most=1, masked=masked)
    if laid_again and situation in DRAWN_BESIDE:
        least, most = TOGETHER
        return Question(ask=Ask.CARDS, least=least, most=most, ordered=bool(told.order_known))
    if laid_again and situation in ABOUT_THE_ORDER:
        lying = len(desk.table.round.cards) if desk.table.round else 0
        least, most = OF_A_ROUND if situation is Situation.WRONG_NUMBER_OF_CARDS else (lying, lying)
        return Question(ask=Ask.CARDS, optional=True, least=least, most=most, ordered=True)
    return None


# what the rulebook requires


def _required(desk: Desk, told: Told, row: Irregularity) -> Required:
    answer = decide(desk.rulebook, desk.house, desk.table, cmd.Command(told.report, desk.envelope))
    voids = any(isinstance(effect, VoidRound) for effect in row.effects)
    when = tuple(
        Fact(name, tuple(_plain(value) for value in sorted(allowed, key=_order)))
        for name, allowed in circumstances(row).items()
    )
    return Required(
        situation=row.situation,
        covered=row in desk.document.irregularities,
        clause=row.clause,
        when=(*when, *((Fact("device", (row.device,)),) if row.device else ())),
        confirmed_by=desk.house.form.facts_confirmed_by if voids else None,
        steps=tuple(_step(desk, row, effect) for effect in row.effects),
        refused=answer.message if isinstance(answer, Refused) else None,
    )


def _order(value: object) -> str:
    """Members of an enum in the order in which it lists them, no before yes."""
    return f"{list(type(value)).index(value):02}" if isinstance(value, enum.Enum) else str(value)


def _plain(value: object) -> str | int | bool:
    if isinstance(value, enum.Enum):
        return str(value.value)
    assert isinstance(value, bool)
    return value


def _step(desk: Desk, row: Irregularity, effect: Effect) -> RequiredStep:
    return RequiredStep(
        effect=str(effect.__struct_config__.tag),
        says=effect_message(effect),
        clauses=effect_clauses(effect) or ((row.clause,) if row.clause else ()),
        by=_decider(desk, effect),
        choices=effect.presets if isinstance(effect, Refer) else (),
    )


def _decider(desk: Desk, effect: Effect) -> Decider | None:
    """Who decides an effect, or must be there; nobody where it follows by rule."""
    match effect:
        case Refer():
            grant = desk.document.authority.not_covered
            if grant is None:
                return Decider(post=desk.house.form.not_covered_decided_by, or_above=True)
            return Decider(post=grant.post, or_above=grant.or_above)
        case ReserveCards():
            return Decider(post=effect.in_presence_of, present=True)
        case ReplaceCards(need="may"):
            return Decider(post=desk.house.form.new_cards_decided_by, or_above=True)
        case OfferWithdrawal() | DetermineCardOrder() | FreeHand() | RemoveWagers() if effect.by:
            return Decider(post=effect.by, or_above=effect.or_above)
        case _:
            return None
