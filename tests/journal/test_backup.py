"""Backups of a journal: taken while it is written to, whole, durable, and never in the place of another."""

import asyncio
from pathlib import Path

import apsw
import pytest
from streams.openings import KEYS, Guide, serving

from thirdcard.auditor.verify import verify
from thirdcard.cli import run
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.sqlite.backup import copy_journal
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import StoreUnusable

GAME = "mbs-super-six-etg-v3"


async def write(folder: Path, rounds: int, keys: KeyRing = KEYS) -> int:
    """A journal with some rounds; how many records it has."""
    store = SqliteStore(folder / "journal.sqlite")
    async with serving(store, keys) as service:
        guide = Guide(service.table("six"))
        await guide.open(GAME)
        await play(guide, rounds)
        length = guide.stream.head.sequence
    await store.close()
    return length


async def test_a_backup_taken_while_rounds_are_played_is_whole(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "journal.sqlite")
    async with serving(store) as service:
        guide = Guide(service.table("six"))
        await guide.open(GAME)
        copies: list[tuple[int, Path]] = []
        playing = asyncio.create_task(play(guide, 12))
        while not playing.done():
            before = guide.stream.head.sequence
            target = tmp_path / f"copy-{len(copies)}.sqlite"
            await asyncio.to_thread(copy_journal, tmp_path / "journal.sqlite", target)
            copies.append((before, target))
            await asyncio.sleep(0.01)
        await playing
    await store.close()
    assert len(copies) > 1
    for before, target in copies:
        copy = SqliteStore(target, writing=False)
        report = await verify(copy, "six")
        await copy.close()
        assert not report.findings
        assert report.records >= before  # what was acknowledged before the backup began is in it


async def play(guide: Guide, rounds: int) -> None:
    """Rounds that end with a natural."""
    for _ in range(rounds):
        await guide.bet(("Ada", "banker", 5000), ("Ben", "player", 5000))
        await guide.deal("9S", "2H", "KS", "3H")


async def test_a_restored_floor_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    length = await write(tmp_path / "here", 2)
    backup, there = tmp_path / "backup.sqlite", tmp_path / "there"
    assert await asyncio.to_thread(run, ["backup", str(backup), "--data", str(tmp_path / "here")]) == 0
    assert await asyncio.to_thread(run, ["restore", str(backup), "--data", str(there)]) == 0
    assert f"{length}" in capsys.readouterr().out
    store = SqliteStore(there / "journal.sqlite")
    async with serving(store) as service:
        stream = service.table("six")
        await stream.load()
        assert stream.head.sequence == length
    await store.close()


def modes(*paths: Path) -> list[str]:
    return [f"{path.stat().st_mode & 0o777:o}" for path in paths]


async def test_a_journal_and_its_backup_are_private(tmp_path: Path) -> None:
    journal = tmp_path / "floor" / "journal.sqlite"
    store = SqliteStore(journal)
    async with serving(store) as service:
        await Guide(service.table("six")).open(GAME)
        log = journal.with_name("journal.sqlite-wal")
        lock = journal.with_name("journal.sqlite.lock")
        assert modes(journal.parent, journal, log, lock) == ["700", "600", "600", "600"]
        backup = tmp_path / "backups" / "copy.sqlite"
        await asyncio.to_thread(copy_journal, journal, backup)
        assert modes(backup.parent, backup) == ["700", "600"]
    await store.close()


async def test_a_journal_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    await write(tmp_path, 1)
    journal = tmp_path / "journal.sqlite"
    journal.chmod(0o644)
    store = SqliteStore(journal)
    assert modes(journal) == ["600"]
    await store.close()


def test_a_backup_never_replaces_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(write(tmp_path / "here", 1))
    taken = tmp_path / "taken.sqlite"
    taken.write_text("something else")
    assert run(["backup", str(taken), "--data", str(tmp_path / "here")]) == 2
    assert taken.read_text() == "something else"
    assert run(["restore", str(tmp_path / "here" / "journal.sqlite"), "--data", str(tmp_path / "here")]) == 2
    assert "exists already" in capsys.readouterr().err


def test_a_damaged_backup_is_not_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(write(tmp_path / "here", 1))
    backup = tmp_path / "backup.sqlite"
    assert run(["backup", str(backup), "--data", str(tmp_path / "here")]) == 0
    connection = apsw.Connection(str(backup))
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f'DROP TRIGGER "{name}"')
    connection.execute("UPDATE record SET kind = 'other' WHERE sequence = 3")
    connection.close()
    assert run(["restore", str(backup), "--data", str(tmp_path / "there")]) == 2
    assert "not whole" in capsys.readouterr().err
    assert not (tmp_path / "there" / "journal.sqlite").exists()


def test_half_a_copy_never_has_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(write(tmp_path / "here", 1))

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("thirdcard.journal.durable_files.sync", fails)
    with pytest.raises(StoreUnusable, match="No space left"):
        copy_journal(tmp_path / "here" / "journal.sqlite", tmp_path / "backup.sqlite")
    assert [each.name for each in tmp_path.iterdir()] == ["here"]


def test_the_keys_are_not_in_a_backup(tmp_path: Path) -> None:
    keys = new_keys()
    asyncio.run(write(tmp_path / "here", 1, KeyRing((keys,))))
    copy_journal(tmp_path / "here" / "journal.sqlite", tmp_path / "backup.sqlite")
    content = (tmp_path / "backup.sqlite").read_bytes()
    assert keys.public in content
    assert keys.signing not in content
    assert keys.secrecy not in content
