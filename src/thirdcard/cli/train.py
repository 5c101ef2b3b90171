"""``thirdcard train``: drills for dealers and supervisors, and the record of their training."""

import datetime
import random
import sys
import time
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from thirdcard.cards import parse_card
from thirdcard.cli.arguments import Flag, OwnShelf, WholeNumber
from thirdcard.cli.drill import DrillAtTerminal, tell_grade
from thirdcard.cli.output import BadInput, console, print_json, print_table
from thirdcard.cli.prompts import Asker, InputEnded
from thirdcard.computing.games import find_game, find_house, must_fit
from thirdcard.dossier.extras import MissingExtra
from thirdcard.messages import say
from thirdcard.reports.files import ReportForm
from thirdcard.reports.training_files import training_file
from thirdcard.reports.training_rows import RESULT_COLUMNS, cells_of, pack_cells
from thirdcard.roundfile.parse import RoundRules
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.rulebook.words import post_name, text
from thirdcard.staff import Post
from thirdcard.training.by_chance import (
    MOST_SEEDS,
    FaultSeed,
    NothingToDo,
    rehearsal_by_chance,
    rehearsal_by_seed,
)
from thirdcard.training.dealing import (
    ANSWER_CHOICES,
    MOST_ROUNDS,
    USUAL_ROUNDS,
    DealingQuestion,
    ExerciseAnswer,
    Skill,
    exercise_by_seed,
)
from thirdcard.training.drill import Drill
from thirdcard.training.event_sentences import with_wager_names
from thirdcard.training.faults import FAULTS, NoFault
from thirdcard.training.packs import drills_below, shipped_drills
from thirdcard.training.rehearsal import Level, Rehearsal, rehearse
from thirdcard.training.results import (
    USUAL_RECORD,
    BadResult,
    TrainingResult,
    append_result,
    progress,
    result_of_drill,
    result_of_exercise,
    results_in,
)
from thirdcard.training.session import DrillSession
from thirdcard.training.shipped_words import title_of

app = App(name="train", help="Trains dealers and supervisors with drills, and keeps a record of it.")
Packs = Annotated[Path | None, Parameter(name="--packs", show_default=False)]
RecordFile = Annotated[Path, Parameter(name="--record")]
Person = Annotated[str | None, Parameter(name="--person", show_default=False)]
DRILL_HEADINGS = ("train-record.drill", "train-record.title-of", "train-record.game", "train-record.post")
BARS = "▁▂▃▄▅▆▇█"


@app.command(name="list")
def list_(
    *, game: str | None = None, packs: Packs = None, shelf: OwnShelf = SHIPPED, json: Flag = False
) -> None:
    """List drills: their names, their titles, and the posts that have something to do.

    Parameters
    ----------
    game
        Only the drills of this game.
    packs
        A folder with drills of your own, instead of those that are shipped.
    json
        Print JSON, a drill in each line.
    """
    rows = []
    for drill in _drills(packs, shelf):
        if game in (None, drill.game):
            rehearsal = _rehearsed(drill, shelf)
            title = title_of(drill)
            rows.append((drill.name, title, drill.game, tuple(rehearsal.posts())))
    if json:
        for name, title, own, posts in rows:
            print_json({"drill": name, "title": title, "game": own, "posts": posts})
        return
    heads = tuple(map(text, DRILL_HEADINGS))
    told = [(name, title, own, ", ".join(map(post_name, posts))) for name, title, own, posts in rows]
    print_table(None, heads, told)


@app.command
def drill(
    name: str,
    *,
    game: str | None = None,
    post: str = "dealer",
    level: WholeNumber = Level.SHOWN.value,
    packs: Packs = None,
    shelf: OwnShelf = SHIPPED,
    person: Person = None,
    record: RecordFile = USUAL_RECORD,
) -> None:
    """Go through a drill at the terminal: say what you do in the words of round files.

    Parameters
    ----------
    name
        The drill, as `thirdcard train list` prints it.
    game
        The game, where the drill has several; without one the first.
    post
        The post that you hold: dealer, pit-supervisor, pit-manager and so on.
    level
        1 says that something went wrong, 2 only lets it happen, 3 lets you deal the whole round under time.
    packs
        A folder with drills of your own, instead of those that are shipped.
    person
        Your name, for the record of training; without one nothing is recorded.
    record
        The file of the record of training.
    """
    found = [each for each in _drills(packs, shelf) if each.name == name and game in (None, each.game)]
    if not found:
        raise BadInput(text("train-record.no-drill", name=name))
    _go_through(_rehearsed(found[0], shelf), post, level, person, record)


