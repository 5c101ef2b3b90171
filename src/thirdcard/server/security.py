"""The checks between the network and the floor: addresses, origins, sizes, rates, headers and cookies."""

import functools
import ipaddress
from collections.abc import Iterator

import msgspec
from msgspec import Struct
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thirdcard.access.attempts import Buckets
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.streams.clock import Clock
from thirdcard.wire.paths import OWN_HEADER, Holder, cookie_name
from thirdcard.wire.refusals import refused_message

SAFE = ("GET", "HEAD", "OPTIONS")
LONG = 400 * 24 * 3600  # seconds; no browser keeps a cookie longer
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
}
OVER_TLS = {"strict-transport-security": "max-age=31536000"}
_RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_RAW_OVER_TLS = [*_RAW, *((name.encode(), value.encode()) for name, value in OVER_TLS.items())]


class Guard(Struct, frozen=True, kw_only=True):
    """The rules of what is let through; proxies are trusted, and other origins let in, only where named.

    ``hosts`` are the names under which we can be called, any where empty; ``burst`` and ``per_second`` say
    how many requests one client may send, without end where ``per_second`` is nought. ``sockets`` are open
    at most in all, ``sockets_of_one`` from one client's address, behind which a whole floor may stand;
    ``socket_burst`` and ``socket_per_second`` are for the messages of each; one that takes or answers nothing
    for ``silence`` seconds is let go.
    """

    proxies: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    most_bytes: int = 65_536
    burst: int = 400
    per_second: float = 100.0
    sockets: int = 10_000
    sockets_of_one: int = 2_000
    socket_burst: int = 200
    socket_per_second: float = 50.0
    silence: float = 20.0


def guarded(app: ASGIApp, guard: Guard, clock: Clock) -> ASGIApp:
    """An application with everything of this module in front of it, in the right order."""
    app = CrossSite(SizeLimit(app, guard.most_bytes), guard)
    if guard.per_second:
        app = RateLimit(app, Buckets(clock, burst=guard.burst, every=1 / guard.per_second))
    return Proxies(SecurityHeaders(app), guard.proxies)


# refusals


def refusal(refused: Refused, status: int, headers: dict[str, str] | None = None) -> Response:
    """A refusal as a response."""
    body = msgspec.json.encode(refused_message(refused))
    return Response(body, status, headers, "application/json")


async def turn_away(scope: Scope, receive: Receive, send: Send, response: Response) -> None:
    """Answer a request, or a handshake of a socket, with a refusal."""
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    await response(scope, receive, send)


# where a request comes from


class Proxies:
    """Takes the client's address and scheme from proxies that are trusted, and from nobody else."""

    def __init__(self, app: ASGIApp, trusted: tuple[str, ...] = ()) -> None:
        self.app = app
        self._networks = tuple(ipaddress.ip_network(each) for each in trusted)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the client that it really comes from."""
        if self._networks and scope["type"] in ("http", "websocket") and self._trusts(_peer(scope)):
            scope = {**scope, **self._told(scope)}
        await self.app(scope, receive, send)

    def _trusts(self, address: str) -> bool:
        found = _address(address)
        return found is not None and any(found in network for network in self._networks)

    def _told(self, scope: Scope) -> dict[str, object]:
        headers = Headers(scope=scope)
        client = _peer(scope)
        for hop in reversed(",".join(headers.getlist("x-forwarded-for")).split(",")):
            if not self._trusts(client) or _address(hop.strip()) is None:
                break
            client = hop.strip()
        told: dict[str, object] = {"client": (client, 0)}
        scheme = ",".join(headers.getlist("x-forwarded-proto")).split(",")[-1].strip()
        if scheme in ("http", "https"):
            told["scheme"] = scheme if scope["type"] == "http" else scheme.replace("http", "ws")
        return told


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def client_of(scope: Scope) -> str:
    """The key under which a client is counted: its address, or the network that one subscriber has."""
    return _subscriber(_peer(scope))


@functools.lru_cache(10_000)
def _subscriber(address: str) -> str:
    found = _address(address)
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return address


def is_local(scope: Scope) -> bool:
    """Whether a request comes from the machine itself, and not through a proxy that stands there."""
    found, headers = _address(_peer(scope)), Headers(scope=scope)
    passed_on = "x-forwarded-for" in headers or "forwarded" in headers
    return found is not None and found.is_loopback and not passed_on


def is_secure(scope: Scope) -> bool:
    """Whether a request came over TLS."""
    return scope.get("scheme") in ("https", "wss")


class CrossSite:
    """Turns away what pages of other sites make a browser send, and names that are not ours."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on that comes from our own pages, or from no page at all."""
        if scope["type"] in ("http", "websocket") and is_foreign(scope, self._guard):
            await turn_away(scope, receive, send, refusal(refuse(Refusal.WRONG_ORIGIN), 403))
            return
        await self.app(scope, receive, send)


