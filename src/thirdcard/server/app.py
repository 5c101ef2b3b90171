"""The application: every route with its guard, the socket, the description, and the screens."""

import msgspec
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as HttpRoute
from starlette.routing import Router, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from thirdcard.refusals import Refusal, refuse
from thirdcard.server.context import ServerContext
from thirdcard.server.http import LONGEST_NUMBER, Handler, Raw, Route, respond
from thirdcard.server.openapi import describe, page
from thirdcard.server.routes import ROUTES
from thirdcard.server.screens import screens
from thirdcard.server.security import Guard, guarded, refusal, turn_away
from thirdcard.server.sockets import Sockets
from thirdcard.wire.paths import API, SOCKET
from thirdcard.wire.refusals import RefusedMessage


class _Number(IntegerConvertor):
    """A whole number in an address, no longer than any can be."""

    regex = f"[0-9]{{1,{LONGEST_NUMBER}}}"


register_url_convertor("number", _Number())


class App:
    """A floor as an ASGI application."""

    def __init__(self, context: ServerContext, guard: Guard = Guard()) -> None:  # noqa: B008 - frozen
        self.context = context
        self.sockets = Sockets(context, guard)
        document = describe(tuple(route.described for route in ROUTES), RefusedMessage)
        written = msgspec.json.encode(document)
        read = page(document).encode()
        routes = [
            *_routes(context),
            _fixed(f"{API}/openapi.json", Raw(written, "application/json")),
            _fixed(f"{API}/docs", Raw(read, "text/html; charset=utf-8")),
            WebSocketRoute(SOCKET, self.sockets),
            *screens(),
        ]
        router = Router(routes, default=_not_found, redirect_slashes=False)
        self._app: ASGIApp = guarded(_Refusing(router), guard, context.floor.clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a socket."""
        await self._app(scope, receive, send)


def _routes(context: ServerContext) -> list[HttpRoute]:
    by_path: dict[str, list[Route]] = {}
    for route in ROUTES:
        by_path.setdefault(route.described.path, []).append(route)
    found = []
    for path, routes in by_path.items():
        handlers: dict[str, Handler] = {route.described.method: Handler(context, route) for route in routes}
        found.append(HttpRoute(path, _ByMethod(handlers), methods=None))
    return found


class _ByMethod:
    """The handlers of one path."""

    def __init__(self, handlers: dict[str, Handler]) -> None:
        self._handlers = handlers
        self._allowed = ", ".join(sorted(handlers))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler = self._handlers.get(scope["method"])
        if handler is None:
            refused = refuse(Refusal.NO_SUCH_ADDRESS, address=scope["path"])
            await refusal(refused, 405, {"allow": self._allowed})(scope, receive, send)
            return
        await handler(scope, receive, send)


def _fixed(path: str, raw: Raw) -> HttpRoute:
    async def answer(request: Request) -> Response:  # noqa: ARG001
        return respond(raw, {})

    return HttpRoute(path, answer, methods=["GET"])


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    refused = refuse(Refusal.NO_SUCH_ADDRESS, address=scope["path"])
    await turn_away(scope, receive, send, refusal(refused, 404))


class _Refusing:
    """Puts what the framework itself refuses into our own form."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except HTTPException as error:
            refused = refuse(Refusal.NO_SUCH_ADDRESS, address=scope["path"])
            await refusal(refused, error.status_code, dict(error.headers or {}))(scope, receive, send)
