"""The shelf: the rulebooks and houses that come with the package, and beside them those of a folder."""

import datetime
import functools
import importlib.resources
from collections.abc import Callable, Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.messages import say
from thirdcard.rulebook.book import Rulebook, game_ids, rulebooks
from thirdcard.rulebook.check import Problem, check_fit, check_house_wagers, check_supplied, problem, unknown
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import UnreadableFile, bytes_of, parse_document, parse_house
from thirdcard.spelling import no_such

DOCUMENTS = (
    "mbs-tiger-nc-v4",
    "mbs-tiger-v3",
    "mbs-dragon-tiger-nc-2023",
    "mbs-super-six-etg-v3",
    "hoiana-tiger-2024",
)
HOUSES = ("marina-bay-sands", "hoiana")
RULEBOOK_FOLDER, HOUSE_FOLDER = "rulebooks", "houses"
Version = tuple[str, datetime.datetime | None]  # an id, and from when; houses have no versions
_Read = TypeVar("_Read", Document, House)


class UnknownGame(LookupError):
    """No game on the shelf has this id; ``games`` are those to choose from.

    The one that was perhaps meant is among those ``alike``: none where a document has several games.
    """

    def __init__(self, game: str, games: tuple[str, ...]) -> None:
        self.games = games
        self.alike = tuple(each for each in games if not each.startswith(f"{game}/"))
        told = {"game": game, "games": ", ".join(games)}
        super().__init__(say(no_such("settle.no-such-game", "settle.game-near", game, self.alike, **told)))


class UnknownHouse(LookupError):
    """No house on the shelf has this id."""

    def __init__(self, house: str, houses: tuple[str, ...]) -> None:
        self.house = house
        told = {"house": house, "houses": ", ".join(houses)}
        super().__init__(say(no_such("round.no-such-house", "round.house-near", house, houses, **told)))


