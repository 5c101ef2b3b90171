"""Reports as workbooks and as PDF: their figures, their totals, and the same bytes from the same records."""

import csv
import datetime
import io
import re
import sys
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from journal.journals import EVENING, random_evening, told_evening, write
from msgspec.structs import replace

from thirdcard.dossier.extras import MissingExtra
from thirdcard.dossier.floor_history import FloorHistory
from thirdcard.floor.events import GamingDaySet
from thirdcard.floor.gaming_day import EPOCH
from thirdcard.floor.state import DayPlan, GamingDay
from thirdcard.journal.memory import MemoryStore
from thirdcard.messages import languages, say, sentences, speaking
from thirdcard.reports.files import ReportForm, report_file
from thirdcard.reports.paper import LATIN, marked_up
from thirdcard.reports.report import ReportKind, make_report, periods
from thirdcard.reports.rows import ToldReport, in_decimals, report_csv

DATE = datetime.date(2025, 6, 2)  # of the evenings of these tests


class PitOne(FloorHistory):
    """A floor of which one table stands in a pit."""

    def pit_of(self, table: str, moment: int) -> str:
        return "Pit 1" if table == "table-2" else ""


async def told(signers: tuple[tuple[str, str], ...] = ()) -> ToldReport:
    store = MemoryStore()
    await write(store, told_evening("table-1", EVENING.read_text("utf-8")))
    await write(store, random_evening("table-2", 30, 12, "mbs-super-six-etg-v3"))
    await write(store, random_evening("table-3", 32, 12, "hoiana-tiger-2024/commission"))
    history = PitOne()
    history.follow(GamingDaySet(plan=DayPlan(GamingDay("Asia/Singapore", ("06:00",)), EPOCH)), 0)
    of = periods(history.days, ReportKind.DAY, DATE, DATE)
    report = await make_report(store, ("table-1", "table-2", "table-3"), of, history=history)
    return ToldReport(report, history.days, signers)


