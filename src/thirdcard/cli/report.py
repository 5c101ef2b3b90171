"""``thirdcard report``: what tables did in a time, by gaming day, by shift or by table."""

import datetime
import itertools
import sys
from typing import Annotated

from cyclopts import App, Parameter

from thirdcard.cli.arguments import Flag
from thirdcard.cli.journals import NOWHERE, JournalPlace, bar, chosen, run
from thirdcard.cli.output import BadInput, console, print_json, print_table
from thirdcard.journal.store import Store
from thirdcard.messages import say
from thirdcard.reports.fold import LineSubject
from thirdcard.reports.gaming_day import BadPeriod, GamingDays, Period, gaming_days, parse_date
from thirdcard.reports.report import make_report, periods
from thirdcard.reports.rows import ReportRow, report_csv, rows
from thirdcard.rulebook.words import text

app = App(name="report", help="Reports what tables won, beside what the exact odds expect, in a time.")
MOST_DAYS = 366
BEGINS = ("06:00",)
HAPPENED = (
    "report.rounds",
    "report.void",
    "report.per-hour",
    "report.turnover",
    "report.win",
    "report.expected",
    "report.deviations",
    "report.incidents",
)
# the tables for people: of which lines, and with which columns
PARTS = (
    ("report.tables", LineSubject.TABLE, HAPPENED),
    (
        "report.money",
        LineSubject.TABLE,
        (
            "report.bought",
            "report.cashed-out",
            "report.drop",
            "report.hold",
            "report.besides",
            "report.awarded",
        ),
    ),
    (
        "report.chips",
        LineSubject.TABLE,
        (
            "report.opener",
            "report.fills",
            "report.chip-returns",
            "report.closer",
            "report.drop",
            "report.win-by-count",
            "report.win-by-wagers",
            "report.difference",
        ),
    ),
    ("report.games", LineSubject.GAME, HAPPENED),
    (
        "report.dealers",
        LineSubject.DEALER,
        (
            "report.rounds",
            "report.void",
            "report.turnover",
            "report.win",
            "report.expected",
            "report.deviations",
            "report.incidents",
        ),
    ),
    (
        "report.wagers",
        LineSubject.WAGER,
        ("report.turnover", "report.win", "report.expected", "report.deviations"),
    ),
)
First = Annotated[str, Parameter(name="--from")]
Last = Annotated[str | None, Parameter(name="--to")]
Shifts = Annotated[tuple[str, ...], Parameter(name="--shift", negative=())]
Tables = Annotated[tuple[str, ...], Parameter(name="--stream", negative=(), show_default=False)]


@app.command
def day(
    *,
    journal: JournalPlace = NOWHERE,
    first: First,
    last: Last = None,
    zone: str = "UTC",
    shift: Shifts = BEGINS,
    stream: Tables = (),
    json: Flag = False,
    csv: Flag = False,
) -> None:
    """Report each gaming day from one date to another.

    Parameters
    ----------
    journal
        The journal.
    first
        The date on which the first gaming day begins, such as 2026-11-18.
    last
        The date on which the last one begins; without it there is only the first.
    zone
        The time zone of the floor, such as Asia/Singapore.
    shift
        When a shift begins on the clock of the floor; once for each. A gaming day begins with the first.
    stream
        Only this table; may be given several times.
    json
        Print JSON, a line of the report in each.
    csv
        Print CSV.
    """
    days = _days(zone, shift)
    _report(journal, days, _periods(days, first, last, shifts=False), stream, json=json, csv=csv)


@app.command(name="shift")
def shift_(
    *,
    journal: JournalPlace = NOWHERE,
    first: First,
    last: Last = None,
    zone: str = "UTC",
    shift: Shifts = BEGINS,
    stream: Tables = (),
    json: Flag = False,
    csv: Flag = False,
) -> None:
    """Report each shift of the gaming days from one date to another.

    Parameters
    ----------
    journal
        The journal.
    first
        The date on which the first gaming day begins, such as 2026-11-18.
    last
        The date on which the last one begins; without it there is only the first.
    zone
        The time zone of the floor, such as Asia/Singapore.
    shift
        When a shift begins on the clock of the floor; once for each. A gaming day begins with the first.
    stream
        Only this table; may be given several times.
    json
        Print JSON, a line of the report in each.
    csv
        Print CSV.
    """
    days = _days(zone, shift)
    _report(journal, days, _periods(days, first, last, shifts=True), stream, json=json, csv=csv)


