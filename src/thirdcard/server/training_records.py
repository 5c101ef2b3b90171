"""Records of training over HTTP: one's own, and everybody's for the highest posts."""

import asyncio
import datetime
import logging
from collections.abc import Callable

from thirdcard.access.actors import Staff
from thirdcard.access.permissions import name_of
from thirdcard.floor.standing import FloorRank, standing_of
from thirdcard.messages import speaking
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.reports.files import ReportForm
from thirdcard.reports.training_files import training_file
from thirdcard.server.context import ServerContext
from thirdcard.server.exercise_room import OpenExercise
from thirdcard.server.http import Call, Raw
from thirdcard.server.reports import REPORT_FORMS
from thirdcard.server.training_room import OpenDrill
from thirdcard.training.grade import Grade
from thirdcard.training.results import (
    BadResult,
    TrainingResult,
    append_result,
    aspect_in_words,
    progress,
    result_of_drill,
    result_of_exercise,
    results_in,
)
from thirdcard.wire.training import PackLine, ResultLine, TrainingRecordAnswer

log = logging.getLogger(__name__)


async def keep_drill(context: ServerContext, found: OpenDrill, grade: Grade) -> bool:
    """Append the grade of a drill to the record of training, once; whether it is there."""
    return await _keep(context, found, lambda now: result_of_drill(found.drill, grade, found.person, now))


async def keep_exercise(context: ServerContext, found: OpenExercise) -> bool:
    """Append an exercise that is over to the record of training, once; whether it is there."""
    return await _keep(
        context,
        found,
        lambda now: result_of_exercise(
            found.exercise.answers,
            game=found.rulebook.id,
            seed=found.seed,
            person=found.person,
            time=now,
        ),
    )


async def _keep(
    context: ServerContext,
    found: OpenDrill | OpenExercise,
    result_at: Callable[[datetime.datetime], TrainingResult],
) -> bool:
    async with context.recording:
        if not found.kept:
            now = context.floor.clock.now().moment.astimezone().replace(microsecond=0)
            try:
                await asyncio.to_thread(append_result, context.training_record, result_at(now))
            except (OSError, BadResult, UnicodeDecodeError) as error:
                log.warning("a result of training was not kept", extra={"fields": {"reason": str(error)}})
            else:
                found.kept = True
    return found.kept


async def record(context: ServerContext, call: Call) -> TrainingRecordAnswer | Refused:
    """The record of training of the asker, or of another person for the highest posts."""
    read = await _read(context, call)
    if isinstance(read, Refused):
        return read
    person, everything, own = read
    people = {each.person for each in everything} if sees_everybody(context, call) else set[str]()
    with speaking(call.language):
        return TrainingRecordAnswer(
            person=person,
            people=tuple(sorted({person, *people})),
            packs=tuple(
                PackLine(
                    pack=each.pack,
                    times=each.times,
                    passed=each.passed,
                    shares=each.shares,
                    seconds=each.seconds,
                )
                for each in progress(own)
            ),
            results=tuple(map(_line, own)),
        )


async def record_file(context: ServerContext, call: Call) -> Raw | Refused:
    """A record of training as CSV, as a workbook for spreadsheets, or as a PDF to sign."""
    form = REPORT_FORMS.get(call.path["form"])
    if form is None or not form.is_there:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=call.path["form"])
    read = await _read(context, call)
    if isinstance(read, Refused):
        return read
    person, _, own = read
    content = await asyncio.to_thread(_written, person, own, form, call.language)
    return Raw(content, form.media, f"training-record.{form}")


def _written(person: str, own: tuple[TrainingResult, ...], form: ReportForm, language: str) -> bytes:
    with speaking(language):
        return training_file(person, own, form)


Read = tuple[str, tuple[TrainingResult, ...], tuple[TrainingResult, ...]]


async def _read(context: ServerContext, call: Call) -> Read | Refused:
    """The person who is asked for, the whole record, and what that person has in it."""
    person = call.query.get("person") or name_of(call.actor)
    if person != name_of(call.actor) and not sees_everybody(context, call):
        return refuse(Refusal.NOT_PERMITTED)
    try:
        everything = await asyncio.to_thread(results_in, context.training_record)
    except (OSError, BadResult, UnicodeDecodeError) as error:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"{context.training_record.name}: {error}")
    return person, everything, tuple(each for each in everything if each.person == person)


def sees_everybody(context: ServerContext, call: Call) -> bool:
    """Whether somebody sees the records of all: the highest posts, who are the trainers as well."""
    floor, actor = context.directory.floor, call.actor
    return isinstance(actor, Staff) and standing_of(context.houses, floor, actor.name) >= FloorRank.SENIOR


def _line(result: TrainingResult) -> ResultLine:
    return ResultLine(
        time=result.time.isoformat(),
        pack=result.pack,
        title=result.title_in_words,
        game=result.game,
        post=result.post,
        level=result.level,
        points=result.points,
        most=result.most,
        passed=result.passed,
        seconds=result.seconds,
        wrong=tuple(map(aspect_in_words, result.wrong)),
        skills=result.skills,
        trainer=result.trainer,
    )