def sheets(content: bytes, *, values: bool) -> dict[str, list[list[Any]]]:
    """The cells of a workbook, as formulas or as the values that were written with them."""
    book = openpyxl.load_workbook(io.BytesIO(content), data_only=values)
    return {sheet.title: [list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book}


def evaluated(cells: list[list[Any]], formula: str) -> float | str:
    """The value of a formula of a total, worked out by what spreadsheets say that it is."""

    def column(found: str) -> list[Any]:
        letters, first, last = re.fullmatch(r"\$([A-Z]+)\$(\d+):\$[A-Z]+\$(\d+)", found).groups()  # type: ignore[union-attr]
        place = openpyxl.utils.column_index_from_string(letters) - 1
        return [row[place] for row in cells[int(first) - 1 : int(last)]]

    def cell(found: str) -> float:
        letters, row = re.fullmatch(r"([A-Z]+)(\d+)", found).groups()  # type: ignore[union-attr]
        value = cells[int(row) - 1][openpyxl.utils.column_index_from_string(letters) - 1]
        return float(evaluated(cells, value) if isinstance(value, str) else value)

    if sums := re.fullmatch(r'=SUMIFS\(([^,]+),([^,]+),"(.+?)",([^,]+),"(.+?)"\)', formula):
        of, by, currency, apart, training = sums.groups()
        lines = zip(column(of), column(by), column(apart), strict=True)
        return float(sum(value for value, one, two in lines if (one, two) == (currency, training)))
    apart_by = r'\((.+?)="(.+?)"\)\*'
    if squares := re.fullmatch(rf"=SQRT\(SUMPRODUCT\({apart_by}{apart_by}(.+?)\^2\)\)", formula):
        by, currency, apart, training, of = squares.groups()
        lines = zip(column(of), column(by), column(apart), strict=True)
        return float(sum(v**2 for v, one, two in lines if (one, two) == (currency, training)) ** 0.5)
    ratio = re.fullmatch(r'=IF\(([\w+]+)=0,"",\(?(\w+)(?:-(\w+)\))?/.+\)', formula)
    assert ratio is not None, formula
    whole, gain, less = ratio.groups()
    by = sum(map(cell, whole.split("+")))
    return (cell(gain) - (cell(less) if less else 0)) / by if by else ""


async def test_a_workbook_has_a_sheet_for_each_kind_with_real_numbers() -> None:
    report = await told()
    found = sheets(report_file(report, ReportForm.XLSX), values=True)
    assert list(found) == ["All tables", "Pits", "Tables", "Games", "Dealers", "Wagers"]
    tables = found["Tables"]
    assert tables[3][:2] == ["Time zone", "Asia/Singapore"]
    assert tables[4][:2] == ["Currency", "SGD, USD"]
    assert tables[5][:2] == ["Made from", report.report.origin.digest]
    heads = tables[7]
    (row,) = [each for each in report.rows if each.of == "table" and each.name == "table-1"]
    (line,) = [each for each in tables if each[0] == "table-1"]
    cells = dict(zip(heads, line, strict=True))
    assert cells["Win"] == pytest.approx(row.win / 100)
    assert isinstance(cells["Win"], int | float)
    assert (cells["Rounds"], cells["Currency"], cells["Training"]) == (row.rounds, "SGD", "no")
    assert [each[0] for each in found["Pits"][8:]] == ["Pit 1", "Total"]


async def test_totals_of_a_workbook_are_formulas_that_come_to_their_values() -> None:
    content = report_file(await told(), ReportForm.XLSX)
    formulas, values = sheets(content, values=False), sheets(content, values=True)
    seen = 0
    for name, cells in formulas.items():
        for line, kept in zip(cells, values[name], strict=True):
            for cell, value in zip(line, kept, strict=True):
                if isinstance(cell, str) and cell.startswith("="):
                    expected = "" if value in (None, "") else pytest.approx(value, abs=0.01)
                    assert evaluated(cells, cell) == expected
                    seen += 1
    assert seen > 100


async def test_the_same_records_give_the_same_bytes() -> None:
    for form in ReportForm:
        assert report_file(await told(), form) == report_file(await told(), form)


async def test_a_pdf_has_signers_and_speaks_both_languages() -> None:
    report = await told((("Nguyễn Ánh 李", "Pit Manager"),))
    english = report_file(report, ReportForm.PDF)
    with speaking("zh-Hans"):
        chinese = report_file(report, ReportForm.PDF)
        assert "全部赌桌" in sheets(report_file(report, ReportForm.XLSX), values=True)
    assert english.startswith(b"%PDF-")
    assert b"STSong-Light" in chinese
    assert english != chinese


@pytest.mark.parametrize(
    ("language", "text", "drawn"),
    [
        ("en", "Nguyễn 李 1,234.00", [(LATIN, "Nguyen "), ("STSong-Light", "李"), (LATIN, " 1,234.00")]),
        ("zh-Hans", "庄赢", [("STSong-Light", "庄赢")]),
        ("zh-Hant", "莊贏，老虎", [("MSung-Light", "莊贏，老虎")]),
        ("ko", "뱅커 승", [("HYSMyeongJo-Medium", "뱅커"), (LATIN, " "), ("HYSMyeongJo-Medium", "승")]),
        ("vi", "Đã đóng cược", [(LATIN, "Dã dóng cuoc")]),
    ],
)
def test_letters_are_drawn_in_a_font_that_has_them(
    language: str, text: str, drawn: list[tuple[str, str]]
) -> None:
    with speaking(language):
        assert marked_up(text) == "".join(f'<font name="{font}">{letters}</font>' for font, letters in drawn)


@pytest.mark.parametrize("language", sorted(languages()))
def test_no_letter_of_a_language_becomes_a_question_mark(language: str) -> None:
    with speaking(language):
        told = " ".join(str(text) for key, text in sentences(language).items() if key.startswith("report."))
        assert marked_up(told).count("?") == told.count("?")


@pytest.mark.parametrize(("language", "font"), [("zh-Hant", b"MSung-Light"), ("ko", b"HYSMyeongJo-Medium")])
async def test_a_pdf_names_the_font_of_its_language(language: str, font: bytes) -> None:
    with speaking(language):
        assert font in report_file(await told(), ReportForm.PDF)


async def test_amounts_for_programs_are_decimal_texts() -> None:
    report = await told()
    for row in report.rows:
        assert Decimal(in_decimals(row)["win"]) == Decimal(row.win).scaleb(-row.exponent)
        assert "exponent" not in in_decimals(row)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "＝1", "Pit 1"])
async def test_a_name_in_csv_is_no_formula(name: str) -> None:
    row = replace((await told()).rows[0], name=name)
    (_, line) = report_csv([row]).decode().splitlines()
    (cell,) = [each for each in next(csv.reader([line])) if each.endswith(name)]
    assert cell == (name if name == "Pit 1" else f"'{name}")


@pytest.mark.parametrize(
    ("form", "library"), [(ReportForm.XLSX, "xlsxwriter"), (ReportForm.PDF, "thirdcard.reports.paper")]
)
async def test_a_missing_library_is_named_with_its_extra(
    form: ReportForm, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = await told()
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra) as missing:
        report_file(report, form)
    assert 'pip install "thirdcard[reports]"' in say(missing.value.what)
