"""Terminals: enrolled with a code that is good once and for ten minutes, known by a token of their own."""

import datetime
import hashlib
import secrets

from msgspec import Struct

from thirdcard.access.actors import AtTerminal
from thirdcard.access.attempts import Buckets
from thirdcard.access.directory import Directory, digest_of_token
from thirdcard.access.names import refuse_look
from thirdcard.access.sign_in import ANOTHER_AFTER, ATTEMPTS, TOKEN_BYTES
from thirdcard.floor import commands as cmd
from thirdcard.floor.events import FloorEvent
from thirdcard.journal.keys import KeyRing
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import FloorStream

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that looks like another
LENGTH = 8
LASTS = datetime.timedelta(minutes=10)


class Enrolment(Struct, frozen=True):
    """A terminal is expected: the code to type there, and until when."""

    terminal: str
    code: str
    ends: datetime.datetime


class Claimed(Struct, frozen=True):
    """A terminal is enrolled; the token is for the device alone."""

    terminal: str
    token: str


class TerminalDesk:
    """Enrols terminals, and knows them by their tokens."""

    def __init__(
        self, floor: FloorStream, keys: KeyRing, clock: Clock, attempts: Buckets | None = None
    ) -> None:
        self.directory = Directory(floor)
        self._floor = floor
        self._keys = keys
        self._clock = clock
        self._attempts = attempts or Buckets(clock, burst=ATTEMPTS, every=ANOTHER_AFTER)

    async def enrol(
        self, terminal: str, *, table: str, by: str, second: str | None = None, position: int | None = None
    ) -> Enrolment | Refused:
        """Expect a terminal at a table; a known one is enrolled anew, and its old token is good no more.

        Where money is real, two people do it.
        """
        refused = refuse_look(self.directory.floor, terminal) or self._refuse_position(table, position)
        if refused:
            return refused
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        ends = self._clock.now().moment + LASTS
        digest = digest_of_code(self._keys, code)
        body = cmd.EnrolTerminal(
            terminal=terminal, table=table, position=position, code=digest, code_ends=ends
        )
        answer = await self._send(body, by, second)
        return answer if isinstance(answer, Refused) else Enrolment(terminal, _shown(code), ends)

    def _refuse_position(self, table: str, position: int | None) -> Refused | None:
        """Refuse a place that the table has not: whoever sat there could place no wager."""
        defined = self.directory.table(table)
        most = defined.setup.positions if defined else 0
        if defined is None or position is None or 1 <= position <= most:
            return None
        return refuse(Refusal.UNKNOWN_POSITION, position=position, most=most)

    async def claim(self, code: str, *, address: str) -> Claimed | Refused:
        """Be the terminal that a code was made for."""
        wait = self._attempts.take(address)
        if wait is not None:
            return refuse(Refusal.TOO_MANY_REQUESTS, seconds=wait)
        digest = digest_of_code(self._keys, code)
        expected = [each for each in self.directory.floor.terminals if each.code == digest]
        if not expected:
            return refuse(Refusal.WRONG_CODE)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        terminal = expected[0].id
        body = cmd.ClaimTerminal(terminal=terminal, code=digest, token=digest_of_token(token))
        answer = await self._send(body, terminal)
        if isinstance(answer, Refused):
            return answer
        self._attempts.give_back(address)
        return Claimed(terminal, token)

    def who(self, token: str) -> AtTerminal | Refused:
        """Return the terminal that holds a token, with the patron who uses it."""
        found = self.directory.terminal(digest_of_token(token))
        if found is None:
            return refuse(Refusal.NOT_SIGNED_IN)
        table = self.directory.table(found.table)
        return AtTerminal(
            terminal=found.id,
            table=found.table,
            enabled=found.enabled,
            training=table is not None and table.setup.training,
            patron=found.patron,
            position=found.position,
        )

    async def _send(
        self, body: cmd.FloorBody, actor: str, second: str | None = None
    ) -> Accepted[FloorEvent] | Refused:
        command_id = f"terminal-{secrets.token_hex(16)}"
        return await self._floor.send(body, actor=actor, command_id=command_id, authoriser=second)


def digest_of_code(keys: KeyRing, code: str) -> str:
    """Return the digest of a code, which is recorded.

    It is made with the floor's key, since few enough codes exist to try them all.
    """
    typed = code.upper().replace("-", "").replace(" ", "")
    return hashlib.sha256(keys.sign(b"code of a terminal: " + typed.encode(errors="replace"))).hexdigest()


def _shown(code: str) -> str:
    return f"{code[:4]}-{code[4:]}"
