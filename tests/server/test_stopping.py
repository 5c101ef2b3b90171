"""A server that is asked to stop brings rounds to their end; one that is asked twice ends at once."""

import asyncio
import math
import signal
from pathlib import Path

import httpx
import pytest
from limits import LONG_ENOUGH
from server.served import BETTING, Served, Server, serving, timers
from server.watching import Bots

from thirdcard.client.bot import Bot, BotPlan
from thirdcard.client.calls import Client
from thirdcard.client.line import ClientSocket
from thirdcard.clockwork.tables import OTHERS_FIRST
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.staff import Post

pytestmark = pytest.mark.timed

SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers()}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {"E1": (SIX, None), "E2": (SIX, None)}


async def bets(served: Served, bots: Bots) -> tuple[Bot, "asyncio.Task[object]"]:
    """A bot whose wagers lie, in a round whose betting is open."""
    bots.moves = 0
    bot = bots.come(served.terminal("E1"), BotPlan(patron="Ann", rounds=3))
    playing: asyncio.Task[object] = asyncio.create_task(bot.play())
    async with ClientSocket(served.terminal("E2")) as line:
        picture = await line.watch(SIX)
        await picture.until(lambda view: bool(view.totals.totals))
    return bot, playing


async def test_rounds_come_to_their_end_and_clients_come_again(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES, TERMINALS) as served:
        bots = Bots(served)
        bot, playing = await bets(served, bots)
        assert bot.played.rounds == 0
        server = served.servers[0]
        assert await asyncio.to_thread(server.stop) == 0
        async with asyncio.timeout(LONG_ENOUGH):
            while bot.played.rounds == 0:  # it may still have to read what it was sent
                await asyncio.sleep(0.01)
        assert bot.played.rounds == 1  # the round came to its end, and no other began
        bots.moves = math.inf
        await asyncio.to_thread(server.start)
        assert server.held == ()
        # the process that wrote the last record comes no more; when the new one begins to wait nobody knows
        async with ClientSocket(served.terminal("E2")) as line:
            picture = await line.watch(SIX)
            while picture.view.phase.phase is not Phase.BETTING:
                served.move(OTHERS_FIRST)
                await asyncio.sleep(0.01)
        await playing
        assert bot.played.rounds >= 3
        assert "Traceback" not in server.log, server.log
        assert await served.findings() == {}


async def test_a_second_signal_ends_at_once_and_the_table_waits_for_a_person(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES, TERMINALS) as served:
        bots = Bots(served)
        _, playing = await bets(served, bots)
        server = served.servers[0]
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        while "asked to stop" not in server.log:
            await asyncio.sleep(0.01)
        assert server.process.poll() is None  # the round does not end, since time stands still
        server.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(server.process.wait, 45) == 0  # half of what a round is waited for
        server.kill()
        bots.moves = math.inf
        await asyncio.to_thread(server.start)
        assert server.held == (SIX,)
        async with ClientSocket(served.terminal("E2")) as line:
            picture = await line.watch(SIX)
            assert picture.view.phase.held
            assert picture.view.phase.phase is Phase.BETTING
            assert picture.view.totals.totals
        gil = await served.staff("Gil")
        await gil.command(SIX, cmd.ComeOnDuty(person="Gil", post=Post("gaming-shift-manager")))
        await gil.command(SIX, cmd.ResumeTable())
        served.move(BETTING)
        await playing
        assert await served.findings() == {}


async def reading_processes(auditor: Client, server: Server) -> set[int]:
    """The processes that a server has begun, once it was asked for something that another one reads."""
    async with httpx.AsyncClient(
        base_url=server.address, headers=auditor.headers, timeout=LONG_ENOUGH
    ) as client:
        (await client.get(f"/api/v1/tables/{SIX}/rounds")).raise_for_status()
    assert server.process is not None
    tasks = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    return {int(child) for task in tasks for child in task.read_text().split()}


async def test_a_killed_server_leaves_no_process_behind(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES, TERMINALS) as served:
        server = served.servers[0]
        children = await reading_processes(await served.staff("Una"), server)
        assert children
        server.kill()
        while any(Path(f"/proc/{child}").exists() for child in children):
            await asyncio.sleep(0.01)
