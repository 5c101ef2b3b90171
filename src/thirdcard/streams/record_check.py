"""Checks records on loading: each follows the one before it, is unaltered, and is signed by the floor."""

from thirdcard.journal.codec import require_known_form
from thirdcard.journal.groups import GroupSignatures, is_grouped
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.old_records import may_be_unsigned
from thirdcard.journal.record import EMPTY, Head, Record, digest_of, head_of
from thirdcard.journal.store import StoreFailed


class Broken(StoreFailed):
    """A stream's records do not follow one another, or are not signed."""


class RecordCheck:
    """Checks the records of one stream page by page, before anything is made of them.

    The last record of a page is checked with its signature, which vouches for those before it: their digests
    lead to its own. Up to ``old_end`` records may be unsigned, where a signed record vouches for that end.
    Without keys, for somebody who only looks, no signature is checked.
    """

    def __init__(self, stream: str, keys: KeyRing | None, old_end: Head = EMPTY) -> None:
        self._stream = stream
        self._keys = keys
        self._signatures = GroupSignatures(keys.public_keys) if keys is not None else None
        self._after_signed = False
        self.old_end = old_end

    def check(self, head: Head, page: tuple[Record, ...], *, arrived: bool = False) -> None:
        """Refuse a page that does not follow a head, by its first bad record.

        What ``arrived`` while a server runs is signed by keys that are in use.
        """
        for record in page:
            require_known_form(record)
            if Head(record.sequence - 1, record.previous) != head:
                raise Broken(f"{self._stream}: record {record.sequence} does not follow the one before it")
            if digest_of(record) != record.digest:
                raise Broken(f"{self._stream}: record {record.sequence} was altered")
            head = head_of(record)
            if arrived and self._keys is not None and self._keys.is_retired(record.group_key):
                raise Broken(f"{self._stream}: retired keys have signed record {record.sequence}")
        if self._signatures is not None:
            self._check_signatures(self._signatures, page)

    def _check_signatures(self, signatures: GroupSignatures, page: tuple[Record, ...]) -> None:
        for record in page:
            if is_grouped(record):
                self._after_signed = True
            elif not may_be_unsigned(record, self.old_end, after_signed=self._after_signed):
                raise Broken(f"{self._stream}: record {record.sequence} is not signed")
        if not is_grouped(page[-1]) or signatures.is_genuine(page[-1]):
            return
        signed = (record for record in page if is_grouped(record))
        first = next(record.sequence for record in signed if not signatures.is_genuine(record))
        raise Broken(f"{self._stream}: no key of this floor has signed record {first}")

    def check_end(self, head: Head) -> None:
        """Refuse a stream that ends before its last unsigned record, which alone vouches for the others."""
        if 0 < head.sequence < self.old_end.sequence:
            end = self.old_end.sequence
            raise Broken(f"{self._stream}: it ends at record {head.sequence}, but had {end} unsigned ones")

    def check_found(self, record: Record) -> None:
        """Refuse a record that was found by its command, and is none that this floor has written."""
        signatures = self._signatures
        if signatures is None:
            return
        genuine = signatures.is_genuine if is_grouped(record) else self._is_old
        if not genuine(record):
            raise Broken(f"{self._stream}: no key of this floor has signed record {record.sequence}")

    def _is_old(self, record: Record) -> bool:
        return may_be_unsigned(record, self.old_end)
