"""A rule document in the form of its file: one struct per section, a clause on every row."""

import datetime
import functools
from typing import Annotated, Any, Literal, TypeVar, get_args

from msgspec import Meta, Struct

from thirdcard.clauses import Clause, Clauses
from thirdcard.rulebook.facts import When
from thirdcard.rulebook.irregularity import Irregularity, Policy, Situation
from thirdcard.rulebook.procedure import (
    Authority,
    Burn,
    CuttingCard,
    Display,
    DisputeProcedure,
    EquipmentItem,
    FreeHandPolicy,
    Limits,
    Methods,
    RoundProcedure,
    Squeezing,
)
from thirdcard.rulebook.table_of_play import TableOfPlay

Source = Literal["rule", "house", "assumed"]
PolicyType = TypeVar("PolicyType", bound=Policy)


class Note(Struct, frozen=True, forbid_unknown_fields=True):
    """A defect of the document."""

    clause: Clause
    note: str


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """The document itself: its digest and what is wrong with it."""

    sha256: str
    notes: tuple[Note, ...] = ()


class Regulator(Struct, frozen=True, forbid_unknown_fields=True):
    """The authority that approved the document, and by which law.

    ``approves`` is the title that the approval names, where it is another one than the document's.
    """

    authority: str
    section: str
    approves: str | None = None


class Variant(Struct, frozen=True, forbid_unknown_fields=True):
    """One of several games that a document describes."""

    id: str
    name: str
    clauses: Clauses


class Decks(Struct, frozen=True, forbid_unknown_fields=True):
    """How many decks a shoe may hold, and how many it usually does."""

    least: int
    most: int
    usual: int
    source: Source
    clause: Clause | None = None


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A table layout and its number of positions."""

    id: str
    least: int
    most: int
    clause: Clause
    variant: str | None = None
    assumed: bool = False
    labels: dict[str, dict[str, str]] = {}


class Layouts(Struct, frozen=True, forbid_unknown_fields=True):
    """The layouts a table may have; at terminals there are none.

    ``rows`` are the playing areas of one position as a screen draws them, those nearest to the patron last,
    and ``narrow_rows`` the same where there is little room; a wager in none of them has a place by default.
    """

    clauses: Clauses
    layout: tuple[Layout, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    narrow_rows: tuple[tuple[str, ...], ...] = ()


class Counting(Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of card values and point totals."""

    pips: Clause
    tens: Clause
    below_ten: Clause
    ten_and_over: Clause
    point_total: Clause | None = None
    zero: Clause | None = None


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of the first four cards and what follows them."""

    hand: Clause
    initial_deal: Clause
    two_hands: Clauses
    player: Clause
    banker: Clause
    natural: Clause
    pair_wagers: Clause | None = None
    subsequent_deal: Clause | None = None


class OutcomeRule(Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of the winning hand and of a tie."""

    higher_total: Clause
    tie: Clauses


class PairsRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the document itself says when two cards are a pair, or the house reads it."""

    rule: Literal["rank", "house"]
    clauses: Clauses


class Commission(Struct, frozen=True, forbid_unknown_fields=True):
    """The odds before commission, and the clauses that take it."""

    of: str
    clauses: Clauses


class PayRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The odds of a wager when its facts hold."""

    when: When
    odds: str
    clause: Clause
    also: tuple[Clause, ...] = ()
    variant: str | None = None
    commission: Commission | None = None


class StandOffRow(Struct, frozen=True, forbid_unknown_fields=True):
    """When a wager neither wins nor loses."""

    when: When
    clauses: Clauses


class WagerForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A wager as the document offers it."""

    id: str
    name: str
    kind: Literal["main", "side"]
    area: Clause
    offered: Clauses
    won: tuple[Clause, ...]
    lost: Clauses
    pays: tuple[PayRow, ...]
    stands_off: tuple[StandOffRow, ...] = ()
    ordered: bool = False
    alone: Clause | None = None
    allow_patron_edge: str | None = None


class RecordedReading(Struct, frozen=True, forbid_unknown_fields=True):
    """An unclear place of the document, and how it is read."""

    id: str
    clauses: tuple[Clause, ...]
    question: str
    answer: str
    source: Source
    setting: str | None = None


class ClauseLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A clause of the document: its kind and its effect in our words."""

    kind: Literal[
        "authority",
        "dealing",
        "definition",
        "display",
        "dispute",
        "equipment",
        "irregularity",
        "layout",
        "limit",
        "procedure",
        "settlement",
        "third-card",
        "wager",
    ]
    says: str
    term: str | None = None
    shown: str | None = None
    not_modelled: str | None = None


class Document(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    dict=True,
    rename={
        "text": "document",
        "variants": "variant",
        "wagers": "wager",
        "irregularities": "irregularity",
        "readings": "reading",
    },
):
    """One rule document, whole."""

    format: Literal[1, 2, 3, 4, 5]  # a file of an older format has keys that a newer one has too
    id: str
    game: str
    name: str
    operator: str
    jurisdiction: str
    version: str | None = None
    in_force: datetime.datetime
    clause: Clause
    approval: Clause | None = None
    seats: Clause | None = None
    regulator: Regulator | None = None
    house: str
    table: Literal["felt", "terminal"]
    text: Text
    variants: tuple[Variant, ...] = ()
    decks: Decks
    layouts: Layouts
    equipment: tuple[EquipmentItem, ...] = ()
    round: RoundProcedure
    counting: Counting
    deal: Deal
    table_of_play: TableOfPlay
    outcome: OutcomeRule
    pairs: PairsRule | None = None
    wagers: Annotated[tuple[WagerForm, ...], Meta(min_length=1)]
    methods: Methods | None = None
    squeezing: Squeezing | None = None
    cutting_card: CuttingCard | None = None
    burn: Burn | None = None
    limits: Limits | None = None
    irregularities: tuple[Irregularity, ...]
    free_hand: FreeHandPolicy | None = None
    authority: Authority
    display: Display = Display()
    dispute: DisputeProcedure | None = None
    readings: tuple[RecordedReading, ...] = ()
    clauses: dict[Clause, ClauseLine]

    @property
    def names_another_game(self) -> str | None:
        """The title that the approval names, where it is another one than the document's."""
        return self.regulator.approves if self.regulator else None

    def policies_of(self, kind: type[PolicyType]) -> tuple[PolicyType, ...]:
        """The standing rules of a kind."""
        found: tuple[PolicyType, ...] = self._policies.get(kind, ())
        return found

    @functools.cached_property  # asked after every card
    def situations(self) -> tuple[Situation, ...]:
        """Its situations in the order in which people look for them, and ``NOT_COVERED``."""
        named = {Situation.NOT_COVERED, *(row.situation for row in self.irregularities)}
        return tuple(each for each in Situation if each in named)

    @functools.cached_property  # asked at every settlement
    def _policies(self) -> dict[object, tuple[Any, ...]]:
        effects = [each for row in self.irregularities for each in row.effects]
        return {kind: tuple(each for each in effects if isinstance(each, kind)) for kind in get_args(Policy)}
