"""The rulebooks and houses that come with the package, and which rulebook is in force when."""

import datetime
import functools
import importlib.resources
from importlib.resources.abc import Traversable

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


def find_rulebook(game_id: str) -> Rulebook | tuple[str, ...]:
    """The rulebook of a game by its id, or else the ids that were perhaps meant."""
    document_id = game_id.partition("/")[0]
    if document_id not in DOCUMENTS:
        return tuple(game for document in DOCUMENTS for game in game_ids(shelf_document(document)))
    books = {book.id: book for book in shelf_rulebooks(document_id)}
    return books.get(game_id) or tuple(books)


def in_force(documents: tuple[Document, ...], game: str, at: datetime.datetime) -> Document | Refused:
    """The document that governs a game at an instant: of those in force by then, the latest."""
    candidates = [document for document in documents if document.game == game]
    started = [document for document in candidates if document.in_force <= at]
    if started:
        return max(started, key=lambda document: document.in_force)
    if candidates:
        return _too_early(min(candidates, key=lambda document: document.in_force))
    return refuse(Refusal.NO_RULEBOOK_IN_FORCE, game=game)


def may_open(document: Document, at: datetime.datetime) -> Refused | None:
    """Why no table can be opened under a document at an instant, or nothing where one can."""
    return None if document.in_force <= at else _too_early(document)


def _too_early(document: Document) -> Refused:
    begins = document.in_force.isoformat()
    return refuse(Refusal.NOT_YET_IN_FORCE, document.clause, rulebook=document.id, begins=begins)


def _file(folder: str, name: str) -> Traversable:
    return importlib.resources.files("thirdcard").joinpath(folder, f"{name}.toml")
