"""Leads from "something is wrong" to the row of the rulebook: question by question, then what it requires.

The engine says what it knows of a report, what contradicts it and what it lacks: only that is asked.
"""

import datetime
import enum

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.folds.case_clause import row_clause
from thirdcard.game import commands as cmd
from thirdcard.game.case_cards import SET_ASIDE, UNAUTHORISED, cards_of_case
from thirdcard.game.desk import QueryDesk
from thirdcard.game.earlier_rounds import patrons_before
from thirdcard.game.irregularities.card_effects import next_to_burn
from thirdcard.game.irregularities.cases import is_entry_to_correct, refuse_report
from thirdcard.game.irregularities.claims import CHECKS, OF_ITS_ROUND, complete, contradiction
from thirdcard.game.irregularities.facts import facts_needed, missing_facts
from thirdcard.game.irregularities.limit_mistakes import wagers_outside
from thirdcard.game.irregularities.nobody_alone import needs_two_people, tells_for_the_dealer
from thirdcard.game.irregularities.rows import as_case, decisions, governing_row, needs_confirmation
from thirdcard.game.rounds import circumstance_of, may_be_paying
from thirdcard.game.state import CardState, Case, Hand, Phase, SettledWager
from thirdcard.messages import Message, message
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.deciders import decider_of
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import (
    Effect,
    Irregularity,
    Preset,
    Refer,
    Situation,
    circumstances,
    effect_clauses,
)
from thirdcard.rulebook.words import effect_message
from thirdcard.staff import Post
from thirdcard.views.sections.public import Fact

TOGETHER, OF_A_ROUND = (2, 6), (4, 6)  # cards at the least and at the most
WORDS = "words"  # stands for what is said in words with a report
MOST_AHEAD = 5  # a round has six cards, so that more of them lie before none that it could take


class Ask(enum.Enum):
    """The questions that can be asked; the first eight are answered with yes or no."""

    PAYING = "paying"
    RECONSTRUCTABLE = "reconstructable"
    ORDER_KNOWN = "order_known"
    VALUE_KNOWN = "value_known"
    SEEN = "seen"
    PREVIOUS_ROUND = "previous_round"
    UNDERPAID = "underpaid"
    DEALT = "dealt"
    HAND = "hand"
    PATRON = "patron"
    WAGER = "wager"
    AMOUNT = "amount"
    CARDS = "cards"
    AHEAD = "ahead"


ASKED_FACTS = (
    Ask.RECONSTRUCTABLE,
    Ask.ORDER_KNOWN,
    Ask.VALUE_KNOWN,
    Ask.SEEN,
    Ask.PREVIOUS_ROUND,
)
CIRCUMSTANCES = {ask: ask.value for ask in ASKED_FACTS} | {Ask.PREVIOUS_ROUND: "next_round_opened"}
# asked besides what the engine needs; cards, patrons and amounts may be left out
DETAILS: dict[Situation, tuple[Ask, ...]] = {
    Situation.NOT_DELIVERED: (Ask.HAND,),
    Situation.EXPOSED_IN_ERROR: (Ask.CARDS,),
    Situation.WRONG_DELIVERY: (Ask.PATRON, Ask.SEEN),
    Situation.WRONG_PAYMENT: (Ask.UNDERPAID,),
    Situation.CARDS_TOGETHER: (Ask.DEALT,),
    Situation.OLD_LIMIT_MISTAKE: (Ask.PATRON, Ask.AMOUNT),
    Situation.NOT_COVERED: (Ask.PATRON, Ask.AMOUNT, Ask.UNDERPAID),
    Situation.FACE_UP_CARD: (Ask.CARDS, Ask.AHEAD),
    Situation.EXPOSED_IN_MOVEMENT: (Ask.CARDS, Ask.AHEAD),
    Situation.NEXT_CARD_KNOWN: (Ask.CARDS,),
    Situation.PATRON_ABSENT: (Ask.CARDS,),
    Situation.PATRON_LEFT_WITH_CARDS: (Ask.CARDS,),
}
# what the table could only contradict by looking at wagers, which change too often while betting is open
ABOUT_LIMITS = (Situation.UNDER_MINIMUM, Situation.OVER_MAXIMUM, Situation.DIFFERENTIAL_EXCEEDED)


class ToldFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts that were told so far; nothing where it was not asked, empty where it was left out.

    A card is nothing where nobody knows its face.
    """

    situation: Situation
    paying: bool | None = None
    reconstructable: bool | None = None
    order_known: bool | None = None
    value_known: bool | None = None
    seen: bool | None = None
    previous_round: bool | None = None
    underpaid: bool | None = None
    dealt: bool | None = None
    hand: Hand | None = None
    patron: str | None = None
    wager: str | None = None
    position: int | None = None
    amount: int | None = None
    cards: tuple[Card | None, ...] | None = None
    ahead: int | None = None

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
            paying=bool(self.paying),
            underpaid=bool(self.underpaid),
            dealt=bool(self.dealt),
            hand=self.hand,
            patron=self.patron or None,
            wager=self.wager,
            position=self.position,
            amount=self.amount or 0,
            cards=self.cards or (),
            ahead=self.ahead or 0,
        )


class Question(Struct, frozen=True, kw_only=True, tag_field="type", tag="question"):
    """The next question; cards have a number, may be in the order of drawing, faces may be ``unknown``.

    The ``wagers`` are those of earlier rounds that it can be about.
    """

    ask: Ask
    optional: bool = False
    least: int = 0
    most: int = 0
    ordered: bool = False
    unknown: bool = False
    wagers: tuple[SettledWager, ...] = ()


class Decider(Struct, frozen=True, kw_only=True):
    """The post that decides, or must be there."""

    post: Post
    or_above: bool = False
    present: bool = False


class RequiredStep(Struct, frozen=True, kw_only=True):
    """An effect as it is said, its clauses, who decides it where somebody does, and among what.

    ``words`` say what each of the ``choices`` does in this case.
    """

    effect: str
    says: Message
    clauses: tuple[Clause, ...]
    by: Decider | None = None
    choices: tuple[str, ...] = ()
    words: tuple[Message, ...] = ()


class Required(Struct, frozen=True, kw_only=True, tag_field="type", tag="required"):
    """The requirements of the rulebook, step by step; ``refused`` is why it cannot be reported as things are.

    Without a row of the rulebook it is not ``covered``; ``confirmed_by`` must confirm the facts first. Where
    ``two_people`` must stand for the report, somebody else approves it. Some are taken only with ``words``.
    """

    situation: Situation
    covered: bool
    clause: Clause | None
    when: tuple[Fact, ...]
    confirmed_by: Post | None
    steps: tuple[RequiredStep, ...]
    two_people: bool = False
    words: bool = False
    refused: Message | None = None


def clauses_about(document: Document, situation: Situation) -> tuple[Clause, ...]:
    """The clauses of a situation."""
    rows = (row for row in document.irregularities if row.situation is situation)
    return tuple(dict.fromkeys(row.clause for row in rows if row.clause))


def possible(desk: QueryDesk) -> tuple[Situation, ...]:
    """Return the situations that are possible as far as the table is: the engine contradicts the rest."""
    return tuple(each for each in desk.document.situations if can_be(desk, each))


def can_be(desk: QueryDesk, situation: Situation) -> bool:
    """Whether the table is far enough for a situation."""
    if desk.table.phase is Phase.BETTING and situation in ABOUT_LIMITS:
        return True
    if situation not in CHECKS or desk.table.shoe is None:
        return desk.table.shoe is not None
    report = cmd.ReportIrregularity(situation=situation)
    if _cannot_be(desk, report) is None:
        return True
    if _is_paying(desk, report) or _is_dealt(desk, report):
        return True
    idle = desk.table.phase is Phase.IDLE  # nobody has said yet whether it was in the round before
    return not idle and situation not in OF_ITS_ROUND and _was_before(desk, report)


def _is_dealt(desk: QueryDesk, report: cmd.ReportIrregularity) -> bool:
    """Whether cards can have come together that were entered one by one, though no more can come now."""
    together = report.situation is Situation.CARDS_TOGETHER and not report.dealt
    return together and _cannot_be(desk, replace(report, dealt=True)) is None


def _is_paying(desk: QueryDesk, report: cmd.ReportIrregularity) -> bool:
    """Whether it can be in a round that lasts, because chips are still being taken and paid."""
    return may_be_paying(desk) and _cannot_be(desk, replace(report, paying=True)) is None


def _was_before(desk: QueryDesk, report: cmd.ReportIrregularity) -> bool:
    """Whether it can have been in the round before, of which nobody has said anything yet."""
    if desk.table.phase is Phase.IDLE:
        return False
    return _cannot_be(desk, replace(report, previous_round=True)) is None


def _cannot_be(desk: QueryDesk, report: cmd.ReportIrregularity) -> Refused | None:
    """Refuse what cannot be so, whatever is said about it in words."""
    if desk.table.shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    refused = contradiction(desk, replace(complete(desk, report), note=WORDS))
    return None if is_entry_to_correct(refused) else refused


def lead(
    desk: QueryDesk, told: ToldFacts, *, by: str, at: datetime.datetime
) -> Question | Required | Refused:
    """The next question about what was told, or what the rulebook requires once nothing is left to ask.

    Who asks, and when, decides only whether they may report it.
    """
    if told.paying is None and _differs_while_paying(desk, told.report):
        return Question(ask=Ask.PAYING)
    refused = _cannot_be(desk, told.report)
    if refused:
        before = told.previous_round is None and _was_before(desk, told.report)
        dealt = told.dealt is None and _is_dealt(desk, told.report)
        asks = Ask.PREVIOUS_ROUND if before else Ask.DEALT if dealt else None
        return Question(ask=asks) if asks else refused
    report = complete(desk, told.report)
    lacks = _lacks(missing_facts(desk, report))
    fact = _fact(desk, told) if lacks in (None, Ask.CARDS) else None  # the table knows more of a patron
    if fact is not None:
        return Question(ask=fact)
    if lacks is not None:
        return _question(desk, told, lacks)
    row = governing_row(desk, report)
    assert isinstance(row, Irregularity)  # every fact that it turns on was asked for
    question = _detail(desk, told, row)
    if question is not None:
        return question
    refused = None if desk.is_staff_at(by, at) else refuse(Refusal.NOT_STAFF)
    others = tells_for_the_dealer(desk.table, report) and not desk.deals_at(by, at)
    in_words = replace(told.report, note=WORDS)
    return _required(desk, told, row, refused or refuse_report(desk, in_words), by_two=others)


# the facts


def _differs_while_paying(desk: QueryDesk, report: cmd.ReportIrregularity) -> bool:
    """Whether another row holds, or one at all, while chips are still being taken and paid."""
    if not _is_paying(desk, report):
        return False
    settled, paying = (complete(desk, replace(report, paying=each)) for each in (False, True))
    return governing_row(desk, settled) != governing_row(desk, paying)


def _fact(desk: QueryDesk, told: ToldFacts) -> Ask | None:
    """The first fact that is not known, of those on which the rows turn that may still hold."""
    situation = complete(desk, told.report).situation
    rows = [row for row in desk.document.irregularities if row.situation is situation]
    unknown = {CIRCUMSTANCES[ask] for ask in ASKED_FACTS if not _known(desk, told, ask)}
    open_rows = [row for row in rows if _may_hold(desk, told, row, unknown)]
    named = {name for row in open_rows for name in circumstances(row)}
    return next((ask for ask in ASKED_FACTS if CIRCUMSTANCES[ask] in named & unknown), None)


def _may_hold(desk: QueryDesk, told: ToldFacts, row: Irregularity, unknown: set[str]) -> bool:
    report = complete(desk, told.report)
    return all(
        name in unknown or circumstance_of(desk, report, name) in allowed
        for name, allowed in circumstances(row).items()
    )


def _known(desk: QueryDesk, told: ToldFacts, ask: Ask) -> bool:
    """Whether a fact was told, the table knows it, or telling it changes nothing."""
    report, name = complete(desk, told.report), CIRCUMSTANCES[ask]
    if getattr(told, ask.value) is not None or circumstance_of(desk, report, name) is True:
        return True
    yes, no = (
        circumstance_of(desk, replace(told, **{ask.value: each}).report, name) for each in (True, False)
    )
    return yes == no


# what happened


def _lacks(refused: Refused | None) -> Ask | None:
    """The first fact that the engine lacks, where it is facts that it lacks."""
    if refused is None or refused.reason is not Refusal.FACTS_NEEDED:
        return None
    return Ask(str(dict(refused.params)["facts"]).split(", ")[0])


def _detail(desk: QueryDesk, told: ToldFacts, row: Irregularity) -> Question | None:
    lacks = _lacks(facts_needed(desk, row, complete(desk, told.report)))
    if lacks is not None:
        return _question(desk, told, lacks)
    for ask in DETAILS.get(told.situation, ()):
        if getattr(told, ask.value) is None and _is_of_use(desk, told, ask):
            optional = ask not in (Ask.HAND, Ask.SEEN, Ask.UNDERPAID, Ask.DEALT)
            return replace(_question(desk, told, ask), optional=optional)
    return None


def _is_of_use(desk: QueryDesk, told: ToldFacts, ask: Ask) -> bool:
    if ask is Ask.AHEAD:
        return bool(told.cards)
    if told.situation is Situation.NOT_COVERED:  # it may be a payment of a round before the last
        before = patrons_before(desk.table.stakes, desk.table.settled_round)
        return bool(before and {Ask.PATRON: before, Ask.AMOUNT: told.patron}.get(ask, told.amount))
    if ask is Ask.DEALT:
        return _cannot_be(desk, replace(told, dealt=True).report) is None
    if ask is Ask.CARDS and told.situation in (Situation.PATRON_ABSENT, Situation.PATRON_LEFT_WITH_CARDS):
        return told.value_known is not False and _unnamed(desk, told) > 0
    if ask is Ask.SEEN or told.situation is Situation.EXPOSED_IN_ERROR:
        return _closed(desk, told) > 0
    return True


def _closed(desk: QueryDesk, told: ToldFacts) -> int:
    """How many cards of a hand do not lie open."""
    current, hand = desk.table.round, complete(desk, told.report).hand
    cards = current.cards if current else ()
    return sum(each.hand is hand and each.state is not CardState.EXPOSED for each in cards)


def _unnamed(desk: QueryDesk, told: ToldFacts) -> int:
    """How many cards lie with a patron whose faces nobody has told, if they are of one hand."""
    current, patron = desk.table.round, complete(desk, told.report).patron
    hands = [each.hand for each in current.holdings if each.patron == patron] if current else []
    cards = [each.card for each in current.cards if each.hand in hands] if current else []
    return len(cards) if len(hands) == 1 and None in cards else 0


def _question(desk: QueryDesk, told: ToldFacts, ask: Ask) -> Question:
    if ask is Ask.AHEAD:
        return Question(ask=ask, most=MOST_AHEAD)
    if ask is Ask.WAGER and told.situation is Situation.OLD_LIMIT_MISTAKE:
        return Question(ask=ask, wagers=wagers_outside(desk, told.report))
    return _cards(desk, told) if ask is Ask.CARDS else Question(ask=ask)


def _cards(desk: QueryDesk, told: ToldFacts) -> Question:
    """Return the question for the cards: those that came out, or all of them in the order of drawing."""
    match told.situation:
        case Situation.CARDS_TOGETHER:
            least, most = TOGETHER
            return _asked_for(least, most, ordered=bool(told.order_known), unknown=True)
        case Situation.WRONG_NUMBER_OF_CARDS:
            least, most = OF_A_ROUND
            return _asked_for(least, most, ordered=True, unknown=True)
        case Situation.WRONG_ORDER | Situation.MISDEAL:
            lying = len(desk.table.round.cards) if desk.table.round else 0
            return _asked_for(lying, lying, ordered=True, unknown=True)
        case Situation.PATRON_ABSENT | Situation.PATRON_LEFT_WITH_CARDS:
            count = _unnamed(desk, told)
            return _asked_for(count, count, ordered=True)
        case Situation.EXPOSED_IN_ERROR:
            return _asked_for(1, _closed(desk, told), ordered=True, unknown=True)
        case _:
            return _asked_for(1, 1, unknown=told.situation in UNAUTHORISED)


def _asked_for(least: int, most: int, *, ordered: bool = False, unknown: bool = False) -> Question:
    return Question(ask=Ask.CARDS, least=least, most=most, ordered=ordered, unknown=unknown)


# what the rulebook requires


def _required(
    desk: QueryDesk, told: ToldFacts, row: Irregularity, refused: Refused | None, *, by_two: bool
) -> Required:
    """Return what the row requires: the document's, or a referral where its effects cannot be carried out."""
    report = complete(desk, told.report)
    bare = contradiction(desk, report)
    corrects = is_entry_to_correct(bare)
    when = tuple(
        Fact(name, tuple(_plain(value) for value in sorted(allowed, key=_order)))
        for name, allowed in circumstances(row).items()
    )
    begins = desk.table.phase in (Phase.BETTING, Phase.CLOSED) and bool(told.cards)
    under_way = report.dealt or (begins and told.situation in SET_ASIDE)
    confirmed = needs_confirmation(desk, row, under_way=under_way)
    amount = told.amount if told.situation is Situation.NOT_COVERED else None  # booked as two people tell it
    return Required(
        situation=row.situation,
        covered=row in desk.document.irregularities,
        clause=row.clause,
        when=(*when, *((Fact("device", (row.device,)),) if row.device else ())),
        confirmed_by=desk.house.form.facts_confirmed_by if confirmed else None,
        steps=tuple(_step(desk, row, effect, as_case(report)) for effect in row.effects),
        two_people=refused is None
        and (by_two or corrects or bool(amount) or needs_two_people(desk, row, report)),
        words=report.situation is Situation.NOT_COVERED or (bare is not None and not corrects),
        refused=refused.message if refused else None,
    )


