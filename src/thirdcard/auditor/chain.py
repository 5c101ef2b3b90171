"""Follows the records of a stream: each in its place, unaltered, after the one before it."""

from msgspec import Struct

from thirdcard.journal.codec import require_known_form
from thirdcard.journal.merkle import Frontier, leaf, node
from thirdcard.journal.record import EMPTY, Head, Record, digest_of
from thirdcard.journal.software import build_of
from thirdcard.messages import Message, message


class ChainStart(Struct, frozen=True):
    """Where records are followed from: the last one before, and the tree over all up to it."""

    head: Head
    tree: Frontier


BEGINNING = ChainStart(EMPTY, Frontier())


class Chain:
    """How far the records were followed, the digest of the last one, and the tree over them.

    The tree grows in place: a new value for every record would cost as much as hashing it.
    """

    def __init__(self, start: ChainStart = BEGINNING) -> None:
        self.sequence = start.head.sequence
        self.digest = start.head.digest
        self._roots = list(start.tree.roots)

    @property
    def head(self) -> Head:
        """The end of what was followed."""
        return Head(self.sequence, self.digest)

    @property
    def tree(self) -> Frontier:
        """The tree over what was followed."""
        return Frontier(self.sequence, tuple(self._roots))

    def follow(self, record: Record) -> Message | None:
        """Go on to the next record, or say why it is not the next one."""
        due = self.sequence + 1
        if record.sequence != due:
            return _out_of_place(record, due)
        digest = _digest(record)
        if digest is None:
            return message("finding.record-malformed", record=due)
        if digest == record.digest or record.version == build_of(record.software).form:
            require_known_form(record)  # a newer build may take the digest otherwise
        if digest != record.digest:
            return message("finding.record-altered", record=due)
        if record.previous != self.digest:
            return message("finding.record-does-not-follow", record=due, before=self.sequence)
        top, size = leaf(digest), self.sequence
        while size & 1:
            top, size = node(self._roots.pop(), top), size >> 1
        self._roots.append(top)
        self.sequence, self.digest = due, digest
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
