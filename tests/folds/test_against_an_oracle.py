"""Derived marks against the answers of another program, kept in roads.json."""

import hashlib
import itertools
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest
from folds.shoes import letters, winners

from thirdcard.folds.roads import derive, runs_of


class Digest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answers to many sequences in one number."""

    count: int
    sha256: str
    seed: int = 0


class Answers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts file."""

    made: list[str]
    every_sequence: Digest
    random_shoes: Digest
    answers: dict[str, str]


FACTS = msgspec.json.decode(Path(__file__).with_name("roads.json").read_bytes(), type=Answers)


def answer(shoe: str) -> str:
    """The three derived roads of a shoe."""
    columns = tuple(run.length for run in runs_of(winners(shoe)))
    return "/".join(letters(derive(columns, offset=offset)) for offset in (1, 2, 3))


def every_sequence() -> Iterator[str]:
    """Every sequence of Player and Banker up to twelve rounds."""
    for length in range(1, 13):
        for sequence in itertools.product("PB", repeat=length):
            yield "".join(sequence)


def random_shoes(seed: int, count: int) -> Iterator[str]:
    """Shoes of 60 to 80 rounds with ties, from choppy to streaky; random() is the same in every Python."""
    dice = random.Random(seed)
    for _ in range(count):
        length = 60 + int(dice.random() * 21)
        repeats = 0.3 + dice.random() * 0.65
        hand = "B" if dice.random() < 0.5 else "P"
        shoe = ""
        while len(shoe) < length:
            if dice.random() < 0.1:
                shoe += "T"
                continue
            if dice.random() >= repeats:
                hand = "P" if hand == "B" else "B"
            shoe += hand
        yield shoe


def digest(shoes: Iterable[str]) -> str:
    lines = "".join(f"{shoe} {answer(shoe)}\n" for shoe in shoes)
    return hashlib.sha256(lines.encode()).hexdigest()


@pytest.mark.parametrize("shoe", FACTS.answers)
def test_a_shoe_has_the_marks_of_the_oracle(shoe: str) -> None:
    assert answer(shoe) == FACTS.answers[shoe]


@pytest.mark.sweep
def test_every_sequence_up_to_twelve_rounds_has_the_marks_of_the_oracle() -> None:
    sequences = list(every_sequence())
    assert len(sequences) == FACTS.every_sequence.count == 8190
    assert digest(sequences) == FACTS.every_sequence.sha256


@pytest.mark.sweep
def test_random_shoes_with_ties_have_the_marks_of_the_oracle() -> None:
    facts = FACTS.random_shoes
    assert facts.count == 3000
    assert digest(random_shoes(facts.seed, facts.count)) == facts.sha256
