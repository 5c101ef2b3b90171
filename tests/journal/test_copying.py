"""Copies of a journal between a file and a database: the same byte for byte, or plainly unfinished."""

import asyncio
import functools
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from journal import kept_journals
from msgspec.structs import replace
from streams.openings import Guide

from thirdcard.auditor.verify import Against, streams_of, verify
from thirdcard.cli import run
from thirdcard.floor.state import StreamEnd
from thirdcard.journal.copying import copy_store
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.record import Record
from thirdcard.journal.store import Appended, Checkpoint, Store, StoreFailed
from thirdcard.streams.opening import OpenedPlace, open_floor, open_store, place

GAME = "mbs-super-six-etg-v3"
Everything = tuple[object, ...]


async def play(where: OpenedPlace, rounds: int) -> None:
    """Rounds at a table, in a floor that is served until they are over."""
    async with open_floor(where) as floor:
        stream = floor.service.table("six")
        await stream.load()
        guide = Guide(stream, prefix=f"{stream.head.sequence}-")
        if not stream.head.sequence:
            await guide.open(GAME)
        for _ in range(rounds):
            await guide.bet(("Ada", "banker", 5000), ("Ben", "player", 5000))
            await guide.deal("9S", "2H", "KS", "3H")
        await stream.drain()


async def everything(where: OpenedPlace) -> Everything:
    """All that a journal has."""
    store = await open_store(where, writing=False)
    try:
        names = await store.streams()
        return (
            [(name, await store.read(name, most=10_000)) for name in names],
            [await store.checkpoints(name) for name in names],
            [await store.snapshot(name) for name in names],
            await store.contents(most=10_000),
        )
    finally:
        await store.close()


async def require_whole(where: OpenedPlace) -> None:
    store = await open_store(where, writing=False)
    keys = open_key_file(where.key).public_keys
    for name in await streams_of(store, Against(keys)):
        assert not (await verify(store, name, Against(keys))).findings
    await store.close()


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenedPlace:
    """A floor in a folder, with two rounds."""
    monkeypatch.setattr("thirdcard.streams.stream.SNAPSHOT_AFTER", 20)
    where = place(data=tmp_path / "here", key=tmp_path / "keys" / "floor.keys")
    asyncio.run(play(where, 2))
    return where


def elsewhere(floor: OpenedPlace, name: str) -> OpenedPlace:
    return OpenedPlace(floor.data.with_name(name), floor.key)


def told(where: OpenedPlace) -> str:
    return where.postgres or str(where.data)


