"""Whole evenings of two servers, patrons and faults, each from one seed."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from lengths import sized
from simulation.floor import Evening, Wanted
from simulation.loop import Stuck
from simulation.planted import PLANTED
from simulation.play import play

from thirdcard.client.errors import Trouble

SEEDS = sized(20, 500)
MOST_TRIED = 40  # seeds, until a planted fault is found


def contents(evening: Evening) -> list[tuple[str, int, bytes]]:
    records = [each for stream in evening.disk.kept._streams.values() for each in stream]
    return [(each.stream, each.sequence, each.digest) for each in records]


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


def test_a_seed_is_the_same_evening_every_time() -> None:
    first, again = play(Wanted(seed=8)), play(Wanted(seed=8))
    assert first.happened == again.happened
    assert contents(first) == contents(again)
    assert contents(first) != contents(play(Wanted(seed=9)))


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
