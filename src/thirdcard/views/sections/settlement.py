"""The section in which a dealer settles a round, line by line."""

from typing import Literal

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.irregularity import Situation

SettlementAct = Literal["take-back", "give-back", "take", "leave", "pay"]


class SettlementLine(Struct, frozen=True, kw_only=True):
    """An act about a wager; ``back`` of its stake is its owner's, ``owed`` are chips that are gone.

    ``settlement`` counts the settlements of the round from zero, since one may be taken back: what was paid
    by it is taken back, what was taken is given back, by the ``reversal`` of that number. ``gone`` says that
    the patron had left by then. ``key`` tells the line from all others of the round, and ``undoes`` is the
    key of the line that it undoes.
    """

    key: str
    does: SettlementAct
    id: int
    patron: str
    position: int | None
    wager: str
    stake: int
    taken: int = 0
    paid: int = 0
    back: int = 0
    owed: int = 0
    commission: int = 0
    odds: str | None = None
    settlement: int = 0
    reversal: int | None = None
    undoes: str | None = None
    gone: bool = False
    clauses: tuple[Clause, ...] = ()


class ReversalShown(Struct, frozen=True, kw_only=True):
    """Why a settlement was taken back: the card that was corrected, or the irregularity."""

    number: int
    card: int | None
    situation: Situation | None
    void: bool
    clauses: tuple[Clause, ...]


class SettlementSection(Struct, frozen=True, kw_only=True):
    """The last round in the order in which it is settled: what is undone, takes, what stays, pays; the sums.

    ``reversals`` say why something is undone, ``undone`` is what the tray gets by it. While a round whose
    settlement was taken back goes on, nothing is undone yet. ``balances`` says that what lay on the felt and
    what is owed is what was taken and what goes back. Lines that are ``due`` are done before the next step.
    """

    round: int | None = None
    due: bool = False
    void: bool = False
    reversals: tuple[ReversalShown, ...] = ()
    lines: tuple[SettlementLine, ...] = ()
    undone: int = 0
    taken: int = 0
    paid: int = 0
    back: int = 0
    owed: int = 0
    commission: int = 0
    balances: bool = True
