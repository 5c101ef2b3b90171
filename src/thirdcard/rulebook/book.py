"""A rulebook: the rules of one game, ready to be played by."""

import enum
import hashlib

import msgspec
from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.money import Odds, parse_odds
from thirdcard.rulebook.document import Document, PayRow, Variant, WagerForm
from thirdcard.rulebook.facts import Conditions, PairRule, conditions
from thirdcard.rulebook.house import House
from thirdcard.rulebook.table_of_play import Drawing, spread


class OddsRow(Struct, frozen=True):
    """The result of a wager when its conditions hold: paid at odds, or without odds standing off."""

    conditions: Conditions
    clauses: tuple[Clause, ...]
    odds: Odds | None = None
    gross: Odds | None = None


class Kind(enum.Enum):
    """Main wagers are on the two hands; every other wager is a side wager."""

    MAIN = "main"
    SIDE = "side"


class Wager(Struct, frozen=True):
    """A wager with its rows in order; where none holds it loses.

    ``placed`` are the clauses by which it is placed: its playing area, the menu, limits and credits.
    """

    id: str
    name: str
    kind: Kind
    placed: tuple[Clause, ...]
    rows: tuple[OddsRow, ...]
    lost: tuple[Clause, ...]
    ordered: bool
    allow_patron_edge: str | None


class Rulebook(Struct, frozen=True):
    """The rules of one game: a document, or one variant of it."""

    id: str
    name: str
    document: Document
    digest: str
    drawing: Drawing
    wagers: dict[str, Wager]

    def pair_rule(self, house: House) -> PairRule:
        """When two cards are a pair here: as the document says, or as the house reads it."""
        pairs = self.document.pairs
        return house.form.settings.pair_rule if pairs and pairs.rule == "house" else PairRule.RANK

    def leaves_to_house(self, setting: str) -> bool:
        """Whether a reading of the document leaves something to a setting of the house."""
        return any(reading.setting == setting for reading in self.document.readings)

    @property
    def menu(self) -> tuple[Clause, ...]:
        """The clauses that list the wagers on offer."""
        return tuple(dict.fromkeys(form.offered[0] for form in self.document.wagers))


def game_ids(document: Document) -> tuple[str, ...]:
    """The games of a document: its own id, or one id for each variant."""
    return tuple(f"{document.id}/{variant.id}" for variant in document.variants) or (document.id,)


def rulebooks(document: Document) -> tuple[Rulebook, ...]:
    """One rulebook for each game of a document that has been checked."""
    digest = hashlib.sha256(msgspec.json.encode(document, order="sorted")).hexdigest()
    drawing, _ = spread(document.table_of_play)
    variants: tuple[Variant | None, ...] = document.variants or (None,)
    return tuple(
        Rulebook(
            id=f"{document.id}/{variant.id}" if variant else document.id,
            name=f"{document.name}, {variant.name}" if variant else document.name,
            document=document,
            digest=digest,
            drawing=drawing,
            wagers={
                form.id: _wager(document, form, variant.id if variant else None) for form in document.wagers
            },
        )
        for variant in variants
    )


def wager_rows(form: WagerForm, variant: str | None) -> tuple[OddsRow, ...]:
    """The rows of a wager as one variant plays it, in order."""
    stand_offs = (OddsRow(conditions(row.when), row.clauses) for row in form.stands_off)
    pays = (_pay_row(form, row) for row in form.pays if row.variant in (None, variant))
    return (*stand_offs, *pays)


def _wager(document: Document, form: WagerForm, variant: str | None) -> Wager:
    kind = Kind(form.kind)
    alone = (form.alone,) if form.alone and kind is Kind.SIDE else ()
    limits = (document.limits.posted,) if document.limits else ()
    at_terminal = (document.round.credits,) if document.round.credits else ()
    return Wager(
        id=form.id,
        name=form.name,
        kind=kind,
        placed=tuple(dict.fromkeys((form.area, *form.offered, *alone, *limits, *at_terminal))),
        rows=wager_rows(form, variant),
        lost=form.lost,
        ordered=form.ordered,
        allow_patron_edge=form.allow_patron_edge,
    )


def _pay_row(form: WagerForm, row: PayRow) -> OddsRow:
    commission = row.commission.clauses if row.commission else ()
    return OddsRow(
        conditions=conditions(row.when),
        clauses=tuple(dict.fromkeys((row.clause, *row.also, *form.won, *commission))),
        odds=parse_odds(row.odds),
        gross=parse_odds(row.commission.of) if row.commission else None,
    )
