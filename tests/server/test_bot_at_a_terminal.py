"""``thirdcard bot`` at a terminal where money is real: people enable it, sell credits and cash them out."""

import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from limits import LONG_ENOUGH
from server.served import Served, serving, timers
from server.watching import Onlooker

from thirdcard.client.bot import Bot, BotEnd, BotPlan, NobodyCame, StaffTask
from thirdcard.client.calls import Client
from thirdcard.client.errors import WasRefused
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd

pytestmark = pytest.mark.timed

SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
virtual_shoe = true
automatic_dealer = true
{timers()}
"""
SOLD = 100_000  # minor units, which one attendant may sell alone
THIRDCARD = Path(sys.executable).with_name("thirdcard")


async def enrolled(served: Served) -> tuple[Client, str]:
    """A Pit Manager, who has enrolled a terminal with a second person, and its code."""
    max_ = await served.staff("Max")
    expected = await max_.enrol("E1", SIX, authoriser=await served.shown("Gil"))
    return max_, expected.code


class Program:
    """The command in a process of its own, and what it prints."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.printed: list[str] = []

    async def says(self, beginning: str) -> None:
        """Wait for a line that begins so."""
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode():
            self.printed.append(line.strip())
            if line.startswith(beginning):
                return
        raise AssertionError(self.printed)

    async def ends(self) -> int:
        """Wait for its end; its exit status."""
        assert self.process.stdout is not None
        self.printed += (await self.process.stdout.read()).decode().splitlines()
        return await self.process.wait()


@asynccontextmanager
async def bot(served: Served, code: str, *options: str) -> AsyncIterator[Program]:
    process = await asyncio.create_subprocess_exec(
        *(str(THIRDCARD), "bot", "--code", code, "--url", served.addresses[0], *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(LONG_ENOUGH):
            yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def credits_of(client: Client, patron: str) -> int:
    """The credits of a patron, as staff see them."""
    view = (await client.table(SIX)).view
    assert view.balances is not None
    return next((each.credits for each in view.balances.balances if each.terminal == patron), 0)


async def test_a_bot_waits_for_people_and_plays_the_credits_that_they_sold(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES) as served:
        max_, code = await enrolled(served)
        tom = Onlooker(await served.staff("Tom"))
        await tom.watch(SIX)
        served.servers[0].flow(1.0)
        async with bot(served, code, "--rounds", "2") as program:
            await program.says("Waiting until somebody enables the terminal E1.")
            enable = floor_cmd.EnableTerminal(terminal="E1")
            await max_.floor_command(enable, authoriser=await served.shown("Gil"))
            await program.says("Waiting until an attendant opens the session of a patron at E1.")
            await tom.client.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Ann"))
            await program.says("Waiting until an attendant sells credits at E1.")
            await tom.do(SIX, cmd.BuyCredits(terminal="Ann", amount=SOLD))
            await program.says("Round 2: ")
            await program.says("Waiting until an attendant cashes out the credits at E1.")
            left = await credits_of(tom.client, "Ann")
            await tom.do(SIX, cmd.CashOut(terminal="Ann", amount=left))
            assert await program.ends() == 0, program.printed
        whole = " ".join(program.printed)
        assert "Ann played 2 rounds at Six with" in whole
        assert re.search(rf"It began with SGD 1000\.00 and left with SGD {left / 100:.2f}\.", whole), whole
        assert await credits_of(tom.client, "Ann") == 0
        await tom.client.floor_command(floor_cmd.ClosePatronSession(terminal="E1"))
        await tom.close()


async def test_a_bot_ends_when_its_credits_are_used_up(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES, {"E1": (SIX, None)}) as served:
        tom = Onlooker(await served.staff("Tom"))
        await tom.watch(SIX)
        served.servers[0].flow(1.0)

        await tom.client.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Bot"))

        def sells(task: StaffTask, _: str) -> None:
            if task is StaffTask.SELL:
                chores.append(asyncio.create_task(tom.do(SIX, cmd.BuyCredits(terminal="Bot", amount=SOLD))))

        async def takes() -> None:
            """Cash out whatever the bot has: it confirms that."""
            while True:
                left = await credits_of(tom.client, "Bot")
                if left:
                    with contextlib.suppress(WasRefused):  # it has wagered since
                        await tom.do(SIX, cmd.CashOut(terminal="Bot", amount=left))
                await tom.pictures[SIX].changes()

        chores: list[asyncio.Task[object]] = []
        playing = Bot(served.terminal("E1"), BotPlan(patron="Bot", rounds=10_000), None, sells)
        task = asyncio.create_task(takes())
        try:
            played = await playing.play()
        finally:
            task.cancel()
        await asyncio.gather(*chores)
        assert played.ended is BotEnd.CREDITS_USED_UP
        assert (played.began_with, played.bought, played.cashed_out) == (SOLD, 0, 0)
        await tom.close()


async def test_a_bot_whose_terminal_nobody_enables_ends_with_a_sentence(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES) as served:
        _, code = await enrolled(served)
        async with bot(served, code, "--wait", "0.1") as program:
            assert await program.ends() == 2
        assert " ".join(program.printed) == (
            "Waiting until somebody enables the terminal E1. "
            "thirdcard: Nobody enabled the terminal E1 in 0.1 seconds. "
            "Its code is used: enrol the terminal again, and enable it."
        )


@pytest.mark.parametrize(("patron", "task"), [(None, StaffTask.OPEN_SESSION), ("Bot", StaffTask.SELL)])
async def test_a_bot_says_of_which_task_nobody_took_care(
    tmp_path: Path, patron: str | None, task: StaffTask
) -> None:
    async with serving(tmp_path, TABLES, {"E1": (SIX, None)}) as served:
        if patron is not None:
            tom = await served.staff("Tom")
            await tom.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron=patron))
        with pytest.raises(NobodyCame) as caught:
            await Bot(served.terminal("E1"), BotPlan(patron="Bot", staff_within=0.1)).play()
        assert (caught.value.task, caught.value.terminal) == (task, "E1")
