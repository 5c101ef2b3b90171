"""Records from before records were signed: how far each stream has them, by a signed record of the floor.

A server that finds a journal without any signature records where every stream ends, in the floor's stream.
From there on, and in every new stream, a record without a signature is no record.
"""

from collections.abc import Callable

from thirdcard.floor.commands import BeginSigning
from thirdcard.journal.checkpoints import checkpoint_is_genuine
from thirdcard.journal.codec import floor_result_of
from thirdcard.journal.groups import SIGNED_FORM, is_grouped
from thirdcard.journal.record import Head, Record, head_of
from thirdcard.journal.store import FLOOR_STREAM, Store, StoreFailed, records

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
    """Return the ends of all streams of a journal whose last records are all unsigned; else nothing.

    Whoever can write can add such a record to every stream: one that follows a signed record is none.
    """
    if any(map(is_grouped, last.values())):
        return {}
    return {name: head_of(record) for name, record in last.items() if record.version < SIGNED_FORM}


async def ends_without_checkpoint(
    store: Store, ends: OldEnds, public_keys: dict[str, bytes]
) -> tuple[str, ...]:
    """Return the streams of unsigned records for none of which a checkpoint of the floor speaks.

    Whoever can write to a journal can write it as one from before records were signed, but no checkpoint.
    """
    bare = []
    for name in sorted(ends):
        signed = await store.last_checkpoint(name)
        if signed is None or not checkpoint_is_genuine(signed, public_keys):
            bare.append(name)
            continue
        here = await store.read(name, after=signed.sequence - 1, most=1)
        if [each.digest for each in here] != [signed.digest]:
            bare.append(name)
    return tuple(bare)


async def has_signed_records(store: Store) -> bool:
    """Whether a journal has any record that is signed, or has a form in which all are."""
    for name in await store.streams():
        async for record in records(store, name):
            if is_grouped(record) or record.version >= SIGNED_FORM:
                return True
    return False


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


def may_be_unsigned(record: Record, end: Head, *, after_signed: bool = False) -> bool:
    """Whether a record without a signature lies before the end of what its stream had unsigned.

    ``after_signed`` tells whether a signed record came before it in its stream: then it does not.
    """
    if after_signed or (record.sequence == end.sequence and record.digest != end.digest):
        return False
    return record.sequence <= end.sequence and record.version < SIGNED_FORM
