"""A full or read-only disk closes betting with a clear message; nothing is half-accepted; then it works."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from crash.disk import Disk, Step
from moved_clock import MovedClock
from streams.openings import KEYS, Guide, serving

from thirdcard.game import commands as cmd
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import StoreUnusable
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.ahead import Accepted

GAME = "mbs-super-six-etg-v3"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte of its own; only root can mount it."""
    assert os.geteuid() == 0, "run the tests as root: this one mounts a small disk"
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path], check=True)
    yield tmp_path
    subprocess.run(["umount", "--lazy", tmp_path], check=True)


async def test_a_full_disk_stops_the_table_and_room_brings_it_back(small_disk: Path) -> None:
    store, clock = SqliteStore(small_disk / "journal.sqlite"), MovedClock()
    async with serving(store, clock=clock) as service:
        guide = Guide(service.table("T1"))
        await guide.open(GAME)
        await guide.bet()
        ballast = small_disk / "ballast"
        with pytest.raises(OSError, match="No space"):
            ballast.write_bytes(bytes(2 * 1024 * 1024))
        accepted, refused = 0, None
        for _ in range(600):
            wager = cmd.PlaceWager(patron="Ada", wager="player", amount=5_000 if not accepted else 100)
            answer = await guide.send(wager, "Ada")
            if isinstance(answer, Refused):
                refused = answer
                break
            accepted += 1
        assert refused is not None
        assert refused.reason is Refusal.TABLE_STOPPED
        assert guide.stream.stopped is not None  # what staff are told
        assert "the disk is full" in guide.stream.stopped
        assert "make room" in guide.stream.stopped
        assert isinstance(await guide.send(wager, "Ada"), Refused)
        ballast.unlink()
        clock.jump(2)
        held = await guide.send(wager, "Ada")
        assert isinstance(held, Refused)
        assert held.reason is Refusal.TABLE_PAUSED
        await guide.do(cmd.ResumeTable())
        assert isinstance(await guide.send(wager, "Ada"), Accepted)
        placed = 0
        for record in await store.read("T1"):
            placed += record.kind == "place-wager" and bool(table_result_of(record).events)
        assert placed == accepted + 1
        assert [each.stake for each in guide.table.wagers] == [5_000 + 100 * accepted]
    await store.close()


async def test_a_disk_mounted_read_only_is_refused_with_a_sentence(small_disk: Path) -> None:
    store = SqliteStore(small_disk / "journal.sqlite")
    async with serving(store) as service:
        await Guide(service.table("T1")).open(GAME)
    await store.close()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(StoreUnusable, match=r"Read-only file system. Choose a folder that can be written to"):
        SqliteStore(small_disk / "journal.sqlite")
    reading = SqliteStore(small_disk / "journal.sqlite", writing=False)  # an audit is still possible
    assert len(await reading.read("T1")) > 5
    await reading.close()
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    store = SqliteStore(small_disk / "journal.sqlite")
    async with serving(store) as service:
        guide = Guide(service.table("T1"), "again")
        await guide.bet(("Ada", "player", 5_000))
    await store.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_disk_that_fails_under_a_running_table_stops_it(tmp_path: Path) -> None:
    """A disk whose controller gives up: every write and sync fails until it is back."""
    broken = [False]

    def fails(number: int, step: Step) -> bool:
        return broken[0]

    disk, clock = Disk("giving-up", fails), MovedClock()
    store = SqliteStore(tmp_path / "journal.sqlite", vfs=disk.name)
    async with serving(store, clock=clock) as service:
        guide = Guide(service.table("T1"))
        await guide.open(GAME)
        await guide.bet(("Ada", "player", 5_000))
        broken[0] = True
        wager = cmd.PlaceWager(patron="Ben", wager="banker", amount=5_000)
        answers = await asyncio.gather(*(guide.send(wager, "Ben") for _ in range(5)))
        for answer in answers:
            assert isinstance(answer, Refused)
            assert answer.reason is Refusal.TABLE_STOPPED
        clock.jump(2)
        answer = await guide.send(wager, "Ben")
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.TABLE_STOPPED
        broken[0] = False
        clock.jump(2)
        await guide.do(cmd.ResumeTable())
        assert [each.stake for each in guide.table.wagers] == [5_000]
        assert isinstance(await guide.send(wager, "Ben"), Accepted)
    await store.close()
    async with serving(again := SqliteStore(tmp_path / "journal.sqlite"), KEYS) as service:
        await service.table("T1").load()
        state = service.table("T1").state
        assert state is not None
        assert [each.stake for each in state.table.wagers] == [5_000, 5_000]
    await again.close()
    disk.close()
