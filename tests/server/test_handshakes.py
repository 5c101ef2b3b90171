"""A handshake of TLS takes a limited time, and is counted among the connections of its address."""

import asyncio
import contextlib
import errno
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import uvloop
from limits import LONG_ENOUGH
from server.test_exposure import self_signed

from thirdcard.server import handshakes
from thirdcard.server.connections import limited_http
from thirdcard.server.handshakes import PART_OF_CONNECTIONS, TlsDoor
from thirdcard.server.security import Guard

pytestmark = pytest.mark.timed
SHORT = 0.3  # real seconds: that a handshake ends by real time is the point
ASKING = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "asyncio": asyncio.SelectorEventLoop,
    "uvloop": uvloop.new_event_loop,
}
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def scheme(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["scheme"].encode()})


class Door:
    """A server over TLS on this machine."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self._port = port
        self._open: list[asyncio.StreamWriter] = []

    async def connect(self, *, secure: bool) -> Streams:
        """Open a connection, with a handshake or without."""
        trusted = ssl.create_default_context(cafile=self._folder / "cert.pem") if secure else None
        streams = await asyncio.open_connection(
            "127.0.0.1", self._port, ssl=trusted, server_hostname="localhost" if secure else None
        )
        self._open.append(streams[1])
        return streams

    async def asked(self) -> bytes:
        """Ask for something over TLS; the answer."""
        reader, writer = await self.connect(secure=True)
        writer.write(ASKING)
        return await reader.read()

    def close(self) -> None:
        """Close everything that was opened."""
        for writer in self._open:
            writer.transport.abort()


@contextlib.asynccontextmanager
async def serving(folder: Path, guard: Guard) -> AsyncIterator[Door]:
    config = uvicorn.Config(
        scheme, loop="none", http=limited_http(guard), ws="none", lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    config.load()

    def make() -> Any:
        return config.http_protocol_class(config=config, server_state=server.server_state, app_state={})  # type: ignore[call-arg]

    bound = socket.create_server(("127.0.0.1", 0))
    tls_door = TlsDoor(bound, self_signed(folder).context(), guard, make)
    door = Door(folder, bound.getsockname()[1])
    async with asyncio.timeout(LONG_ENOUGH):
        tls_door.open()
        try:
            yield door
        finally:
            door.close()
            await tls_door.close()


async def over(reader: asyncio.StreamReader) -> bool:
    """Wait until the server ends a connection."""
    with contextlib.suppress(ConnectionError):
        return await reader.read() == b""
    return True


async def _silent_and_wrong(folder: Path) -> None:
    async with serving(folder, Guard(request_seconds=SHORT)) as door:
        reader, _ = await door.connect(secure=False)
        assert await over(reader)
        reader, writer = await door.connect(secure=False)
        writer.write(ASKING)
        await over(reader)
    async with serving(folder, Guard()) as door:
        answer = await door.asked()
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"https" in answer


async def _counted(folder: Path) -> None:
    async with serving(folder, Guard(connections_of_one=3 * PART_OF_CONNECTIONS)) as door:
        held = [await door.connect(secure=False) for _ in range(3)]
        reader, _ = await door.connect(secure=False)
        assert await over(reader)
        held[0][1].transport.abort()
        while True:
            with contextlib.suppress(ConnectionError):
                if await door.asked():
                    break
            await asyncio.sleep(0)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("work", [_silent_and_wrong, _counted], ids=lambda work: work.__name__)
def test_a_handshake_is_limited(tmp_path: Path, loop: str, work: Any) -> None:
    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        runner.run(work(tmp_path))


async def test_a_server_without_room_for_another_connection_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, rests = asyncio.get_running_loop(), 0
    real = loop.sock_accept

    async def full(*_: object) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    async def rest(_: float) -> None:
        nonlocal rests
        rests += 1
        monkeypatch.setattr(loop, "sock_accept", real)

    monkeypatch.setattr(loop, "sock_accept", full)
    monkeypatch.setattr(handshakes, "rest", rest)
    async with serving(tmp_path, Guard()) as door:
        assert await door.asked()
    assert rests == 1