@app.command
def fault(
    game: str,
    *,
    seed: WholeNumber | None = None,
    what: str | None = None,
    post: str = "dealer",
    level: WholeNumber = Level.DEALING.value,
    shelf: OwnShelf = SHIPPED,
    house: str | None = None,
    person: Person = None,
    record: RecordFile = USUAL_RECORD,
) -> None:
    """Let something go wrong in a random round, and handle it.

    Parameters
    ----------
    game
        The id of a game, as `thirdcard rules list` prints it.
    seed
        A number that stands for one round with one fault; without one it is a new one.
    what
        What goes wrong: wrong-hand, together, late-chip, wrong-call, left-with-cards, forgotten-burn,
        differential or power-failure; without it any of them.
    post
        The post that you hold; without a seed one is taken that has something to do for it.
    level
        1, 2 or 3, as in `thirdcard train drill`.
    house
        The house, by its id or as a file; without one the house that the rulebook names.
    person
        Your name, for the record of training; without one nothing is recorded.
    record
        The file of the record of training.
    """
    rulebook, place = _books(game, house, shelf)
    rules, held = RoundRules(shelf=shelf, house=place), Post(post)
    if what not in (None, *FAULTS):
        raise BadInput(text("train-record.no-fault", what=what or "", faults=", ".join(FAULTS)))
    try:
        if seed is None and held in place.form.posts:
            fault, rehearsal = rehearsal_by_chance(rulebook, place, rules, held, _any_seed, what)
        else:
            fault = FaultSeed(_any_seed() if seed is None else seed, what)
            rehearsal = rehearsal_by_seed(rulebook, place, rules, fault)
    except NoFault as error:
        raise BadInput(text("train-record.not-here", what=what or "", game=game)) from error
    except NothingToDo as error:
        raise BadInput(text("train-record.no-post", post=post, posts=", ".join(error.posts))) from error
    console().print(text("practice.seeded", seed=fault.seed))
    _go_through(rehearsal, post, level, person, record)


