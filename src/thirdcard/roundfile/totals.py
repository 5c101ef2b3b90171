"""Totals of patrons and of the house: of a whole round file, and of each of its rounds."""

import itertools
from collections.abc import Sequence

from msgspec import Struct

from thirdcard.folds.ledger import HOUSE, Sums, balances, sums
from thirdcard.game import events as ev
from thirdcard.game.apply import apply, fold
from thirdcard.game.state import Table


class PatronTotals(Struct, frozen=True):
    """The totals of one patron in minor units; ``credits`` is what a terminal holds at the end."""

    won: int = 0
    taken: int = 0
    back: int = 0
    claim: int = 0
    credits: int = 0

    @property
    def net(self) -> int:
        """The amount that the patron has more than before."""
        return self.won - self.taken


class Totals(Struct, frozen=True):
    """The totals of everybody by name, and the net of the house; ``round`` is nothing for a whole file."""

    patrons: dict[str, PatronTotals]
    house: int
    round: int | None = None

    def of(self, patron: str) -> PatronTotals:
        """Return the totals of a patron, all zero for one who has not come yet."""
        return self.patrons.get(patron, PatronTotals())


def file_totals(events: Sequence[ev.Event], table: Table) -> Totals:
    """Return the totals of all events, which made the table what it is."""
    moved, accounts = sums(events), balances(events)
    came = (event.patron for event in events if isinstance(event, ev.PatronCame))
    patrons: dict[str, PatronTotals] = {}
    for name in dict.fromkeys((*came, *moved)):
        of = moved.get(name, Sums())
        claim, held = -accounts[f"claim:{name}"], table.credits_of(name)
        patrons[name] = PatronTotals(of.won, of.taken, of.back, claim, held)
    return Totals(patrons, accounts[HOUSE])


def totals_by_round(events: Sequence[ev.Event]) -> tuple[Totals, ...]:
    """Return the totals of each round: everything from its opening call to that of the next round."""
    table, number = fold(None, events[0]), 0
    ends: list[tuple[int, Totals]] = []
    for place, event in enumerate(events[1:], start=1):
        opened = _opened_round(event, table)
        if opened is not None and opened != number:
            ends.append((number, file_totals(events[:place], table)))
            number = opened
        table = apply(table, event)
    ends.append((number, file_totals(events, table)))
    return tuple(_between(before, after, at) for (_, before), (at, after) in itertools.pairwise(ends))


def _opened_round(event: ev.Event, table: Table) -> int | None:
    """The number of the round that an event opens; some houses begin it only with the first card."""
    match event:
        case ev.BettingOpened():
            return table.rounds + 1
        case ev.RoundBegan():
            return event.number
        case _:
            return None


def _between(before: Totals, after: Totals, number: int) -> Totals:
    """The totals of a round from those before it and those at its end; credits are those at its end."""
    patrons = {
        name: PatronTotals(
            won=end.won - before.of(name).won,
            taken=end.taken - before.of(name).taken,
            back=end.back - before.of(name).back,
            claim=end.claim - before.of(name).claim,
            credits=end.credits,
        )
        for name, end in after.patrons.items()
    }
    return Totals(patrons, after.house - before.house, number)
