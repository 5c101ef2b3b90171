"""Reports by gaming day, by shift or of a whole time: lines for tables, games, dealers and wagers."""

from collections.abc import AsyncIterator, Callable
from datetime import date

from msgspec import Struct

from thirdcard.auditor.stored_rules import Rules, StoredRules
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.store import Store, records
from thirdcard.money import Currency
from thirdcard.odds.covariance import Covariances, covariances
from thirdcard.reports.figures import Figures, Priced
from thirdcard.reports.fold import Happening, LineKey, TableFold
from thirdcard.reports.gaming_day import DAY, GamingDays, Period
from thirdcard.rulebook.book import Rulebook

ReportProgress = Callable[[int], None]


class Block(Struct):
    """The lines of one period."""

    period: Period
    lines: dict[LineKey, Figures]


class Report(Struct, frozen=True):
    """The blocks of a report, with the rules that its figures are held against."""

    blocks: tuple[Block, ...]
    rulebooks: dict[Priced, Rulebook]
    currencies: dict[str, Currency]

    def covariances_of(self, game: Priced) -> Covariances:
        """The exact moments of a game's wagers."""
        return covariances(self.rulebooks[game], game.decks, game.pair_rule)


def periods(days: GamingDays, first: date, last: date, *, shifts: bool) -> tuple[Period, ...]:
    """The gaming days from one date to another, or their shifts."""
    dates = [first + DAY * number for number in range((last - first).days + 1)]
    if not shifts:
        return tuple(days.day(each) for each in dates)
    return tuple(shift for each in dates for shift in days.shifts_of(each))


async def make_report(
    store: Store,
    streams: tuple[str, ...],
    of: tuple[Period, ...],
    *,
    progress: ReportProgress = lambda _: None,
) -> Report:
    """Fold the records of tables into the periods; what happened at another time is left out."""
    blocks = tuple(Block(period, {}) for period in of)
    rulebooks: dict[Priced, Rulebook] = {}
    currencies: dict[str, Currency] = {}
    for stream in streams:
        fold = TableFold(stream, lambda happening: _add(blocks, happening))
        async for _ in _folded(store, stream, fold):
            progress(1)
        fold.finish()
        rulebooks |= fold.rulebooks
        currencies |= fold.currencies
    return Report(blocks, rulebooks, currencies)


async def _folded(store: Store, stream: str, fold: TableFold) -> AsyncIterator[None]:
    """Fold a stream record by record; one that is no table has nothing to report."""
    rules = StoredRules(store)
    async for record in records(store, stream):
        if not record.rulebook:
            return
        found = await rules.of(record)
        assert isinstance(found, Rules)
        fold.take(record, found, table_result_of(record).events)
        yield


def _add(blocks: tuple[Block, ...], happening: Happening) -> None:
    for block in blocks:
        period = block.period
        begins, ends = max(happening.begins, period.begins), min(happening.ends, period.ends)
        if begins < ends or (happening.begins == happening.ends and happening.begins in period):
            for key in happening.lines:
                figures = block.lines.setdefault(key, Figures())
                happening.change(figures, ends - begins)
