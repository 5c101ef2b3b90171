"""Exercises in ordinary dealing: entering cards, third cards, takes and pays, and payouts on odd stakes.

The engine deals a random round with odd stakes by its rulebook, so that every right answer is the engine's.
"""

import enum
import random
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.cards import Card, Suit, parse_card
from thirdcard.game import events as ev
from thirdcard.game.limits import limit_of
from thirdcard.game.outcome import next_draw, point_total
from thirdcard.game.rounds import MOST_CARDS
from thirdcard.game.settlement import Result
from thirdcard.game.state import Hand, SettledWager
from thirdcard.messages import Message, message
from thirdcard.money import Currency, format_amount, parse_amount
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.table_of_play import Draws, Natural
from thirdcard.training.faults import PATRONS, FaultWriter
from thirdcard.views.next_actions import NextStep, due_at
from thirdcard.views.why import why

SUIT_SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
USUAL_ROUNDS, MOST_ROUNDS = 5, 20  # of an exercise: a shoe has cards for some 70
ODD_STEPS = (1, 3, 5, 7, 9, 11, 13, 17)


class Skill(enum.StrEnum):
    """The skills of ordinary dealing."""

    ENTRY = "entry"
    THIRD_CARD = "third-card"
    TAKES_AND_PAYS = "takes-and-pays"
    PAYOUT = "payout"


# the answers to choose among, each told by its first letter
ANSWER_CHOICES = {
    Skill.THIRD_CARD: (Hand.PLAYER.value, Hand.BANKER.value, "nobody"),
    Skill.TAKES_AND_PAYS: ("pay", "take", "leave"),
}


class DealtFace(Struct, frozen=True):
    """A card of a round, and the hand at which it lies."""

    hand: Hand
    card: Card


class QuestionedStake(Struct, frozen=True):
    """The stake that a question is about, in minor units."""

    patron: str
    wager: str
    amount: int


class DealingQuestion(Struct, frozen=True):
    """A question about a round: its right answer, the clauses behind it, and why it is so.

    ``dealt`` are the cards that lie there, in the order in which they came out.
    """

    skill: Skill
    asks: Message
    right: str
    clauses: tuple[str, ...] = ()
    why: Message | None = None
    dealt: tuple[DealtFace, ...] = ()
    stake: QuestionedStake | None = None
    round_number: int = 1

    def is_answer(self, answer: str, currency: Currency) -> bool:
        """Whether a text answers the question, rightly or not."""
        said = answer.strip().casefold()
        match self.skill:
            case Skill.ENTRY:
                cards = _cards(said)
                return bool(cards) and None not in cards
            case Skill.PAYOUT:
                return parse_amount(said, currency) is not None
            case _:
                return bool(said) and any(each.startswith(said) for each in ANSWER_CHOICES[self.skill])

    def is_right(self, answer: str, currency: Currency) -> bool:
        """Whether an answer is right, however it is typed."""
        said = answer.strip().casefold()
        match self.skill:
            case Skill.ENTRY:
                return _cards(said) == _cards(self.right)
            case Skill.PAYOUT:
                return parse_amount(said, currency) == parse_amount(self.right, currency)
            case _:
                return bool(said) and self.right.startswith(said)


def _cards(text: str) -> list[Card | None]:
    return [parse_card(each) for each in text.split()]


class ExerciseAnswer(Struct, frozen=True):
    """An answer to a question of an exercise, whether it was right, and the seconds that it took."""

    question: DealingQuestion
    answer: str
    right: bool
    seconds: float


def exercise_by_seed(rulebook: Rulebook, house: House, seed: int, rounds: int) -> tuple[DealingQuestion, ...]:
    """Return the questions about so many random rounds that a seed stands for."""
    chance = random.Random(seed)
    writer = FaultWriter(rulebook, house, chance, ("automatic expose",))
    found: list[DealingQuestion] = []
    for number in range(1, rounds + 1):
        found += (replace(each, round_number=number) for each in _round(writer))
    return tuple(found)


