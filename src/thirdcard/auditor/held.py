"""Money that is held because it may be counterfeit, as the recount follows it."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.bodies import HeldMoneyDecided, MoneyHeld
from thirdcard.auditor.expected import Expected, Lying, expect_alone
from thirdcard.auditor.sheet import Facts, Sheet
from thirdcard.messages import Message, message
from thirdcard.rulebook.document import Document


class HeldAmount(Struct, frozen=True):
    """Money that is held: the wager that it was, the round of the wager, and the facts that decided it."""

    patron: str
    amount: int
    round: int
    lying: Lying | None
    facts: Facts | None = None


class HeldAmounts:
    """All money that is held at a table, by the number of its suspicion."""

    def __init__(self) -> None:
        self._held: dict[int, HeldAmount] = {}

    def take(
        self, body: MoneyHeld | HeldMoneyDecided, lying: dict[int, Lying], sheet: Sheet
    ) -> tuple[Message, ...]:
        """Follow money in or out, and the wager off the layout or back; what is wrong with it."""
        if isinstance(body, MoneyHeld):
            return tuple(self._hold(body, lying.pop(body.wager.id, None) if body.wager else None))
        lies, wrong = self._decide(body, sheet)
        if lies is not None:
            lying[lies.id] = lies
        return wrong

    def _hold(self, body: MoneyHeld, lying: Lying | None) -> Iterator[Message]:
        """Take money in; a wager must have lain there just so."""
        told = body.wager
        if told is not None and (lying is None or (lying.stake, lying.gone) != (body.amount, 0)):
            yield message("finding.not-so-much-there", patron=body.patron, wager=told.wager)
        self._held[body.id] = HeldAmount(body.patron, body.amount, body.round, lying)

    def judge(self, number: int, facts: Facts | None) -> None:
        """Note the facts of a round whose other wagers are settled, or that it is in play again."""
        for id_, each in self._held.items():
            if each.round == number:
                self._held[id_] = replace(each, facts=facts)

    def forget(self, number: int) -> None:
        """A round that is void decides nothing about what is held of it."""
        for id_, each in self._held.items():
            if each.round == number:
                self._held[id_] = replace(each, round=0, facts=None)

    def _decide(self, body: HeldMoneyDecided, sheet: Sheet) -> tuple[Lying | None, tuple[Message, ...]]:
        """The wager that lies there again, if one does, and what is wrong with a decision."""
        held = self._held.pop(body.id, None)
        if held is None or (held.patron, held.amount) != (body.patron, body.amount):
            return None, (message("finding.not-held", patron=body.patron, number=body.id),)
        if body.settled is not None:
            facts, lying = held.facts, held.lying
            right = expect_alone(sheet, lying, facts) if lying and facts else None
            agrees = right is not None and _agrees(body, right)
            return None, () if agrees else (message("finding.held-settled", patron=body.patron),)
        if body.wager is None:
            return None, ()
        lies = held.lying is not None and held.facts is None and held.round
        return held.lying, () if lies else (message("finding.held-released", patron=body.patron),)


def takes_two(body: MoneyHeld | HeldMoneyDecided, document: Document, *, known: bool) -> bool:
    """Whether two people stand for it: holding a wager once a card is known, or deciding without a clause."""
    if isinstance(body, MoneyHeld):
        return body.wager is not None and known
    return document.authority.not_covered is None


def _agrees(body: HeldMoneyDecided, right: Expected) -> bool:
    line = body.settled
    assert line is not None
    said = (line.stake, line.result, line.back, line.odds, line.paid, line.taken, line.commission)
    counted = (body.amount, right.result, right.back, right.odds, right.paid, right.taken, right.commission)
    rounded = Fraction(line.rounded_over, line.rounded_of or 1) == right.over
    return said == counted and rounded and frozenset(line.clauses) == right.clauses
