"""The PAR sheet that a laboratory signs: its workbook recomputed from the counts, its page and its paper."""

import datetime
import json
import math
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest
from computing.formulas import FormulaSheet

import thirdcard as tc
from thirdcard.cli import run
from thirdcard.computing.par_sheet import ParSheet

DAY = datetime.date(2026, 11, 19)
GAMES = ("mbs-tiger-v3", "mbs-super-six-etg-v3", "hoiana-tiger-2024/commission")


def sheet_of(game: str) -> ParSheet:
    return tc.game(game).par_sheet(made=DAY)


@pytest.fixture(scope="module", params=GAMES)
def workbook(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    file = tmp_path_factory.mktemp("par") / "sheet.xlsx"
    sheet_of(request.param).to_xlsx(file)
    return request.param, file


def test_formulas_recompute_every_edge_deviation_and_covariance(workbook: tuple[str, Path]) -> None:
    """Nothing but the typed counts and gains is read: every other cell is worked out here."""
    game, file = workbook
    figures = sheet_of(game).figures
    formulas = FormulaSheet(openpyxl.load_workbook(file))
    first = len(figures.rows) + 2
    for row, each in enumerate(figures.wagers, start=first):
        assert formulas.value("Pay rows", f"A{row}") == each.wager
        assert formulas.value("Pay rows", f"E{row}") == figures.total
        assert formulas.value("Pay rows", f"F{row}") == pytest.approx(each.won / each.total, rel=1e-12)
        assert formulas.value("Pay rows", f"G{row}") == pytest.approx(float(each.edge), abs=1e-12)
        assert formulas.value("Pay rows", f"H{row}") == pytest.approx(each.deviation, rel=1e-9)
        assert formulas.value("Pay rows", f"I{row}") == pytest.approx(1.6448536 * each.deviation, rel=1e-6)
    for row, limit in enumerate(figures.limits, start=2):
        assert formulas.value("Hold", f"E{row}") == pytest.approx(limit.low, abs=1e-9)
        assert formulas.value("Hold", f"F{row}") == pytest.approx(limit.high, abs=1e-9)
    _recompute_covariances(formulas, sheet_of(game))
    assert formulas.formulas > 200


def _recompute_covariances(formulas: FormulaSheet, sheet: ParSheet) -> None:
    figures = sheet.figures
    first = len(figures.joint) + 2
    for at, one in enumerate(figures.wagers):
        letter = chr(ord("B") + at)
        assert formulas.value("Together", f"{letter}{first}") == pytest.approx(float(one.edge), abs=1e-12)
        for place, other in enumerate(figures.wagers, start=first + 1):
            known = float(figures.together.covariances[one.wager, other.wager])
            assert formulas.value("Together", f"{letter}{place}") == pytest.approx(known, abs=1e-9)


def test_values_beside_the_formulas_are_theirs(workbook: tuple[str, Path]) -> None:
    """A reader that works nothing out shows the same."""
    _, file = workbook
    formulas, shown = FormulaSheet(openpyxl.load_workbook(file)), openpyxl.load_workbook(file, data_only=True)
    for sheet in shown.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, float):
                    worked_out = formulas.value(sheet.title, cell.coordinate)
                    assert worked_out == pytest.approx(cell.value, rel=1e-9, abs=1e-9), cell.coordinate


def test_a_sheet_says_what_it_is_about() -> None:
    about = dict(sheet_of("mbs-tiger-v3").about)
    assert about["Revision of the rules"] == "3"
    assert about["Made on"] == "2026-11-19"
    assert about["Decks"] == "8"
    assert len(about["Digest of the rulebook"]) == len(about["Digest of the software"]) == 64
    page = sheet_of("mbs-tiger-v3").to_html()
    for said in ("2026-11-19", "Prepared by", "Approved by", about["Digest of the software"]):
        assert said in page


def test_limits_of_the_hold_are_two_roots_of_the_rounds_away() -> None:
    """Banker with 5 per cent commission: 1.0579 % and 0.9274; after 10,000 rounds 1.96 × 0.9274 ÷ 100."""
    (limit,) = (
        each
        for each in sheet_of("mbs-tiger-v3").figures.limits
        if (each.wager, each.rounds) == ("banker", 10_000)
    )
    assert limit.low == pytest.approx(0.010579 - 0.018177, abs=1e-5)
    assert limit.high == pytest.approx(0.010579 + 0.018177, abs=1e-5)


def test_a_sheet_names_the_reading_that_changes_odds() -> None:
    """AMB-01 of Super Six (1.1.4): by the letter a ten and a court card pair, which favours the patron."""
    (other,) = sheet_of("mbs-super-six-etg-v3").figures.readings
    assert other.reading.id == "AMB-01"
    here, there = other.edges["player-pair"]
    assert (round(float(here), 4), there < 0) == (0.1036, True)
    assert sheet_of("hoiana-tiger-2024/commission").figures.readings == ()
    assert "Is a ten beside a court card a pair?" in sheet_of("mbs-super-six-etg-v3").to_html()


def test_joint_results_are_every_draw_and_give_the_variance_of_a_mix() -> None:
    figures = sheet_of("mbs-tiger-v3").figures
    assert sum(figures.joint.values()) == figures.total == math.perm(416, 6)
    places = [each.wager for each in figures.wagers]
    banker, tiger = places.index("banker"), places.index("tiger")
    gains = [(each[banker] * 100 + each[tiger] * 10, count) for each, count in figures.joint.items()]
    mean = sum((gain * count for gain, count in gains), Fraction(0)) / figures.total
    variance = sum((gain**2 * count for gain, count in gains), Fraction(0)) / figures.total - mean**2
    of = figures.together.covariances
    assert variance == (
        100**2 * of["banker", "banker"] + 10**2 * of["tiger", "tiger"] + 2 * 1000 * of["banker", "tiger"]
    )


def test_the_paper_is_a_pdf_of_the_same_bytes_each_time() -> None:
    made = sheet_of("mbs-tiger-v3").to_pdf()
    assert made.startswith(b"%PDF")
    assert sheet_of("mbs-tiger-v3").to_pdf() == made


def test_the_command_writes_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in ("html", "pdf", "xlsx", "csv", "json"):
        file = tmp_path / f"sheet.{ending}"
        words = ["odds", "sheet", "mbs-tiger-v3", "-o", str(file), "--made", "2026-11-19"]
        assert run(words) == 0, capsys.readouterr().err
        assert file.stat().st_size > 1000
    told = json.loads((tmp_path / "sheet.json").read_text("utf-8"))
    assert told["about"]["Made on"] == "2026-11-19"
    assert told["wagers"]["banker"]["edge"] == "114753351728/10847218479825"
    assert run(["odds", "sheet", "mbs-tiger-v3", "-o", str(tmp_path / "sheet.doc")]) == 2
    assert "End it in .html, .pdf, .xlsx, .csv or .json." in capsys.readouterr().err
    assert run(["odds", "sheet", "mbs-tiger-v3", "-o", "x.html", "--made", "today"]) == 2
    assert "today is no date." in capsys.readouterr().err
