"""Connections lost and servers killed under a journal in PostgreSQL: what was acknowledged is there, once."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator

import asyncpg  # type: ignore[import-untyped]
import pytest
from contracts.servers import PostgresServer
from contracts.stores import chain, draft, first_up
from journal.test_postgres_rivals import whole
from msgspec import Struct

from thirdcard.journal.postgres import connections as postgres_watch
from thirdcard.journal.postgres import writer as postgres_writer
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.record import EMPTY, Head, head_of, place
from thirdcard.journal.store import Appended, Conflict, KnownCommand, News, StoreFailed

pytestmark = pytest.mark.timed

CUT = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'thirdcard' AND datname = $1 AND random() < 0.5
"""


@pytest.fixture(autouse=True)
def looks_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores look after their connections more often than usual."""
    monkeypatch.setattr(postgres_watch, "EVERY", 0.05)


@pytest.fixture(scope="module")
def rough() -> Iterator[PostgresServer]:
    """A server of its own, since it is killed."""
    server = PostgresServer()
    yield server
    server.stop()


class Tally(Struct):
    """The answers that writers got."""

    acknowledged: dict[str, bytes]
    failed: set[str]

    async def grows(self, *, by: int) -> None:
        """Wait until so many more records are acknowledged."""
        wanted = len(self.acknowledged) + by
        while len(self.acknowledged) < wanted:
            await asyncio.sleep(0.001)


async def keep_writing(store: PostgresStore, stream: str, tally: Tally, until: asyncio.Event) -> None:
    """Append one record after another; after a failure look how far the stream has come, as a table does."""
    head, number = EMPTY, 0
    while not until.is_set():
        number += 1
        records = [place(draft(stream, f"{stream}-{number}-0"), head)]
        if number % 3 == 0:
            records.append(place(draft(stream, f"{stream}-{number}-1"), head_of(records[0])))
        try:
            answer = await store.append(tuple(records))
            assert isinstance(answer, Appended), answer
            tally.acknowledged |= {each.command_id: each.digest for each in records}
            head = answer.head
        except StoreFailed:
            tally.failed |= {each.command_id for each in records}
            head = await head_of_stream(store, stream)


async def head_of_stream(store: PostgresStore, stream: str) -> Head:
    while True:
        try:
            return await store.head(stream)
        except StoreFailed:
            await asyncio.sleep(0.01)


async def under_load(url: str, trouble: Callable[[Tally], Awaitable[None]]) -> Tally:
    """Twelve streams written by two stores while there is trouble; everything is compared at the end."""
    stores = [await PostgresStore.open(url) for _ in range(2)]
    tally, until = Tally({}, set()), asyncio.Event()
    writers = [
        asyncio.create_task(keep_writing(stores[at % 2], f"table-{at}", tally, until)) for at in range(12)
    ]
    await trouble(tally)
    until.set()
    await asyncio.gather(*writers)
    found = {each.command_id: each.digest for each in await whole(stores[0])}
    assert tally.acknowledged.items() <= found.items()
    assert found.keys() <= tally.acknowledged.keys() | tally.failed
    for store in stores:
        await store.close()
    return tally


async def test_what_was_acknowledged_is_stored_once_though_connections_are_cut(rough: PostgresServer) -> None:
    url = await asyncio.to_thread(rough.fresh_database)
    database = url.partition("@/")[2].partition("?")[0]
    dice = random.Random(3)

    async def cut_often(tally: Tally) -> None:
        for _ in range(60):
            await tally.grows(by=dice.randrange(30))
            await rough.do(CUT, database)

    tally = await under_load(url, cut_often)
    assert tally.failed


async def test_what_was_acknowledged_is_stored_once_though_the_server_is_killed(
    rough: PostgresServer,
) -> None:
    url = await asyncio.to_thread(rough.fresh_database)

    async def kill_and_start(tally: Tally) -> None:
        for _ in range(3):
            await tally.grows(by=100)
            rough.kill()
            await asyncio.to_thread(rough.start)

    await under_load(url, kill_and_start)


async def test_a_store_works_again_when_its_server_does(rough: PostgresServer) -> None:
    url = await asyncio.to_thread(rough.fresh_database)
    store, other = [await PostgresStore.open(url) for _ in range(2)]
    assert await first_up(store)
    made = chain(9)
    await store.append(made[:3])
    rough.kill()
    with pytest.raises(
        StoreFailed, match=r"database floor_\d+ at .*check that it runs, then release the table"
    ):
        await store.append(made[3:6])
    with pytest.raises(StoreFailed):
        await store.read("table-1")
    news = store.news()
    await asyncio.to_thread(rough.start)
    assert await store.head("table-1") == head_of(made[2])
    assert await other.append(made[3:]) == Appended(made[3:])
    assert await anext(news) == News("table-1", 9)
    while not await store._rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted"):
        await asyncio.sleep(0.05)
    assert not await first_up(other)
    await store.close()
    await other.close()


# the answer to a commit is lost

Copy = Callable[..., Awaitable[BaseException | None]]


def losing(copy: Copy, *, carried_out: bool) -> Copy:
    """A transaction whose answer never comes, carried out or not."""
    lost: BaseException = asyncpg.ConnectionDoesNotExistError("connection was closed")

    async def lose(connection: object, winners: list[postgres_writer.PostgresAppend]) -> BaseException | None:
        if carried_out:
            assert await copy(connection, winners) is None
        return lost

    return lose


@pytest.mark.parametrize("carried_out", [True, False])
async def test_a_commit_whose_answer_was_lost_is_looked_up(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, carried_out: bool
) -> None:
    store = await PostgresStore.open(postgres_url)
    batches = [chain(2, stream=f"table-{number}") for number in range(5)]
    with monkeypatch.context() as patch:
        patch.setattr(postgres_writer, "_copy", losing(postgres_writer._copy, carried_out=carried_out))
        answers = await asyncio.gather(*(store.append(each) for each in batches), return_exceptions=True)
    if carried_out:
        assert answers == [Appended(each) for each in batches]
        assert await store.append(batches[0]) == KnownCommand(batches[0][0].command_id)
    else:
        assert all(isinstance(answer, StoreFailed) for answer in answers)
        assert await store.append(batches[0]) == Appended(batches[0])
    await store.close()


async def test_a_place_that_somebody_else_took_is_not_acknowledged(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is lost, and the same command was recorded meanwhile, otherwise: that is not ours."""
    store = await PostgresStore.open(postgres_url)
    theirs = place(draft(command_id="c", body=b"theirs"), EMPTY)
    await store.append((theirs,))
    ours = place(draft(command_id="c", body=b"ours"), EMPTY)
    with monkeypatch.context() as patch:
        patch.setattr(postgres_writer, "_copy", losing(postgres_writer._copy, carried_out=False))
        with pytest.raises(StoreFailed):
            await store.append((ours,))
    assert await store.append((ours,)) == KnownCommand("c")
    assert await store.append((place(draft(command_id="d"), EMPTY),)) == Conflict()
    await store.close()


async def test_a_commit_that_cannot_be_looked_up_is_not_acknowledged(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await PostgresStore.open(postgres_url)
    monkeypatch.setattr(postgres_writer, "_copy", losing(postgres_writer._copy, carried_out=True))
    monkeypatch.setattr(postgres_writer, "STORED", "SELECT 1 / 0")
    monkeypatch.setattr(postgres_writer, "LINK_POLL_SECONDS", 0.01)
    with pytest.raises(StoreFailed, match="out of reach"):
        await store.append(chain(1))
    await store.close()
