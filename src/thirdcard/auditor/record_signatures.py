"""Follows the signatures of a stream's records: each is in a commit group that the floor has signed."""

from msgspec import Struct

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.stored_rules import PublicKeys
from thirdcard.journal.groups import GroupSignatures, is_grouped
from thirdcard.journal.old_records import (
    MARK_ID,
    ends_without_signature,
    last_records,
    marked_ends,
    may_be_unsigned,
)
from thirdcard.journal.record import EMPTY, Head, Record
from thirdcard.journal.store import Store
from thirdcard.messages import Message, message

SEVERAL = {
    "finding.not-signed": "finding.not-signed-several",
    "finding.signature-not-genuine": "finding.signature-not-genuine-several",
}


class OldEnd(Struct, frozen=True):
    """Up to where a stream may have unsigned records; ``marked`` where a signed record says so."""

    end: Head = EMPTY
    marked: bool = False


async def old_end_of(store: Store, stream: str, keys: PublicKeys) -> OldEnd:
    """Return up to where a stream may have unsigned records.

    In a journal in which nothing is signed yet, that is the end of the stream.
    """
    mark = await store.find(MARK_ID)
    known = await keys.find(mark.group_key) if mark is not None else {}
    if not isinstance(known, Message):
        ends = await marked_ends(store, GroupSignatures(known).is_genuine)
        if ends is not None:
            return OldEnd(ends.get(stream, EMPTY), marked=stream in ends)
    return OldEnd(ends_without_signature(await last_records(store)).get(stream, EMPTY))


class RecordSignatures:
    """Checks records one after another; neighbours with the same fault are one finding.

    The digests of the records were compared before. Unless ``every`` signature is asked for, only that of the
    last record is checked: it vouches for all before it, since their digests lead to its own.
    """

    def __init__(self, keys: PublicKeys, *, every: bool) -> None:
        self.old = OldEnd()
        self.signed = 0
        self.keys: set[str] = set()
        self._keys = keys
        self._every = every
        self._signatures: dict[str, GroupSignatures | Message] = {}
        self._last: Record | None = None
        self.after_signed = False
        self._fault: Message | None = None
        self._first = self._until = 0

    async def take(self, record: Record) -> list[Finding]:
        """Return the finding about records before this one that ends here, if any."""
        fault = await self._fault_of(record, check=self._every)
        self._last = record if is_grouped(record) else None
        self.signed += is_grouped(record) and fault is None
        if fault == self._fault:
            self._until = record.sequence
            return []
        found = self._told()
        self._fault, self._first, self._until = fault, record.sequence, record.sequence
        return found

    async def finish(self, end: int | None) -> list[Finding]:
        """Return what is left to say; ``end`` is the last record, where the end was reached."""
        found = self._told()
        if end is not None and end < self.old.end.sequence:
            cut = message("finding.cut-after-mark", end=end, record=self.old.end.sequence)
            found.append(Finding(end + 1, cut))
        if not self._every and self._last is not None:
            self._fault = await self._fault_of(self._last, check=True)
            self._first = self._until = self._last.sequence
            found += self._told()
        return found

    async def _fault_of(self, record: Record, *, check: bool) -> Message | None:
        """Return what is wrong with a record, without its number."""
        if not is_grouped(record):
            old = may_be_unsigned(record, self.old.end, after_signed=self.after_signed)
            return None if old else Message("finding.not-signed")
        self.after_signed = True
        if not check:
            return None
        known = await self._of_key(record.group_key)
        if isinstance(known, Message):
            return known
        if not known.is_genuine(record, digest_checked=True):
            return Message("finding.signature-not-genuine")
        self.keys.add(record.group_key)
        return None

    async def _of_key(self, key_id: str) -> GroupSignatures | Message:
        if key_id not in self._signatures:
            known = await self._keys.find(key_id)
            self._signatures[key_id] = known if isinstance(known, Message) else GroupSignatures(known)
        return self._signatures[key_id]

    def _told(self) -> list[Finding]:
        """Return the fault of the records from the first to the last that have it."""
        fault, self._fault = self._fault, None
        if fault is None:
            return []
        if fault.params:
            return [Finding(self._first, fault)]
        if self._first == self._until:
            return [Finding(self._first, message(fault.key, first=self._first))]
        told = message(SEVERAL[fault.key], first=self._first, last=self._until)
        return [Finding(self._first, told)]
