"""Nothing acknowledged is lost over PostgreSQL when processes are killed, and the server with them."""

import asyncio
from pathlib import Path

import pytest
from contracts.servers import PostgresServer
from crash.loop import Loop
from streams.openings import KEYS

from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.store import Store

pytestmark = pytest.mark.timed

KILLS = 8


def test_kills_of_processes_and_of_the_server_lose_nothing(tmp_path: Path) -> None:
    server = PostgresServer()
    try:
        url = server.fresh_database()

        async def opening() -> Store:
            return await PostgresStore.open(url)

        loop = Loop(opening, KEYS, seed=5, folder=tmp_path)
        while loop.tally.kills < KILLS or not loop.has_said(lines=50, states=0, compared=2):
            loop.kill_once(longest=1.0)
            if loop.tally.kills % 4 == 0:
                server.kill()
                server.start()
        asyncio.run(loop.check())
        assert loop.tally.states > 0
    finally:
        server.stop()
