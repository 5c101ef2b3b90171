"""Records as bytes, one after another: the lengths of all columns, then the columns, numbers in decimal."""

import struct
from collections.abc import Iterable

from thirdcard.journal.record import Record

_LENGTHS = struct.Struct(">21I")


def frames_of(records: Iterable[Record]) -> bytes:
    """Return records as bytes."""
    return b"".join(map(_frame, records))


def records_in(content: bytes) -> tuple[Record, ...]:
    """Return the records in bytes; anything else that they hold is an error."""
    found, at = [], 0
    while at < len(content):
        if len(content) - at < _LENGTHS.size:
            raise ValueError("a frame is cut off")
        lengths = _LENGTHS.unpack_from(content, at)
        at += _LENGTHS.size
        columns = []
        for length in lengths:
            columns.append(content[at : at + length])
            at += length
        if at > len(content):
            raise ValueError("a frame is cut off")
        found.append(_record(columns))
    return tuple(found)


def _frame(record: Record) -> bytes:
    """Lay the columns out in the order of docs/journal.md."""
    columns = (
        record.stream.encode(),
        b"%d" % record.sequence,
        record.kind.encode(),
        b"%d" % record.version,
        record.command_id.encode(),
        record.envelope,
        record.body,
        b"%d" % record.wall_time,
        b"%d" % record.monotonic,
        record.run.encode(),
        record.rulebook.encode(),
        record.house.encode(),
        record.software.encode(),
        record.previous,
        record.digest,
        record.says.encode(),
        b"%d" % record.group_size,
        b"%d" % record.group_index,
        record.group_path,
        record.group_key.encode(),
        record.group_signature,
    )
    return _LENGTHS.pack(*map(len, columns)) + b"".join(columns)


def _record(columns: list[bytes]) -> Record:
    return Record(
        stream=columns[0].decode(),
        sequence=int(columns[1]),
        kind=columns[2].decode(),
        version=int(columns[3]),
        command_id=columns[4].decode(),
        envelope=columns[5],
        body=columns[6],
        wall_time=int(columns[7]),
        monotonic=int(columns[8]),
        run=columns[9].decode(),
        rulebook=columns[10].decode(),
        house=columns[11].decode(),
        software=columns[12].decode(),
        previous=columns[13],
        digest=columns[14],
        says=columns[15].decode(),
        group_size=int(columns[16]),
        group_index=int(columns[17]),
        group_path=columns[18],
        group_key=columns[19].decode(),
        group_signature=columns[20],
    )
