"""The evidence pack: every clause with its proof, odds, the shuffle and figures, and digests that hold."""

import csv
import hashlib
import json
from pathlib import Path

import pytest

from thirdcard.cli import run
from thirdcard.odds.par import software_digest

ROOT = Path(__file__).parent.parent.parent
CLAUSES = 696  # of the five documents, as the README says


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence") / "pack"
    words = ["evidence", "-o", str(folder), "--checkout", str(ROOT), "--shoes", "300", "--made", "2026-11-19"]
    assert run(words) == 0
    return folder


def test_every_clause_has_its_kind_its_status_and_its_rounds(pack: Path) -> None:
    lines = list(csv.DictReader((pack / "clauses.csv").read_text("utf-8").splitlines()))
    assert len(lines) == CLAUSES
    (void,) = (each for each in lines if (each["document"], each["clause"]) == ("hoiana-tiger-2024", "7.2"))
    assert (void["kind"], void["status"], void["evidence"]) == ("duty", "proven", "done left-out")
    named = void["rounds"].split()
    assert named
    for name in named:
        assert "7.2" in (pack / name).read_text("utf-8")
    assert sum(int(each["round_files"]) > 0 for each in lines) > 400


def test_sheets_figures_and_digests_are_there(pack: Path) -> None:
    sheets = sorted(each.name for each in (pack / "odds").glob("*.xlsx"))
    assert len(sheets) == 6
    assert "hoiana-tiger-2024-commission.xlsx" in sheets
    software = json.loads((pack / "software.json").read_text("utf-8"))
    assert software["digest"] == software_digest()
    assert len(software["rulebooks"]) == 6
    assert "scripts/soak crash" in (pack / "figures" / "reliability.md").read_text("utf-8")
    sums = dict(line.split("  ")[::-1] for line in (pack / "SHA256SUMS").read_text("utf-8").splitlines())
    files = {each.relative_to(pack).as_posix() for each in pack.rglob("*") if each.is_file()}
    assert sums.keys() == files - {"SHA256SUMS"}
    for name in ("clauses.csv", "odds/mbs-tiger-v3.xlsx", "README.txt"):
        assert sums[name] == hashlib.sha256((pack / name).read_bytes()).hexdigest()


def test_the_shuffle_is_not_far_off_what_is_expected(pack: Path) -> None:
    """Beyond six deviations, or a chance of one in a million, a fair shuffler is not once in a lifetime."""
    told = json.loads((pack / "shuffle.json").read_text("utf-8"))
    assert (told["shoes"], told["cards"], len(told["statistics"])) == (300, 416, 8)
    for each in told["statistics"]:
        assert each["chance"] is None or each["chance"] > 1e-6
        assert each["deviations"] is None or abs(each["deviations"]) < 6


def test_a_folder_with_something_in_it_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kept.txt").write_text("kept", "utf-8")
    assert run(["evidence", "-o", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert run(["evidence", "-o", str(tmp_path / "new"), "--checkout", str(tmp_path)]) == 2
    assert "has no tests/rounds" in capsys.readouterr().err
    assert run(["evidence", "-o", str(tmp_path / "new"), "--shoes", "0"]) == 2
    assert run(["evidence", "-o", str(tmp_path / "new"), "--made", "now"]) == 2
