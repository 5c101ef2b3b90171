"""The barriers between the network and the floor, tried through the whole stack."""

from collections.abc import AsyncIterator

import httpx
import msgspec
import pytest
from moved_clock import MovedClock
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from thirdcard.refusals import Refusal
from thirdcard.server.gate import Gate
from thirdcard.server.security import (
    HEADERS,
    POLICY,
    Guard,
    client_of,
    drop_cookie,
    is_foreign,
    is_local,
    is_secure,
    set_cookie,
    tokens_in,
)
from thirdcard.server.shares import Shares
from thirdcard.wire.paths import OWN_HEADER, Holder

OWN = {OWN_HEADER: "1"}
HERE = "http://floor.example"


async def show(request: Request) -> Response:
    """Says what of a request came through."""
    body = await request.body()
    shown = {
        "client": request.client.host if request.client else None,
        "scheme": request.url.scheme,
        "bytes": len(body),
        "local": is_local(request.scope),
        "staff": list(tokens_in(request.scope, Holder.STAFF)),
        "terminal": list(tokens_in(request.scope, Holder.TERMINAL)),
    }
    return JSONResponse(shown)


async def late(request: Request) -> Response:
    """Begins to answer before it has read everything."""
    return Response("early", headers={"cache-control": "max-age=60"})


async def socket(websocket: WebSocket) -> None:
    """Says hello."""
    await websocket.accept()
    await websocket.send_text("hello")
    await websocket.close()


def gate(app: ASGIApp, guard: Guard) -> Gate:
    return Gate(app, guard, Shares(MovedClock(), guard).requests)


def application(**settings: object) -> ASGIApp:
    routes = [
        Route("/show", show, methods=["GET", "POST", "PUT", "DELETE"]),
        Route("/late", late),
        WebSocketRoute("/socket", socket),
    ]
    return gate(Starlette(routes=routes), Guard(**settings))  # type: ignore[arg-type]


def client(app: ASGIApp, address: str = "203.0.113.9", base: str = HERE) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, client=(address, 4711))
    return httpx.AsyncClient(transport=transport, base_url=base)


def check_refusal(answer: httpx.Response, status: int, reason: Refusal) -> None:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/json"
    told = answer.json()
    assert (told["type"], told["reason"], told["clauses"]) == ("refused", reason.value, [])
    assert told["message"].endswith(".")
    for name, value in HEADERS.items():
        assert answer.headers[name] == value


# headers


async def test_every_answer_has_the_headers_and_keeps_its_own() -> None:
    async with client(application()) as http:
        answer = await http.get("/show")
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "strict-transport-security" not in answer.headers
        assert (await http.get("/late")).headers["cache-control"] == "max-age=60"
        assert (await http.get("/nowhere")).headers["content-security-policy"] == POLICY
    async with client(application(), base="https://floor.example") as http:
        answer = await http.get("/show")
        assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_the_policy_lets_in_nothing_inline_and_nothing_from_elsewhere() -> None:
    assert "default-src 'none'" in POLICY
    for word in ("unsafe", "data:", "blob:", "*", "http"):
        assert word not in POLICY


# cookies


@pytest.mark.parametrize(
    ("holder", "secure", "cookie"),
    [
        (Holder.STAFF, True, "__Host-thirdcard-staff=T0; Path=/; HttpOnly; SameSite=Strict; Secure"),
        (Holder.STAFF, False, "thirdcard-staff=T0; Path=/; HttpOnly; SameSite=Strict"),
        (
            Holder.TERMINAL,
            True,
            "__Host-thirdcard-terminal=T0; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict; Secure",
        ),
    ],
)
def test_cookies_are_for_this_host_and_no_script(holder: Holder, secure: bool, cookie: str) -> None:
    assert set_cookie(holder, "T0", secure=secure) == cookie
    dropped = drop_cookie(holder, secure=secure)
    assert dropped.startswith(f"{cookie.partition('=')[0]}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict")


