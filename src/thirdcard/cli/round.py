"""``thirdcard round``: plays round files and compares what comes with what they expect."""

import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct

from thirdcard.cli.arguments import Flag, OwnShelf
from thirdcard.cli.number_forms import FOR_PEOPLE, NumberForm
from thirdcard.cli.output import (
    BAD_INPUT,
    NEGATIVE_ANSWER,
    BadInput,
    complain,
    console,
    print_json,
    read_bytes,
)
from thirdcard.computing.games import find_game, find_house, must_fit
from thirdcard.computing.playing import PlayedFiles, PlayedRounds, totals
from thirdcard.messages import message, say
from thirdcard.refusals import Refused
from thirdcard.roundfile.games import played_together, texts_by_game
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import Comparison, Played, play
from thirdcard.roundfile.refusal_text import refusal_sentence
from thirdcard.roundfile.values import BadLine, BadWord
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED, Shelf

SUFFIX = ".round"
GOOD = 0
WINDOWS = "\r\n"


class PlayedGame(Struct, frozen=True):
    """A round file as it was played under one game."""

    played: Played
    rulebook: Rulebook
    house: House


def round_(
    file: Annotated[tuple[Path, ...], Parameter(negative=(), required=True)],
    *,
    update: Flag = False,
    house: str | None = None,
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> int:
    """Play round files: what is done line by line, what follows with its clauses, and what must come out.

    Exit status 0 if every expectation holds, 1 if one does not, 2 if a line cannot be played.
    docs/rounds.md explains the files.

    Parameters
    ----------
    file
        A round file, or a folder: every file below it whose name ends in .round.
    update
        Write down what came as what is expected, in place. Checks stay as they are.
    house
        The house to play at, by its id or as a file; without one that of the round file, or of the rulebook.
    """
    form.check()
    files = [each for given in file for each in _below(given)]
    several = len(files) > 1 or any(given.is_dir() for given in file)
    place = find_house(house, shelf) if house is not None else None
    found: Counter[int] = Counter()
    played: list[tuple[str, PlayedRounds]] = []
    for each in files:
        try:
            rules = _rules(each, shelf, place)
            status, games = _one(each, rules, update=update, form=form, several=several)
            played += [(str(each), PlayedRounds(of.rulebook.id, of.house, of.played)) for of in games]
            found[status] += 1
        except BadInput as error:
            complain(str(error))
            found[BAD_INPUT] += 1
    _tell_totals(PlayedFiles(tuple(played)), form)
    if several and _for_people(form):
        counts = {"good": found[GOOD], "differ": found[NEGATIVE_ANSWER], "bad": found[BAD_INPUT]}
        console().print(say(message("round.summary", rounds=len(files), **counts)))
    return max(found)


def _below(given: Path) -> list[Path]:
    if not given.is_dir():
        return [given]
    files = sorted(each for each in given.rglob(f"*{SUFFIX}") if each.is_file())
    if not files:
        raise BadInput(say(message("round.none-below", folder=str(given))))
    return files


def _for_people(form: NumberForm) -> bool:
    return not (form.json or form.csv or form.xlsx)


def _tell_totals(played: PlayedFiles, form: NumberForm) -> None:
    """Give the totals as CSV or as a workbook; JSON has had its lines by now."""
    if form.json and form.xlsx is not None:
        played.to_xlsx(form.xlsx)
    elif not form.json:
        form.tell(played, lambda: None)


def _one(
    file: Path, rules: RoundRules, *, update: bool, form: NumberForm, several: bool
) -> tuple[int, list[PlayedGame]]:
    """Play one file under each of its games, print what there is to say about it, and give its status."""
    text, newline = _read(file)
    try:
        games = _play(text, rules)
        compared = played_together(text, {each.rulebook.id: each.played for each in games}, update=update)
    except BadLine as error:
        raise _bad_input(file, error) from error
    rewritten = update and list(compared.lines) != text.removesuffix("\n").split("\n")
    if rewritten:
        _write(file, newline.join((*compared.lines, "")))
    if form.json:
        _print_json(file, games, several=several)
    quiet = not _for_people(form)
    _say(file, compared, update=update, rewritten=rewritten, quiet=quiet, several=several)
    wrong = compared.failed_checks if update else compared.differences
    return (NEGATIVE_ANSWER if wrong else GOOD), games


def _bad_input(file: Path, error: BadLine) -> BadInput:
    if error.number is None:
        return BadInput(f"{file}: {error.what}")
    return BadInput(say(message("cli.bad-line", file=str(file), line=error.number, error=error.what)))


def _read(file: Path) -> tuple[str, str]:
    """The text of a file, its lines parted as everywhere here, and how the file parts them."""
    try:
        text = read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(say(message("round.not-utf-8", file=str(file)))) from error
    return text.replace(WINDOWS, "\n"), WINDOWS if WINDOWS in text else "\n"


def _play(text: str, rules: RoundRules) -> list[PlayedGame]:
    """Play a file under each of its games; a bad line names its game where it is not one under all."""
    played: list[PlayedGame] = []
    bad: dict[str, BadLine] = {}
    texts = texts_by_game(text, rules.shelf)
    for game, own in texts.items():
        try:
            played.append(_play_game(own, rules))
        except BadLine as error:
            bad[game] = error
    for game, first in bad.items():
        if len(bad) == len(texts) and len({(each.number, each.what) for each in bad.values()}) == 1:
            raise first
        raise BadLine(first.number, say(message("round.under-game", game=game, what=first.what))) from first
    return played


def _play_game(text: str, rules: RoundRules) -> PlayedGame:
    """Play at the house given, or else at the one that the file names, or at the one of the rulebook."""
    parsed = parse(text, rules)
    rulebook, name = find_game(parsed.settings.game, rules.shelf), parsed.settings.house
    place = rules.house or (rules.shelf.house_of(rulebook) if name is None else rules.named_house(name))
    try:
        must_fit(rulebook, place)
    except BadInput as error:
        if rules.house or name is None:
            raise
        raise BadLine(parsed.settings.line("house"), str(error)) from error
    return PlayedGame(play(parsed, rulebook, place), rulebook, place)


def _rules(file: Path, shelf: Shelf, house: House | None) -> RoundRules:
    """The rules of a file: it names a house by its id, or by a path from the folder of the file."""

    def named_house(name: str) -> House:
        try:
            return find_house(name, shelf, folder=file.parent)
        except BadInput as error:
            raise BadWord(str(error)) from error

    return RoundRules(shelf, house, named_house)


def _write(file: Path, text: str) -> None:
    """Put the new text in the place of the old at one blow: whoever reads sees one of the two, whole."""
    target = file.resolve()
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        new = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode())
            shutil.copymode(target, new)
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or ""
        raise BadInput(say(message("road.not-written", file=str(file), reason=reason))) from error


