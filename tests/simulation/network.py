"""A network between simulated clients and servers: it delays, loses, doubles and cuts.

Requests go through our client's own code and the server's own application; only what lies between a client
library and an ASGI application is simulated. Whatever a server says is looked at on its way out: nothing may
be told that is not durable.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
from msgspec import Struct
from simulation.disk import Disk
from simulation.loop import Process
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response

from thirdcard.refusals import Refusal
from thirdcard.server.app import App

PATIENCE = 15.0  # seconds until a client gives a request up
SLOWEST = 0.08  # seconds that a message takes at the most, unless it is held up
BUFFER = 32  # messages that a server can send before a slow client has read them
ADDRESS = ("127.0.0.1", 40_000)


class NetworkFaults(Struct):
    """How often, in shares of one, messages are lost, doubled or held up, and sockets are cut."""

    lost: float = 0.0
    doubled: float = 0.0
    held_up: float = 0.0
    cut: float = 0.0
    slow: float = 0.0


class Told(msgspec.Struct):
    """The parts of an answer that say what is recorded."""

    type: str | None = None
    command_id: str | None = None
    table: str | None = None
    sequence: int | None = None
    reason: str | None = None


_told = msgspec.json.Decoder(Told)


class Server(Struct, eq=False):
    """An application that can be reached, in its process."""

    process: Process
    app: App


class Network:
    """Every server by its address, and what happens on the way there."""

    def __init__(self, disk: Disk, dice: random.Random, faults: NetworkFaults) -> None:
        self.servers: dict[str, Server] = {}
        self.acknowledged: dict[str, int | None] = {}
        self.refused: dict[str, str | None] = {}
        self.ahead: list[str] = []
        self.frames = 0
        self.disk = disk
        self.dice = dice
        self.faults = faults

    async def travel(self) -> None:
        """Wait as long as a message is under way."""
        held = self.dice.random() < self.faults.held_up
        await asyncio.sleep(self.dice.random() * (3.0 if held else SLOWEST))

    def happens(self, share: float) -> bool:
        """Whether something happens that has this share."""
        return self.dice.random() < share

    def look_at(self, content: bytes) -> Told | None:
        """Look at what a server says on its way out: only what is durable may be told."""
        try:
            told = _told.decode(content)
        except msgspec.DecodeError:
            return None
        if told.command_id is not None and told.sequence is not None:
            record = self.disk.has(told.command_id)
            if record is None or record.sequence != told.sequence:
                self.ahead.append(f"{told.command_id} is answered and not recorded")
        elif told.table is not None and told.sequence is not None:
            self.frames += 1
            if self.disk.ends().get(told.table, 0) < told.sequence:
                self.ahead.append(f"{told.table} is shown at {told.sequence}, which is not recorded")
        return told

    def note(self, told: Told | None) -> None:
        """Note an answer that a client has got."""
        if told is None or told.command_id is None:
            return
        if told.sequence is not None:
            self.acknowledged[told.command_id] = told.sequence
        elif told.reason != Refusal.TABLE_STOPPED.value:  # which says that it may have been recorded
            self.refused[told.command_id] = told.reason


class Transport(httpx.AsyncBaseTransport):
    """Carries the requests of a client."""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Carry a request to its server, and the answer back."""
        network = self._network
        content = await request.aread()
        await network.travel()
        server = network.servers.get(str(request.url.host))
        if server is None or not server.process.alive:
            raise httpx.ConnectError("nobody is there", request=request)
        if network.happens(network.faults.lost):
            await asyncio.sleep(PATIENCE)
            raise httpx.ReadTimeout("the request was lost", request=request)
        if network.happens(network.faults.doubled):
            server.process.start(_answer(server.app, request, content))
        work = server.process.start(_answer(server.app, request, content))
        status, headers, body = await _unless_dead(
            work, server.process, httpx.ReadError("the server is gone")
        )
        told = network.look_at(body)
        await network.travel()
        if network.happens(network.faults.lost):
            raise httpx.ReadError("the answer was lost", request=request)
        network.note(told)
        return httpx.Response(status, headers=headers, content=body, request=request)


async def _unless_dead(work: "asyncio.Task[Any]", process: Process, error: Exception) -> Any:
    """Wait for something that a process does, or for its death."""
    dead = asyncio.ensure_future(process.dead.wait())
    await asyncio.wait((work, dead), return_when=asyncio.FIRST_COMPLETED)
    dead.cancel()
    if not process.alive:
        raise error
    return work.result()


async def _answer(
    app: App, request: httpx.Request, content: bytes
) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """The answer of an application to a request."""
    waiting = [{"type": "http.request", "body": content, "more_body": False}]
    gone = asyncio.Event()
    answered: list[Any] = []

    async def receive() -> Any:
        if waiting:
            return waiting.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        answered.append(message)

    await app.gate(_scope("http", str(request.url), request.headers.raw, request.method), receive, send)
    start = answered[0]
    return start["status"], list(start["headers"]), b"".join(each.get("body", b"") for each in answered[1:])