def _order(value: object) -> str:
    """Members of an enum in the order in which it lists them, no before yes."""
    return f"{list(type(value)).index(value):02}" if isinstance(value, enum.Enum) else str(value)


def _plain(value: object) -> str | int | bool:
    if isinstance(value, enum.Enum):
        return str(value.value)
    assert isinstance(value, bool)
    return value


def _step(desk: QueryDesk, row: Irregularity, effect: Effect, case: Case) -> RequiredStep:
    choices = _choices(desk, effect, case) if isinstance(effect, Refer) else ()
    return RequiredStep(
        effect=str(effect.__struct_config__.tag),
        says=effect_message(effect),
        clauses=effect_clauses(effect) or _given(row_clause(desk.document, row)),
        by=_decider(desk, effect),
        choices=choices,
        words=tuple(choice_words(desk, case, choices).values()),
    )


def _choices(desk: QueryDesk, effect: Refer, case: Case) -> tuple[str, ...]:
    """Return what a post can decide in a case as it is told: first what is usual, then everything else."""
    able = decisions(desk, case)
    return tuple(dict.fromkeys((*(each for each in effect.presets if each in able), *able)))


def _decider(desk: QueryDesk, effect: Effect) -> Decider | None:
    """Return the post that decides an effect, or must be there; nothing where it follows by rule."""
    found = decider_of(effect, desk.document.authority.not_covered)
    if found is None:
        return None
    or_above = found.grant is None or found.grant.or_above
    return Decider(post=found.post_at(desk.house.form), or_above=or_above, present=found.present)


def _given(clause: Clause | None) -> tuple[Clause, ...]:
    return (clause,) if clause else ()


# the words of decisions

# decisions that are about all cards of a case
CARD_CHOICES = (Preset.PLAY_CARD, Preset.BURN_CARD, Preset.KEEP_AS_NEXT_CARD)


def choice_words(desk: QueryDesk, case: Case, choices: tuple[str, ...]) -> dict[str, Message]:
    """Return what each decision does in a case: to its own cards, or to the next ones where it has none."""
    return {each: _choice_message(desk, case, each) for each in choices}


def _choice_message(desk: QueryDesk, case: Case, choice: str) -> Message:
    cards = cards_of_case(desk.table, case)
    if choice == Preset.BURN_CARD and cards.pile is None:
        count = next_to_burn(desk, case)
        return message("ruling.burn-next-card" if count == 1 else "ruling.burn-next-cards", cards=count)
    own = len(cards.places) or len(case.cards)  # a report sets its cards aside
    return message(f"preset.{choice}-all" if choice in CARD_CHOICES and own > 1 else f"preset.{choice}")
