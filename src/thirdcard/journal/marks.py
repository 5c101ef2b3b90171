"""Marks: signed statements of where streams end, kept outside the folder of the journal.

A journal that was rolled back, by an old backup or a lost log, is whole in itself. Only what was kept
elsewhere tells that it once went on.
"""

import contextlib
import fcntl
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.floor.commands import AcceptRestore
from thirdcard.floor.state import StreamEnd
from thirdcard.journal.codec import floor_result_of
from thirdcard.journal.groups import GroupSignatures
from thirdcard.journal.keys import KeyRing, is_signed
from thirdcard.journal.record import EMPTY, Head, Record, head_of
from thirdcard.journal.store import FLOOR_STREAM, Store, records
from thirdcard.messages import Message, message

ACCEPTANCE = str(AcceptRestore.__struct_config__.tag)
_encoder = msgspec.json.Encoder(order="sorted")


class JournalMark(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A signed statement: these streams had these last records; ``number`` grows from mark to mark."""

    mark: Literal[1] = 1
    number: int
    wall_time: int
    heads: tuple[StreamEnd, ...]
    key_id: str
    signature: str = ""


class MarkUnusable(Exception):
    """A mark cannot be read or written, or no key of the floor has signed it; the sentence says which."""


class MissingEnd(Struct, frozen=True):
    """The end of a stream by a mark, which is not in the journal, and where the stream ends there."""

    marked: StreamEnd
    found: Head

    @property
    def what(self) -> Message:
        """The sentence that says what is missing."""
        stream, at, end = self.marked.stream, self.marked.sequence, self.found.sequence
        if end < at:
            return message("record-check.behind", stream=stream, end=end, record=at, missing=at - end)
        return message("record-check.forked", stream=stream, record=at)


_marks = msgspec.json.Decoder(JournalMark)


def mark_statement(mark: JournalMark) -> bytes:
    """Return the bytes that are signed: everything that a mark says but its signature."""
    told = msgspec.to_builtins(mark)
    del told["signature"]
    return _encoder.encode(told)


def make_mark(keys: KeyRing, heads: Iterable[StreamEnd], *, number: int, wall_time: int) -> JournalMark:
    """Return a mark of some streams, signed."""
    ends = tuple(sorted(heads, key=lambda end: end.stream))
    unsigned = JournalMark(number=number, wall_time=wall_time, heads=ends, key_id=keys.key_id)
    return replace(unsigned, signature=keys.sign(mark_statement(unsigned)).hex())


def mark_is_genuine(mark: JournalMark, public_keys: dict[str, bytes]) -> bool:
    """Whether the key that a mark names has signed it."""
    public = public_keys.get(mark.key_id)
    try:
        signature = bytes.fromhex(mark.signature)
    except ValueError:
        return False
    return public is not None and is_signed(public, mark_statement(mark), signature)


def encode_mark(mark: JournalMark) -> bytes:
    """Return a mark as a line."""
    return _encoder.encode(mark) + b"\n"


def decode_mark(line: bytes) -> JournalMark:
    """Return the mark in a line."""
    try:
        return _marks.decode(line)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise MarkUnusable(f"it is no mark ({error})") from error


def latest_ends(marks: Iterable[JournalMark]) -> tuple[StreamEnd, ...]:
    """Return the end of each stream by the newest mark that names it."""
    found: dict[str, tuple[int, StreamEnd]] = {}
    for mark in marks:
        for end in mark.heads:
            if end.stream not in found or found[end.stream][0] <= mark.number:
                found[end.stream] = mark.number, end
    return tuple(end for _, end in found.values())


def read_marks(path: Path) -> Iterator[JournalMark]:
    """Return the marks of a file, one a line."""
    try:
        with path.open("rb") as file:
            yield from (decode_mark(line) for line in file if line.strip())
    except OSError as error:
        raise MarkUnusable(f"{path}: {error.strerror}") from error
    except MarkUnusable as error:
        raise MarkUnusable(f"{path}: {error}") from error


async def missing_ends(
    store: Store, ends: Iterable[StreamEnd], public_keys: dict[str, bytes]
) -> tuple[MissingEnd, ...]:
    """Return the marked ends that a journal does not have, but for those that two people have given up."""
    missing = [each async for each in _missing(store, ends)]
    is_genuine = GroupSignatures(public_keys).is_genuine
    given_up = await given_up_ends(store, is_genuine) if missing else frozenset()
    return tuple(each for each in missing if each.marked not in given_up)


async def given_up_ends(store: Store, is_genuine: Callable[[Record], bool]) -> frozenset[StreamEnd]:
    """Return the ends of lost records that two people have given up, by signed records of the floor."""
    found = set[StreamEnd]()
    async for record in records(store, FLOOR_STREAM):
        if record.kind == ACCEPTANCE and is_genuine(record):
            result = floor_result_of(record)
            if isinstance(result.command, AcceptRestore) and result.refused is None:
                found.update(result.command.lost)
    return frozenset(found)


async def stream_ends(store: Store) -> tuple[StreamEnd, ...]:
    """Return where every stream of a journal ends."""
    heads = [(name, await store.head(name)) for name in await store.streams()]
    return tuple(StreamEnd(name, head.sequence, head.digest.hex()) for name, head in heads if head.sequence)


async def _missing(store: Store, ends: Iterable[StreamEnd]) -> AsyncIterator[MissingEnd]:
    for end in ends:
        here = await store.read(end.stream, after=end.sequence - 1, most=1) if end.sequence else ()
        found = head_of(here[0]) if here else EMPTY
        if (found.sequence, found.digest.hex()) != (end.sequence, end.digest):
            yield MissingEnd(end, await store.head(end.stream))


class MarkFile:
    """The mark of one journal in a file; several processes may write it, each what it knows to be durable."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, public_keys: dict[str, bytes]) -> JournalMark | None:
        """Return the mark, or nothing where there is none yet."""
        try:
            mark = decode_mark(self.path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise MarkUnusable(f"{self.path}: {error.strerror}") from error
        except MarkUnusable as error:
            raise MarkUnusable(f"{self.path}: {error}") from error
        if not mark_is_genuine(mark, public_keys):
            raise MarkUnusable(f"{self.path}: no key of this floor has signed it")
        return mark

    def write(
        self, keys: KeyRing, heads: Iterable[StreamEnd], *, wall_time: int, anew: bool = False
    ) -> JournalMark:
        """Mark where streams end; what another process has marked beyond that stays, unless begun anew."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with _locked(self.path.with_suffix(".lock")):
                before = self._before(keys)
                ends = {end.stream: end for end in heads}
                for end in before.heads if before and not anew else ():
                    if end.stream not in ends or ends[end.stream].sequence < end.sequence:
                        ends[end.stream] = end
                number = max(wall_time, before.number + 1) if before else wall_time
                mark = make_mark(keys, ends.values(), number=number, wall_time=wall_time)
                self._put(encode_mark(mark))
                return mark
        except OSError as error:
            raise MarkUnusable(f"{self.path}: {error.strerror}") from error

    def take_over(self, mark: JournalMark) -> None:
        """Keep the mark of a journal of which this one is a copy."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with _locked(self.path.with_suffix(".lock")):
                self._put(encode_mark(mark))
        except OSError as error:
            raise MarkUnusable(f"{self.path}: {error.strerror}") from error

    def _before(self, keys: KeyRing) -> JournalMark | None:
        with contextlib.suppress(MarkUnusable):
            return self.read(keys.public_keys)
        return None

    def _put(self, content: bytes) -> None:
        """Write the file so that it is whole, the old one or the new one, also after a power failure."""
        fresh = self.path.with_suffix(".fresh")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(self.path)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600)) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
