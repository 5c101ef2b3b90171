"""Sign-in for staff: who is right is let in, who is not is counted, and whoever guesses learns nothing."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from datetime import datetime

from msgspec import Struct

from thirdcard.access.actors import Staff
from thirdcard.access.attempts import SECOND, Buckets
from thirdcard.access.credentials import CredentialKeeper, weak
from thirdcard.access.directory import Directory, digest_of_token
from thirdcard.floor import commands as cmd
from thirdcard.floor.decide import LONGEST_NAME
from thirdcard.floor.events import FloorEvent
from thirdcard.floor.standing import SERVER, FloorRank, standing_of
from thirdcard.floor.state import Person, Session
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import House
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import FloorStream

TOKEN_BYTES = 32
MOST_WAITING = 64  # guesses that wait for a thread; more are turned away
ATTEMPTS, ANOTHER_AFTER = 10, 20.0  # failures from one address, and seconds until there may be one more
UNDER_A_NAME, NEXT_UNDER_A_NAME = 3, 60.0  # the same under one name from one address
FROM_ANYWHERE, NEXT_FROM_ANYWHERE = 20, 30.0  # the same under a name from addresses new to it
NOT_RIGHT_AFTER_ALL = (Refusal.PERSON_LOCKED, Refusal.WRONG_CODE)  # locked meanwhile, or the code is used up
Saying = Callable[[int | None], cmd.SignIn | cmd.ShowIdentity]
SignInAnswer = Accepted[FloorEvent] | Refused


class SessionLimits(Struct, frozen=True):
    """How long a session lasts, in seconds: without a deed, by post and for the others; and at most."""

    idle_by_post: tuple[tuple[str, int], ...] = (("dealer", 300),)
    idle: int = 1800
    most: int = 12 * 3600

    def idle_for(self, posts: tuple[str, ...]) -> int:
        """The time without a deed for somebody in several posts: the shortest of them."""
        own = dict(self.idle_by_post)
        return min((own.get(post, self.idle) for post in posts), default=self.idle)


class OpenedSession(Struct, frozen=True):
    """A session that was opened: the token that the browser holds from now on, and whose it is.

    ``failures`` is how often somebody failed to sign in under this name since the last time it went well.
    """

    token: str
    staff: Staff
    failures: int = 0


class Listed(Struct, frozen=True):
    """A session as people see it."""

    id: str
    person: str
    console: str
    opened_at: datetime
    idle: bool


class Attempt(Struct, frozen=True):
    """An attempt to sign in: the credentials that somebody gives, the console, and the address."""

    name: str
    password: str
    console: str
    address: str
    code: str = ""

    @property
    def at(self) -> str:
        """The console as it is recorded: no longer than a name."""
        return self.console[:LONGEST_NAME]


class Delays:
    """How long an attempt waits after failures: by address, by name and address, and by name from elsewhere.

    Nobody is locked out for good. Somebody who is known at an address is not delayed there by what others try
    under the same name from other addresses.
    """

    def __init__(self, clock: Clock, by_address: Buckets | None = None) -> None:
        self._by_address = by_address or Buckets(clock, burst=ATTEMPTS, every=ANOTHER_AFTER)
        self._by_both = Buckets(clock, burst=UNDER_A_NAME, every=NEXT_UNDER_A_NAME)
        self._by_name = Buckets(clock, burst=FROM_ANYWHERE, every=NEXT_FROM_ANYWHERE)

    def take(self, attempt: Attempt, *, known: bool) -> int | None:
        """Return the seconds that an attempt has to wait, or nothing where it need not."""
        taken: list[tuple[Buckets, str]] = []
        for buckets, key in self._of(attempt, known=known):
            wait = buckets.take(key)
            if wait is not None:  # it is not tried, so it does not count elsewhere
                for other, its_key in taken:
                    other.give_back(its_key)
                return wait
            taken.append((buckets, key))
        return None

    def went_well(self, attempt: Attempt, *, known: bool) -> None:
        """Forget an attempt that was no failure."""
        for buckets, key in self._of(attempt, known=known):
            buckets.give_back(key)

    def _of(self, attempt: Attempt, *, known: bool) -> list[tuple[Buckets, str]]:
        both = f"{attempt.name}\0{attempt.address}"
        found = [(self._by_address, attempt.address), (self._by_both, both)]
        return found if known else [*found, (self._by_name, attempt.name)]


class SignInDesk:
    """Lets staff in, knows who is who by their tokens, and ends sessions."""

    def __init__(
        self,
        floor: FloorStream,
        credentials: CredentialKeeper,
        houses: tuple[House, ...],
        clock: Clock,
        patience: SessionLimits = SessionLimits(),  # noqa: B008 - frozen
        delays: Delays | None = None,
    ) -> None:
        self.directory = Directory(floor)
        self._floor = floor
        self._credentials = credentials
        self._clock = clock
        self._patience = patience
        self._delays = delays or Delays(clock)
        self._seen: dict[str, int] = {}
        self._opened: dict[str, int] = {}
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}
        self._houses = houses

    # coming in

    async def sign_in(self, attempt: Attempt) -> OpenedSession | Refused:
        """Open a session for somebody who is right."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        session = digest_of_token(token)

        def saying(step: int | None) -> cmd.SignIn:
            return cmd.SignIn(
                name=attempt.name, session=session, console=attempt.at, step=step, address=attempt.address
            )

        found = await self._check(attempt, saying)
        if isinstance(found, Refused):
            return found
        self._seen[session] = self._opened[session] = self._clock.now().monotonic
        return OpenedSession(token, Staff(found.name, found.posts, attempt.at, session), found.failures)

    async def sign_in_again(self, token: str, attempt: Attempt) -> Staff | Refused:
        """Go on with a session after a rest; only the one who opened it can."""
        session = self._living(token)
        if session is None or session.person != attempt.name:
            return refuse(Refusal.NOT_SIGNED_IN)
        found = await self._check(attempt, _showing(attempt))
        if isinstance(found, Refused):
            return found
        if self._living(token) is None:  # ended while the password was checked
            return refuse(Refusal.NOT_SIGNED_IN)
        self._seen[session.id] = self._clock.now().monotonic
        return Staff(found.name, found.posts, session.console, session.id)

    async def approve(self, attempt: Attempt, *, besides: str) -> Staff | Refused:
        """Know a second person at somebody else's console, without a session of their own."""
        if attempt.name == besides:
            return refuse(Refusal.SECOND_PERSON_NEEDED)
        found = await self._check(attempt, _showing(attempt))
        if isinstance(found, Refused):
            return found
        return Staff(found.name, found.posts, attempt.at)

    async def change_password(self, attempt: Attempt, new: str) -> SignInAnswer:
        """Give oneself another password, after showing that one has the old one; ends one's sessions."""
        refused = weak(attempt.name, new)
        if refused:
            return refused
        found = await self._check(attempt, _showing(attempt))
        if isinstance(found, Refused):
            return found
        kept = await self._credentials.keep(found.name, new)
        return await self._send(cmd.ChangePassword(name=found.name, password=kept), found.name)

    async def _check(self, attempt: Attempt, saying: Saying) -> Person | Refused:
        """The person that an attempt shows; a failure is recorded, and says nothing about what was wrong."""
        before = self.directory.person(attempt.name)
        at_known = before is not None and attempt.address in before.addresses
        wait = self._delays.take(attempt, known=at_known)
        if wait is None and self._credentials.waiting >= MOST_WAITING:
            wait = 1
        if wait is not None:
            return refuse(Refusal.TOO_MANY_REQUESTS, seconds=wait)
        async with self._turn(attempt.name):
            person = await self._right(attempt)
            if person is not None:
                shown = await self._send(saying(self._step(person, attempt)), person.name)
                if isinstance(shown, Accepted):
                    self._delays.went_well(attempt, known=at_known)
                    return person
                if shown.reason not in NOT_RIGHT_AFTER_ALL:
                    return shown  # the store is in trouble: nothing is known of it
            known = self.directory.person(attempt.name)
            # what nobody is called may be a password in the wrong field: it is not written down
            failed = cmd.FailSignIn(name=known.name if known else "", console=attempt.at)
            answer = await self._send(failed, SERVER)
        return answer if isinstance(answer, Refused) else refuse(Refusal.SIGN_IN_FAILED)

    async def _right(self, attempt: Attempt) -> Person | None:
        """The person, if password and code are right, nobody locked them, and neither has changed since."""
        before = self.directory.person(attempt.name)
        right = await self._credentials.is_right(before, attempt.password)
        person = self.directory.person(attempt.name)
        if not right or before is None or person is None or person.locked is not None:
            return None
        same = (before.password, before.second_factor) == (person.password, person.second_factor)
        if person.second_factor is not None and self._step(person, attempt) is None:
            return None
        return person if same else None

    def _step(self, person: Person, attempt: Attempt) -> int | None:
        return self._credentials.step_of(person, attempt.code, self._clock.now().moment)

    @contextlib.asynccontextmanager
    async def _turn(self, name: str) -> AsyncIterator[None]:
        """One attempt under a name at a time: guesses at once would all come before the lock."""
        lock, waiting = self._turns.get(name, (asyncio.Lock(), 0))
        self._turns[name] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            _, waiting = self._turns.pop(name)
            if waiting > 1:
                self._turns[name] = lock, waiting - 1

    # being in

    def who(self, token: str, *, active: bool = True) -> Staff | Refused:
        """Return the member of staff who holds a token; with ``active`` this resets the idle timeout."""
        session = self._living(token)
        person = self.directory.person(session.person) if session else None
        if session is None or person is None:
            return refuse(Refusal.NOT_SIGNED_IN)
        if self._is_idle(session, person):
            return refuse(Refusal.SESSION_IDLE)
        if active:
            self._seen[session.id] = self._clock.now().monotonic
        return Staff(person.name, person.posts, session.console, session.id)

    def _living(self, token: str) -> Session | None:
        session = self.directory.session(digest_of_token(token))
        return None if session is None or self._is_over(session) else session

    def _is_over(self, session: Session) -> bool:
        return self._clock.now().monotonic - self._opened_at(session) >= self._patience.most * SECOND

    def _is_idle(self, session: Session, person: Person) -> bool:
        """Whether nothing was done for too long; before this run, nothing is known to have been done."""
        since = self._seen.get(session.id, self._opened_at(session))
        return self._clock.now().monotonic - since >= self._patience.idle_for(person.posts) * SECOND

    def _opened_at(self, session: Session) -> int:
        """Return when a session was opened, by the clock of this run, which nobody sets.

        The wall clock says how old a session is when it is first seen here, and is not asked again: setting
        it forward ends no session, and setting it back lets none last longer. One that is from the future
        was opened by a clock that was ahead, and counts from now on.
        """
        if session.id not in self._opened:
            now = self._clock.now()
            age = max(0, int((now.moment - session.opened_at).total_seconds() * SECOND))
            self._opened[session.id] = now.monotonic - age
        return self._opened[session.id]

    # going out

    async def sign_out(self, token: str) -> SignInAnswer:
        """End one's own session."""
        session = self.directory.session(digest_of_token(token))
        if session is None:
            return refuse(Refusal.NOT_SIGNED_IN)
        return await self._send(cmd.EndSession(session=session.id, reason="signed-out"), session.person)

    def sessions(self, viewer: Staff) -> tuple[Listed, ...]:
        """One's own sessions; managers see everybody's."""
        floor = self.directory.floor
        everybody = standing_of(self._houses, floor, viewer.name) >= FloorRank.MANAGER
        return tuple(
            Listed(each.id, each.person, each.console, each.opened_at, self._is_idle(each, person))
            for each in floor.sessions
            if (everybody or each.person == viewer.name) and (person := self.directory.person(each.person))
        )

    async def end(self, session: str, *, by: Staff, reason: str) -> SignInAnswer:
        """End a session, one's own or as a manager."""
        return await self._send(cmd.EndSession(session=session, reason=reason), by.name)

    async def end_old(self) -> int:
        """End the sessions whose time is over, and forget what was seen of ended ones; how many ended."""
        sessions = self.directory.floor.sessions
        living = {each.id for each in sessions}
        self._seen = {each: seen for each, seen in self._seen.items() if each in living}
        self._opened = {each: opened for each, opened in self._opened.items() if each in living}
        old = [each for each in sessions if self._is_over(each)]
        for each in old:
            await self._send(cmd.EndSession(session=each.id, reason="too-old"), SERVER)
        return len(old)

    async def _send(self, body: cmd.FloorBody, actor: str) -> SignInAnswer:
        return await self._floor.send(body, actor=actor, command_id=f"sign-in-{secrets.token_hex(16)}")


def _showing(attempt: Attempt) -> Saying:
    return lambda step: cmd.ShowIdentity(
        name=attempt.name, console=attempt.at, step=step, address=attempt.address
    )
