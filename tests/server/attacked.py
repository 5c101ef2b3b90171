"""How long wagers take while one address attacks: their server, or another one that nobody plays at."""

import asyncio
import os
import sys
import time
from pathlib import Path

import httpx
import msgspec
from msgspec import Struct
from server.attacker import KINDS, PLAYED, TABLE, Plan
from server.served import TESTS, Served, timers

from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.server.security import Guard
from thirdcard.wire.paths import API

TABLES = "".join(
    f"""
[[table]]
name = "{name}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=seconds)}
"""
    for name, seconds in ((TABLE, 100_000), (PLAYED, 5))
)
PLAYERS = {"E1": "Ann", "E2": "Bob"}
RATE = 20.0  # wagers of each player in a second
FROM = "127.0.0.2"
MOST_TIMES = 5.0
SECOND = 2  # the round after the one that dossiers are asked of
WARMING = 150  # wagers of each player before anything is measured, which others then ask for again


class Measured(Struct):
    """The seconds that wagers took, at the attacked server and while the other one was attacked."""

    kind: str
    attacked: list[float]
    beside: list[float]

    @property
    def times(self) -> float:
        """Return how many times as long the slowest hundredth took."""
        return percentile(self.attacked) / percentile(self.beside)


def percentile(seconds: list[float], share: float = 0.99) -> float:
    """Return the time within which a share of them was done."""
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * share))]


class Attacked:
    """Two servers: one with players, and one that is idle."""

    def __init__(self, folder: Path) -> None:
        self._floors = [Served(folder / name, TABLES, guard=Guard()) for name in ("played", "idle")]
        self._auditors: list[str] = []
        self._https: dict[str, httpx.AsyncClient] = {}
        self._numbers: dict[str, int] = dict.fromkeys(PLAYERS, 0)

    async def open(self) -> None:
        """Start both, and seat everybody."""
        for served in self._floors:
            served.folder.mkdir(parents=True, exist_ok=True)
            served.place.data.mkdir(parents=True, exist_ok=True)
            seats: dict[str, tuple[str, int | None]] = dict.fromkeys((*PLAYERS, "E3"), (TABLE, None))
            await served.prepare(seats | {"E4": (PLAYED, None)})
            await asyncio.to_thread(served.server)
            served.servers[0].flow(1.0)
            auditor = await served.staff("Una")
            assert auditor.token is not None
            self._auditors.append(auditor.token)
            for terminal, patron in {**PLAYERS, "E3": "Mal", "E4": "Zed"}.items():
                here, table = served.terminal(terminal), seats.get(terminal, (PLAYED, None))[0]
                await here.floor_command(floor_cmd.OpenPatronSession(terminal=terminal, patron=patron))
                await here.command(table, cmd.ComeToTable(patron=patron))
                await here.command(table, cmd.BuyCredits(terminal=patron, amount=1_000_000))
                while (await here.table(table)).view.phase.phase is not Phase.BETTING:
                    await asyncio.sleep(0.05)
            await here.command(PLAYED, cmd.PlaceWager(patron="Zed", wager="player", amount=10_000))
            while ((await here.table(PLAYED)).view.phase.round or 0) < SECOND:
                await asyncio.sleep(0.05)
        for terminal in PLAYERS:
            transport = httpx.AsyncHTTPTransport(local_address=FROM)
            self._https[terminal] = httpx.AsyncClient(transport=transport, timeout=60.0)
        for _ in range(WARMING):
            await asyncio.gather(*(self._wager(terminal) for terminal in PLAYERS))
            await asyncio.sleep(1 / RATE)

    async def close(self) -> None:
        """End both."""
        for http in self._https.values():
            await http.aclose()
        for served in self._floors:
            await served.close()

    async def measure(self, kind: str, seconds: float) -> Measured:
        """Attack both in turn, and measure wagers meanwhile."""
        found = Measured(kind, [], [])
        for at, times in ((1, found.beside), (0, found.attacked)):
            process = await self._attack(kind, at, seconds + 2)
            assert process.stdout is not None
            await process.stdout.readline()  # the attack has begun
            took = await asyncio.gather(*(self._play(terminal, seconds) for terminal in PLAYERS))
            times += [each for some in took for each in some]
            process.terminate()
            await process.wait()
        return found

    async def _attack(self, kind: str, at: int, seconds: float) -> asyncio.subprocess.Process:
        served = self._floors[at]
        host, _, port = served.addresses[0].removeprefix("http://").rstrip("/").partition(":")
        plan = Plan(kind, host, int(port), served.tokens["E3"], self._auditors[at], seconds)
        program = (sys.executable, "-m", "server.attacker", msgspec.json.encode(plan).decode())
        path = os.pathsep.join((str(TESTS), str(TESTS.parent / "src")))
        return await asyncio.create_subprocess_exec(
            *program, env={**os.environ, "PYTHONPATH": path}, stdout=asyncio.subprocess.PIPE
        )

    async def _play(self, terminal: str, seconds: float) -> list[float]:
        until, times = time.monotonic() + seconds, []
        while time.monotonic() < until:
            times.append(await self._wager(terminal))
            await asyncio.sleep(max(0.0, 1 / RATE - times[-1]))
        return times

    async def _wager(self, terminal: str) -> float:
        """Place a wager, or take it off again; the seconds until that is durable."""
        self._numbers[terminal] += 1
        number, patron = self._numbers[terminal], PLAYERS[terminal]
        kind = "place-wager" if number % 2 else "reduce-wager"
        command = {"type": kind, "patron": patron, "wager": "player", "amount": 10_000}
        form = {"command_id": f"{terminal}-{number:08}", "command": command}
        served = self._floors[0]
        headers = {"authorization": f"Bearer {served.tokens[terminal]}", "x-thirdcard": "a"}
        address = f"{served.addresses[0].rstrip('/')}{API}/tables/{TABLE}/commands"
        began = time.monotonic()
        answer = await self._https[terminal].post(address, json=form, headers=headers)
        assert answer.status_code == 200, answer.text
        return time.monotonic() - began


async def measure_all(folder: Path, seconds: float, kinds: tuple[str, ...] = KINDS) -> list[Measured]:
    """Measure wagers beside each attack."""
    attacked = Attacked(folder)
    try:
        await attacked.open()
        return [await attacked.measure(kind, seconds) for kind in kinds]
    finally:
        await attacked.close()
