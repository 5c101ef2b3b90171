"""One request: who asks, whether they may, what they sent, and the answer or a refusal."""

import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from thirdcard.access.actors import Actor, Stranger
from thirdcard.access.endpoints import Endpoint, may_call
from thirdcard.journal.store import StoreFailed
from thirdcard.messages import FIRST_LANGUAGE
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.context import ServerContext
from thirdcard.server.openapi import Described
from thirdcard.server.reading import read
from thirdcard.server.security import WHOLE_ANSWER, client_of, refusal, shown_tokens
from thirdcard.server.shares import Budget

log = logging.getLogger(__name__)
LONGEST_NUMBER = 16  # digits of a number in an address; a time in microseconds has as many
MOST_ASKED = 20  # fields of a query
STATUS = {
    Refusal.NOT_SIGNED_IN: 401,
    Refusal.SESSION_IDLE: 401,
    Refusal.ACCOUNT_ENDED: 401,
    Refusal.SIGN_IN_FAILED: 401,
    Refusal.NOT_PERMITTED: 403,
    Refusal.SCOPE_MISSING: 403,
    Refusal.NOT_FOR_ACCOUNTS: 403,
    Refusal.NOT_STAFF: 403,
    Refusal.NOT_AUTHORISED: 403,
    Refusal.NOT_YOURS: 403,
    Refusal.TERMINAL_DISABLED: 403,
    Refusal.PERSON_LOCKED: 403,
    Refusal.NO_SUCH_TABLE: 404,
    Refusal.NO_SUCH_PERSON: 404,
    Refusal.NO_SUCH_SESSION: 404,
    Refusal.NO_SUCH_TERMINAL: 404,
    Refusal.NO_SUCH_PROPOSAL: 404,
    Refusal.NO_SUCH_ACCOUNT: 404,
    Refusal.NO_SUCH_WEBHOOK: 404,
    Refusal.NO_SUCH_ROUND: 404,
    Refusal.NO_SUCH_RECEIPT: 404,
    Refusal.NOT_UNDERSTOOD: 400,
    Refusal.COMMAND_ID_USED: 409,
    Refusal.ROUND_NOT_OVER: 409,
    Refusal.REQUEST_TOO_LARGE: 413,
    Refusal.TOO_MANY_REQUESTS: 429,
    Refusal.TABLE_STOPPED: 503,
    Refusal.RECORDS_NOT_WHOLE: 503,
    Refusal.NOT_READY: 503,
}
OTHERWISE = 422  # understood, permitted, and refused by a rule
_encoder = msgspec.json.Encoder()


class Call(Struct):
    """A request that was let in; ``headers`` go out with its answer."""

    actor: Actor
    scope: Scope
    path: dict[str, Any]
    query: dict[str, str]
    form: Any
    headers: dict[str, str]

    @property
    def address(self) -> str:
        """The key under which the client is counted."""
        return client_of(self.scope)

    @property
    def language(self) -> str:
        """The language of the reader, as the query names it; English where it names none."""
        return self.query.get("language", FIRST_LANGUAGE)

    def number(self, name: str, usual: int, *, most: int | None = None) -> int:
        """A whole number of the query."""
        found = whole_number(self.query.get(name, ""), usual)
        return found if most is None else min(found, most)


class Raw(Struct, frozen=True):
    """An answer that is no JSON."""

    content: bytes
    media: str
    name: str | None = None


class Streamed(Struct, frozen=True):
    """An answer that goes on as long as there is something to say, and how it is sent."""

    serve: ASGIApp


Handle = Callable[[ServerContext, Call], Awaitable[Any]]


class Route(Struct, frozen=True):
    """An endpoint with its path, what the description says of it, who handles it, and how much it reads.

    A page ``follows`` some by itself, again and again, which keeps nobody's session from its idle timeout.
    """

    endpoint: Endpoint
    described: Described
    handle: Handle
    cost: Callable[[Call], int] | None = None
    follows: bool = False


