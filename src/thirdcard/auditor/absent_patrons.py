"""Claims on patrons who left the felt with chips that a reversal takes back, as a recount has them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set

from thirdcard.auditor.bodies import (
    Body,
    ClaimBooked,
    PatronCame,
    PaymentClaimed,
    PaymentCorrected,
    RoundBegan,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
    WagerReduced,
)
from thirdcard.auditor.credits import WrongClaim
from thirdcard.auditor.dispute_bodies import AwardSetOff
from thirdcard.auditor.wager_bodies import HeldMoneyDecided, MoneyHeld, SettledLine

WAITING_FORM = 9  # since then nobody owes what was given after they had left, and is still there


class AbsentPatrons:
    """The amounts that patrons who are not at the table owe of the round.

    A claim is booked just before the reversal that needs it. What such a patron is given later is set off
    against it, just after it was given. The rest waits at the table, and the patron does not owe it.
    """

    def __init__(self) -> None:
        self._owed: Counter[str] = Counter()
        self._booked: Counter[str] = Counter()
        self._given: Counter[str] = Counter()  # just now, to be set off against what is owed
        self._counts = False  # what was decided, against what is just given
        self._waiting: Counter[str] = Counter()
        self._held: set[int] = set()  # wagers of the round that are held

    def take(self, body: Body, here: Set[str], form: int) -> list[WrongClaim]:
        """Take in what moves chips, given who is at the table; says which claims are wrong."""
        if form < WAITING_FORM:
            self._waiting.clear()
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
                back = ((each.patron, each.back + each.paid) for each in body.wagers if not each.held)
                wrong += self._take_back(back, here)
            case RoundVoided():
                due = [
                    (each.patron, each.back + each.paid - (each.stake - each.pulled))
                    for each in body.reversed
                    if not each.held
                ]
                wrong += self._take_back(due, here)
                returned = (each for each in body.returned if not each.held)
                stakes = ((each.patron, each.stake - each.pulled) for each in returned)
                self._give((*stakes, *((patron, -amount) for patron, amount in due)))
            case RoundSettled():
                self._give((each.patron, each.back + each.paid) for each in body.wagers if not each.held)
                self._held = {each.id for each in body.wagers if each.held}
                self._waiting.clear()
                self._keep((each for each in body.wagers if not each.held), here)
            case _:
                wrong += [WrongClaim(patron, amount, 0) for patron, amount in self._booked.items() if amount]
                self._booked.clear()
                self._move(body, here)
        return wrong

    def owe(self, body: ClaimBooked) -> None:
        """Take in a claim that no reversal calls for: the patron took back chips that were lost."""
        self._owed[body.patron] += body.amount

    def _move(self, body: Body, here: Set[str]) -> None:
        match body:
            case RoundBegan():
                self._owed.clear()
                self._waiting.clear()
                self._held.clear()
            case PatronCame():
                self._waiting.pop(body.patron, None)
            case MoneyHeld(settled=SettledLine() as line):
                self._held.add(line.id)
                self._wait(line.patron, -line.back - line.paid)
            case HeldMoneyDecided(settled=SettledLine() as line) if line.id in self._held:
                self._keep((line,), here)
            case WagerReduced(mistaken=False) if body.case is None and body.patron not in here:
                self._give([(body.patron, 0 if body.held else body.amount - body.gone)])
            case _:
                pass

    def _keep(self, lines: Iterable[SettledLine], here: Set[str]) -> None:
        """Keep at the table what is given to patrons who are not there."""
        for each in lines:
            if each.patron not in here:
                self._wait(each.patron, each.back + each.paid)

    def _wait(self, patron: str, amount: int) -> None:
        self._waiting[patron] = max(self._waiting[patron] + amount, 0)

    def _claim(self, body: ClaimBooked) -> Iterator[WrongClaim]:
        due = max(min(self._owed[body.patron], self._given.pop(body.patron, 0)), 0)
        self._owed[body.patron] += body.amount
        self._wait(body.patron, min(body.amount, 0))
        if body.amount > 0:
            self._booked[body.patron] += body.amount
        elif due != -body.amount:
            yield WrongClaim(body.patron, body.amount, -due)

    def _count(self, body: PaymentCorrected | PaymentClaimed | AwardSetOff) -> None:
        """Give less to a patron by what is taken of a payment, or more by what is paid again."""
        if isinstance(body, PaymentCorrected):
            self._given[body.patron] -= body.amount

    def _take_back(self, amounts: Iterable[tuple[str, int]], here: Set[str]) -> list[WrongClaim]:
        """Take chips back; a claim stands for exactly those of patrons who are not there."""
        due: Counter[str] = Counter()
        for patron, amount in amounts:
            due[patron] += amount
        wrong = []
        for patron in sorted(due.keys() | self._booked.keys()):
            short = 0 if patron in here else max(due[patron] - self._waiting[patron], 0)
            if self._booked[patron] != short:
                wrong.append(WrongClaim(patron, self._booked[patron], short))
        self._booked.clear()
        self._waiting.clear()
        return wrong

    def _give(self, amounts: Iterable[tuple[str, int]]) -> None:
        given: Counter[str] = Counter()
        for patron, amount in amounts:
            given[patron] += amount
        self._given = given
