"""``thirdcard simulate`` and ``thirdcard doctor``: shoes by chance, card counting, and what is in use."""

import contextlib
import json
import re
import sys
from pathlib import Path

import pytest
from cli.terminals import Terminal
from limits import LONG_ENOUGH

from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]
THIRDCARD = str(Path(sys.executable).parent / "thirdcard")
SMALL = ("simulate", "mbs-tiger-v3", "--shoes", "500", "--seed", "9")


def answer(capsys: Printed, *tokens: str) -> str:
    assert run(list(tokens)) == 0
    return capsys.readouterr().out


def test_the_same_seed_gives_the_same_json_for_any_workers_and_kernel(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = answer(capsys, *SMALL, "--workers", "1", "--json")
    assert answer(capsys, *SMALL, "--workers", "3", "--json") == one
    monkeypatch.setenv("THIRDCARD_KERNEL", "numpy")
    assert answer(capsys, *SMALL, "--json") == one
    found = json.loads(one)
    assert (found["shoes"], found["seed"], found["cut"]) == (500, 9, 14)
    assert found["rounds"] == sum(int(n) * shoes for n, shoes in found["rounds_of_shoe"].items())
    assert set(found["wagers"]["tie"]["rows"][0]) == {
        *("odds", "count", "share", "error", "low", "high", "exact", "z"),
    }
    assert set(found["longest"]) == {"player", "banker", "tie"}


def test_a_simulation_for_people(capsys: Printed) -> None:
    shown = answer(capsys, *SMALL, "--rounds-per-shoe", "50", "--burn", "first-card")
    assert "500 shoes, 25,000 rounds, 50.00 rounds a shoe" in shown
    assert "Longest runs: Player" in shown


def test_few_shoes_give_no_standard_errors(capsys: Printed) -> None:
    few = ("simulate", "mbs-tiger-v3", "--shoes", "64", "--seed", "9")
    shown = answer(capsys, *few)
    assert "So few shoes give no standard errors" in shown
    assert "inf" not in shown
    edge = json.loads(answer(capsys, *few, "--json"))["wagers"]["tie"]["edge"]
    assert [edge[name] for name in ("error", "low", "high", "z")] == [None] * 4
    assert "standard errors" not in answer(capsys, *SMALL)


def test_a_seed_is_chosen_where_none_is_given(capsys: Printed) -> None:
    found = json.loads(answer(capsys, "simulate", "mbs-tiger-v3", "--shoes", "3", "--json"))
    assert 0 <= found["seed"] < 2**32


def test_a_count_for_people_and_programs(capsys: Printed) -> None:
    tokens = ("simulate", "count", "mbs-tiger-nc-v4", "--wager", "big-tiger", "--shoes", "200", "--seed", "3")
    shown = answer(capsys, *tokens, "--perfect")
    assert "units per 100 rounds" in shown
    tags = ("--tags", "0,0,-1,-1,-1,-2,1,2,2,0", "--trigger", "8", "--rounds-after-cut", "0")
    found = json.loads(answer(capsys, *tokens, *tags, "--json"))
    assert len(found["depths"]) == 10
    assert 0.01 < found["all"]["share"] < 0.08
    assert found["per_shoe"] == pytest.approx(found["all"]["edge"] * found["all"]["bets"] / 200)


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        (["simulate", "chess"], "There is no game chess."),
        (["simulate", "mbs-tiger-v3", "--shoes", "0"], "--shoes is 0. Give a whole number from 1 on."),
        (["simulate", "mbs-tiger-v3", "--workers", "-1"], "--workers is -1."),
        (["simulate", "mbs-tiger-v3", "--workers", "0"], "--workers is 0. Give a whole number from 1 on."),
        (["simulate", "mbs-tiger-v3", "--shoes", "1.5"], "1.5 is no whole number"),
        (["simulate", "mbs-tiger-v3", "--seed", "-1"], "--seed is -1. Give a whole number from 0 on."),
        (["simulate", "mbs-tiger-v3", "--rounds-after-cut", "-1"], "--rounds-after-cut is -1."),
        (["simulate", "mbs-tiger-v3", "--rounds-after-cut", "69"], "Give --rounds-after-cut 0 to 68."),
        (["simulate", "mbs-tiger-v3", "--cluster", "there"], "there is no address of a scheduler."),
        (["simulate", "mbs-tiger-v3", "--cut", "3"], "Give --cut 11 to 415."),
        (["simulate", "mbs-tiger-v3", "--burn", "all"], "all does not say how many cards are burned"),
        (["simulate", "mbs-tiger-v3", "--reading", "AMB-01=q"], "AMB-01 has no answer q."),
        (["simulate", "count", "mbs-tiger-v3", "--wager", "tie"], "Give either --tags with --trigger"),
        (["simulate", "count", "mbs-tiger-v3", "--wager", "fold", "--perfect"], "has no wager fold"),
        (
            ["simulate", "count", "mbs-tiger-v3", "--wager", "tie", "--tags", "1", "--trigger", "2"],
            "Give ten numbers",
        ),
    ],
)
def test_bad_input_says_what_to_do(tokens: list[str], sentence: str, capsys: Printed) -> None:
    assert run(tokens) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.timed
def test_a_terminal_shows_how_far_it_is_and_an_interrupt_prints_what_is_done() -> None:
    command = [THIRDCARD, "simulate", "mbs-tiger-v3", "--shoes", "1000000000", "--seed", "1"]
    with contextlib.closing(Terminal(command, kind="xterm")) as terminal:
        shown = terminal.see(" rounds/s ")
        while not re.search(r"\d:\d\d:\d\d", shown):  # the time left is known after a while
            shown = terminal.see(" rounds/s ")
        terminal.type("\x03")
        shown = terminal.see("Stopped before all 1,000,000,000 shoes were played; the figures are of those")
        assert "Longest runs: Player" in shown
        assert "Traceback" not in shown
        assert terminal.process.wait(timeout=LONG_ENOUGH) == 0


def test_doctor_says_what_is_in_use(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THIRDCARD_KERNEL", "plain")
    found = json.loads(answer(capsys, "doctor", "--json"))
    assert found["kernel"] == "plain"
    assert found["kernels"].endswith("plain, numpy")
    assert {"version", "python", "library", "rulebooks", "data", "journal", "keys", "screens"} <= set(found)
    assert found["libraries"]["numpy"]
    assert Path(found["screens"], "dealer.html").is_file()
    assert "Kernel in use" in answer(capsys, "doctor")


def test_doctor_finds_a_kernel_that_does_not_work_here(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THIRDCARD_KERNEL", "abacus")
    assert run(["doctor"]) == 1
    assert "abacus" in capsys.readouterr().out
    assert run(["odds", "mbs-tiger-v3"]) == 2
    assert "THIRDCARD_KERNEL asks for abacus" in capsys.readouterr().err
