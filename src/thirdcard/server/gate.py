"""The gate: the one layer between the network and the application.

Every request passes it once: its address is found, its client is counted, its origin and its size are judged,
and its answer gets the headers that keep a browser safe.
"""

from msgspec import Struct
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thirdcard.refusals import Refusal, refuse
from thirdcard.server.security import (
    WHOLE_ANSWER,
    WRITE_ANSWER,
    Guard,
    Proxies,
    WriteAnswer,
    answer_head,
    client_of,
    first_header,
    is_foreign,
    is_secure,
    refusal,
    turn_away,
    with_security,
)
from thirdcard.server.shares import Budget


class Gate:
    """Lets requests and handshakes of sockets through to an application, or turns them away."""

    def __init__(self, app: ASGIApp, guard: Guard, requests: Budget) -> None:
        self._app = app
        self._guard = guard
        self._proxies = Proxies(guard.proxies) if guard.proxies else None
        self._requests = requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one socket until its end."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._proxies is not None:
            scope = self._proxies.scope_told(scope)
        if scope["type"] == "websocket":
            refused = self._refuse(scope)
            await (turn_away(scope, receive, send, refused) if refused else self._app(scope, receive, send))
            return
        passage = _Passage(scope, receive, send, self._guard.most_bytes)
        response = self._refuse(scope)
        if response is None:
            try:
                await self._app(scope, passage.receive, passage.send)
            except Exception:
                if not passage.is_over:
                    raise
            if passage.is_over and not passage.answered:
                response = _too_large(self._guard.most_bytes)
        if response is not None:
            passage.answered = True  # this goes out, also to a client that counts as gone
            await response(scope, receive, passage.send)

    def _refuse(self, scope: Scope) -> Response | None:
        """Refuse a client that sends too much, another site, or a body that says it is too large."""
        wait = self._requests.take(client_of(scope))
        if wait is not None:
            headers = {"retry-after": str(wait)}
            return refusal(refuse(Refusal.TOO_MANY_REQUESTS, seconds=wait), 429, headers)
        if is_foreign(scope, self._guard):
            return refusal(refuse(Refusal.WRONG_ORIGIN), 403)
        said = first_header(scope, b"content-length")
        if scope["type"] == "http" and said.isdigit() and int(said) > self._guard.most_bytes:
            return _too_large(self._guard.most_bytes)
        return None


def _too_large(most: int) -> Response:
    return refusal(refuse(Refusal.REQUEST_TOO_LARGE, most=most), 413, {"connection": "close"})


class _Passage(Struct):
    """One request on its way: counts what comes of its body, and adds headers to its answer.

    When a body is too large, the client counts as gone, and no answer goes out that has not begun.
    """

    scope: Scope
    incoming: Receive
    outgoing: Send
    left: int
    is_over: bool = False
    answered: bool = False

    async def receive(self) -> Message:
        """Return the next part of the body."""
        message = {"type": "http.disconnect"} if self.is_over else await self.incoming()
        self.left -= len(message.get("body", b""))
        self.is_over = self.left < 0
        return {"type": "http.disconnect"} if self.is_over else message

    async def send(self, message: Message) -> None:
        """Send the next part of the answer."""
        if self.is_over and not self.answered:
            return
        self.answered = True
        if message["type"] == WHOLE_ANSWER:
            await self._send_whole(message["status"], message["body"])
            return
        if message["type"] == "http.response.start":
            message = {**message, "headers": with_security(list(message.get("headers", ())), self.scope)}
        await self.outgoing(message)

    async def _send_whole(self, status: int, content: bytes) -> None:
        """Write an answer in JSON as it is, where the connection can, with a head that is made once."""
        write: WriteAnswer | None = self.scope.get("extensions", {}).get(WRITE_ANSWER)
        head = answer_head(status, secure=is_secure(self.scope))
        if write is None or not write(b"%b%d\r\n\r\n%b" % (head, len(content), content)):
            await Response(content, status, None, "application/json")(self.scope, self.receive, self.send)
