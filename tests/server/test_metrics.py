"""The metrics of a server say of each table what somebody has to look at, and when what is due was done."""

import asyncio
from pathlib import Path

import httpx
import pytest
from limits import LONG_ENOUGH
from server.served import Served, serving
from server.test_card_readers import CHECKS, DEALS, SHUT, TABLES, alerts_come, dealer, free_port, reader

from thirdcard.cli import run
from thirdcard.game import commands as cmd

pytestmark = pytest.mark.timed


async def figures(served: Served) -> dict[str, float]:
    """Every metric by its name and labels."""
    async with httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http:
        text = (await http.get(f"{served.addresses[0]}metrics")).text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


async def test_metrics_tell_of_readers_alarms_pauses_and_checkpoints(tmp_path: Path) -> None:
    port = free_port()
    async with serving(tmp_path, TABLES, readers=port) as served:
        dana = await dealer(served, DEALS)
        before = await figures(served)
        assert [before[f'thirdcard_table_reader_connected{{table="{name}"}}'] for name in (DEALS, SHUT)] == [
            0,
            0,
        ]
        async with reader(port, DEALS) as device:
            await device.reads("9H")  # before the first call for wagers
            await alerts_come(dana, DEALS, 1)
            await dana.do(DEALS, cmd.PauseTable(reason="a test"))
            served.move(10)  # less than the silence of a reader that is gone
            told = await figures(served)
        by_table = {
            name: told[f'thirdcard_table_{name}{{table="{DEALS}"}}']
            for name in ("reader_connected", "alarms", "alerts", "paused", "held", "rounds_total")
        }
        assert by_table == {
            "reader_connected": 1,
            "alarms": 1,
            "alerts": 1,
            "paused": 1,
            "held": 0,
            "rounds_total": 0,
        }
        assert told[f'thirdcard_table_without_checkpoint_seconds{{table="{DEALS}"}}'] >= 10
        assert told[f'thirdcard_table_reader_connected{{table="{CHECKS}"}}'] == 0
        assert told[f'thirdcard_table_alarms{{table="{CHECKS}"}}'] == 0
        assert told["process_resident_memory_bytes"] > 0
        await dana.close()


async def test_a_table_that_was_restarted_in_a_round_is_held(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES) as served:
        dana = await dealer(served, DEALS)
        await dana.do(DEALS, cmd.OpenBetting())
        await dana.close()
        await served.kill_all()
        served.servers[0].start()
        told = await figures(served)
        held = f'thirdcard_table_held{{table="{DEALS}"}}', f'thirdcard_table_held{{table="{SHUT}"}}'
        assert [told[each] for each in held] == [1, 0]


async def test_metrics_tell_when_the_journal_was_backed_up(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES) as served:
        assert "thirdcard_backup_timestamp_seconds" not in await figures(served)
        backup = ["backup", str(tmp_path / "night.sqlite"), "--data", str(served.place.data)]
        assert await asyncio.to_thread(run, backup) == 0
        noted = served.place.data / "last-backup"
        told = await figures(served)
        assert told["thirdcard_backup_timestamp_seconds"] == pytest.approx(noted.stat().st_mtime)
        assert noted.stat().st_mode & 0o777 == 0o600
