"""Connections of HTTP: a request comes within some time and bytes, and no address holds too many of them.

Nobody reads slowly, writes slowly or keeps silent for long. Sockets are counted and let go by themselves.
"""

import asyncio
import functools
import resource
from typing import Any

from msgspec.structs import replace
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from thirdcard.server.security import WRITE_ANSWER, Guard, Proxies, subscriber

MOST_HEAD = 32 * 1024  # bytes of a request beside its body: first line, headers, sizes of chunks, trailers
MOST_FILES = 65_536  # open at once, sockets among them


class Connections:
    """Counts the connections of each client; trusted proxies stand for many, and are not counted."""

    def __init__(self, guard: Guard) -> None:
        self.seconds = guard.request_seconds
        self._most = guard.connections_of_one
        self._proxies = Proxies(guard.proxies)
        self._open: dict[str, int] = {}

    def enter(self, address: str) -> bool:
        """Count one more connection; whether that many may be open."""
        if self._proxies.trusts(address):
            return True
        client = subscriber(address)
        if self._open.get(client, 0) >= self._most:
            return False
        self._open[client] = self._open.get(client, 0) + 1
        return True

    def leave(self, address: str) -> None:
        """Count one connection less."""
        client = subscriber(address)
        left = self._open.get(client, 0) - 1
        if left > 0:
            self._open[client] = left
        else:
            self._open.pop(client, None)


class LimitedHttp(HttpToolsProtocol):
    """A connection that is let go when its client is one too many, too slow, or says too much."""

    def __init__(self, *args: Any, connections: Connections, **named: Any) -> None:
        super().__init__(*args, **named)
        self._counts = connections
        self._entered = False
        self._beside = 0  # bytes of the request so far that are none of its body
        self._arriving = True  # a request, or the first one is waited for
        self._timer: asyncio.TimerHandle | None = None
        self._due: float | None = None  # by the clock of the loop

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a connection, or let it go at once."""
        super().connection_made(transport)
        self._entered = self._counts.enter(self._address)
        if self._entered:
            self._limit_time()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no more."""
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what comes of a request, unless there is too much beside its body."""
        if self._beside > MOST_HEAD:
            self.send_400_response("The head of the request is too long.")
            return
        self._beside += len(data)
        super().data_received(data)

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong, unless an answer comes before that; then end without a word."""
        before: RequestResponseCycle | None = self.cycle
        if before is None or before.response_complete:
            super().send_400_response(msg)
        else:
            self.transport.close()

    def on_message_begin(self) -> None:
        """Begin to measure a request."""
        super().on_message_begin()
        self._beside = 0
        self._arriving = True
        self._limit_time()

    def on_headers_complete(self) -> None:
        """Take the body from now on, and no header after it: the request is judged by those before."""
        super().on_headers_complete()
        cycle: RequestResponseCycle | None = self.cycle  # of the request before, if this one opens a socket
        if cycle is not None and cycle.scope is self.scope:
            extensions: dict[str, Any] = {WRITE_ANSWER: functools.partial(write_answer, cycle)}
            self.scope["extensions"] = extensions
            self.headers = []

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._beside -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Let the request take its time from now on: it is whole."""
        self._arriving = False
        self._beside = 0
        self._unlimit_time()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Become a socket, which is counted among the sockets."""
        self._leave()
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        """Wait for a client that takes nothing, for some time."""
        super().pause_writing()
        self._limit_time()

    def resume_writing(self) -> None:
        """Go on with an answer."""
        super().resume_writing()
        self._unlimit_time()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def _leave(self) -> None:
        self._due = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._entered:
            self._entered = False
            self._counts.leave(self._address)

    def _limit_time(self) -> None:
        """Let the connection go unless something happens in time; one timer looks after many requests.

        A client that takes nothing of an answer gains no time by another request.
        """
        if self._due is None or not self.flow.write_paused:
            self._due = self.loop.time() + self._counts.seconds
        if self._timer is None:
            self._timer = self.loop.call_at(self._due, self._look_at_time)

    def _unlimit_time(self) -> None:
        """Wait as long as it takes, unless a request is to come or an answer to be taken."""
        if not self._arriving and not self.flow.write_paused:
            self._due = None

    def _look_at_time(self) -> None:
        self._timer = None
        if self._due is None:
            return
        if self._due <= self.loop.time():
            self.transport.abort()
        else:
            self._timer = self.loop.call_at(self._due, self._look_at_time)


def write_answer(cycle: RequestResponseCycle, content: bytes) -> bool:
    """Write a whole answer at once, in place of the head and the body one after another.

    Tell whether that was possible: the connection stays open, and its client reads.
    """
    if cycle.response_started or cycle.disconnected or not cycle.keep_alive or cycle.flow.write_paused:
        return False
    cycle.transport.write(content)
    cycle.response_started = cycle.response_complete = True
    cycle.message_event.set()
    cycle.on_response()
    return True


def limited_http(guard: Guard) -> Any:
    """Return the protocol of the connections of one server."""
    return functools.partial(LimitedHttp, connections=Connections(guard))


def let_many_in(guard: Guard) -> Guard:
    """Have as many files open as the machine permits, and no client more than a part of them."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    if wished > now:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wished, most))
    return replace(
        guard,
        connections_of_one=min(guard.connections_of_one, wished // 4),
        sockets_of_one=min(guard.sockets_of_one, wished // 2),
    )
