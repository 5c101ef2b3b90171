"""Training over HTTP: drills in the memory of the server, which touch no table, no record and no journal."""

import asyncio

from msgspec.structs import replace

from thirdcard.access.permissions import name_of
from thirdcard.clauses import Clause
from thirdcard.folds.viewers import STAFF_VIEWER
from thirdcard.game.desk import QueryDesk
from thirdcard.messages import message, say, speaking
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server import drills as packs
from thirdcard.server import training_records
from thirdcard.server.context import ServerContext
from thirdcard.server.http import Call
from thirdcard.server.training_room import OpenDrill
from thirdcard.staff import Post
from thirdcard.training.grade import Grade, RightStep
from thirdcard.training.shipped_words import title_in_words, title_of
from thirdcard.training.staff_names import posts_by_name
from thirdcard.views.questions import Question, Required, lead
from thirdcard.views.view import view_of
from thirdcard.wire.answers import ClauseSaid
from thirdcard.wire.refusals import refused_message
from thirdcard.wire.training import (
    AspectGraded,
    BeginDrillForm,
    CallPostForm,
    DrillAnswer,
    DrillCommandForm,
    DrillsAnswer,
    DrillTelling,
    FindingLine,
    GradeAnswer,
    RightStepLine,
    SentenceLine,
)


async def drills(context: ServerContext, call: Call) -> DrillsAnswer | Refused:
    """The drills of a game, each with the posts that have something to do in it."""
    async with context.listing:
        if context.drills is None:
            context.drills = await asyncio.to_thread(packs.list_drills, context.packs, context.where.shelf)
    game = call.query.get("game") or next(iter(context.drills))
    found = context.drills.get(game)
    if found is None:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"no drill of {game}")
    with speaking(call.language):
        titled = tuple(replace(each, title=title_in_words(each.name, each.title)) for each in found.drills)
    return replace(found, drills=titled)


async def begin(context: ServerContext, call: Call) -> DrillAnswer | Refused:
    """Begin a drill at a training table of one's own."""
    form: BeginDrillForm = call.form
    drill = await asyncio.to_thread(
        packs.find_drill, form.drill, form.game, context.packs, context.where.shelf
    )
    if drill is None:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"no drill {form.drill} of {form.game}")
    rehearsal = await asyncio.to_thread(packs.rehearsal_of, drill, context.where.shelf)
    if form.post not in rehearsal.posts():
        return refuse(Refusal.NO_SUCH_POST, post=form.post, posts=", ".join(rehearsal.posts()))
    opened = context.training.begin(name_of(call.actor), rehearsal, Post(form.post), form.level)
    return drill_answer(opened, call)


async def look(context: ServerContext, call: Call) -> DrillAnswer | Refused:
    """One's own drill as it stands."""
    found = _own(context, call, touch=False)
    return found if isinstance(found, Refused) else drill_answer(found, call)


async def command(context: ServerContext, call: Call) -> DrillAnswer | Refused:
    """Have a command decided by the training table; a refusal comes with the drill as it stands."""
    form: DrillCommandForm = call.form
    found = _own(context, call)
    if isinstance(found, Refused):
        return found
    if form.authoriser is not None and form.authoriser not in found.posts:
        return found.no_such_post(form.authoriser)
    refused = found.send(form.command, form.command_id, form.authoriser)
    answer = drill_answer(found, call)
    if refused is None:
        return answer
    return replace(answer, refused=refused_message(refused, command_id=form.command_id))


async def irregularity(context: ServerContext, call: Call) -> Question | Required | Refused:
    """The next question about what went wrong in a drill, or what the rulebook requires."""
    found = _own(context, call)
    if isinstance(found, Refused):
        return found
    table = found.table
    desk = QueryDesk(table.rulebook, table.house, table.standing)
    return lead(desk, call.form, by=found.drill.name, at=table.now)


