"""Volumes of an archive: the journal reads as before, nothing is lost, and nothing is altered unseen."""

import asyncio
import itertools
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from journal.test_copying import GAME, elsewhere, everything, require_whole
from journal.test_postgres import as_role
from moved_clock import MovedClock
from msgspec.structs import replace
from streams.openings import Guide

from thirdcard.cli import run
from thirdcard.floor.state import StreamEnd
from thirdcard.journal.archive import forget as forgetting
from thirdcard.journal.archive import write as writing
from thirdcard.journal.archive.frames import frames_of, records_in
from thirdcard.journal.archive.volume import Volume, manifest_statement
from thirdcard.journal.keys import KeyPair, KeyRing, new_keys, open_key_file
from thirdcard.journal.store import StoreFailed
from thirdcard.streams.opening import OpenedPlace, open_floor, open_store, place

DAYS = 3
DAY = 86_400  # seconds
Printed = pytest.CaptureFixture[str]


async def play_days(where: OpenedPlace, days: int, *, ago: int) -> None:
    """Two rounds a day at each of two tables, beginning some days ago."""
    clock = MovedClock(wall=(time.time_ns() // 1000) - ago * DAY * 1_000_000)
    async with open_floor(where, clock=clock) as floor:
        guides = []
        for name in ("six", "seven"):
            stream = floor.service.table(name)
            await stream.load()
            guides.append(Guide(stream, prefix=f"{name}-{stream.head.sequence}-"))
            if not stream.head.sequence:
                await guides[-1].open(GAME)
        for day in range(days):
            clock.step_wall(DAY if day else 0)
            for guide in guides:
                for _ in range(2):
                    await guide.bet(("Ada", "banker", 5000), ("Ben", "player", 5000))
                    await guide.deal("9S", "2H", "KS", "3H")
        for guide in guides:
            await guide.stream.drain()


@pytest.fixture(params=["sqlite", "postgres"])
def floor(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenedPlace:
    """A floor with two tables, three days old, in either store."""
    monkeypatch.setattr("thirdcard.streams.stream.SNAPSHOT_AFTER", 20)
    monkeypatch.setattr(writing, "BLOCK_RECORDS", 7)
    monkeypatch.setenv("THIRDCARD_ARCHIVE", str(tmp_path / "archive"))
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    data = None if url else tmp_path / "here"
    where = place(data=data, postgres=url, key=tmp_path / "keys" / "floor.keys")
    asyncio.run(play_days(where, DAYS, ago=10))
    return where


@pytest.fixture
def in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenedPlace:
    """The same floor in a file, with its archive beside it."""
    monkeypatch.setattr(writing, "BLOCK_RECORDS", 7)
    where = place(data=tmp_path / "here", key=tmp_path / "keys" / "floor.keys")
    asyncio.run(play_days(where, DAYS, ago=10))
    return where


def command(where: OpenedPlace, *words: str, key: bool = True) -> list[str]:
    told = ["--data", str(where.data)] if where.postgres is None else ["--postgres", where.postgres]
    return [*words, *told, *(["--key", str(where.key)] if key else [])]


def archive(where: OpenedPlace) -> None:
    """Write what is older than a day, and forget it."""
    assert run(command(where, "archive", "write", "--keep-days", "1")) == 0
    assert run(command(where, "archive", "forget")) == 0


def verified(where: OpenedPlace, capsys: Printed, *words: str) -> tuple[int, str]:
    capsys.readouterr()
    status = run([*command(where, "audit", "verify"), *words])
    return status, capsys.readouterr().out


async def left_in_journal(where: OpenedPlace) -> dict[str, int]:
    """How many records of the tables the journal itself still has."""
    store = await open_store(where, writing=False)
    try:
        return {name: len(await store.live.read(name, most=10_000)) for name in ("six", "seven")}
    finally:
        await store.close()


def test_past_days_are_read_from_the_archive_as_they_were(floor: OpenedPlace, capsys: Printed) -> None:
    before = asyncio.run(everything(floor))
    assert run(command(floor, "archive", "write", "--keep-days", "1", "--json")) == 0
    written = json.loads(capsys.readouterr().out)["volumes"]
    assert [each["volume"] for each in written] == [1, 2, 3]  # one for each day
    assert {each["state"] for each in written} == {"waiting"}
    assert asyncio.run(everything(floor)) == before
    assert run(command(floor, "archive", "forget", "--json")) == 0
    forgotten = json.loads(capsys.readouterr().out)["records"]
    assert forgotten == sum(each["records"] for each in written)
    assert asyncio.run(everything(floor)) == before
    whole = {name: len(records) for name, records in before[0] if name != "floor"}  # type: ignore[attr-defined]
    left = asyncio.run(left_in_journal(floor))
    assert sum(left.values()) == sum(whole.values()) - forgotten + 2  # the last record of each range stays
    assert max(left.values()) < 5
    status, out = verified(floor, capsys)
    assert (status, "The journal is whole" in out) == (0, True)
    assert run(command(floor, "archive", "list", "--json", key=False)) == 0
    assert {each["state"] for each in json.loads(capsys.readouterr().out)["volumes"]} == {"archived"}
    assert run(command(floor, "archive", "write", "--keep-days", "1")) == 0
    assert "Nothing to write" in capsys.readouterr().out
    assert run(command(floor, "archive", "forget")) == 0
    assert "No volume in" in capsys.readouterr().out


def test_a_floor_goes_on_after_its_archive_and_is_archived_again(floor: OpenedPlace) -> None:
    archive(floor)
    asyncio.run(play_days(floor, 2, ago=5))
    before = asyncio.run(everything(floor))
    archive(floor)
    assert asyncio.run(everything(floor)) == before
    assert [path.name for path in sorted(floor.archive.glob("*.json"))] == [
        f"{number:06}.json" for number in range(1, 6)
    ]
    asyncio.run(require_whole(floor))


def test_a_stream_without_its_snapshot_is_loaded_through_the_archive(floor: OpenedPlace) -> None:
    async def state(*, drop: bool) -> object:
        async with open_floor(floor) as opened:
            if drop:
                await opened.store.drop_snapshots()
            stream = opened.service.table("six")
            await stream.load()
            return stream.state

    before = asyncio.run(state(drop=True))
    archive(floor)
    assert asyncio.run(state(drop=True)) == before


def test_stories_searches_and_dossiers_reach_into_the_archive(
    in_a_file: OpenedPlace, tmp_path: Path, capsys: Printed
) -> None:
    def asked(name: str) -> list[object]:
        data = ["--data", str(in_a_file.data)]
        assert run(["audit", "round", "six", "1", *data, "--json"]) == 0
        story = capsys.readouterr().out
        made = tmp_path / name / "dossier.zip"
        made.parent.mkdir()
        dossier = ["audit", "dossier", "six", "2", "-o", str(made), *data, "--key", str(in_a_file.key)]
        assert run(dossier) == 0
        assert run(["audit", "replay", "--stream", "six", *data, "--digest"]) == 0
        return [story, made.read_bytes(), capsys.readouterr().out.replace(name, "")]

    before = asked("before")
    archive(in_a_file)
    capsys.readouterr()
    assert asked("after") == before


def test_the_journal_file_gets_smaller(in_a_file: OpenedPlace) -> None:
    asyncio.run(play_days(in_a_file, 30, ago=60))
    before = in_a_file.journal.stat().st_size
    archive(in_a_file)
    assert in_a_file.journal.stat().st_size < before / 2


def test_volumes_are_private_and_never_written_again(in_a_file: OpenedPlace) -> None:
    archive(in_a_file)
    files = [path for path in in_a_file.archive.iterdir() if path.name != "lock"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o400}
    assert in_a_file.archive.stat().st_mode & 0o777 == 0o700


def test_any_program_unpacks_a_volume(in_a_file: OpenedPlace) -> None:
    archive(in_a_file)
    packed = in_a_file.archive / "000001.frames.gz"
    told = Volume(in_a_file.archive, 1).manifest
    six = next(part for part in told.parts if part.stream == "six")
    with packed.open("rb") as file:
        file.seek(six.records[0].at)
        first = file.read(six.records[0].length)
    unpacked = subprocess.run(["gzip", "-dc"], input=first, capture_output=True, check=True).stdout
    assert [record.sequence for record in records_in(unpacked)] == list(range(1, 8))


def test_a_frame_that_is_cut_off_is_refused(in_a_file: OpenedPlace) -> None:
    content = frames_of(asyncio.run(everything(in_a_file))[0][0][1][:2])  # type: ignore[index]
    assert len(records_in(content)) == 2
    for cut in (1, len(content) // 2, len(content) - 1):
        with pytest.raises(ValueError, match="cut off"):
            records_in(content[:cut])


# what must not be deleted


def test_the_database_deletes_nothing_that_is_not_in_the_archive(floor: OpenedPlace) -> None:
    archive(floor)
    for table in ("record", "checkpoint"):
        with pytest.raises(Exception, match="the journal is never altered"):
            asyncio.run(sql(floor, f"DELETE FROM {{}}{table} WHERE stream = 'six'"))
    with pytest.raises(Exception, match="the journal is never altered"):
        asyncio.run(sql(floor, "DELETE FROM {}archived"))
    with pytest.raises(Exception, match="a range follows the one before it"):
        asyncio.run(
            sql(
                floor,
                "INSERT INTO {}archived SELECT stream, 1, sequence + 1, digest, tree, volume, manifest"
                " FROM {}archived",
            )
        )


async def sql(where: OpenedPlace, statement: str) -> None:
    if where.postgres is None:
        connection = sqlite3.connect(where.journal)
        try:
            connection.execute(statement.format("", ""))
        finally:
            connection.close()
        return
    import asyncpg  # type: ignore[import-untyped]

    database = await asyncpg.connect(where.postgres)
    try:
        await database.execute(statement.format("thirdcard.", "thirdcard."))
    finally:
        await database.close()


def test_nothing_is_forgotten_while_a_server_runs(floor: OpenedPlace, capsys: Printed) -> None:
    assert run(command(floor, "archive", "write", "--keep-days", "1")) == 0

    async def serving() -> int:
        async with open_floor(floor):
            assert await asyncio.to_thread(run, command(floor, "archive", "write", "--keep-days", "1")) == 0
            return await asyncio.to_thread(run, command(floor, "archive", "forget"))

    before = asyncio.run(everything(floor))
    assert asyncio.run(serving()) == 2
    assert "is in use by another process" in capsys.readouterr().err
    archive(floor)
    assert asyncio.run(everything(floor))[0] == before[0]


def test_a_journal_behind_its_mark_forgets_nothing(in_a_file: OpenedPlace, capsys: Printed) -> None:
    assert run(command(in_a_file, "archive", "write", "--keep-days", "1")) == 0
    keys = open_key_file(in_a_file.key)
    in_a_file.mark_file.write(keys, (StreamEnd("six", 900, "ab" * 32),), wall_time=1)
    capsys.readouterr()
    assert run(command(in_a_file, "archive", "forget")) == 2
    assert "900" in capsys.readouterr().err


def test_the_mark_of_a_journal_reaches_into_its_archive(floor: OpenedPlace) -> None:
    """A mark that is as old as an archived day is compared with the record that lies there."""
    records = asyncio.run(everything(floor))[0]
    old = next(made[4] for name, made in records if name == "six")  # type: ignore[attr-defined]
    archive(floor)
    keys = open_key_file(floor.key)
    for digest, closed in ((old.digest, False), (bytes(32), True)):
        ends = (StreamEnd("six", old.sequence, digest.hex()),)
        floor.mark_file.write(keys, ends, wall_time=1, anew=True)

        async def opened() -> bool:
            async with open_floor(floor) as here:
                return bool(here.service.closed)

        assert asyncio.run(opened()) is closed


# damage


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    rewrite(path, bytes(content))


def rewrite(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


def sign_anew(path: Path, change: Callable[[Any], Any], keys: KeyRing) -> None:
    """A manifest that says something else, signed by somebody."""
    told = change(Volume(path.parent, int(path.stem)).manifest)
    unsigned = replace(told, key_id=keys.key_id, signature="")
    signed = replace(unsigned, signature=keys.sign(manifest_statement(unsigned)).hex())
    rewrite(path, json.dumps(json.loads(__import__("msgspec").json.encode(signed))).encode())


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a bit of the records": (
        lambda folder: flip(folder / "000002.frames.gz"),
        "is not what its manifest says",
    ),
    "the records": (lambda folder: (folder / "000002.frames.gz").unlink(), "put it back from a copy"),
    "the manifest": (lambda folder: (folder / "000002.json").unlink(), "put it back from a copy"),
    "a bit of the manifest": (lambda folder: flip(folder / "000002.json"), "was altered"),
    "an empty manifest": (lambda folder: rewrite(folder / "000002.json", b""), "cannot be read"),
    "another volume": (
        lambda folder: rewrite(folder / "000002.json", (folder / "000003.json").read_bytes()),
        "is not the one that the journal knows",
    ),
    "a new signature": (
        lambda folder: sign_anew(folder / "000002.json", lambda told: told, KeyRing((new_keys(),))),
        "is not the one that the journal knows",
    ),
    "a cut end": (
        lambda folder: rewrite(
            folder / "000002.frames.gz", (folder / "000002.frames.gz").read_bytes()[:-400]
        ),
        "is not what its manifest says",
    ),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_volume_is_a_finding_that_names_it(
    what: str, in_a_file: OpenedPlace, capsys: Printed
) -> None:
    archive(in_a_file)
    damage, told = DAMAGE[what]
    damage(in_a_file.archive)
    for chain in ((), ("--chain",)):
        status, out = verified(in_a_file, capsys, *chain)
        assert status == 1
        assert "Volume 000002 of the archive" in out
        assert told in out


def test_a_missing_volume_is_listed_as_missing(in_a_file: OpenedPlace, capsys: Printed) -> None:
    archive(in_a_file)
    (in_a_file.archive / "000002.frames.gz").unlink()
    capsys.readouterr()
    assert run(command(in_a_file, "archive", "list", key=False)) == 1
    assert "missing" in capsys.readouterr().out


def test_a_floor_goes_on_from_its_snapshots_and_says_which_volume_is_missing(
    in_a_file: OpenedPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thirdcard.streams.stream.SNAPSHOT_AFTER", 1)
    asyncio.run(play_days(in_a_file, 1, ago=6))
    archive(in_a_file)
    in_a_file.archive.rename(in_a_file.archive.with_name("elsewhere"))
    asyncio.run(play_days(in_a_file, 1, ago=2))

    async def read() -> None:
        store = await open_store(in_a_file, writing=False)
        try:
            await store.read("six")
        finally:
            await store.close()

    with pytest.raises(StoreFailed, match="Volume 000001 of the archive cannot be read"):
        asyncio.run(read())


@pytest.mark.parametrize("what", ["a record", "a signature", "a manifest"])
def test_a_volume_that_differs_is_not_forgotten(
    what: str, in_a_file: OpenedPlace, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody alters a volume between its writing and the forgetting, also with keys of their own."""
    before = asyncio.run(everything(in_a_file))
    if what == "a signature":  # of a record, while it is written: the digests do not cover it
        real = frames_of
        monkeypatch.setattr(
            writing, "frames_of", lambda page: real([replace(each, says="") for each in page])
        )
        monkeypatch.setattr(Volume, "check", lambda *_: None)
    assert run(command(in_a_file, "archive", "write", "--keep-days", "1")) == 0
    if what == "a record":
        flip(in_a_file.archive / "000001.frames.gz")
    if what == "a manifest":
        stranger = KeyRing((KeyPair(bytes(32), bytes(32)),))
        sign_anew(in_a_file.archive / "000001.json", lambda told: replace(told, wall_time=7), stranger)
    capsys.readouterr()
    assert run(command(in_a_file, "archive", "forget")) == 2
    assert "Volume 000001 of the archive" in capsys.readouterr().err
    assert asyncio.run(everything(in_a_file)) == before


# interruptions


def stopping(patch: pytest.MonkeyPatch, where: object, name: str, after: int, error: Exception) -> None:
    """Let a function fail once it was called so often."""
    real, calls = getattr(where, name), itertools.count()

    def failing(*given: Any, **named: Any) -> Any:
        if next(calls) >= after:
            raise error
        return real(*given, **named)

    patch.setattr(where, name, failing)


@pytest.mark.parametrize("step", ["put_in_place", "frames_of", "sign_manifest", "line_of"])
def test_writing_that_is_interrupted_at_any_step_goes_on(
    step: str, in_a_file: OpenedPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = asyncio.run(everything(in_a_file))
    for after in itertools.count():
        with monkeypatch.context() as patch:
            stopping(patch, writing, step, after, OSError(28, "No space left on device"))
            if run(command(in_a_file, "archive", "write", "--keep-days", "1")) == 0:
                break
        assert asyncio.run(everything(in_a_file)) == before
        complete = {path.name[:6] for path in in_a_file.archive.glob("*.json")}
        assert len(complete) < DAYS
    assert after > 0
    names = sorted(path.name for path in in_a_file.archive.iterdir() if path.name != "lock")
    numbers = range(1, DAYS + 1)
    assert names == sorted(f"{number:06}.{end}" for number in numbers for end in ("frames.gz", "json"))
    archive(in_a_file)
    assert asyncio.run(everything(in_a_file)) == before
    asyncio.run(require_whole(in_a_file))


def test_forgetting_that_is_interrupted_at_any_stream_goes_on(
    floor: OpenedPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = asyncio.run(everything(floor))
    assert run(command(floor, "archive", "write", "--keep-days", "1")) == 0
    runs = 0
    while True:
        runs += 1
        with monkeypatch.context() as patch:
            stopping(patch, forgetting, "_require_same", 1, StoreFailed("the plug was pulled"))
            status = run(command(floor, "archive", "forget"))
        assert asyncio.run(everything(floor)) == before
        if status == 0:
            break
    assert runs == 2 * DAYS  # one stream of one volume at a time
    asyncio.run(require_whole(floor))


KILLED = """
import os, sys
import apsw
from thirdcard.journal.sqlite import writer

class Connection(apsw.Connection):
    left = {left}
    def execute(self, sql, *given, **named):
        if Connection.left == 0:
            os._exit(9)
        if "archived" in sql or "DELETE" in sql or sql in ("COMMIT", "VACUUM"):
            Connection.left -= 1
        return super().execute(sql, *given, **named)

apsw.Connection = Connection
from thirdcard.cli import run
sys.exit(run({words!r}))
"""


@pytest.mark.timed
def test_a_kill_between_any_two_statements_loses_nothing(in_a_file: OpenedPlace) -> None:
    before = asyncio.run(everything(in_a_file))
    assert run(command(in_a_file, "archive", "write", "--keep-days", "1")) == 0
    for left in (3, 4, 5, 6, 9):
        words = command(in_a_file, "archive", "forget")
        killed = subprocess.run([sys.executable, "-c", KILLED.format(left=left, words=words)], check=False)
        assert killed.returncode == 9
        assert asyncio.run(everything(in_a_file)) == before
    archive(in_a_file)
    assert asyncio.run(everything(in_a_file)) == before
    asyncio.run(require_whole(in_a_file))


def test_two_do_not_write_at_once(in_a_file: OpenedPlace, capsys: Printed) -> None:
    with writing.archive_lock(in_a_file.archive):
        assert run(command(in_a_file, "archive", "write", "--keep-days", "1")) == 2
    assert "is in use by another process" in capsys.readouterr().err


# copies and backups


def test_a_copy_has_what_the_archive_has(floor: OpenedPlace, tmp_path: Path) -> None:
    archive(floor)
    before = asyncio.run(everything(floor))
    there = elsewhere(OpenedPlace(tmp_path / "here", floor.key), "there")
    told = floor.postgres or str(floor.data)
    assert run(["journal", "copy", told, str(there.data), "--key", str(floor.key)]) == 0
    assert asyncio.run(everything(there)) == before


def test_a_backup_is_proven_from_where_the_archive_ends(in_a_file: OpenedPlace, tmp_path: Path) -> None:
    archive(in_a_file)
    before = asyncio.run(everything(in_a_file))
    kept = in_a_file.archive.rename(tmp_path / "kept")
    backup = tmp_path / "backup.sqlite"
    assert run(["backup", str(backup), "--data", str(in_a_file.data)]) == 0
    there = elsewhere(in_a_file, "there")
    assert run(["restore", str(backup), "--data", str(there.data)]) == 0
    kept.rename(there.archive)
    assert asyncio.run(everything(there)) == before


def test_a_backup_from_before_the_archive_forgets_again(in_a_file: OpenedPlace, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite"
    assert run(["backup", str(backup), "--data", str(in_a_file.data)]) == 0
    archive(in_a_file)
    before = asyncio.run(everything(in_a_file))
    in_a_file.journal.unlink()
    assert run(["restore", str(backup), "--data", str(in_a_file.data)]) == 0
    assert asyncio.run(everything(in_a_file)) == before
    assert run(command(in_a_file, "archive", "forget")) == 0
    assert asyncio.run(everything(in_a_file)) == before
    assert max(asyncio.run(left_in_journal(in_a_file)).values()) < 5


def test_a_volume_of_another_journal_is_refused(
    in_a_file: OpenedPlace, tmp_path: Path, capsys: Printed
) -> None:
    archive(in_a_file)
    other = place(data=tmp_path / "other", key=in_a_file.key)
    asyncio.run(play_days(other, 1, ago=10))
    in_a_file.archive.rename(other.archive)
    for words in (("archive", "write", "--keep-days", "1"), ("archive", "forget")):
        capsys.readouterr()
        assert run(command(other, *words)) == 2
        assert "Volume 000001 of the archive" in capsys.readouterr().err


def test_the_role_of_the_servers_deletes_nothing(
    postgres_url: str, tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the owner of a database forgets; its servers read on through the archive."""
    monkeypatch.setenv("THIRDCARD_ARCHIVE", str(tmp_path / "archive"))
    key = tmp_path / "keys" / "floor.keys"
    owner = place(postgres=postgres_url, key=key)
    assert run(["journal", "grant", postgres_url, "--password", 'it\'s not "guessed"']) == 0
    server = replace(owner, postgres=as_role(postgres_url, "thirdcard_writer"))
    asyncio.run(play_days(server, 2, ago=10))
    before = asyncio.run(everything(server))
    assert run(command(server, "archive", "write", "--keep-days", "1")) == 0
    capsys.readouterr()
    assert run(command(server, "archive", "forget")) == 2
    assert "a right is missing" in capsys.readouterr().err
    assert asyncio.run(everything(server)) == before
    assert run(command(owner, "archive", "forget")) == 0
    assert asyncio.run(everything(server)) == before


def test_only_a_database_is_readied(capsys: Printed) -> None:
    assert run(["journal", "grant", "floor"]) == 2
    assert "floor is not the address of a database" in capsys.readouterr().err
