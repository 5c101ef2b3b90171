"""Nothing acknowledged is lost and nothing is doubled when a process is killed at any instant."""

import asyncio
from pathlib import Path

import pytest
from crash.loop import Loop
from streams.openings import KEYS

from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Store

pytestmark = pytest.mark.timed

KILLS = 20


def test_kills_over_sqlite_lose_nothing(tmp_path: Path) -> None:
    async def opening() -> Store:
        return SqliteStore(tmp_path / "journal.sqlite")

    loop = Loop(opening, KEYS, seed=4, folder=tmp_path)
    while loop.tally.kills < KILLS or not loop.has_said(lines=100, states=5, compared=5):
        loop.kill_once()
    asyncio.run(loop.check())
    assert loop.tally.states > 5
    assert loop.tally.held > 0  # tables came up paused
