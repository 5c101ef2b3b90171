"""Payments and claims by decisions, counted against what was settled: nothing is paid or taken twice."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thirdcard.auditor.bodies import (
    Body,
    ClaimBooked,
    PaymentClaimed,
    PaymentCorrected,
    ReportedCase,
    RoundBegan,
    RoundEnded,
    RoundSettled,
    RoundVoided,
    RulingMade,
    SettlementReversed,
    WrongPaymentFound,
)
from thirdcard.auditor.dispute_bodies import (
    AwardPaid,
    AwardSetOff,
    ComplaintAnswered,
    DisputeDecided,
    DisputeEscalated,
    DisputeOpened,
)
from thirdcard.auditor.wager_bodies import HeldMoneyDecided, ReturnedLine, SettledLine

WRONG_PAYMENT, OLD_LIMIT_MISTAKE = "wrong-payment", "old-limit-mistake"
# what lapses when a settlement is made again: claims on patrons, payments to them, and unpaid awards
CLAIM, PAYMENT, AWARD = "claim", "payment", "award"


class Booked(NamedTuple):
    """An amount that was booked for a patron beside the settlement of a round."""

    round: int
    patron: str
    amount: int


class Award(NamedTuple):
    """An amount that a dispute about a round has awarded to a patron, and nobody has paid."""

    round: int
    patron: str
    unpaid: int = 0


class WrongAmount(NamedTuple):
    """An amount that was booked otherwise than it can be; ``key`` is what is wrong with it."""

    key: str
    patron: str
    recorded: int
    recounted: int


class DecidedPayments:
    """The amounts that patrons were given, and those found, paid and claimed beside in two rounds."""

    def __init__(self) -> None:
        self._round = self._settled = 0
        self._given: Counter[str] = Counter()
        self._last: Counter[str] = Counter()
        self._undone: Counter[str] | None = None
        self._lines: frozenset[int] = frozenset()  # wagers that the round has settled
        self._last_lines: frozenset[int] = frozenset()
        self._older: Counter[str] = Counter()  # of rounds before the last two, without what was claimed
        self._put_right: list[Booked] = []
        self._mistakes: list[Booked] = []
        self._paid: list[Booked] = []
        self._made_good: list[Booked] = []
        self._claimed: list[Booked] = []
        self._awards: dict[int, Award] = {}
        self._told: Counter[str] = Counter()
        self._lapses: Counter[tuple[str, str]] = Counter()

    def take(self, body: Body, case: ReportedCase | None) -> list[WrongAmount]:
        """Take in what moves money, given the case under way; says what is wrong."""
        if isinstance(body, ClaimBooked):
            return []
        if isinstance(body, WrongPaymentFound | PaymentCorrected | PaymentClaimed):
            return list(self._book(body, case))
        if isinstance(body, AwardSetOff):
            return list(self._set_off(body))
        wrong = [
            WrongAmount("finding.lapsed", patron, 0, due) for (_, patron), due in self._lapses.items() if due
        ]
        self._lapses.clear()
        match body:
            case RoundBegan():
                self._begin(body.number)
            case RoundSettled():
                self._lines = frozenset(each.id for each in body.wagers)
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
            case DisputeOpened() | DisputeEscalated() | DisputeDecided() | ComplaintAnswered() | AwardPaid():
                self._award(body)
            case HeldMoneyDecided() if body.settled is not None:
                self._given_of(body.settled)[body.patron] += body.settled.back + body.settled.paid
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
        self._older.update(self._last)
        self._last, self._given, self._undone = self._given, Counter(), None
        self._last_lines, self._lines = self._lines, frozenset()
        for each in (self._mistakes, self._put_right, self._paid, self._made_good, self._claimed):
            if each is not self._put_right:
                self._add_older(each, claimed=each is self._claimed, found=each is self._mistakes)
            each[:] = [one for one in each if one.round == self._round]
        self._round = number

    def _add_older(self, booked: list[Booked], *, claimed: bool, found: bool) -> None:
        """Add up what was booked for rounds before the last one; what was found lacking gave nothing."""
        for each in (one for one in booked if one.round != self._round):
            amount = max(each.amount, 0) if found else each.amount
            self._older[each.patron] += -amount if claimed else amount

    def _given_of(self, line: SettledLine) -> Counter[str]:
        """Return what was given by the round that settled a wager, to which what was held of it is added."""
        if line.id in self._lines:
            return self._given
        return self._last if line.id in self._last_lines else self._older

    def _settle(self, given: Counter[str]) -> None:
        self._settled = self._round
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
        self._given, self._undone = stakes, None

    def _expect_lapses(self, before: Counter[str], given: Counter[str], *, void: bool = False) -> None:
        """Expect claims of the outcome before to lapse if taken now, and payments if paid now."""
        awarded = Counter[str]()
        for each in (one for one in self._awards.values() if one.round == self._settled):
            awarded[each.patron] += each.unpaid
        for patron in {*awarded, *(each.patron for each in (*self._claimed, *self._paid))}:
            paid = self._sum(self._paid, patron)
            beside = paid + self._sum((each for each in self._mistakes if each.amount > 0), patron)
            claimed = self._sum(self._claimed, patron) - max(beside, 0)
            less = before[patron] - given[patron]
            self._lapses[CLAIM, patron] = max(claimed if void else min(claimed, less), 0)
            self._lapses[PAYMENT, patron] = max(min(paid, -less), 0)
            left = -less - self._lapses[PAYMENT, patron]
            self._lapses[AWARD, patron] = max(min(awarded[patron], left), 0)

    def _award(
        self, body: DisputeOpened | DisputeEscalated | DisputeDecided | ComplaintAnswered | AwardPaid
    ) -> None:
        """Take in what a dispute awards and pays, of the round that it is about."""
        if isinstance(body, DisputeOpened):
            self._awards[body.id] = Award(body.round or 0, body.patron)
            return
        award = self._awards[body.id]
        match body:
            case AwardPaid():
                more = -body.amount
                if award.round:
                    self._paid.append(Booked(award.round, body.patron, body.amount))
            case DisputeEscalated():
                more = -body.lapsed
            case ComplaintAnswered():
                more = body.award - body.lapsed
            case _:
                more = body.award
        self._awards[body.id] = award._replace(unpaid=award.unpaid + more)

    def _set_off(self, body: AwardSetOff) -> Iterator[WrongAmount]:
        """Take in that an award lapses: only as far as the round gives the patron more."""
        due, award = self._lapses[AWARD, body.patron], self._awards[body.id]
        if body.amount > min(due, award.unpaid) or award.round != self._settled:
            yield WrongAmount("finding.lapsed", body.patron, body.amount, due)
        self._lapses[AWARD, body.patron] = max(due - body.amount, 0)
        self._awards[body.id] = award._replace(unpaid=award.unpaid - body.amount)

    def _sum(self, booked: Iterable[Booked], patron: str, number: int | None = None) -> int:
        """Return what was booked for a patron of a round, or else of the one that was settled last."""
        told = (number or self._settled, patron)
        return sum(each.amount for each in booked if (each.round, each.patron) == told)

    def _book(
        self, body: WrongPaymentFound | PaymentCorrected | PaymentClaimed, case: ReportedCase | None
    ) -> Iterator[WrongAmount]:
        situation = case.situation if case else None
        number = case.round if case else None  # a case is also decided once the next round is over
        earlier = number if situation == OLD_LIMIT_MISTAKE or number == self._round - 1 else None
        booked = Booked(earlier or self._settled, body.patron, body.amount)
        match body:
            case WrongPaymentFound(mistaken=True):
                told = (body.patron, -body.amount)
                same = (each for each in self._mistakes if (each.patron, each.amount) == told)
                for each in [*same][-1:]:
                    self._mistakes.remove(each)
            case WrongPaymentFound() if situation == OLD_LIMIT_MISTAKE:
                self._told[body.patron] += max(body.amount, 0)
                self._mistakes.append(booked)
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
                    self._put_right.append(booked)
                if body.amount < 0:
                    (self._made_good if good else self._paid).append(booked._replace(amount=-body.amount))

    def _lapse(self, kind: str, patron: str, amount: int) -> Iterator[WrongAmount]:
        due = self._lapses.pop((kind, patron), 0)
        if due != amount:
            yield WrongAmount("finding.lapsed", patron, amount, due)

    def _find(self, booked: Booked, situation: str | None) -> Iterator[WrongAmount]:
        """Book what was paid by mistake, or too little: the same is not found twice."""
        if booked.amount < 0:
            due = (self._given if booked.round == self._round else self._last)[booked.patron]
            found = (each for each in self._mistakes if each.amount < 0)
            lacking = self._sum(found, booked.patron, booked.round)
            most = due + lacking - self._sum(self._made_good, booked.patron, booked.round)
            if -booked.amount > most:
                yield WrongAmount("finding.found", booked.patron, -booked.amount, max(most, 0))
        elif situation == WRONG_PAYMENT and booked in (*self._mistakes, *self._put_right):
            yield WrongAmount("finding.found", booked.patron, booked.amount, 0)
        else:
            self._told[booked.patron] += booked.amount
        self._mistakes.append(booked)

    def _claim(self, booked: Booked, situation: str | None) -> Iterator[WrongAmount]:
        """Book a claim: of what the patron was given and nobody has claimed, in whichever round.

        Of a wrong payment that is what was given in the last two rounds.
        """
        patron, told = booked.patron, self._told[booked.patron]
        found = sum(each.amount for each in self._mistakes if each.amount > 0 and each.patron == patron)
        paid = sum(each.amount for each in (*self._paid, *self._made_good) if each.patron == patron)
        claimed = sum(each.amount for each in self._claimed if each.patron == patron)
        wrong = situation in (WRONG_PAYMENT, OLD_LIMIT_MISTAKE)
        older = 0 if wrong else self._older[patron]
        given = self._given[patron] + self._last[patron] + older
        most = max(given + found - told + paid - claimed, 0) + told
        if booked.amount > most:
            yield WrongAmount("finding.claimed", patron, booked.amount, most)
        self._claimed.append(booked)


def _given_by(lines: Iterable[SettledLine]) -> Counter[str]:
    """Return what a settlement hands to each patron; of a wager that is held, nothing."""
    given: Counter[str] = Counter()
    for each in lines:
        given[each.patron] += 0 if each.held else each.back + each.paid
    return given
