"""What a table remembers of rounds and shoes before the last one."""

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause


class EarlierRound(Struct, frozen=True):
    """The cards of a round before the last one, and their places in the shoe in use if they came from it.

    ``settled`` says that wagers were settled in it, and ``patrons`` whose they were.
    """

    number: int
    cards: tuple[Card | None, ...]
    places: tuple[int, ...]
    settled: bool
    patrons: tuple[str, ...] = ()


class Mistake(Struct, frozen=True):
    """A payment of a round that is no outcome: by mistake, and it stands by a clause, or by a decision.

    What was paid too little is negative. ``made_good`` says that a payment makes good what was lacking.
    """

    round: int
    patron: str
    amount: int
    by: Clause | None = None
    made_good: bool = False


class Mark(Struct, frozen=True):
    """A patron is marked, because ``wagers`` under the minimum were paid or collected in a round."""

    patron: str
    round: int
    wagers: tuple[int, ...]


class ShoeStart(Struct, frozen=True):
    """The first round that was dealt from a shoe."""

    round: int
    shoe: int


# of how many shoes a table knows which rounds they had
KEPT_SHOE_STARTS = 100
