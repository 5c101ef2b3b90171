"""What waits to be sent to one socket: bounded, and given up when its reader is too slow."""

import asyncio
from collections import deque

MOST = 512  # messages that may wait
MOST_BYTES = 4 * 1024 * 1024


class Mailbox:
    """A queue of encoded messages; when it overflows it is closed, and the client resumes by sequence."""

    def __init__(self, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self._messages: deque[bytes] = deque()
        self._bytes = 0
        self._most = most
        self._most_bytes = most_bytes
        self._wake = asyncio.Event()
        self.overflowed = False
        self._closed = False

    def put(self, message: bytes) -> bool:
        """Add a message; whether there was room."""
        if self._closed:
            return False
        if len(self._messages) >= self._most or self._bytes + len(message) > self._most_bytes:
            self.overflowed = True
            self.close()
            return False
        self._messages.append(message)
        self._bytes += len(message)
        self._wake.set()
        return True

    def close(self) -> None:
        """Take no more, and let the pump end."""
        self._closed = True
        self._messages.clear()
        self._wake.set()

    async def take(self) -> bytes | None:
        """The next message, or nothing once the mailbox is closed."""
        while not self._messages:
            if self._closed:
                return None
            self._wake.clear()
            await self._wake.wait()
        message = self._messages.popleft()
        self._bytes -= len(message)
        return message
