"""The processes beside the server that read the whole journal: to prove it, to answer, and to report."""

import asyncio
import functools
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.sharedctypes import Synchronized
from typing import TypeVar

from msgspec.structs import replace

from thirdcard.auditor.verify import StreamReport
from thirdcard.journal.store import Store
from thirdcard.messages import FIRST_LANGUAGE, say, speaking
from thirdcard.server import proofs
from thirdcard.streams.opening import OpenedPlace
from thirdcard.wire.records import Proven, Verification

T = TypeVar("T")


class BackOffice:
    """Three reading processes, each begun when it is first needed; one verification at a time.

    A verification takes minutes and a report seconds, and nobody who asks for a round waits for them.
    """

    _spawning = multiprocessing.get_context("spawn")

    def __init__(self, where: OpenedPlace, store: Store) -> None:
        self._where = where
        self._store = store
        self._answering: ProcessPoolExecutor | None = None
        self._reporting: ProcessPoolExecutor | None = None
        self._proving: ProcessPoolExecutor | None = None
        self._verification = Verification(running=False, chain_only=False, by="", began=0, records=0, total=0)
        self._reports: tuple[StreamReport, ...] = ()
        self._verifying: asyncio.Task[None] | None = None

    async def answer(self, work: Callable[..., T], *args: object) -> T:
        """Have a question answered."""
        if self._answering is None:
            self._answering = self._process()
        return await self._have(self._answering, work, *args)

    async def report(self, work: Callable[..., T], *args: object) -> T:
        """Have a report made."""
        if self._reporting is None:
            self._reporting = self._process()
        return await self._have(self._reporting, work, *args)

    async def prove(self, work: Callable[..., T], *args: object, **named: object) -> T:
        """Have a stream proven, which takes long."""
        if self._proving is None:
            self._proving = self._process()
        return await self._have(self._proving, work, *args, **named)

    async def _have(
        self, process: ProcessPoolExecutor, work: Callable[..., T], *args: object, **named: object
    ) -> T:
        call = functools.partial(work, self._where, *args, **named)
        return await asyncio.get_running_loop().run_in_executor(process, call)

    def _process(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            1, mp_context=self._spawning, initializer=proofs.begin, initargs=(self._progress,)
        )

    @functools.cached_property
    def _progress(self) -> "Synchronized[int]":
        """How many records the verification has seen."""
        return self._spawning.Value("q", 0)

    async def close(self) -> None:
        """End the processes; a verification is given up."""
        if self._verifying is not None:
            self._verifying.cancel()
        for pool in (self._answering, self._reporting, self._proving):
            if pool is not None:
                await asyncio.to_thread(pool.shutdown, cancel_futures=True)

    def verification(self, language: str = FIRST_LANGUAGE) -> Verification:
        """The verification that runs, or the last one, for a reader; before the first one, one of nothing."""
        with speaking(language):
            found = replace(self._verification, reports=tuple(map(_told, self._reports)))
        if not found.running:
            return found
        return replace(found, records=min(found.total, self._progress.value))

    async def verify(self, *, by: str, at: int, chain_only: bool) -> None:
        """Begin to prove every stream, unless that is being done."""
        if not self._verification.running:
            streams = await self._store.streams()
            total = sum([(await self._store.head(each)).sequence for each in streams])
            self._progress.value = 0
            self._verification = Verification(
                running=True, chain_only=chain_only, by=by, began=at, records=0, total=total
            )
            self._reports = ()
            self._verifying = asyncio.create_task(self._run(streams, chain_only=chain_only))

    async def _run(self, streams: tuple[str, ...], *, chain_only: bool) -> None:
        try:
            for stream in streams:
                report = await self.prove(proofs.verify_stream, stream, chain_only=chain_only)
                self._reports = (*self._reports, report)
            records = sum(each.records for each in self._reports)
            self._verification = replace(self._verification, running=False, records=records)
        except Exception as error:
            self._verification = replace(self._verification, running=False, failed=str(error))
            raise


def _told(report: StreamReport) -> Proven:
    """A report in the language of the reader."""
    return Proven(
        stream=report.stream,
        records=report.records,
        rounds=report.rounds,
        signed_until=report.signed_until,
        root=report.root,
        findings=tuple(f"{each.sequence}: {say(each.what)}" for each in report.findings),
        more_findings=report.more_findings,
        lenient=sum(report.lenient.values()),
    )
