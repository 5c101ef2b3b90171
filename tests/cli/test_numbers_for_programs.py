"""``thirdcard rules check`` and ``thirdcard round`` give their numbers as CSV and as workbooks too."""

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]
# 9 and K against 2 and 5: the Player wins, and 100 on it wins 100 (1 to 1)
ROUND = """\
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
"""
TOTALS = [
    ["file", "game", "round", "patron", "won", "taken", "back", "claim", "credits", "net"],
    ["one.round", "mbs-tiger-v3", "1", "Ann", "100.00", "0.00", "100.00", "0.00", "0.00", "100.00"],
]


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("one.round").write_text(ROUND, "utf-8")
    return "one.round"


def lines_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def cells_of(file: str | Path) -> set[object]:
    rows = openpyxl.load_workbook(file).worksheets[0].iter_rows(values_only=True)
    return {cell for row in rows for cell in row}


def test_the_totals_of_rounds_are_csv(played: str, capsys: Printed) -> None:
    assert run(["round", played, "--csv"]) == 0
    assert lines_of(capsys.readouterr().out) == TOTALS


def test_the_totals_of_rounds_are_a_workbook(played: str, capsys: Printed) -> None:
    assert run(["round", played, "--xlsx", "totals.xlsx"]) == 0
    assert "totals.xlsx" in capsys.readouterr().out
    assert run(["round", played, "--json", "--xlsx", "beside.xlsx"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["rounds"][0]["patrons"]["Ann"]["net"] == "100.00"
    for name in ("totals.xlsx", "beside.xlsx"):
        assert {"one.round", "Ann", 100} <= cells_of(name)


def test_a_round_that_differs_is_told_beside_the_csv(played: str, capsys: Printed) -> None:
    Path(played).write_text(ROUND + "  = The round is void.\n", "utf-8")
    assert run(["round", played, "--csv"]) == 1
    printed = capsys.readouterr()
    assert lines_of(printed.out) == TOTALS
    assert all(line.startswith("thirdcard: ") for line in printed.err.splitlines())
    assert "one.round" in printed.err


def test_the_edges_of_rulebooks_are_csv(capsys: Printed) -> None:
    assert run(["rules", "check", "--csv"]) == 0
    heads, *rows = lines_of(capsys.readouterr().out)
    assert heads == ["file", "game", "wager", "decks", "edge_percent"]
    # 1.2351 per cent on the Player with eight decks: docs/odds.md
    assert ["mbs-tiger-v3.toml", "mbs-tiger-v3", "player", "8", "1.2351"] in rows


def test_the_edges_of_rulebooks_are_a_workbook(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "edges.xlsx"
    assert run(["rules", "check", "--xlsx", str(file)]) == 0
    assert str(file) in capsys.readouterr().out
    assert 1.2351 in cells_of(file)


@pytest.mark.parametrize("command", [["round", "one.round"], ["rules", "check"]])
@pytest.mark.usefixtures("played")
def test_one_output_has_one_form(command: list[str], capsys: Printed) -> None:
    assert run([*command, "--json", "--csv"]) == 2
    assert capsys.readouterr().err == "thirdcard: Both --json and --csv are given. Give one of the two.\n"
