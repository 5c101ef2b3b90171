"""Notices that the wall clock of this server was set, and has it recorded: times in records would mislead."""

import logging
from collections import deque

from thirdcard.floor.commands import NoteClockStep
from thirdcard.floor.standing import SERVER
from thirdcard.journal.store import StoreFailed
from thirdcard.refusals import Refused
from thirdcard.server.metrics import Metrics
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import FloorStream

LOOK_SECONDS = 1.0
LEAST_STEP = 500_000  # microseconds within a second: no clock drifts so far, and none is slewed so fast
MILLISECOND = 1_000
log = logging.getLogger(__name__)


class ClockWatch:
    """Compares the wall clock with the clock of this run, once a second.

    A machine that slept is noticed as well. A step that the store cannot take yet waits its turn.
    """

    def __init__(self, clock: Clock, floor: FloorStream, metrics: Metrics) -> None:
        self._clock = clock
        self._floor = floor
        self._metrics = metrics
        self._ahead = self._difference()
        self._steps = 0
        self._owed: deque[tuple[str, NoteClockStep]] = deque()

    async def run(self) -> None:
        """Look for as long as the server runs."""
        while True:
            await self._clock.sleep(LOOK_SECONDS)
            await self.look()

    async def look(self) -> None:
        """Look once, and have recorded what is owed."""
        ahead = self._difference()
        step, self._ahead = ahead - self._ahead, ahead
        if abs(step) >= LEAST_STEP:
            self._steps += 1
            self._metrics.clock_steps.inc()
            log.warning("the clock was set", extra={"fields": {"seconds": round(step / 1_000_000, 3)}})
            body = NoteClockStep(microseconds=step, run=self._clock.run)
            self._owed.append((f"clock-step/{self._clock.run}/{self._steps}", body))
        while self._owed and await self._is_recorded(*self._owed[0]):
            self._owed.popleft()

    async def _is_recorded(self, command_id: str, body: NoteClockStep) -> bool:
        try:
            answer = await self._floor.send(body, actor=SERVER, command_id=command_id)
        except StoreFailed:
            return False
        return not isinstance(answer, Refused)

    def _difference(self) -> int:
        """Return by how many microseconds the wall clock is ahead of the clock of this run."""
        now = self._clock.now()
        return now.wall_time - now.monotonic // MILLISECOND
