"""``thirdcard shoe``: a shoe is made, checked, and what is wrong with it is named."""

import json
from collections import Counter
from pathlib import Path

import pytest

from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]


def test_a_shoe_that_was_made_is_good_and_has_all_its_cards(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "shoe.json"
    assert run(["shoe", "make", str(file), "--decks", "6"]) == 0
    assert "a shoe of 312 cards" in " ".join(capsys.readouterr().out.split())
    shoe = json.loads(file.read_text("utf-8"))
    assert set(Counter(shoe["opened"]["order"]).values()) == {6}
    assert len(shoe["opened"]["order"]) == 312
    assert shoe["dealt"] == [shoe["opened"]["order"][(shoe["cut"] + place) % 312] for place in range(6)]
    assert run(["shoe", "verify", str(file)]) == 0
    told = "All is as it was sealed: 312 cards laid open, 6 proven one by one, 6 compared with the cards"
    assert capsys.readouterr().out.startswith(told)


def test_a_shoe_with_another_card_is_exit_1_with_the_position(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "shoe.json"
    run(["shoe", "make", str(file), "--decks", "1"])
    shoe = json.loads(file.read_text("utf-8"))
    shoe["opened"]["order"][20], shoe["opened"]["order"][21] = "AS", "AS"
    file.write_text(json.dumps(shoe), "utf-8")
    capsys.readouterr()
    assert run(["shoe", "verify", str(file)]) == 1
    first, *rest = capsys.readouterr().out.splitlines()
    assert "AS lies there as copy 2, but the shoe has 1 of each card." in first
    assert any(line.startswith("The cards laid open are not those that were sealed") for line in rest)


def test_proofs_alone_can_be_checked(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "shoe.json"
    run(["shoe", "make", str(file)])
    shoe = json.loads(file.read_text("utf-8"))
    del shoe["opened"]
    file.write_text(json.dumps(shoe), "utf-8")
    capsys.readouterr()
    assert run(["shoe", "verify", str(file)]) == 0
    assert "0 cards laid open, 6 proven one by one" in capsys.readouterr().out
    shoe["proofs"][3]["salt"] = "00" * 32
    file.write_text(json.dumps(shoe), "utf-8")
    assert run(["shoe", "verify", str(file)]) == 1
    proof = shoe["proofs"][3]
    told = f"Position {proof['position']}: the proof of {proof['card']} does not lead to the root.\n"
    assert capsys.readouterr().out == told


def test_programs_get_the_answer_as_json(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "shoe.json"
    run(["shoe", "make", str(file), "--decks", "1"])
    capsys.readouterr()
    assert run(["shoe", "verify", str(file), "--json"]) == 0
    good = {"good": True, "wrong": [], "opened": 52, "proofs": 6, "dealt": 6}
    assert json.loads(capsys.readouterr().out) == good
    shoe = json.loads(file.read_text("utf-8"))
    shoe["opened"]["order"].pop()
    file.write_text(json.dumps(shoe), "utf-8")
    assert run(["shoe", "verify", str(file), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["wrong"][0] == "52 cards were sealed, but 51 are laid open."
    assert not answer["good"]


def test_what_is_no_file_about_a_shoe_is_exit_2(tmp_path: Path, capsys: Printed) -> None:
    assert run(["shoe", "verify", str(tmp_path / "none.json")]) == 2
    assert "cannot be read: No such file or directory. Check the path." in capsys.readouterr().err
    file = tmp_path / "other.json"
    for text in ("{}", "[", '{"format": 2}'):
        file.write_text(text, "utf-8")
        assert run(["shoe", "verify", str(file)]) == 2
        assert "is not a file about a shoe" in capsys.readouterr().err


def test_a_shoe_has_one_to_ten_decks_and_a_place_to_go(tmp_path: Path, capsys: Printed) -> None:
    assert run(["shoe", "make", str(tmp_path / "shoe.json"), "--decks", "0"]) == 2
    assert run(["shoe", "make", str(tmp_path / "nowhere" / "shoe.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err
