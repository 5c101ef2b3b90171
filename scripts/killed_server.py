"""Kills a server under load over HTTP and sockets, and holds its journal against what it acknowledged."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from pathlib import Path

import httpx
from server.served import Served, Server, serving, timers

from environment import say
from thirdcard.client.errors import Trouble, WasRefused
from thirdcard.client.line import ClientSocket
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.journal.store import records
from thirdcard.staff import Post
from thirdcard.streams.opening import open_store
from thirdcard.wire.answers import AcceptedAnswer

SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=2)}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {f"E{number}": (SIX, None) for number in range(1, 9)}
BUY, STAKE = 100_000, 5_000  # minor units
EVERY = 10  # kills between two lines of progress


class Load:
    """Patrons at terminals, half of them over HTTP and half over sockets, who note what is acknowledged."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.said: dict[str, int] = {}
        self.counts: Counter[str] = Counter()

    async def play(self, terminal: str, *, by_socket: bool) -> None:
        """Sit down, then buy and wager until the end."""
        client, patron, number = self.served.terminal(terminal), f"Patron {terminal}", 0
        await client.floor_command(floor_cmd.OpenPatronSession(terminal=terminal, patron=patron))
        await client.command(SIX, cmd.ComeToTable(patron=patron))
        async with contextlib.AsyncExitStack() as closing:
            line = await closing.enter_async_context(ClientSocket(client)) if by_socket else None
            while True:
                number += 1
                command_id = f"{terminal}-{number:06}"
                body: cmd.Body = cmd.BuyCredits(terminal=patron, amount=BUY)
                if number % 4:
                    body = cmd.PlaceWager(patron=patron, wager="player", amount=STAKE)
                try:
                    sender = line or client
                    answer: AcceptedAnswer = await sender.command(SIX, body, command_id=command_id)
                    self.said[command_id] = answer.sequence
                    self.counts["acknowledged"] += 1
                except WasRefused as error:
                    if not self.counts[f"refused {error.code}"]:
                        say(f"refused: {error}")
                    self.counts[f"refused {error.code}"] += 1
                    await asyncio.sleep(0.05)


async def kill(number: int, seed: int, folder: Path) -> Counter[str]:
    """Kill a server so often under load; the counts, with what was lost and false alarms among them."""
    dice = random.Random(seed)
    async with serving(folder, TABLES, TERMINALS) as served:
        (server,) = served.servers
        await asyncio.to_thread(server.flow, 1.0)
        manager = await served.staff("Gil")
        await manager.command(SIX, cmd.ComeOnDuty(person="Gil", post=Post("gaming-shift-manager")))
        load = Load(served)
        players = [
            asyncio.create_task(load.play(name, by_socket=place % 2 == 0))
            for place, name in enumerate(TERMINALS)
        ]
        restarts: list[float] = []
        for kills in range(1, number + 1):
            await asyncio.sleep(dice.uniform(0.05, 1.5))
            await asyncio.to_thread(server.kill)
            begun = time.monotonic()
            server.asked.check = kills % 5 == 0
            await asyncio.to_thread(server.start)
            restarts.append(time.monotonic() - begun)
            load.counts["kills"] += 1
            load.counts["false alarms"] += not await _is_whole(server)
            load.counts["held"] += bool(server.held)
            if server.held:
                with contextlib.suppress(Trouble):
                    await manager.command(SIX, cmd.ResumeTable())
            if kills % EVERY == 0:
                say(f"{kills} kills, {load.counts['acknowledged']} acknowledged")
        for player in players:
            player.cancel()
        ended = await asyncio.gather(*players, return_exceptions=True)
        for each in ended:
            if not isinstance(each, asyncio.CancelledError):
                load.counts["players in trouble"] += 1
                say(f"a player ended: {each!r}")
        load.counts["false alarms"] += not await _is_whole(server)
        await asyncio.to_thread(server.stop)
        await _compare(served, load)
        say(f"restarts took {sum(restarts) / len(restarts):.1f} s on average, {max(restarts):.1f} s at most")
        return load.counts


async def _is_whole(server: Server) -> bool:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{server.address}health")
    return bool(answer.json()["records"]["whole"])


async def _compare(served: Served, load: Load) -> None:
    """Everything acknowledged is at its place, once, and an auditor finds nothing."""
    found: Counter[str] = Counter()
    places: dict[str, int] = {}
    store = await open_store(served.place, writing=False)
    try:
        async for record in records(store, SIX):
            places[record.command_id] = record.sequence
            found[record.command_id] += 1
    finally:
        await store.close()
    load.counts["recorded"] = len(places)
    load.counts["lost or moved"] = sum(places.get(each) != at for each, at in load.said.items())
    load.counts["doubled"] = sum(times > 1 for times in found.values())
    findings = await served.findings()
    load.counts["findings"] = sum(map(len, findings.values()))
    for stream, lines in findings.items():
        say(f"{stream}: {lines[:3]}")
