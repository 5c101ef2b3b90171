"""The rulebooks and houses that come with the package, and from when on a rulebook is in force."""

import datetime
import functools
import importlib.resources
from importlib.resources.abc import Traversable

from thirdcard.messages import message, say
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook, game_ids, rulebooks
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import parse_document, parse_house

DOCUMENTS = (
    "mbs-tiger-nc-v4",
    "mbs-tiger-v3",
    "mbs-dragon-tiger-nc-2023",
    "mbs-super-six-etg-v3",
    "hoiana-tiger-2024",
)
HOUSES = ("marina-bay-sands", "hoiana")


@functools.cache
def shelf_document(document_id: str) -> Document:
    """One of the documents on the shelf."""
    file = _file("rulebooks", document_id)
    return parse_document(file.name, file.read_bytes())


@functools.cache
def shelf_house(house_id: str) -> House:
    """One of the houses on the shelf."""
    file = _file("houses", house_id)
    return parse_house(file.name, file.read_bytes())


def all_houses() -> tuple[House, ...]:
    """Return every house on the shelf."""
    return tuple(shelf_house(house) for house in HOUSES)


@functools.cache
def shelf_rulebooks(document_id: str) -> tuple[Rulebook, ...]:
    """The rulebooks of a document on the shelf, one for each of its games."""
    return rulebooks(shelf_document(document_id))


def all_rulebooks() -> tuple[Rulebook, ...]:
    """Every rulebook on the shelf: the six games of the five documents."""
    return tuple(book for document in DOCUMENTS for book in shelf_rulebooks(document))


class UnknownGame(LookupError):
    """No game on the shelf has this id; ``games`` are those that were perhaps meant."""

    def __init__(self, game: str, games: tuple[str, ...]) -> None:
        super().__init__(say(message("settle.no-such-game", game=game, games=", ".join(games))))
        self.games = games


def shelf_rulebook(game: str) -> Rulebook:
    """The rulebook of a game on the shelf."""
    document_id = game.partition("/")[0]
    if document_id not in DOCUMENTS:
        raise UnknownGame(game, tuple(each for name in DOCUMENTS for each in game_ids(shelf_document(name))))
    books = {book.id: book for book in shelf_rulebooks(document_id)}
    if game not in books:
        raise UnknownGame(game, tuple(books))
    return books[game]


def may_open(document: Document, at: datetime.datetime) -> Refused | None:
    """Why no table can be opened under a document at an instant, or nothing where one can."""
    if document.in_force <= at:
        return None
    begins = document.in_force.isoformat()
    return refuse(Refusal.NOT_YET_IN_FORCE, document.clause, rulebook=document.id, begins=begins)


def _file(folder: str, name: str) -> Traversable:
    return importlib.resources.files("thirdcard").joinpath(folder, f"{name}.toml")
