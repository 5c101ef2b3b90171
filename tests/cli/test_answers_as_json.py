"""Commands that automation needs answer in JSON: what was made, and what nobody is shown a second time."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli.test_floor_commands import PASSWORD, Floor, floor

from thirdcard.cli import run
from thirdcard.journal.keys import open_key_file

__all__ = ["floor"]
Printed = pytest.CaptureFixture[str]


def answer(floor: Floor, *tokens: str, typed: str = "") -> Any:
    status, out, err = floor(*tokens, "--json", typed=typed)
    assert (status, err) == (0, "")
    return json.loads(out)


def test_a_person_is_added_with_a_second_factor(floor: Floor) -> None:
    add = ("people", "add", "Max", "--post", "pit-manager", "--password-stdin")
    made = answer(floor, *add, typed=f"{PASSWORD}\n")
    assert made["name"] == "Max"
    assert f"secret={made['second_factor']['secret']}" in made["second_factor"]["uri"]
    assert floor.may_sign_in("Max", secret=made["second_factor"]["secret"])
    other = answer(floor, "people", "second-factor", "Max")
    assert other["second_factor"]["secret"] != made["second_factor"]["secret"]


def test_a_person_without_a_second_factor_is_added(floor: Floor) -> None:
    add = ("people", "add", "Dana", "--post", "dealer", "--password-stdin")
    assert answer(floor, *add, typed=f"{PASSWORD}\n") == {"name": "Dana", "second_factor": None}


def test_a_terminal_is_expected_with_its_code(floor: Floor) -> None:
    floor.define_tables()
    made = answer(floor, "terminal", "enrol", "E1", "--table", "School", "--position", "2")
    assert (made["terminal"], made["table"], made["position"]) == ("E1", "School", 2)
    assert len(made["code"]) == len("ABCD-EFGH")
    assert made["ends"].endswith("Z") or "+00:00" in made["ends"]


def test_new_keys_are_told(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    made = answer(floor, "key", "renew")
    ring = open_key_file(floor.key)
    assert made == {"file": str(floor.key), "id": ring.key_id, "public": ring.public_keys[ring.key_id].hex()}


def test_a_refusal_is_no_json(floor: Floor) -> None:
    floor.define_tables()
    status, out, err = floor("terminal", "enrol", "E1", "--table", "none", "--json")
    assert (status, out) == (1, "")
    assert err == "thirdcard: There is no such table. Set it up first.\n"


def test_a_backup_and_its_restoring_are_told(floor: Floor, tmp_path: Path, capsys: Printed) -> None:
    floor.add("Dana", "dealer")
    file, other = tmp_path / "night.sqlite", tmp_path / "other"
    assert run(["backup", str(file), "--data", str(floor.data), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(file), "records": 1}
    assert run(["restore", str(file), "--data", str(other), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"folder": str(other), "records": 1}


def test_a_sheet_is_printed(tmp_path: Path, capsys: Printed) -> None:
    assert run(["odds", "sheet", "mbs-tiger-v3", "--made", "2026-11-19", "--json"]) == 0
    printed = capsys.readouterr().out
    file = tmp_path / "sheet.json"
    assert run(["odds", "sheet", "mbs-tiger-v3", "--made", "2026-11-19", "-o", str(file)]) == 0
    assert json.loads(printed) == json.loads(file.read_text("utf-8"))
    capsys.readouterr()
    assert run(["odds", "sheet", "mbs-tiger-v3"]) == 2
    assert "--output" in capsys.readouterr().err
