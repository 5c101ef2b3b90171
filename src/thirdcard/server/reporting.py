"""Reports the ends of streams and checkpoints to a witness on another machine; play never waits for it."""

import asyncio
import contextlib
import http.client
import logging
from urllib.parse import urlsplit

import msgspec

from thirdcard.floor.state import StreamEnd
from thirdcard.journal.checkpoints import line_of
from thirdcard.journal.marks import JournalMark, MarkUnusable, decode_mark, encode_mark, make_mark
from thirdcard.journal.record import Head
from thirdcard.journal.store import StoreFailed
from thirdcard.streams.opening import OpenFloor
from thirdcard.wire.paths import WITNESS_CHECKPOINTS, WITNESS_MARKS

REPORT_SECONDS = 1.0  # between two reports, by real time
ANSWER_SECONDS = 3.0  # that a witness has to answer
CHECKPOINTS_AT_ONCE = 200
OK, NO_CONTENT = 200, 204
_ends = msgspec.json.Decoder(dict[str, int])
log = logging.getLogger(__name__)


class WitnessUnreachable(Exception):
    """A witness does not answer as it should; the sentence says how."""


def ask_witness(address: str) -> tuple[JournalMark, ...]:
    """Return the newest marks that a witness has; whoever uses them checks their signatures."""
    try:
        return tuple(decode_mark(line) for line in _call(address, "GET", WITNESS_MARKS).splitlines())
    except MarkUnusable as error:
        raise WitnessUnreachable(f"{address}: {error}") from error


def _call(address: str, method: str, path: str, body: bytes | None = None) -> bytes:
    """One request, in a thread of its own."""
    found = urlsplit(address if "//" in address else f"//{address}")
    kind = http.client.HTTPSConnection if found.scheme == "https" else http.client.HTTPConnection
    try:
        connection = kind(found.hostname or "", found.port, timeout=ANSWER_SECONDS)
        with contextlib.closing(connection):
            connection.request(method, path, body)
            answer = connection.getresponse()
            content = answer.read()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise WitnessUnreachable(f"{address}: {error}") from error
    if answer.status not in (OK, NO_CONTENT):
        raise WitnessUnreachable(f"{address}: it answers {answer.status}")
    return content


class WitnessReporter:
    """Sends what is new once a second; what could not be sent is in the journal, and goes with the next."""

    def __init__(self, address: str, floor: OpenFloor) -> None:
        self.reached: bool | None = None
        self._address = address
        self._floor = floor
        self._heads: dict[str, Head] = {}
        self._number = 0
        self._sent: dict[str, int] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Send the last, if the witness answers, and end."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            await self._try()

    async def _run(self) -> None:
        while True:
            await self._try()
            await asyncio.sleep(REPORT_SECONDS)

    async def _try(self) -> None:
        before = self.reached
        try:
            if not self._floor.service.closed:
                await self.report()
            self.reached = True
        except WitnessUnreachable as error:
            self.reached = False
            if before is not False:
                log.warning("the witness cannot be reached", extra={"fields": {"why": str(error)}})
        except StoreFailed:
            pass  # the store is in trouble, and nothing new is in it
        if self.reached and before is False:
            log.warning("the witness is back")

    async def report(self) -> None:
        """Send the ends that have changed since the witness was last told, and the new checkpoints."""
        heads = {name: head for name, head in self._floor.service.heads.items() if head.sequence}
        changed = {name: head for name, head in heads.items() if self._heads.get(name) != head}
        if changed:
            ends = tuple(StreamEnd(name, head.sequence, head.digest.hex()) for name, head in changed.items())
            now = self._floor.clock.now().wall_time
            self._number = max(self._number + 1, now)
            mark = make_mark(self._floor.keys, ends, number=self._number, wall_time=now)
            await asyncio.to_thread(_call, self._address, "POST", WITNESS_MARKS, encode_mark(mark))
            self._heads = heads
        await self._report_checkpoints()

    async def _report_checkpoints(self) -> None:
        if self._sent is None:
            told = await asyncio.to_thread(_call, self._address, "GET", WITNESS_CHECKPOINTS)
            try:
                self._sent = _ends.decode(told)
            except msgspec.MsgspecError as error:
                raise WitnessUnreachable(f"{self._address}: {error}") from error
        for name, checked in self._floor.service.checked.items():
            after = self._sent.get(name, 0)
            after = after if after <= checked else 0  # the journal was restored from a backup
            while after < checked:
                found = await self._floor.store.checkpoints(name, after=after, most=CHECKPOINTS_AT_ONCE)
                if not found:
                    break
                lines = b"".join(map(line_of, found))
                await asyncio.to_thread(_call, self._address, "POST", WITNESS_CHECKPOINTS, lines)
                after = self._sent[name] = found[-1].sequence
