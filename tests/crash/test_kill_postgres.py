"""Nothing acknowledged is lost over PostgreSQL when processes are killed, and the server with them."""

import asyncio

import pytest
from contracts.servers import PostgresServer
from crash.loop import Loop
from table.openings import KEYS

from thirdcard.journal.postgres import PostgresStore
from thirdcard.journal.store import Store

pytestmark = pytest.mark.timed


def test_kills_of_processes_and_of_the_server_lose_nothing() -> None:
    server = PostgresServer()
    try:
        url = server.fresh_database()

        async def opening() -> Store:
            return await PostgresStore.open(url)

        loop = Loop(opening, KEYS, seed=5)
        for turn in range(8):
            loop.kill_once(longest=1.0)
            if turn % 4 == 3:
                server.kill()
                server.start()
        asyncio.run(loop.check())
        assert loop.tally.acknowledged > 50
    finally:
        server.stop()
