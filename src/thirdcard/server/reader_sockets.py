"""Card readers over a socket: each message is one line of their protocol, for a service account."""

import asyncio
import contextlib

from starlette.types import Message, Receive, Scope, Send

from thirdcard.access.endpoints import Endpoint, may_call
from thirdcard.devices.reader_lines import LONGEST
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.context import ServerContext
from thirdcard.server.http import respond
from thirdcard.server.security import shown_tokens, turn_away

MOST_READERS = 256  # open at a time
NOT_SIGNED_IN, GONE = 4401, 1000


class ReaderSockets:
    """All card readers that came by a socket of this server."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one reader from the handshake of its socket to its end."""
        await receive()  # the handshake
        context, tokens = self._context, shown_tokens(scope)
        actor = await context.who_by_now(tokens, active=False)
        refused = actor if isinstance(actor, Refused) else may_call(context.houses, actor, Endpoint.READERS)
        if refused is None and self._open >= MOST_READERS:
            refused = refuse(Refusal.TOO_MANY_REQUESTS, seconds=5)
        if refused is not None:
            await turn_away(scope, receive, send, respond(refused, {}))
            return
        lines, out = _Lines(receive), _Out(send)
        self._open += 1
        try:
            await send({"type": "websocket.accept"})
            with context.calls.watched(tokens, Endpoint.READERS, lambda _: out.end(NOT_SIGNED_IN)):
                await self._talk(lines, out)
        finally:
            self._open -= 1
        if not lines.is_over:
            with contextlib.suppress(OSError, RuntimeError):
                await send({"type": "websocket.close", "code": out.code})

    async def _talk(self, lines: "_Lines", out: "_Out") -> None:
        talk = asyncio.create_task(self._context.readers.talk(lines, out))
        ended = asyncio.create_task(out.ended.wait())
        try:
            await asyncio.wait((talk, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (talk, ended):
                task.cancel()
            await asyncio.gather(talk, ended, return_exceptions=True)


class _Lines:
    """The lines that a reader sends, each a message of its own."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.is_over = False

    async def readline(self) -> bytes:
        """Return the next line; one that is too long ends the conversation."""
        message: Message = await self._receive()
        if message["type"] != "websocket.receive":
            self.is_over = True
            return b""
        text = message.get("text")
        data = (message.get("bytes") or b"") if text is None else text.encode(errors="replace")
        line = data.removesuffix(b"\n")
        return b"" if len(line) >= LONGEST or b"\n" in line else line + b"\n"


class _Out:
    """The lines to a reader."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: list[bytes] = []
        self.ended = asyncio.Event()
        self.code = GONE

    def write(self, data: bytes) -> None:
        """Keep a line until there is time to send it."""
        self._waiting.append(data)

    async def drain(self) -> None:
        """Send what waits."""
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            try:
                await self._send({"type": "websocket.send", "text": line.decode()})
            except RuntimeError as error:  # the socket is closed
                raise ConnectionError(str(error)) from error

    def close(self) -> None:
        """Let the reader go."""
        self.end(GONE)

    def end(self, code: int) -> None:
        """Let the reader go, and say why by the code of the socket."""
        if not self.ended.is_set():
            self.code = code
            self.ended.set()
