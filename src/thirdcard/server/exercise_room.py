"""The exercises in ordinary dealing that are under way at a server."""

import secrets

from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.server.memory_room import NANOSECONDS, MemoryRoom
from thirdcard.streams.clock import Clock
from thirdcard.training.dealing import exercise_by_seed
from thirdcard.training.exercise import DealingExercise


class OpenExercise:
    """An exercise that somebody goes through at a server."""

    def __init__(
        self, person: str, rulebook: Rulebook, house: House, seed: int, rounds: int, clock: Clock
    ) -> None:
        self.id = secrets.token_hex(12)
        self.person, self.rulebook, self.house = person, rulebook, house
        self.seed, self.rounds = seed, rounds
        self._clock = clock
        questions = exercise_by_seed(rulebook, house, seed, rounds)
        self.exercise = DealingExercise(questions, house.currency, self._seconds)
        self.touched = clock.now().monotonic
        self.kept = False  # in the record of training

    def _seconds(self) -> float:
        return self._clock.now().monotonic / NANOSECONDS


class ExerciseRoom(MemoryRoom[OpenExercise]):
    """Keeps the open exercises."""
