"""The sections that everybody gets: names, faces and balances stand elsewhere."""

from typing import Literal

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.folds.faces import CardShown
from thirdcard.game.state import Hand, Phase
from thirdcard.money import Currency
from thirdcard.rulebook.book import Kind
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Area, Method
from thirdcard.views.next_actions import Awaited, Gap
from thirdcard.views.sections.cases import CaseShown, OfferShown


class Fact(Struct, frozen=True):
    """A fact that a pay row asks for, and the values that it may have."""

    name: str
    values: tuple[str | int | bool, ...]


class Example(Struct, frozen=True):
    """An example of a pay: a stake, the amount paid, and the commission that is kept of it."""

    stake: int
    paid: int
    commission: int


class Pay(Struct, frozen=True):
    """The odds of a wager when all facts hold, with an example; without odds it stands off."""

    odds: str | None
    when: tuple[Fact, ...]
    clauses: tuple[Clause, ...]
    example: Example


class WagerOffered(Struct, frozen=True):
    """A wager with its posted limits in minor units, and its pays in order."""

    id: str
    name: str
    kind: Kind
    minimum: int
    maximum: int
    pays: tuple[Pay, ...]
    lost: tuple[Clause, ...]


class FeltRows(Struct, frozen=True):
    """The playing areas of one position row by row, those nearest to the patron last: wide, and narrow."""

    wide: tuple[tuple[str, ...], ...]
    narrow: tuple[tuple[str, ...], ...]


class SetupSection(Struct, frozen=True, kw_only=True):
    """The set-up of the table; ``differential`` is absent where the document knows none.

    ``labels`` are what the layout has printed on it besides English, by language and wager.
    """

    table: str
    game: str
    name: str
    rulebook: str
    house: str
    layout: str | None
    labels: dict[str, dict[str, str]]
    felt: FeltRows
    positions: int
    area: Area
    decks: int
    terminal: bool
    face_down: bool
    currency: Currency
    unit: int
    owners_per_area: int | None
    differential: int | None
    wagers: tuple[WagerOffered, ...]
    training: bool


class PhaseSection(Struct, frozen=True, kw_only=True):
    """How far the table is and what it waits for.

    ``held`` says that it stood still while nobody served it, ``stopped`` that nothing is recorded at present,
    ``disabled`` that no new round begins, ``next_round`` which one takes wagers already and has not begun.
    """

    phase: Phase
    paused: bool
    held: bool
    stopped: bool
    disabled: bool
    round: int | None
    next_round: int | None
    free: bool
    last: bool
    method: Method | None
    awaited: Awaited | None
    case: CaseShown | None
    offer: OfferShown | None
    gap: Gap | None


class DrawingSection(Struct, frozen=True):
    """The step of a hand after the first four cards, on its total and by which clauses."""

    hand: Hand
    does: Literal["draws", "stands", "natural"]
    total: int
    clauses: tuple[Clause, ...]


class CardsSection(Struct, frozen=True):
    """The cards in draw order, totals of hands that lie open, and which hands lie with a patron.

    ``drawing`` says who draws and who stands, as far as the open cards tell, ``announced`` that the totals of
    the first four cards were announced.
    """

    cards: tuple[CardShown, ...] = ()
    player: int | None = None
    banker: int | None = None
    held: tuple[Hand, ...] = ()
    first: Hand | None = None
    drawing: tuple[DrawingSection, ...] = ()
    announced: bool = False


class WagerTotal(Struct, frozen=True):
    """All stakes on a kind of wager, and how many there are."""

    wager: str
    stake: int
    wagers: int


class TotalsSection(Struct, frozen=True):
    """The totals on the felt by kind of wager."""

    totals: tuple[WagerTotal, ...] = ()


class OutcomeSection(Struct, frozen=True, kw_only=True):
    """The round under way or the last one: its outcome once all cards lie open, and special results."""

    round: int | None = None
    facts: Facts | None = None
    called: Winner | None = None
    marks: tuple[str, ...] = ()
    void: bool = False
    ended: bool = False


class ShoeSection(Struct, frozen=True, kw_only=True):
    """The cards in use and what was announced of them: never how many are left, or which.

    ``seal`` is the root that binds a virtual shoe, published before its first wager.
    """

    number: int | None = None
    decks: int | None = None
    seal: str | None = None
    opened: bool = False
    cut: int | None = None
    burned: int | None = None
    rounds: int = 0
    rounds_left: int | None = None
    last_announced: bool = False
    replace_by: Clause | None = None
    doubted_by: Clause | None = None
    patrons_choose: bool = False
    keep_by: Clause | None = None
    free_hand_by: Clause | None = None