async def call_post(context: ServerContext, call: Call) -> DrillAnswer | Refused:
    """Call a post to the training table."""
    form: CallPostForm = call.form
    found = _own(context, call)
    if isinstance(found, Refused):
        return found
    return found.call(form.post) or drill_answer(found, call)


async def go_on(context: ServerContext, call: Call) -> DrillAnswer | Refused:
    """Let a drill go on although nothing more is done about what was told last."""
    found = _own(context, call)
    if isinstance(found, Refused):
        return found
    found.pass_on()
    return drill_answer(found, call)


async def finish(context: ServerContext, call: Call) -> GradeAnswer | Refused:
    """End a drill and grade it; asked again, the grade is the same."""
    found = _own(context, call)
    if isinstance(found, Refused):
        return found
    with speaking(call.language):
        grade = found.drill.grade()  # a ruling is said within its sentence
    kept = await training_records.keep_drill(context, found, grade)
    return grade_answer(found, grade, call.language, kept=kept)


def _own(context: ServerContext, call: Call, *, touch: bool = True) -> OpenDrill | Refused:
    """The drill that a request is about, which only whoever began it may see."""
    return context.training.find(call.path["session"], name_of(call.actor), touch=touch)


def drill_answer(found: OpenDrill, call: Call) -> DrillAnswer:
    """Return a drill as it stands, in the language of the reader."""
    drill = found.drill
    told = found.tell()
    with speaking(call.language):
        said, title = (
            tuple(DrillTelling(each.kind, each.said()) for each in told),
            title_of(drill.rehearsal.drill),
        )
    return DrillAnswer(
        session=found.id,
        drill=drill.rehearsal.drill.name,
        title=title,
        game=drill.rehearsal.drill.game,
        post=drill.post,
        person=drill.name,
        posts=found.posts,
        level=drill.level,
        over=drill.over,
        told=said,
        sequence=len(found.table.events),
        now=found.now,
        view=view_of(found.show(), STAFF_VIEWER),
        moments=found.moments(),
        fault=found.fault,
    )


def grade_answer(found: OpenDrill, grade: Grade, language: str, *, kept: bool) -> GradeAnswer:
    """Return a grade in a language, with the clauses in plain words."""
    drill = found.drill
    posts = posts_by_name(drill.rehearsal.house)
    with speaking(language):
        title = title_of(drill.rehearsal.drill)
        aspects = tuple(
            AspectGraded(aspect, say(message(f"train-aspect.{aspect}")), right)
            for aspect, right in grade.aspects.items()
        )
        findings = tuple(
            FindingLine(each.aspect, each.right, each.said(), each.clauses) for each in grade.findings
        )
        right_way = tuple(_step(each, posts) for each in grade.right_way)
    cited = [clause for each in findings for clause in each.clauses]
    cited += [clause for each in right_way for line in each.sentences for clause in line.clauses]
    known = found.table.rulebook.document.clauses
    return GradeAnswer(
        session=found.id,
        drill=drill.rehearsal.drill.name,
        title=title,
        game=drill.rehearsal.drill.game,
        post=drill.post,
        level=drill.level,
        passed=grade.passed,
        kept=kept,
        points=grade.points,
        most=grade.most,
        seconds=grade.seconds,
        aspects=aspects,
        findings=findings,
        right_way=right_way,
        clauses=tuple(
            ClauseSaid(each, known[Clause(each)].says, known[Clause(each)].term)
            for each in dict.fromkeys(cited)
            if each in known
        ),
        fault=found.fault,
    )


def _step(step: RightStep, posts: dict[str, Post]) -> RightStepLine:
    """A step of the right way in the language of the reader."""
    return RightStepLine(
        text=step.text,
        actor=posts.get(step.actor, step.actor),
        own=step.own,
        says=tuple(map(say, step.says)),
        sentences=tuple(SentenceLine(say(what), clauses) for what, clauses in step.sentences),
        rules=tuple(say(each) for each in step.rules),
    )
