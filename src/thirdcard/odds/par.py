"""The figures of a PAR sheet: results of wagers, how they go together, and where the hold may lie."""

import datetime
import hashlib
import importlib.resources
import math
from collections.abc import Iterator
from fractions import Fraction
from importlib.resources.abc import Traversable

from msgspec import Struct

from thirdcard import __version__
from thirdcard.messages import message, say
from thirdcard.odds.covariance import Covariances, covariances, joint_results
from thirdcard.odds.exact import WagerOdds, full_shoe
from thirdcard.odds.mix import TWO_SIDED_95
from thirdcard.odds.price import prices
from thirdcard.rulebook.book import Rulebook, Wager
from thirdcard.rulebook.document import RecordedReading
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.words import conditions_in_words

TWO_SIDED_90 = 1.6448536269514722
ROUNDS_OF_LIMITS = (1_000, 10_000, 100_000, 1_000_000)
PAIR_SETTING = "settings.pair_rule"
SIGNERS = ("par.prepared", "par.checked", "par.approved")


class ParRow(Struct, frozen=True):
    """A result of a wager: when it comes, the gain of a unit staked, and its draws.

    The gain is nothing for a wager that stands off, and less one for a lost one.
    """

    wager: str
    when: str
    pays: str
    gain: Fraction
    count: int
    clauses: tuple[str, ...]


class HoldLimit(Struct, frozen=True):
    """The limits between which the hold of a wager lies in 95 of 100 times after so many equal stakes."""

    wager: str
    rounds: int
    low: float
    high: float


class OtherReading(Struct, frozen=True):
    """An unclear place whose reading changes odds: the edges as it is read here, and as it may be read."""

    reading: RecordedReading
    edges: dict[str, tuple[Fraction, Fraction]]


class ParFigures(Struct, frozen=True):
    """Everything that a PAR sheet shows."""

    rulebook: Rulebook
    decks: int
    pair_rule: PairRule
    made: datetime.date
    total: int
    wagers: tuple[WagerOdds, ...]
    rows: tuple[ParRow, ...]
    together: Covariances
    joint: dict[tuple[Fraction, ...], int]
    readings: tuple[OtherReading, ...]

    def name(self, wager: str) -> str:
        """Return the name of a wager."""
        return self.rulebook.wagers[wager].name

    def correlation(self, one: str, other: str) -> float:
        """Return how far the results of two wagers go together: from -1 to 1."""
        of = self.together.covariances
        return float(of[one, other]) / math.sqrt(of[one, one] * of[other, other])

    @property
    def limits(self) -> tuple[HoldLimit, ...]:
        """The limits of the hold of every wager."""
        return tuple(
            HoldLimit(each.wager, rounds, float(each.edge) - far, float(each.edge) + far)
            for each in self.wagers
            for rounds in ROUNDS_OF_LIMITS
            for far in (TWO_SIDED_95 * each.deviation / math.sqrt(rounds),)
        )


def par_figures(rulebook: Rulebook, decks: int, pair_rule: PairRule, made: datetime.date) -> ParFigures:
    """Count everything for a PAR sheet of whole decks."""
    priced = prices(rulebook, full_shoe(decks), pair_rule)
    return ParFigures(
        rulebook=rulebook,
        decks=decks,
        pair_rule=pair_rule,
        made=made,
        total=priced.total,
        wagers=priced.wagers,
        rows=tuple(row for each in priced.wagers for row in _rows(rulebook.wagers[each.wager], each)),
        together=covariances(rulebook, decks, pair_rule),
        joint=dict(joint_results(rulebook, decks, pair_rule)),
        readings=tuple(_readings(rulebook, decks, pair_rule, priced.wagers)),
    )


def _rows(wager: Wager, odds: WagerOdds) -> Iterator[ParRow]:
    paid = iter(odds.rows)
    for row in wager.rows:
        when = conditions_in_words(row.conditions)
        if row.odds is None:
            yield ParRow(wager.id, when, "", Fraction(0), odds.stood_off, row.clauses)
        else:
            each = next(paid)
            gain = Fraction(each.odds.gain, each.odds.stake)
            yield ParRow(wager.id, when, each.odds.text, gain, each.count, row.clauses)
    yield ParRow(wager.id, "", "", Fraction(-1), odds.lost, wager.lost)


def _readings(
    rulebook: Rulebook, decks: int, pair_rule: PairRule, wagers: tuple[WagerOdds, ...]
) -> Iterator[OtherReading]:
    """The readings that change odds, where any wager has another edge by them."""
    for reading in rulebook.document.readings:
        if reading.setting == PAIR_SETTING:
            (other,) = (rule for rule in PairRule if rule is not pair_rule)
            edges = {each.wager: each.edge for each in prices(rulebook, full_shoe(decks), other).wagers}
            changed = {
                each.wager: (each.edge, edges[each.wager])
                for each in wagers
                if each.edge != edges[each.wager]
            }
            yield OtherReading(reading, changed)


def identity(figures: ParFigures) -> tuple[tuple[str, str], ...]:
    """Return what a sheet is about, by the key of each heading: game, revision, day, digests, method."""
    document = figures.rulebook.document
    pairs, method = f"sheet.pairs-by-{figures.pair_rule.value}", "sheet.method-explained"
    return (
        ("show.game", f"{figures.rulebook.name} ({figures.rulebook.id})"),
        ("show.operator", f"{document.operator}, {document.jurisdiction}"),
        ("par.revision", document.version or "–"),
        ("show.in-force", document.in_force.isoformat(sep=" ", timespec="minutes")),
        ("par.made", figures.made.isoformat()),
        ("show.decks", str(figures.decks)),
        ("sheet.pairs", say(message(pairs))),
        ("sheet.rulebook-digest", figures.rulebook.digest),
        ("sheet.software", f"thirdcard {__version__}"),
        ("par.software-digest", software_digest()),
        ("sheet.method", say(message(method, total=f"{figures.total:,}"))),
    )


def software_digest() -> str:
    """A digest of every source file of the package, so that a sheet says what computed it."""
    digest = hashlib.sha256()
    for name, content in sorted(_sources(importlib.resources.files("thirdcard"), "")):
        digest.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _sources(each, f"{path}{each.name}/")
        elif each.name.endswith((".py", ".c", ".toml")):
            yield path + each.name, each.read_bytes()
