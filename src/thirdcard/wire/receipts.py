"""Signed receipts, which their holders keep and show: the command that was recorded, where, and when."""

from typing import Literal

import msgspec

from thirdcard.journal.keys import KeyRing, is_signed
from thirdcard.journal.record import Record

_encoder = msgspec.json.Encoder(order="sorted")


class NotAReceipt(Exception):
    """The content is no receipt, for a reason."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Says that a command was recorded; the signature covers everything else in it.

    ``receipt`` is the number of this form. It was signed before it was written out, so a receipt without it
    is one of form 1.
    """

    receipt: Literal[1] = 1
    table: str
    sequence: int
    command_id: str
    actor: str
    kind: str
    says: str
    at: int
    digest: str
    key_id: str
    signature: str = ""


def make_receipt(keys: KeyRing, record: Record, *, actor: str, says: str) -> Receipt:
    """The receipt of a record, signed; ``says`` is the sentence that people read."""
    receipt = Receipt(
        table=record.stream,
        sequence=record.sequence,
        command_id=record.command_id,
        actor=actor,
        kind=record.kind,
        says=says,
        at=record.wall_time,
        digest=record.digest.hex(),
        key_id=keys.key_id,
    )
    return msgspec.structs.replace(receipt, signature=keys.sign(_statement(receipt)).hex())


def receipt_is_genuine(receipt: Receipt, public_keys: dict[str, bytes]) -> bool:
    """Tell whether the key that a receipt names has signed it."""
    public = public_keys.get(receipt.key_id)
    try:
        signature = bytes.fromhex(receipt.signature)
    except ValueError:
        return False
    unsigned = msgspec.structs.replace(receipt, signature="")
    return public is not None and is_signed(public, _statement(unsigned), signature)


def read_receipt(content: bytes) -> Receipt:
    """Read a receipt that somebody kept; a field that the signature does not cover makes it none."""
    try:
        fields = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        receipt = msgspec.json.decode(content, type=Receipt)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotAReceipt(str(error)) from error
    unknown = fields.keys() - set(Receipt.__struct_fields__)
    if unknown:
        raise NotAReceipt(f"no receipt has a field {min(unknown)}")
    return receipt


def _statement(receipt: Receipt) -> bytes:
    return _encoder.encode(receipt)