def is_foreign(scope: Scope, guard: Guard) -> bool:
    """Whether a request has a wrong host, or would change something and comes from another site.

    What changes something needs our own header or a token in the header besides the right origin.
    """
    headers = _headers(scope)
    host = headers.get(b"host", b"").decode("latin-1").lower()
    if guard.hosts and _without_port(host) not in guard.hosts:
        return True
    socket = scope["type"] == "websocket"
    if not socket and scope["method"] in SAFE:
        return False
    origin = headers.get(b"origin")
    own = f"{'https' if is_secure(scope) else 'http'}://{host}"
    if origin is not None and origin.decode("latin-1").lower() not in (own, *guard.origins):
        return True
    if socket:
        return False  # a browser always names its origin when it opens a socket
    if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
        return True
    return OWN_HEADER.encode() not in headers and b"authorization" not in headers


def _headers(scope: Scope) -> dict[bytes, bytes]:
    """The headers of a request by name, in small letters."""
    return dict(scope["headers"])


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0].removeprefix("[")
    return host.partition(":")[0]


# how much, and how often


class SizeLimit:
    """Turns away requests whose body is too large, as soon as that is known."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting what comes of its body."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = _headers(scope).get(b"content-length", b"")
        if said.isdigit() and int(said) > self._most:
            await self._refused()(scope, receive, send)
            return
        counter = _Counter(receive, send, self._most)
        try:
            await self.app(scope, counter.receive, counter.send)
        except Exception:
            if not counter.over:
                raise
        if counter.over and not counter.answered:
            await self._refused()(scope, receive, send)

    def _refused(self) -> Response:
        refused = refuse(Refusal.REQUEST_TOO_LARGE, most=self._most)
        return refusal(refused, 413, {"connection": "close"})


class _Counter:
    """Counts what comes of a body; when it is too much, the client counts as gone and nothing goes out."""

    def __init__(self, receive: Receive, send: Send, most: int) -> None:
        self._receive = receive
        self._send = send
        self._left = most
        self.over = False
        self.answered = False

    async def receive(self) -> Message:
        """The next part of a body."""
        message = {"type": "http.disconnect"} if self.over else await self._receive()
        self._left -= len(message.get("body", b""))
        self.over = self._left < 0
        return {"type": "http.disconnect"} if self.over else message

    async def send(self, message: Message) -> None:
        """The next part of an answer."""
        if self.answered or not self.over:
            self.answered = True
            await self._send(message)


class RateLimit:
    """Turns away clients that send too much."""

    def __init__(self, app: ASGIApp, buckets: Buckets) -> None:
        self.app = app
        self._buckets = buckets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if its client has a token left."""
        wait = self._buckets.take(client_of(scope)) if scope["type"] in ("http", "websocket") else None
        if wait is None:
            await self.app(scope, receive, send)
            return
        refused = refuse(Refusal.TOO_MANY_REQUESTS, seconds=wait)
        await turn_away(scope, receive, send, refusal(refused, 429, {"retry-after": str(wait)}))


# what goes out


class SecurityHeaders:
    """Adds to every answer what a browser must know to keep it safe, where the answer says nothing itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer with more headers back."""
        added = _RAW_OVER_TLS if is_secure(scope) else _RAW

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                own = dict(message.get("headers", ()))
                more = (each for each in added if each[0] not in own)
                message = {**message, "headers": [*message.get("headers", ()), *more]}
            await send(message)

        await self.app(scope, receive, send_with_headers)


# cookies


def set_cookie(holder: Holder, token: str, *, secure: bool) -> str:
    """The header that gives a browser a token which no script and no other site gets to see."""
    lasting = f"; Max-Age={LONG}" if holder is Holder.TERMINAL else ""
    return f"{cookie_name(holder, secure=secure)}={token}{lasting}{_flags(secure=secure)}"


def drop_cookie(holder: Holder, *, secure: bool) -> str:
    """The header that takes a token from a browser."""
    return f"{cookie_name(holder, secure=secure)}=; Max-Age=0{_flags(secure=secure)}"


def tokens_in(scope: Scope, holder: Holder) -> Iterator[str]:
    """The tokens that a request has for a holder: in the header of a program, or in a browser's cookie."""
    headers = Headers(scope=scope)
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token.strip():
        yield token.strip()
    cookies = cookie_parser(headers.get("cookie", ""))
    token = cookies.get(cookie_name(holder, secure=is_secure(scope)), "")
    if token:
        yield token


def _flags(*, secure: bool) -> str:
    return f"; Path=/; HttpOnly; SameSite=Strict{'; Secure' if secure else ''}"
