"""Exercises in ordinary dealing: entering cards, third cards, takes and pays, and payouts on odd stakes.

The engine deals a random round with odd stakes by its rulebook, so that every right answer is the engine's.
"""

import enum
import random
from collections.abc import Iterator

from msgspec import Struct

from thirdcard.cards import Card, Suit, parse_card
from thirdcard.game import events as ev
from thirdcard.game.limits import limit_of
from thirdcard.game.rounds import MOST_CARDS
from thirdcard.game.settlement import Result
from thirdcard.game.state import Hand, SettledWager
from thirdcard.messages import Message, message
from thirdcard.money import Currency, format_amount, parse_amount
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.training.faults import PATRONS, FaultWriter
from thirdcard.views.next_actions import NextStep, due_at
from thirdcard.views.why import why

SUIT_SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
ODD_STEPS = (1, 3, 5, 7, 9, 11, 13, 17)


class Skill(enum.StrEnum):
    """The skills of ordinary dealing."""

    ENTRY = "entry"
    THIRD_CARD = "third-card"
    TAKES_AND_PAYS = "takes-and-pays"
    PAYOUT = "payout"


class DealingQuestion(Struct, frozen=True):
    """A question about a round: its right answer, the clauses behind it, and why it is so."""

    skill: Skill
    asks: Message
    right: str
    clauses: tuple[str, ...] = ()
    why: Message | None = None

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
    for _ in range(rounds):
        found += _round(writer)
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
    yield DealingQuestion(Skill.ENTRY, message("train-ask.entry", cards=shown), faces)
    facts = writer.table.round.facts if writer.table.round else None
    assert facts is not None
    before = len(writer.player.events)
    writer.write(writer.dealer, f"calls {facts.winner.value}")
    for event in writer.player.events[before:]:
        if isinstance(event, ev.RoundSettled):
            for settled in event.wagers:
                yield from _settled(settled, faces, writer.house.currency)


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
    clauses = awaited.clauses if awaited and hand != "nobody" else ()
    lying = {each: " ".join(card.text for at, card in _dealt(writer) if at is each) for each in Hand}
    asks = message("train-ask.third-card", player=lying[Hand.PLAYER], banker=lying[Hand.BANKER])
    return DealingQuestion(Skill.THIRD_CARD, asks, hand, clauses)


def _dealt(writer: FaultWriter) -> list[tuple[Hand, Card]]:
    current = writer.table.round
    return [(each.hand, each.card) for each in (current.cards if current else ()) if each.card is not None]


def _settled(wager: SettledWager, faces: str, currency: Currency) -> Iterator[DealingQuestion]:
    """Ask whether a wager is taken, paid or left, and what is paid."""
    params = {"patron": wager.patron, "wager": wager.wager, "cards": faces}
    params["amount"] = format_amount(wager.stake, currency)
    right = {Result.WON.value: "pay", Result.LOST.value: "take"}.get(wager.result, "leave")
    reason = why(wager, currency)
    asks = message("train-ask.takes-and-pays", **params)
    yield DealingQuestion(Skill.TAKES_AND_PAYS, asks, right, wager.clauses, reason)
    if wager.result == Result.WON.value:
        paid = format_amount(wager.paid, currency)
        yield DealingQuestion(
            Skill.PAYOUT, message("train-ask.payout", **params), paid, wager.clauses, reason
        )
