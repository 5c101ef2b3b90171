"""Turns at a stream that several processes append to: whoever came too late asks, and is let go first.

Who has appended knows the end of the stream before everybody else, and would be the quicker one forever.
"""

import asyncio
import secrets
from collections.abc import Callable, Iterable

from thirdcard.journal.postgres.link import Connection
from thirdcard.journal.postgres.schema import TURNS

REST = 0.1  # seconds at most for which a stream is left to others
ASK = "SELECT pg_notify($1, $2 || ' ' || name) FROM unnest($3::text[]) AS name"


class Turns:
    """The streams that are left to others for a moment, because one of them has asked."""

    def __init__(self) -> None:
        self.on_wake: Callable[[], None] = _nothing_waits
        self._name = secrets.token_hex(8)
        self._tried: dict[str, int] = {}
        self._resting: dict[str, asyncio.TimerHandle] = {}

    def rests(self, stream: str) -> bool:
        """Whether a stream is left to others just now."""
        return stream in self._resting

    def tries(self, stream: str, sequence: int) -> None:
        """This process is about to append up to a sequence."""
        self._tried[stream] = sequence

    async def ask(self, connection: Connection, late: Iterable[str]) -> None:
        """Ask the others to leave us streams for which we came too late, which was their turn."""
        streams = list(late)
        for stream in streams:
            self._wake(stream)
        await connection.execute(ASK, TURNS, self._name, streams)

    def asked(self, question: str) -> None:
        """Leave a stream to another process until it has appended, if that does not take too long."""
        name, _, stream = question.partition(" ")
        if name != self._name and stream in self._tried and stream not in self._resting:
            self._resting[stream] = asyncio.get_running_loop().call_later(REST, self._wake, stream)

    def grown(self, stream: str, sequence: int) -> None:
        """A stream has grown; where it was not by us, others have had their turn."""
        if sequence > self._tried.get(stream, 0):
            self._wake(stream)

    def stop(self) -> None:
        """Leave nothing to others any more."""
        for stream in tuple(self._resting):
            self._wake(stream)
        self._tried.clear()

    def _wake(self, stream: str) -> None:
        timer = self._resting.pop(stream, None)
        if timer is not None:
            timer.cancel()
            self.on_wake()


def _nothing_waits() -> None:
    """Nobody appends here yet."""
