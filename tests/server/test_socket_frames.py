"""A message is encoded once, as a socket sends it, and written to every client with the same view."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
import uvicorn
from server.in_process import TABLE, floor_here
from server.wires import Wire
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from thirdcard.folds.viewers import DISPLAY, STAFF_VIEWER, patron_viewer
from thirdcard.server import hub as server_hub
from thirdcard.server.hub import Mailbox, Watcher
from thirdcard.server.socket_frames import FrameSocket, WriteFrame, frame_of, text_in, write_frame_of
from thirdcard.wire.frames import Ended, NewsFrame

WATCHERS = 50  # with one view


@pytest.mark.parametrize("size", [125, 126, 127, 65_535, 65_536, 100_000])
def test_a_frame_is_what_the_standard_says(size: int) -> None:
    around = len(msgspec.json.encode(Ended(reason="é", again=True)))
    message = Ended(reason="é" + "x" * (size - around), again=True)
    content = msgspec.json.encode(message)
    assert len(content) == size
    frame = frame_of(message)
    assert frame == Frame(Opcode.TEXT, content).serialize(mask=False)
    assert text_in(frame) == content.decode()


async def handshaken() -> tuple[FrameSocket, Wire, WriteFrame]:
    """A socket that an application has accepted, its wire, and how the application writes frames."""
    found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        found.set_result(write_frame_of(scope))
        await receive()

    config = uvicorn.Config(app, ws=FrameSocket, log_config=None, lifespan="off", ws_ping_interval=None)
    config.load()
    socket, wire = FrameSocket(config, ServerState(), {}), Wire()
    socket.connection_made(wire)
    socket.data_received(
        b"GET / HTTP/1.1\r\nhost: floor.example\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
        b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13\r\n\r\n"
    )
    write = await found
    wire.written.clear()
    return socket, wire, write


async def test_a_frame_is_written_as_it_is() -> None:
    _, wire, write = await handshaken()
    frame = frame_of(Ended(reason="a test", again=False))
    assert write(frame)
    assert wire.written == [frame]


async def test_a_frame_is_not_written_while_its_client_reads_too_slowly() -> None:
    socket, wire, write = await handshaken()
    socket.pause_writing()
    assert not write(b"frame")
    socket.resume_writing()
    assert write(b"frame")
    assert wire.written == [b"frame"]


async def test_a_frame_is_not_written_to_a_socket_that_ends() -> None:
    socket, wire, write = await handshaken()
    await socket.send({"type": "websocket.close", "code": 4401})
    wire.written.clear()
    assert not write(b"frame")
    other, wire_of_other, write_to_other = await handshaken()
    other.shutdown()
    wire_of_other.written.clear()
    assert not write_to_other(b"frame")
    assert not wire.written
    assert not wire_of_other.written


async def test_news_is_encoded_once_for_everybody_with_the_same_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[bytes] = []

    def counted(message: msgspec.Struct) -> bytes:
        frame = frame_of(message)
        if isinstance(message, NewsFrame):
            encoded.append(frame)
        return frame

    monkeypatch.setattr(server_hub, "frame_of", counted)
    written: list[bytes] = []

    def write(frame: bytes) -> bool:
        written.append(frame)
        return True

    async with floor_here(tmp_path) as here:
        channel = here.hub.channel(TABLE)
        assert channel is not None
        pumps: list[asyncio.Task[Any]] = []
        for viewer in (DISPLAY, STAFF_VIEWER, patron_viewer("Ann")):
            for _ in range(WATCHERS):
                mailbox = Mailbox(write)
                pumps.append(asyncio.create_task(mailbox.take()))
                await asyncio.sleep(0)
                assert await channel.watch(Watcher(viewer, mailbox), None)
        written.clear()
        await here.record(1)
        channel.flush()
        for pump in pumps:
            pump.cancel()
    assert len(encoded) == 3
    assert len(written) == 3 * WATCHERS
    assert {id(frame) for frame in written} == {id(frame) for frame in encoded}
