"""Opens a floor: its journal, its keys and its clock, for servers, the command line and tests."""

import hashlib
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from msgspec import Struct

from thirdcard.floor.state import Floor
from thirdcard.journal.archive.store import ArchivedStore
from thirdcard.journal.keys import KeyFileUnusable, KeyRing, open_key_file
from thirdcard.journal.marks import JournalMark, MarkFile
from thirdcard.journal.sqlite.damaged_log import accept_damage
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import FLOOR_STREAM, Store, StoreUnusable
from thirdcard.messages import Message, say
from thirdcard.refusals import Refused
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.streams.clock import Clock
from thirdcard.streams.floors import FloorMachine
from thirdcard.streams.service import FloorStream, Service
from thirdcard.streams.stream import Stream

JOURNAL = "journal.sqlite"
ARCHIVE = "archive"
DEMO_FOLDER = "demo"


class OpenedPlace(Struct, frozen=True):
    """Where a floor is kept: a folder on this machine, or a database; and its keys, apart from both.

    ``marks`` is the folder for the marks of its journal; without one it is beside the key file. ``volumes``
    is the folder of its archive; without one it is in the folder of the data. Its tables are set up by the
    ``shelf``.
    """

    data: Path
    key: Path
    postgres: str | None = None
    marks: Path | None = None
    shelf: Shelf = SHIPPED
    volumes: Path | None = None

    @property
    def journal(self) -> Path:
        """The file of the journal in its folder."""
        return self.data / JOURNAL

    @property
    def mark_file(self) -> MarkFile:
        """The mark of this journal: a file for each place, since several journals may have the same keys."""
        return MarkFile((self.marks or self.key.with_suffix(".marks")) / f"{self._named}.json")

    @property
    def archive(self) -> Path:
        """The folder with the volumes of this journal."""
        if self.volumes is not None:
            return self.volumes
        return self.data / (ARCHIVE if self.postgres is None else f"{ARCHIVE}-{self._named}")

    @property
    def _named(self) -> str:
        return hashlib.sha256(self.address.encode()).hexdigest()[:16]

    @property
    def address(self) -> str:
        """The place of the journal in words, without the password for it."""
        if self.postgres is None:
            return str(self.data.resolve())
        found = urlsplit(self.postgres)
        told = dict(parse_qsl(found.query))
        return f"{found.netloc.rpartition('@')[2] or told.get('host', '')}{found.path}"


def place(
    *,
    data: Path | None = None,
    postgres: str | None = None,
    key: Path | None = None,
    marks: Path | None = None,
    demo: bool = False,
    shelf: Shelf = SHIPPED,
) -> OpenedPlace:
    """A place of a floor; what is not given is where it usually is, apart for the demonstration floor."""
    if data is not None and postgres is not None:
        raise StoreUnusable("A folder and a database are both given; a floor is kept in one of them")
    if demo:
        usual = usual_data(), usual_key()
        return OpenedPlace(
            data or usual[0].with_name(DEMO_FOLDER),
            key or usual[1].with_name(f"{DEMO_FOLDER}.keys"),
            postgres,
            marks or usual_marks(),
            shelf,
        )
    if data is None and postgres is None:
        postgres = os.environ.get("THIRDCARD_POSTGRES") or None
    usual = data or usual_data(), key or usual_key()
    return OpenedPlace(*usual, postgres, marks or usual_marks(), shelf, usual_volumes())


def usual_data() -> Path:
    """Where a floor is kept unless somebody says otherwise."""
    return _usual("THIRDCARD_DATA", "XDG_DATA_HOME", ".local/share", "floor")


def usual_key() -> Path:
    """Where the keys of a floor are kept unless somebody says otherwise: never with the data."""
    return _usual("THIRDCARD_KEYS", "XDG_CONFIG_HOME", ".config", "floor.keys")


def usual_marks() -> Path | None:
    """Where marks are kept if the surroundings say so; else they are beside the key file."""
    return Path(os.environ["THIRDCARD_MARKS"]) if os.environ.get("THIRDCARD_MARKS") else None


