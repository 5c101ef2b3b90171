"""A copy of a journal on its way into a database, and a database that nobody serves meanwhile."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from thirdcard.journal.postgres.link import CONNECT_SECONDS, DENIED, TROUBLE, Connection, Link, open_link
from thirdcard.journal.postgres.schema import (
    COPY_IS_UNFINISHED,
    LOCK_SPACE,
    SERVING,
    STARTING,
    migrate,
    require,
)
from thirdcard.journal.store import StoreInUse, StoreUnusable

BEGIN = "CREATE TABLE thirdcard.unfinished_copy ()"
FINISH = "DROP TABLE thirdcard.unfinished_copy"
HAS_SOMETHING = " OR ".join(
    f"EXISTS (SELECT FROM thirdcard.{table})" for table in ("record", "checkpoint", "content")
)


@asynccontextmanager
async def alone(url: str) -> AsyncIterator[None]:
    """Keep every server away from a journal; one that starts meanwhile waits until this is over."""
    link = await open_link(url, writing=False)
    async with _connected(link) as connection:
        for lock in (STARTING, SERVING):
            if not await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", LOCK_SPACE, lock):
                raise StoreInUse(f"{link.place} is in use by another process; stop it first")
        yield


async def begin_copy(url: str) -> None:
    """Ready a database for a copy, or for going on with one; refuse one that has a journal."""
    link = await open_link(url, writing=True)
    async with _connected(link) as connection:
        await migrate(connection, link.place)
        await require(connection, link.place, writing=True, unfinished=True)
        if await connection.fetchval(COPY_IS_UNFINISHED):
            return
        if await connection.fetchval(f"SELECT {HAS_SOMETHING}"):
            raise StoreUnusable(f"{link.place} has a journal already; name a database that has none")
        try:
            await connection.execute(BEGIN)
        except DENIED as error:
            raise StoreUnusable(
                f"{link.place}: this role may not make a copy there; copy as the owner of the database"
            ) from error


async def finish_copy(url: str) -> None:
    """Make a copy a journal like any other, once it is proven."""
    link = await open_link(url, writing=True)
    async with _connected(link) as connection:
        await connection.execute(FINISH)


@asynccontextmanager
async def _connected(link: Link) -> AsyncIterator[Connection]:
    try:
        connection = await link.connect()
    except TROUBLE as error:
        raise link.unusable(error) from error
    try:
        yield connection
    except TROUBLE as error:
        raise link.unusable(error) from error
    finally:
        await connection.close(timeout=CONNECT_SECONDS)
