"""Looks for damage in the write-ahead log that a killed server leaves, which SQLite passes over in silence.

SQLite takes a log only up to the first frame that is not as it was written, since a write that was under way
in a power failure looks the same. A frame that was written upon the end of a transaction tells them apart:
the disk had that transaction before the next one began, so what keeps SQLite from it now is damage. For the
format see https://sqlite.org/fileformat2.html#walformat.
"""

import contextlib
import itertools
import os
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from thirdcard.journal.sqlite.private_files import PRIVATE_FILE
from thirdcard.messages import Message, message

MAGIC = 0x377F0682  # of a log whose sums are over little-endian words; one more where they are big-endian
HEADER, FRAME_HEADER = struct.Struct(">8I"), struct.Struct(">6I")
SUMMED_OF_HEADER, SUMMED_OF_FRAME = 24, 8  # bytes
PAGE_SIZE_AT, LARGEST_PAGE = 16, 65536  # where a database has the size of its pages; 1 stands for the largest
Pair = tuple[int, int]


class LogDamage(Struct, frozen=True):
    """Damage at a frame of a log, and so many transactions after it that were on the disk."""

    frame: int
    transactions: int

    @property
    def what(self) -> Message:
        """The sentence that says it."""
        return message("record-check.log-damaged", frame=self.frame, transactions=self.transactions)


class LogHeader(Struct, frozen=True):
    """The beginning of a log: the size of its pages, two numbers that all its frames have, and its sums."""

    page: int
    salts: Pair
    sums: Pair
    big: bool


class LogFrame(Struct, frozen=True):
    """A frame of a log; ``commits`` where it ends a transaction."""

    number: int
    commits: bool
    before: Pair
    sums: Pair
    summed: bytes
    big: bool

    @property
    def follows(self) -> bool:
        """Whether its sums go on from those of the frame before it."""
        return _summed(self.before, self.summed, big=self.big) == self.sums


def look_at_log(journal: Path, taken: int) -> LogDamage | None:
    """Return the damage of the log beside a journal, of which SQLite takes so many frames, or of a kept one.

    The first write loses a damaged log, so a copy of it is kept until two people have accepted the loss.
    """
    kept = _kept(journal)
    log = journal.with_name(journal.name + "-wal")
    if not kept.exists() and _last_commit(log, journal) > taken and damage_of(log, journal) is not None:
        unfinished = kept.with_name(kept.name + ".unfinished")
        shutil.copyfile(log, unfinished)
        unfinished.chmod(PRIVATE_FILE)
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(kept)
    return damage_of(kept, journal) if kept.exists() else None


def accept_damage(journal: Path, name: str) -> None:
    """Put the kept copy of a damaged log away under a name, where there is one: its loss is recorded now."""
    kept = _kept(journal)
    if kept.exists():
        kept.replace(kept.with_name(f"{kept.name}-{name}"))


def _kept(journal: Path) -> Path:
    return journal.with_name(journal.name + "-wal.damaged")


def damage_of(log: Path, journal: Path) -> LogDamage | None:
    """Return the damage of a log by which transactions are lost that were on the disk."""
    content = _content(log)
    header = _header(content)
    frames = list(_frames(content, header, journal))
    good = 0  # the frames that SQLite takes
    for frame in frames if header else ():
        if frame.number != good + 1 or not frame.follows:
            break
        good = frame.number
    durable = [
        frame
        for frame, after in itertools.pairwise(frames)
        if good < frame.number == after.number - 1 and frame.commits and after.follows
    ]
    return LogDamage(good + 1, len(durable)) if durable else None


def _content(log: Path) -> bytes:
    try:
        return log.read_bytes()
    except FileNotFoundError:
        return b""


def _last_commit(log: Path, journal: Path) -> int:
    """Return the last frame of a log that ends a transaction, whether or not SQLite takes it."""
    content = _content(log)
    return max(
        (each.number for each in _frames(content, _header(content), journal) if each.commits), default=0
    )


def _header(content: bytes) -> LogHeader | None:
    """Return the header of a log; nothing where it is damaged, so that SQLite takes no frame."""
    if len(content) < HEADER.size:
        return None
    magic, _, page, _, one, other, *sums = HEADER.unpack_from(content)
    big = magic == MAGIC + 1
    if magic != MAGIC and not big:
        return None
    right = _summed((0, 0), content[:SUMMED_OF_HEADER], big=big) == tuple(sums)
    return LogHeader(page, (one, other), (sums[0], sums[1]), big) if right else None


def _frames(content: bytes, header: LogHeader | None, journal: Path) -> Iterator[LogFrame]:
    """Return the frames since the log was begun anew, also those that SQLite passes over.

    All of them have the same two numbers, by the header or else by the first of them. Frames from before lie
    behind them.
    """
    page = header.page if header else _page_size(journal)
    salts, before = (header.salts, header.sums) if header else (None, (0, 0))
    length = FRAME_HEADER.size + page
    for number, at in enumerate(range(HEADER.size, len(content) - length + 1, length), start=1):
        _, size, one, other, *sums = FRAME_HEADER.unpack_from(content, at)
        salts = salts or (one, other)
        if salts == (one, other):
            summed = content[at : at + SUMMED_OF_FRAME] + content[at + FRAME_HEADER.size : at + length]
            told = sums[0], sums[1]
            yield LogFrame(number, size > 0, before, told, summed, big=bool(header and header.big))
            before = told


def _page_size(journal: Path) -> int:
    """Return the size of a page by the database, where the beginning of the log is damaged."""
    with contextlib.suppress(FileNotFoundError), journal.open("rb") as file:
        size = int.from_bytes(file.read(PAGE_SIZE_AT + 2)[PAGE_SIZE_AT:])
        return LARGEST_PAGE if size <= 1 else size
    return LARGEST_PAGE


def _summed(before: Pair, content: bytes, *, big: bool) -> Pair:
    """Return the two sums of a log, gone on with over some bytes."""
    one, other = before
    words = struct.unpack(f"{'>' if big else '<'}{len(content) // 4}I", content)
    pairs = iter(words)
    for first, second in zip(pairs, pairs, strict=True):
        one = (one + first + other) & 0xFFFFFFFF
        other = (other + second + one) & 0xFFFFFFFF
    return one, other
