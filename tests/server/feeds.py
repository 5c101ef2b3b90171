"""Readers of feeds: another system that listens to tables by its service account."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import msgspec
from limits import LONG_ENOUGH
from msgspec import Struct
from server.traffic import Ear, Heard

from thirdcard.client.calls import Client
from thirdcard.wire.answers import FeedEvent
from thirdcard.wire.paths import FEED, filled


class Block(Struct, frozen=True):
    """A block of a feed as it came: its name, its id and its data."""

    event: str
    id: str
    data: str

    @property
    def told(self) -> FeedEvent:
        """The record that it tells."""
        return msgspec.json.decode(self.data, type=FeedEvent)


class Feed:
    """A feed that is open."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()

    async def block(self) -> Block:
        """The next block."""
        found: dict[str, str] = {}
        async with asyncio.timeout(LONG_ENOUGH):
            async for line in self._lines:
                if line.startswith(":"):
                    continue
                name, _, value = line.partition(": ")
                if line:
                    found[name] = value
                elif "data" in found:
                    return Block(found["event"], found.get("id", ""), found["data"])
                else:
                    found = {}
        raise EOFError

    async def until(self, sequence: int) -> list[Block]:
        """The blocks up to the one of a record."""
        blocks: list[Block] = []
        while not blocks or int(blocks[-1].id) < sequence:
            blocks.append(await self.block())
        return blocks


@asynccontextmanager
async def opened(client: Client, table: str, after: int | None = None, **headers: str) -> AsyncIterator[Feed]:
    """The feed of a table."""
    query = {} if after is None else {"after": str(after)}
    address = f"{client.address}{filled(FEED, table=table)}"
    shown = {"authorization": f"Bearer {client.token}", **headers}
    async with (
        httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http,
        http.stream("GET", address, params=query, headers=shown) as response,
    ):
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"] == "text/event-stream"
        yield Feed(response)


class FeedEar(Ear):
    """A service account with a socket, questions, and the feeds of all tables."""

    async def _listen(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(super()._listen())
            for table in self._tables:
                group.create_task(self._read(table))

    async def _read(self, table: str) -> None:
        """Hear the moments of a feed as if they were messages, which say the same of them."""
        async with opened(self._client, table, 0) as feed:
            while True:
                told = msgspec.json.decode((await feed.block()).data)
                moments = [{"sequence": told["sequence"], "what": each} for each in told["moments"]]
                self.heard.append(Heard(self.who, f"/tables/{table}/messages", {"moments": moments}))