async def test_tokens_come_from_the_right_cookie_or_from_a_header() -> None:
    async with client(application()) as http:
        cookies = "thirdcard-staff=T0; thirdcard-terminal=T1; __Host-thirdcard-staff=T2; other=T3"
        told = (await http.get("/show", headers={"cookie": cookies})).json()
        assert (told["staff"], told["terminal"]) == (["T0"], ["T1"])
        told = (await http.get("/show", headers={"authorization": "Bearer T4"})).json()
        assert (told["staff"], told["terminal"]) == (["T4"], ["T4"])
        for nothing in ("Bearer", "Bearer ", "Basic T4", "T4"):
            told = (await http.get("/show", headers={"authorization": nothing})).json()
            assert (told["staff"], told["terminal"]) == ([], [])
    async with client(application(), base="https://floor.example") as http:
        told = (await http.get("/show", headers={"cookie": cookies})).json()
        assert (told["staff"], told["terminal"]) == (["T2"], [])


# other sites


@pytest.mark.parametrize(
    ("headers", "good"),
    [
        (OWN, True),
        ({**OWN, "origin": HERE}, True),
        ({**OWN, "origin": "HTTP://Floor.Example"}, True),
        ({**OWN, "origin": HERE, "sec-fetch-site": "same-origin"}, True),
        ({"authorization": "Bearer T0"}, True),
        ({}, False),
        ({"origin": HERE}, False),
        ({**OWN, "origin": "http://evil.example"}, False),
        ({**OWN, "origin": "null"}, False),
        ({**OWN, "origin": ""}, False),
        ({**OWN, "origin": "https://floor.example"}, False),
        ({**OWN, "origin": "http://floor.example:8080"}, False),
        ({**OWN, "origin": "http://floor.example.evil.example"}, False),
        ({**OWN, "sec-fetch-site": "cross-site"}, False),
        ({**OWN, "sec-fetch-site": "same-site"}, False),
        ({"authorization": "Bearer T0", "origin": "http://evil.example"}, False),
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
async def test_what_changes_something_comes_from_our_own_pages(
    headers: dict[str, str], good: bool, method: str
) -> None:
    async with client(application()) as http:
        answer = await http.request(method, "/show", headers=headers)
        if good:
            assert answer.status_code == 200
        else:
            check_refusal(answer, 403, Refusal.WRONG_ORIGIN)
        assert (await http.get("/show", headers=headers)).status_code == 200


async def test_origins_that_are_named_are_let_in() -> None:
    app = application(origins=("http://localhost:5173",))
    async with client(app) as http:
        for origin in ("http://localhost:5173", HERE):
            assert (await http.post("/show", headers={**OWN, "origin": origin})).status_code == 200


async def test_a_name_that_is_not_ours_is_turned_away() -> None:
    app = application(hosts=("floor.example", "127.0.0.1", "::1"))
    async with client(app) as http:
        assert (await http.get("/show")).status_code == 200
        for host in ("floor.example:8000", "127.0.0.1:8000", "[::1]:8000", "FLOOR.example"):
            assert (await http.get("/show", headers={"host": host})).status_code == 200
        for host in ("evil.example", "evil.example:8000", "", "[::2]"):
            answer = await http.get("/show", headers={"host": host})
            check_refusal(answer, 403, Refusal.WRONG_ORIGIN)


async def test_a_balancer_that_asks_by_address_is_answered() -> None:
    """Health, readiness and metrics are asked for by address; nothing else is, and no other name helps."""
    async with client(application(hosts=("floor.example",))) as http:
        for path in ("/health", "/ready", "/metrics"):
            for host in ("203.0.113.1:8333", "203.0.113.1", "[2001:db8::1]:8333", "floor.example"):
                assert (await http.get(path, headers={"host": host})).status_code == 404, (path, host)
            for host in ("evil.example", "203.0.113.1.evil.example", "203.0.113.1:1@evil.example", ""):
                check_refusal(await http.get(path, headers={"host": host}), 403, Refusal.WRONG_ORIGIN)
        for path in ("/show", "/health/", "/"):
            answer = await http.get(path, headers={"host": "203.0.113.1:8333"})
            check_refusal(answer, 403, Refusal.WRONG_ORIGIN)


async def test_a_host_with_something_behind_its_port_is_none_of_ours() -> None:
    async with client(application(hosts=("floor.example",))) as http:
        for host in ("floor.example:80@evil.example", "floor.example:port", "[floor.example]"):
            check_refusal(await http.get("/show", headers={"host": host}), 403, Refusal.WRONG_ORIGIN)


async def knock(app: ASGIApp, headers: dict[str, str], *, answers: bool = True) -> list[Message]:
    """Open a socket; what the server sends, up to its end."""
    sent: list[Message] = []
    waiting: list[Message] = [{"type": "websocket.connect"}]

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return waiting.pop()

    scope = request_scope("websocket", {"host": "floor.example", **headers})
    scope["extensions"] = {"websocket.http.response": {}} if answers else {}
    await app({**scope, "path": "/socket"}, receive, send)
    return sent


@pytest.mark.parametrize(
    ("headers", "good"),
    [
        ({}, True),
        ({"origin": HERE}, True),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
    ],
)
async def test_a_socket_is_opened_from_our_own_pages(headers: dict[str, str], good: bool) -> None:
    sent = await knock(application(), headers)
    if good:
        assert [each["type"] for each in sent] == ["websocket.accept", "websocket.send", "websocket.close"]
        return
    start, body = sent
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 403)
    assert dict(start["headers"])[b"content-security-policy"] == POLICY.encode()
    assert msgspec.json.decode(body["body"])["reason"] == "wrong-origin"


async def test_a_server_that_cannot_answer_a_handshake_closes_the_socket() -> None:
    sent = await knock(application(), {"origin": "http://evil.example"}, answers=False)
    assert sent == [{"type": "websocket.close", "code": 1008}]


# sizes


async def test_a_body_that_is_too_large_is_turned_away_said_or_not() -> None:
    read = 0

    async def parts(count: int) -> AsyncIterator[bytes]:
        nonlocal read
        for _ in range(count):
            read += 1
            yield b"x" * 500

    async with client(application(most_bytes=1000)) as http:
        assert (await http.post("/show", content=b"x" * 1000, headers=OWN)).json()["bytes"] == 1000
        answer = await http.post("/show", content=b"x" * 1001, headers=OWN)
        check_refusal(answer, 413, Refusal.REQUEST_TOO_LARGE)
        assert answer.headers["connection"] == "close"
        assert "1000 bytes" in answer.json()["message"]
        assert (await http.post("/show", content=parts(2), headers=OWN)).json()["bytes"] == 1000
        read = 0
        check_refusal(
            await http.post("/show", content=parts(1000), headers=OWN), 413, Refusal.REQUEST_TOO_LARGE
        )
        assert read < 10
        odd = {**OWN, "content-length": "many"}
        assert (await http.post("/show", content=parts(1), headers=odd)).json()["bytes"] == 500


async def test_what_goes_wrong_inside_is_not_hidden() -> None:
    async def breaks(scope: Scope, receive: Receive, send: Send) -> None:
        raise ValueError("inside")

    async with client(gate(breaks, Guard(most_bytes=10))) as http:
        with pytest.raises(ValueError, match="inside"):
            await http.post("/show", content=b"x", headers=OWN)


async def test_for_an_answer_that_has_begun_a_client_that_sends_too_much_is_gone() -> None:
    seen: list[str] = []

    async def answers_first(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        seen.extend([(await receive())["type"] for _ in range(3)])
        await send({"type": "http.response.body", "body": b"early"})

    async def parts() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 6

    async with client(gate(answers_first, Guard(most_bytes=10))) as http:
        answer = await http.post("/show", content=parts(), headers=OWN)
    assert (answer.status_code, answer.text) == (200, "early")
    assert seen == ["http.request", "http.disconnect", "http.disconnect"]


# rates


async def test_a_client_that_sends_too_much_waits_and_others_do_not() -> None:
    app = application(burst=3, per_second=0.1)
    async with client(app) as http, client(app, "203.0.113.10") as other:
        assert [(await http.get("/show")).status_code for _ in range(3)] == [200] * 3
        answer = await http.get("/show")
        check_refusal(answer, 429, Refusal.TOO_MANY_REQUESTS)
        assert answer.headers["retry-after"] == "10"
        assert (await other.get("/show")).status_code == 200


async def test_one_subscriber_is_one_client_whatever_their_address_ends_with() -> None:
    app = application(burst=1, per_second=0.1)
    answers = []
    for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"):
        async with client(app, address) as http:
            answers.append((await http.get("/show")).status_code)
    assert answers == [200, 429, 200]
    assert client_of({"client": ("::ffff:203.0.113.9", 1)}) == "::ffff:203.0.113.9"
    assert client_of({"client": None}) == ""
    assert client_of({}) == ""


async def test_without_a_rate_nobody_is_counted() -> None:
    async with client(application(burst=1, per_second=0)) as http:
        assert {(await http.get("/show")).status_code for _ in range(20)} == {200}


async def test_sockets_are_counted_too() -> None:
    app = application(burst=1, per_second=0.1)
    assert (await knock(app, {}))[0]["type"] == "websocket.accept"
    start = (await knock(app, {}))[0]
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (429, b"10")


# proxies


FORWARDED = {"x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https"}


async def test_nobody_is_believed_about_others_unless_trusted() -> None:
    async with client(application()) as http:
        told = (await http.get("/show", headers=FORWARDED)).json()
        assert (told["client"], told["scheme"]) == ("203.0.113.9", "http")
    async with client(application(proxies=("203.0.113.0/24",))) as http:
        told = (await http.get("/show", headers=FORWARDED)).json()
        assert (told["client"], told["scheme"]) == ("198.51.100.7", "https")
        assert (await http.get("/show")).json()["client"] == "203.0.113.9"
    async with client(application(proxies=("203.0.113.0/24",)), "192.0.2.1") as http:
        assert (await http.get("/show", headers=FORWARDED)).json()["client"] == "192.0.2.1"


@pytest.mark.parametrize(
    ("forwarded", "client_address"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("6.6.6.6, 198.51.100.7", "198.51.100.7"),
        ("6.6.6.6, 198.51.100.7, 203.0.113.5", "198.51.100.7"),
        ("6.6.6.6, nonsense", "203.0.113.9"),
        ("nonsense, 203.0.113.5", "203.0.113.5"),
        ("", "203.0.113.9"),
        ("2001:db8::1", "2001:db8::1"),
    ],
)
async def test_the_client_is_the_last_hop_that_no_trusted_proxy_is(
    forwarded: str, client_address: str
) -> None:
    async with client(application(proxies=("203.0.113.0/24",))) as http:
        told = (await http.get("/show", headers={"x-forwarded-for": forwarded})).json()
        assert told["client"] == client_address


async def test_a_socket_through_a_proxy_with_tls_is_secure() -> None:
    seen: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope)

    async def receive() -> Message:
        return {}

    async def send(message: Message) -> None:
        pass

    for kind in ("websocket", "lifespan"):
        scope = request_scope(kind, FORWARDED)
        await gate(app, Guard(proxies=("203.0.113.9",)))(scope, receive, send)
    assert [each["scheme"] for each in seen] == ["wss", "ws"]
    assert is_secure(seen[0])
    own = {"host": "floor.example", "origin": "https://floor.example"}
    assert not is_foreign(request_scope("websocket", own, scheme="wss"), Guard())
    assert is_foreign(request_scope("websocket", own), Guard())


async def test_who_is_on_the_machine_itself_is_local_and_who_comes_through_a_proxy_there_is_not() -> None:
    for address in ("127.0.0.1", "::1"):
        async with client(application(), address) as http:
            assert (await http.get("/show")).json()["local"]
            for header in ("x-forwarded-for", "forwarded"):
                assert not (await http.get("/show", headers={header: "for=x"})).json()["local"]
    async with client(application()) as http:
        assert not (await http.get("/show")).json()["local"]


def request_scope(kind: str, headers: dict[str, str], scheme: str = "ws") -> Scope:
    return {
        "type": kind,
        "method": "POST",
        "path": "/",
        "scheme": scheme,
        "client": ("203.0.113.9", 4711),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
