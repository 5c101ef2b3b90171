"""The address, origin and tokens of a request, refusals, and the headers and cookies of answers."""

import functools
import http
import ipaddress
import re
from collections.abc import Callable

import msgspec
from msgspec import Struct
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from thirdcard.refusals import Refused
from thirdcard.wire.paths import OWN_HEADER, Holder, cookie_name
from thirdcard.wire.refusals import refused_message

SAFE = ("GET", "HEAD", "OPTIONS")
PROBED = ("/health", "/ready", "/metrics")
_HOST = re.compile(r"(\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[^:@/\[\]\s]*))(:[0-9]{1,5})?")
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
_OWN_HEADER = OWN_HEADER.encode()
_SAID_ONCE = frozenset((b"host", b"origin", b"sec-fetch-site", b"authorization", _OWN_HEADER))
_ALL_HOLDERS = tuple(Holder)
_HOLDERS = {holder.value.encode(): holder for holder in Holder}
RawHeaders = list[tuple[bytes, bytes]]
WHOLE_ANSWER = "thirdcard.answer"  # the message of an answer in JSON: its status and its body
WRITE_ANSWER = "thirdcard.write-answer"  # the extension of a request's scope
WriteAnswer = Callable[[bytes], bool]
_RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_RAW_OVER_TLS = [*_RAW, *((name.encode(), value.encode()) for name, value in OVER_TLS.items())]


class Guard(Struct, frozen=True, kw_only=True):
    """The rules of what is let through; proxies are trusted, and other origins let in, only where named.

    ``hosts`` are the names under which we can be called, any where empty; ``burst`` and ``per_second`` say
    how many requests one client may send, without end where ``per_second`` is nought; ``read_burst`` and
    ``reads_per_second`` how many records may be read for one, or what takes as long. ``sockets`` are open
    at most in all, ``sockets_of_one`` from one client's address, behind which a whole floor may stand;
    ``socket_burst`` and ``socket_per_second`` are for the messages of each; one that takes or answers nothing
    for ``silence`` seconds is let go. ``connections_of_one`` are open at most from one address besides its
    sockets; a request that is not whole after ``request_seconds`` is not waited for, nor is a client that
    takes nothing of its answer for as long.
    """

    proxies: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    most_bytes: int = 65_536
    burst: int = 400
    per_second: float = 100.0
    read_burst: int = 5_000
    reads_per_second: float = 1_000.0
    sockets: int = 10_000
    sockets_of_one: int = 2_000
    socket_burst: int = 200
    socket_per_second: float = 50.0
    silence: float = 20.0
    connections_of_one: int = 1_000
    request_seconds: float = 20.0


@functools.lru_cache(100)
def answer_head(status: int, *, secure: bool) -> bytes:
    """Return the head of an answer in JSON that says nothing else of itself, up to its length."""
    headers = [(b"content-type", b"application/json"), *(_RAW_OVER_TLS if secure else _RAW)]
    lines = b"".join(b"%b: %b\r\n" % header for header in headers)
    phrase = http.HTTPStatus(status).phrase.encode()
    return b"HTTP/1.1 %d %b\r\n%bcontent-length: " % (status, phrase, lines)


def with_security(headers: RawHeaders, scope: Scope) -> RawHeaders:
    """Add to the headers of an answer what keeps a browser safe, where it says nothing about it itself."""
    own = dict(headers)
    added = _RAW_OVER_TLS if is_secure(scope) else _RAW
    return [*headers, *(each for each in added if each[0] not in own)]


def first_header(scope: Scope, wanted: bytes) -> bytes:
    """Return the value of a header, the first where there are several, or nothing."""
    for name, value in scope["headers"]:
        if name == wanted:
            found: bytes = value
            return found
    return b""


# refusals


def refusal(refused: Refused, status: int, headers: dict[str, str] | None = None) -> Response:
    """A refusal as a response."""
    body = msgspec.json.encode(refused_message(refused))
    return Response(body, status, headers, "application/json")


async def turn_away(scope: Scope, receive: Receive, send: Send, response: Response) -> None:
    """Answer a request, or a handshake of a socket, with a refusal."""
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        response.raw_headers = with_security(response.raw_headers, scope)
    await response(scope, receive, send)


# where a request comes from


