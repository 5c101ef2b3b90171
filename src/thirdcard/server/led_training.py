"""Training with a trainer over HTTP: a trainee opens a table, and a trainer lets things go wrong at it."""

from thirdcard.access.permissions import name_of
from thirdcard.folds.viewers import STAFF_VIEWER
from thirdcard.messages import speaking
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server import training_records
from thirdcard.server.context import ServerContext
from thirdcard.server.http import Call
from thirdcard.server.training import drill_answer, grade_answer
from thirdcard.server.training_room import OpenDrill
from thirdcard.training.faults import FAULTS
from thirdcard.training.led_session import LedSession, WhyNoStrike, kinds_at
from thirdcard.views.view import view_of
from thirdcard.wire.led_training import (
    OpenTrainerTableForm,
    StrikeChoice,
    StrikeForm,
    StrikeLine,
    TrainerGame,
    TrainerGamesAnswer,
    TrainerTableAnswer,
    TrainerTableLine,
    TrainerTablesAnswer,
)
from thirdcard.wire.training import DrillAnswer, DrillTelling


async def games(context: ServerContext, call: Call) -> TrainerGamesAnswer:
    """The games at which a table with a trainer can be opened, and whether the asker is a trainer."""
    books = context.where.shelf.rulebooks
    found = tuple(TrainerGame(each.id, each.document.name, kinds_at(each)) for each in books)
    return TrainerGamesAnswer(found, training_records.sees_everybody(context, call))


async def begin(context: ServerContext, call: Call) -> DrillAnswer | Refused:
    """Open a training table at which a trainer can let things go wrong, and begin to deal there."""
    form: OpenTrainerTableForm = call.form
    shelf = context.where.shelf
    rulebook = next((each for each in shelf.rulebooks if each.id == form.game), None)
    if rulebook is None or form.kind not in kinds_at(rulebook):
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"no table {form.kind} of {form.game}")
    house = shelf.house(rulebook.document.house)
    opened = context.training.begin_led(name_of(call.actor), rulebook, house, form.kind)
    return drill_answer(opened, call)


async def tables(context: ServerContext, call: Call) -> TrainerTablesAnswer:
    """The open tables with a trainer, without one's own."""
    found = context.training.led(name_of(call.actor))
    return TrainerTablesAnswer(tuple(_line(each, each.led) for each in found if each.led))


def _line(found: OpenDrill, led: LedSession) -> TrainerTableLine:
    document = led.rehearsal.rulebook.document
    return TrainerTableLine(
        session=found.id,
        person=found.person,
        game=led.rehearsal.drill.game,
        name=document.name,
        kind=led.kind,
        post=led.post,
        since=found.since,
    )


async def look(context: ServerContext, call: Call) -> TrainerTableAnswer | Refused:
    """A table with a trainer as it stands, for its trainer."""
    found = _led(context, call)
    return found if isinstance(found, Refused) else await _answer(context, *found, call)


async def strike(context: ServerContext, call: Call) -> TrainerTableAnswer | Refused:
    """Let something go wrong as soon as it can; why it cannot comes with the table as it stands."""
    form: StrikeForm = call.form
    found = _led(context, call)
    if isinstance(found, Refused):
        return found
    if form.fault not in FAULTS:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"{form.fault} is none of {', '.join(FAULTS)}")
    words = " ".join(form.words.split())
    refused = found[1].strike(form.fault, name_of(call.actor), words)
    return await _answer(context, *found, call, refused)


async def end(context: ServerContext, call: Call) -> TrainerTableAnswer | Refused:
    """End a table with a trainer, and grade what was done there."""
    found = _led(context, call)
    if isinstance(found, Refused):
        return found
    found[1].finish()
    return await _answer(context, *found, call)


def _led(context: ServerContext, call: Call) -> tuple[OpenDrill, LedSession] | Refused:
    """The table that a trainer's request is about, which is never the trainer's own."""
    found = context.training.find_led(call.path["session"], name_of(call.actor))
    if isinstance(found, Refused):
        return found
    return (found, found.led) if found.led else refuse(Refusal.NO_SUCH_SESSION)


async def _answer(
    context: ServerContext, found: OpenDrill, led: LedSession, call: Call, refused: WhyNoStrike | None = None
) -> TrainerTableAnswer:
    graded = None
    if led.over:
        with speaking(call.language):
            grade = led.grade()  # a ruling is said within its sentence
        kept = await training_records.keep_drill(context, found, grade)
        graded = grade_answer(found, grade, call.language, kept=kept)
    with speaking(call.language):
        told = tuple(DrillTelling(each.kind, each.said()) for each in found.tell())
    return TrainerTableAnswer(
        session=found.id,
        person=found.person,
        game=led.rehearsal.drill.game,
        kind=led.kind,
        post=led.post,
        since=found.since,
        over=led.over,
        told=told,
        sequence=len(found.table.events),
        now=found.now,
        view=view_of(found.show(), STAFF_VIEWER),
        strikes=tuple(
            StrikeLine(fault=each.fault, trainer=each.trainer, words=each.words, state=led.state_of(each))
            for each in led.strikes
        ),
        choices=tuple(StrikeChoice(fault, led.why_not(fault)) for fault in FAULTS),
        refused=refused,
        grade=graded,
    )
