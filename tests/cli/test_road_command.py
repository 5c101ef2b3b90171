"""``thirdcard road``: roads drawn from typed rounds, as text, as JSON and as a picture."""

import json
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]
PAGE = Path(__file__).parent.parent.parent / "docs" / "roads.md"
SHOE = "TB+BT P B.p.b PPTT"
HELP = "Write P, B or T for each round; behind it + for a natural, .p or .b for a pair."


def board_of(capsys: Printed, *arguments: str) -> dict[str, Any]:
    assert run(["road", *arguments, "--json"]) == 0
    board: dict[str, Any] = json.loads(capsys.readouterr().out)
    return board


def drawn(capsys: Printed, *arguments: str) -> dict[str, list[str]]:
    """The six lines of every road under its title, and what stands below them under none."""
    assert run(["road", *arguments]) == 0
    *roads, below = capsys.readouterr().out.split("\n\n")
    found = {road.splitlines()[0]: road.splitlines()[1:] for road in roads}
    assert all(len(lines) == 6 for lines in found.values())
    return {**found, "": below.splitlines()}


def test_people_see_the_five_roads_in_letters_and_shapes(capsys: Printed) -> None:
    roads = drawn(capsys, SHOE)
    assert list(roads) == ["Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig", ""]
    assert roads["Bead plate"] == [
        "T     P",
        "B+    P",
        "B     T",
        "T     T",
        "P     ·",
        "B.p.b ·",
    ]
    assert roads["Big road"][:3] == [
        "B+/ P B.p.b P",
        "B/  · ·     P/2",
        "·   · ·     ·",
    ]
    assert roads["Big eye boy"][:2] == ["□ ○ □", "· · ·"]
    assert roads["Small road"][:3] == ["■", "■", "·"]
    assert roads["Cockroach pig"][:2] == ["/", "·"]


