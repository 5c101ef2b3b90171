"""Training by seed over HTTP: faults by chance, and exercises in ordinary dealing with their questions."""

import asyncio
import secrets

from thirdcard.access.permissions import name_of
from thirdcard.clauses import Clause
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.roundfile.parse import RoundRules
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import Shelf
from thirdcard.server import training_records
from thirdcard.server.context import ServerContext
from thirdcard.server.exercise_room import OpenExercise
from thirdcard.server.http import Call
from thirdcard.server.training import drill_answer
from thirdcard.staff import Post
from thirdcard.training.by_chance import (
    MOST_SEEDS,
    FaultSeed,
    NothingToDo,
    possible_faults,
    rehearsal_by_chance,
    rehearsal_by_seed,
)
from thirdcard.training.dealing import DealingQuestion, ExerciseAnswer
from thirdcard.training.exercise import skill_results
from thirdcard.training.faults import FAULTS, NoFault
from thirdcard.training.rehearsal import Rehearsal
from thirdcard.wire.answers import ClauseSaid
from thirdcard.wire.exercises import (
    AnswerForm,
    AskedStake,
    BeginExerciseForm,
    BeginFaultForm,
    CheckedAnswer,
    ExerciseQuestion,
    ExerciseResult,
    ExerciseStanding,
    GoOnForm,
    TrainedGame,
    TrainedGamesAnswer,
)
from thirdcard.wire.training import DrillAnswer


async def games(context: ServerContext, call: Call) -> TrainedGamesAnswer:
    """The games at which one can train by seed, each with what can go wrong at it."""
    del call
    async with context.listing:
        if context.trained_games is None:
            context.trained_games = await asyncio.to_thread(list_games, context.where.shelf)
    return context.trained_games


def list_games(shelf: Shelf) -> TrainedGamesAnswer:
    """Return the games of a shelf; each fault is tried at each of them."""
    return TrainedGamesAnswer(tuple(_game(rulebook, shelf) for rulebook in shelf.rulebooks))


def _game(rulebook: Rulebook, shelf: Shelf) -> TrainedGame:
    house = shelf.house_of(rulebook)
    faults = possible_faults(rulebook, house, RoundRules(shelf=shelf, house=house))
    return TrainedGame(rulebook.id, rulebook.document.name, house.form.posts, faults)


async def begin_fault(context: ServerContext, call: Call) -> DrillAnswer | Refused:
    """Begin a drill in which something goes wrong by chance."""
    form: BeginFaultForm = call.form
    books = _books(context, form.game)
    if isinstance(books, Refused):
        return books
    if form.what not in (None, *FAULTS):
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"no fault {form.what}; there are {', '.join(FAULTS)}")
    if form.post not in books[1].form.posts:
        return refuse(Refusal.NO_SUCH_POST, post=form.post, posts=", ".join(books[1].form.posts))
    try:
        fault, rehearsal = await asyncio.to_thread(_found, form, *books, context.where.shelf)
    except NoFault:
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"{form.what} cannot happen at {form.game}")
    except NothingToDo as error:
        return refuse(Refusal.NO_SUCH_POST, post=form.post, posts=", ".join(error.posts))
    if form.post not in rehearsal.posts():
        return refuse(Refusal.NO_SUCH_POST, post=form.post, posts=", ".join(rehearsal.posts()))
    person, post = name_of(call.actor), Post(form.post)
    return drill_answer(context.training.begin(person, rehearsal, post, form.level, fault), call)


def _found(
    form: BeginFaultForm, rulebook: Rulebook, house: House, shelf: Shelf
) -> tuple[FaultSeed, Rehearsal]:
    """Return the drill of the seed that was asked for, or of one that has something to do for the post."""
    rules = RoundRules(shelf=shelf, house=house)
    if form.seed is None:
        return rehearsal_by_chance(rulebook, house, rules, Post(form.post), _any_seed, form.what)
    fault = FaultSeed(form.seed, form.what)
    return fault, rehearsal_by_seed(rulebook, house, rules, fault)


async def begin_exercise(context: ServerContext, call: Call) -> ExerciseStanding | Refused:
    """Begin an exercise in ordinary dealing."""
    form: BeginExerciseForm = call.form
    books = _books(context, form.game)
    if isinstance(books, Refused):
        return books
    seed = _any_seed() if form.seed is None else form.seed
    opened = await asyncio.to_thread(
        OpenExercise, name_of(call.actor), *books, seed, form.rounds, context.floor.clock
    )
    return await _standing(context, context.exercises.keep(opened))


