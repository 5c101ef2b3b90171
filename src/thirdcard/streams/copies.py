"""Opens the two places of a copy: a journal that nobody writes to, and one that is not finished yet."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from thirdcard.journal.archive.store import ArchivedStore
from thirdcard.journal.durable_files import put_in_place
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.marks import JournalMark, MarkUnusable, missing_ends
from thirdcard.journal.sqlite.damaged_log import damage_of
from thirdcard.journal.sqlite.private_files import PRIVATE_FOLDER
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Store, StoreUnusable
from thirdcard.messages import say
from thirdcard.streams.opening import OpenedPlace, needs_asyncpg, open_store

UNFINISHED = ".unfinished"


@asynccontextmanager
async def open_source(where: OpenedPlace) -> AsyncIterator[Store]:
    """The journal of a place for reading, while every server is kept away."""
    if where.postgres is not None:
        with needs_asyncpg():
            from thirdcard.journal.postgres.copies import alone  # noqa: PLC0415 - an extra that may not be there
        async with alone(where.postgres):
            store = await open_store(where, writing=False)
            try:
                yield store
            finally:
                await store.close()
        return
    if not where.journal.exists():
        raise StoreUnusable(f"{where.data} has no journal; name the folder of a floor")
    source = SqliteStore(where.journal, writing=False, alone=True)
    try:
        damage = damage_of(where.journal.with_name(where.journal.name + "-wal"), where.journal)
        if damage is not None:
            raise StoreUnusable(f"{where.journal}: {say(damage.what)} See docs/rollback.md.")
        yield ArchivedStore(source, where.archive)
    finally:
        await source.close()


@asynccontextmanager
async def open_target(where: OpenedPlace) -> AsyncIterator[Store]:
    """A copy that is made in a place without a journal, new or where it was interrupted."""
    store: Store
    if where.postgres is not None:
        with needs_asyncpg():
            from thirdcard.journal.postgres.copies import begin_copy  # noqa: PLC0415
            from thirdcard.journal.postgres.store import PostgresStore  # noqa: PLC0415
        await begin_copy(where.postgres)
        store = await PostgresStore.open(where.postgres, unfinished=True)
    else:
        if where.journal.exists():
            raise StoreUnusable(f"{where.journal} exists already; name a folder that has no journal")
        where.data.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        store = SqliteStore(_unfinished(where))
    try:
        yield store
    finally:
        await store.close()


async def finish_target(where: OpenedPlace) -> None:
    """Make a proven copy the journal of its place; it is closed by now."""
    if where.postgres is not None:
        from thirdcard.journal.postgres.copies import finish_copy  # noqa: PLC0415

        await finish_copy(where.postgres)
        return
    unfinished = _unfinished(where)
    put_in_place(unfinished, where.journal)
    unfinished.with_name(unfinished.name + ".lock").unlink(missing_ok=True)


def _unfinished(where: OpenedPlace) -> Path:
    return where.journal.with_name(where.journal.name + UNFINISHED)


async def mark_to_copy(
    source: OpenedPlace, target: OpenedPlace, copy: Store, keys: KeyRing | None
) -> JournalMark | None:
    """Return the mark that a copy takes over; refuse where a mark of either place tells of more records."""
    if keys is None:
        return None
    try:
        marks = [where.mark_file.read(keys.public_keys) for where in (source, target)]
    except MarkUnusable as error:
        raise StoreUnusable(f"{error}; see docs/rollback.md") from error
    for mark in marks:
        for missing in await missing_ends(copy, mark.heads if mark else (), keys.public_keys):
            raise StoreUnusable(f"{say(missing.what)} See docs/rollback.md.")
    return marks[0]
