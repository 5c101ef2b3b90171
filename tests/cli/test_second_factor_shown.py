"""A second factor is shown once: as texts, and at a terminal as a QR code that a phone reads."""

import pytest
import segno
from cli.test_floor_commands import Floor, floor

__all__ = ["floor"]
LIGHT = {"█": "00", "▀": "01", "▄": "10", " ": "11"}  # a module of the code is dark where nothing is drawn


def test_a_terminal_shows_the_code_of_the_second_factor(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "█" not in floor.add("Max", "pit-manager")  # a program gets the texts alone
    monkeypatch.setattr("thirdcard.cli.people.sys.stdout.isatty", lambda: True)
    lines = floor.add("Gil", "pit-manager").splitlines()
    uri = next(line for line in lines if line.startswith("otpauth://"))
    shown = lines[lines.index(uri) + 1 :]
    rows = ["".join(LIGHT[sign][half] for sign in line) for line in shown for half in (0, 1)]
    code = ["".join(map(str, row)) for row in segno.make(uri, micro=False, error="m").matrix]
    inside = [row[2:-2] for row in rows[2 : 2 + len(code)]]
    assert inside == code
    assert all(set(row) == {"0"} for row in (*rows[:2], *rows[2 + len(code) :]))
    assert all({row[:2], row[-2:]} == {"00"} for row in rows)
