"""Credits of terminals as a recount has them, and the claims on patrons who no longer have enough."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thirdcard.auditor.bodies import (
    AnswerTakenBack,
    Body,
    ClaimBooked,
    CreditsBought,
    CreditsCashedOut,
    PaymentClaimed,
    PaymentCorrected,
    ReportedCase,
    RoundBegan,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
    WagerFound,
    WagerPlaced,
    WagerReduced,
    WrongPaymentFound,
)
from thirdcard.auditor.dispute_bodies import AwardPaid, AwardSetOff


class WrongClaim(NamedTuple):
    """A claim, or a move of credits, that does not go with what the terminal has."""

    patron: str
    recorded: int
    recounted: int
    key: str = "finding.claim"


class Credits:
    """The credits of every terminal, and what each owes of the round.

    A claim is booked just before the reversal that needs it. What a terminal is given later is set off
    against its claim, just after it was given.
    """

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._owed: Counter[str] = Counter()
        self._booked: Counter[str] = Counter()
        self._given: Counter[str] = Counter()  # just now, to be set off against what is owed
        self._counts = False  # what was decided, against what is just given

    def held_by(self, case: ReportedCase | None) -> int | None:
        """Return the credits of the terminal that a case is about; at a felt table there are none."""
        return self._held.get(case.patron) if case and case.patron else None

    def take(self, body: Body) -> list[WrongClaim]:
        """Take in what moves credits; says which claims are wrong."""
        if isinstance(body, ClaimBooked):
            return list(self._claim(body))
        if self._counts and isinstance(body, PaymentCorrected | PaymentClaimed | AwardSetOff):
            self._count(body)
            return []
        self._counts = isinstance(body, RoundSettled | RoundVoided)
        left = ((patron, min(self._owed[patron], amount)) for patron, amount in self._given.items())
        wrong = [WrongClaim(patron, 0, -amount) for patron, amount in left if amount > 0]
        self._given.clear()
        match body:
            case SettlementReversed():
                wrong += self._take_back((each.patron, each.back + each.paid) for each in body.wagers)
            case RoundVoided():
                back = [(each.patron, each.back + each.paid - each.stake) for each in body.reversed]
                wrong += self._take_back(back)
                stakes = [(each.patron, each.stake - each.pulled) for each in body.returned]
                self._give(stakes)
                self._owe_less((*stakes, *((patron, -amount) for patron, amount in back)))
            case RoundSettled():
                given = [(each.patron, each.back + each.paid) for each in body.wagers]
                self._give(given)
                self._owe_less(given)
            case _:
                wrong += [WrongClaim(patron, amount, 0) for patron, amount in self._booked.items() if amount]
                self._booked.clear()
                wrong += self._short(body)
                self._move(body)
        return wrong

    def _short(self, body: Body) -> Iterator[WrongClaim]:
        """Say so where a terminal stakes or cashes out more credits than it has."""
        match body:
            case CreditsCashedOut():
                terminal, amount = body.terminal, body.amount
            case WagerPlaced():
                terminal, amount = body.patron, body.amount
            case _:
                return
        if amount > self._held[terminal]:
            yield WrongClaim(terminal, amount, self._held[terminal], "finding.credits-short")

    def _claim(self, body: ClaimBooked) -> Iterator[WrongClaim]:
        """Book a claim, or set one off; of a new one the reversal after it tells whether it is right."""
        due = max(min(self._owed[body.patron], self._given.pop(body.patron, 0)), 0)
        self._held[body.patron] += body.amount
        self._owed[body.patron] += body.amount
        if body.amount > 0:
            self._booked[body.patron] += body.amount
        elif due != -body.amount:
            yield WrongClaim(body.patron, body.amount, -due)

    def _count(self, body: PaymentCorrected | PaymentClaimed | AwardSetOff) -> None:
        """Give less to a terminal by what is taken of a payment, or more by what is paid again."""
        if isinstance(body, PaymentCorrected):
            self._held[body.patron] -= body.amount
            self._given[body.patron] -= body.amount

    def _take_back(self, amounts: Iterable[tuple[str, int]]) -> list[WrongClaim]:
        """Take credits back; a claim makes up for exactly those that are not there."""
        due: Counter[str] = Counter()
        for patron, amount in amounts:
            due[patron] += amount
        wrong = []
        for patron in sorted(due.keys() | self._booked.keys()):
            booked = self._booked[patron]
            short = max(due[patron] - (self._held[patron] - booked), 0) if due[patron] > 0 else 0
            if booked != short:
                wrong.append(WrongClaim(patron, booked, short))
            self._held[patron] -= due[patron]
        self._booked.clear()
        return wrong

    def _give(self, amounts: Iterable[tuple[str, int]]) -> None:
        for patron, amount in amounts:
            self._held[patron] += amount

    def _owe_less(self, amounts: Iterable[tuple[str, int]]) -> None:
        """Expect that what terminals are given in all is set off against what they owe."""
        given: Counter[str] = Counter()
        for patron, amount in amounts:
            given[patron] += amount
        self._given = given

    def _move(self, body: Body) -> None:
        match body:
            case RoundBegan():
                self._owed.clear()
            case CreditsBought():
                self._held[body.terminal] += body.amount
            case CreditsCashedOut():
                self._held[body.terminal] -= body.amount
            case WagerPlaced() | WagerFound():
                self._held[body.patron] -= body.amount
            case WagerReduced():
                self._held[body.patron] += body.amount - body.gone
            case AnswerTakenBack():
                self._held[body.patron] -= sum(each.stake - each.pulled for each in body.wagers)
            case AwardPaid():
                self._held[body.patron] += body.amount if body.way == "credits" else 0
            case WrongPaymentFound():
                self._held[body.patron] += body.amount
            case PaymentCorrected():
                self._held[body.patron] -= body.amount
            case _:
                pass
