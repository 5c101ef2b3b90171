"""Which game and which house a command plays by: a game by its id, a house by its id or as a file."""

from pathlib import Path

from thirdcard import settle as settling
from thirdcard.cli.output import BadInput
from thirdcard.messages import message, say
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.check import check_fit
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import Unreadable, read_house
from thirdcard.rulebook.shelf import HOUSES, shelf_house


def find_game(game: str) -> Rulebook:
    """The rulebook of a game on the shelf; any other id is bad input."""
    try:
        return settling.rulebook_of(game)
    except settling.CannotSettle as error:
        raise BadInput(str(error)) from error


def find_house(name: str) -> House:
    """The house of an id or a path; anything else is bad input."""
    if name in HOUSES:
        return shelf_house(name)
    if not Path(name).exists():
        raise BadInput(say(message("cli.no-such-house", house=name, houses=", ".join(HOUSES))))
    try:
        return read_house(Path(name))
    except Unreadable as error:
        raise BadInput(str(error)) from error


def must_fit(rulebook: Rulebook, house: House) -> None:
    """A table needs every post to which its rulebook gives a power; a house without one is bad input."""
    problems = check_fit(f"{rulebook.document.id}.toml", rulebook.document, house.form)
    if problems:
        raise BadInput("\n".join(str(each) for each in problems))
