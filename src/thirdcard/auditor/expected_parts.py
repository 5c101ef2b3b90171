"""Looks for what should be there: checkpoints of rounds, shoes and shifts, and the streams of tables."""

from msgspec import Struct

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.replay import FloorStep, ReplayStep, TableStep
from thirdcard.floor.events import SignedIn, TableDefined
from thirdcard.journal.checkpoint_reasons import due_checkpoint
from thirdcard.journal.groups import is_grouped
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store
from thirdcard.messages import message

OLD_BATCH = 256  # records that one append of an older build can have had at most
ENDED = {
    "round-end": "@finding.ended-round-end",
    "shoe-end": "@finding.ended-shoe-end",
    "shift-end": "@finding.ended-shift-end",
}
SET_UP_SECONDS = 60  # after which a served table is surely set up


class _Due(Struct, frozen=True):
    """A checkpoint that is due: what has ended, at which record."""

    reason: str
    record: Record


class ExpectedCheckpoints:
    """Misses the checkpoint of a round, shoe or shift that ended.

    A checkpoint is signed after the records that were appended together. A server that was killed, or whose
    store failed, may have left one out: then the run changes, or the table is paused.
    """

    def __init__(self) -> None:
        self._due: _Due | None = None

    def take(self, step: ReplayStep, covered: int) -> list[Finding]:
        """Return what is missed before a record; ``covered`` is the last record with a checkpoint so far."""
        due, record = self._due, step.record
        if due is not None and (covered >= due.record.sequence or _explained(due.record, record)):
            due = self._due = None
        reason = due_checkpoint(step.result.events) if isinstance(step, TableStep) else None
        if due is not None and _together(due.record, record):
            return []
        late = due is not None and (reason is not None or not is_grouped(record))
        found = [_missed(due)] if due is not None and late else []
        if late:
            self._due = None
        if reason is not None and covered < record.sequence:
            self._due = _Due(reason, record)
        return found


def _explained(before: Record, record: Record) -> bool:
    return record.run != before.run or record.kind == "pause-table"


def _together(before: Record, record: Record) -> bool:
    """Whether two records may have been appended together."""
    if is_grouped(record):
        return record.group_signature == before.group_signature
    return record.sequence - before.sequence < OLD_BATCH


def _missed(due: _Due) -> Finding:
    at = due.record.sequence
    return Finding(at, message("finding.checkpoint-missing", ended=ENDED[due.reason], record=at))


class ExpectedStreams:
    """Misses the stream of a table that the floor defines.

    A server sets up every table that is defined. That one has run since shows where somebody signed in.
    """

    def __init__(self) -> None:
        self._defined: dict[str, tuple[int, int]] = {}  # since which record, and when
        self._served = 0

    def take(self, step: ReplayStep) -> None:
        """Note which tables a record defines, and whether a server ran."""
        if not isinstance(step, FloorStep):
            return
        for event in step.result.events:
            if isinstance(event, TableDefined):
                since = step.record.sequence, step.record.wall_time
                self._defined.setdefault(event.definition.setup.table, since)
            elif isinstance(event, SignedIn):
                self._served = max(self._served, step.record.wall_time)

    async def finish(self, store: Store) -> list[Finding]:
        """Return the tables without a stream."""
        there = set(await store.streams()) if self._defined else set()
        return [
            Finding(at, message("finding.table-without-stream", table=name, record=at))
            for name, (at, since) in self._defined.items()
            if name not in there and self._served - since > SET_UP_SECONDS * 1_000_000
        ]
