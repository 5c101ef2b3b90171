"""Reports as rows, with decimal amounts: for JSON, CSV, and tables for people."""

import csv
import io
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import astuple, replace

from thirdcard.dossier.meter_rows import safe_text
from thirdcard.money import format_amount
from thirdcard.reports.figures import MICROSECONDS_OF_HOUR, Figures
from thirdcard.reports.fold import LineKey, LineSubject
from thirdcard.reports.gaming_day import GamingDays
from thirdcard.reports.report import Block, Report


class ReportRow(Struct, frozen=True, kw_only=True):
    """A line of a report: amounts are decimal, in the currency; times are on the clock of the floor.

    ``deviations`` is by how many standard deviations the win lies off what the exact odds expect.
    """

    date: str
    shift: int | None
    begins: str
    ends: str
    of: str
    name: str
    game: str
    training: bool
    currency: str
    rounds: int
    void_rounds: int
    hours_open: float
    rounds_per_hour: float | None
    wagers: int
    turnover: str
    win: str
    expected_win: str
    deviation: str
    deviations: float | None
    commission: str
    besides: str
    bought: str
    cashed_out: str
    drop: str
    hold: float | None
    opener: str
    fills: str
    chip_returns: str
    closer: str
    win_by_count: str
    win_by_wagers: str
    difference: str
    awarded: str
    irregularities: int
    rulings: int
    disputes: int


def rows(report: Report, days: GamingDays) -> Iterator[ReportRow]:
    """The rows of a report: of each period all tables together, then each table, game, dealer and wager."""
    for block in report.blocks:
        for key, figures in (*_totals(block), *sorted(block.lines.items())):
            yield _row(report, days, block, key, figures)


def _totals(block: Block) -> Iterator[tuple[LineKey, Figures]]:
    """All tables of a currency together, those for training apart."""
    tables = sorted(
        (key, figures) for key, figures in block.lines.items() if key.subject is LineSubject.TABLE
    )
    kinds = dict.fromkeys((key.training, key.currency) for key, _ in tables)
    for training, currency in sorted(kinds):
        same = [figures for key, figures in tables if (key.training, key.currency) == (training, currency)]
        yield LineKey(LineSubject.ALL, "", "", training, currency), sum_of(same)


def sum_of(figures: Iterable[Figures]) -> Figures:
    """Figures of several lines together; the sum is new."""
    total = Figures()
    for each in figures:
        for name in Figures.__struct_fields__:
            setattr(total, name, getattr(total, name) + getattr(each, name))
    return total


def _row(report: Report, days: GamingDays, block: Block, key: LineKey, figures: Figures) -> ReportRow:
    currency = report.currencies[key.currency]
    expected, deviation = (
        figures.expected(report.covariances_of),
        figures.deviation(report.covariances_of),
    )

    def amount(minor: float) -> str:
        return format_amount(round(minor), currency)

    period = block.period
    return ReportRow(
        date=period.date.isoformat(),
        shift=period.shift,
        begins=days.local(period.begins).isoformat(timespec="minutes"),
        ends=days.local(period.ends).isoformat(timespec="minutes"),
        of=key.subject.value,
        name=key.name,
        game=key.game,
        training=key.training,
        currency=currency.code,
        rounds=figures.rounds,
        void_rounds=figures.void_rounds,
        hours_open=round(figures.open / MICROSECONDS_OF_HOUR, 2),
        rounds_per_hour=_rounded(figures.rounds_per_hour, 1),
        wagers=figures.wagers,
        turnover=amount(figures.turnover),
        win=amount(figures.win),
        expected_win=amount(float(expected)),
        deviation=amount(deviation),
        deviations=_rounded((figures.win - float(expected)) / deviation if deviation else None, 2),
        commission=amount(figures.commission),
        besides=amount(figures.besides),
        bought=amount(figures.bought),
        cashed_out=amount(figures.cashed_out),
        drop=amount(figures.drop),
        hold=_rounded(figures.hold, 4),
        opener=amount(figures.opener),
        fills=amount(figures.fills),
        chip_returns=amount(figures.chip_returns),
        closer=amount(figures.closer),
        win_by_count=amount(figures.win_by_count),
        win_by_wagers=amount(figures.win_by_wagers),
        difference=amount(figures.win_by_count - figures.win_by_wagers),
        awarded=amount(figures.awarded),
        irregularities=figures.irregularities,
        rulings=figures.rulings,
        disputes=figures.disputes,
    )


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def report_csv(lines: Iterable[ReportRow]) -> bytes:
    """Rows as CSV under the names of their columns; no name begins as a formula of a spreadsheet does."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(ReportRow.__struct_fields__)
    writer.writerows(astuple(replace(row, name=safe_text(row.name))) for row in lines)
    return written.getvalue().encode()
