"""News of what other processes append to a journal in PostgreSQL, and who is the first one up."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
from contracts.servers import PostgresServer
from contracts.stores import chain, first_up
from limits import LONG_ENOUGH
from streams.openings import KEYS, Guide, serving

from thirdcard.game import commands as cmd
from thirdcard.journal.postgres import connections as postgres_watch
from thirdcard.journal.postgres.connections import KeptConnection
from thirdcard.journal.postgres.schema import CHANNEL
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.record import head_of
from thirdcard.journal.store import News
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service, TableStream
from thirdcard.streams.stream import Stream

pytestmark = pytest.mark.timed

GRACE = 0.2  # seconds
PROCESS = Path(__file__).parent / "postgres_process.py"


@pytest.fixture(autouse=True)
def looks_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores look more often than usual, and find out sooner that others serve."""
    monkeypatch.setattr(postgres_watch, "EVERY", 0.1)
    monkeypatch.setattr(postgres_watch, "GRACE", GRACE)


async def end_of(standing: KeptConnection, server: PostgresServer) -> None:
    """Have the server end a connection; one that was lost just now is waited for."""
    while standing._connection is None or standing._connection.is_closed():
        await asyncio.sleep(0)
    await server.do("SELECT pg_terminate_backend($1)", standing._connection.get_server_pid())


async def test_news_of_one_store_reaches_the_other(postgres_url: str) -> None:
    ours, theirs = [await PostgresStore.open(postgres_url) for _ in range(2)]
    await theirs.append(chain(2, stream="before"))
    news = ours.news()
    await theirs.append(chain(3))
    heard = [await anext(news)]
    if heard == [News("before", 2)]:  # told late, which does no harm
        heard = [await anext(news)]
    assert heard == [News("table-1", 3)]
    await ours.append(chain(1, stream="table-2"))
    assert await anext(news) == News("table-2", 1)
    await ours.close()
    assert [each async for each in news] == []
    await theirs.close()


async def test_news_that_is_too_long_for_a_notification_is_looked_up(postgres_url: str) -> None:
    ours, theirs = [await PostgresStore.open(postgres_url) for _ in range(2)]
    news = ours.news()
    streams = {f"a table with a long name in the {number}th room" for number in range(400)}
    await asyncio.gather(*(theirs.append(chain(1, stream=stream)) for stream in streams))
    heard = {(await anext(news)).stream for _ in streams}
    assert heard == streams
    await ours.close()
    await theirs.close()


async def test_no_news_is_missed_while_the_listening_connection_is_lost(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    ours, theirs = [await PostgresStore.open(postgres_url) for _ in range(2)]
    news = ours.news()
    head = None
    made = chain(60)
    expected = 0
    for at, record in enumerate(made):
        if at % 10 == 0:
            await end_of(ours._listener._standing, postgres_server)
        await theirs.append((record,))
        head = head_of(record)
    assert head is not None
    while expected < head.sequence:
        found = await anext(news)
        assert found.sequence > expected
        expected = found.sequence
    await ours.close()
    await theirs.close()


async def test_a_false_notification_hides_no_news(postgres_url: str) -> None:
    """Anybody who may connect to the database may notify; news is what is stored."""
    ours, theirs = [await PostgresStore.open(postgres_url) for _ in range(2)]
    news = ours.news()
    await theirs.append(chain(1))
    assert await anext(news) == News("table-1", 1)
    connection = await asyncpg.connect(postgres_url)
    false = json.dumps({"table-1": 2**62, "no table": 2**62})
    await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, false)
    await connection.close()
    while (await anext(news)) != News("no table", 2**62):  # a look may have put right the other one before
        pass
    await theirs.append(chain(1, after=await theirs.head("table-1")))
    while (await anext(news)) != News("table-1", 2):
        pass
    await ours.close()
    await theirs.close()


