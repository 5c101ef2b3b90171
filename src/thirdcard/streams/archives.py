"""Opens a journal whose archive is written, or that forgets what its archive has."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from thirdcard.journal.archive.store import ArchivedStore
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.marks import MarkUnusable, missing_ends
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import StoreUnusable
from thirdcard.messages import say
from thirdcard.streams.opening import OpenedPlace, needs_asyncpg, open_store


@asynccontextmanager
async def open_to_forget(where: OpenedPlace, keys: KeyRing) -> AsyncIterator[ArchivedStore]:
    """The journal of a place for writing, while every server is kept away; refuse one that lost records."""
    async with AsyncExitStack() as stack:
        if where.postgres is not None:
            with needs_asyncpg():
                from thirdcard.journal.postgres.copies import alone  # noqa: PLC0415 - an extra that may not be there
            await stack.enter_async_context(alone(where.postgres))
        elif not where.journal.exists():
            raise StoreUnusable(f"{where.data} has no journal; name the folder of a floor")
        store = await open_store(where, writing=True)
        stack.push_async_callback(store.close)
        if isinstance(store.live, SqliteStore) and store.live.damage is not None:
            raise StoreUnusable(f"{where.journal}: {say(store.live.damage.what)} See docs/rollback.md.")
        try:
            mark = where.mark_file.read(keys.public_keys)
        except MarkUnusable as error:
            raise StoreUnusable(f"{error}; see docs/rollback.md") from error
        for missing in await missing_ends(store, mark.heads if mark else (), keys.public_keys):
            raise StoreUnusable(f"{say(missing.what)} See docs/rollback.md.")
        yield store
