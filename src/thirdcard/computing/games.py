"""The game and the house to play by: a game by its id, a house by its id or as a file."""

from pathlib import Path

from thirdcard.computing.bad_input import BadInput
from thirdcard.messages import say
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.check import check_fit, check_house_wagers, check_supplied
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import UnreadableFile, read_house
from thirdcard.rulebook.shelf import Shelf, UnknownGame, wagers_of
from thirdcard.spelling import no_such


def find_game(game: str, shelf: Shelf) -> Rulebook:
    """The rulebook of a game on the shelf, with ``@DAY`` as in force from then on; another is bad input."""
    wanted, _, day = game.partition("@")
    versions = [each for each in shelf.versions if each.in_force.date().isoformat() == day]
    at = next((each.in_force for each in versions if each.id == wanted.partition("/")[0]), None)
    try:
        return shelf.rulebook(wanted if at or not day else game, at)
    except UnknownGame as error:
        raise BadInput(str(error)) from error


def find_house(name: str, shelf: Shelf, *, folder: Path = Path(), own: Document | None = None) -> House:
    """The house of an id or a path below a folder; anything else is bad input.

    It may have limits for the wagers of all games on the shelf, and for those of one's own document.
    """
    if name in shelf.house_ids:
        return shelf.house(name)
    path = folder / name
    if not path.exists():
        keys, houses = ("cli.no-such-house", "cli.house-near"), shelf.house_ids
        raise BadInput(say(no_such(*keys, name, houses, house=name, houses=", ".join(houses))))
    try:
        house = read_house(path)
    except UnreadableFile as error:
        raise BadInput(str(error)) from error
    if house.form.limits.wager or house.form.layouts:
        documents = (*shelf.documents, *((own,) if own else ()))
        problems = (
            *check_house_wagers(path.name, house.form, wagers_of(documents)),
            *check_supplied(path.name, house.form, documents),
        )
        if problems:
            raise BadInput("\n".join(str(each) for each in problems))
    return house


def must_fit(rulebook: Rulebook, house: House) -> None:
    """Refuse a house without a post to which the rulebook gives a power, or with another order of posts."""
    problems = check_fit(f"{rulebook.document.id}.toml", rulebook.document, house.form)
    if problems:
        raise BadInput("\n".join(str(each) for each in problems))
