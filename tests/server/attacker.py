"""One client that asks for far too much, in a process of its own: ``python -m server.attacker PLAN``.

Each attack goes at a rate of its own, whatever the server answers, so that two servers are attacked alike.
"""

import asyncio
import contextlib
import itertools
import json
import sys
import time
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

FROM = "127.0.0.3"  # not the address of those who play
TABLE = "Six"
PLAYED = "Fast"  # a table with rounds that are over


class Plan(Struct):
    """An attack: its kind, the server's host and port, tokens of a terminal and an auditor, and how long."""

    kind: str
    host: str
    port: int
    terminal: str
    auditor: str
    seconds: float


class Line:
    """A connection of the attacker."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def open(self) -> "Line":
        self.reader, self.writer = await asyncio.open_connection(
            self.plan.host, self.plan.port, local_addr=(FROM, 0)
        )
        return self

    def request(self, method: str, path: str, token: str, body: bytes = b"") -> None:
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {self.plan.host}:{self.plan.port}\r\nx-thirdcard: a\r\n"
            f"authorization: Bearer {token}\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)

    async def answer(self) -> None:
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = next(
            (line.split(b":")[1] for line in head.split(b"\r\n") if line.startswith(b"content-length")), b"0"
        )
        await self.reader.readexactly(int(length))

    async def upgrade(self) -> "Line":
        self.writer.write(
            f"GET /api/v1/socket HTTP/1.1\r\nhost: {self.plan.host}:{self.plan.port}\r\n"
            "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n"
            "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"authorization: Bearer {self.plan.terminal}\r\n\r\n".encode()
        )
        await self.reader.readuntil(b"\r\n\r\n")
        return self

    def send(self, content: bytes) -> None:
        size = len(content)
        length = bytes((0x80 | size,)) if size < 126 else bytes((0x80 | 126,)) + size.to_bytes(2, "big")
        self.writer.write(b"\x81" + length + b"\0\0\0\0" + content)


async def asking(plan: Plan, *, lines: int, rate: float, paths: list[tuple[str, str, str, bytes]]) -> None:
    """Ask for paths over so many connections, so many times a second in all."""
    turns = itertools.cycle(paths)

    async def one() -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            line = await Line(plan).open()
            while True:
                began = time.monotonic()
                line.request(*next(turns))
                await line.answer()
                await asyncio.sleep(max(0.0, lines / rate - (time.monotonic() - began)))

    await asyncio.gather(*(one() for _ in range(lines)))


async def holding(plan: Plan, *, lines: int, upgrade: bool, said: bytes, times: int = 1) -> None:
    """Open connections or sockets, say something, and take nothing."""
    held = []
    for _ in range(lines):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            line = await Line(plan).open()
            if upgrade:
                await line.upgrade()
                for _ in range(times if said else 0):
                    line.send(said)
            else:
                line.writer.write(said)
            held.append(line)
    await asyncio.sleep(plan.seconds)


async def talking(plan: Plan, *, lines: int, rate: float, said: Callable[[int], bytes]) -> None:
    """Send messages over sockets, so many a second in all, and read what comes."""
    numbers = itertools.count()

    async def one() -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            line = await (await Line(plan).open()).upgrade()
            reading = asyncio.create_task(line.reader.read(-1))
            while not reading.done():
                line.send(said(next(numbers)))
                await line.writer.drain()
                await asyncio.sleep(lines / rate)

    await asyncio.gather(*(one() for _ in range(lines)))


def _watch(_: int) -> bytes:
    return json.dumps({"type": "watch", "table": TABLE, "after": 1}).encode()


def _nested(_: int) -> bytes:
    return b'{"type":"command","table":' + b"[" * 30_000 + b"]" * 30_000 + b"}"


def _dispute(number: int) -> bytes:
    command = {"type": "open-dispute", "patron": "Mal", "about": "x" * 900}
    told = {"type": "command", "table": TABLE, "command_id": f"mal-{number:08}", "command": command}
    return json.dumps(told).encode()


def attack(plan: Plan) -> Awaitable[None]:
    """Begin an attack of section five."""
    messages = f"/api/v1/tables/{TABLE}/messages?after=0&most=1000"
    guess = json.dumps({"credentials": {"name": "Dana", "password": "not that one"}}).encode()
    verify = ("POST", "/api/v1/audit/verify", plan.auditor, b'{"chain_only":false}')
    dossier = ("GET", f"/api/v1/tables/{PLAYED}/rounds/1/dossier", plan.auditor, b"")
    half = b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx: "
    return {
        "messages": lambda: asking(plan, lines=64, rate=60, paths=[("GET", messages, plan.terminal, b"")]),
        "dossiers": lambda: asking(plan, lines=8, rate=40, paths=[dossier, verify]),
        "sign-ins": lambda: asking(plan, lines=16, rate=100, paths=[("POST", "/api/v1/sign-in", "", guess)]),
        "half-open": lambda: holding(plan, lines=900, upgrade=False, said=half),
        "silent": lambda: holding(plan, lines=1000, upgrade=True, said=b""),
        "unread": lambda: holding(plan, lines=300, upgrade=True, said=_watch(0), times=20),
        "unread-news": lambda: holding(plan, lines=300, upgrade=True, said=_watch(0)),
        "watches": lambda: talking(plan, lines=16, rate=200, said=_watch),
        "nested": lambda: talking(plan, lines=8, rate=50, said=_nested),
        "disputes": lambda: talking(plan, lines=1, rate=80, said=_dispute),
    }[plan.kind]()


KINDS = (
    "messages",
    "dossiers",
    "sign-ins",
    "half-open",
    "silent",
    "unread",
    "unread-news",
    "watches",
    "nested",
    "disputes",
)


async def main(plan: Plan) -> None:
    """Say so and attack, for as long as the plan says."""
    print("begins", flush=True)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(plan.seconds):
            await attack(plan)


if __name__ == "__main__":
    asyncio.run(main(msgspec.json.decode(sys.argv[1], type=Plan)))