def _scope(kind: str, url: str, headers: list[tuple[bytes, bytes]], method: str) -> Any:
    parts = urlsplit(url)
    scope: dict[str, Any] = {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": parts.scheme,
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "root_path": "",
        "query_string": parts.query.encode(),
        "headers": [(name.lower(), value) for name, value in headers],
        "client": ADDRESS,
        "server": (parts.hostname, 80),
        "state": {},
    }
    if kind == "http":
        return scope | {"method": method}
    return scope | {"subprotocols": []}


class Connection:
    """A socket: messages in order in both directions, until one side closes it or it is cut."""

    def __init__(self, network: Network, server: Server) -> None:
        self._network = network
        self._server = server
        self._up: asyncio.Queue[Any] = asyncio.Queue()
        self._down: asyncio.Queue[Any] = asyncio.Queue(BUFFER)
        self._open = asyncio.Event()
        self.over = asyncio.Event()
        self.refusal: tuple[int, bytes] | None = None
        self._slow = network.happens(network.faults.slow)
        self._task: asyncio.Task[None] | None = None

    async def opened(self, url: str, headers: dict[str, str]) -> None:
        """Shake hands."""
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = _scope("websocket", url, [*raw, (b"host", urlsplit(url).netloc.encode())], "GET")
        await self._up.put({"type": "websocket.connect"})
        self._task = self._server.process.start(self._server.app.gate(scope, self._receive, self._send))
        opened = asyncio.ensure_future(self._open.wait())
        dead = asyncio.ensure_future(self._server.process.dead.wait())
        await asyncio.wait((opened, dead, self._task), return_when=asyncio.FIRST_COMPLETED)
        opened.cancel()
        dead.cancel()
        if self.refusal is not None:
            raise InvalidStatus(Response(self.refusal[0], "", Headers(), self.refusal[1]))
        if not self._open.is_set():
            raise OSError("the server is gone")

    # the server's side

    async def _receive(self) -> Any:
        taken = asyncio.ensure_future(self._up.get())
        over = asyncio.ensure_future(self.over.wait())
        try:
            await asyncio.wait((taken, over), return_when=asyncio.FIRST_COMPLETED)
            return taken.result() if taken.done() else {"type": "websocket.disconnect", "code": 1006}
        finally:
            taken.cancel()
            over.cancel()

    async def _send(self, message: Any) -> None:
        match message["type"]:
            case "websocket.accept":
                self._open.set()
            case "websocket.send":
                told = self._network.look_at(message["text"].encode())
                put = asyncio.ensure_future(self._down.put((message["text"], told)))
                over = asyncio.ensure_future(self.over.wait())
                try:
                    await asyncio.wait((put, over), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    put.cancel()
                    over.cancel()
                if self.over.is_set():
                    raise OSError("the client is gone")
            case "websocket.http.response.start":
                self.refusal = message["status"], b""
            case "websocket.http.response.body":
                assert self.refusal is not None
                self.refusal = self.refusal[0], self.refusal[1] + message.get("body", b"")
            case "websocket.close":
                if not self._open.is_set():
                    self.refusal = self.refusal or (403, b"")
                    return
                await self._down.put(None)

    # the client's side

    async def send(self, text: str) -> None:
        """Send a message."""
        await self._network.travel()
        if self.over.is_set() or not self._server.process.alive:
            raise OSError("the connection is cut")
        if self._network.happens(self._network.faults.cut):
            self.over.set()
            raise OSError("the connection is cut")
        self._up.put_nowait({"type": "websocket.receive", "text": text})
        if self._network.happens(self._network.faults.doubled):
            self._up.put_nowait({"type": "websocket.receive", "text": text})

    async def __aiter__(self) -> AsyncIterator[str]:
        while True:
            found = await self._next()
            if found is None:
                raise OSError("the connection is closed")
            text, told = found
            self._network.note(told)
            yield text

    async def _next(self) -> Any:
        taken = asyncio.ensure_future(self._down.get())
        others = [asyncio.ensure_future(each.wait()) for each in (self.over, self._server.process.dead)]
        try:
            await asyncio.wait((taken, *others), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in others:
                each.cancel()
        await asyncio.sleep(self._network.dice.random() * (4.0 if self._slow else SLOWEST))
        if self._network.happens(self._network.faults.cut):
            self.over.set()
        if self.over.is_set() or not taken.done():
            taken.cancel()
            return None
        return taken.result()

    async def close(self) -> None:
        """Close it."""
        self.over.set()


def connecting(network: Network) -> Callable[..., Any]:
    """The function that opens a socket in the place of the client library."""

    async def connect(url: str, *, additional_headers: dict[str, str], **_: object) -> Connection:
        await network.travel()
        server = network.servers.get(urlsplit(url).hostname or "")
        if server is None or not server.process.alive:
            raise OSError("nobody is there")
        connection = Connection(network, server)
        await connection.opened(url, additional_headers)
        return connection

    return connect
