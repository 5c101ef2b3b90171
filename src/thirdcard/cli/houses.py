"""Which house a command plays by: one on the shelf by its id, or a file."""

from pathlib import Path

from thirdcard.cli.output import BadInput
from thirdcard.messages import message, say
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import Unreadable, read_house
from thirdcard.rulebook.shelf import HOUSES, shelf_house


def find_house(name: str) -> House:
    """The house of an id or a path; anything else is bad input."""
    if name in HOUSES:
        return shelf_house(name)
    if not Path(name).is_file():
        raise BadInput(say(message("cli.no-such-house", house=name, houses=", ".join(HOUSES))))
    try:
        return read_house(Path(name))
    except Unreadable as error:
        raise BadInput(str(error)) from error
