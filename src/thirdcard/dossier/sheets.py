"""Workbooks for spreadsheets, with numbers that are numbers; the only door to XlsxWriter."""

import datetime
import enum
import math
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

from thirdcard.dossier.extras import needs_extra

MOST_ROWS = 1_048_576  # that a sheet can have
LONGEST_SHEET_NAME = 31  # characters
NO_TIME = datetime.datetime(1980, 1, 1)  # noqa: DTZ001 - the same bytes from the same figures
# where a formula would begin: also after what parts columns in other countries
FORMULA = "(^|[;|\\t\\n\\r])([=+\\-@\\t\\r＝＋－＠])"
_FORMULA = re.compile(FORMULA)
FAR, VERY_FAR = 2, 3  # standard deviations that are marked


class CellKind(enum.Enum):
    """The kind of the cells of a column."""

    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    SHARE = "share"
    AMOUNT = "amount"
    MOMENT = "moment"


class SheetColumn(Struct, frozen=True):
    """A column: the name by which formulas know it, its heading, and how its cells look.

    Cells of an amount are decimals with as many places as their currency has.
    """

    name: str
    title: str
    kind: CellKind = CellKind.TEXT
    places: int = 0
    width: int = 13
    marked: bool = False  # whether cells far off zero stand out


class Formula(Struct, frozen=True):
    """A formula and its value.

    ``{name}`` stands for the cells of a column from its first row to its last, ``{own_name}`` for the one
    of this row.
    """

    text: str
    value: Any


Cell = str | int | float | Decimal | datetime.datetime | Formula | None


class Sheet(Struct, frozen=True):
    """A sheet: lines at its head, then columns with rows, and rows of totals."""

    name: str
    head: tuple[tuple[str, str], ...]
    columns: tuple[SheetColumn, ...]
    rows: Iterable[tuple[Cell, ...]]
    totals: tuple[tuple[Cell, ...], ...] = ()


def write_workbook(target: Path | IO[bytes], title: str, sheets: Iterable[Sheet]) -> None:
    """Write sheets one after the other, each row as it comes; the same sheets have the same bytes."""
    with needs_extra("XLSX", "XlsxWriter", "reports"):
        import xlsxwriter  # noqa: PLC0415 - an extra that may not be there
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(str(target) if isinstance(target, Path) else target, options) as workbook:
        workbook.set_properties({"title": title, "created": NO_TIME})
        workbook.set_calc_mode("auto")
        formats = _Formats(workbook)
        for sheet in sheets:
            _Writer(workbook.add_worksheet(sheet.name[:LONGEST_SHEET_NAME]), formats, sheet).write()


class _Formats:
    """The formats of a workbook, each made once."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._made: dict[tuple[str, bool], Any] = {}
        self.strong = workbook.add_format({"bold": True})
        self.heading = workbook.add_format(
            {"bold": True, "text_wrap": True, "valign": "top", "bottom": 2, "bg_color": "#EFEBE0"}
        )
        self.far = workbook.add_format({"bg_color": "#F7E8C8"})
        self.very_far = workbook.add_format({"bg_color": "#F8E0DC", "font_color": "#A3231B"})

    def of(self, cell: Cell, column: SheetColumn, *, total: bool) -> Any:
        value = cell.value if isinstance(cell, Formula) else cell
        match column.kind:
            case CellKind.WHOLE:
                form = "#,##0"
            case CellKind.NUMBER:
                form = _decimals(column.places)
            case CellKind.SHARE:
                form = f"{_decimals(column.places - 2)}%"
            case CellKind.AMOUNT:
                places = -int(value.as_tuple().exponent) if isinstance(value, Decimal) else 0
                form = f"{_decimals(places)};[Red]-{_decimals(places)}"
            case CellKind.MOMENT:
                form = "yyyy-mm-dd hh:mm:ss"
            case CellKind.TEXT:
                form = "@"
        if (form, total) not in self._made:
            look = {"num_format": form, **({"bold": True, "top": 1} if total else {})}
            self._made[form, total] = self._workbook.add_format(look)
        return self._made[form, total]


def _decimals(places: int) -> str:
    return f"#,##0.{'0' * places}" if places else "#,##0"


class _Writer:
    """Writes one sheet."""

    def __init__(self, worksheet: Any, formats: _Formats, sheet: Sheet) -> None:
        self._worksheet = worksheet
        self._formats = formats
        self._sheet = sheet
        self._top = len(sheet.head) + 2 if sheet.head else 1  # of the rows; the headings are above

    def write(self) -> None:
        sheet, worksheet = self._sheet, self._worksheet
        for place, column in enumerate(sheet.columns):
            worksheet.set_column(place, place, column.width)
        for row, (label, said) in enumerate(sheet.head):
            worksheet.write_string(row, 0, label, self._formats.strong)
            worksheet.write_string(row, 1, said)
        for place, column in enumerate(sheet.columns):
            worksheet.write_string(self._top - 1, place, column.title, self._formats.heading)
        row = self._top
        for cells in sheet.rows:
            self._write_row(row, cells, total=False)
            row += 1
        last = row - 1
        for cells in sheet.totals:
            self._write_row(row, cells, total=True, last=last)
            row += 1
        self._lay_out(last)

    def _write_row(self, row: int, cells: tuple[Cell, ...], *, total: bool, last: int = 0) -> None:
        for place, (cell, column) in enumerate(zip(cells, self._sheet.columns, strict=True)):
            look = self._formats.of(cell, column, total=total)
            match cell:
                case Formula():
                    text = cell.text.format_map(dict(self._references(row, last)))
                    self._worksheet.write_formula(row, place, text, look, _plain(cell.value))
                case None:
                    self._worksheet.write_blank(row, place, None, look)
                case str():
                    self._worksheet.write_string(row, place, cell, look)
                case datetime.datetime():
                    self._worksheet.write_datetime(row, place, cell.replace(tzinfo=None), look)
                case _:
                    self._worksheet.write_number(row, place, cell, look)

    def _references(self, row: int, last: int) -> Iterator[tuple[str, str]]:
        for place, column in enumerate(self._sheet.columns):
            letters = _letters(place)
            yield column.name, f"${letters}${self._top + 1}:${letters}${last + 1}"
            yield f"own_{column.name}", f"{letters}{row + 1}"

    def _lay_out(self, last: int) -> None:
        worksheet, columns = self._worksheet, self._sheet.columns
        worksheet.freeze_panes(self._top, 1)
        if last >= self._top:
            worksheet.autofilter(self._top - 1, 0, last, len(columns) - 1)
            for place, column in enumerate(columns):
                if column.marked:
                    self._mark(place, last)
        worksheet.set_landscape()
        worksheet.set_paper(9)  # A4
        worksheet.fit_to_pages(1, 0)
        worksheet.repeat_rows(self._top - 1)
        worksheet.set_footer("&L&A&R&P / &N")

    def _mark(self, place: int, last: int) -> None:
        """Make cells stand out that are far off zero."""
        for bound, look in ((VERY_FAR, self._formats.very_far), (FAR, self._formats.far)):
            rule = {"type": "cell", "criteria": "not between", "minimum": -bound, "maximum": bound}
            self._worksheet.conditional_format(
                self._top, place, last, place, {**rule, "format": look, "stop_if_true": True}
            )


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        value = float(value)
    return "" if value is None or (isinstance(value, float) and not math.isfinite(value)) else value


def _letters(place: int) -> str:
    """The letters of a column by its place, which begins at nought."""
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def safe_text(value: str) -> str:
    """A text as a spreadsheet takes it for text, whatever it begins with."""
    return _FORMULA.sub(r"\1'\2", value)
