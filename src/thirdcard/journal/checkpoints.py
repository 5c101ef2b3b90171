"""Signed statements: what a stream was when it ended at a sequence, and what a snapshot says of it."""

import hashlib

import msgspec
from msgspec import Struct

from thirdcard.journal.keys import KeyRing, is_signed
from thirdcard.journal.merkle import Frontier
from thirdcard.journal.record import Head
from thirdcard.journal.store import Checkpoint, Snapshot

_encoder = msgspec.json.Encoder(order="sorted")


class CheckpointLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A checkpoint with its digests in hexadecimal; without the signature it is what was signed."""

    checkpoint: int
    stream: str
    sequence: int
    digest: str
    root: str
    wall_time: int
    reason: str
    key_id: str
    signature: str


_checkpoint_lines = msgspec.json.Decoder(CheckpointLine)


def checkpoint_statement(checkpoint: Checkpoint) -> bytes:
    """The bytes that are signed: everything a checkpoint says but its signature."""
    return _encoder.encode(
        {
            "checkpoint": 1,
            "stream": checkpoint.stream,
            "sequence": checkpoint.sequence,
            "digest": checkpoint.digest.hex(),
            "root": checkpoint.root.hex(),
            "wall_time": checkpoint.wall_time,
            "reason": checkpoint.reason,
            "key_id": checkpoint.key_id,
        }
    )


def make_checkpoint(
    keys: KeyRing, *, stream: str, head: Head, tree: Frontier, wall_time: int, reason: str
) -> Checkpoint:
    """A checkpoint of a stream that ends at a head, signed."""
    unsigned = Checkpoint(
        stream=stream,
        sequence=head.sequence,
        digest=head.digest,
        root=tree.root,
        wall_time=wall_time,
        reason=reason,
        key_id=keys.key_id,
        signature=b"",
    )
    return msgspec.structs.replace(unsigned, signature=keys.sign(checkpoint_statement(unsigned)))


def checkpoint_is_genuine(checkpoint: Checkpoint, public_keys: dict[str, bytes]) -> bool:
    """Whether the key that a checkpoint names has signed it."""
    public = public_keys.get(checkpoint.key_id)
    return public is not None and is_signed(public, checkpoint_statement(checkpoint), checkpoint.signature)


def line_of(checkpoint: Checkpoint) -> bytes:
    """A checkpoint as a line: the statement that was signed, and the signature at its end."""
    signature = checkpoint.signature.hex().encode()
    return checkpoint_statement(checkpoint)[:-1] + b',"signature":"' + signature + b'"}\n'


def read_line(line: bytes) -> Checkpoint:
    """Return the checkpoint in a line."""
    told = _checkpoint_lines.decode(line)
    if told.checkpoint != 1:
        raise ValueError(f"checkpoint {told.checkpoint} is of a newer form")
    return Checkpoint(
        stream=told.stream,
        sequence=told.sequence,
        digest=bytes.fromhex(told.digest),
        root=bytes.fromhex(told.root),
        wall_time=told.wall_time,
        reason=told.reason,
        key_id=told.key_id,
        signature=bytes.fromhex(told.signature),
    )


def make_snapshot(keys: KeyRing, *, stream: str, head: Head, tree: Frontier, state: bytes) -> Snapshot:
    """A snapshot of a state, signed so that an altered one is passed over."""
    unsigned = Snapshot(stream=stream, head=head, tree=tree, state=state, key_id=keys.key_id, signature=b"")
    return msgspec.structs.replace(unsigned, signature=keys.sign(_snapshot_statement(unsigned)))


def snapshot_is_genuine(snapshot: Snapshot, public_keys: dict[str, bytes]) -> bool:
    """Whether the key that a snapshot names has signed it."""
    public = public_keys.get(snapshot.key_id)
    return public is not None and is_signed(public, _snapshot_statement(snapshot), snapshot.signature)


def _snapshot_statement(snapshot: Snapshot) -> bytes:
    return _encoder.encode(
        {
            "snapshot": 1,
            "stream": snapshot.stream,
            "sequence": snapshot.head.sequence,
            "digest": snapshot.head.digest.hex(),
            "tree": [root.hex() for root in snapshot.tree.roots],
            "state": hashlib.sha256(snapshot.state).hexdigest(),
            "key_id": snapshot.key_id,
        }
    )
