"""A damaged write-ahead log keeps tables closed; one that ends in the middle of a write does not."""

import asyncio
import random
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from contracts.stores import draft
from journal.floors_to_tamper import TABLE, TamperedFloor, deal
from journal.test_marks import accept, closed_because, credentials
from lengths import sized

from thirdcard.journal.record import EMPTY, place
from thirdcard.journal.sqlite.damaged_log import FRAME_HEADER, HEADER, LogDamage, damage_of
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Appended, StoreUnusable
from thirdcard.streams.opening import OpenedPlace, open_floor

APPENDS = 12
PAGE = 4096
FRAME = FRAME_HEADER.size + PAGE


def frame_at(content: bytes, number: int) -> int:
    """Where a frame begins."""
    assert len(content) >= HEADER.size + number * FRAME
    return HEADER.size + (number - 1) * FRAME


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes((content[at] ^ 1,)) + content[at + 1 :]


def commits_of(content: bytes) -> list[int]:
    """The frames that end a transaction, as the format has it."""
    numbers = range(1, (len(content) - HEADER.size) // FRAME + 1)
    return [each for each in numbers if FRAME_HEADER.unpack_from(content, frame_at(content, each))[1]]


class Log:
    """The files of a journal as a killed process leaves them."""

    def __init__(self, folder: Path, database: bytes, content: bytes) -> None:
        self.journal = folder / "killed.sqlite"
        self.path = folder / "killed.sqlite-wal"
        self.content = content
        self.journal.write_bytes(database)

    def damage(self, content: bytes) -> LogDamage | None:
        self.path.write_bytes(content)
        return damage_of(self.path, self.journal)


async def left_by(folder: Path, appends: int, body: bytes) -> Log:
    """The files that a process leaves after some appends, if it is killed."""
    path = folder / "journal.sqlite"
    store, head = SqliteStore(path), EMPTY
    for number in range(appends):
        answer = await store.append((place(draft(TABLE, f"c{number}", body), head),))
        assert isinstance(answer, Appended)
        head = answer.head
    found = Log(folder, path.read_bytes(), path.with_name("journal.sqlite-wal").read_bytes())
    await store.close()
    return found


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return asyncio.run(left_by(tmp_path, APPENDS, b"{}"))


def test_a_log_of_a_killed_process_is_whole(log: Log) -> None:
    assert len(commits_of(log.content)) >= APPENDS
    assert log.damage(log.content) is None
    assert damage_of(log.path.with_name("none"), log.journal) is None


@pytest.mark.sweep
def test_a_flipped_bit_before_the_last_two_transactions_is_found(log: Log) -> None:
    dice, until = random.Random(3), frame_at(log.content, commits_of(log.content)[-2])
    for _ in range(sized(60, 2000)):
        at = dice.randrange(HEADER.size, until)
        found = log.damage(flipped(log.content, at))
        assert found is not None, at
        frame = (at - HEADER.size) // FRAME + 1
        lost = [each for each in commits_of(log.content)[:-1] if each >= frame]
        assert found.frame == frame
        assert len(lost) - 1 <= found.transactions <= len(lost)


@pytest.mark.parametrize("at", [0, 8, 17, 30])
def test_a_damaged_beginning_is_found(log: Log, at: int) -> None:
    """SQLite then takes nothing of the log, and says nothing."""
    found = log.damage(flipped(log.content, at))
    assert found is not None
    assert found.frame == 1
    assert found.transactions == len(commits_of(log.content)) - 1


def test_a_log_that_ends_early_is_no_damage(log: Log) -> None:
    """A process that is killed while it writes leaves such a log; what is missing shows by the mark."""
    for end in (0, 16, HEADER.size, FRAME, *range(HEADER.size + FRAME, len(log.content), 7 * FRAME - 11)):
        assert log.damage(log.content[:end]) is None


def test_a_last_transaction_that_is_torn_is_no_damage(log: Log) -> None:
    """Nothing tells that the disk ever had it, and nobody was told that it has."""
    before, last = commits_of(log.content)[-2:]
    for frame in range(before + 1, last + 1):
        assert log.damage(flipped(log.content, frame_at(log.content, frame) + FRAME - 9)) is None


async def test_frames_of_before_are_passed_over(tmp_path: Path) -> None:
    """A log that is begun anew keeps its length, and old frames behind the new ones."""
    log = await left_by(tmp_path, 60, b'{"' + b"x" * 90_000 + b'":0}')
    places = range(HEADER.size, len(log.content), FRAME)
    assert len({FRAME_HEADER.unpack_from(log.content, at)[2:4] for at in places}) > 1
    assert log.damage(log.content) is None


# a floor


@asynccontextmanager
async def killed(floor: TamperedFloor) -> AsyncIterator[Path]:
    """A floor whose server was killed; its log, before anybody starts it again."""
    journal = floor.place.journal
    log = journal.with_name(journal.name + "-wal")
    async with open_floor(floor.place) as served:
        await deal(served, 2)
        left = {path: path.read_bytes() for path in (journal, log)}
        mark = floor.place.mark_file.path.read_bytes()
    for path, content in left.items():
        path.write_bytes(content)
    floor.place.mark_file.path.write_bytes(mark)
    yield log


@pytest.fixture
def floor(tmp_path: Path) -> TamperedFloor:
    return TamperedFloor(OpenedPlace(tmp_path / "data", tmp_path / "keys" / "floor.keys"))


async def test_a_whole_log_closes_nothing(floor: TamperedFloor) -> None:
    await floor.begin()
    async with killed(floor):
        assert await closed_because(floor.place) == []


async def test_a_damaged_log_keeps_tables_closed_until_two_people_accept_it(
    floor: TamperedFloor, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also without a mark, and after the first start, which SQLite makes of what is left."""
    await floor.begin()
    async with killed(floor) as log:
        content = log.read_bytes()
        log.write_bytes(flipped(content, HEADER.size + FRAME + 100))
        floor.place.mark_file.path.unlink()
        said = "The write-ahead log is damaged from frame 2 on: "
        for _ in range(2):
            assert [each.partition(said)[1] for each in await closed_because(floor.place)] == [said]
        kept = log.with_name(f"{log.name}.damaged")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        typed = credentials(floor, "Eve", "Gil")
        assert await asyncio.to_thread(accept, floor, monkeypatch, typed) == 0
        assert said in capsys.readouterr().out
        assert await closed_because(floor.place) == []
        assert not kept.exists()
        assert [path.read_bytes() for path in kept.parent.glob(f"{kept.name}-*")] == [
            flipped(content, HEADER.size + FRAME + 100)
        ]


async def test_a_damaged_log_that_cannot_be_kept_stops_the_start(floor: TamperedFloor) -> None:
    """Its content would be lost by opening the journal."""
    await floor.begin()
    async with killed(floor) as log:
        log.write_bytes(flipped(log.read_bytes(), HEADER.size + FRAME + 100))
        log.with_name(f"{log.name}.damaged.unfinished").mkdir()
        with pytest.raises(StoreUnusable, match="its damaged log cannot be kept"):
            async with open_floor(floor.place):
                pass
