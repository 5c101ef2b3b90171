"""Proves a stream: chain, signatures, contents, decisions, settlements, money and snapshot."""

import hashlib
from collections.abc import AsyncIterator, Callable

import msgspec
from msgspec import Struct

from thirdcard.auditor.chain import BEGINNING, Chain, ChainStart
from thirdcard.auditor.expected_parts import ExpectedCheckpoints, ExpectedStreams
from thirdcard.auditor.exported import Exported
from thirdcard.auditor.findings import Finding
from thirdcard.auditor.inspection import Inspection
from thirdcard.auditor.record_signatures import RecordSignatures, old_end_of
from thirdcard.auditor.resume import ProofState, StreamProof, freeze, thaw
from thirdcard.auditor.signed import (
    BEFORE_ALL,
    Signposts,
    one_by_one,
    snapshot_is_wrong,
    stored_checkpoints,
)
from thirdcard.auditor.stored_rules import NamedContents, PublicKeys
from thirdcard.floor.state import StreamEnd
from thirdcard.journal.codec import FromNewerBuild, encode, is_of_this_build
from thirdcard.journal.old_records import marked_ends
from thirdcard.journal.record import Record
from thirdcard.journal.store import READ_BATCH, Store, StoreFailed
from thirdcard.messages import message

LISTED_FINDINGS = 100  # findings and notes of a stream that are listed; the rest is counted
VerifyProgress = Callable[[int], None]


class Against(Struct, frozen=True):
    """The keys, checkpoints and marked ends from elsewhere that a journal is held against."""

    public_keys: dict[str, bytes] | None = None
    kept: Exported | None = None
    marked: tuple[StreamEnd, ...] = ()


AGAINST_NOTHING = Against()


class StreamReport(Struct, frozen=True, kw_only=True):
    """The findings in a stream; everything up to the record before the first bad one is whole.

    ``signed`` counts the records that are in a signed commit group; ``old`` those from before there were any,
    of which ``uncovered`` are vouched for by no later checkpoint or signed record.

    ``since`` is the last record that was not looked at again, as it was proven before.

    ``lenient`` counts by software the records that another engine wrote: they are decided again too, but a
    difference is a note and no finding.
    """

    stream: str
    records: int
    first_bad: int | None
    digest: str
    root: str
    signed: int
    old: int
    uncovered: int
    checkpoints: int
    signed_until: int
    kept: int
    kept_until: int
    since: int = 0
    marked_until: int = 0
    keys: tuple[str, ...] = ()
    rounds: int | None = None
    wagers: int | None = None
    refusals: int | None = None
    lenient: dict[str, int] = {}
    state: str | None = None
    findings: tuple[Finding, ...] = ()
    more_findings: int = 0
    notes: tuple[Finding, ...] = ()
    more_notes: int = 0

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


async def streams_of(store: Store, against: Against) -> tuple[str, ...]:
    """Every stream that there is, or was when checkpoints of it were kept or records began to be signed."""
    kept = against.kept.streams if against.kept else frozenset()
    old = await marked_ends(store, lambda _: True) or {}
    marked = (end.stream for end in against.marked)
    return tuple(sorted({*await store.streams(), *kept, *old, *marked}))


async def verify(
    store: Store,
    stream: str,
    against: Against = AGAINST_NOTHING,
    *,
    chain_only: bool = False,
    start: ChainStart = BEGINNING,
    progress: VerifyProgress = lambda _: None,
) -> StreamReport:
    """Prove a stream to its last record; only the first few findings are kept in memory.

    It is followed from its first record on, or chain only from a ``start`` whose place was proven before.
    """
    about = _Verification(store, stream, against, start, chain_only=chain_only, progress=progress)
    return await about.run()


async def verify_on(
    store: Store,
    stream: str,
    against: Against,
    proof: StreamProof | None,
    *,
    progress: VerifyProgress = lambda _: None,
) -> tuple[StreamReport, StreamProof | None]:
    """Prove a stream from where it was proven before; tells how far it is proven now if it is whole."""
    start = proof.start if proof else BEGINNING
    about = _Verification(store, stream, against, start, chain_only=False, progress=progress)
    if proof is not None:
        await about.take_up(proof)
    report = await about.run()
    return report, about.proof() if report.whole else None


class _Listed:
    """A list that ends, and then counts."""

    def __init__(self) -> None:
        self.listed: list[Finding] = []
        self.more = 0

    def add(self, finding: Finding) -> None:
        if len(self.listed) < LISTED_FINDINGS:
            self.listed.append(finding)
        else:
            self.more += 1