def _round(writer: FaultWriter) -> Iterator[DealingQuestion]:
    """Deal a round with odd stakes, and ask about it on the way."""
    writer.write(writer.dealer, "opens betting")
    for name in PATRONS:
        for wager in writer.chance.sample(tuple(writer.rulebook.wagers), 2):
            _place(writer, name, wager)
    writer.write(writer.dealer, "closes betting")
    cards: list[Card] = []
    for number in range(MOST_CARDS):
        if number >= 4:
            yield _third_card(writer)
        if writer.due is not NextStep.CARD:
            break
        cards.append(writer.card())
        writer.write(writer.dealer, f"draws {cards[-1].text}")
    faces = " ".join(each.text for each in cards)
    shown = " ".join(f"{each.rank.text}{SUIT_SIGNS[each.suit]}" if each.suit else each.text for each in cards)
    yield DealingQuestion(Skill.ENTRY, message("train-ask.entry", cards=shown), faces, dealt=_dealt(writer))
    facts = writer.table.round.facts if writer.table.round else None
    assert facts is not None
    before, dealt = len(writer.player.events), _dealt(writer)
    writer.write(writer.dealer, f"calls {facts.winner.value}")
    for event in writer.player.events[before:]:
        if isinstance(event, ev.RoundSettled):
            for settled in event.wagers:
                yield from _settled(settled, dealt, writer.house.currency)


def _place(writer: FaultWriter, name: str, wager: str) -> None:
    """Place an odd stake within the limits, in the smallest chip of the house."""
    limit = limit_of(writer.table, wager)
    least = writer.house.unit
    step = max(least, limit.minimum // 10 // least * least)
    stake = min(limit.minimum + step * writer.chance.choice(ODD_STEPS), limit.maximum)
    writer.write(name, f"{format_amount(stake, writer.house.currency)} on {wager}{writer.at(name)}")


def _third_card(writer: FaultWriter) -> DealingQuestion:
    """Ask whose card comes next, if any."""
    awaited = due_at(writer.rulebook, writer.house, writer.table).awaited
    hand = awaited.hand.value if awaited and awaited.step is NextStep.CARD and awaited.hand else "nobody"
    dealt = _dealt(writer)
    player, banker = _hand(dealt, Hand.PLAYER), _hand(dealt, Hand.BANKER)
    turn = next_draw(writer.rulebook, player, banker)
    clauses = (writer.rulebook.document.table_of_play.clause, turn.clause)
    lying = {
        "player": " ".join(each.text for each in player),
        "banker": " ".join(each.text for each in banker),
    }
    params = {"player": point_total(player[:2]), "banker": point_total(banker[:2])}
    if len(banker) > 2:
        reason = message("train-why.all-dealt")
    elif isinstance(turn, Natural):
        reason = message("train-why.natural", **params)
    elif len(player) > 2:
        drawn = "train-why.banker-draws" if isinstance(turn, Draws) else "train-why.banker-stands"
        reason = message(drawn, banker=params["banker"], third=player[2].rank.point_value)
    elif isinstance(turn, Draws):
        reason = message("train-why.draws", hand=f"@hand.{turn.hand.value}", **params)
    else:
        reason = message("train-why.stand", **params)
    asks = message("train-ask.third-card", **lying)
    return DealingQuestion(Skill.THIRD_CARD, asks, hand, clauses, reason, dealt)


def _dealt(writer: FaultWriter) -> tuple[DealtFace, ...]:
    current = writer.table.round
    cards = current.cards if current else ()
    return tuple(DealtFace(each.hand, each.card) for each in cards if each.card is not None)


def _hand(dealt: tuple[DealtFace, ...], hand: Hand) -> tuple[Card, ...]:
    return tuple(each.card for each in dealt if each.hand is hand)


def _settled(
    wager: SettledWager, dealt: tuple[DealtFace, ...], currency: Currency
) -> Iterator[DealingQuestion]:
    """Ask whether a wager is taken, paid or left, and what is paid."""
    params = {"patron": wager.patron, "wager": wager.wager}
    params["cards"] = " ".join(each.card.text for each in dealt)
    params["amount"] = format_amount(wager.stake, currency)
    stake = QuestionedStake(wager.patron, wager.wager, wager.stake)
    right = {Result.WON.value: "pay", Result.LOST.value: "take"}.get(wager.result, "leave")
    reason = why(wager, currency)
    asks = message("train-ask.takes-and-pays", **params)
    yield DealingQuestion(Skill.TAKES_AND_PAYS, asks, right, wager.clauses, reason, dealt, stake)
    if wager.result == Result.WON.value:
        paid, asks = format_amount(wager.paid, currency), message("train-ask.payout", **params)
        yield DealingQuestion(Skill.PAYOUT, asks, paid, wager.clauses, reason, dealt, stake)
