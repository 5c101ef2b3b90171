"""The application: every route with its guard, the socket, the description, and the screens."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as HttpRoute
from starlette.routing import Router, WebSocketRoute, compile_path
from starlette.types import Receive, Scope, Send

from thirdcard.refusals import Refusal, refuse
from thirdcard.server.asyncapi import describe_socket
from thirdcard.server.context import ServerContext
from thirdcard.server.gate import Gate
from thirdcard.server.http import LONGEST_NUMBER, Handler, Raw, respond
from thirdcard.server.openapi import JSON_MEDIA, describe, page
from thirdcard.server.reader_sockets import ReaderSockets
from thirdcard.server.routes import ROUTES
from thirdcard.server.screens import Languages, screens
from thirdcard.server.security import Guard, refusal, turn_away
from thirdcard.server.shares import Budget, Shares
from thirdcard.server.sockets import Sockets
from thirdcard.wire.paths import API, READERS, SOCKET
from thirdcard.wire.refusals import RefusedMessage


class _Number(IntegerConvertor):
    """A whole number in an address, no longer than any can be."""

    regex = f"[0-9]{{1,{LONGEST_NUMBER}}}"


register_url_convertor("number", _Number())
_SUBJECT = len(API.split("/"))  # of the parts of a path, the first after those of the API


class App:
    """A floor as an application: the handlers of the API by path and method, the socket, and the screens.

    ``gate`` is its only door.
    """

    def __init__(
        self,
        context: ServerContext,
        guard: Guard = Guard(),  # noqa: B008 - frozen
        languages: Languages = Languages(),  # noqa: B008 - frozen
    ) -> None:
        self.context = context
        shares = Shares(context.floor.clock, guard)
        self.sockets = Sockets(context, guard, shares)
        document = describe(tuple(route.described for route in ROUTES), RefusedMessage)
        written = msgspec.json.encode(document)
        read = page(document).encode()
        self._paths = _paths(context, shares.reads)
        self._others = Router(
            [
                _fixed(f"{API}/openapi.json", Raw(written, JSON_MEDIA)),
                _fixed(f"{API}/asyncapi.json", Raw(msgspec.json.encode(describe_socket()), JSON_MEDIA)),
                _fixed(f"{API}/docs", Raw(read, "text/html; charset=utf-8")),
                WebSocketRoute(SOCKET, self.sockets),
                WebSocketRoute(READERS, ReaderSockets(context)),
                *screens(languages=languages),
            ],
            default=_not_found,
            redirect_slashes=False,
        )
        self.gate = Gate(self._serve, guard, shares.requests)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by the handler of its path; put what the framework refuses into our form."""
        for path in self._paths.get(_shape(scope["path"]), ()) if scope["type"] == "http" else ():
            match = path.pattern.fullmatch(scope["path"])  # its end is not one before a new line
            if match is None:
                continue
            handler = path.handlers.get(scope["method"])
            if handler is None:
                refused = refuse(Refusal.NO_SUCH_ADDRESS, address=scope["path"])
                allowed = ", ".join(sorted(path.handlers))
                await refusal(refused, 405, {"allow": allowed})(scope, receive, send)
                return
            values = match.groupdict()
            scope["path_params"] = {name: path.convert[name](value) for name, value in values.items()}
            await handler(scope, receive, send)
            return
        try:
            await self._others(scope, receive, send)
        except HTTPException as error:
            refused = refuse(Refusal.NO_SUCH_ADDRESS, address=scope["path"])
            await refusal(refused, error.status_code, dict(error.headers or {}))(scope, receive, send)


class _Path(Struct, frozen=True):
    """A path of the API: its pattern, how the values in it are read, and its handlers by method."""

    pattern: re.Pattern[str]
    convert: dict[str, Callable[[str], Any]]
    handlers: dict[str, Handler]


_Shape = tuple[int, str]


def _shape(path: str) -> _Shape:
    """Return how many parts a path has, and the one after the version of the API, which names its subject."""
    parts = path.split("/")
    return len(parts), parts[_SUBJECT] if len(parts) > _SUBJECT else ""


def _paths(context: ServerContext, reads: Budget) -> dict[_Shape, tuple[_Path, ...]]:
    """Return the paths of the API by their shapes; the first that fits is taken."""
    found: dict[str, _Path] = {}
    for route in ROUTES:
        path = route.described.path
        if path not in found:
            pattern, _, convertors = compile_path(path)
            found[path] = _Path(pattern, {name: each.convert for name, each in convertors.items()}, {})
        found[path].handlers[route.described.method] = Handler(context, route, reads)
    shaped: dict[_Shape, tuple[_Path, ...]] = {}
    for path, each in found.items():
        shape = _shape(path)
        assert "{" not in shape[1], path
        shaped[shape] = (*shaped.get(shape, ()), each)
    return shaped


def _fixed(path: str, raw: Raw) -> HttpRoute:
    async def answer(request: Request) -> Response:  # noqa: ARG001
        return respond(raw, {})

    return HttpRoute(path, answer, methods=["GET"])


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    refused = refuse(Refusal.NO_SUCH_ADDRESS, address=scope["path"])
    await turn_away(scope, receive, send, refusal(refused, 404))