class Shelf:
    """Rulebooks and houses by their ids: those of the package first, then those of one's own.

    A document of one's own may be there in several versions, each from its day on: what is asked for at an
    instant, or now, is the version that is in force then, or the first one before its day.
    """

    def __init__(
        self,
        documents: Iterable[Document] = (),
        houses: Iterable[House] = (),
        folder: Path | None = None,
    ) -> None:
        """Put documents and houses beside those of the package; their ``folder`` says where they are from."""
        self.folder = folder
        self._documents: dict[str, tuple[Document, ...]] = {}
        for document in sorted(documents, key=lambda each: each.in_force):
            self._documents[document.id] = (*self._documents.get(document.id, ()), document)
        self._houses = {house.id: house for house in houses}
        self._rulebooks: dict[Version, tuple[Rulebook, ...]] = {}

    @property
    def document_ids(self) -> tuple[str, ...]:
        """The ids of all documents."""
        return (*DOCUMENTS, *self._documents)

    @property
    def house_ids(self) -> tuple[str, ...]:
        """The ids of all houses."""
        return (*HOUSES, *self._houses)

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games of all documents."""
        return tuple(game for document in self.documents for game in game_ids(document))

    @property
    def documents(self) -> tuple[Document, ...]:
        """All documents, each in the version that is in force now."""
        return tuple(map(self.document, self.document_ids))

    @property
    def versions(self) -> tuple[Document, ...]:
        """All versions of all documents, from the oldest on."""
        return tuple(each for document in self.document_ids for each in self.versions_of(document))

    @property
    def houses(self) -> tuple[House, ...]:
        """All houses."""
        return tuple(map(self.house, self.house_ids))

    @property
    def own_documents(self) -> tuple[Document, ...]:
        """All versions of the documents that are none of the package."""
        return tuple(each for versions in self._documents.values() for each in versions)

    @property
    def own_houses(self) -> tuple[House, ...]:
        """The houses that are none of the package."""
        return tuple(self._houses.values())

    @property
    def rulebooks(self) -> tuple[Rulebook, ...]:
        """The rulebooks of all games."""
        return tuple(book for document in self.document_ids for book in self.rulebooks_of(document))

    def is_own(self, document: str) -> bool:
        """Whether a document is none of the package."""
        return document in self._documents

    def versions_of(self, document: str) -> tuple[Document, ...]:
        """Return the versions of a document, from the oldest on."""
        return self._documents.get(document) or (_shipped_document(document),)

    def document(self, document: str, at: datetime.datetime | None = None) -> Document:
        """Return a document by its id, in the version that is in force at an instant, or now."""
        first, *later = self.versions_of(document)
        instant = at or datetime.datetime.now(datetime.UTC)
        return next((each for each in reversed(later) if each.in_force <= instant), first)

    def house(self, house: str) -> House:
        """Return a house by its id."""
        if house in self._houses:
            return self._houses[house]
        if house not in HOUSES:
            raise UnknownHouse(house, self.house_ids)
        return _shipped_house(house)

    def house_of(self, rulebook: Rulebook) -> House:
        """Return the house that a rulebook names."""
        return self.house(rulebook.document.house)

    def rulebooks_of(self, document: str, at: datetime.datetime | None = None) -> tuple[Rulebook, ...]:
        """Return the rulebooks of a document, one for each of its games."""
        if document not in self._documents:
            return _shipped_rulebooks(document)
        found = self.document(document, at)
        version = found.id, found.in_force
        if version not in self._rulebooks:
            self._rulebooks[version] = rulebooks(found)
        return self._rulebooks[version]

    def rulebook(self, game: str, at: datetime.datetime | None = None) -> Rulebook:
        """Return the rulebook of a game, in the version that is in force at an instant, or now."""
        document = game.partition("/")[0]
        if document not in self.document_ids:
            raise UnknownGame(game, self.games)
        books = {book.id: book for book in self.rulebooks_of(document, at)}
        if game not in books:
            raise UnknownGame(game, tuple(books))
        return books[game]


SHIPPED = Shelf()


def open_shelf(folder: Path) -> Shelf:
    """Return the shelf with the rulebooks and houses of a folder; everything wrong with them is said at once.

    The folder has ``rulebooks/*.toml`` and ``houses/*.toml``, or one of the two.
    """
    files = {name: folder / name for name in (RULEBOOK_FOLDER, HOUSE_FOLDER)}
    if not any(path.is_dir() for path in files.values()):
        raise UnreadableFile((problem("no-shelf", str(folder), "folder"),))
    documents = _read_below(files[RULEBOOK_FOLDER], parse_document, DOCUMENTS, _version)
    houses = _read_below(files[HOUSE_FOLDER], parse_house, HOUSES, lambda house: (house.id, None))
    shelf = Shelf(documents.found.values(), houses.found.values(), folder)
    problems = (*documents.problems, *houses.problems)
    if not problems:
        problems = (*_about_documents(shelf, documents.found), *_about_houses(shelf, houses.found))
    if problems:
        raise UnreadableFile(problems)
    return shelf


class _Below(Struct, Generic[_Read], frozen=True):
    """The files of a folder as they were read, by name, and what is wrong with them."""

    found: dict[str, _Read]
    problems: tuple[Problem, ...]


def _version(document: Document) -> Version:
    return document.id, document.in_force


def _read_below(
    folder: Path,
    parse: Callable[[str, bytes], _Read],
    shipped: tuple[str, ...],
    version_of: Callable[[_Read], Version],
) -> _Below[_Read]:
    found: dict[str, _Read] = {}
    files: dict[Version, str] = {}
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.toml")):
        name = f"{folder.name}/{path.name}"
        try:
            read = parse(name, bytes_of(path))
        except UnreadableFile as error:
            problems += (replace(each, file=name) for each in error.problems)
            continue
        if read.id in shipped:
            problems.append(problem("id-of-package", name, "id", id=read.id))
        elif (version := version_of(read)) in files:
            problems.append(problem("id-taken", name, "id", id=read.id, other=files[version]))
        else:
            found[name], files[version] = read, name
    return _Below(found, tuple(problems))


def _about_documents(shelf: Shelf, documents: Mapping[str, Document]) -> Iterable[Problem]:
    """Yield the problems of own documents with the houses of the shelf."""
    for file, form in documents.items():
        if form.house not in shelf.house_ids:
            params = {"house": form.house, "houses": ", ".join(shelf.house_ids)}
            yield unknown("unknown-house", file, "house", word=form.house, choices=shelf.house_ids, **params)
        else:
            yield from check_fit(file, form, shelf.house(form.house).form)


def _about_houses(shelf: Shelf, houses: Mapping[str, House]) -> Iterable[Problem]:
    """Yield the problems of own houses with the documents of the shelf."""
    for file, house in houses.items():
        yield from check_house_wagers(file, house.form, wagers_of(shelf.versions))
        yield from check_supplied(file, house.form, shelf.versions)


def wagers_of(documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the ids of all wagers of documents."""
    return tuple(dict.fromkeys(wager.id for document in documents for wager in document.wagers))


@functools.cache
def _shipped_document(document: str) -> Document:
    file = _shipped(RULEBOOK_FOLDER, document)
    return parse_document(file.name, file.read_bytes())


@functools.cache
def _shipped_house(house: str) -> House:
    file = _shipped(HOUSE_FOLDER, house)
    return parse_house(file.name, file.read_bytes())


@functools.cache
def _shipped_rulebooks(document: str) -> tuple[Rulebook, ...]:
    return rulebooks(_shipped_document(document))


def _shipped(folder: str, name: str) -> Traversable:
    return importlib.resources.files("thirdcard").joinpath(folder, f"{name}.toml")
