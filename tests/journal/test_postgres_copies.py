"""Backups and replicas of a journal in PostgreSQL."""

import asyncio
from collections.abc import Iterator

import asyncpg  # type: ignore[import-untyped]
import pytest
from contracts.servers import PostgresServer
from contracts.stores import chain

from thirdcard.journal.postgres import link as postgres_link
from thirdcard.journal.postgres import writer as postgres_writer
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.record import head_of
from thirdcard.journal.store import Appended, Conflict, News, StoreFailed, StoreUnusable

pytestmark = pytest.mark.timed


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[PostgresServer, PostgresServer]]:
    """A server and its standby."""
    primary = PostgresServer()
    try:
        standby = PostgresServer(copy_of=primary)
        yield primary, standby
        standby.stop()
    finally:
        primary.stop()


async def test_a_dump_that_is_restored_is_the_same_journal_and_as_well_guarded(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    store = await PostgresStore.open(postgres_url)
    made = chain(2500)
    await store.append(made)
    dump = await asyncio.to_thread(postgres_server.run, "pg_dump", "-Fc", postgres_url)
    await store.close()
    copy = await asyncio.to_thread(postgres_server.fresh_database)
    file = postgres_server.folder / "dump"
    file.write_bytes(dump)
    await asyncio.to_thread(postgres_server.run, "pg_restore", "-d", copy, file)
    store = await PostgresStore.open(copy)
    assert await store.read("table-1", after=2490) == made[2490:]
    assert await store.append(chain(1, ids="other")) == Conflict()
    more = chain(1, after=head_of(made[-1]))
    assert await store.append(more) == Appended(more)
    with pytest.raises(asyncpg.RestrictViolationError):
        await postgres_server.do("DELETE FROM thirdcard.record", url=copy)
    await store.close()


async def opened_in_time(url: str) -> PostgresStore:
    """The journal on a standby, which may not have it yet."""
    while True:
        try:
            return await PostgresStore.open(url, writing=False)
        except StoreUnusable:
            await asyncio.sleep(0.01)


async def test_a_standby_can_be_read_and_not_written_to(
    pair: tuple[PostgresServer, PostgresServer],
) -> None:
    primary, standby = pair
    url = await asyncio.to_thread(primary.fresh_database)
    theirs = url.replace(str(primary.folder), str(standby.folder))
    store = await PostgresStore.open(url)
    await store.append(chain(2))
    reading = await opened_in_time(theirs)
    with pytest.raises(StoreUnusable, match="is a standby and cannot be written to"):
        await PostgresStore.open(theirs)
    news = reading.news()
    await store.append(chain(1, stream="table-2"))
    heard = await anext(news)
    assert heard in (News("table-1", 2), News("table-2", 1))
    await reading.close()
    await store.close()


async def test_what_a_synchronous_standby_may_not_have_is_not_acknowledged(
    pair: tuple[PostgresServer, PostgresServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that waits for a standby in vain is there for everybody to see, and can still be lost."""
    primary, standby = pair
    url = await asyncio.to_thread(primary.fresh_database)
    store = await PostgresStore.open(url)
    made = chain(4)
    try:
        await primary.do("ALTER SYSTEM SET synchronous_standby_names = '*'")
        await primary.do("SELECT pg_reload_conf()")
        assert await store.append(made[:1]) == Appended(made[:1])
        with monkeypatch.context() as patch:
            for module in (postgres_link, postgres_writer):
                patch.setattr(
                    module, "CONNECT_SECONDS", 1.5
                )  # real seconds, all of which are waited for in vain
            hasty = await PostgresStore.open(url)
            standby.kill()
            with pytest.raises(StoreFailed, match="no answer within"):
                await hasty.append(made[1:2])
            await hasty.close()
        assert await store.head("table-1") == head_of(made[1])
        await asyncio.to_thread(standby.start)
        while not await primary.do("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"):
            await asyncio.sleep(0.01)
        assert await store.append(made[2:]) == Appended(made[2:])
    finally:
        await primary.do("ALTER SYSTEM RESET synchronous_standby_names")
        await primary.do("SELECT pg_reload_conf()")
    await store.close()
