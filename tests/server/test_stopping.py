"""A server that is asked to stop brings rounds to their end; one that is asked twice ends at once."""

import asyncio
import signal
import time
from pathlib import Path

from server.served import Served, serving, timers

from thirdcard.client.bot import Bot, Plan
from thirdcard.client.line import Line
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.staff import Post

SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=3, card=0.3)}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {"E1": (SIX, None), "E2": (SIX, None)}
WITHIN = 150.0


async def bets(served: Served) -> tuple[Bot, "asyncio.Task[object]"]:
    """A bot whose wagers lie, in a round that is under way."""
    bot = Bot(served.terminal("E1"), Plan(patron="Ann", rounds=3))
    playing: asyncio.Task[object] = asyncio.create_task(bot.play())
    async with Line(served.terminal("E2")) as line:
        picture = await line.watch(SIX)
        await picture.until(lambda view: bool(view.totals.totals), within=60)
    return bot, playing


async def gracefully(folder: Path) -> None:
    async with serving(folder, TABLES, TERMINALS) as served:
        bot, playing = await bets(served)
        rounds = bot.played.rounds
        server = served.servers[0]
        assert await asyncio.to_thread(server.stop) == 0
        assert bot.played.rounds == rounds + 1  # the round came to its end, and no other began
        await asyncio.to_thread(server.start)
        assert server.held == ()
        await playing
        assert bot.played.rounds >= 3
        assert "Traceback" not in server.log, server.log
        assert await served.findings() == {}


async def at_once(folder: Path) -> None:
    async with serving(folder, TABLES, TERMINALS) as served:
        _, playing = await bets(served)
        server = served.servers[0]
        assert server.process is not None
        begun = time.monotonic()
        for _ in range(2):
            server.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(0.3)
        await asyncio.to_thread(server.process.wait, 20)
        assert time.monotonic() - begun < 15
        server.kill()
        await asyncio.to_thread(server.start)
        assert server.held == (SIX,)
        async with Line(served.terminal("E2")) as line:
            picture = await line.watch(SIX)
            assert picture.view.phase.held
            assert picture.view.phase.phase in (Phase.BETTING, Phase.CLOSED, Phase.DEALING)
            assert picture.view.totals.totals
        gil = await served.staff("Gil")
        await gil.command(SIX, cmd.ComeOnDuty(person="Gil", post=Post("gaming-shift-manager")))
        await gil.command(SIX, cmd.ResumeTable())
        await playing
        assert await served.findings() == {}


def test_rounds_come_to_their_end_and_clients_come_again(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(gracefully(tmp_path), WITHIN))


def test_a_second_signal_ends_at_once_and_the_table_waits_for_a_person(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(at_once(tmp_path), WITHIN))
