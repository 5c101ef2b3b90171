"""Reports as rows: for JSON, CSV, screens, spreadsheets and paper."""

import csv
import enum
import io
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from thirdcard.dossier.sheets import safe_text
from thirdcard.floor.gaming_day import GamingDays, Period
from thirdcard.messages import knows, message, say
from thirdcard.money import Currency, format_amount
from thirdcard.reports.figures import MICROSECONDS_OF_HOUR, Figures
from thirdcard.reports.fold import LineKey, LineSubject
from thirdcard.reports.report import Block, ReportNames, WinReport


class ReportRow(Struct, frozen=True, kw_only=True):
    """A line of a report: amounts are minor units of the currency; times are on the clock of the floor.

    ``deviations`` is by how many standard deviations the win lies off what the exact odds expect.
    """

    date: str
    shift: int | None
    begins: str
    ends: str
    of: LineSubject
    name: str
    game: str
    training: bool
    currency: str
    exponent: int
    rounds: int
    void_rounds: int
    hours_open: float
    rounds_per_hour: float | None
    wagers: int
    turnover: int
    win: int
    expected_win: int
    deviation: int
    deviations: float | None
    commission: int
    besides: int
    bought: int
    cashed_out: int
    drop: int
    hold: float | None
    opener: int
    fills: int
    chip_returns: int
    closer: int
    win_by_count: int
    win_by_wagers: int
    difference: int
    awarded: int
    irregularities: int
    rulings: int
    disputes: int


class ColumnKind(enum.Enum):
    """The kind of a column of figures."""

    COUNT = "count"
    AMOUNT = "amount"
    NUMBER = "number"
    SHARE = "share"


class Column(Struct, frozen=True):
    """A column of figures by the name of its field; whether several lines are added up in it."""

    name: str
    kind: ColumnKind
    adds_up: bool = True
    places: int = 0  # decimal places of a number or a share
    signed: bool = False


# every column of figures, in the order of the fields above
REPORT_COLUMNS = {
    each.name: each
    for each in (
        Column("rounds", ColumnKind.COUNT),
        Column("void_rounds", ColumnKind.COUNT),
        Column("hours_open", ColumnKind.NUMBER, places=2),
        Column("rounds_per_hour", ColumnKind.NUMBER, adds_up=False, places=1),
        Column("wagers", ColumnKind.COUNT),
        Column("turnover", ColumnKind.AMOUNT),
        Column("win", ColumnKind.AMOUNT),
        Column("expected_win", ColumnKind.AMOUNT),
        Column("deviation", ColumnKind.AMOUNT, adds_up=False),
        Column("deviations", ColumnKind.NUMBER, adds_up=False, places=2, signed=True),
        Column("commission", ColumnKind.AMOUNT),
        Column("besides", ColumnKind.AMOUNT),
        Column("bought", ColumnKind.AMOUNT),
        Column("cashed_out", ColumnKind.AMOUNT),
        Column("drop", ColumnKind.AMOUNT),
        Column("hold", ColumnKind.SHARE, adds_up=False, places=4),
        Column("opener", ColumnKind.AMOUNT),
        Column("fills", ColumnKind.AMOUNT),
        Column("chip_returns", ColumnKind.AMOUNT),
        Column("closer", ColumnKind.AMOUNT),
        Column("win_by_count", ColumnKind.AMOUNT),
        Column("win_by_wagers", ColumnKind.AMOUNT),
        Column("difference", ColumnKind.AMOUNT),
        Column("awarded", ColumnKind.AMOUNT),
        Column("irregularities", ColumnKind.COUNT),
        Column("rulings", ColumnKind.COUNT),
        Column("disputes", ColumnKind.COUNT),
    )
}


class ReportPart(Struct, frozen=True):
    """A table of a report for people: of which lines, and with which columns."""

    title: str
    subject: LineSubject
    columns: tuple[str, ...]


RESULT = ("turnover", "win", "expected_win", "deviations")
INCIDENT_COLUMNS = ("irregularities", "rulings", "disputes")
AT_A_PLACE = ("rounds", "void_rounds", "rounds_per_hour", *RESULT, *INCIDENT_COLUMNS)
ANYWHERE = ("rounds", "void_rounds", *RESULT, *INCIDENT_COLUMNS)
CHIPS_WON = ("win_by_count", "win_by_wagers", "difference")
REPORT_PARTS = (
    ReportPart("report.pits", LineSubject.PIT, AT_A_PLACE),
    ReportPart("report.tables", LineSubject.TABLE, AT_A_PLACE),
    ReportPart(
        "report.money",
        LineSubject.TABLE,
        ("bought", "cashed_out", "drop", "hold", "commission", "besides", "awarded"),
    ),
    ReportPart(
        "report.chips",
        LineSubject.TABLE,
        ("opener", "fills", "chip_returns", "closer", "drop", *CHIPS_WON),
    ),
    ReportPart("report.games", LineSubject.GAME, ANYWHERE),
    ReportPart("report.dealers", LineSubject.DEALER, ANYWHERE),
    ReportPart("report.wagers", LineSubject.WAGER, ("wagers", *RESULT)),
)


def lines_of(part: ReportPart, rows: Iterable[ReportRow]) -> list[ReportRow]:
    """The rows of a part; those of all tables together stand with the tables."""
    subjects = {part.subject, LineSubject.ALL} if part.subject is LineSubject.TABLE else {part.subject}
    return [row for row in rows if row.of in subjects]