class Copy:
    """The command, and what it says."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, here: OpenedPlace, there: OpenedPlace, *more: str) -> tuple[int, str, str]:
        status = run(["journal", "copy", told(here), told(there), "--key", str(here.key), *more])
        printed = self.capsys.readouterr()
        return status, printed.out, printed.err


@pytest.fixture
def copy(capsys: pytest.CaptureFixture[str]) -> Copy:
    return Copy(capsys)


@pytest.fixture(params=["sqlite", "postgres"])
def target(request: pytest.FixtureRequest, floor: OpenedPlace) -> OpenedPlace:
    """A place without a journal, in either store."""
    if request.param == "sqlite":
        return elsewhere(floor, "there")
    return place(postgres=request.getfixturevalue("postgres_url"), key=floor.key)


def test_a_journal_goes_into_a_database_and_back_byte_for_byte(
    floor: OpenedPlace, postgres_url: str, copy: Copy
) -> None:
    before = asyncio.run(everything(floor))
    database, back = place(postgres=postgres_url, key=floor.key), elsewhere(floor, "back")
    status, out, err = copy(floor, database, "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    ends = {name: records[-1] for name, records in before[0]}  # type: ignore[attr-defined]
    assert answer["mark"] is True
    assert answer["ends"] == {
        name: {"record": end.sequence, "digest": end.digest.hex()} for name, end in ends.items()
    }
    assert asyncio.run(everything(database)) == before
    status, out, _ = copy(database, back)
    assert (status, "each byte for byte the same" in out) == (0, True)
    assert [path.name for path in back.data.iterdir()] == ["journal.sqlite"]
    assert asyncio.run(everything(back)) == before
    assert (back.journal.stat().st_mode & 0o777, back.data.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_floor_goes_on_in_its_copy(floor: OpenedPlace, target: OpenedPlace, copy: Copy) -> None:
    assert copy(floor, target)[0] == 0
    marked = target.mark_file.path.read_bytes()
    assert marked == floor.mark_file.path.read_bytes()
    asyncio.run(play(target, 1))  # nothing is closed: the journal reaches as far as its mark
    assert target.mark_file.path.read_bytes() != marked
    asyncio.run(require_whole(target))


@pytest.mark.parametrize("name", ["form-1-k", "form-8", "form-13"])
def test_a_journal_of_an_older_build_is_copied_as_it_is(name: str, tmp_path: Path, copy: Copy) -> None:
    here = kept_journals.copied(name, tmp_path)
    asyncio.run(play_nothing(here))  # records where unsigned records end
    there = elsewhere(here, "there")
    status, _, err = copy(here, there)
    assert (status, err) == (0, "")
    assert asyncio.run(everything(there)) == asyncio.run(everything(here))


async def play_nothing(where: OpenedPlace) -> None:
    async with open_floor(where):
        pass


# damage on the way


class Damaging:
    """A store that damages something that is written to it."""

    def __init__(self, store: Store, what: str) -> None:
        self._store = store
        self._what = what

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, records: tuple[Record, ...]) -> object:
        if self._what == "record" and records[0].stream == "six":
            records = (replace(records[0], body=records[0].body.replace(b"six", b"sex")), *records[1:])
        if self._what == "signature" and records[0].stream == "six":
            records = (replace(records[0], group_signature=bytes(64)), *records[1:])
        if self._what == "end" and records[0].stream == "six":
            return Appended((await self._store.append(records[:-1]), records)[1])
        return await self._store.append(records)

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        if self._what == "no checkpoint":
            return
        if self._what == "checkpoint":
            checkpoint = replace(checkpoint, wall_time=checkpoint.wall_time + 1)
        await self._store.keep_checkpoint(checkpoint)

    async def keep_content(self, digest: str, content: bytes) -> None:
        await self._store.keep_content(digest, content + b" " if self._what == "content" else content)


@pytest.mark.parametrize(
    ("what", "differs"),
    [
        ("record", "number 1 of the records of six"),
        ("signature", "number 1 of the records of six"),
        ("end", "how many there are of the records of six"),
        ("checkpoint", "number 1 of the checkpoints of six"),
        ("no checkpoint", "how many there are of the checkpoints of six"),
        ("content", "number 1 of the rulebooks, houses and keys"),
    ],
)
def test_damage_on_the_way_is_found(
    what: str,
    differs: str,
    floor: OpenedPlace,
    target: OpenedPlace,
    copy: Copy,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    damaging(monkeypatch, lambda store: Damaging(store, what))
    status, _, err = copy(floor, target)
    assert (status, f"The copy differs from the journal: {differs}." in err) == (2, True)
    require_unfinished(target)


def damaging(patch: pytest.MonkeyPatch, wrapped: Callable[[Store], Any]) -> None:
    async def copying(source: Store, target: Store, progress: Callable[[int], None]) -> None:
        await copy_store(source, wrapped(target), progress)

    patch.setattr("thirdcard.cli.journal.copy_store", copying)


def require_unfinished(target: OpenedPlace) -> None:
    """Nobody can take a copy that is not finished for a journal."""
    command = ["--data", str(target.data)] if target.postgres is None else ["--postgres", target.postgres]
    assert run(["audit", "verify", *command]) == 2
    assert not target.mark_file.path.exists()
    assert not target.journal.exists()


def test_a_journal_that_is_not_whole_has_no_finished_copy(
    floor: OpenedPlace, copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    middle, last = elsewhere(floor, "middle"), elsewhere(floor, "last")
    damaging(monkeypatch, lambda store: Damaging(store, "record"))
    copy(floor, middle)
    middle.journal.with_name("journal.sqlite.unfinished").rename(middle.journal)
    monkeypatch.undo()
    status, _, err = copy(middle, last)
    assert status == 2
    assert "six is not whole. Record 1 was altered" in err
    require_unfinished(last)


# interruptions


class Stopping:
    """A store that is gone after so many writes."""

    def __init__(self, store: Store, writes: int) -> None:
        self._store = store
        self.left = writes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def _count(self) -> None:
        if self.left == 0:
            raise StoreFailed("the plug was pulled")
        self.left -= 1

    async def append(self, records: tuple[Record, ...]) -> object:
        self._count()
        return await self._store.append(records)

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        self._count()
        await self._store.keep_checkpoint(checkpoint)

    async def keep_content(self, digest: str, content: bytes) -> None:
        self._count()
        await self._store.keep_content(digest, content)


def test_a_copy_that_is_interrupted_at_any_write_goes_on(
    floor: OpenedPlace, target: OpenedPlace, copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thirdcard.journal.copying.COPY_BATCH", 7)
    for writes in itertools.count(1):
        damaging(monkeypatch, functools.partial(Stopping, writes=writes))
        status, _, err = copy(floor, target)
        if status == 0:
            break
        assert (status, "the plug was pulled" in err) == (2, True)
        require_unfinished(target)
    assert writes > 5
    assert asyncio.run(everything(target)) == asyncio.run(everything(floor))


# refusals


def test_a_journal_that_is_served_is_not_copied(floor: OpenedPlace, tmp_path: Path, copy: Copy) -> None:
    async def serving() -> tuple[int, str, str]:
        async with open_floor(floor):
            return await asyncio.to_thread(copy, floor, elsewhere(floor, "there"))

    status, _, err = asyncio.run(serving())
    assert (status, "is in use by another process" in err) == (2, True)
    assert not elsewhere(floor, "there").data.exists()


def test_a_database_that_is_served_is_not_copied(floor: OpenedPlace, postgres_url: str, copy: Copy) -> None:
    database = place(postgres=postgres_url, key=floor.key)
    assert copy(floor, database)[0] == 0

    async def serving() -> tuple[int, str, str]:
        async with open_floor(database):
            return await asyncio.to_thread(copy, database, elsewhere(floor, "there"))

    status, _, err = asyncio.run(serving())
    assert (status, "is in use by another process" in err) == (2, True)


def test_a_place_with_a_journal_takes_no_copy(floor: OpenedPlace, target: OpenedPlace, copy: Copy) -> None:
    assert copy(floor, target)[0] == 0
    status, _, err = copy(floor, target)
    assert status == 2
    assert "exists already" in err or "has a journal already" in err


def test_a_journal_behind_its_mark_is_not_copied(floor: OpenedPlace, copy: Copy) -> None:
    keys = open_key_file(floor.key)
    floor.mark_file.write(keys, (StreamEnd("six", 900, "ab" * 32),), wall_time=1)
    status, _, err = copy(floor, elsewhere(floor, "there"))
    assert (status, "900" in err) == (2, True)
    require_unfinished(elsewhere(floor, "there"))


@pytest.mark.parametrize("there", ["here", "here/."])
def test_a_journal_is_not_copied_upon_itself(there: str, floor: OpenedPlace, copy: Copy) -> None:
    status, _, err = copy(floor, elsewhere(floor, there))
    assert (status, err) == (
        2,
        "thirdcard: The journal is to be copied to where it is. Name another folder or database.\n",
    )


def test_what_is_not_there_is_not_copied(floor: OpenedPlace, copy: Copy) -> None:
    status, _, err = copy(elsewhere(floor, "nowhere"), elsewhere(floor, "there"))
    assert (status, "has no journal; name the folder of a floor" in err) == (2, True)
    status = run(["journal", "copy", told(floor), "x", "--key", str(floor.key.with_name("typo"))])
    assert (status, floor.key.with_name("typo").exists()) == (2, False)
