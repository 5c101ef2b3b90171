"""The rulebooks, houses and public keys that a journal has stored, each checked against its digest."""

from msgspec import Struct

from thirdcard.auditor.findings import Finding
from thirdcard.journal.codec import (
    FromNewerBuild,
    digest_of_content,
    document_from,
    house_from,
    house_list_from,
)
from thirdcard.journal.keys import id_of
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store
from thirdcard.messages import Message, message
from thirdcard.rulebook.book import Rulebook, rulebooks
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED

FLOOR_HOUSES_FORM = 8  # since then a record of the floor names its houses


class Unknown(Exception):
    """A content is missing or is not what its digest says."""

    def __init__(self, what: Message) -> None:
        super().__init__(what.key)
        self.what = what


class Rules(Struct, frozen=True):
    """A document with the rulebooks of its games, and the house that plays by it."""

    document: Document
    games: dict[str, Rulebook]
    house: House


class FloorRules(Struct, frozen=True):
    """The houses by whose posts the floor is decided."""

    houses: tuple[House, ...]


class StoredRules:
    """The rules of records; those of the last record are at hand, since most have the same."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._named: tuple[str, str, bool] | None = None
        self._rules: Rules | FloorRules | Unknown | None = None

    async def of(self, record: Record) -> Rules | FloorRules:
        """Return the rules that a record names; one that names no rulebook is a record of the floor.

        Records of the floor name their houses since form 8; the older ones go by those of the package.
        """
        of_package = not (record.rulebook or record.house) and record.version < FLOOR_HOUSES_FORM
        named = record.rulebook, record.house, of_package
        if self._rules is None or named != self._named:
            self._named, self._rules = named, await self._find(record, of_package=of_package)
        if isinstance(self._rules, Unknown):
            raise self._rules
        return self._rules

    async def _find(self, record: Record, *, of_package: bool) -> Rules | FloorRules | Unknown:
        if of_package:
            return FloorRules(SHIPPED.houses)
        if record.rulebook:
            return await self._find_rules(record.rulebook, record.house)
        if not record.house:
            return Unknown(message("finding.names-no-rules", record=record.sequence))
        return await self._find_houses(record.house)

    async def _find_houses(self, house_list: str) -> FloorRules | Unknown:
        try:
            content = await content_of(self._store, house_list)
            forms = [await content_of(self._store, house) for house in house_list_from(content)]
            return FloorRules(tuple(house_from(form) for form in forms))
        except Unknown as unknown:
            return unknown
        except FromNewerBuild:
            raise
        except Exception as error:  # a forged content may hold anything
            return _unreadable(house_list, error)

    async def _find_rules(self, rulebook: str, house: str) -> Rules | Unknown:
        try:
            form = await content_of(self._store, house)
            content = await content_of(self._store, rulebook)
        except Unknown as unknown:
            return unknown
        try:
            document = document_from(content)
            games = {book.id: book for book in rulebooks(document)}
            return Rules(document, games, house_from(form))
        except FromNewerBuild:
            raise
        except Exception as error:  # a forged content may hold anything
            return _unreadable(rulebook, error)


def _unreadable(content: str, error: Exception) -> Unknown:
    return Unknown(message("finding.content-unreadable", content=content, error=str(error)))


async def content_of(store: Store, digest: str) -> bytes:
    """A content that has the digest under which it is stored."""
    content = await store.content(digest)
    if content is None:
        raise Unknown(message("finding.content-missing", content=digest))
    if digest_of_content(content) != digest:
        raise Unknown(message("finding.content-altered", content=digest))
    return content


class NamedContents:
    """Looks at the contents that records name, each once: whether they are what their digests say."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._named: dict[tuple[str, bool], int] = {}

    def take(self, record: Record) -> None:
        """Note what a record names; one of the floor names a list of houses."""
        for digest in (record.rulebook, record.house):
            if digest:
                self._named.setdefault((digest, not record.rulebook), record.sequence)

    async def finish(self) -> list[Finding]:
        """Return the contents that are missing or altered, by the first record that names them."""
        found = []
        for (digest, is_list), first in self._named.items():
            try:
                content = await content_of(self._store, digest)
                for each in house_list_from(content) if is_list else ():
                    await content_of(self._store, each)
            except Unknown as unknown:
                found.append(Finding(first, unknown.what))
        return found


class PublicKeys:
    """The keys that may have signed: those given from outside, else those that the journal has stored."""

    def __init__(self, store: Store, given: dict[str, bytes] | None) -> None:
        self._store = store
        self._given = given
        self._found: dict[str, bytes] = {}

    async def find(self, key_id: str) -> dict[str, bytes] | Message:
        """A key by its name, or why it does not count."""
        if self._given is not None:
            known = {key_id: self._given[key_id]} if key_id in self._given else None
            return known or message("finding.key-not-given", key=key_id)
        if key_id not in self._found:
            content = await self._store.content(key_id)
            if content is None or id_of(content) != key_id:
                return message("finding.key-not-stored", key=key_id)
            self._found[key_id] = content
        return {key_id: self._found[key_id]}
