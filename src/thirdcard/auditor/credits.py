"""Credits of terminals as a recount has them, and the claims on patrons who no longer have enough."""

from collections import Counter
from collections.abc import Iterable, Iterator

from thirdcard.auditor.bodies import (
    AnswerTakenBack,
    Body,
    ClaimBooked,
    CreditsBought,
    CreditsCashedOut,
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
from thirdcard.auditor.claims import Claims, WrongClaim, summed
from thirdcard.auditor.dispute_bodies import AwardPaid


class Credits:
    """The credits of every terminal, and what each owes of the round.

    A claim is booked just before the reversal that needs it. What a terminal is given later is set off
    against its claim, just after it was given.
    """

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._claims = Claims()

    def held_by(self, case: ReportedCase | None) -> int | None:
        """Return the credits of the terminal that a case is about; at a felt table there are none."""
        return self._held.get(case.patron) if case and case.patron else None

    def take(self, body: Body) -> list[WrongClaim]:
        """Take in what moves credits; says which claims are wrong."""
        if isinstance(body, ClaimBooked):
            self._held[body.patron] += body.amount
            return self._claims.book(body)
        if self._claims.count(body):
            if isinstance(body, PaymentCorrected):
                self._held[body.patron] -= body.amount
            return []
        wrong = self._claims.lapse(body)
        match body:
            case SettlementReversed():
                wrong += self._take_back((each.patron, each.back + each.paid) for each in body.wagers)
            case RoundVoided():
                back = [(each.patron, each.back + each.paid - each.stake) for each in body.reversed]
                wrong += self._take_back(back)
                stakes = [(each.patron, each.stake - each.pulled) for each in body.returned]
                self._give(stakes)
                self._claims.give((*stakes, *((patron, -amount) for patron, amount in back)))
            case RoundSettled():
                given = [(each.patron, each.back + each.paid) for each in body.wagers]
                self._give(given)
                self._claims.give(given)
            case _:
                wrong += self._claims.drop_booked()
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

    def _take_back(self, amounts: Iterable[tuple[str, int]]) -> list[WrongClaim]:
        """Take credits back; a claim makes up for exactly those that are not there."""
        due, all_booked = summed(amounts), self._claims.booked
        wrong = []
        for patron in sorted(due.keys() | all_booked.keys()):
            booked = all_booked[patron]
            short = max(due[patron] - (self._held[patron] - booked), 0) if due[patron] > 0 else 0
            if booked != short:
                wrong.append(WrongClaim(patron, booked, short))
            self._held[patron] -= due[patron]
        all_booked.clear()
        return wrong

    def _give(self, amounts: Iterable[tuple[str, int]]) -> None:
        for patron, amount in amounts:
            self._held[patron] += amount

    def _move(self, body: Body) -> None:
        match body:
            case RoundBegan():
                self._claims.owed.clear()
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