class Handler:
    """Answers one route."""

    def __init__(self, context: ServerContext, route: Route, reads: Budget) -> None:
        self._premises = context
        self._route = route
        self._reads = reads
        form = route.described.form
        self._decoder = msgspec.json.Decoder(form) if form is not None else None
        self._counted = functools.cache(
            lambda status: context.metrics.requests.labels(route.endpoint.value, str(status))
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        call = Call(Stranger(), scope, scope["path_params"], {}, None, {})
        answer = await self._answer(call, receive)
        if not (answer is None or call.headers or isinstance(answer, Refused | Raw | Streamed)):
            self._counted(200).inc()
            await send({"type": WHOLE_ANSWER, "status": 200, "body": _encoder.encode(answer)})
            return
        if isinstance(answer, Streamed):
            self._counted(200).inc()
            await answer.serve(scope, receive, send)
            return
        response = respond(answer, call.headers)
        self._counted(response.status_code).inc()
        await response(scope, receive, send)

    async def _answer(self, call: Call, receive: Receive) -> Any:
        tokens = shown_tokens(call.scope)
        actor = self._let_in(await self._premises.who_by_now(tokens, active=not self._route.follows))
        if isinstance(actor, Refused):
            return actor
        if self._decoder is not None:
            content = await _body(receive)
            if content is None:
                return refuse(Refusal.NOT_UNDERSTOOD, problem="it did not come whole")
            actor = self._let_in(self._premises.who(tokens, active=False))  # it may have come slowly
            if isinstance(actor, Refused):
                return actor
            call.form = read(self._decoder, content)
            if isinstance(call.form, Refused):
                return call.form
        call.actor = actor
        try:
            call.query = _query(call.scope["query_string"])
        except ValueError:
            return refuse(Refusal.NOT_UNDERSTOOD, problem=f"it asks more than {MOST_ASKED} things at once")
        if self._route.cost is not None:
            wait = self._reads.take(call.address, self._route.cost(call))
            if wait is not None:
                return refuse(Refusal.TOO_MANY_REQUESTS, seconds=wait)
        try:
            return await self._route.handle(self._premises, call)
        except StoreFailed as error:
            log.warning("its store failed", extra={"fields": {"reason": str(error)}})
            return refuse(Refusal.TABLE_STOPPED)

    def _let_in(self, found: Actor | Refused) -> Actor | Refused:
        """Return who asks, a stranger if their token is good no more, or why they may not ask this."""
        actor = Stranger() if isinstance(found, Refused) else found
        refused = may_call(self._premises.houses, actor, self._route.endpoint)
        if refused is None:
            return actor
        return found if isinstance(found, Refused) else refused


def whole_number(text: str, usual: int) -> int:
    """Return a whole number that a client wrote, or the usual one where it wrote none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else usual


def respond(answer: Any, headers: dict[str, str]) -> Response:
    """An answer as a response."""
    match answer:
        case Refused(reason=Refusal.TOO_MANY_REQUESTS):
            waiting = {"retry-after": str(dict(answer.params)["seconds"])}
            return refusal(answer, STATUS[answer.reason], headers | waiting)
        case Refused():
            return refusal(answer, STATUS.get(answer.reason, OTHERWISE), headers)
        case Raw():
            if answer.name is not None:
                headers = {**headers, "content-disposition": f'attachment; filename="{answer.name}"'}
            return Response(answer.content, 200, headers, answer.media)
        case None:
            return Response(None, 204, headers)
        case _:
            return Response(_encoder.encode(answer), 200, headers, "application/json")


async def _body(receive: Receive) -> bytes | None:
    """Return the body of a request; nothing where it did not come whole."""
    message = await receive()
    parts = [message.get("body", b"")]
    while message.get("more_body", False):
        message = await receive()
        parts.append(message.get("body", b""))
    if message["type"] != "http.request":
        return None
    body: bytes = parts[0] if len(parts) == 1 else b"".join(parts)
    return body


def _query(text: bytes) -> dict[str, str]:
    return dict(parse_qsl(text.decode("latin-1"), max_num_fields=MOST_ASKED)) if text else {}