@app.command
def deal(
    game: str,
    *,
    seed: WholeNumber | None = None,
    rounds: WholeNumber = USUAL_ROUNDS,
    shelf: OwnShelf = SHIPPED,
    house: str | None = None,
    person: Person = None,
    record: RecordFile = USUAL_RECORD,
) -> None:
    """Answer questions about ordinary dealing: cards, third cards, takes and pays, payouts on odd stakes.

    Parameters
    ----------
    game
        The id of a game, as `thirdcard rules list` prints it.
    seed
        A number that stands for the rounds; without one they are new.
    rounds
        How many rounds, from 1 to 20.
    house
        The house, by its id or as a file; without one the house that the rulebook names.
    person
        Your name, for the record of training; without one nothing is recorded.
    record
        The file of the record of training.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadInput(text("train-record.no-rounds", most=MOST_ROUNDS))
    if person:
        _results(record)
    rulebook, place = _books(game, house, shelf)
    chosen = _any_seed() if seed is None else seed
    out = console()
    asker, answers = Asker(out), list[ExerciseAnswer]()
    out.print(text("practice.seeded", seed=chosen))
    try:
        for question in exercise_by_seed(rulebook, place, chosen, rounds):
            answers.append(_answered(question, asker, place))
    except InputEnded:
        return
    result = result_of_exercise(answers, game=game, seed=chosen, person=person or "", time=_now())
    out.print(
        text("train-record.points-of", points=result.points, most=result.most, seconds=round(result.seconds))
    )
    _keep(result, person, record)


@app.command
def check(
    file: Annotated[tuple[Path, ...], Parameter(negative=(), required=True)], *, shelf: OwnShelf = SHIPPED
) -> None:
    """Check drills that you have written: each line is played, and what each post has to do is shown.

    Parameters
    ----------
    file
        Files or folders with drills.
    """
    for path in file:
        folder = path if path.is_dir() else path.parent
        wanted = path.with_suffix("").name
        for each in _drills(folder, shelf):
            if path.is_dir() or each.name == wanted:
                posts = ", ".join(map(post_name, _rehearsed(each, shelf).posts()))
                told = text("train-record.good", name=each.name, game=each.game, posts=posts)
                console().print(told, soft_wrap=True)


@app.command(name="record")
def record_(
    *,
    person: Annotated[str, Parameter(name="--person")],
    record: RecordFile = USUAL_RECORD,
    json: Flag = False,
    csv: Flag = False,
    xlsx: Annotated[Path | None, Parameter(show_default=False)] = None,
    pdf: Annotated[Path | None, Parameter(show_default=False)] = None,
) -> None:
    """Show the record of training of a person, and the progress in each pack.

    Parameters
    ----------
    person
        The name of the person.
    record
        The file of the record of training.
    json
        Print JSON, a result in each line.
    csv
        Print CSV.
    xlsx
        Write a workbook for spreadsheets to this file.
    pdf
        Write a PDF to sign to this file.
    """
    own = tuple(each for each in _results(record) if each.person == person)
    if not own:
        raise BadInput(text("train-record.nobody", person=person, file=str(record)))
    files = {ReportForm.XLSX: xlsx, ReportForm.PDF: pdf}
    try:
        for form, file in files.items():
            if file is not None:
                file.write_bytes(training_file(person, own, form))
                console().print(text("train-record.written", file=str(file)), soft_wrap=True)
    except MissingExtra as error:
        raise BadInput(say(error.what)) from error
    except OSError as error:
        raise BadInput(
            text("road.not-written", file=str(error.filename), reason=error.strerror or "")
        ) from error
    if json:
        for each in own:
            print_json(each)
    elif csv:
        sys.stdout.write(training_file(person, own, ReportForm.CSV).decode())
    elif xlsx is None and pdf is None:
        _print(person, own)


def _print(person: str, own: tuple[TrainingResult, ...]) -> None:
    console().print(text("train-record.title", person=person), style="bold")
    heads = tuple(
        text(f"train-record.{name}") for name in ("pack", "times", "passed", "points", "time", "over-time")
    )
    rows = [
        (
            *pack_cells(each),
            "".join(BARS[min(int(share * len(BARS)), len(BARS) - 1)] for share in each.shares),
        )
        for each in progress(own)
    ]
    print_table(None, heads, rows)
    print_table(None, tuple(text(each.title) for each in RESULT_COLUMNS), [cells_of(each) for each in own])


# what the commands share


def _any_seed() -> int:
    return random.randrange(MOST_SEEDS)


def _books(game: str, house: str | None, shelf: Shelf) -> tuple[Rulebook, House]:
    rulebook = find_game(game, shelf)
    place = find_house(house or rulebook.document.house, shelf)
    must_fit(rulebook, place)
    return rulebook, place


def _drills(packs: Path | None, shelf: Shelf) -> tuple[Drill, ...]:
    if packs is None:
        return shipped_drills()
    try:
        return tuple(drills_below(packs, RoundRules(shelf=shelf)))
    except (BadLine, OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{packs}: {error}") from error


def _rehearsed(drill: Drill, shelf: Shelf) -> Rehearsal:
    rulebook, place = _books(drill.game, drill.file.settings.house, shelf)
    try:
        return rehearse(drill, rulebook, place)
    except BadLine as error:
        raise BadInput(f"{drill.name}: {error}") from error


def _go_through(rehearsal: Rehearsal, post: str, level: int, person: str | None, record: Path) -> None:
    """Go through a drill, show the grade, and keep the result."""
    posts = rehearsal.posts()
    if post not in posts:
        raise BadInput(text("train-record.no-post", post=post, posts=", ".join(posts)))
    if level not in list(Level):
        raise BadInput(text("train-record.no-level", level=level))
    if person:
        _results(record)  # before any work is done that could not be kept
    out = console()
    session = DrillSession(rehearsal, Post(post), clock=time.monotonic, level=Level(level))
    try:
        DrillAtTerminal(session, Asker(out)).run()
    except InputEnded:
        out.print(text("train-record.left"))
        return
    grade = session.grade()
    tell_grade(rehearsal.house, grade, out)
    _keep(result_of_drill(session, grade, person or "", _now()), person, record)


def _answered(question: DealingQuestion, asker: Asker, house: House) -> ExerciseAnswer:
    """Put a question until there is an answer to it, and say at once whether that is right."""
    began = time.monotonic()
    asker.say(say(with_wager_names(question.asks)))
    while not question.is_answer(answer := asker.ask("> "), house.currency):
        asker.say(_no_answer(question, answer))
    seconds = time.monotonic() - began
    right = question.is_right(answer, house.currency)
    clauses = f" [{', '.join(question.clauses)}]" if question.clauses else ""
    reason = f" {say(with_wager_names(question.why))}" if question.why else ""
    key = "train-record.right" if right else "train-record.not-right"
    asker.say(f"{text(key, right=question.right)}{reason}{clauses}")
    return ExerciseAnswer(question, answer, right, seconds)


def _no_answer(question: DealingQuestion, typed: str) -> str:
    """Say why a line is no answer to a question, right or wrong, and how one is typed."""
    match question.skill:
        case Skill.ENTRY:
            wrong = [each for each in typed.split() if parse_card(each) is None]
            return text("round.bad-card", text=" ".join(wrong) or "–")
        case Skill.PAYOUT:
            return text("round.bad-amount", text=typed or "–")
        case _:
            choices = ", ".join(ANSWER_CHOICES[question.skill])
            return text("train-record.no-choice", text=typed or "–", choices=choices)


def _now() -> datetime.datetime:
    return datetime.datetime.now().astimezone().replace(microsecond=0)


def _keep(result: TrainingResult, person: str | None, record: Path) -> None:
    """Append a result to the record of training, in one write; it is on the disk when the command ends."""
    if not person:
        console().print(text("train-record.not-kept"))
        return
    _results(record)  # nothing is appended to a file that is no record of training
    try:
        append_result(record, result)
    except OSError as error:
        raise BadInput(text("road.not-written", file=str(record), reason=error.strerror or "")) from error
    console().print(text("train-record.kept", person=person, file=str(record)), soft_wrap=True)


def _results(record: Path) -> tuple[TrainingResult, ...]:
    try:
        return results_in(record)
    except (BadResult, OSError, UnicodeDecodeError) as error:
        raise BadInput(text("train-record.no-record", file=str(record), reason=str(error))) from error
