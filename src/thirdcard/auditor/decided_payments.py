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
    """An amount that was booked for a patron beside the settlement of a round.

    A decision has with it what the round had ``given`` by then; what a settlement changes of it is
    ``counted``.
    """

    round: int
    patron: str
    amount: int
    given: int | None = None
    counted: bool = False
    dispute: int | None = None


class Award(NamedTuple):
    """An amount that a dispute about a round has awarded to a patron, and nobody has paid.

    ``set_off`` is what a settlement gives instead; of what was ``paid``, it has ``taken_back`` some.
    """

    round: int
    patron: str
    unpaid: int = 0
    given: int | None = None
    set_off: int = 0
    paid: int = 0
    taken_back: int = 0


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
        # what is to be booked now for a patron; of awards by their disputes
        self._lapses: Counter[tuple[str, str, int]] = Counter()
        self._is_void = False

    def take(self, body: Body, case: ReportedCase | None) -> list[WrongAmount]:
        """Take in what moves money, given the case under way; says what is wrong."""
        if isinstance(body, ClaimBooked):
            return []
        if isinstance(body, WrongPaymentFound | PaymentCorrected | PaymentClaimed):
            return list(self._book(body, case))
        if isinstance(body, AwardSetOff):
            return list(self._set_off(body))
        wrong = [self._left_out(*key, due) for key, due in [*self._lapses.items()] if due]
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
        """Whether a body says that something lapses by a settlement that was made again, or holds again."""
        if isinstance(body, PaymentClaimed):
            return body.amount < 0 or not body.by
        due = self._lapses[PAYMENT, body.patron, 0]
        return isinstance(body, PaymentCorrected) and 0 != body.amount == due

    def taken_back(self, dispute: int) -> int:
        """Return what a settlement has taken back of the award of a dispute that was paid."""
        return self._awards[dispute].taken_back if dispute in self._awards else 0

    def _begin(self, number: int) -> None:
        """Begin a round: what was booked for those before the last one is counted no more."""
        if number == self._round:
            return
        self._older.update(self._last)
        self._last, self._given, self._undone, self._is_void = self._given, Counter(), None, False
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
        self._expect_lapses(given)
        self._given, self._undone = given, None

    def _void(self, body: RoundVoided) -> None:
        self._settled, self._is_void = self._round, True
        stakes: Counter[str] = Counter()
        lines: tuple[ReturnedLine | SettledLine, ...] = (*body.returned, *body.reversed)
        for each in lines:
            stakes[each.patron] += 0 if each.held else each.stake - each.pulled
        self._expect_lapses(stakes, void=True)
        self._given, self._undone = stakes, None

    def _expect_lapses(self, given: Counter[str], *, void: bool = False) -> None:
        """Expect decisions to lapse as far as the settlement does what they did, or to hold again.

        Claims lapse by what it gives less than when they were decided, payments and awards by what it gives
        more; of a void round all claims lapse.
        """
        awards = {number: each for number, each in self._awards.items() if each.round == self._settled}
        decided = {each.patron for each in (*self._claimed, *self._paid)}
        for patron in {*decided, *(each.patron for each in awards.values())}:
            paid, claimed = self._own(self._paid, patron), self._own(self._claimed, patron)
            beside = sum(each.amount for each in paid)
            beside += self._sum((each for each in self._mistakes if each.amount > 0), patron)
            most = max(sum(each.amount for each in claimed if not each.counted) - max(beside, 0), 0)
            lapsed = most if void else min(_covered(claimed, given[patron], -1), most)
            self._lapses[CLAIM, patron, 0] = lapsed + _counted(claimed)
            covered = _covered(paid, given[patron], 1)
            self._lapses[PAYMENT, patron, 0] = covered + _counted(paid)
            for number, award in awards.items():
                if award.patron == patron and award.given is not None:
                    more = max(given[patron] - award.given - covered, 0)
                    part = min(more, award.unpaid + award.set_off)
                    covered += part
                    self._lapses[AWARD, patron, number] = part - award.set_off

    def _left_out(self, kind: str, patron: str, dispute: int, due: int) -> WrongAmount:
        """Say that something was not booked, and count it as if it were: one fault is found once."""
        booked = Booked(self._settled, patron, -due, counted=True)
        if kind == AWARD:
            self._change_award(dispute, due)
        elif kind == CLAIM:
            self._claimed.append(booked)
        else:
            self._count(booked)
        return WrongAmount("finding.lapsed", patron, 0, due)

    def _change_award(self, number: int, amount: int) -> None:
        award = self._awards[number]
        set_off = award.set_off + amount
        self._awards[number] = award._replace(unpaid=award.unpaid - amount, set_off=set_off)

    def _own(self, booked: Iterable[Booked], patron: str) -> list[Booked]:
        """Return what was booked for a patron of the round that was settled last."""
        return [each for each in booked if (each.round, each.patron) == (self._settled, patron)]

    def _given_so_far(self, number: int, patron: str) -> int | None:
        """Return what a round has given a patron, also by a settlement that is taken back."""
        if number != self._round or self._is_void:
            return None
        if self._settled == self._round:
            return self._given[patron]
        return self._undone[patron] if self._undone else None

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
                    given = self._given_so_far(award.round, body.patron)
                    paid = Booked(award.round, body.patron, body.amount, given, dispute=body.id)
                    self._paid.append(paid)
                award = award._replace(paid=award.paid + body.amount)
            case DisputeEscalated():
                more, award = -body.lapsed, award._replace(set_off=0)
            case _:
                lapsed = body.lapsed if isinstance(body, ComplaintAnswered) else 0
                more = body.award - lapsed - body.counted
                award = self._award_anew(body.id, award) if body.award else award
        self._awards[body.id] = award._replace(unpaid=award.unpaid + more)

    def _award_anew(self, number: int, award: Award) -> Award:
        """Compare with what the round gives from now on; what was taken of a former award stays taken."""
        final = [each._replace(given=None) if each.dispute == number else each for each in self._paid]
        taken = Booked(award.round, award.patron, -award.taken_back)
        self._paid[:] = (*final, taken, taken._replace(amount=award.taken_back, counted=True))
        return award._replace(given=self._given_so_far(award.round, award.patron), set_off=0)

    def _set_off(self, body: AwardSetOff) -> Iterator[WrongAmount]:
        """Take in that an award lapses: only as far as the round gives the patron more; or is owed again."""
        yield from self._lapse(AWARD, body.patron, body.amount, body.id)
        self._change_award(body.id, body.amount)

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
            case PaymentClaimed() if self.is_lapse(body):
                yield from self._lapse(CLAIM, body.patron, -body.amount)
                self._claimed.append(booked._replace(counted=True))
            case PaymentClaimed():
                given = self._given_so_far(booked.round, body.patron)
                yield from self._claim(booked._replace(given=given), situation)
            case _ if self.is_lapse(body):
                self._lapses[PAYMENT, body.patron, 0] = 0
                self._count(booked._replace(amount=-body.amount, counted=True))
            case _:
                good = booked in self._mistakes
                if good:
                    self._mistakes.remove(booked)
                    self._put_right.append(booked)
                if body.amount < 0:
                    given = self._given_so_far(booked.round, body.patron)
                    paid = booked._replace(amount=-body.amount, given=given)
                    (self._made_good if good else self._paid).append(paid)

    def _count(self, counted: Booked) -> None:
        """Take in what a settlement takes of payments, or gives back; of awards that were paid first."""
        self._paid.append(counted)
        more = -counted.amount
        for number, award in self._awards.items():
            if (award.round, award.patron) == (counted.round, counted.patron):
                part = min(max(more, -award.taken_back), award.paid - award.taken_back)
                self._awards[number] = award._replace(taken_back=award.taken_back + part)
                more -= part

    def _lapse(self, kind: str, patron: str, amount: int, dispute: int = 0) -> Iterator[WrongAmount]:
        due = self._lapses.pop((kind, patron, dispute), 0)
        if due != amount:
            yield WrongAmount("finding.lapsed", patron, amount, due)

    def _find(self, booked: Booked, situation: str | None) -> Iterator[WrongAmount]:
        """Book what was paid by mistake, or too little: the same is not found twice.

        What no rule covers may be of any round; it is held against what two people told.
        """
        if booked.amount < 0 and situation == WRONG_PAYMENT:
            due = (self._given if booked.round == self._round else self._last)[booked.patron]
            found = (each for each in self._mistakes if each.amount < 0)
            lacking = self._sum(found, booked.patron, booked.round)
            most = due + lacking - self._sum(self._made_good, booked.patron, booked.round)
            if -booked.amount > most:
                yield WrongAmount("finding.found", booked.patron, -booked.amount, max(most, 0))
        elif situation == WRONG_PAYMENT and booked in (*self._mistakes, *self._put_right):
            yield WrongAmount("finding.found", booked.patron, booked.amount, 0)
        else:
            self._told[booked.patron] += max(booked.amount, 0)
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


def _covered(decided: Iterable[Booked], given: int, sign: int) -> int:
    """Return what of several decisions a settlement covers, by what it gives more, or less, than before."""
    covered = 0
    for each in decided:
        if each.given is not None:
            covered += min(max(sign * (given - each.given) - covered, 0), each.amount)
    return covered


def _counted(booked: Iterable[Booked]) -> int:
    """Return what settlements have given of decisions, below zero where they have taken it."""
    return sum(each.amount for each in booked if each.counted)


def _given_by(lines: Iterable[SettledLine]) -> Counter[str]:
    """Return what a settlement hands to each patron; of a wager that is held, nothing."""
    given: Counter[str] = Counter()
    for each in lines:
        given[each.patron] += 0 if each.held else each.back + each.paid
    return given