class Proxies:
    """Proxies whose word is taken for the client's address and scheme; nobody else's is."""

    def __init__(self, trusted: tuple[str, ...]) -> None:
        self._networks = tuple(ipaddress.ip_network(each) for each in trusted)

    def scope_told(self, scope: Scope) -> Scope:
        """Return a request with the client that it really comes from."""
        if not self.trusts(_peer(scope)):
            return scope
        headers = Headers(scope=scope)
        client = _peer(scope)
        for hop in reversed(",".join(headers.getlist("x-forwarded-for")).split(",")):
            if not self.trusts(client) or _address(hop.strip()) is None:
                break
            client = hop.strip()
        told: dict[str, object] = {"client": (client, 0)}
        scheme = ",".join(headers.getlist("x-forwarded-proto")).split(",")[-1].strip()
        if scheme in ("http", "https"):
            told["scheme"] = scheme if scope["type"] == "http" else scheme.replace("http", "ws")
        return {**scope, **told}

    def trusts(self, address: str) -> bool:
        """Whether an address is one of the proxies."""
        found = _address(address)
        return found is not None and any(found in network for network in self._networks)


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
    return subscriber(_peer(scope))


@functools.lru_cache(10_000)
def subscriber(address: str) -> str:
    """Return the key under which an address is counted: itself, or the network that one subscriber has."""
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


def is_foreign(scope: Scope, guard: Guard) -> bool:
    """Whether a request has a wrong host, or would change something and comes from another site.

    One that says twice where it comes from, or who asks, could be understood in two ways: it is foreign too.
    What changes something needs our own header or a token in the header besides the right origin.
    """
    headers: dict[bytes, bytes] = dict(scope["headers"])
    if len(headers) < len(scope["headers"]) and _says_twice(scope):
        return True
    host = headers.get(b"host", b"").decode("latin-1").lower()
    if guard.hosts and not _is_ours(host, guard.hosts, scope["path"]):
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
    return _OWN_HEADER not in headers and b"authorization" not in headers


def _says_twice(scope: Scope) -> bool:
    names = [name for name, _ in scope["headers"] if name in _SAID_ONCE]
    return len(names) > len(set(names))


def _is_ours(host: str, hosts: tuple[str, ...], path: str) -> bool:
    """Whether a request names a host of ours; what a balancer asks for is ours also by an address."""
    found = _HOST.fullmatch(host)
    name = found["address"] or found["name"] if found else ""
    return name in hosts or (path in PROBED and _address(name) is not None)


# cookies


def set_cookie(holder: Holder, token: str, *, secure: bool) -> str:
    """The header that gives a browser a token which no script and no other site gets to see."""
    lasting = f"; Max-Age={LONG}" if holder is Holder.TERMINAL else ""
    return f"{cookie_name(holder, secure=secure)}={token}{lasting}{_flags(secure=secure)}"


def drop_cookie(holder: Holder, *, secure: bool) -> str:
    """The header that takes a token from a browser."""
    return f"{cookie_name(holder, secure=secure)}=; Max-Age=0{_flags(secure=secure)}"


class ShownTokens(Struct, frozen=True):
    """The tokens that a request shows, each with its holder, in the order in which they are tried.

    ``named`` says that the request names the one holder as which it acts; ``bearer`` is the token in the
    header of a program.
    """

    tokens: tuple[tuple[Holder, str], ...]
    named: bool
    bearer: str
    scope: Scope


def shown_tokens(scope: Scope) -> ShownTokens:
    """Read the tokens of a request: a page says as which holder it acts, else staff precede terminals.

    A socket says it in its address, for want of the header.
    """
    said = scope["query_string"].removeprefix(b"as=") if scope["type"] == "websocket" else None
    for name, value in scope["headers"] if said is None else ():
        if name == _OWN_HEADER:
            said = value
    named = _HOLDERS.get(said or b"")
    shown = _tokens(scope, _ALL_HOLDERS if named is None else (named,))
    return ShownTokens(shown, named is not None, _bearer(scope), scope)


def tokens_in(scope: Scope, holder: Holder) -> tuple[str, ...]:
    """The tokens that a request has for a holder: in the header of a program, or in a browser's cookie."""
    return tuple(token for _, token in _tokens(scope, (holder,)))


def _bearer(scope: Scope) -> str:
    """Return the token in the header of a program, or nothing."""
    kind, _, bearer = first_header(scope, b"authorization").decode("latin-1").partition(" ")
    return bearer.strip() if kind.lower() == "bearer" else ""


def _tokens(scope: Scope, holders: tuple[Holder, ...]) -> tuple[tuple[Holder, str], ...]:
    bearer = _bearer(scope)
    said = first_header(scope, b"cookie").decode("latin-1")
    cookies = cookie_parser(said) if said else {}
    found: list[tuple[Holder, str]] = []
    for holder in holders:
        if bearer:
            found.append((holder, bearer))
        if cookies and (kept := cookies.get(cookie_name(holder, secure=is_secure(scope)))):
            found.append((holder, kept))
    return tuple(found)


def _flags(*, secure: bool) -> str:
    return f"; Path=/; HttpOnly; SameSite=Strict{'; Secure' if secure else ''}"
