"""A server checks its record at the start and once a day, and says on /health and in the pit what it saw."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from limits import LONG_ENOUGH
from server.served import Served, Server, serving, timers

from thirdcard.client.errors import WasRefused
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.journal.codec import CommandResult, encode
from thirdcard.journal.sqlite.store import RECORD_COLUMNS
from thirdcard.messages import say
from thirdcard.refusals import Refusal
from thirdcard.rulebook.house import BUY_IN
from thirdcard.server.record_checks import CHECK_EVERY
from thirdcard.staff import Post
from thirdcard.wire.answers import RecordsState

pytestmark = pytest.mark.timed

SIX = "Six"
ALTERED = ("sequence", "command_id", "version", "says", "body", "group_signature")
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
{timers()}
"""


@asynccontextmanager
async def floor(folder: Path) -> AsyncIterator[tuple[Served, Server]]:
    """A floor with one table, whose server checks its record."""
    async with serving(folder, TABLES) as served:
        (server,) = served.servers
        server.kill()
        server.asked.check = True
        await asyncio.to_thread(server.start)
        yield served, server


async def health(server: Server) -> dict[str, object]:
    async with httpx.AsyncClient(timeout=LONG_ENOUGH) as client:
        answer = await client.get(f"{server.address}health")
    found: dict[str, object] = answer.json()["records"]
    return found


async def checked(server: Server, after: int = 0) -> dict[str, object]:
    """The state of the record once it was checked, after some time."""
    async with asyncio.timeout(LONG_ENOUGH):
        while True:
            found = await health(server)
            at = found["checked_at"]
            if isinstance(at, int) and at > after:
                return found
            await asyncio.sleep(0.02)


def alter(served: Served, sql: str, *values: object) -> None:
    """Alter the file of the journal, its guards taken away."""
    connection = sqlite3.connect(served.place.journal, isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(sql, values)
    connection.close()


async def in_the_pit(served: Served, name: str = "Gil") -> RecordsState:
    client = await served.staff(name)
    return (await client.floor()).records


async def test_a_whole_record_is_checked_at_the_start_and_once_a_day(tmp_path: Path) -> None:
    async with floor(tmp_path) as (served, server):
        first = await checked(server)
        assert (first["whole"], first["marks"], first["witness"]) == (True, True, None)
        assert isinstance(first["records"], int)
        assert first["records"] > 10
        at = first["checked_at"]
        assert isinstance(at, int)
        served.move(CHECK_EVERY)
        assert (await checked(server, after=at))["whole"] is True
        assert (await in_the_pit(served)).closed == ()


@pytest.mark.parametrize(
    ("stream", "sql"),
    [
        ("floor", "UPDATE record SET wall_time = wall_time + 1 WHERE stream = 'floor' AND sequence = 3"),
        ("floor", "UPDATE checkpoint SET root = zeroblob(32) WHERE stream = 'floor'"),
        (
            SIX,
            "UPDATE content SET content = CAST(content || ' ' AS BLOB) WHERE digest ="
            f" (SELECT rulebook FROM record WHERE stream = '{SIX}')",
        ),
    ],
)
async def test_what_is_altered_while_the_server_runs_is_found_within_a_day(
    tmp_path: Path, stream: str, sql: str
) -> None:
    async with floor(tmp_path) as (served, server):
        at = (await checked(server))["checked_at"]
        assert isinstance(at, int)
        alter(served, sql)
        served.move(CHECK_EVERY)
        assert (await checked(server, after=at))["whole"] is False
        state = await in_the_pit(served)
        assert [say(each).partition(":")[0] for each in state.closed] == [f"{stream} was altered"]
        client = await served.staff("Dana")
        with pytest.raises(WasRefused) as refused:
            await client.command(SIX, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
        assert refused.value.reason is Refusal.RECORDS_NOT_WHOLE


async def test_a_record_altered_before_a_start_closes_the_tables(tmp_path: Path) -> None:
    async with floor(tmp_path) as (served, server):
        await checked(server)
        await asyncio.to_thread(server.stop)
        alter(served, f"UPDATE record SET monotonic = 1 WHERE stream = '{SIX}' AND sequence = 1")
        await asyncio.to_thread(server.start)
        async with asyncio.timeout(LONG_ENOUGH):
            while (await health(server))["whole"]:
                await asyncio.sleep(0.02)
        (why, *_) = (await in_the_pit(served)).closed
        assert say(why).startswith(f"{SIX} was altered: ")
        assert "closed" not in (await health(server)) or (await health(server))["closed"] == []


async def test_a_lost_log_closes_the_tables_and_says_what_is_missing(tmp_path: Path) -> None:
    """A killed server leaves the newest records in the log beside the file; here the log is deleted."""
    async with floor(tmp_path) as (served, server):
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        await served.staff("Gil")
        await served.staff("Max")
        async with asyncio.timeout(LONG_ENOUGH):
            before = (await health(server))["marked_at"]
            await served.staff("Eve")
            served.move(1)  # so that the next mark has another time
            await served.staff("Una")
            while (await health(server))["marked_at"] in (before, None):
                await asyncio.sleep(0.02)
        server.kill()
        for suffix in ("-wal", "-shm"):
            served.place.journal.with_name(served.place.journal.name + suffix).unlink()
        await asyncio.to_thread(server.start)
        assert (await health(server))["whole"] is False
        state = await in_the_pit(served)
        assert any("records are missing" in say(each) for each in state.closed)


async def test_a_forged_row_gets_no_receipt(tmp_path: Path) -> None:
    """A server signs no receipt of a row that somebody has put beside the records of a table."""
    bought = ev.CreditsBought(terminal="Ada", amount=90_000_000, procedure=BUY_IN, by="Tom", clauses=())
    bare = CommandResult(cmd.BuyCredits(terminal="Ada", amount=90_000_000), (bought,))
    columns = ", ".join(each for each in RECORD_COLUMNS if each not in ALTERED)
    async with floor(tmp_path) as (served, _):
        alter(
            served,
            f"INSERT INTO record ({', '.join(ALTERED)}, {columns})"
            f" SELECT 900, 'forged', 8, '', ?, x'', {columns} FROM record"
            f" WHERE stream = '{SIX}' AND sequence = 1",
            encode(bare),
        )
        client = await served.staff("Una")
        with pytest.raises(WasRefused) as refused:
            await client.receipt("forged")
        assert refused.value.reason is Refusal.NO_SUCH_RECEIPT
