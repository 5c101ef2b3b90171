"""Records from before records were signed: how far each stream has them, by a signed record of the floor.

A server that finds a journal without any signature records where every stream ends, in the floor's stream.
From there on, and in every new stream, a record without a signature is no record.
"""

from collections.abc import Callable

from thirdcard.floor.commands import BeginSigning
from thirdcard.journal.codec import floor_result_of
from thirdcard.journal.groups import SIGNED_FORM, is_grouped
from thirdcard.journal.record import Head, Record, head_of
from thirdcard.journal.store import FLOOR_STREAM, Store, StoreFailed

MARK_ID = "signing-begins"  # the id of the one command that records where old streams end
OldEnds = dict[str, Head]


async def last_records(store: Store) -> dict[str, Record]:
    """Return the last record of every stream."""
    found = {}
    for name in await store.streams():
        head = await store.head(name)
        for record in await store.read(name, after=head.sequence - 1, most=1):
            found[name] = record
    return found


def ends_without_signature(last: dict[str, Record]) -> OldEnds:
    """Return the ends of all streams of a journal in which nothing is signed yet; else nothing."""
    if any(is_grouped(record) for record in last.values()):
        return {}
    return {name: head_of(record) for name, record in last.items() if record.version < SIGNED_FORM}


async def marked_ends(store: Store, is_genuine: Callable[[Record], bool]) -> OldEnds | None:
    """Return where old streams end by the signed record that says so; nothing where there is none."""
    record = await store.find(MARK_ID)
    if record is None or record.stream != FLOOR_STREAM or not is_genuine(record):
        return None
    try:
        command = floor_result_of(record).command
    except StoreFailed:
        return None
    if not isinstance(command, BeginSigning):
        return None
    return {end.stream: Head(end.sequence, bytes.fromhex(end.digest)) for end in command.ends}


def may_be_unsigned(record: Record, end: Head) -> bool:
    """Whether a record without a signature lies before the end of what its stream had unsigned."""
    if record.sequence == end.sequence and record.digest != end.digest:
        return False
    return record.sequence <= end.sequence and record.version < SIGNED_FORM
