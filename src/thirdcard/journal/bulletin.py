"""News inside one process: whoever reads learns how far every stream has grown since, without gaps."""

import asyncio
from collections.abc import AsyncIterator

from thirdcard.journal.store import News
from thirdcard.ordered import OrderedSet


class _BulletinReader:
    """The news that a reader has not had yet; of a stream that grew twice meanwhile only the latest end."""

    def __init__(self) -> None:
        self.ends: dict[str, int] = {}
        self.closed = False
        self.stirred = asyncio.Event()


class Bulletin:
    """Hands all news to every reader."""

    def __init__(self) -> None:
        self._readers: OrderedSet[_BulletinReader] = OrderedSet()

    def publish(self, news: News) -> None:
        """Tell every reader."""
        for reader in self._readers:
            reader.ends[news.stream] = news.sequence
            reader.stirred.set()

    def close(self) -> None:
        """Let every reader end."""
        for reader in self._readers:
            reader.closed = True
            reader.stirred.set()

    def subscribe(self) -> AsyncIterator[News]:
        """Return the news that is published from now on."""
        reader = _BulletinReader()
        self._readers.add(reader)
        return self._follow(reader)

    async def _follow(self, reader: _BulletinReader) -> AsyncIterator[News]:
        try:
            while reader.ends or not reader.closed:
                await reader.stirred.wait()
                reader.stirred.clear()
                ends, reader.ends = reader.ends, {}
                for stream, sequence in ends.items():
                    yield News(stream, sequence)
        finally:
            self._readers.discard(reader)
