"""Where the choices of a made-up evening come from: a seed, or hypothesis, which can shrink them."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Dice(Protocol):
    """Anything that can choose a whole number between two others."""

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""


class SeededDice:
    """Choices of an ordinary generator: fast, for millions of steps."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return self._random.randint(least, most)


class DrawnDice:
    """Choices that hypothesis draws, so that a failure shrinks to a short story."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return int(self._draw(st.integers(least, most)))


def pick(dice: Dice, options: Sequence[T]) -> T:
    """One of several, each as likely as the others."""
    return options[dice.number(0, len(options) - 1)]


def chance(dice: Dice, percent: int) -> bool:
    """Whether something happens that happens so often in a hundred times."""
    return dice.number(0, 99) < percent


def weighted(dice: Dice, *options: tuple[int, T]) -> T:
    """One of several, each as likely as its weight says."""
    left = dice.number(0, sum(weight for weight, _ in options) - 1)
    for weight, option in options:
        left -= weight
        if left < 0:
            return option
    raise AssertionError