async def look_at_exercise(context: ServerContext, call: Call) -> ExerciseStanding | Refused:
    """One's own exercise as it stands: the same question until it is answered."""
    found = _own(context, call)
    return found if isinstance(found, Refused) else await _standing(context, found)


async def answer(context: ServerContext, call: Call) -> ExerciseStanding | Refused:
    """Answer a question of an exercise; the first answer counts, and another changes nothing."""
    form: AnswerForm = call.form
    found = _own(context, call)
    if isinstance(found, Refused):
        return found
    if not found.exercise.takes(form.question, form.answer):
        problem = f"no answer to question {form.question}: {form.answer}"
        return refuse(Refusal.NOT_UNDERSTOOD, problem=problem)
    found.exercise.answer(form.question, form.answer)
    return await _standing(context, found)


async def go_on_from(context: ServerContext, call: Call) -> ExerciseStanding | Refused:
    """Go on from a question that is answered, to the next one or to the result."""
    form: GoOnForm = call.form
    found = _own(context, call)
    if isinstance(found, Refused):
        return found
    found.exercise.go_on(form.question)
    return await _standing(context, found)


def _any_seed() -> int:
    return secrets.randbelow(MOST_SEEDS)


def _books(context: ServerContext, game: str) -> tuple[Rulebook, House] | Refused:
    shelf = context.where.shelf
    found = next((each for each in shelf.rulebooks if each.id == game), None)
    return (
        (found, shelf.house_of(found)) if found else refuse(Refusal.NOT_UNDERSTOOD, problem=f"no game {game}")
    )


def _own(context: ServerContext, call: Call) -> OpenExercise | Refused:
    """The exercise that a request is about, which only whoever began it may see."""
    return context.exercises.find(call.path["exercise"], name_of(call.actor))


async def _standing(context: ServerContext, found: OpenExercise) -> ExerciseStanding:
    exercise, question, checked, result = found.exercise, None, None, None
    if exercise.over:
        kept = await training_records.keep_exercise(context, found)
        result = _result(found, kept=kept)
    elif exercise.checked is not None:
        checked = _checked(found, exercise.number, exercise.checked)
    elif (asked := exercise.ask()) is not None:
        question = _question(found, exercise.number, asked)
    return ExerciseStanding(
        exercise=found.id,
        game=found.rulebook.id,
        name=found.rulebook.document.name,
        seed=found.seed,
        rounds=found.rounds,
        currency=found.house.currency,
        question=question,
        checked=checked,
        result=result,
    )


def _question(found: OpenExercise, number: int, asked: DealingQuestion) -> ExerciseQuestion:
    """A question without its answer."""
    stake = asked.stake
    wager = found.rulebook.wagers[stake.wager] if stake else None
    return ExerciseQuestion(
        number=number,
        round=asked.round_number,
        skill=asked.skill,
        dealt=asked.dealt,
        stake=AskedStake(stake.patron, stake.wager, wager.name, stake.amount) if stake and wager else None,
    )


def _checked(found: OpenExercise, number: int, given: ExerciseAnswer) -> CheckedAnswer:
    return CheckedAnswer(
        question=_question(found, number, given.question),
        answer=given.answer,
        right=given.right,
        right_answer=given.question.right,
        seconds=round(given.seconds, 1),
        clauses=given.question.clauses,
        why=given.question.why,
    )


def _result(found: OpenExercise, *, kept: bool) -> ExerciseResult:
    answers = found.exercise.answers
    wrong = tuple(
        _checked(found, number, each) for number, each in enumerate(answers, start=1) if not each.right
    )
    known = found.rulebook.document.clauses
    cited = dict.fromkeys(Clause(clause) for each in wrong for clause in each.clauses)
    return ExerciseResult(
        points=sum(each.right for each in answers),
        most=len(answers),
        seconds=round(sum(each.seconds for each in answers), 1),
        kept=kept,
        skills=skill_results(answers),
        wrong=wrong,
        clauses=tuple(
            ClauseSaid(each, known[each].says, known[each].term) for each in cited if each in known
        ),
    )
