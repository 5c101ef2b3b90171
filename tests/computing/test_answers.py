"""Answers: one table as a data frame, as CSV, as a workbook and in a notebook."""

import csv
import io
import sys
import types
from pathlib import Path

import openpyxl
import pytest

import thirdcard as tc
from thirdcard.computing.results import Computed

GAME = "mbs-tiger-v3"
ANSWERS = {
    "settled": lambda: tc.game(GAME).settle("10 A K 2 5 3", {"banker": 333, "tie": "10"}),
    "odds": lambda: tc.game(GAME).odds(),
    "edges by decks": lambda: tc.game(GAME).edges_by_decks(),
    "removals": lambda: tc.game(GAME).removals(),
    "simulation": lambda: tc.game(GAME).simulate(200, seed=1),
    "count": lambda: tc.game(GAME).count("big-tiger", shoes=50, seed=1),
    "roads": lambda: tc.roads("BBPTB+ P.p"),
    "rounds": lambda: tc.game(GAME).play(
        "patrons Ann at 1\nDealer: opens betting\nAnn: 100 on banker at 1\nDealer: closes betting\n"
        "Dealer: draws 10 A K 2 5 3"
    ),
}


@pytest.fixture(params=list(ANSWERS.values()), ids=list(ANSWERS))
def answer(request: pytest.FixtureRequest) -> Computed:
    found = request.param()
    assert isinstance(found, Computed)
    return found


def test_every_form_has_the_same_lines(answer: Computed, tmp_path: Path) -> None:
    frame = answer.to_frame()
    lines = list(csv.DictReader(io.StringIO(answer.to_csv())))
    names = [column.name for column in answer.columns]
    assert list(frame.columns) == list(lines[0]) == names
    assert len(frame) == len(lines) == len(answer.rows) > 0
    answer.to_xlsx(tmp_path / "answer.xlsx")
    (sheet,) = openpyxl.load_workbook(tmp_path / "answer.xlsx").worksheets
    assert sheet["A1"].value == answer.title
    assert sheet.max_row == 3 + len(lines)
    assert answer._repr_html_().startswith(("<table><caption>", "<svg"))
    assert answer.to_json().startswith("{")


def test_a_frame_of_polars_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in with the constructor of polars, which the tests do not install."""
    polars = types.ModuleType("polars")
    polars.__spec__ = types.SimpleNamespace(name="polars")  # type: ignore[assignment]
    polars.DataFrame = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "polars", polars)
    frame = tc.roads("PB").to_frame("polars")
    assert frame["road"] == ["bead-plate", "bead-plate", "big-road", "big-road"]


def test_a_settled_hand_has_its_commission_in_every_form() -> None:
    """Tiger Baccarat takes 5 per cent of a winning Banker wager (4.1.T1): 333 × 0.05 = 16.65."""
    settled = tc.game(GAME).settle("10 A K 2 5 3", {"banker": 333})
    assert settled.to_dict()["wagers"]["banker"]["commission"] == "16.65"
    assert settled.to_frame().loc[0, "commission"] == 16.65
    assert "banker,333.00,won,0.95 to 1,316.35,16.65,316.35" in settled.to_csv()
    assert ">16.65</td>" in settled._repr_html_()


def test_no_name_in_csv_is_a_formula() -> None:
    """A round file may come from anybody; a semicolon parts columns where a comma is in decimals."""
    rounds = tc.game(GAME).play(
        "patrons =HYPERLINK(1) at 1, Bob;-1 at 2\nDealer: opens betting\n=HYPERLINK(1): 100 on player at 1\n"
        "Bob;-1: 100 on banker at 2\nDealer: closes betting\nDealer: draws 9 2 K 5"
    )
    lines = list(csv.DictReader(io.StringIO(rounds.to_csv())))
    assert [(each["patron"], each["net"]) for each in lines] == [
        ("'=HYPERLINK(1)", "100.00"),
        ("Bob;'-1", "-100.00"),
    ]


def test_rounds_say_what_differs_and_what_was_refused() -> None:
    rounds = tc.game(GAME).play("patrons Ann at 1\nAnn: 100 on banker at 1\ncheck Ann: won 1")
    assert rounds.refusals == ("not-in-this-phase",)
    assert rounds.differences == ("line 4: Ann won is 0.00, expected 1.00.",)
    assert rounds.to_dict()["house"] == {"net": "0.00"}
