"""A transport for connections inside a test."""

import asyncio


class Wire(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def pause_reading(self) -> None:
        """Have nothing more come."""

    def resume_reading(self) -> None:
        """Go on."""

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True
