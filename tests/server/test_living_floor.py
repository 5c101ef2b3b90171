"""The demonstration floor lives: bots come and leave, seats that were left are freed, held tables go on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from limits import LONG_ENOUGH
from server.process import Asked
from server.served import UNLIMITED, Server

from thirdcard.client.calls import Client
from thirdcard.client.company import FEWEST_SHOWN, Company
from thirdcard.client.line import ClientSocket
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import is_bot
from thirdcard.game import commands as cmd
from thirdcard.server.demo_floor import FREED_AFTER, SEAT_CHECK_SECONDS

pytestmark = pytest.mark.timed
TABLES = """
[[table]]
name = "one"
game = "mbs-tiger-v3"
training = true
terminal = true
virtual_shoe = true
automatic_dealer = true
differential = "1000000"
timers = { betting = 8, warning = 3, card = 0, between = 0, offer = 20 }
"""
TABLE = "one"


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Callable[[float], Server]]:
    """Start a demonstration floor with one table, whose time flows at a rate."""
    file = tmp_path / "floor.toml"
    file.write_text(f"format = 1\n{TABLES}", "utf-8")
    servers: list[Server] = []

    def start(flow: float) -> Server:
        asked = Asked(
            data=str(tmp_path / "data"),
            key=str(tmp_path / "keys"),
            floor=str(file),
            demo=True,
            living=True,
            guard=UNLIMITED,
            flow=flow,
        )
        servers.append(Server(asked, tmp_path / "server.log").start())
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


@contextlib.asynccontextmanager
async def visitor(server: Server) -> AsyncIterator[Client]:
    """A visitor at the first terminal with credits."""
    async with Client(server.address) as client:
        await client.seat("one-1")
        await client.floor_command(floor_cmd.OpenPatronSession(terminal="one-1", patron="Ann"))
        async with ClientSocket(client) as line:
            await line.command(TABLE, cmd.ComeToTable(patron="Ann", position=1))
            await line.command(TABLE, cmd.BuyCredits(terminal="Ann", amount=100_000))
        yield client


async def until(there: Callable[[], Awaitable[bool]]) -> None:
    """Ask again until something is so."""
    async with asyncio.timeout(LONG_ENOUGH):
        while not await there():
            await asyncio.sleep(0)


async def patron_at(client: Client, terminal: str) -> str | None:
    return next(each.patron for each in (await client.demo()).terminals if each.id == terminal)


async def test_bots_give_a_table_history_and_leave_it_to_others(living: Callable[[float], Server]) -> None:
    server = living(8.0)
    async with Client(server.address) as client:
        company = asyncio.create_task(Company(server.address, lambda: False, seed=1).keep())

        async def has_history() -> bool:
            return (await client.tables()).tables[0].statistics.rounds >= FEWEST_SHOWN

        async def is_left() -> bool:
            return all(each.patron is None for each in (await client.demo()).terminals)

        await until(has_history)
        terminals = (await client.demo()).terminals
        assert [each.id for each in terminals if each.patron] != []
        assert all(is_bot(each.patron) for each in terminals if each.patron)
        assert {each.id for each in terminals if each.patron} <= {"one-5", "one-6"}, (
            "the first are for people"
        )
        await until(is_left)
        meters = (await client.table(TABLE)).view.scoreboard
        assert meters is not None
        company.cancel()
        await asyncio.gather(company, return_exceptions=True)


async def test_a_seat_that_was_left_is_cashed_out_and_freed(living: Callable[[float], Server]) -> None:
    server = living(0.0)
    async with visitor(server) as client:
        assert await patron_at(client, "one-1") == "Ann"

        async def is_freed() -> bool:
            server.move(SEAT_CHECK_SECONDS)
            return await patron_at(client, "one-1") is None

        await until(is_freed)
        assert (await client.tables()).tables[0].free_positions == (1, 2, 3, 4, 5, 6, 7, 8)


async def test_a_seat_with_its_browser_there_is_kept(living: Callable[[float], Server]) -> None:
    server = living(0.0)
    async with visitor(server) as client, ClientSocket(client) as line:
        await line.watch(TABLE)
        for _ in range(round(2 * FREED_AFTER / SEAT_CHECK_SECONDS)):
            server.move(SEAT_CHECK_SECONDS)
            assert await patron_at(client, "one-1") == "Ann"


async def test_a_held_table_goes_on_with_one_call(living: Callable[[float], Server]) -> None:
    server = living(0.0)
    async with visitor(server) as client:

        async def is_betting() -> bool:
            server.move(1)
            return (await client.table(TABLE)).view.phase.phase.value == "betting"

        await until(is_betting)
        server.kill()
        server.start()
        assert server.held == (TABLE,)
        assert (await client.table(TABLE)).view.phase.paused
        async with httpx.AsyncClient(base_url=server.address, headers=client.headers) as http:
            for table, status in (("none", 404), (TABLE, 200), (TABLE, 422)):
                answer = await http.post("/api/v1/demo/resume", json={"table": table})
                assert answer.status_code == status, answer.text
        assert not (await client.table(TABLE)).view.phase.paused
