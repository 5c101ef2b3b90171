"""The frames of sockets: a message is encoded once, and the same bytes go to everybody who gets it."""

import struct
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.types import Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WRITE_FRAME = "thirdcard.write-frame"  # the extension of a socket's scope
WriteFrame = Callable[[bytes], bool]
_TEXT = 0x81  # a text in one frame
_SHORT, _LONG = 126, 127  # in place of a length: it follows, in two bytes or in eight
_SHORT_BYTES, _LONG_BYTES = 4, 10  # of the heads with these
_encoder = msgspec.json.Encoder()


def frame_of(message: msgspec.Struct) -> bytes:
    """Return a message as it goes over a socket."""
    content = _encoder.encode(message)
    size = len(content)
    if size < _SHORT:
        return bytes((_TEXT, size)) + content
    if size < 2**16:
        return struct.pack("!BBH", _TEXT, _SHORT, size) + content
    return struct.pack("!BBQ", _TEXT, _LONG, size) + content


def text_in(frame: bytes) -> str:
    """Return the text of a frame."""
    begin = {_SHORT: _SHORT_BYTES, _LONG: _LONG_BYTES}.get(frame[1], 2)
    return frame[begin:].decode()


def write_frame_of(scope: Scope) -> WriteFrame | None:
    """Return how frames are written to a socket at once, where its server can."""
    found: WriteFrame | None = scope.get("extensions", {}).get(WRITE_FRAME)
    return found


class FrameSocket(WebSocketsSansIOProtocol):
    """A socket that writes a frame as it is, unless its client reads too slowly."""

    def handle_connect(self, event: Any) -> None:
        """Let the application write frames."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WRITE_FRAME] = self.write_frame

    async def send(self, message: Any) -> None:
        """Send a message; a handshake that was refused with an answer of HTTP is complete, and no fault."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def write_frame(self, frame: bytes) -> bool:
        """Write a frame at once; tell whether that was possible."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True
