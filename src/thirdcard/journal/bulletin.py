"""News inside one process: whoever reads gets what was appended since, without gaps."""

import asyncio
from collections.abc import AsyncIterator

from thirdcard.journal.store import News


class Bulletin:
    """Hands every piece of news to every reader."""

    def __init__(self) -> None:
        self._readers: set[asyncio.Queue[News | None]] = set()

    def publish(self, news: News) -> None:
        """Tell every reader."""
        for queue in self._readers:
            queue.put_nowait(news)

    def close(self) -> None:
        """Let every reader end."""
        for queue in self._readers:
            queue.put_nowait(None)

    def subscribe(self) -> AsyncIterator[News]:
        """What is published from now on."""
        queue: asyncio.Queue[News | None] = asyncio.Queue()
        self._readers.add(queue)
        return self._follow(queue)

    async def _follow(self, queue: asyncio.Queue[News | None]) -> AsyncIterator[News]:
        try:
            while (news := await queue.get()) is not None:
                yield news
        finally:
            self._readers.discard(queue)
