"""The messages that wait to be sent to one socket: bounded, and given up when its reader is too slow."""

import asyncio
from collections import deque

MAILBOX_MESSAGES = 512  # messages that may wait
MOST_SIZE = 4 * 1024 * 1024  # characters in them
CALM = 64 * 1024  # characters that may wait while something more is done for the client


class Mailbox:
    """A queue of encoded messages; when it overflows it is closed, and the client resumes by sequence."""

    def __init__(self, most: int = MAILBOX_MESSAGES, most_size: int = MOST_SIZE) -> None:
        self._messages: deque[str] = deque()
        self._size = 0
        self._most = most
        self._most_size = most_size
        self._wake = asyncio.Event()
        self._calm = asyncio.Event()
        self._calm.set()
        self._closed = False

    def put(self, message: str) -> bool:
        """Add a message; whether there was room."""
        if self._closed:
            return False
        if len(self._messages) >= self._most or self._size + len(message) > self._most_size:
            self.close()
            return False
        self._messages.append(message)
        self._size += len(message)
        if self._size > CALM:
            self._calm.clear()
        self._wake.set()
        return True

    def close(self, *, drop: bool = True) -> None:
        """Take no more, and let the pump end, with or without what waits."""
        self._closed = True
        if drop:
            self._messages.clear()
        self._calm.set()
        self._wake.set()

    async def take(self) -> str | None:
        """The next message, or nothing once the mailbox is closed and has no more."""
        while not self._messages:
            if self._closed:
                return None
            self._wake.clear()
            await self._wake.wait()
        message = self._messages.popleft()
        self._size -= len(message)
        if self._size <= CALM:
            self._calm.set()
        return message

    async def calm(self) -> None:
        """Wait until little waits: a client that does not take what it asked for gets nothing more done."""
        await self._calm.wait()
