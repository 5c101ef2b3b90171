"""A network between simulated clients and servers: it delays, loses, doubles and cuts.

Requests go through our client's own code and the server's own application; only what lies between a client
library and an ASGI application is simulated. Whatever a server says is looked at on its way out: nothing may
be told that is not durable.
"""

import asyncio
import contextlib
import random
from collections import deque
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

from thirdcard.ordered import OrderedSet
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
    """Every server by its address, and what happens on the way there.

    A message that is doubled is two requests: a patron's refusal is not recorded, so what was refused while a
    table was paused can be done when the second comes, and whoever sent it is told both. Of ``done`` a server
    has said so, whether or not that arrived.
    """

    def __init__(self, disk: Disk, dice: random.Random, faults: NetworkFaults) -> None:
        self.servers: dict[str, Server] = {}
        self.acknowledged: dict[str, int | None] = {}
        self.refused: dict[str, str | None] = {}
        self.doubled: set[str] = set()
        self.done: set[str] = set()
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
            self.done.add(told.command_id)
            record = self.disk.has(told.command_id)
            if record is None or record.sequence != told.sequence:
                self.ahead.append(f"{told.command_id} is answered and not recorded")
        elif told.table is not None and told.sequence is not None:
            self.frames += 1
            if self.disk.ends().get(told.table, 0) < told.sequence:
                self.ahead.append(f"{told.table} is shown at {told.sequence}, which is not recorded")
        return told

    def note_doubled(self, content: bytes | str) -> None:
        """Note which command comes twice, if it is one."""
        with contextlib.suppress(msgspec.DecodeError):
            command_id = _told.decode(content).command_id
            if command_id is not None:
                self.doubled.add(command_id)

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
            network.note_doubled(content)
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
    await process.wait_for(work)
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


class Pipe:
    """Messages in one direction, in their order, between one that writes and one that reads."""

    def __init__(self, most: int | None = None) -> None:
        self._messages: deque[Any] = deque()
        self._most = most
        self._waiting: OrderedSet[asyncio.Future[None]] = OrderedSet()

    @property
    def is_full(self) -> bool:
        """Whether a writer must wait until something is read."""
        return self._most is not None and len(self._messages) >= self._most

    def __len__(self) -> int:
        return len(self._messages)

    def put(self, message: Any) -> None:
        """Write a message."""
        self._messages.append(message)
        self.wake()

    def take(self) -> Any:
        """Read the next message."""
        message = self._messages.popleft()
        self.wake()
        return message

    def wake(self, _: object = None) -> None:
        """Let both sides look again."""
        for each in self._waiting:
            if not each.done():
                each.set_result(None)
        self._waiting.clear()

    async def changes(self) -> None:
        """Wait until somebody has both sides look again."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(waiter)
        try:
            await waiter
        finally:
            self._waiting.discard(waiter)


class Connection:
    """A socket: messages in order in both directions, until one side closes it or it is cut."""

    def __init__(self, network: Network, server: Server) -> None:
        self._network = network
        self._server = server
        self._up = Pipe()
        self._down = Pipe(BUFFER)
        self._opened: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.is_over = False
        self.refusal: tuple[int, bytes] | None = None
        self._slow = network.happens(network.faults.slow)
        self._task: asyncio.Task[None] | None = None

    async def opened(self, url: str, headers: dict[str, str]) -> None:
        """Shake hands."""
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = _scope("websocket", url, [*raw, (b"host", urlsplit(url).netloc.encode())], "GET")
        self._up.put({"type": "websocket.connect"})
        process = self._server.process
        self._task = process.start(self._server.app.gate(scope, self._receive, self._send))
        self._task.add_done_callback(self._is_open)
        await process.wait_for(self._opened)
        if self.refusal is not None:
            raise InvalidStatus(Response(self.refusal[0], "", Headers(), self.refusal[1]))
        if not self._opened.done() or not self._opened.result():
            raise OSError("the server is gone")

    def _is_open(self, ended: object = None) -> None:
        if not self._opened.done():
            self._opened.set_result(ended is None)

    @property
    def _is_cut(self) -> bool:
        return self.is_over or not self._server.process.alive

    def end(self) -> None:
        """End it: nothing comes through any more."""
        self.is_over = True
        self._up.wake()
        self._down.wake()

    # the server's side

    async def _receive(self) -> Any:
        while not self._up:
            if self.is_over:
                return {"type": "websocket.disconnect", "code": 1006}
            await self._up.changes()
        return self._up.take()

    async def _send(self, message: Any) -> None:
        match message["type"]:
            case "websocket.accept":
                self._is_open()
            case "websocket.send":
                told = self._network.look_at(message["text"].encode())
                while self._down.is_full and not self.is_over:
                    await self._down.changes()
                if self.is_over:
                    raise OSError("the client is gone")
                self._down.put((message["text"], told))
            case "websocket.http.response.start":
                self.refusal = message["status"], b""
            case "websocket.http.response.body":
                assert self.refusal is not None
                self.refusal = self.refusal[0], self.refusal[1] + message.get("body", b"")
            case "websocket.close":
                if not self._opened.done():
                    self.refusal = self.refusal or (403, b"")
                    return
                self._down.put(None)

    # the client's side

    async def send(self, text: str) -> None:
        """Send a message."""
        await self._network.travel()
        if self._is_cut:
            raise OSError("the connection is cut")
        if self._network.happens(self._network.faults.cut):
            self.end()
            raise OSError("the connection is cut")
        self._up.put({"type": "websocket.receive", "text": text})
        if self._network.happens(self._network.faults.doubled):
            self._network.note_doubled(text)
            self._up.put({"type": "websocket.receive", "text": text})

    async def __aiter__(self) -> AsyncIterator[str]:
        self._server.process.at_death(self._down.wake)
        while True:
            found = await self._next()
            if found is None:
                raise OSError("the connection is closed")
            text, told = found
            self._network.note(told)
            yield text

    async def _next(self) -> Any:
        while not self._down and not self._is_cut:
            await self._down.changes()
        found = self._down.take() if self._down else None
        await asyncio.sleep(self._network.dice.random() * (4.0 if self._slow else SLOWEST))
        if self._network.happens(self._network.faults.cut):
            self.end()
        return None if self.is_over else found

    async def close(self) -> None:
        """Close it."""
        self.end()


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
