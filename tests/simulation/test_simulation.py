"""Whole evenings of two servers, patrons and faults, each from one seed."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from lengths import sized
from simulation.digest import digest_of
from simulation.disk import WriteFault
from simulation.floor import Wanted
from simulation.loop import Stuck
from simulation.planted import PLANTED
from simulation.play import play

from thirdcard.client.errors import Trouble
from thirdcard.streams.stream import APPENDS_AHEAD

SEEDS = sized(50, 500)
TESTS = Path(__file__).parent.parent
PATHS = (TESTS, TESTS.parent / "src")
MOST_TRIED = 40  # seeds, until a planted fault is found


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(1, SEEDS + 1, 10))
def test_evenings_in_which_everything_goes_wrong_lose_and_double_nothing(first: int) -> None:
    for seed in range(first, first + 10):
        evening = play(Wanted(seed=seed))
        assert evening.trouble == [], (seed, evening.happened)
        assert evening.played >= evening.wanted.patrons * evening.wanted.rounds


def test_an_evening_without_faults_has_no_trouble() -> None:
    evening = play(Wanted(seed=3, faults=False))
    assert evening.trouble == []
    assert evening.happened == []
    assert evening.network.frames > 50


@pytest.mark.parametrize("seconds", [4.0, 7.0])
def test_servers_that_are_killed_by_turns_do_not_keep_betting_open(seconds: float) -> None:
    evening = play(Wanted(seed=5, by_turns=seconds))
    assert evening.trouble == []
    assert any("in its turn" in each for each in evening.happened)
    assert evening.played >= evening.wanted.patrons * evening.wanted.rounds


@pytest.mark.parametrize("how", WriteFault)
def test_writes_go_wrong_under_any_number_of_commands_decided_upon_them(how: WriteFault) -> None:
    depths = range(APPENDS_AHEAD)
    struck = tuple((how, behind) for behind in depths)
    evening = play(Wanted(seed=11, patrons=1, faults=False, struck=struck))
    assert evening.trouble == []
    assert {behind for each, behind in evening.disk.met if each is how} >= set(depths)


def test_a_seed_is_the_same_evening_every_time() -> None:
    first = digest_of(play(Wanted(seed=8)))
    assert first == digest_of(play(Wanted(seed=8)))
    assert first != digest_of(play(Wanted(seed=9)))


def test_a_seed_is_the_same_evening_in_another_process() -> None:
    """Neither the order of sets nor the place of things in memory is part of an evening."""
    told = {
        subprocess.run(
            [sys.executable, "-m", "simulation.digest", "8"],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(map(str, PATHS))},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert told == {f"{digest_of(play(Wanted(seed=8)))}\n"}


@pytest.mark.sweep
@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_fault_is_found(planted: Callable[[], AbstractContextManager[None]]) -> None:
    with planted():
        assert any(finds(seed) for seed in range(1, MOST_TRIED + 1))


def finds(seed: int) -> bool:
    """Whether an evening shows that something is wrong: by what it finds, or because it cannot go on."""
    try:
        return play(Wanted(seed=seed)).trouble != []
    except (Stuck, AssertionError, Trouble):
        return True
