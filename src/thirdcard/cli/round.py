"""``thirdcard round``: plays round files and compares what comes with what they expect."""

import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from thirdcard.cli.arguments import Flag
from thirdcard.cli.games import find_game, find_house, must_fit
from thirdcard.cli.output import (
    BAD_INPUT,
    NEGATIVE_ANSWER,
    BadInput,
    complain,
    console,
    print_json,
    read_bytes,
)
from thirdcard.game import events as ev
from thirdcard.messages import message, say
from thirdcard.money import Currency, format_amount
from thirdcard.projections.ledger import Sums
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import parse, shelf_currency
from thirdcard.roundfile.play import Played, play
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import shelf_house

SUFFIX = ".round"
GOOD = 0
WINDOWS = "\r\n"


def round_(
    file: Annotated[tuple[Path, ...], Parameter(negative=(), required=True)],
    *,
    update: Flag = False,
    house: str | None = None,
    json: Flag = False,
) -> int:
    """Play round files: what is done line by line, what follows with its clauses, and what must come out.

    Exit status 1 if a round plays otherwise than it is written, 2 if one cannot be played.
    docs/rounds.md explains the files.

    Parameters
    ----------
    file
        A round file, or a folder: every file below it whose name ends in .round.
    update
        Write down what came as what is expected, in place. Checks stay as they are.
    house
        The house to play at, by its id or as a file; without one the house that the rulebook names.
    json
        Print every event as JSON, one a line, and at the end what each patron won and lost.
    """
    files = [each for given in file for each in _below(given)]
    several = len(files) > 1 or any(given.is_dir() for given in file)
    place = find_house(house) if house is not None else None
    found: Counter[int] = Counter()
    for each in files:
        try:
            found[_one(each, place, update=update, json=json, several=several)] += 1
        except BadInput as error:
            complain(str(error))
            found[BAD_INPUT] += 1
    if several and not json:
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


def _one(file: Path, house: House | None, *, update: bool, json: bool, several: bool) -> int:
    """Play one file, print what there is to say about it, and give its status."""
    text, newline = _read(file)
    played, place = _play(file, text, house)
    rewritten = update and list(played.lines) != text.removesuffix("\n").split("\n")
    if rewritten:
        _write(file, newline.join((*played.lines, "")))
    if json:
        _print_json(file, played, place, several=several)
    _say(file, played, rewritten=rewritten, json=json, several=several)
    wrong = played.failed_checks if update else played.differences
    return NEGATIVE_ANSWER if wrong else GOOD


def _read(file: Path) -> tuple[str, str]:
    """The text of a file, its lines parted as everywhere here, and how the file parts them."""
    try:
        text = read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(say(message("round.not-utf-8", file=str(file)))) from error
    return text.replace(WINDOWS, "\n"), WINDOWS if WINDOWS in text else "\n"


def _play(file: Path, text: str, house: House | None) -> tuple[Played, House]:
    """Play at a house of one's own, or at the one that the rulebook names."""

    def currency(game: str) -> Currency:
        named = shelf_currency(game)
        return house.currency if house else named

    try:
        parsed = parse(text, currency)
        rulebook = find_game(parsed.settings.game)
        place = house or shelf_house(rulebook.document.house)
        must_fit(rulebook, place)
        return play(parsed, rulebook, place), place
    except BadLine as error:
        if error.number is None:
            raise BadInput(f"{file}: {error.what}") from error
        where = message("cli.bad-line", file=str(file), line=error.number, error=error.what)
        raise BadInput(say(where)) from error


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


def _say(file: Path, played: Played, *, rewritten: bool, json: bool, several: bool) -> None:
    """What differs, for people; among JSON it goes to stderr."""
    out = console()

    def speak(text: str) -> None:
        if json:
            complain(text)
        else:
            out.print(text, soft_wrap=True)

    if played.differences:
        speak(say(message("round.differs", file=str(file))))
        for text in played.differences:
            speak(text)
    if rewritten:
        speak(say(message("round.rewritten", file=str(file))))
    if not played.differences and not json and not several:
        speak(say(message("round.plays-as-written", file=str(file))))


def _print_json(file: Path, played: Played, house: House, *, several: bool) -> None:
    if several:
        print_json({"type": "file", "file": str(file)})
    for each in played.happened:
        print_json(_refusal(each) if isinstance(each, Refused) else each)
    print_json(totals(played, house))


def _refusal(refused: Refused) -> dict[str, object]:
    return {
        "type": "refused",
        "reason": refused.reason,
        "clauses": refused.clauses,
        "message": say(refused.message),
    }


def totals(played: Played, house: House) -> dict[str, object]:
    """What each patron won, lost and got back, and what the house made of it, in decimal texts."""
    names = ("won", "taken", "back", "net")
    came = [event.patron for event in played.events if isinstance(event, ev.PatronCame)]
    patrons = {
        patron: {
            name: format_amount(getattr(played.patrons.get(patron, Sums()), name), house.currency)
            for name in names
        }
        for patron in dict.fromkeys((*came, *played.patrons))
    }
    return {"patrons": patrons, "house": {"net": format_amount(played.house_net, house.currency)}}
