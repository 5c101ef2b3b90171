"""Signed receipts, which their holders keep and show: the command that was recorded, where, and when."""

from typing import Literal

import msgspec

from thirdcard.journal.groups import (
    GroupPlace,
    ReceiptEntry,
    group_statement,
    leaf_of_entry,
)
from thirdcard.journal.keys import is_signed
from thirdcard.journal.merkle import root_by_path

_encoder = msgspec.json.Encoder(order="sorted")


class NotAReceipt(Exception):
    """The content is no receipt, for a reason."""


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Says that a command was recorded.

    ``receipt`` is the number of its form; one without a number has form 1. The signature of form 2 is that of
    the commit group of the record: by ``group`` what the receipt says leads to the root that was signed. That
    of form 1 covers everything else in it.
    """

    receipt: Literal[1, 2] = 1
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
    group: GroupPlace | None = None


def receipt_is_genuine(receipt: Receipt, public_keys: dict[str, bytes]) -> bool:
    """Tell whether the key that a receipt names has signed it."""
    public = public_keys.get(receipt.key_id)
    try:
        signature = bytes.fromhex(receipt.signature)
    except ValueError:
        return False
    statement = _statement(receipt) if receipt.receipt == 1 else _group_statement(receipt)
    return public is not None and statement is not None and is_signed(public, statement, signature)


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
    """The bytes that were signed for a receipt of form 1: all of it, with an empty signature."""
    told = msgspec.structs.asdict(receipt) | {"signature": ""}
    del told["group"]
    return _encoder.encode(told)


def _group_statement(receipt: Receipt) -> bytes | None:
    """The bytes that were signed for the group of a receipt of form 2; nothing where it leads nowhere."""
    if receipt.group is None:
        return None
    entry = ReceiptEntry(
        stream=receipt.table,
        sequence=receipt.sequence,
        digest=receipt.digest,
        actor=receipt.actor,
        at=receipt.at,
        command_id=receipt.command_id,
        kind=receipt.kind,
        says=receipt.says,
    )
    try:
        path = tuple(bytes.fromhex(step) for step in receipt.group.path)
    except ValueError:
        return None
    size = receipt.group.size
    root = root_by_path(leaf_hash=leaf_of_entry(entry), index=receipt.group.index, size=size, path=path)
    return None if root is None else group_statement(root=root, size=size, key_id=receipt.key_id)
