"""An exercise under way: one question after another, each answered once, and the seconds that each took."""

from collections.abc import Callable, Iterable
from typing import Annotated

from msgspec import Meta, Struct

from thirdcard.money import Currency
from thirdcard.training.dealing import DealingQuestion, ExerciseAnswer, Skill

Count = Annotated[int, Meta(ge=0)]
LONGEST_TRAINING = 1e9  # seconds, some thirty years


class SkillResult(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a skill in an exercise: questions, those answered rightly, and the seconds for all.

    ``cards`` were entered: only card entry has them.
    """

    skill: str
    asked: Annotated[int, Meta(ge=1)]
    right: Count
    seconds: Annotated[float, Meta(ge=0, le=LONGEST_TRAINING)]
    cards: Count = 0

    def __post_init__(self) -> None:
        if self.right > self.asked:
            raise ValueError(f"{self.right} right ones of {self.asked}")


class DealingExercise:
    """The questions of an exercise, and how far somebody is. ``clock`` gives seconds, from any beginning."""

    def __init__(
        self, questions: tuple[DealingQuestion, ...], currency: Currency, clock: Callable[[], float]
    ) -> None:
        self.questions, self.currency = questions, currency
        self.answers: list[ExerciseAnswer] = []
        self.number = 1  # of the question that is shown, also once it is answered
        self._clock = clock
        self._asked_at: float | None = None

    @property
    def over(self) -> bool:
        """Whether everything is answered and the last answer was looked at."""
        return self.number > len(self.questions)

    @property
    def checked(self) -> ExerciseAnswer | None:
        """The answer to the question that is shown; nothing as long as there is none."""
        return self.answers[-1] if not self.over and len(self.answers) == self.number else None

    def ask(self) -> DealingQuestion | None:
        """Return the question that waits for an answer; its time runs from when it is asked first."""
        if self.over or self.checked:
            return None
        if self._asked_at is None:
            self._asked_at = self._clock()
        return self.questions[self.number - 1]

    def takes(self, number: int, answer: str) -> bool:
        """Whether a text can answer a question: it was put, and the text reads as an answer to it."""
        put = 1 <= number <= min(self.number, len(self.questions))
        return put and self.questions[number - 1].is_answer(answer, self.currency)

    def answer(self, number: int, answer: str) -> None:
        """Take the answer to a question; a second one, or one that comes late, changes nothing."""
        if number != self.number:
            return
        question = self.ask()
        if question is not None and self._asked_at is not None:
            seconds, self._asked_at = self._clock() - self._asked_at, None
            right = question.is_right(answer, self.currency)
            self.answers.append(ExerciseAnswer(question, answer, right, seconds))

    def go_on(self, number: int) -> None:
        """Go on from a question that is answered; asked again, nothing changes."""
        if number == self.number and self.checked:
            self.number += 1


def skill_results(answers: Iterable[ExerciseAnswer]) -> tuple[SkillResult, ...]:
    """Return the result of each skill that was asked for."""
    by_skill: dict[Skill, list[ExerciseAnswer]] = {skill: [] for skill in Skill}
    for each in answers:
        by_skill[each.question.skill].append(each)
    return tuple(
        SkillResult(
            skill=skill.value,
            asked=len(given),
            right=sum(each.right for each in given),
            seconds=round(sum(each.seconds for each in given), 1),
            cards=sum(len(each.question.dealt) for each in given) if skill is Skill.ENTRY else 0,
        )
        for skill, given in by_skill.items()
        if given
    )
