"""Requests that no browser sends: none walks around the gate, is half understood, or holds a connection."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from server.in_process import floor_here
from server.test_written_answers import connected, until_answered
from server.wires import Wire

from thirdcard.server import http as server_http
from thirdcard.server import reading
from thirdcard.server.connections import MOST_HEAD

HOST = b"host: floor.example\r\n"
POST = b"POST /api/v1/sign-in HTTP/1.1\r\n" + HOST
CHUNKED = b"transfer-encoding: chunked\r\n"
OWN = b"x-thirdcard: staff\r\n"
FORM = b'{"name":"Dee","password":"a","console":"b"}'


async def settle() -> None:
    for _ in range(200):
        await asyncio.sleep(0)


def statuses(wire: Wire) -> list[int]:
    """The status of every answer, in the order in which they were written."""
    return [int(each[:3]) for each in b"".join(wire.written).split(b"HTTP/1.1 ")[1:]]


async def asked(folder: Path, *parts: bytes) -> tuple[list[int], Wire]:
    """The answers to what comes in these parts over one connection."""
    async with floor_here(folder) as here:
        connection, wire = connected(here.app.gate)
        for part in parts:
            connection.data_received(part)
            await settle()
        connection.connection_lost(None)
    return statuses(wire), wire


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"HEAD /api/v1/me HTTP/1.1\r\n" + HOST, 405),
        (b"TRACE /api/v1/me HTTP/1.1\r\n" + HOST, 403),
        (b"PROPFIND /api/v1/me HTTP/1.1\r\n" + HOST, 403),
        (b"get /api/v1/me HTTP/1.1\r\n" + HOST, 400),
        (b"CONNECT floor.example:80 HTTP/1.1\r\n" + HOST, 400),
        (b"GET //api/v1/me HTTP/1.1\r\n" + HOST, 404),
        (b"GET /x/../api/v1/me HTTP/1.1\r\n" + HOST, 404),
        (b"GET /api/v1/me/ HTTP/1.1\r\n" + HOST, 404),
        (b"GET /api/v1/me%0a HTTP/1.1\r\n" + HOST, 404),
        (b"GET /api/v1/me%00 HTTP/1.1\r\n" + HOST, 404),
        (b"GET /api/v1/me HTTP/1.1\r\nhost : floor.example\r\n", 400),
        (b"GET /api/v1/me HTTP/1.1\r\n" + HOST + b"x: a\r\n b\r\n", 400),
        (b"GET /api/v1/me HTTP/1.1\r\n" + HOST + b"host: evil.example\r\n", 403),
        (POST + OWN + b"origin: http://evil.example\r\norigin: http://floor.example\r\n", 403),
        (POST + OWN + b"x-thirdcard: terminal\r\n", 403),
        (POST + b"authorization: Bearer a\r\nauthorization: Bearer b\r\n", 403),
        (POST + OWN + b"content-length: 2\r\ncontent-length: 3\r\n", 400),
        (POST + OWN + b"content-length: 2\r\n" + CHUNKED, 400),
        (POST + OWN + CHUNKED + b"content-length: 2\r\n", 400),
        (POST + OWN + b"transfer-encoding: chunked, identity\r\n", 400),
        (POST + OWN + b"content-length: +2\r\n", 400),
        (POST + OWN + b"content-length: 99999999999999999999999\r\n", 400),
        (POST + OWN + b"content-length: 65537\r\n", 413),
    ],
)
async def test_a_request_that_is_odd_is_turned_away(request_: bytes, status: int, tmp_path: Path) -> None:
    found, wire = await asked(tmp_path, request_ + b"\r\n")
    assert found == [status]
    if request_.startswith(b"HEAD"):
        assert b"".join(wire.written).endswith(b"\r\n\r\n")


async def test_a_header_after_the_body_is_none(tmp_path: Path) -> None:
    chunk = b"2\r\n{}\r\n0\r\n"
    assert (await asked(tmp_path, POST + CHUNKED + b"\r\n" + chunk + OWN + b"\r\n"))[0] == [403]
    assert (await asked(tmp_path, POST + CHUNKED + OWN + b"\r\n" + chunk + b"\r\n"))[0] == [400]


@pytest.mark.parametrize("more", [b"x-%d: y\r\n", b"x: yyyy%d", b"1;%d=x\r\nx\r\n"])
async def test_what_comes_beside_a_body_has_an_end(more: bytes, tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        connection, wire = connected(here.app.gate)
        begin = b"2\r\n{}\r\n" if more.startswith(b"1;") else b"2\r\n{}\r\n0\r\n"
        connection.data_received(POST + OWN + CHUNKED + b"\r\n" + begin)
        sent = 0
        while not wire.closing and sent < 10 * MOST_HEAD:
            part = b"".join(more % number if b"%d" in more else more for number in range(100))
            connection.data_received(part)
            sent += len(part)
        assert wire.closing
        connection.connection_lost(None)


async def test_answers_to_requests_that_come_together_keep_their_order(tmp_path: Path) -> None:
    together = b"".join(
        b"%b HTTP/1.1\r\n%b\r\n" % (line, HOST)
        for line in (b"GET /api/v1/me", b"GET /nowhere", b"HEAD /api/v1/me", b"GET /health")
    )
    assert (await asked(tmp_path, together))[0] == [200, 404, 405, 200]


async def test_a_bad_request_has_no_answer_before_that_to_the_one_before_it(
    tmp_path: Path,
) -> None:
    good = b"GET /api/v1/me HTTP/1.1\r\n" + HOST + b"\r\n"
    assert (await asked(tmp_path, good + b"nonsense\r\n\r\n"))[0] in ([], [200])
    assert (await asked(tmp_path, good, b"nonsense\r\n\r\n"))[0] == [200, 400]


@pytest.mark.parametrize("late", [b"", b"186a0\r\n" + b" " * 100_000], ids=["cut", "too large"])
async def test_a_body_that_does_not_come_whole_is_not_acted_upon(
    late: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    understood: list[bytes] = []

    def read(decoder: Any, content: bytes) -> Any:
        understood.append(content)
        return reading.read(decoder, content)

    monkeypatch.setattr(server_http, "read", read)
    whole = b"%x\r\n%b\r\n" % (len(FORM), FORM)
    found, _ = await asked(tmp_path, POST + OWN + CHUNKED + b"\r\n" + whole, late)
    assert not understood
    assert found == ([413] if late else [])
    found, _ = await asked(tmp_path, POST + OWN + CHUNKED + b"\r\n" + whole, b"0\r\n\r\n")
    assert understood == [FORM]


async def test_a_client_that_takes_no_answer_gains_no_time_by_another_request(tmp_path: Path) -> None:
    ask = b"GET /api/v1/me HTTP/1.1\r\n" + HOST + b"\r\n"
    async with floor_here(tmp_path) as here:
        connection, _ = connected(here.app.gate)
        connection.data_received(ask)
        await until_answered(connection)
        dues = [connection._due]
        connection.pause_writing()
        dues.append(connection._due)
        connection.data_received(ask)
        dues.append(connection._due)
        connection.resume_writing()
        dues.append(connection._due)
        connection.data_received(ask[:10])
        connection.pause_writing()
        connection.resume_writing()
        dues.append(connection._due)
        connection.connection_lost(None)
    answered, paused, asked_again, resumed, still_to_come = dues
    assert answered is None
    assert paused is not None
    assert asked_again == paused
    assert resumed is None
    assert still_to_come is not None
