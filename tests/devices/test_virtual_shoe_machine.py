"""Whatever happens at a table with a virtual shoe: no card is skipped or repeated, and each can be proven."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from lengths import sized
from machines.dice import DrawnDice, SeededDice
from machines.evening import telling
from streams.sealed_evening import SealedEvening

Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def evenings(draw: Draw) -> SealedEvening:
    """A table that is about to be set up."""
    return SealedEvening(DrawnDice(draw))


@st.composite
def choices(draw: Draw) -> None:
    """The next command at the machine's table."""
    sealed: SealedEvening = draw(st.runner()).sealed
    with telling(sealed.evening):
        sealed.step(DrawnDice(draw))


class SealedMachine(RuleBasedStateMachine):
    """Sends one command after another, beside a pile of cards that is handled by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.sealed: SealedEvening

    @initialize(sealed=evenings())
    def begin(self, sealed: SealedEvening) -> None:
        """Choose the game."""
        self.sealed = sealed

    @rule(_done=choices())
    def ask(self, _done: None) -> None:
        """Ask for something."""

    def teardown(self) -> None:
        """Every shoe that was laid open is as it was sealed."""
        self.sealed.finish()


SealedMachine.TestCase.settings = settings(
    max_examples=sized(16, 400), stateful_step_count=100, phases=(Phase.explicit, Phase.generate)
)
TestSealed = pytest.mark.sweep(SealedMachine.TestCase)


@pytest.mark.sweep
def test_long_evenings_open_many_shoes_and_prove_many_cards() -> None:
    shoes = proven = 0
    evenings = sized(6, 100)
    for seed in range(evenings):
        dice = SeededDice(seed)
        sealed = SealedEvening(dice)
        for _ in range(400):
            sealed.step(dice)
        sealed.finish()
        shoes, proven = shoes + sealed.shoes, proven + sealed.proven
    assert shoes > evenings
    assert proven > 80 * evenings