def _say(
    file: Path, played: Comparison, *, update: bool, rewritten: bool, quiet: bool, several: bool
) -> None:
    """Say for people what differs; beside the output for programs it goes to stderr."""
    out = console()

    def speak(text: str) -> None:
        if quiet:
            complain(text)
        else:
            out.print(text, soft_wrap=True)

    if played.differences or (update and played.unwritten):
        shown = (*played.unwritten, *played.differences) if update else _wrong(played)
        for text in (say(message("round.differs", file=str(file))), *shown):
            speak(text)
    elif not quiet and not several:
        for text in _right(file, played):
            speak(text)
    if rewritten:
        speak(say(message("round.rewritten", file=str(file))))


def _wrong(played: Comparison) -> tuple[str, ...]:
    """Return the differences, and the refused lines where the file does not say what follows."""
    return (*played.differences, *played.refused_lines)


def _right(file: Path, played: Comparison) -> tuple[str, ...]:
    """Return the good news; of a file that expects nothing, all that came."""
    if not played.unwritten:
        return (say(message("round.plays-as-written", file=str(file))),)
    if played.checks:
        return (say(message("round.checks-hold", file=str(file))), *played.refused_lines)
    return (say(message("round.expects-nothing", file=str(file))), *played.lines)


def _print_json(file: Path, games: list[PlayedGame], *, several: bool) -> None:
    if several:
        print_json({"type": "file", "file": str(file)})
    for game in games:
        if len(games) > 1:
            print_json({"type": "game", "game": game.rulebook.id})
        for each in game.played.happened:
            told = _refusal(each, game.played, game.rulebook) if isinstance(each, Refused) else each
            print_json(told)
        print_json(totals(game.played, game.house))


def _refusal(refused: Refused, played: Played, rulebook: Rulebook) -> dict[str, object]:
    return {
        "type": "refused",
        "reason": refused.reason,
        "clauses": refused.clauses,
        "message": refusal_sentence(refused, rulebook, played.table.setup),
    }
