"""Follows the records of a stream: each in its place, unaltered, after the one before it."""

from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import EMPTY, Head, Record, digest_of
from thirdcard.messages import Message, message


class Chain:
    """The end of what was followed so far, and the tree over it."""

    def __init__(self) -> None:
        self.head: Head = EMPTY
        self.tree = Frontier()

    def follow(self, record: Record) -> Message | None:
        """Go on to the next record, or say why it is not the next one."""
        due = self.head.sequence + 1
        if record.sequence != due:
            return _out_of_place(record, due)
        digest = _digest(record)
        if digest is None:
            return message("finding.record-malformed", record=due)
        if digest != record.digest:
            return message("finding.record-altered", record=due)
        if record.previous != self.head.digest:
            return message("finding.record-does-not-follow", record=due, before=self.head.sequence)
        self.head = Head(due, record.digest)
        self.tree = self.tree.grown(leaf(record.digest))
        return None


def _out_of_place(record: Record, due: int) -> Message:
    if record.sequence == due - 1:
        return message("finding.record-twice", record=due - 1)
    return message("finding.record-missing", record=due, next=str(record.sequence))


def _digest(record: Record) -> bytes | None:
    """The digest of a record, or nothing where a column is not of its type, as in a damaged file."""
    whole = type(record.version) is type(record.wall_time) is type(record.monotonic) is int
    try:
        return digest_of(record) if whole else None
    except (AttributeError, TypeError, UnicodeError):
        return None