class _Verification:
    """One stream on its way to a report."""

    def __init__(
        self,
        store: Store,
        stream: str,
        against: Against,
        start: ChainStart,
        *,
        chain_only: bool,
        progress: VerifyProgress,
    ) -> None:
        self._store = store
        self._since = start.head.sequence
        self._stream = stream
        self._progress = progress
        self._chain = Chain(start)
        self._keys = PublicKeys(store, against.public_keys)
        every = not chain_only
        self._stored = Signposts(
            stored_checkpoints(store, stream, after=self._since or BEFORE_ALL),
            self._keys,
            kept=False,
            every=every,
            since=self._since,
        )
        self._kept: Signposts | None = None
        if against.kept is not None:
            keys = PublicKeys(store, against.public_keys or against.kept.public_keys or None)
            kept = one_by_one(each for each in against.kept.of(stream) if each.sequence > self._since)
            self._kept = Signposts(kept, keys, kept=True, every=every, since=self._since)
        self._signatures = RecordSignatures(self._keys, every=every)
        self._mark = next((end for end in against.marked if end.stream == stream), None)
        self._marked_until = 0
        self._inspection = None if chain_only else Inspection(store)
        self._contents = NamedContents(store)
        self._checkpoints = ExpectedCheckpoints()
        self._streams = ExpectedStreams()
        self._findings = _Listed()
        self._notes = _Listed()
        self._first_bad: int | None = None

    async def take_up(self, proof: StreamProof) -> None:
        """Know what an earlier proof knew; find it where the journal has another record at its place."""
        state = thaw(proof.state)
        self._inspection, self._checkpoints, self._streams = (
            state.inspection,
            state.checkpoints,
            state.streams,
        )
        self._inspection.go_on_with(self._store)
        self._signatures.after_signed, self._signatures.signed = state.after_signed, state.signed
        self._signatures.keys |= state.keys
        self._stored.count = state.signposts
        at = proof.sequence
        for record in await self._store.read(self._stream, after=at - 1, most=1):
            if (record.sequence, record.digest.hex()) == (at, proof.digest):
                return
        self._find(Finding(at, message("finding.not-as-proven", record=at)))

    def proof(self) -> StreamProof:
        """How far the stream is proven."""
        assert self._inspection is not None
        state = ProofState(
            inspection=self._inspection,
            checkpoints=self._checkpoints,
            streams=self._streams,
            after_signed=self._signatures.after_signed,
            signed=self._signatures.signed,
            keys=frozenset(self._stored.keys | self._signatures.keys),
            signposts=self._stored.count,
        )
        return StreamProof(
            stream=self._stream,
            sequence=self._chain.sequence,
            digest=self._chain.digest.hex(),
            roots=tuple(root.hex() for root in self._chain.tree.roots),
            state=freeze(state),
        )

    def _find(self, *findings: Finding) -> None:
        for finding in findings:
            self._findings.add(finding)
            if self._first_bad is None or finding.sequence < self._first_bad:
                self._first_bad = finding.sequence

    async def run(self) -> StreamReport:
        """Go through the stream."""
        signposts = [self._stored, *([self._kept] if self._kept else [])]
        try:
            self._signatures.old = await old_end_of(self._store, self._stream, self._keys)
            for each in signposts:
                await each.start()
            self._find(*await self._compare_mark_before())
            reached = await self._follow_all(signposts)
            self._find(*await self._signatures.finish(self._chain.sequence if reached else None))
            self._find(*await self._contents.finish())
            if reached:
                self._find(*await self._streams.finish(self._store))
                self._find(*self._behind_mark())
                for each in signposts:
                    self._find(*await each.finish(self._chain))
                self._find(*self._vouched_for_by_nothing())
        except FromNewerBuild:
            raise
        except StoreFailed as error:
            due = self._chain.sequence + 1
            self._find(Finding(due, message("finding.cannot-be-read", record=due, error=str(error))))
        return self._report()

    async def _follow_all(self, signposts: list[Signposts]) -> bool:
        """Follow the records to the end; whether the end was reached."""
        snapshot = await self._store.snapshot(self._stream) if self._inspection else None
        async for page in self._pages(signposts):
            for record in page:
                wrong = self._chain.follow(record)
                if wrong is not None:
                    self._find(Finding(self._chain.sequence + 1, wrong))
                    return False
                self._find(*await self._signatures.take(record))
                self._find(*self._compare_mark(record))
                if self._inspection:
                    await self._inspect(self._inspection, record)
                else:
                    self._contents.take(record)
                for each in signposts:
                    if each.next is not None and each.next.sequence <= record.sequence:
                        self._find(*await each.compare(self._chain))
                if snapshot is not None and self._inspection and snapshot.head.sequence == record.sequence:
                    state = self._inspection.state
                    wrong = await snapshot_is_wrong(snapshot, self._chain, state, self._keys)
                    self._find(*([Finding(record.sequence, wrong)] if wrong else []))
                    if not wrong and not is_of_this_build(snapshot.state):
                        odd = message("finding.snapshot-of-another-build", record=record.sequence)
                        self._notes.add(Finding(record.sequence, odd))
            self._progress(len(page))
        if snapshot is not None and not 0 < snapshot.head.sequence <= self._chain.sequence:
            end = self._chain.sequence
            at = snapshot.head.sequence
            self._find(Finding(end + 1, message("finding.cut-after-snapshot", end=end, record=at)))
        return True

    def _vouched_for_by_nothing(self) -> list[Finding]:
        """Find records from before records were signed where no checkpoint and no mark speaks for any."""
        old = self._signatures.old
        signed = self._since or self._stored.agreed or (self._kept.agreed if self._kept else 0)
        if old.marked or not old.end.sequence or signed or self._marked_until:
            return []
        return [Finding(1, message("finding.nothing-signed", records=self._chain.sequence))]

    def _compare_mark(self, record: Record) -> list[Finding]:
        if self._mark is None or record.sequence != self._mark.sequence:
            return []
        if record.digest.hex() != self._mark.digest:
            return [Finding(record.sequence, message("finding.not-as-marked", record=record.sequence))]
        self._marked_until = record.sequence
        return []

    async def _compare_mark_before(self) -> list[Finding]:
        """Compare a mark of a record that was proven before."""
        if self._mark is None or not 0 < self._mark.sequence <= self._since:
            return []
        here = await self._store.read(self._stream, after=self._mark.sequence - 1, most=1)
        return self._compare_mark(here[0]) if here else []

    def _behind_mark(self) -> list[Finding]:
        end = self._chain.sequence
        if self._mark is None or self._mark.sequence <= end:
            return []
        return [Finding(end + 1, message("finding.behind-mark", end=end, record=self._mark.sequence))]

    async def _pages(self, signposts: list[Signposts]) -> AsyncIterator[tuple[Record, ...]]:
        """The records page by page; one by one where a page cannot be read, to find the one that cannot.

        Where a checkpoint tells of records beyond the end, a server may just have written them: the end is
        read once more before it is believed.
        """
        after, most, believed = self._since, READ_BATCH, -1
        while True:
            try:
                page = await self._store.read(self._stream, after=after, most=most)
            except StoreFailed:
                if most == 1:
                    raise
                most = 1
                continue
            if page:
                yield page
                after = page[-1].sequence
            elif believed == after or not any(each.next for each in signposts):
                return
            else:
                believed = after

    async def _inspect(self, inspection: Inspection, record: Record) -> None:
        found = await inspection.take(record)
        self._find(*found.findings)
        if found.step is not None:
            if self._stored.covered is not None:
                self._find(*self._checkpoints.take(found.step, self._stored.covered))
            self._streams.take(found.step)
        for note in found.notes:
            self._notes.add(note)

    def _report(self) -> StreamReport:
        inspection, chain = self._inspection, self._chain
        state = inspection.state if inspection else None
        old = min(self._signatures.old.end.sequence, chain.sequence)
        report = StreamReport(
            stream=self._stream,
            records=chain.sequence,
            first_bad=self._first_bad,
            digest=chain.digest.hex(),
            root=chain.tree.root.hex(),
            signed=self._signatures.signed,
            old=old,
            uncovered=0 if self._signatures.old.marked else max(0, old - self._stored.agreed),
            checkpoints=self._stored.count,
            signed_until=self._stored.agreed,
            kept=self._kept.count if self._kept else 0,
            kept_until=self._kept.agreed if self._kept else 0,
            since=self._since,
            marked_until=self._marked_until,
            keys=tuple(sorted(self._stored.keys | self._signatures.keys)),
            findings=tuple(self._findings.listed),
            more_findings=self._findings.more,
            notes=tuple(self._notes.listed),
            more_notes=self._notes.more,
        )
        if inspection is None:
            return report
        return msgspec.structs.replace(
            report,
            rounds=inspection.rounds,
            wagers=inspection.wagers,
            refusals=inspection.refusals,
            lenient=dict(sorted(inspection.lenient.items())),
            state=hashlib.sha256(encode(state)).hexdigest() if state else None,
        )
