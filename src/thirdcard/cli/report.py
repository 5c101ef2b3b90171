"""``thirdcard report``: what tables did in a time, by gaming day, by shift or by table."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from thirdcard.cli.arguments import Flag
from thirdcard.cli.journals import NOWHERE, JournalPlace, bar, chosen, run
from thirdcard.cli.output import BadInput, console, print_json, print_table
from thirdcard.dossier.extras import MissingExtra
from thirdcard.dossier.floor_history import FloorHistory, floor_history
from thirdcard.floor.gaming_day import (
    EPOCH,
    USUAL_DAY,
    BadPeriod,
    GamingDays,
    gaming_days,
    parse_date,
)
from thirdcard.floor.state import DayPlan, GamingDay
from thirdcard.journal.store import Store
from thirdcard.messages import say
from thirdcard.reports.files import ReportForm, report_file
from thirdcard.reports.fold import LineSubject
from thirdcard.reports.report import ReportKind, make_report, periods
from thirdcard.reports.rows import (
    INCIDENT_COLUMNS,
    REPORT_PARTS,
    ReportRow,
    ToldReport,
    in_decimals,
    lines_of,
    title_of,
    told_cell,
)
from thirdcard.rulebook.words import text

app = App(name="report", help="Reports what tables won, beside what the exact odds expect, in a time.")


@dataclass(frozen=True)
class ReportTime:
    """The gaming days of a report, and the clock that they go by.

    Parameters
    ----------
    first
        The date on which the first gaming day begins, such as 2026-11-18.
    last
        The date on which the last one begins; without it there is only the first.
    zone
        The time zone of the floor, such as Asia/Singapore; without it that of the floor file.
    shift
        When a shift begins on the clock of the floor; once for each. A gaming day begins with the first.
        Without it shifts are those of the floor file.
    """

    first: Annotated[str, Parameter(name="--from")]
    last: Annotated[str | None, Parameter(name="--to")] = None
    zone: Annotated[str | None, Parameter(name="--zone")] = None
    shift: Annotated[tuple[str, ...], Parameter(name="--shift", negative=(), show_default=False)] = ()


@dataclass(frozen=True)
class ReportOutput:
    """The form of a report.

    Parameters
    ----------
    json
        Print JSON, a line of the report in each.
    csv
        Print CSV.
    xlsx
        Write a workbook for spreadsheets to this file.
    pdf
        Write a PDF to sign to this file.
    signer
        Who signs the PDF, as NAME or NAME=POST; may be given several times.
    """

    json: Flag = False
    csv: Flag = False
    xlsx: Annotated[Path | None, Parameter(show_default=False)] = None
    pdf: Annotated[Path | None, Parameter(show_default=False)] = None
    signer: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)] = ()


Asked = Annotated[ReportTime, Parameter(name="*")]
Told = Annotated[ReportOutput, Parameter(name="*")]
Tables = Annotated[tuple[str, ...], Parameter(name="--stream", negative=(), show_default=False)]
AS_TABLES = ReportOutput()


@app.command
def day(*, journal: JournalPlace = NOWHERE, time: Asked, stream: Tables = (), form: Told = AS_TABLES) -> None:
    """Report each gaming day from one date to another.

    Parameters
    ----------
    journal
        The journal.
    stream
        Only this table; may be given several times.
    """
    _report(journal, ReportKind.DAY, time, stream, form)


@app.command(name="shift")
def shift_(
    *, journal: JournalPlace = NOWHERE, time: Asked, stream: Tables = (), form: Told = AS_TABLES
) -> None:
    """Report each shift of the gaming days from one date to another.

    Parameters
    ----------
    journal
        The journal.
    stream
        Only this table; may be given several times.
    """
    _report(journal, ReportKind.SHIFT, time, stream, form)


@app.command
def table(*names: str, journal: JournalPlace = NOWHERE, time: Asked, form: Told = AS_TABLES) -> None:
    """Report tables over all gaming days from one date to another.

    Parameters
    ----------
    names
        The tables; without any, all of the journal.
    journal
        The journal.
    """
    _report(journal, ReportKind.TABLE, time, names, form)


def _report(
    journal: JournalPlace, kind: ReportKind, time: ReportTime, streams: tuple[str, ...], form: ReportOutput
) -> None:
    async def ask(store: Store) -> ToldReport:
        history = await floor_history(store)
        days = _days(history, time)
        of = periods(days, kind, parse_date(time.first), parse_date(time.last or time.first))
        names = chosen(streams, await store.streams())
        total = sum([(await store.head(name)).sequence for name in names])
        with bar(text("report.reading")) as advance:
            advance(0, total)
            report = await make_report(
                store, names, of, history=history, progress=lambda more: advance(more, None)
            )
        return ToldReport(report, days, tuple(map(_signer, form.signer)))

    try:
        told = run(ask, journal)
        files = {ReportForm.XLSX: form.xlsx, ReportForm.PDF: form.pdf}
        written = [_write(told, each, file) for each, file in files.items() if file is not None]
    except (BadPeriod, MissingExtra) as error:
        raise BadInput(say(error.what)) from error
    if form.json:
        for row in told.rows:
            print_json(in_decimals(row))
    elif form.csv:
        sys.stdout.write(report_file(told, ReportForm.CSV).decode())
    elif not written:
        _print(told)


def _days(history: FloorHistory, time: ReportTime) -> GamingDays:
    """The gaming days of the floor, unless others are asked for."""
    if time.zone is None and not time.shift:
        return history.days
    last = history.plans[-1].day if history.plans else USUAL_DAY
    return gaming_days((DayPlan(GamingDay(time.zone or last.zone, time.shift or last.shifts), EPOCH),))


def _signer(given: str) -> tuple[str, str]:
    name, _, post = given.partition("=")
    return name.strip(), post.strip()


def _write(told: ToldReport, form: ReportForm, file: Path) -> Path:
    try:
        file.write_bytes(report_file(told, form))
    except OSError as error:
        raise BadInput(text("road.not-written", file=str(file), reason=error.strerror or "")) from error
    console().print(text("report.written", file=str(file)), soft_wrap=True)
    return file


def _print(told: ToldReport) -> None:
    if not told.rows:
        console().print(text("report.nothing"))
        return
    for block in told.report.blocks:
        rows = tuple(told.rows_of(block))
        for currency in dict.fromkeys(row.currency for row in rows):
            console().print(f"{told.title_of(block.period)} ({currency})", style="bold", soft_wrap=True)
            _print_parts(tuple(row for row in rows if row.currency == currency))
    console().print(text("report.explained"), soft_wrap=True)


def _print_parts(rows: tuple[ReportRow, ...]) -> None:
    """Print the tables of a period for a terminal: incidents in one column, games by their ids."""
    for part in REPORT_PARTS:
        if lines := lines_of(part, rows):
            columns = tuple(each for each in part.columns if each not in INCIDENT_COLUMNS)
            heads = [text("report.line"), *map(title_of, columns)]
            cells = [[_name(row), *(told_cell(row, each) for each in columns)] for row in lines]
            if columns != part.columns:
                heads.append(text("report.together"))
                for row, line in zip(lines, cells, strict=True):
                    line.append(str(sum(getattr(row, each) for each in INCIDENT_COLUMNS)))
            print_table(text(part.title), tuple(heads), [tuple(line) for line in cells])


def _name(row: ReportRow) -> str:
    by_id = row.of in (LineSubject.GAME, LineSubject.WAGER)
    name = " ".join(filter(None, (row.game, row.name))) if by_id else row.name or text("report.all")
    return text("report.for-training", name=name) if row.training else name
