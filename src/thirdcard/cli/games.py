"""The game and the house that a command plays by: a game by its id, a house by its id or as a file."""

from pathlib import Path

from thirdcard.cli.output import BadInput
from thirdcard.messages import message, say
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.check import check_fit, check_house_wagers
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import UnreadableFile, read_house
from thirdcard.rulebook.shelf import (
    DOCUMENTS,
    HOUSES,
    UnknownGame,
    shelf_document,
    shelf_house,
    shelf_rulebook,
)


def find_game(game: str) -> Rulebook:
    """The rulebook of a game on the shelf; any other id is bad input."""
    try:
        return shelf_rulebook(game)
    except UnknownGame as error:
        raise BadInput(str(error)) from error


def find_house(name: str, *, folder: Path = Path(), own: Document | None = None) -> House:
    """The house of an id or a path below a folder; anything else is bad input.

    It may have limits for the wagers of all games on the shelf, and for those of one's own document.
    """
    if name in HOUSES:
        return shelf_house(name)
    path = folder / name
    if not path.exists():
        raise BadInput(say(message("cli.no-such-house", house=name, houses=", ".join(HOUSES))))
    try:
        house = read_house(path)
    except UnreadableFile as error:
        raise BadInput(str(error)) from error
    if house.form.limits.wager:
        documents = (*(shelf_document(each) for each in DOCUMENTS), *((own,) if own else ()))
        wagers = dict.fromkeys(wager.id for document in documents for wager in document.wagers)
        problems = check_house_wagers(path.name, house.form, wagers)
        if problems:
            raise BadInput("\n".join(str(each) for each in problems))
    return house


def must_fit(rulebook: Rulebook, house: House) -> None:
    """Refuse a house without a post to which the rulebook gives a power, or with another order of posts."""
    problems = check_fit(f"{rulebook.document.id}.toml", rulebook.document, house.form)
    if problems:
        raise BadInput("\n".join(str(each) for each in problems))
