"""Payments and claims by decisions, counted against what was settled: nothing is paid or taken twice."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thirdcard.auditor.bodies import (
    Body,
    ClaimBooked,
    PaymentClaimed,
    PaymentCorrected,
    RoundBegan,
    RoundEnded,
    RoundSettled,
    RoundVoided,
    RulingMade,
    SettlementReversed,
    ShoeLoaded,
    WrongPaymentFound,
)
from thirdcard.auditor.wager_bodies import HeldMoneyDecided, ReturnedLine, SettledLine

WRONG_PAYMENT = "wrong-payment"
# what lapses when a settlement is made again: claims on patrons, and payments to them
CLAIM, PAYMENT = "claim", "payment"


class Booked(NamedTuple):
    """An amount that was booked for a patron beside the settlement of a round."""

    round: int
    patron: str
    amount: int


class WrongAmount(NamedTuple):
    """An amount that was booked otherwise than it can be; ``key`` is what is wrong with it."""

    key: str
    patron: str
    recorded: int
    recounted: int


class DecidedPayments:
    """What patrons were given in the last two rounds, and what was found, paid and claimed beside that."""

    def __init__(self) -> None:
        self._round = self._settled = 0
        self._given: Counter[str] = Counter()
        self._last: Counter[str] = Counter()
        self._undone: Counter[str] | None = None
        self._kept: dict[int, set[str]] = {}  # rounds of this shoe before the last, and who got something
        self._patrons: set[str] = set()
        self._mistakes: list[Booked] = []
        self._paid: list[Booked] = []
        self._made_good: list[Booked] = []
        self._claimed: list[Booked] = []
        self._told: Counter[str] = Counter()
        self._lapses: Counter[tuple[str, str]] = Counter()

    def take(self, body: Body, situation: str | None) -> list[WrongAmount]:
        """Take in what moves money, given the situation of the case under way; says what is wrong."""
        if isinstance(body, ClaimBooked):
            return []
        if isinstance(body, WrongPaymentFound | PaymentCorrected | PaymentClaimed):
            return list(self._book(body, situation))
        wrong = [
            WrongAmount("finding.lapsed", patron, 0, due) for (_, patron), due in self._lapses.items() if due
        ]
        self._lapses.clear()
        match body:
            case RoundBegan():
                self._begin(body.number)
            case ShoeLoaded():
                self._kept.clear()
            case RoundSettled():
                self._settle(_given_by(body.wagers))
            case SettlementReversed():
                self._undone, self._given = _given_by(body.wagers), Counter()
                self._settled = self._round - 1
            case RoundVoided():
                self._void(body)
            case RoundEnded():
                self._settled = self._round
            case RulingMade():
                self._told.clear()
            case HeldMoneyDecided() if body.settled is not None:
                self._given[body.patron] += body.settled.back + body.settled.paid
            case _:
                pass
        return wrong

    def is_lapse(self, body: WrongPaymentFound | PaymentCorrected | PaymentClaimed) -> bool:
        """Whether a body says that something lapses by a settlement that was made again."""
        if isinstance(body, PaymentClaimed):
            return body.amount < 0
        due = self._lapses[PAYMENT, body.patron]
        return isinstance(body, PaymentCorrected) and 0 < body.amount == due

    def _begin(self, number: int) -> None:
        """Begin a round: what was booked for those before the last one is counted no more."""
        if number == self._round:
            return
        if self._round:
            self._kept[self._round] = self._patrons
        self._last, self._given, self._undone, self._patrons = self._given, Counter(), None, set()
        for each in (self._mistakes, self._paid, self._made_good, self._claimed):
            each[:] = [one for one in each if one.round == self._round]
        self._round = number

    def _settle(self, given: Counter[str]) -> None:
        self._settled = self._round
        self._patrons |= given.keys()
        if self._undone is not None:
            self._expect_lapses(self._undone, given)
        self._given, self._undone = given, None

    def _void(self, body: RoundVoided) -> None:
        self._settled = self._round
        before = self._undone if self._undone is not None else _given_by(body.reversed)
        stakes: Counter[str] = Counter()
        lines: tuple[ReturnedLine | SettledLine, ...] = (*body.returned, *body.reversed)
        for each in lines:
            stakes[each.patron] += 0 if each.held else each.stake - each.pulled
        self._expect_lapses(before, stakes, void=True)
        self._given, self._undone = Counter(), None

    def _expect_lapses(self, before: Counter[str], given: Counter[str], *, void: bool = False) -> None:
        """What was claimed of the outcome before and is taken now lapses, and what was paid and is now."""
        for patron in {each.patron for each in (*self._claimed, *self._paid)}:
            paid = self._sum(self._paid, patron)
            beside = paid + self._sum((each for each in self._mistakes if each.amount > 0), patron)
            claimed = self._sum(self._claimed, patron) - max(beside, 0)
            less = before[patron] - given[patron]
            self._lapses[CLAIM, patron] = max(claimed if void else min(claimed, less), 0)
            self._lapses[PAYMENT, patron] = max(min(paid, -less), 0)

    def _sum(self, booked: Iterable[Booked], patron: str) -> int:
        """What was booked for a patron of the round that was settled last."""
        told = (self._settled, patron)
        return sum(each.amount for each in booked if (each.round, each.patron) == told)

    def _book(
        self, body: WrongPaymentFound | PaymentCorrected | PaymentClaimed, situation: str | None
    ) -> Iterator[WrongAmount]:
        booked = Booked(self._settled, body.patron, body.amount)
        match body:
            case WrongPaymentFound():
                yield from self._find(booked, situation)
            case PaymentClaimed() if body.amount < 0:
                yield from self._lapse(CLAIM, body.patron, -body.amount)
                self._claimed.append(booked)
            case PaymentClaimed():
                yield from self._claim(booked, situation)
            case _ if self.is_lapse(body):
                self._lapses[PAYMENT, body.patron] = 0
                self._paid.append(booked._replace(amount=-body.amount))
            case _:
                good = booked in self._mistakes
                if good:
                    self._mistakes.remove(booked)
                if body.amount < 0:
                    (self._made_good if good else self._paid).append(booked._replace(amount=-body.amount))

    def _lapse(self, kind: str, patron: str, amount: int) -> Iterator[WrongAmount]:
        due = self._lapses.pop((kind, patron), 0)
        if due != amount:
            yield WrongAmount("finding.lapsed", patron, amount, due)

    def _find(self, booked: Booked, situation: str | None) -> Iterator[WrongAmount]:
        """Book what was paid by mistake, or too little: the same is not found twice."""
        if booked.amount < 0:
            due = (self._given if self._settled == self._round else self._last)[booked.patron]
            lacking = self._sum((each for each in self._mistakes if each.amount < 0), booked.patron)
            most = due + lacking - self._sum(self._made_good, booked.patron)
            if -booked.amount > most:
                yield WrongAmount("finding.found", booked.patron, -booked.amount, max(most, 0))
        elif situation == WRONG_PAYMENT and booked in self._mistakes:
            yield WrongAmount("finding.found", booked.patron, booked.amount, 0)
        else:
            self._told[booked.patron] += booked.amount
        self._patrons.add(booked.patron)
        self._mistakes.append(booked)

    def _claim(self, booked: Booked, situation: str | None) -> Iterator[WrongAmount]:
        """Book a claim: of what the patron was given and nobody has claimed, as far as that is known."""
        patron, told = booked.patron, self._told[booked.patron]
        found = sum(each.amount for each in self._mistakes if each.amount > 0 and each.patron == patron)
        paid = sum(each.amount for each in (*self._paid, *self._made_good) if each.patron == patron)
        claimed = sum(each.amount for each in self._claimed if each.patron == patron)
        given = self._given[patron] + self._last[patron]
        most = max(given + found - told + paid - claimed, 0) + told
        if booked.amount > most and (situation == WRONG_PAYMENT or self._knows_all(patron)):
            yield WrongAmount("finding.claimed", patron, booked.amount, most)
        self._claimed.append(booked)

    def _knows_all(self, patron: str) -> bool:
        """Whether the patron got nothing before the last two rounds, all of which are of this shoe."""
        older = range(1, self._round - 1)
        return all(number in self._kept and patron not in self._kept[number] for number in older)


def _given_by(lines: Iterable[SettledLine]) -> Counter[str]:
    """What a settlement hands to each patron; of a wager that is held, nothing."""
    given: Counter[str] = Counter()
    for each in lines:
        given[each.patron] += 0 if each.held else each.back + each.paid
    return given
