"""The floor as a stream: people, sessions, terminals and definitions of tables."""

import datetime

import msgspec

from thirdcard.floor.apply import apply_all
from thirdcard.floor.commands import FloorBody, FloorCommand
from thirdcard.floor.decide import decide
from thirdcard.floor.events import FloorEvent
from thirdcard.floor.state import Floor, ShelfFile
from thirdcard.folds.record_place import Recorded
from thirdcard.game.commands import Envelope
from thirdcard.journal.codec import (
    CommandResult,
    FloorResult,
    content_of_document,
    content_of_house,
    content_of_house_list,
    decode_state,
    digest_of_content,
    encode_state,
    floor_result_of,
    house_from,
    house_list_from,
)
from thirdcard.journal.record import Record
from thirdcard.journal.store import FLOOR_STREAM, Store
from thirdcard.refusals import Refused
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import Shelf
from thirdcard.streams.machine import Decided, Machine
from thirdcard.streams.record_check import Broken

_floors = msgspec.json.Decoder(Floor)
FROM_DAY = "@"  # stands between the id of a document and the day from which a version is in force


class FloorMachine(Machine[Floor, FloorBody, FloorEvent]):
    """Decides and folds commands to the floor by the houses on the shelf, which each record names."""

    def __init__(self, store: Store, houses: tuple[House, ...]) -> None:
        self.houses = houses
        self._store = store
        self._house_list: str | None = None  # its digest, once it is stored

    async def go_by(self, house_list: str) -> None:
        """Decide by the houses of a stored list, whatever lies on the shelf by now."""
        digests = house_list_from(await self._content(house_list))
        self.houses = tuple([house_from(await self._content(each)) for each in digests])
        self._house_list = house_list

    async def _content(self, digest: str) -> bytes:
        content = await self._store.content(digest)
        if content is None or digest_of_content(content) != digest:
            raise Broken(f"{FLOOR_STREAM}: the houses that decided are not stored as they were")
        return content

    async def decide(
        self,
        state: Floor | None,
        body: FloorBody,
        envelope: Envelope,
        recorded: Recorded,  # noqa: ARG002
    ) -> Decided[Floor, FloorBody, FloorEvent]:
        """Decide a command."""
        floor, rules = state or Floor(), ("", await self._stored_house_list())
        found = decide(self.houses, floor, FloorCommand(body, envelope))
        if isinstance(found, Refused):
            return Decided(CommandResult(body, refused=found), state, rules)
        return Decided(CommandResult(body, found), apply_all(floor, found), rules)

    async def _stored_house_list(self) -> str:
        """Store the houses and their list, unless that was done, and return the digest of the list."""
        if self._house_list is None:
            houses = [await self._store_content(content_of_house(house)) for house in self.houses]
            self._house_list = await self._store_content(content_of_house_list(tuple(houses)))
        return self._house_list

    async def _store_content(self, content: bytes) -> str:
        digest = digest_of_content(content)
        await self._store.keep_content(digest, content)
        return digest

    async def fold(self, state: Floor | None, record: Record, events: tuple[FloorEvent, ...]) -> Floor:  # noqa: ARG002
        """Return the floor after events."""
        return apply_all(state or Floor(), events)

    def read(self, record: Record) -> FloorResult:
        """Return the command of a record and its result."""
        return floor_result_of(record)

    def write_state(self, state: Floor) -> bytes:
        """Return the bytes of a floor for a snapshot."""
        return encode_state(state)

    async def read_state(self, content: bytes) -> Floor | None:
        """Return the floor in a snapshot; nothing where another build made it."""
        return decode_state(content, _floors)

    def keeps_refusals_of(self, state: Floor | None, actor: str) -> bool:
        """Return whether the actor is a person of the floor: a stranger's refusal is not recorded."""
        return state is not None and state.person(actor) is not None


def shelf_files(shelf: Shelf) -> tuple[ShelfFile, ...]:
    """Return the rulebooks and houses of a shelf that are none of the package."""
    contents = {
        f"{each.id}{FROM_DAY}{each.in_force.isoformat()}": content_of_document(each)
        for each in shelf.own_documents
    }
    contents |= {each.id: content_of_house(each) for each in shelf.own_houses}
    return tuple(ShelfFile(name, digest_of_content(contents[name])) for name in sorted(contents))


def lacking_versions(accepted: tuple[ShelfFile, ...], shelf: Shelf, at: datetime.datetime) -> tuple[str, ...]:
    """Return the accepted versions that a shelf lacks and that are in force at an instant, or will be.

    Without one of these the shelf has an older version in its place. A document that was accepted in one
    version alone has none: without it no table is set up.
    """
    there = {each.id for each in shelf_files(shelf)}
    versions: dict[str, list[tuple[datetime.datetime, str]]] = {}
    for each in accepted:
        document, is_rulebook, since = each.id.partition(FROM_DAY)
        if is_rulebook:
            versions.setdefault(document, []).append((datetime.datetime.fromisoformat(since), each.id))
    lacking: list[str] = []
    for found in versions.values():
        now = max((since for since, _ in found if since <= at), default=min(found)[0])
        needed = [name for since, name in sorted(found) if since >= now]
        lacking += [name for name in needed if name not in there and len(found) > 1]
    return tuple(lacking)
