"""Claims on patrons who left the felt with chips that a reversal takes back, as a recount has them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set

from thirdcard.auditor.bodies import (
    Body,
    ClaimBooked,
    RoundBegan,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
    WagerReduced,
)
from thirdcard.auditor.credits import WrongClaim


class AbsentPatrons:
    """The amounts that patrons who are not at the table owe of the round.

    A claim is booked just before the reversal that needs it. What such a patron is given later is set off
    against it, just after it was given.
    """

    def __init__(self) -> None:
        self._owed: Counter[str] = Counter()
        self._booked: Counter[str] = Counter()
        self._to_set_off: Counter[str] = Counter()

    def take(self, body: Body, here: Set[str]) -> list[WrongClaim]:
        """Take in what moves chips, given who is at the table; says which claims are wrong."""
        if isinstance(body, ClaimBooked):
            return list(self._claim(body))
        wrong = [WrongClaim(patron, 0, -amount) for patron, amount in self._to_set_off.items() if amount]
        self._to_set_off.clear()
        match body:
            case SettlementReversed():
                back = ((each.patron, each.back + each.paid) for each in body.wagers if not each.held)
                wrong += self._take_back(back, here)
            case RoundVoided():
                due = (
                    (each.patron, each.back + each.paid - (each.stake - each.pulled))
                    for each in body.reversed
                    if not each.held
                )
                wrong += self._take_back(due, here)
                returned = (each for each in body.returned if not each.held)
                self._give((each.patron, each.stake - each.pulled) for each in returned)
            case RoundSettled():
                self._give((each.patron, each.back + each.paid) for each in body.wagers if not each.held)
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
            case WagerReduced(mistaken=False) if body.case is None and body.patron not in here:
                self._give([(body.patron, 0 if body.held else body.amount - body.gone)])
            case _:
                pass

    def _claim(self, body: ClaimBooked) -> Iterator[WrongClaim]:
        self._owed[body.patron] += body.amount
        if body.amount > 0:
            self._booked[body.patron] += body.amount
        elif (due := self._to_set_off.pop(body.patron, 0)) != -body.amount:
            yield WrongClaim(body.patron, body.amount, -due)

    def _take_back(self, amounts: Iterable[tuple[str, int]], here: Set[str]) -> list[WrongClaim]:
        """Take chips back; a claim stands for exactly those of patrons who are not there."""
        due: Counter[str] = Counter()
        for patron, amount in amounts:
            due[patron] += amount
        wrong = []
        for patron in sorted(due.keys() | self._booked.keys()):
            short = 0 if patron in here else max(due[patron], 0)
            if self._booked[patron] != short:
                wrong.append(WrongClaim(patron, self._booked[patron], short))
        self._booked.clear()
        return wrong

    def _give(self, amounts: Iterable[tuple[str, int]]) -> None:
        given: Counter[str] = Counter()
        for patron, amount in amounts:
            given[patron] += amount
        for patron, amount in given.items():
            self._to_set_off[patron] = min(self._owed[patron], amount)
