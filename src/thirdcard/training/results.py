"""The record of training: one line for each drill that somebody went through, in a file of its own."""

import datetime
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from thirdcard.messages import FIRST_LANGUAGE, message, say
from thirdcard.training.dealing import ExerciseAnswer, Skill
from thirdcard.training.exercise import LONGEST_TRAINING, SkillResult, skill_results
from thirdcard.training.grade import Aspect, Grade
from thirdcard.training.led_session import LedSession
from thirdcard.training.rehearsal import Level
from thirdcard.training.session import DrillSession
from thirdcard.training.shipped_words import title_in_words
from thirdcard.training.titles import EXERCISE_PACK, seeded_title

FIRST_FORM = 1  # of a result, without skills and without a trainer
RESULT_FORM = 2
USUAL_RECORD = Path("training-record.jsonl")


class BadResult(Exception):
    """A line of a record of training that cannot be read."""


class TrainingResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The result of a drill or of an exercise: who, when, what, in which post, and how it went.

    ``wrong`` are the aspects or the skills in which something was wrong; ``skills`` is how an exercise went,
    and ``trainer`` let it go wrong.
    """

    form: Annotated[int, Meta(ge=FIRST_FORM, le=RESULT_FORM)] = RESULT_FORM
    time: Annotated[datetime.datetime, Meta(tz=True)]
    person: str
    pack: str
    drill: str
    title: str
    game: str
    post: str
    level: int
    points: Annotated[int, Meta(ge=0)]
    most: Annotated[int, Meta(ge=1)]
    seconds: Annotated[float, Meta(ge=0, le=LONGEST_TRAINING)]
    wrong: tuple[str, ...] = ()
    skills: tuple[SkillResult, ...] = ()
    trainer: str = ""

    def __post_init__(self) -> None:
        if self.form == FIRST_FORM and (self.skills or self.trainer):
            raise ValueError(f"form {FIRST_FORM} has no skills and no trainer")
        if self.points > self.most:
            raise ValueError(f"{self.points} points of {self.most}")

    @property
    def title_in_words(self) -> str:
        """The title in the language of the reader, where it is not the writer's own."""
        return title_in_words(self.drill, self.title, self.pack)

    @property
    def passed(self) -> bool:
        """Whether everything was right."""
        return self.points == self.most


class PackProgress(Struct, frozen=True):
    """The progress of a person in a pack: how often, how often passed, and the share of points each time."""

    pack: str
    times: int
    passed: int
    shares: tuple[float, ...]
    seconds: float


def result_of_drill(
    session: DrillSession, grade: Grade, person: str, time: datetime.datetime
) -> TrainingResult:
    """Return the result of a drill that is over."""
    drill = session.rehearsal.drill
    wrong = tuple(aspect.value for aspect, right in grade.aspects.items() if not right)
    return TrainingResult(
        time=time,
        person=person,
        pack=drill.pack or "own",
        drill=drill.name,
        title=drill.title,
        game=drill.game,
        post=session.post,
        level=int(session.level),
        points=grade.points,
        most=grade.most,
        seconds=round(grade.seconds, 1),
        wrong=wrong,
        trainer=", ".join(session.trainers) if isinstance(session, LedSession) else "",
    )


def result_of_exercise(
    answers: Iterable[ExerciseAnswer], *, game: str, seed: int, person: str, time: datetime.datetime
) -> TrainingResult:
    """Return the result of an exercise in ordinary dealing."""
    given = tuple(answers)
    skills = {each.question.skill for each in given if not each.right}
    return TrainingResult(
        time=time,
        person=person,
        pack=EXERCISE_PACK,
        drill=f"seed-{seed}",
        title=say(seeded_title(EXERCISE_PACK, seed), FIRST_LANGUAGE),
        game=game,
        post="dealer",
        level=int(Level.DEALING),
        points=sum(each.right for each in given),
        most=len(given),
        seconds=round(sum(each.seconds for each in given), 1),
        wrong=tuple(skill.value for skill in Skill if skill in skills),
        skills=skill_results(given),
    )


def result_line(result: TrainingResult) -> str:
    """Return a result as a line of a record."""
    return msgspec.json.encode(result).decode() + "\n"


def append_result(record: Path, result: TrainingResult) -> None:
    """Append a result to a record, on a line of its own; it is on the disk by then."""
    results_in(record)  # nothing is appended to a file that is no record of training
    with record.open("ab+", buffering=0) as kept:
        kept.seek(max(kept.seek(0, os.SEEK_END) - 1, 0))
        between = b"" if kept.read(1) in (b"", b"\n") else b"\n"
        kept.write(between + result_line(result).encode())
        os.fsync(kept.fileno())


def results_in(record: Path) -> tuple[TrainingResult, ...]:
    """Return the results in the file of a record; none where there is no file yet."""
    return read_results(record.read_text("utf-8")) if record.exists() else ()


def read_results(text: str) -> tuple[TrainingResult, ...]:
    """Return the results of a record in their order; a line that is none is named by its number."""
    return tuple(_read(text))


def _read(text: str) -> Iterator[TrainingResult]:
    for number, line in enumerate(text.split("\n"), start=1):  # a text may have other separators in it
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=TrainingResult)
        except msgspec.MsgspecError as error:
            told = message("train-record.bad-line", line=number, reason=str(error))
            raise BadResult(say(told)) from error


def progress(results: Iterable[TrainingResult]) -> tuple[PackProgress, ...]:
    """Return the progress in each pack, in the order in which the packs were begun."""
    by_pack: dict[str, list[TrainingResult]] = {}
    for each in sorted(results, key=lambda it: it.time):
        by_pack.setdefault(each.pack, []).append(each)
    return tuple(
        PackProgress(
            pack=pack,
            times=len(own),
            passed=sum(each.passed for each in own),
            shares=tuple(each.points / each.most for each in own),
            seconds=sum(each.seconds for each in own),
        )
        for pack, own in by_pack.items()
    )


def aspect_in_words(name: str) -> str:
    """Return an aspect or a skill in words; one that is not known here as it is written."""
    for section, known in (("train-aspect", Aspect), ("train-skill", Skill)):
        if name in list(known):
            return say(message(f"{section}.{name}"))
    return name
