"""``thirdcard reader``: a simulated reader and a table to try one on, two programs over a real connection."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from limits import LONG_ENOUGH

from thirdcard.cli import run

pytestmark = pytest.mark.timed

Printed = pytest.CaptureFixture[str]
THIRDCARD = Path(sys.executable).with_name("thirdcard")


@contextmanager
def listening(*options: str, typed: str = "") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A table that waits for a reader, and its address."""
    program = subprocess.Popen(
        [str(THIRDCARD), "reader", "listen", "--listen", "127.0.0.1:0", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert program.stdout is not None
    assert program.stdin is not None
    try:
        first = program.stdout.readline()
        found = re.search(r"at (127\.0\.0\.1:\d+) for the table Table\.", first)
        assert found, first
        program.stdin.write(typed)
        program.stdin.flush()
        yield program, found[1]
    finally:
        program.kill()
        program.wait(LONG_ENOUGH)
        program.stdin.close()
        program.stdout.close()


def simulate(address: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(THIRDCARD), "reader", "simulate", "--connect", address, *options],
        capture_output=True,
        text=True,
        timeout=LONG_ENOUGH,
        check=False,
    )


def told(program: subprocess.Popen[str]) -> str:
    text, _ = program.communicate(timeout=LONG_ENOUGH)
    assert program.returncode == 0, text
    return " ".join(text.split())


def test_three_rounds_of_a_troubled_reader_come_to_the_table_once_each() -> None:
    with listening("--rounds", "3") as (program, address):
        done = simulate(
            address,
            *("--cards", "9H 2C KS 5C 4D 3S 10C JH 7S 8C 5D KD 2H 9C " + "AS 2S 3S 4S " * 8),
            *("--rounds", "3", "--drop", "2", "--duplicate", "3", "--damage", "6", "--wrong-result", "1"),
            *("--every", "0.02"),
        )
        assert done.stdout == "17 messages are sent, and all of them are recorded.\n", done.stderr
        assert done.returncode == 0
        shown = told(program)
    drawn = re.findall(r"(?:Player|Banker) gets (\S+)\.", shown)
    assert drawn == ["9H", "2C", "KS", "5C", "4D", "3S", "10C", "JH", "7S", "8C", "5D", "KD", "2H", "9C"]
    assert "Alarm: Message 2 of the card reader is missing." in shown
    assert "The device shows banker, the cards say player." in shown
    assert "Round 3 is over." in shown


def test_unshuffled_decks_give_alarm_and_typed_lines_are_carried_out() -> None:
    typed = (
        "Dealer: acknowledges the alert of record 7\nnonsense\nDealer: draws 11\n"
        "Dealer: pauses the table because of it\n"
    )
    with listening("--rounds", "3", typed=typed) as (program, address):
        assert program.stdout is not None
        lines = [program.stdout.readline().strip() for _ in range(4)]
        assert lines[0] == "This belongs to the Pit Supervisor. Ask for that post to do or to authorise it."
        assert lines[1].startswith("This is not understood.")
        assert lines[2].startswith("11 is not a card.")
        assert lines[3] == "The table is paused: of it."
        assert program.stdin is not None
        program.stdin.write("Dealer: resumes the table\n")
        program.stdin.flush()
        assert program.stdout.readline().strip() == "The table goes on."
        assert simulate(address, "--unshuffled", "--rounds", "3").returncode == 0
        shown = told(program)
    assert "Alarm: The cards come in the order of new decks." in shown


def test_a_reader_that_checks_is_compared_with_typed_cards() -> None:
    with listening("--check", "--rounds", "1") as (program, address):
        assert program.stdin is not None
        done = simulate(address, "--cards", "9H 2C KS 5C " + "AS " * 20, "--rounds", "1")
        assert done.returncode == 0
        program.stdin.write("Dealer: draws 9H 3C KS 5C\n")
        program.stdin.flush()
        shown = told(program)
    assert "Alarm: The card reader read 2C, but 3C was entered. Look at the card on the felt." in shown


def test_a_game_that_burns_is_burned_by_the_reader() -> None:
    game = ("--game", "hoiana-tiger-2024/commission")
    with listening(*game, "--rounds", "1") as (program, address):
        done = simulate(address, *game, "--seed", "3", "--rounds", "1")
        assert done.returncode == 0, done.stderr
        assert re.search(r"Cards burned: \d+\.", told(program))


def test_what_is_wrong_with_an_address_a_game_or_cards_is_said(capsys: Printed) -> None:
    complaints = {
        ("simulate", "--connect", "here"): "here is no address. Write it as HOST:PORT",
        ("simulate", "--connect", "127.0.0.1:99999"): "127.0.0.1:99999 is no address.",
        ("simulate", "--connect", "127.0.0.1:1", "--game", "whist"): "There is no game whist.",
        ("simulate", "--connect", "127.0.0.1:1", "--cards", "9H 11H"): "11H is not a card.",
        ("simulate", "--connect", "127.0.0.1:1", "--cards", "9H K"): "A card reader reads whole cards.",
        ("listen", "--listen", "192.0.2.1:7711"): "192.0.2.1:7711 cannot be used: ",
    }
    for tokens, complaint in complaints.items():
        assert run(["reader", *tokens]) == 2
        assert complaint in capsys.readouterr().err


def test_a_reader_that_finds_no_table_says_so() -> None:
    with listening() as (_, address):
        done = simulate(address, "--table", "Elsewhere")
        assert done.returncode == 2
        assert f"There is no table Elsewhere at {address}." in done.stderr
    gone = simulate(address)
    assert gone.returncode == 2
    assert f"No table answers at {address}." in gone.stderr
