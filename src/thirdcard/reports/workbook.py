"""Reports as workbooks: a sheet for each kind of line, with totals that a spreadsheet adds up itself."""

import io
import math
from collections.abc import Iterable, Iterator
from decimal import Decimal

from thirdcard.dossier.sheets import Cell, CellKind, Formula, Sheet, SheetColumn, write_workbook
from thirdcard.messages import message, say
from thirdcard.reports.fold import LineSubject
from thirdcard.reports.report import ReportNames
from thirdcard.reports.rows import (
    REPORT_COLUMNS,
    Column,
    ColumnKind,
    ReportRow,
    ToldReport,
    name_of_game,
    name_of_line,
    title_of,
)

CELL_KINDS = {
    ColumnKind.COUNT: CellKind.WHOLE,
    ColumnKind.AMOUNT: CellKind.AMOUNT,
    ColumnKind.NUMBER: CellKind.NUMBER,
    ColumnKind.SHARE: CellKind.SHARE,
}
SHEETS = {
    LineSubject.ALL: "report.all",
    LineSubject.PIT: "report.pits",
    LineSubject.TABLE: "report.tables",
    LineSubject.GAME: "report.games",
    LineSubject.DEALER: "report.dealers",
    LineSubject.WAGER: "report.wagers",
}
ABOUT = ("line", "game", "date", "shift", "training", "currency")
WIDE, NARROW = 34, 9
COLUMNS_OF_WAGERS = ("wagers", "turnover", "win", "expected_win", "deviation", "deviations", "commission")
RATIOS = {
    "deviations": '=IF({own_deviation}=0,"",({own_win}-{own_expected_win})/{own_deviation})',
    "hold": '=IF({own_bought}+{own_drop}=0,"",{own_win}/({own_bought}+{own_drop}))',
    "rounds_per_hour": '=IF({own_hours_open}=0,"",{own_rounds}/{own_hours_open})',
}


def report_workbook(told: ToldReport) -> bytes:
    """Return a report as the bytes of a workbook."""
    written = io.BytesIO()
    title = say(message("report.title"))
    write_workbook(written, title, sheets_of(told, title))
    return written.getvalue()


def sheets_of(told: ToldReport, title: str) -> Iterator[Sheet]:
    """The sheets of a report; a kind of which nothing is told has none."""
    every = told.rows
    for subject, name in SHEETS.items():
        lines = [row for row in every if row.of is subject]
        if lines or subject is LineSubject.ALL:
            columns = _columns(subject)
            yield Sheet(
                name=say(message(name)),
                head=tuple(_head(told, every, title)),
                columns=tuple(map(_sheet_column, (*ABOUT, *(each.name for each in columns)))),
                rows=[_cells(row, told.report.names, columns) for row in lines],
                totals=tuple(_totals(lines, columns, subject)),
            )


def _head(told: ToldReport, rows: Iterable[ReportRow], title: str) -> Iterator[tuple[str, str]]:
    """The lines above the columns: which floor, which time on which clock, which currency, made from what."""
    blocks, terms = told.report.blocks, told.report.terms
    yield title, ""
    yield say(message("report.floor")), ", ".join(sorted(terms.houses.values()))
    for block in blocks[:1]:
        begins = told.days.local(block.period.begins)
        ends = told.days.local(blocks[-1].period.ends)
        yield say(message("report.time")), f"{begins:%Y-%m-%d %H:%M} – {ends:%Y-%m-%d %H:%M}"
    yield say(message("report.zone")), ", ".join(told.zones)
    yield say(message("report.currency")), ", ".join(dict.fromkeys(row.currency for row in rows))
    yield say(message("report.made-from")), told.report.origin.digest


def _columns(subject: LineSubject) -> tuple[Column, ...]:
    """The columns of a kind of line; those that it never has are left out."""
    if subject is LineSubject.WAGER:
        return tuple(REPORT_COLUMNS[name] for name in COLUMNS_OF_WAGERS)
    without = ("hours_open", "rounds_per_hour") if subject is LineSubject.DEALER else ()
    return tuple(column for name, column in REPORT_COLUMNS.items() if name not in without)


def _sheet_column(name: str) -> SheetColumn:
    title = title_of(name)
    if name in ABOUT:
        return SheetColumn(name, title, width=WIDE if name in ABOUT[:2] else NARROW + 2)
    column = REPORT_COLUMNS[name]
    width = NARROW if column.kind is ColumnKind.COUNT else NARROW + 6
    return SheetColumn(
        name, title, CELL_KINDS[column.kind], column.places, width, marked=name == "deviations"
    )


def _cells(row: ReportRow, names: ReportNames, columns: tuple[Column, ...]) -> tuple[Cell, ...]:
    game = name_of_game(row.game, names) if row.game else ""
    shift = "" if row.shift is None else str(row.shift)
    about = (name_of_line(row, names), game, row.date, shift, _training(row), row.currency)
    return (*about, *(_cell(row, column) for column in columns))


def _training(row: ReportRow) -> str:
    return say(message("report.yes" if row.training else "report.no"))


def _cell(row: ReportRow, column: Column) -> Cell:
    value: Cell = getattr(row, column.name)
    if column.kind is ColumnKind.AMOUNT:
        return Decimal(getattr(row, column.name)).scaleb(-row.exponent)
    return value


def _totals(
    lines: list[ReportRow], columns: tuple[Column, ...], subject: LineSubject
) -> Iterator[tuple[Cell, ...]]:
    """A line with the sums of each currency, those for training apart."""
    kinds = dict.fromkeys((row.training, row.currency) for row in lines)
    for training, currency in sorted(kinds):
        same = [row for row in lines if (row.training, row.currency) == (training, currency)]
        criteria = f'{{currency}},"{currency}",{{training}},"{_training(same[0])}"'
        where = f'({{currency}}="{currency}")*({{training}}="{_training(same[0])}")'
        sums = {
            each.name: sum((_value(row, each) for row in same), Decimal()) for each in columns if each.adds_up
        }
        sums["deviation"] = Decimal(math.isqrt(sum(row.deviation**2 for row in same))).scaleb(
            -same[0].exponent
        )
        cells: list[Cell] = [say(message("report.total")), "", "", "", _training(same[0]), currency]
        for column in columns:
            if column.adds_up:
                text = f"=SUMIFS({{{column.name}}},{criteria})"
                cells.append(Formula(text, sums[column.name]))
            elif subject is LineSubject.WAGER:
                cells.append(None)  # wagers of one round go together
            elif column.name == "deviation":
                cells.append(Formula(f"=SQRT(SUMPRODUCT({where}*{{deviation}}^2))", sums["deviation"]))
            else:
                cells.append(Formula(RATIOS[column.name], _ratio(column.name, sums)))
        yield tuple(cells)


def _value(row: ReportRow, column: Column) -> Decimal:
    value = Decimal(str(getattr(row, column.name)))
    return value.scaleb(-row.exponent) if column.kind is ColumnKind.AMOUNT else value


def _ratio(name: str, sums: dict[str, Decimal]) -> float | None:
    """The value of a formula that divides sums."""
    gain, by = {
        "deviations": (sums["win"] - sums["expected_win"], sums["deviation"]),
        "hold": (sums["win"], sums.get("bought", Decimal()) + sums.get("drop", Decimal())),
        "rounds_per_hour": (sums.get("rounds", Decimal()), sums.get("hours_open", Decimal())),
    }[name]
    return float(gain / by) if by else None