def test_the_marks_that_come_next_are_shown_on_request(tmp_path: Path, capsys: Printed) -> None:
    # B P BB P: with Banker the fifth column is as long as the one before it was not; docs/roads.md
    assert run(["road", "BPBBTP", "--next"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[shown.index("If Banker: □ ● /") + 1] == "If Player: ○ ■ \\"
    assert run(["road", "BBPP", "--next"]) == 0
    assert "If Banker: ○ · ·" in capsys.readouterr().out
    assert run(["road", "BBPP"]) == 0
    assert "If Banker" not in capsys.readouterr().out
    board = board_of(capsys, "BBPP", "--next")
    assert board["next_marks"]["player"] == {"big_eye_boy": "blue", "small_road": None, "cockroach_pig": None}
    assert run(["road", "BBPP", "--next", "--svg", str(tmp_path / "road.svg")]) == 0
    picture = (tmp_path / "road.svg").read_text("utf-8")
    assert ">If Banker</text>" in picture
    assert ElementTree.fromstring(picture) is not None


def test_people_see_the_counts_and_what_the_signs_mean(capsys: Printed) -> None:
    assert drawn(capsys, SHOE)[""] == [
        "Rounds 10: Banker 3, Player 3, Tie 4.",
        "Naturals 1, Player pairs 1, Banker pairs 1.",
        "Longest runs: Banker 2, Player 2, Tie 2.",
        "B Banker, P Player, T Tie; + natural, .p Player pair, .b Banker pair; /2 two ties counted here.",
        "Red (regular) ○ ● /, blue (irregular) □ ■ \\ in the last three roads.",
    ]


def test_an_empty_shoe_and_one_of_ties_only_are_drawn(capsys: Printed) -> None:
    assert drawn(capsys, "")["Big road"] == ["·"] * 6
    assert drawn(capsys, "TT")["Big road"] == ["/2", *["·"] * 5]
    assert drawn(capsys, " t ")["Big road"] == ["/", *["·"] * 5]


def test_tails_are_drawn_by_the_convention_asked_for(capsys: Printed) -> None:
    shoe = "B" * 8 + "P" * 9
    assert drawn(capsys, shoe)["Big road"][4:] == ["B P P P P P", "B B B · · ·"]
    assert drawn(capsys, shoe, "--tail", "A")["Big road"][4:] == ["B P P P P P", "B B B · · ·"]
    assert drawn(capsys, shoe, "--tail", "b")["Big road"][4:] == ["B P P P ·", "B B B P P"]


def test_as_many_columns_are_drawn_as_asked_for_or_fit(capsys: Printed) -> None:
    some = drawn(capsys, "BBPBPP", "--columns", "2")
    assert some["Big road (columns not drawn: 2)"][:2] == ["B P", "· P"]
    assert some["Bead plate"][:2] == ["B", "B"]
    fitting = drawn(capsys, "BP" * 60)  # 110 characters without a terminal
    assert fitting["Big road (columns not drawn: 65)"][0] == "P B " * 27 + "P"
    every = drawn(capsys, "BP" * 60, "--columns", "120")
    assert every["Big road"][0] == "B P " * 59 + "B P"


def test_the_newest_mark_is_drawn_even_where_an_older_tail_reaches_further(capsys: Printed) -> None:
    roads = drawn(capsys, "B" * 40 + "PPP", "--columns", "4")
    assert roads["Big road (columns not drawn: 31)"] == [
        "B P · ·",
        "B P · ·",
        "B P · ·",
        "B · · ·",
        "B · · ·",
        "B B B B",
    ]


def test_a_narrow_terminal_still_shows_the_last_column(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thirdcard.cli.output.WIDTH_WITHOUT_TERMINAL", 4)
    assert run(["road", "BP+.p.b"]) == 0
    assert capsys.readouterr().out.splitlines().count("P+.p.b") == 2  # bead plate and big road


def test_letters_may_be_small_and_spaces_do_not_matter(capsys: Printed) -> None:
    assert board_of(capsys, "BB+P.pT") == board_of(capsys, " b b+\tp.P\nt ")


def test_json_has_every_road_in_cells_and_marks(capsys: Printed) -> None:
    board = board_of(capsys, SHOE)
    assert list(board) == [
        "bead_plate",
        "big_road",
        "big_eye_boy",
        "small_road",
        "cockroach_pig",
        "statistics",
    ]
    assert board["bead_plate"][5] == {
        "row": 5,
        "column": 0,
        "content": {
            "winner": "banker",
            "player_pair": True,
            "banker_pair": True,
            "natural": False,
            "marks": [],
        },
    }
    road = board["big_road"]
    assert road["leading_ties"] == 1
    assert road["runs"][0] == {"winner": "banker", "length": 2}
    assert [(cell["row"], cell["column"], cell["content"]["ties"]) for cell in road["cells"]] == [
        (0, 0, 1),
        (1, 0, 1),
        (0, 1, 0),
        (0, 2, 0),
        (0, 3, 0),
        (1, 3, 2),
    ]
    assert road["cells"][0]["content"] == {
        "round": 2,
        "shown": {
            "winner": "banker",
            "player_pair": False,
            "banker_pair": False,
            "natural": True,
            "marks": [],
        },
        "ties": 1,
    }
    assert board["big_eye_boy"] == {
        "marks": ["blue", "red", "blue"],
        "cells": [
            {"row": 0, "column": 0, "content": "blue"},
            {"row": 0, "column": 1, "content": "red"},
            {"row": 0, "column": 2, "content": "blue"},
        ],
    }
    assert board["small_road"]["marks"] == ["blue", "blue"]
    assert board["cockroach_pig"]["marks"] == ["red"]
    assert board["statistics"] == {
        "rounds": 10,
        "player": 3,
        "banker": 3,
        "tie": 4,
        "player_pairs": 1,
        "banker_pairs": 1,
        "naturals": 1,
        "marks": [],
        "longest_player_run": 2,
        "longest_banker_run": 2,
        "longest_tie_run": 2,
    }


def test_json_has_all_columns_however_few_are_drawn(capsys: Printed) -> None:
    assert board_of(capsys, "BP" * 40, "--columns", "3") == board_of(capsys, "BP" * 40)


def test_a_picture_is_written_as_xml_that_a_browser_opens(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "shoe.svg"
    assert run(["road", SHOE, "--svg", str(file)]) == 0
    assert capsys.readouterr().out.replace("\n", "") == f"{file} is written. Rounds: 10."
    root = ElementTree.parse(file).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(root.itertext())
    for title in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig", "Legend"):
        assert title in words
    assert "Round 6: Banker, Player pair, Banker pair" in words


def test_a_picture_may_go_with_json_and_show_few_columns(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "shoe.svg"
    assert board_of(capsys, "BP" * 40, "--svg", str(file), "--columns", "20")["statistics"]["rounds"] == 80
    assert "columns not drawn: 60" in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["PBX"], f'Sign 3 of the rounds, "X", is not understood. {HELP}'),
        (["P B,B"], f'Sign 4 of the rounds, ",", is not understood. {HELP}'),
        (["PB.x"], f'Sign 3 of the rounds, ".", is not understood. {HELP}'),
        ([" +P"], 'Sign 2 of the rounds, "+", has no round before it. Write P, B or T first.'),
        ([".bP"], 'Sign 1 of the rounds, ".b", has no round before it. Write P, B or T first.'),
        (["P++"], 'Sign 3 of the rounds, "+", stands twice with the same round. Write it once.'),
        (["P.b+.B"], 'Sign 5 of the rounds, ".B", stands twice with the same round. Write it once.'),
        (["P", "--columns", "0"], "--columns 0 draws nothing. Give 1 or more, or leave it out."),
    ],
)
def test_bad_input_is_exit_2_and_says_where_what_and_what_to_do(
    arguments: list[str], complaint: str, capsys: Printed
) -> None:
    assert run(["road", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"thirdcard: {complaint}\n"


def test_an_unknown_tail_is_exit_2(capsys: Printed) -> None:
    assert run(["road", "P", "--tail", "C"]) == 2
    assert "C is no choice for --tail. Choose from: A, B." in capsys.readouterr().err


def test_a_picture_that_cannot_be_written_is_named(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "none" / "shoe.svg"
    assert run(["road", "P", "--svg", str(file)]) == 2
    assert capsys.readouterr().err == (
        f"thirdcard: {file} cannot be written: No such file or directory. "
        "Check the folder and its permissions.\n"
    )


def test_the_page_about_roads_shows_what_the_command_prints(capsys: Printed) -> None:
    (session,) = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    command, _, shown = session.partition("\n")
    assert run(shlex.split(command)[2:]) == 0
    assert capsys.readouterr().out == shown


def test_the_page_about_roads_names_every_key_of_the_json(capsys: Printed) -> None:
    page = PAGE.read_text("utf-8").partition("## JSON")[2]

    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value) | {key for each in value.values() for key in keys(each)}
        return {key for each in value for key in keys(each)} if isinstance(value, list) else set()

    assert {key for key in keys(board_of(capsys, SHOE)) if f"`{key}`" not in page} == set()
