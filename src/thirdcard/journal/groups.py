"""Commit groups: all records that one transaction appends, in one tree under one signature of the floor.

A leaf names the place and the digest of a record, and with a receipt also what the receipt says. Since a
digest names the digest before it, a signature of a record vouches for every record before it in its stream.
"""

import itertools
from collections.abc import Sequence
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.journal.keys import KeyRing, is_signed
from thirdcard.journal.merkle import HASH_BYTES, leaf, paths_of, root_by_path
from thirdcard.journal.record import Record, digest_of

SIGNED_FORM = 9  # the first form whose records are all signed
_encoder = msgspec.json.Encoder(order="sorted")


class RecordEntry(Struct, frozen=True, kw_only=True):
    """The leaf of a record: where it stands, and its digest."""

    stream: str
    sequence: int
    digest: str


class ReceiptEntry(RecordEntry, frozen=True, kw_only=True):
    """The leaf of a record with a receipt: also everything that the receipt says."""

    actor: str
    at: int
    command_id: str
    kind: str
    says: str


class GroupPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """The place of a leaf in the tree of its group, and the path to the root, nearest first."""

    size: int
    index: int
    path: tuple[str, ...]


class _Sender(Struct, frozen=True):
    actor: str


_senders = msgspec.json.Decoder(_Sender)


def actor_of(record: Record) -> str:
    """Return who sent the command of a record, by its envelope."""
    return _senders.decode(record.envelope).actor


def entry_of(record: Record) -> RecordEntry:
    """Return the leaf of a record."""
    if not record.says:
        return RecordEntry(stream=record.stream, sequence=record.sequence, digest=record.digest.hex())
    return ReceiptEntry(
        stream=record.stream,
        sequence=record.sequence,
        digest=record.digest.hex(),
        actor=actor_of(record),
        at=record.wall_time,
        command_id=record.command_id,
        kind=record.kind,
        says=record.says,
    )


def leaf_of_entry(entry: RecordEntry) -> bytes:
    """Return the hash of a leaf: over its canonical JSON."""
    return leaf(_encoder.encode(entry))


def group_statement(*, root: bytes, size: int, key_id: str) -> bytes:
    """Return the bytes that are signed for a group."""
    return _encoder.encode({"group": 1, "key_id": key_id, "root": root.hex(), "size": size})


def sign_group(signer: KeyRing, records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records of one transaction, each with its place in their tree and the one signature."""
    root, paths = paths_of([leaf_of_entry(entry_of(record)) for record in records])
    size, key_id = len(records), signer.key_id
    signature = signer.sign(group_statement(root=root, size=size, key_id=key_id))
    return tuple(
        replace(
            record,
            group_size=size,
            group_index=index,
            group_path=path,
            group_key=key_id,
            group_signature=signature,
        )
        for index, (record, path) in enumerate(zip(records, paths, strict=True))
    )


class PendingAppend(Protocol):
    """Records that wait for a transaction, and who signs them."""

    records: tuple[Record, ...]
    signer: KeyRing | None


def sign_together(appends: Sequence[PendingAppend]) -> None:
    """Sign the records of all appends of one transaction, in place: one group for each signer."""
    for signer in dict.fromkeys(each.signer for each in appends if each.signer is not None):
        theirs = [each for each in appends if each.signer is signer]
        signed = iter(sign_group(signer, [record for each in theirs for record in each.records]))
        for each in theirs:
            each.records = tuple(itertools.islice(signed, len(each.records)))


def is_grouped(record: Record) -> bool:
    """Whether a record claims to be signed."""
    return bool(record.group_signature)


def group_place_of(record: Record) -> GroupPlace:
    """Return the place of a signed record in its group."""
    return GroupPlace(record.group_size, record.group_index, tuple(step.hex() for step in _steps(record)))


def root_of_group(record: Record, *, digest_checked: bool = False) -> bytes | None:
    """Return the root to which a record leads in its group; nothing where it leads nowhere.

    A leaf has the digest of a record, not its bytes: a record whose bytes have another digest leads nowhere.
    Whoever has compared them just now spares it.
    """
    try:
        if not digest_checked and digest_of(record) != record.digest:
            return None
        leaf_hash = leaf_of_entry(entry_of(record))
        return root_by_path(
            leaf_hash=leaf_hash, index=record.group_index, size=record.group_size, path=_steps(record)
        )
    except (TypeError, ValueError, AttributeError):  # a damaged column, or an envelope that is none
        return None


def _steps(record: Record) -> tuple[bytes, ...]:
    path = record.group_path
    return tuple(path[at : at + HASH_BYTES] for at in range(0, len(path), HASH_BYTES))


class GroupSignatures:
    """Checks signatures of records, that of a group once while its records come one after another."""

    def __init__(self, public_keys: dict[str, bytes]) -> None:
        self.public_keys = public_keys
        self._last: tuple[bytes, bytes] | None = None  # a statement and its signature, which are genuine

    def is_genuine(self, record: Record, *, digest_checked: bool = False) -> bool:
        """Whether a key of the floor has signed the group of a record, and the record is in it."""
        public = self.public_keys.get(record.group_key)
        root = root_of_group(record, digest_checked=digest_checked)
        if public is None or root is None:
            return False
        statement = group_statement(root=root, size=record.group_size, key_id=record.group_key)
        if (statement, record.group_signature) == self._last:
            return True
        if not is_signed(public, statement, record.group_signature):
            return False
        self._last = statement, record.group_signature
        return True
