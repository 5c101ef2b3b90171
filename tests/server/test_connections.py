"""Connections that keep silent, dawdle or come in masses are let go, and nobody else waits for them."""

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from limits import LONG_ENOUGH
from server.served import Served, serving, timers

from thirdcard.server.connections import MOST_FILES, MOST_HEAD, Connections, let_many_in
from thirdcard.server.security import Guard

pytestmark = pytest.mark.timed
SHORT = 0.3  # real seconds: that a connection is let go by real time is the point
HASTY = Guard(per_second=0, request_seconds=SHORT, connections_of_one=1_000)
ASKING = b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n"
TABLE = f"""
[[table]]
name = "T"
game = "mbs-super-six-etg-v3"
terminal = true
virtual_shoe = true
automatic_dealer = true
{timers()}
"""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Door:
    """The way to a server for raw connections, all of which are closed at the end."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._open: list[Streams] = []

    async def connect(self) -> Streams:
        """Open another connection."""
        host, _, port = self._served.addresses[0].removeprefix("http://").rstrip("/").partition(":")
        self._open.append(await asyncio.open_connection(host, int(port)))
        return self._open[-1]

    async def close(self) -> None:
        """Close them all."""
        for _, writer in self._open:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


@contextlib.asynccontextmanager
async def floor(folder: Path, guard: Guard) -> AsyncIterator[Door]:
    async with asyncio.timeout(LONG_ENOUGH), serving(folder, TABLE, guard=guard) as served:
        door = Door(served)
        try:
            yield door
        finally:
            await door.close()


async def is_let_go(streams: Streams) -> bool:
    """Wait until the server ends a connection; whether it said nothing."""
    with contextlib.suppress(ConnectionError):
        return await streams[0].read() == b""
    return True


async def test_a_request_that_does_not_come_whole_is_not_waited_for(tmp_path: Path) -> None:
    posted = b"POST /api/v1/sign-in HTTP/1.1\r\nhost: 127.0.0.1\r\nx-thirdcard: a\r\n"
    async with floor(tmp_path, HASTY) as door:
        for said in (b"", b"GET /health HTT", ASKING, posted + b"content-length: 9\r\n\r\n{"):
            streams = await door.connect()
            streams[1].write(said)
            assert await is_let_go(streams), said
        reader, writer = await door.connect()
        writer.write(ASKING + b"\r\n" + ASKING)
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        assert (await reader.read()).count(b"HTTP/1.1") == 0  # nor is the second request of a connection


async def test_a_head_without_end_is_refused(tmp_path: Path) -> None:
    async with floor(tmp_path, Guard(per_second=0)) as door:
        reader, writer = await door.connect()
        writer.write(ASKING)
        with contextlib.suppress(ConnectionError):
            for number in range(20 * MOST_HEAD):
                writer.write(b"x-%d: %s\r\n" % (number, b"y" * 1000))
                await writer.drain()
        with contextlib.suppress(ConnectionError):
            assert b"too long" in await reader.read()


async def test_one_address_holds_so_many_connections(tmp_path: Path) -> None:
    async with floor(tmp_path, Guard(per_second=0, connections_of_one=5)) as door:
        held = [await door.connect() for _ in range(5)]
        for _, writer in held:
            writer.write(ASKING)
        assert await is_let_go(await door.connect())
        held[0][1].close()
        await held[0][1].wait_closed()
        reader, writer = held[1]
        writer.write(b"\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")  # those that are in are served


async def test_a_socket_is_no_connection_of_http_any_more(tmp_path: Path) -> None:
    async with floor(tmp_path, Guard(per_second=0, connections_of_one=2)) as door:
        upgrade = b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
        key = b"sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        for _ in range(4):
            reader, writer = await door.connect()
            writer.write(b"GET /api/v1/socket HTTP/1.1\r\nhost: 127.0.0.1\r\n" + upgrade + key)
            assert (await reader.readline()).startswith(b"HTTP/1.1 ")


def test_a_proxy_stands_for_many() -> None:
    counted = Connections(Guard(proxies=("10.0.0.0/8",), connections_of_one=1))
    assert [counted.enter("10.0.0.4") for _ in range(3)] == [True] * 3
    assert [counted.enter("203.0.113.9") for _ in range(2)] == [True, False]
    counted.leave("203.0.113.9")
    assert counted.enter("203.0.113.9")
    assert [counted.enter("2001:db8::1"), counted.enter("2001:db8::2")] == [True, False]


def test_no_client_takes_all_files(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = [(1024, 1024)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: limits.append(both))
    guard = let_many_in(Guard())
    assert (guard.connections_of_one, guard.sockets_of_one) == (256, 512)
    limits[:] = [(1024, resource.RLIM_INFINITY)]
    assert let_many_in(Guard()) == Guard()
    assert limits[-1] == (MOST_FILES, resource.RLIM_INFINITY)
