"""Sockets that ask for much and read nothing, or say nothing at all, beside somebody who plays."""

import asyncio
import contextlib
import itertools
import resource
import socket
import time
from pathlib import Path

import httpx
from limits import LONG_ENOUGH
from msgspec import Struct
from server.served import Served, serving, timers
from server.watching import Bots

from thirdcard.client.bot import BotPlan
from thirdcard.client.calls import Client
from thirdcard.server.security import Guard
from thirdcard.wire.paths import API

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
TERMINALS: dict[str, tuple[str, int | None]] = {f"E{number}": (SIX, None) for number in (1, 2, 3)}
AT_ONCE = 50
ASKS = 40  # for everything that a table shows, by a socket that reads none of it
MEGABYTE = 1024 * 1024


class HeldOut(Struct, frozen=True):
    """How it went: requests beside the sockets, the seconds of the longest, and what the server held."""

    requests: int
    longest: float
    bytes: int


class Lazy:
    """A socket that opens, asks for things, and never reads what comes."""

    def __init__(self, opened: socket.socket) -> None:
        self.socket = opened

    @classmethod
    async def open(cls, client: Client, *, asks: int) -> "Lazy":
        loop = asyncio.get_running_loop()
        opened = socket.socket()
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.setblocking(False)
        host, _, port = client.address.removeprefix("http://").partition(":")
        await loop.sock_connect(opened, (host, int(port)))
        head = (
            f"GET {API}/socket HTTP/1.1\r\nhost: {host}:{port}\r\n"
            "upgrade: websocket\r\nconnection: Upgrade\r\n"
            "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13\r\n"
            f"authorization: Bearer {client.token}\r\n\r\n"
        )
        await loop.sock_sendall(opened, head.encode())
        answer = await loop.sock_recv(opened, 512)
        assert answer.startswith(b"HTTP/1.1 101"), answer
        ask = f'{{"type":"watch","table":"{SIX}"}}'.encode()
        frame = bytes((0x81, 0x80 | len(ask), 0, 0, 0, 0)) + ask  # masked with noughts
        await loop.sock_sendall(opened, frame * asks)
        return cls(opened)

    def is_over(self) -> bool:
        """Whether the server has let it go, which shows once everything was read."""
        with contextlib.suppress(BlockingIOError):
            try:
                while self.socket.recv(65_536):
                    pass
            except ConnectionError:
                return True
            return True
        return False


async def hold_out(folder: Path, *, sockets: int, silence: float) -> HeldOut:
    """Play beside so many sockets, half slow and half silent, until the server has let all of them go.

    ``silence`` is how long the server bears with one, in real seconds: sockets and the kernel know no other.
    It must be long enough for a busy machine to answer within it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536) if hard > 0 else 65_536, hard))
    guard = Guard(per_second=0, silence=silence)
    try:
        async with serving(folder, TABLES, TERMINALS, guard=guard) as served:
            with contextlib.ExitStack() as closing:
                found = await _beside(served, sockets, closing)
            assert "Traceback" not in served.servers[0].log, served.servers[0].log
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert found.longest < silence, "somebody waited for a socket that takes nothing"
    assert found.bytes < (200 + sockets / 2) * MEGABYTE
    return found


async def _beside(served: Served, sockets: int, closing: contextlib.ExitStack) -> HeldOut:
    """A bot plays, and somebody asks for the table, while sockets take nothing."""
    slow, silent = served.terminal("E3"), await served.staff("Dana")
    kinds = itertools.cycle(((slow, ASKS), (silent, 1)))
    lazy: list[Lazy] = []
    for _ in range(sockets // AT_ONCE):
        opening = (Lazy.open(client, asks=asks) for client, asks in itertools.islice(kinds, AT_ONCE))
        lazy += await asyncio.gather(*opening)
        for each in lazy[-AT_ONCE:]:
            closing.callback(each.socket.close)
    bot = Bots(served).come(served.terminal("E1"), BotPlan(patron="Ann", rounds=3))
    playing, other = asyncio.create_task(bot.play()), served.terminal("E2")
    times: list[float] = []
    while not playing.done():
        begun = time.monotonic()
        await other.table(SIX)
        times.append(time.monotonic() - begun)
        await asyncio.sleep(0)
    await playing
    assert bot.played.rounds >= 3
    assert served.servers[0].process is not None
    held = _memory(served.servers[0].process.pid)
    while await _open_sockets(served) > 0 or not all(each.is_over() for each in lazy):
        await asyncio.sleep(0.2)
    return HeldOut(len(times), max(times), held)


def _memory(pid: int) -> int:
    """Bytes that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1]) * resource.getpagesize()


async def _open_sockets(served: Served) -> int:
    """How many sockets the server says it has."""
    async with httpx.AsyncClient(trust_env=False, timeout=LONG_ENOUGH) as http:
        text = (await http.get(f"{served.servers[0].address}metrics")).text
    line = next(line for line in text.splitlines() if line.startswith("thirdcard_sockets "))
    return round(float(line.split()[1]))
