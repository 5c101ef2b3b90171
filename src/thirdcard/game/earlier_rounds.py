"""The memory of a table: rounds and shoes before the last one, and offers that are closed."""

import bisect
import datetime
import operator

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.rulebook.irregularity import Effect, OfferWithdrawal, Situation


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

    What was paid too little is negative. ``made_good`` says that a payment makes good what was lacking. The
    ``wager`` is told of what was paid or collected outside its limits, with its position. A decision knows
    what the round had ``given`` the patron by then, nothing where it was not settled yet, and the ``dispute``
    whose award was paid; ``counted`` is what a later settlement took of decisions, or gave back.
    """

    round: int
    patron: str
    amount: int
    by: Clause | None = None
    made_good: bool = False
    wager: str | None = None
    position: int | None = None
    given: int | None = None
    dispute: int | None = None
    counted: bool = False


class Mark(Struct, frozen=True):
    """A patron is marked, because ``wagers`` under the minimum were paid or collected in a round."""

    patron: str
    round: int
    wagers: tuple[int, ...]


class PastOffer(Struct, frozen=True):
    """An offer of the round that is closed: by which case, who was asked, and how many cards lay by then."""

    situation: Situation
    clause: Clause | None
    effects: tuple[Effect, ...]
    offer: OfferWithdrawal
    asked: tuple[str, ...]
    cards: int


class WithdrawnAll(Struct, frozen=True):
    """A patron took all wagers back by a clause that knows all or none.

    Where it speaks of remaining wagers, ``open_cards`` are the cards of the round that lay open by then, and
    decided the others.
    """

    patron: str
    case: int
    clause: Clause
    remaining: bool
    open_cards: tuple[int, ...] = ()


class Confirmation(Struct, frozen=True):
    """The regulator's confirmation that a document is approved although its approval names another game."""

    reference: str
    date: datetime.date
    by: str
    second: str


_BY_PATRON = operator.attrgetter("patron")


class PatronRounds(Struct, frozen=True):
    """The rounds in which a patron had a wager or a payment, whatever became of it: runs, first to last."""

    patron: str
    runs: tuple[tuple[int, int], ...]


def with_stake(stakes: tuple[PatronRounds, ...], patron: str, number: int) -> tuple[PatronRounds, ...]:
    """Return the rounds of all patrons, by name, with one more of a patron; beyond a limit old runs join."""
    place = _place_of(stakes, patron)
    known = place < len(stakes) and stakes[place].patron == patron
    runs = stakes[place].runs if known else ()
    if runs and runs[-1][1] == number - 1:  # as where somebody stays
        runs = (*runs[:-1], (runs[-1][0], number))
    elif any(first <= number <= last for first, last in reversed(runs)):
        return stakes
    else:
        runs = tuple(sorted((*runs, (number, number))))
    if len(runs) > KEPT_RUNS:
        runs = ((runs[0][0], runs[1][1]), *runs[2:])
    return (*stakes[:place], PatronRounds(patron, runs), *stakes[place + known :])


def has_stake(stakes: tuple[PatronRounds, ...], patron: str, number: int) -> bool:
    """Whether a patron had money in a round."""
    known = was_patron(stakes, patron)
    runs = stakes[_place_of(stakes, patron)].runs if known else ()
    return any(first <= number <= last for first, last in runs)


def was_patron(stakes: tuple[PatronRounds, ...], patron: str) -> bool:
    """Whether somebody had money in any round."""
    place = bisect.bisect_left(stakes, patron, key=_BY_PATRON)
    return place < len(stakes) and stakes[place].patron == patron


def patrons_before(stakes: tuple[PatronRounds, ...], number: int) -> tuple[str, ...]:
    """Return the patrons who had money in a round before one."""
    return tuple(each.patron for each in stakes if each.runs[0][0] < number)


def _place_of(stakes: tuple[PatronRounds, ...], patron: str) -> int:
    return bisect.bisect_left(stakes, patron, key=_BY_PATRON)


class ShoeStart(Struct, frozen=True):
    """The first round that was dealt from a shoe."""

    round: int
    shoe: int


# of how many shoes a table knows which rounds they had
KEPT_SHOE_STARTS = 100
# how many wagers outside their limits a table remembers
KEPT_OUTSIDE = 100
# how many runs of rounds a table knows of a patron one by one
KEPT_RUNS = 100
