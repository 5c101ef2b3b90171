"""The most that can have been paid or collected beside the limits of a round, and what was booked of it."""

from collections import defaultdict

from msgspec import Struct

from thirdcard.auditor.bodies import ReportedCase, WrongPaymentFound
from thirdcard.auditor.decided_payments import OLD_LIMIT_MISTAKE, WrongAmount
from thirdcard.auditor.expected_results import ActingPart, Expected, expect_again
from thirdcard.auditor.layout import Layout
from thirdcard.auditor.sheet import Facts, RecountSheet

# since then a stake that was collected is booked as such, and what is booked can be taken out again
LIMITS_FORM = 9


class Beside(Struct, frozen=True):
    """The amount that can have been paid of a wager beside its limit; negative if it was collected."""

    patron: str
    amount: int


class LimitMistakes:
    """The amounts that a limit can have made wrong in each round, and how much of them was booked."""

    def __init__(self) -> None:
        self._beside: dict[int, list[Beside]] = {}
        self._booked: defaultdict[tuple[int, str, bool], int] = defaultdict(int)

    def settle(
        self, number: int, sheet: RecountSheet, layout: Layout, expected: dict[int, Expected], facts: Facts
    ) -> None:
        """Take in a settlement: what a stake would have come to in full, beyond what of it acts."""
        found = self._beside[number] = []
        for id_, lay in layout.before.items():
            right, full = expected[id_], expect_again(sheet, lay, ActingPart(lay.stake), facts)
            if right.acting.amount < lay.stake and full.result == "lost":
                found.append(Beside(lay.patron, -min(lay.stake - right.acting.amount, right.back)))
            elif right.acting.amount < lay.stake:
                found.append(Beside(lay.patron, full.paid - right.paid))

    def undo(self, number: int) -> None:
        """Forget a settlement that is taken back."""
        self._beside.pop(number, None)

    def book(
        self, body: WrongPaymentFound, case: ReportedCase | None, *, before: int
    ) -> tuple[WrongAmount, ...]:
        """Book a limit mistake of a round ``before`` another, or take it out again; says if it cannot be."""
        if case is None or case.situation != OLD_LIMIT_MISTAKE:
            return ()
        number, amount = case.round or 0, -body.amount if body.mistaken else body.amount
        key = (number, body.patron, amount > 0)
        if body.mistaken:
            self._booked[key] -= abs(amount)
            return ()
        beside = self._beside.get(number, []) if number < before else []
        own = (each.amount for each in beside if each.patron == body.patron)
        most = sum(abs(each) for each in own if (each > 0) is (amount > 0)) - self._booked[key]
        self._booked[key] += abs(amount)
        if abs(amount) <= most and body.collected is (amount < 0):
            return ()
        return (WrongAmount("finding.found", body.patron, abs(amount), max(most, 0)),)
