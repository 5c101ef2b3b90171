"""Checks the whole record at the start and once a day, beside the tables; what is found closes them."""

import asyncio
import logging

from thirdcard.auditor.verify import StreamReport
from thirdcard.journal.store import StoreFailed
from thirdcard.messages import message, say
from thirdcard.server import proofs
from thirdcard.server.back_office import BackOffice
from thirdcard.server.reporting import WitnessReporter
from thirdcard.streams.opening import OpenFloor
from thirdcard.wire.answers import RecordsState

CHECK_EVERY = 24 * 60 * 60.0  # seconds
UNREADABLE = "finding.cannot-be-read"
log = logging.getLogger(__name__)


class RecordChecks:
    """Follows the chain and the signatures of every stream, in the process that reads the journal."""

    def __init__(self, floor: OpenFloor, back_office: BackOffice, witness: WitnessReporter | None) -> None:
        self._floor = floor
        self._back_office = back_office
        self._witness = witness
        self._checked_at: int | None = None
        self._records = 0

    @property
    def state(self) -> RecordsState:
        """The state of the record: the last check, the mark, the witness, and why tables are closed."""
        service = self._floor.service
        marker = service.marker
        mark = marker.mark if marker else None
        return RecordsState(
            whole=not service.closed,
            closed=service.closed,
            checked_at=self._checked_at,
            records=self._records,
            marked_at=mark.wall_time if mark else None,
            marks=marker is not None and marker.trouble is None,
            compared=service.unmarked is None,
            witness=self._witness.reached if self._witness else None,
        )

    async def run(self) -> None:
        """Check now, and once a day from then on."""
        while True:
            try:
                await self.check()
            except StoreFailed as error:
                log.warning("the record could not be checked", extra={"fields": {"why": str(error)}})
            await self._floor.clock.sleep(CHECK_EVERY)

    async def check(self) -> None:
        """Check every stream; an altered one closes every table."""
        service, records = self._floor.service, 0
        for stream in await self._floor.store.streams():
            report = await self._report(stream)
            records += report.records
            if report.findings:
                problem = say(report.findings[0].what)
                service.close_tables(message("record-check.altered", stream=stream, problem=problem))
        self._records, self._checked_at = records, self._floor.clock.now().wall_time
        told = {"records": records, "whole": not service.closed}
        log.info("the record was checked", extra={"fields": told})

    async def _report(self, stream: str) -> StreamReport:
        """Return what was found in a stream; a store that is in trouble for a moment is asked once more."""
        keys = self._floor.keys.public_keys
        report = await self._back_office.prove(proofs.check_stream, stream, keys)
        if any(each.what.key == UNREADABLE for each in report.findings):
            await self._floor.store.head(stream)  # raises where the store itself is in trouble
            await asyncio.sleep(1)
            report = await self._back_office.prove(proofs.check_stream, stream, keys)
        return report