class ToldReport(Struct, frozen=True):
    """A report on the clock of a floor, ready for people; ``signers`` are names with posts."""

    report: WinReport
    days: GamingDays
    signers: tuple[tuple[str, str], ...] = ()

    @property
    def rows(self) -> tuple[ReportRow, ...]:
        """The rows of all periods."""
        return tuple(row for block in self.report.blocks for row in self.rows_of(block))

    def rows_of(self, block: Block) -> Iterator[ReportRow]:
        """The rows of a period: all tables together, then each pit, table, game, dealer and wager."""
        order = list(LineSubject)
        lines = sorted(block.lines.items(), key=lambda line: (order.index(line[0].subject), line[0]))
        for key, figures in (*_totals(block), *lines):
            yield _row(self.report, block, key, figures, self.ends_of(block.period))

    def ends_of(self, period: Period) -> tuple[str, str]:
        """Both ends of a period on the clock of the floor."""
        begins, ends = (self.days.local(each) for each in (period.begins, period.ends))
        return begins.isoformat(timespec="minutes"), ends.isoformat(timespec="minutes")

    def title_of(self, period: Period) -> str:
        """A period in words, on the clock of the floor."""
        begins, ends = (f"{self.days.local(each):%Y-%m-%d %H:%M}" for each in (period.begins, period.ends))
        told = {"begins": begins, "ends": ends, "date": period.date.isoformat()}
        if period.shift is None:
            return say(message("report.of-day", **told))
        return say(message("report.of-shift", shift=period.shift, **told))

    @property
    def zones(self) -> tuple[str, ...]:
        """The time zones of its periods, which are one but for the days around a change."""
        return tuple(dict.fromkeys(self.days.zone_at(block.period.date) for block in self.report.blocks))


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


def _row(report: WinReport, block: Block, key: LineKey, figures: Figures, ends: tuple[str, str]) -> ReportRow:
    currency, period = report.terms.currencies[key.currency], block.period
    expected = float(figures.expected(report.covariances_of))
    deviation = figures.deviation(report.covariances_of)
    return ReportRow(
        date=period.date.isoformat(),
        shift=period.shift,
        begins=ends[0],
        ends=ends[1],
        of=key.subject,
        name=key.name,
        game=key.game,
        training=key.training,
        currency=currency.code,
        exponent=currency.exponent,
        rounds=figures.rounds,
        void_rounds=figures.void_rounds,
        hours_open=round(figures.open / MICROSECONDS_OF_HOUR, 2),
        rounds_per_hour=_rounded(figures.rounds_per_hour, 1),
        wagers=figures.wagers,
        turnover=figures.turnover,
        win=figures.win,
        expected_win=round(expected),
        deviation=round(deviation),
        deviations=_rounded((figures.win - expected) / deviation if deviation else None, 2),
        commission=figures.commission,
        besides=figures.besides,
        bought=figures.bought,
        cashed_out=figures.cashed_out,
        drop=figures.drop,
        hold=_rounded(figures.hold, 4),
        opener=figures.opener,
        fills=figures.fills,
        chip_returns=figures.chip_returns,
        closer=figures.closer,
        win_by_count=figures.win_by_count,
        win_by_wagers=figures.win_by_wagers,
        difference=figures.win_by_count - figures.win_by_wagers,
        awarded=figures.awarded,
        irregularities=figures.irregularities,
        rulings=figures.rulings,
        disputes=figures.disputes,
    )


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


# for programs


def in_decimals(row: ReportRow) -> dict[str, Any]:
    """A row for programs: amounts are decimal texts."""
    told = asdict(row)
    currency = Currency(row.currency, told.pop("exponent"))
    amounts = (name for name, column in REPORT_COLUMNS.items() if column.kind is ColumnKind.AMOUNT)
    return told | {name: format_amount(told[name], currency) for name in amounts}


def report_csv(lines: Iterable[ReportRow]) -> bytes:
    """Rows as CSV under the names of their columns; no name begins as a formula of a spreadsheet does."""
    names = [name for name in ReportRow.__struct_fields__ if name != "exponent"]
    written = io.StringIO()
    writer = csv.DictWriter(written, names, lineterminator="\n")
    writer.writeheader()
    for row in lines:
        told = in_decimals(row)
        writer.writerow(told | {"of": row.of.value, "name": safe_text(row.name)})
    return written.getvalue().encode()


# for people


def title_of(column: str) -> str:
    """The heading of a column in the language of the reader."""
    return say(message(f"report.{column.replace('_', '-')}"))


def name_of_line(row: ReportRow, names: ReportNames) -> str:
    """The name of a line in the language of the reader."""
    match row.of:
        case LineSubject.ALL:
            name = say(message("report.all"))
        case LineSubject.GAME:
            name = name_of_game(row.game, names)
        case LineSubject.WAGER:
            wager = _named("wager", row.name, names.wagers[row.game][row.name])
            name = f"{name_of_game(row.game, names)} · {wager}"
        case LineSubject.DEALER:
            name = _named("post", row.name, row.name)
        case _:
            name = row.name
    return say(message("report.for-training", name=name)) if row.training else name


def name_of_game(game: str, names: ReportNames) -> str:
    """The name of a game in the language of the reader."""
    return _named("game", game.replace("/", "-"), names.games[game])


def _named(section: str, thing: str, otherwise: str) -> str:
    key = f"{section}.{thing}"
    return say(message(key)) if knows(key) else otherwise


def told_cell(row: ReportRow, name: str) -> str:
    """A figure of a row as people read it."""
    value, column = getattr(row, name), REPORT_COLUMNS[name]
    if value is None:
        return ""
    match column.kind:
        case ColumnKind.AMOUNT:
            return f"{value / 10**row.exponent:,.{row.exponent}f}"
        case ColumnKind.SHARE:
            return f"{value:.{column.places - 2}%}"
        case ColumnKind.NUMBER:
            return f"{value:{'+' if column.signed else ''},.{column.places}f}"
        case ColumnKind.COUNT:
            return f"{value:,}"
