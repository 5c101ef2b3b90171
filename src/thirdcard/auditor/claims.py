"""Claims on patrons as a recount has them: what is owed of the round, and what is set off against it."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from thirdcard.auditor.bodies import (
    Body,
    ClaimBooked,
    PaymentClaimed,
    PaymentCorrected,
    RoundSettled,
    RoundVoided,
)
from thirdcard.auditor.dispute_bodies import AwardSetOff


class WrongClaim(NamedTuple):
    """A claim, or a move of credits, that does not go with what the patron has."""

    patron: str
    recorded: int
    recounted: int
    key: str = "finding.claim"


class Claims:
    """The amounts that patrons owe of the round.

    A claim is booked just before the reversal that needs it. What a patron is given later is set off against
    it, just after it was given.
    """

    def __init__(self) -> None:
        self.owed: Counter[str] = Counter()
        self.booked: Counter[str] = Counter()  # just now, for the reversal that follows
        self._given: Counter[str] = Counter()  # just now, to be set off against what is owed
        self._counts = False  # what was decided, against what is just given

    def book(self, body: ClaimBooked) -> list[WrongClaim]:
        """Book a claim, or set one off; of a new one the reversal after it tells whether it is right."""
        due = max(min(self.owed[body.patron], self._given.pop(body.patron, 0)), 0)
        self.owed[body.patron] += body.amount
        if body.amount > 0:
            self.booked[body.patron] += body.amount
            return []
        return [WrongClaim(body.patron, body.amount, -due)] if due != -body.amount else []

    def count(self, body: Body) -> bool:
        """Whether a body is decided against what was just given; a payment that is taken gives less."""
        counted = self._counts and isinstance(body, PaymentCorrected | PaymentClaimed | AwardSetOff)
        if counted and isinstance(body, PaymentCorrected):
            self._given[body.patron] -= body.amount
        return counted

    def lapse(self, body: Body) -> list[WrongClaim]:
        """Expect no more to be set off once another body comes; says what was not."""
        self._counts = isinstance(body, RoundSettled | RoundVoided)
        left = ((patron, min(self.owed[patron], amount)) for patron, amount in self._given.items())
        wrong = [WrongClaim(patron, 0, -amount) for patron, amount in left if amount > 0]
        self._given.clear()
        return wrong

    def drop_booked(self) -> list[WrongClaim]:
        """Say which claims no reversal followed."""
        wrong = [WrongClaim(patron, amount, 0) for patron, amount in self.booked.items() if amount]
        self.booked.clear()
        return wrong

    def give(self, amounts: Iterable[tuple[str, int]]) -> None:
        """Expect that what patrons are given in all is set off against what they owe."""
        self._given = summed(amounts)


def summed(amounts: Iterable[tuple[str, int]]) -> Counter[str]:
    """Return the sum of amounts for each patron."""
    sums: Counter[str] = Counter()
    for patron, amount in amounts:
        sums[patron] += amount
    return sums
