"""Service accounts: other systems, each known by a secret that is shown once, for the scopes that it has."""

import datetime
import secrets

from msgspec import Struct

from thirdcard.access.actors import ByAccount
from thirdcard.access.attempts import SECOND
from thirdcard.access.directory import Directory, digest_of_token
from thirdcard.access.names import refuse_look
from thirdcard.access.people import Two
from thirdcard.access.sign_in import TOKEN_BYTES
from thirdcard.floor import commands as cmd
from thirdcard.floor.events import AccountAdded, FloorEvent
from thirdcard.floor.gaming_day import EPOCH
from thirdcard.floor.standing import SERVER
from thirdcard.floor.state import Scope, ServiceAccount
from thirdcard.journal.store import FLOOR_STREAM, Store
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import FloorStream

SECRET_PREFIX = "thirdcard-"  # no token of a session or a terminal begins so, and scanners of secrets know it
EXPIRED = "expired"  # the reason of an account whose time is up


class MadeAccount(Struct, frozen=True):
    """A service account, and the secret that its system shows from now on; nobody can read it again."""

    account: ServiceAccount
    secret: str


class AccountDesk:
    """Makes service accounts, knows them by their secrets, and ends them when their time is up."""

    def __init__(self, floor: FloorStream, clock: Clock) -> None:
        self.directory = Directory(floor)
        self._floor = floor
        self._clock = clock
        self._latest = EPOCH  # the time of the last record before this run
        self._deadlines: dict[str, int] = {}

    async def begin(self, store: Store) -> None:
        """Read when the floor last recorded something: setting a clock back makes no account younger."""
        head = await store.head(FLOOR_STREAM)
        last = await store.read(FLOOR_STREAM, after=max(head.sequence - 1, 0), most=1)
        if last:
            self._latest = EPOCH + datetime.timedelta(microseconds=last[0].wall_time)
        await self.end_expired()

    async def add(
        self, name: str, scopes: tuple[Scope, ...], days: int, *, by: Two | str
    ) -> MadeAccount | Refused:
        """Make an account for some days, in the name of two people; only the answer has the secret."""
        refused = refuse_look(self.directory.floor, name)
        if refused:
            return refused
        secret = SECRET_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        two = Two(by, None) if isinstance(by, str) else by
        body = cmd.AddAccount(name=name, scopes=scopes, token=digest_of_token(secret), days=days)
        answer = await self._send(body, two.actor, two.authoriser)
        if isinstance(answer, Refused):
            return answer
        (added,) = answer.events
        assert isinstance(added, AccountAdded)
        self._deadline(added.account)  # counted from now on
        return MadeAccount(added.account, secret)

    def who(self, secret: str) -> ByAccount | Refused:
        """Return the account that a secret is of."""
        account = self.directory.account(digest_of_token(secret))
        if account is None:
            return refuse(Refusal.NOT_SIGNED_IN)
        if account.ended is not None or self._is_over(account):
            return refuse(Refusal.ACCOUNT_ENDED, name=account.name)
        return ByAccount(account.name, account.scopes)

    async def end_expired(self) -> int:
        """Record the end of accounts whose time is up, so that no clock brings them back; how many."""
        accounts = self.directory.floor.accounts
        living = {each.token for each in accounts if each.ended is None}
        self._deadlines = {token: at for token, at in self._deadlines.items() if token in living}
        over = [each for each in accounts if each.ended is None and self._is_over(each)]
        for each in over:
            await self._send(cmd.RevokeAccount(name=each.name, reason=EXPIRED), SERVER)
        return len(over)

    def _is_over(self, account: ServiceAccount) -> bool:
        return self._clock.now().monotonic >= self._deadline(account)

    def _deadline(self, account: ServiceAccount) -> int:
        """Return when an account is over, by the clock of this run, which nobody sets.

        The wall clock says how much is left when the account is first seen here, never more than it was
        given, and is not asked again.
        """
        if account.token not in self._deadlines:
            now = self._clock.now()
            seen = max(now.moment, account.since, self._latest)
            left = (account.ends - seen).total_seconds()
            self._deadlines[account.token] = now.monotonic + int(left * SECOND)
        return self._deadlines[account.token]

    async def _send(
        self, body: cmd.FloorBody, actor: str, second: str | None = None
    ) -> Accepted[FloorEvent] | Refused:
        command_id = f"account-{secrets.token_hex(16)}"
        return await self._floor.send(body, actor=actor, command_id=command_id, authoriser=second)
