"""An answer is encoded once and written at once, with the same head as one that is sent in parts."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn
from limits import LONG_ENOUGH
from server.in_process import floor_here
from server.wires import Wire
from uvicorn.server import ServerState

from thirdcard.server import http as server_http
from thirdcard.server.connections import Connections, LimitedHttp
from thirdcard.server.security import HEADERS, OVER_TLS, Guard, answer_head

REQUEST = b"GET /api/v1/me HTTP/1.1\r\nhost: floor.example\r\n"


class CountingEncoder:
    """Counts what is encoded."""

    def __init__(self) -> None:
        self.count = 0
        self._encoder = msgspec.json.Encoder()

    def encode(self, value: Any) -> bytes:
        self.count += 1
        return self._encoder.encode(value)


def connected(app: Any) -> tuple[LimitedHttp, Wire]:
    """A connection of HTTP to an application."""
    config = uvicorn.Config(
        app, log_config=None, lifespan="off", access_log=False, server_header=False, date_header=False
    )
    config.load()
    connection = LimitedHttp(config, ServerState(), {}, connections=Connections(Guard()))
    wire = Wire()
    connection.connection_made(wire)
    return connection, wire


async def until_answered(connection: LimitedHttp) -> None:
    async with asyncio.timeout(LONG_ENOUGH):
        while not connection.cycle.response_complete:
            await asyncio.sleep(0)


def parts(answer: bytes) -> tuple[set[bytes], bytes]:
    """The lines of the head of an answer, and its body."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return set(head.split(b"\r\n")), body


async def test_an_answer_is_encoded_once_and_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = CountingEncoder()
    monkeypatch.setattr(server_http, "_encoder", encoder)
    async with floor_here(tmp_path) as here:
        connection, wire = connected(here.app.gate)
        for turn in (1, 2):
            connection.data_received(REQUEST + b"\r\n")
            await until_answered(connection)
            assert len(wire.written) == encoder.count == turn
        connection.connection_lost(None)
    lines, body = parts(wire.written[-1])
    assert b"HTTP/1.1 200 OK" in lines
    assert b"content-length: %d" % len(body) in lines
    assert msgspec.json.decode(body)["kind"] == "guest"


async def test_an_answer_at_once_has_the_head_of_one_in_parts(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        kept, wire = connected(here.app.gate)
        kept.data_received(REQUEST + b"\r\n")
        await until_answered(kept)
        closing, wire_of_closing = connected(here.app.gate)
        closing.data_received(REQUEST + b"connection: close\r\n\r\n")
        await until_answered(closing)
        kept.connection_lost(None)
        closing.connection_lost(None)
    assert len(wire.written) == 1
    assert len(wire_of_closing.written) > 1
    at_once, in_parts = parts(wire.written[0]), parts(b"".join(wire_of_closing.written))
    assert in_parts[0] - at_once[0] == {b"connection: close"}
    assert at_once[0] < in_parts[0]
    assert at_once[1] == in_parts[1]


@pytest.mark.parametrize("secure", [False, True])
def test_the_head_that_is_made_once_keeps_a_browser_safe(secure: bool) -> None:
    head = answer_head(200, secure=secure).decode()
    for name, value in (HEADERS | OVER_TLS).items():
        assert (f"\r\n{name}: {value}\r\n" in head) == (secure or name not in OVER_TLS)


async def test_nothing_is_written_at_once_to_a_client_that_does_not_read(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        connection, wire = connected(here.app.gate)
        connection.pause_writing()
        connection.data_received(REQUEST + b"\r\n")
        for _ in range(20):
            await asyncio.sleep(0)
        assert not wire.written
        connection.resume_writing()
        await until_answered(connection)
        connection.connection_lost(None)
    assert wire.written
