"""Claims on patrons who left the felt with chips that a reversal takes back, as a recount has them."""

from collections import Counter
from collections.abc import Iterable, Set

from thirdcard.auditor.bodies import (
    Body,
    ClaimBooked,
    PatronCame,
    RoundBegan,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
    WagerReduced,
)
from thirdcard.auditor.claims import Claims, WrongClaim, summed
from thirdcard.auditor.wager_bodies import HeldMoneyDecided, MoneyHeld, SettledLine

WAITING_FORM = 9  # since then nobody owes what was given after they had left, and is still there


class AbsentPatrons:
    """The amounts that patrons who are not at the table owe of the round.

    A claim is booked just before the reversal that needs it. What such a patron is given later is set off
    against it, just after it was given. The rest waits at the table, and the patron does not owe it.
    """

    def __init__(self) -> None:
        self._claims = Claims()
        self._waiting: Counter[str] = Counter()
        self._held: set[int] = set()  # wagers of the round that are held

    def take(self, body: Body, here: Set[str], form: int) -> list[WrongClaim]:
        """Take in what moves chips, given who is at the table; says which claims are wrong."""
        if form < WAITING_FORM:
            self._waiting.clear()
        if isinstance(body, ClaimBooked):
            self._wait(body.patron, min(body.amount, 0))
            return self._claims.book(body)
        if self._claims.count(body):
            return []
        wrong = self._claims.lapse(body)
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
                self._claims.give((*stakes, *((patron, -amount) for patron, amount in due)))
            case RoundSettled():
                self._claims.give(
                    (each.patron, each.back + each.paid) for each in body.wagers if not each.held
                )
                self._held = {each.id for each in body.wagers if each.held}
                self._waiting.clear()
                self._keep((each for each in body.wagers if not each.held), here)
            case _:
                wrong += self._claims.drop_booked()
                self._move(body, here)
        return wrong

    def owe(self, body: ClaimBooked) -> None:
        """Take in a claim that no reversal calls for: the patron took back chips that were lost."""
        self._claims.owed[body.patron] += body.amount

    def _move(self, body: Body, here: Set[str]) -> None:
        match body:
            case RoundBegan():
                self._claims.owed.clear()
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
                self._claims.give([(body.patron, 0 if body.held else body.amount - body.gone)])
            case _:
                pass

    def _keep(self, lines: Iterable[SettledLine], here: Set[str]) -> None:
        """Keep at the table what is given to patrons who are not there."""
        for each in lines:
            if each.patron not in here:
                self._wait(each.patron, each.back + each.paid)

    def _wait(self, patron: str, amount: int) -> None:
        self._waiting[patron] = max(self._waiting[patron] + amount, 0)

    def _take_back(self, amounts: Iterable[tuple[str, int]], here: Set[str]) -> list[WrongClaim]:
        """Take chips back; a claim stands for exactly those of patrons who are not there."""
        due, booked = summed(amounts), self._claims.booked
        wrong = []
        for patron in sorted(due.keys() | booked.keys()):
            short = 0 if patron in here else max(due[patron] - self._waiting[patron], 0)
            if booked[patron] != short:
                wrong.append(WrongClaim(patron, booked[patron], short))
        booked.clear()
        self._waiting.clear()
        return wrong
