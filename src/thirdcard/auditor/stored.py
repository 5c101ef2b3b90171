"""The rulebooks, houses and public keys that a journal has stored, each checked against its digest."""

from msgspec import Struct

from thirdcard.journal.codec import FromNewerBuild, digest_of_content, document_from, house_from
from thirdcard.journal.keys import id_of
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store
from thirdcard.messages import Message, message
from thirdcard.rulebook.book import Rulebook, rulebooks
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House


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


class StoredRules:
    """The rules of records; those of the last record are at hand, since most have the same."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._digests = ("", "")
        self._rules: Rules | Unknown | None = None

    async def of(self, record: Record) -> Rules | None:
        """The rules that a record names, or nothing where it names none, as those of the floor."""
        digests = (record.rulebook, record.house)
        if digests != self._digests:
            self._digests = digests
            self._rules = await self._find(*digests) if any(digests) else None
        if isinstance(self._rules, Unknown):
            raise self._rules
        return self._rules

    async def _find(self, rulebook: str, house: str) -> Rules | Unknown:
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
            return Unknown(message("finding.content-unreadable", content=rulebook, error=str(error)))


async def content_of(store: Store, digest: str) -> bytes:
    """A content that has the digest under which it is stored."""
    content = await store.content(digest)
    if content is None:
        raise Unknown(message("finding.content-missing", content=digest))
    if digest_of_content(content) != digest:
        raise Unknown(message("finding.content-altered", content=digest))
    return content


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
