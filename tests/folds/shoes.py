"""Shoes as tests write them: a letter a round."""

from thirdcard.folds.roads import Colour
from thirdcard.folds.scoreboard import RoundShown
from thirdcard.rulebook.facts import Winner

WINNERS = {"P": Winner.PLAYER, "B": Winner.BANKER, "T": Winner.TIE}


def winners(shoe: str) -> tuple[Winner, ...]:
    """The winner of each letter."""
    return tuple(WINNERS[letter] for letter in shoe)


def rounds(shoe: str) -> tuple[RoundShown, ...]:
    """A plain round for each letter: neither pair nor natural."""
    return tuple(RoundShown(winner) for winner in winners(shoe))


def letters(marks: tuple[Colour, ...]) -> str:
    """Marks of a derived road by their first letters: r for red, b for blue."""
    return "".join(mark.value[0] for mark in marks)