async def test_what_no_notification_told_is_found_by_looking(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(postgres_watch, "EVERY", LONG_ENOUGH)  # nobody looks while the connection is in use
        ours, theirs = [await PostgresStore.open(postgres_url) for _ in range(2)]
        news = ours.news()
        connection = ours._listener._standing._connection
        assert connection is not None
        await connection.execute("UNLISTEN *")
    ours._listener._standing.hurry()
    await theirs.append(chain(2))
    assert await anext(news) == News("table-1", 2)
    await theirs.append(chain(1, stream="table-2"))
    assert await anext(news) == News("table-2", 1)
    await ours.close()
    await theirs.close()


async def test_a_notification_of_somebody_else_does_no_harm(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    ours, theirs = [await PostgresStore.open(postgres_url) for _ in range(2)]
    news = ours.news()
    for content in ("", "nonsense", '{"table-1":"x"}', "[1]"):
        await postgres_server.do("SELECT pg_notify('thirdcard', $1)", content, url=postgres_url)
    await theirs.append(chain(1))
    assert await anext(news) == News("table-1", 1)
    await ours.close()
    await theirs.close()


# the first one up


async def test_of_stores_that_open_together_one_is_the_first(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = [await PostgresStore.open(postgres_url) for _ in range(5)]
    answers = await asyncio.gather(*(first_up(store) for store in stores))
    assert sorted(answers) == [False] * 4 + [True]
    assert [await first_up(store) for store in stores] == answers
    for store in stores:
        await store.close()
    later = await PostgresStore.open(postgres_url)
    monkeypatch.setattr(postgres_watch, "GRACE", 120.0)  # however late it shows that they are gone
    assert await first_up(later)
    await later.close()


def started(url: str, *how: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, PROCESS, url, "serve", *how], stdout=subprocess.PIPE, text=True)


async def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return (await asyncio.to_thread(process.stdout.readline)).strip()


def kill(process: subprocess.Popen[str]) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


async def test_a_process_is_the_first_one_up_when_those_before_it_were_killed(postgres_url: str) -> None:
    store = await PostgresStore.open(postgres_url)
    await store.close()
    together = [started(postgres_url) for _ in range(3)]
    assert sorted([await said(each) for each in together]) == ["first", "not first", "not first"]
    kill(together[0])
    kill(together[1])
    second = started(postgres_url)
    assert await said(second) == "not first"
    kill(second)
    kill(together[2])
    for _ in range(3):
        alone = started(postgres_url, "alone")
        assert await said(alone) == "first"
        kill(alone)


async def test_a_process_that_lost_its_connection_still_counts_as_serving(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    ours, other = [await PostgresStore.open(postgres_url) for _ in range(2)]
    assert await first_up(ours)
    lost = ours._presence._standing._connection
    await end_of(ours._presence._standing, postgres_server)
    while ours._presence._standing._connection is lost:
        await asyncio.sleep(0.01)
    assert not await first_up(other)
    await ours.close()
    await other.close()


async def still_waits(waiting: asyncio.Task[bool]) -> bool:
    """Whether something takes longer than it would take to find out that others serve."""
    await asyncio.sleep(1.5 * GRACE)  # a longer look would see no more
    return not waiting.done()


async def test_others_begin_only_when_the_first_one_is_ready(postgres_url: str) -> None:
    ours, other = [await PostgresStore.open(postgres_url) for _ in range(2)]
    async with ours.arriving() as first:
        assert first
        waiting = asyncio.create_task(first_up(other))
        assert await still_waits(waiting)
    assert not await waiting
    await ours.close()
    await other.close()


async def test_where_the_first_one_ends_before_it_is_ready_another_is_the_first(
    postgres_url: str,
) -> None:
    ours, other = [await PostgresStore.open(postgres_url) for _ in range(2)]
    async with ours.arriving() as first:
        assert first
        waiting = asyncio.create_task(first_up(other))
        assert await still_waits(waiting)
        await ours.close()
        assert await waiting
    await other.close()


async def test_others_wait_also_when_the_first_one_has_lost_its_connection(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    ours, other = [await PostgresStore.open(postgres_url) for _ in range(2)]
    async with ours.arriving():
        lost = ours._presence._standing._connection
        await end_of(ours._presence._standing, postgres_server)
        while ours._presence._standing._connection is lost:
            await asyncio.sleep(0.01)
        waiting = asyncio.create_task(first_up(other))
        assert await still_waits(waiting)
    assert not await waiting
    await ours.close()
    await other.close()


async def test_nobody_serves_a_table_before_the_first_one_up_has_held_it(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await PostgresStore.open(postgres_url)
    async with serving(before) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        await guide.bet(("Ada", "player", 10_000))
    await before.close()

    begun, go_on, hold = asyncio.Event(), asyncio.Event(), Stream.hold

    async def slowly(stream: TableStream, reason: str) -> None:
        begun.set()
        await go_on.wait()
        await hold(stream, reason)

    monkeypatch.setattr(Stream, "hold", slowly)
    stores = [await PostgresStore.open(postgres_url) for _ in range(2)]
    first, second = [Service(store, KEYS, Clock()) for store in stores]
    starting = asyncio.create_task(first.start())
    await begun.wait()
    late = asyncio.create_task(second.start())
    await asyncio.sleep(1.5 * GRACE)  # a longer look would see no more
    assert not late.done()
    go_on.set()
    assert await starting == ("T1",)
    assert await late == ()
    answer = await second.table("T1").send(cmd.OpenBetting(), actor="Dealer", command_id="c1")
    assert isinstance(answer, Refused)
    assert answer.reason is Refusal.TABLE_PAUSED
    for service, store in zip((first, second), stores, strict=True):
        await service.stop()
        await store.close()