@app.command
def table(
    *names: str,
    journal: JournalPlace = NOWHERE,
    first: First,
    last: Last = None,
    zone: str = "UTC",
    shift: Shifts = BEGINS,
    json: Flag = False,
    csv: Flag = False,
) -> None:
    """Report tables over all gaming days from one date to another.

    Parameters
    ----------
    names
        The tables; without any, all of the journal.
    journal
        The journal.
    first
        The date on which the first gaming day begins, such as 2026-11-18.
    last
        The date on which the last one begins; without it there is only the first.
    zone
        The time zone of the floor, such as Asia/Singapore.
    shift
        When a shift begins on the clock of the floor; once for each. A gaming day begins with the first.
    json
        Print JSON, a line of the report in each.
    csv
        Print CSV.
    """
    days = _days(zone, shift)
    each = _periods(days, first, last, shifts=False)
    whole = Period(each[0].date, None, each[0].begins, each[-1].ends)
    _report(journal, days, (whole,), names, json=json, csv=csv)


def _days(zone: str, shifts: tuple[str, ...]) -> GamingDays:
    try:
        return gaming_days(zone, shifts)
    except BadPeriod as error:
        raise BadInput(say(error.what)) from error


def _periods(days: GamingDays, first: str, last: str | None, *, shifts: bool) -> tuple[Period, ...]:
    try:
        begins, ends = parse_date(first), parse_date(last or first)
    except BadPeriod as error:
        raise BadInput(say(error.what)) from error
    number = (ends - begins).days + 1
    if number < 1:
        raise BadInput(text("report.last-before-first"))
    if number > MOST_DAYS:
        dates = {"first": begins.isoformat(), "last": ends.isoformat()}
        raise BadInput(text("report.too-many-days", days=number, most=MOST_DAYS, **dates))
    return periods(days, begins, ends, shifts=shifts)


def _report(
    journal: JournalPlace,
    days: GamingDays,
    of: tuple[Period, ...],
    streams: tuple[str, ...],
    *,
    json: bool,
    csv: bool,
) -> None:
    async def ask(store: Store) -> tuple[ReportRow, ...]:
        names = chosen(streams, await store.streams())
        total = sum([(await store.head(name)).sequence for name in names])
        with bar(text("report.reading")) as advance:
            advance(0, total)
            report = await make_report(store, names, of, progress=lambda more: advance(more, None))
        return tuple(rows(report, days))

    found = run(ask, journal)
    if json:
        for row in found:
            print_json(row)
    elif csv:
        sys.stdout.write(report_csv(found).decode())
    elif found:
        _print(found)
    else:
        console().print(text("report.nothing"))


def _print(found: tuple[ReportRow, ...]) -> None:
    for (begins, ends, currency), same in itertools.groupby(
        found, key=lambda row: (row.begins, row.ends, row.currency)
    ):
        own = tuple(same)
        times = {"begins": _time(begins), "ends": _time(ends), "date": own[0].date}
        title = (
            text("report.shift", shift=own[0].shift, **times)
            if own[0].shift
            else text("report.period", **times)
        )
        console().print(f"{title} ({currency})", style="bold", soft_wrap=True)
        for part, subject, columns in PARTS:
            lines = [row for row in own if row.of == subject or _is_total(row, subject)]
            if lines:
                heads = tuple(text(column) for column in ("report.line", *columns))
                told = [(_name(row), *(_cell(row, column) for column in columns)) for row in lines]
                print_table(text(part), heads, told)
    console().print(text("report.explained"), soft_wrap=True)


def _is_total(row: ReportRow, subject: LineSubject) -> bool:
    return row.of == LineSubject.ALL and subject is LineSubject.TABLE


def _cell(row: ReportRow, column: str) -> str:
    match column:
        case "report.void":
            return str(row.void_rounds)
        case "report.per-hour":
            return _number(row.rounds_per_hour)
        case "report.expected":
            return row.expected_win
        case "report.deviations":
            return _number(row.deviations, "+")
        case "report.incidents":
            return str(row.irregularities + row.rulings + row.disputes)
        case "report.hold":
            return "" if row.hold is None else f"{row.hold:.2%}"
        case _:
            return str(getattr(row, column.removeprefix("report.").replace("-", "_")))


def _name(row: ReportRow) -> str:
    name = (
        text("report.all")
        if row.of == LineSubject.ALL
        else " ".join(each for each in (row.game, row.name) if each)
    )
    return text("report.for-training", name=name) if row.training else name


def _number(value: float | None, sign: str = "") -> str:
    return "" if value is None else f"{value:{sign}}"


def _time(moment: str) -> str:
    return datetime.datetime.fromisoformat(moment).strftime("%d.%m. %H:%M")
