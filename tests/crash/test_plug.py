"""The plug is pulled at every sync: what was acknowledged is there, and nothing is half there."""

import asyncio
import functools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from contracts.stores import draft
from crash.disk import Disk, Step, left_behind
from lengths import sized

from thirdcard.journal.record import EMPTY, Head, Record, digest_of, head_of, place
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Appended, StoreFailed, StoreUnusable, records

STREAMS = ("T1", "T2", "T3")
LONG = b'{"' + b"x" * 60_000 + b'":0}'


class Evening:
    """Appends to several streams at once, and how far the disk had come at each acknowledgement."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.heads: dict[str, Head] = dict.fromkeys(STREAMS, EMPTY)
        self.sent: dict[str, Record] = {}
        self.acknowledged: list[tuple[int, Record]] = []

    async def append(self, store: SqliteStore, stream: str, body: bytes) -> None:
        """Append one record and note when it was acknowledged."""
        number = len(self.sent)
        record = place(draft(stream, f"{stream}-{number}", body), self.heads[stream])
        self.sent[record.command_id] = record
        answer = await store.append((record,))
        assert isinstance(answer, Appended)
        self.heads[stream] = answer.head
        self.acknowledged.append((len(self.disk.steps), record))


async def play(folder: Path, disk: Disk, rounds: int) -> Evening:
    """Append over two openings of the store, with enough bytes that the log is folded back in between."""
    evening = Evening(disk)
    for _ in range(2):
        store = SqliteStore(folder / "journal.sqlite", vfs=disk.name)
        for number in range(rounds):
            body = LONG if number % 2 else b"{}"
            await asyncio.gather(*(evening.append(store, stream, body) for stream in STREAMS))
        await store.close()
    return evening


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """An evening whose every step is known."""
    disk = Disk("noting")
    yield asyncio.run(play(tmp_path_factory.mktemp("evening"), disk, 40))
    disk.close()


async def compare_all(
    evening: Evening, folder: Path, cuts: list[int], dice: random.Random | None = None
) -> list[int]:
    """Compare what each cut of power leaves; how many records there are."""
    folder.mkdir()
    left = left_behind(evening.disk.steps, cuts, dice)
    return [await compare(evening, folder, cut, files) for cut, files in left]


async def compare(evening: Evening, folder: Path, steps: int, files: dict[str, bytes]) -> int:
    """Open what a cut of power after some steps leaves, and compare it with what was acknowledged by then."""
    for file, content in files.items():
        (folder / file).write_bytes(content)
    store = SqliteStore(folder / "journal.sqlite")
    assert store.damage is None
    found: dict[str, Record] = {}
    try:
        for stream in await store.streams():
            head = EMPTY
            async for record in records(store, stream):
                assert Head(record.sequence - 1, record.previous) == head
                assert evening.sent[record.command_id] == record
                found[record.command_id] = record
                head = head_of(record)
    finally:
        await store.close()
    for at, record in evening.acknowledged:
        if at <= steps:
            assert found.get(record.command_id) == record, f"lost after step {steps}: {record.command_id}"
    for left in folder.iterdir():
        left.unlink()
    return len(found)


def sync_points(evening: Evening) -> list[int]:
    """The number of steps taken just before and just after every sync."""
    after = [at + 1 for at, step in enumerate(evening.disk.steps) if step.verb == "sync"]
    return sorted({*after, *(at - 1 for at in after)})


def test_the_log_is_folded_back_during_the_evening(evening: Evening) -> None:
    files = [step.file for step in evening.disk.steps if step.verb == "sync"]
    assert files.count("journal.sqlite-wal") > 60
    assert files.count("journal.sqlite") > 3
    assert len(evening.acknowledged) == len(evening.sent) == 240


async def test_with_unsynced_writes_gone_nothing_acknowledged_is_lost(
    evening: Evening, tmp_path: Path
) -> None:
    counts = await compare_all(evening, tmp_path / "cut", sync_points(evening))
    assert max(counts) == 240
    assert len(set(counts)) > 60


@pytest.mark.sweep
async def test_with_unsynced_writes_torn_and_out_of_order_nothing_is_lost(
    evening: Evening, tmp_path: Path
) -> None:
    dice = random.Random(5)
    cuts = [dice.randrange(1, len(evening.disk.steps) + 1) for _ in range(sized(75, 2000))]
    await compare_all(evening, tmp_path / "cut", cuts, dice)


async def carry_on(folder: Path, name: str, disk: Disk) -> tuple[set[str], set[str]]:
    """Append in spite of failures; what was acknowledged, and what was sent."""
    heads: dict[str, Head] = dict.fromkeys(STREAMS, EMPTY)
    acknowledged: set[str] = set()
    sent: set[str] = set()
    store: SqliteStore | None = None
    for number in range(12):
        stream = STREAMS[number % 3]
        try:
            store = store or SqliteStore(folder / "journal.sqlite", vfs=name)
            record = place(draft(stream, f"c{number}", LONG if number % 4 == 3 else b"{}"), heads[stream])
            sent.add(record.command_id)
            answer = await store.append((record,))
            assert isinstance(answer, Appended)
            acknowledged.add(record.command_id)
            heads[stream] = answer.head
        except (StoreFailed, StoreUnusable):
            if store is not None:
                heads[stream] = await store.head(stream)  # the process lives on and looks what is there
    if store is not None:
        await store.close()
    assert disk.failed <= 1
    return acknowledged, sent


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_whichever_write_or_sync_fails_nothing_is_lost_or_half_there(tmp_path: Path) -> None:
    """The first fails, then the second, and so on until an evening passes in which none does."""
    number = 0
    while True:
        number += 1
        disk = Disk(f"failing-{number}", functools.partial(_is_the_nth, number))
        folder = tmp_path / str(number)
        folder.mkdir()
        acknowledged, sent = asyncio.run(carry_on(folder, disk.name, disk))
        asyncio.run(look(folder, acknowledged, sent))
        disk.close()
        if not disk.failed:
            break
    assert number > 40


def _is_the_nth(nth: int, number: int, step: Step) -> bool:
    return number == nth


async def look(folder: Path, acknowledged: set[str], sent: set[str]) -> None:
    """The journal after failures, on a disk that works."""
    store = SqliteStore(folder / "journal.sqlite")
    found: set[str] = set()
    for stream in await store.streams():
        head = EMPTY
        async for record in records(store, stream):
            assert Head(record.sequence - 1, record.previous) == head
            assert digest_of(record) == record.digest
            found.add(record.command_id)
            head = head_of(record)
    await store.close()
    assert acknowledged <= found <= sent


def test_a_step_that_fails_is_not_taken() -> None:
    disk = Disk("counting", lambda at, step: at == 2)
    disk.note(Step("write", "a", 0, b"x"))
    with pytest.raises(Exception, match="number 2 fails on purpose"):
        disk.note(Step("sync", "a"))
    assert [step.verb for step in disk.steps] == ["write"]
    disk.close()
