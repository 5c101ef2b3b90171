"""One record: a command with all that came of it, chained to the record before it."""

import hashlib
import struct
from collections.abc import Callable

from msgspec import Struct

GENESIS = bytes(32)
_LENGTHS = struct.Struct(">15I")


class Draft(Struct, frozen=True, kw_only=True):
    """A record before it has its place: everything but sequence, digests and signature.

    ``says`` is the sentence of its receipt, where it has one. It is signed with the digest, not part of it.
    """

    stream: str
    kind: str
    version: int
    command_id: str
    envelope: bytes
    body: bytes
    wall_time: int
    monotonic: int
    run: str
    rulebook: str
    house: str
    software: str
    says: str = ""


class Record(Draft, frozen=True, kw_only=True):
    """A record in its place; times are microseconds since 1970 and nanoseconds of the run.

    The last five say where it stands in its commit group, and who has signed that. Records of forms 1 to 8
    have none.
    """

    sequence: int
    previous: bytes
    digest: bytes
    group_size: int = 0
    group_index: int = 0
    group_path: bytes = b""
    group_key: str = ""
    group_signature: bytes = b""


class Head(Struct, frozen=True):
    """The end of a stream: how many records it has, and the digest of the last one."""

    sequence: int
    digest: bytes


EMPTY = Head(0, GENESIS)


def place(draft: Draft, head: Head) -> Record:
    """The record that a draft becomes after the end of its stream."""
    sequence = head.sequence + 1
    return Record(
        stream=draft.stream,
        kind=draft.kind,
        version=draft.version,
        command_id=draft.command_id,
        envelope=draft.envelope,
        body=draft.body,
        wall_time=draft.wall_time,
        monotonic=draft.monotonic,
        run=draft.run,
        rulebook=draft.rulebook,
        house=draft.house,
        software=draft.software,
        says=draft.says,
        sequence=sequence,
        previous=head.digest,
        digest=_digest(draft, sequence, head.digest),
    )


def digest_of(record: Record) -> bytes:
    """The digest that a record must have, from its stored bytes and the digest before it."""
    return _digest(record, record.sequence, record.previous)


def head_of(record: Record) -> Head:
    """The end of a stream whose last record this is."""
    return Head(record.sequence, record.digest)


def _digest(draft: Draft, sequence: int, previous: bytes) -> bytes:
    """The digest of a record in the frame of its form."""
    first, frame = FRAMES[0]
    if draft.version < first:
        frame = next((older for since, older in FRAMES if draft.version >= since), _first_frame)
    return frame(draft, sequence, previous)


def _first_frame(draft: Draft, sequence: int, previous: bytes) -> bytes:
    """SHA-256 over the lengths of all columns, then the columns, numbers in decimal."""
    columns = (
        b"thirdcard record 1",
        draft.stream.encode(),
        b"%d" % sequence,
        draft.kind.encode(),
        b"%d" % draft.version,
        draft.command_id.encode(),
        draft.envelope,
        draft.body,
        b"%d" % draft.wall_time,
        b"%d" % draft.monotonic,
        draft.run.encode(),
        draft.rulebook.encode(),
        draft.house.encode(),
        draft.software.encode(),
        previous,
    )
    return hashlib.sha256(_LENGTHS.pack(*map(len, columns)) + b"".join(columns)).digest()


# what a digest is made of, by the first form that has it, the newest first; an older record keeps its own
FRAMES: tuple[tuple[int, Callable[[Draft, int, bytes], bytes]], ...] = ((1, _first_frame),)