def usual_volumes() -> Path | None:
    """Where the archive is if the surroundings say so; else it is in the folder of the data."""
    return Path(os.environ["THIRDCARD_ARCHIVE"]) if os.environ.get("THIRDCARD_ARCHIVE") else None


def _usual(own: str, folder: str, below_home: str, name: str) -> Path:
    if os.environ.get(own):
        return Path(os.environ[own])
    return Path(os.environ.get(folder) or Path.home() / below_home) / "thirdcard" / name


class OpenFloor(Struct, frozen=True):
    """A floor that is served; ``held`` are the tables that wait for a person."""

    service: Service
    store: Store
    keys: KeyRing
    clock: Clock
    held: tuple[str, ...]


@asynccontextmanager
async def open_floor(
    where: OpenedPlace,
    *,
    tables: bool = True,
    accepting: bool = False,
    witnessed: tuple[JournalMark, ...] = (),
    clock: Clock | None = None,
) -> AsyncIterator[OpenFloor]:
    """Serve a floor until the end; without tables only what concerns the floor itself.

    Where tables stay closed, a floor is opened without them only for ``accepting`` what closes them.
    """
    clock = clock or Clock()
    store = await open_store(where, writing=True)
    try:
        if not where.key.exists() and await store.streams():
            raise KeyFileUnusable(
                f"There is no key file {where.key}, and this floor has begun; name the key file of the floor."
                " New keys could neither go on signing nor open what the old ones have sealed"
            )
        keys = open_key_file(where.key, apart_from=None if where.postgres else where.data)
        service = Service(store, keys, clock, where.mark_file, witnessed, where.shelf)
        if isinstance(store.live, SqliteStore) and store.live.damage is not None:
            service.close_tables(store.live.damage.what)
        held = await service.start(tables=tables)
        try:
            if service.closed and not (tables or accepting):
                raise StoreUnusable(" ".join(map(say, (*service.closed, Message("record-check.accept")))))
            yield OpenFloor(service, store, keys, clock, held)
        finally:
            await service.stop()
    finally:
        await store.close()


async def accept_floor(
    where: OpenedPlace, floor: OpenFloor, reason: str, *, by: str, second: str
) -> Refused | None:
    """Give up what a journal has lost in the name of two people; tables open at the next start."""
    refused = await floor.service.accept(reason, by=by, second=second)
    if refused is None and where.postgres is None:
        accept_damage(where.journal, floor.clock.run)
    return refused


async def look_at_floor(where: OpenedPlace) -> Floor:
    """The floor as its journal has it, also while a server runs; nothing is written, no key is needed."""
    if where.postgres is None and not where.journal.exists():
        raise StoreUnusable(f"{where.data} has no floor; name its folder, or add somebody to begin one")
    store = await open_store(where, writing=False)
    try:
        machine = FloorMachine(store, where.shelf.houses)
        stream: FloorStream = Stream(FLOOR_STREAM, machine, store, None, Clock())
        await stream.load()
        return stream.state or Floor()
    finally:
        await store.close()


async def is_superuser(store: Store) -> bool:
    """Whether a store is a database that we may do anything in, and not only add and read."""
    live = store.live if isinstance(store, ArchivedStore) else store
    if isinstance(live, SqliteStore):
        return False
    from thirdcard.journal.postgres.store import PostgresStore  # noqa: PLC0415 - an extra that may not be there

    return isinstance(live, PostgresStore) and await live.is_superuser()


async def open_store(where: OpenedPlace, *, writing: bool) -> ArchivedStore:
    """The journal of a place with its archive, for reading alone or also for writing."""
    if where.postgres is None:
        return ArchivedStore(SqliteStore(where.journal, writing=writing), where.archive)
    with needs_asyncpg():
        from thirdcard.journal.postgres.store import PostgresStore  # noqa: PLC0415 - an extra that may not be there
    return ArchivedStore(await PostgresStore.open(where.postgres, writing=writing), where.archive)


@contextmanager
def needs_asyncpg() -> Iterator[None]:
    """Import what needs asyncpg; where that is missing, say how to install it."""
    try:
        yield
    except ImportError as error:
        raise StoreUnusable("PostgreSQL needs asyncpg; run: pip install 'thirdcard[postgres]'") from error
