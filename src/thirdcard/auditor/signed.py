"""Compares a stream with what was signed about it: its checkpoints, those kept elsewhere, its snapshot."""

import typing
from collections.abc import AsyncIterator, Iterable

import msgspec

from thirdcard.auditor.chain import Chain
from thirdcard.auditor.findings import Finding
from thirdcard.auditor.stored_rules import PublicKeys
from thirdcard.floor.state import Floor
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.journal.checkpoints import checkpoint_is_genuine, snapshot_is_genuine
from thirdcard.journal.codec import decode_state
from thirdcard.journal.store import READ_BATCH, Checkpoint, Snapshot, Store, StoreFailed
from thirdcard.messages import Message, message

BEFORE_ALL = -(2**63)  # a forged checkpoint may have any number
_floors = msgspec.json.Decoder(Floor)
_wholes = msgspec.json.Decoder(TableSnapshot)
_TYPES = typing.get_type_hints(Checkpoint)


async def stored_checkpoints(
    store: Store, stream: str, *, after: int = BEFORE_ALL
) -> AsyncIterator[Checkpoint]:
    """The checkpoints of a stream after a record, page by page."""
    while page := await store.checkpoints(stream, after=after, most=READ_BATCH):
        for checkpoint in page:
            if any(type(getattr(checkpoint, name)) is not kind for name, kind in _TYPES.items()):
                raise StoreFailed(f"{stream}: a checkpoint after record {after} is damaged")
            yield checkpoint
            after = checkpoint.sequence


async def one_by_one(checkpoints: Iterable[Checkpoint]) -> AsyncIterator[Checkpoint]:
    """Checkpoints that are at hand."""
    for checkpoint in checkpoints:
        yield checkpoint


class Signposts:
    """Goes through signed checkpoints in step with the records of their stream.

    A stream that differs from a checkpoint was rewritten after the last one that agreed. Further ones
    would only differ too, so the first is the last to be compared.
    """

    def __init__(
        self,
        checkpoints: AsyncIterator[Checkpoint],
        keys: PublicKeys,
        *,
        kept: bool,
        every: bool,
        since: int = 0,
    ) -> None:
        """Begin after a record that agreed, or with the first one."""
        self.agreed = since
        self.count = 0
        self.keys: set[str] = set()
        self.next: Checkpoint | None = None
        self._checkpoints = checkpoints
        self._keys = keys
        self._kept = kept
        self._every = every
        self._last: Checkpoint | None = None
        self._differs = False

    @property
    def covered(self) -> int | None:
        """The last record with a checkpoint that agrees; nothing once one differed."""
        return None if self._differs else self.agreed

    async def start(self) -> None:
        """Look at the first checkpoint."""
        self.next = await anext(self._checkpoints, None)

    async def compare(self, chain: Chain) -> list[Finding]:
        """Return what is wrong with the checkpoints at the place that was reached."""
        found: list[Finding] = []
        while self.next is not None and self.next.sequence <= chain.sequence:
            checkpoint, self.next = self.next, await anext(self._checkpoints, None)
            self.count += 1
            found += await self._judge(checkpoint, chain)
        return found

    async def _judge(self, checkpoint: Checkpoint, chain: Chain) -> list[Finding]:
        here = checkpoint.sequence
        if here < chain.sequence:
            return [Finding(max(here, 0), message("finding.checkpoint-out-of-place", record=here))]
        wrong = await self._forged(checkpoint) if self._every else None
        if wrong is not None:
            return [Finding(here, wrong)]
        if self._differs:
            return []
        if (checkpoint.digest, checkpoint.root) != (chain.digest, chain.tree.root):
            self._differs = True
            key = "finding.differs-from-kept" if self._kept else "finding.differs-from-checkpoint"
            first = self.agreed + 1
            return [Finding(first, message(key, first=first, record=here))]
        self.agreed, self._last = here, checkpoint
        self.keys.add(checkpoint.key_id)
        return []

    async def _forged(self, checkpoint: Checkpoint) -> Message | None:
        known = await self._keys.find(checkpoint.key_id)
        if isinstance(known, Message):
            return known
        if checkpoint_is_genuine(checkpoint, known):
            return None
        key = "finding.kept-not-genuine" if self._kept else "finding.checkpoint-not-genuine"
        return message(key, record=checkpoint.sequence)

    async def finish(self, chain: Chain) -> list[Finding]:
        """Return the faults at the end: a checkpoint of records that are gone, or a forged last one."""
        found: list[Finding] = []
        if not self._every and self._last is not None:
            wrong = await self._forged(self._last)
            found += [Finding(self._last.sequence, wrong)] if wrong else []
        if self.next is None:
            return found
        forged = await self._forged(self.next)
        if forged is not None:
            return [*found, Finding(self.next.sequence, forged)]
        key = "finding.cut-after-kept" if self._kept else "finding.cut-after-checkpoint"
        end = chain.sequence
        return [*found, Finding(end + 1, message(key, end=end, record=self.next.sequence))]


async def snapshot_is_wrong(
    snapshot: Snapshot, chain: Chain, state: TableSnapshot | Floor | None, keys: PublicKeys
) -> Message | None:
    """Why a snapshot is not what the stream came to at its place, or nothing where it is."""
    at = snapshot.head.sequence
    known = await keys.find(snapshot.key_id)
    if isinstance(known, Message):
        return known
    if not snapshot_is_genuine(snapshot, known):
        return message("finding.snapshot-not-genuine", record=at)
    if (snapshot.head, snapshot.tree) != (chain.head, chain.tree):
        return message("finding.snapshot-of-another-stream", record=at)
    try:
        kept: TableSnapshot | Floor | None
        if isinstance(state, Floor):
            kept = decode_state(snapshot.state, _floors)
        else:
            kept = decode_state(snapshot.state, _wholes)
    except msgspec.MsgspecError:
        return message("finding.snapshot-differs", record=at)
    return None if kept in (None, state) else message("finding.snapshot-differs", record=at)
