"""Any sequence of guesses, locks, rests and replayed codes: only who is right is ever let in."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from access.signing import STAFF, Lobby, lobby, password_of
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from thirdcard.access.sign_in import Attempt, Delays, OpenedSession
from thirdcard.floor import commands as cmd
from thirdcard.refusals import Refusal, Refused

T = TypeVar("T")
NAMES = st.sampled_from([*STAFF, "Nobody"])
IDLE = {name: 300 if post == "dealer" else 1800 for name, post in STAFF.items()}
MOST = 12 * 3600


class NoDelays(Delays):
    """Lets everybody try at once; tests/access/test_sign_in.py tests the delays."""

    def take(self, attempt: Attempt, *, known: bool) -> int | None:
        """Nobody waits."""
        return None


class SignInMachine(RuleBasedStateMachine):
    """The desk beside a small model of it: who is locked, which codes are used, which sessions live."""

    tokens = Bundle("tokens")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.stack = AsyncExitStack()
        self.here: Lobby = self.run(self.stack.enter_async_context(lobby()))
        self.here.desk = self.here.another_desk(NoDelays(self.here.clock))
        self.failures = dict.fromkeys(STAFF, 0)
        self.locked: set[str] = set()
        self.used: dict[str, int] = {}
        self.sessions: dict[str, tuple[str, float]] = {}  # living token: person, when opened
        self.seen: dict[str, float] = {}
        self.ended: set[str] = set()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something to its end."""
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        """Close the floor."""
        self.run(self.stack.aclose())
        self.loop.close()

    @property
    def now(self) -> float:
        """The time by the clock that is moved by hand."""
        return self.here.clock.wall

    # a model of what must follow

    def expect(self, name: str, *, right_password: bool, steps: int | None) -> bool:
        """Whether an attempt must succeed; counts it either way."""
        step = None if steps is None else self.here.step + steps
        needs_code = name in self.here.secrets
        fresh = step is not None and abs(steps or 0) <= 1 and step > self.used.get(name, 0)
        if name in STAFF and name not in self.locked and right_password and (fresh or not needs_code):
            self.failures[name] = 0
            if needs_code and step is not None:
                self.used[name] = step
            return True
        if name in STAFF:
            self.failures[name] += 1
        return False

    def lock(self, name: str) -> None:
        """Somebody is locked, and out."""
        self.locked.add(name)
        self.end(name)

    def end(self, name: str) -> None:
        """All sessions of somebody are over for good."""
        for token in [token for token, (person, _) in self.sessions.items() if person == name]:
            self.over(token)

    def over(self, token: str) -> None:
        """A session is over for good."""
        self.sessions.pop(token)
        self.ended.add(token)

    def code(self, name: str, steps: int | None) -> str:
        """A code as typed."""
        return "" if steps is None else self.here.code(name, steps)

    # what people do

    STEPS = st.sampled_from([None, -2, -1, 0, 1, 2])

    @initialize(target=tokens)
    def begin(self) -> str:
        """A token that nobody was given."""
        return "made up"

    @rule(target=tokens, name=NAMES, right=st.booleans(), steps=STEPS)
    def sign_in(self, name: str, right: bool, steps: int | None) -> str:
        """Somebody tries to sign in."""
        password = password_of(name) if right else "a wrong password"
        attempt = self.here.attempt(name, password, self.code(name, steps))
        good = self.expect(name, right_password=right, steps=steps)
        answer = self.run(self.here.desk.sign_in(attempt))
        if not good:
            assert answer == Refused(Refusal.SIGN_IN_FAILED)
            return "made up"
        assert isinstance(answer, OpenedSession), answer
        self.sessions[answer.token] = (name, self.now)
        self.seen[answer.token] = self.now
        return answer.token

    @rule(name=NAMES, right=st.booleans(), steps=STEPS)
    def approve(self, name: str, right: bool, steps: int | None) -> None:
        """Somebody approves at another's console."""
        password = password_of(name) if right else "a wrong password"
        attempt = self.here.attempt(name, password, self.code(name, steps))
        good = self.expect(name, right_password=right, steps=steps)
        answer = self.run(self.here.desk.approve(attempt, besides="Zoe"))
        assert isinstance(answer, Refused) is not good

    @rule(token=tokens, steps=STEPS, right=st.booleans())
    def sign_in_again(self, token: str, right: bool, steps: int | None) -> None:
        """Somebody goes on after a rest."""
        name = self.sessions.get(token, ("Dana", 0.0))[0]
        password = password_of(name) if right else "a wrong password"
        attempt = self.here.attempt(name, password, self.code(name, steps))
        good = self.lives(token) and self.expect(name, right_password=right, steps=steps)
        answer = self.run(self.here.desk.sign_in_again(token, attempt))
        assert isinstance(answer, Refused) is not good
        if good:
            self.seen[token] = self.now

    @rule(token=tokens)
    def act(self, token: str) -> None:
        """Somebody does something in a session."""
        answer = self.here.desk.who(token)
        assert isinstance(answer, Refused) is not self.is_awake(token)
        if not isinstance(answer, Refused):
            assert answer.name == self.sessions[token][0]
            self.seen[token] = self.now

    @rule(token=consumes(tokens))
    def sign_out(self, token: str) -> None:
        """Somebody signs out."""
        answer = self.run(self.here.desk.sign_out(token))
        assert isinstance(answer, Refused) is (token not in self.sessions)
        if token in self.sessions:
            self.over(token)

    @rule(name=st.sampled_from([*STAFF]))
    def lock_by_hand(self, name: str) -> None:
        """A manager locks somebody."""
        self.run(self.here.do(cmd.LockPerson(name=name, reason="left")))
        self.lock(name)

    @rule(name=st.sampled_from([*STAFF]))
    def unlock(self, name: str) -> None:
        """Somebody is unlocked."""
        self.run(self.here.do(cmd.UnlockPerson(name=name)))
        self.locked.discard(name)
        self.failures[name] = 0

    @rule(seconds=st.sampled_from([1, 29, 30, 31, 200, 299, 300, 1500, 20_000]))
    def wait(self, seconds: int) -> None:
        """Time goes by."""
        self.here.clock.jump(seconds)

    @rule()
    def end_old(self) -> None:
        """The server looks for sessions whose time is over."""
        old = [token for token, (_, opened) in self.sessions.items() if self.now - opened >= MOST]
        assert self.run(self.here.desk.end_old()) == len(old)
        for token in old:
            self.over(token)

    # what always holds

    def lives(self, token: str) -> bool:
        """Whether a session is there and its whole time is not over."""
        return token in self.sessions and self.now - self.sessions[token][1] < MOST

    def is_awake(self, token: str) -> bool:
        """Whether a session can be used."""
        return self.lives(token) and self.now - self.seen[token] < IDLE[self.sessions[token][0]]

    @invariant()
    def who_is_in_is_in_and_what_ended_never_comes_back(self) -> None:
        """Every token ever given out is asked about."""
        for token in self.sessions:
            assert isinstance(self.here.desk.who(token, active=False), Refused) is not self.is_awake(token)
        for token in self.ended:
            assert self.here.desk.who(token, active=False) == Refused(Refusal.NOT_SIGNED_IN)

    @invariant()
    def the_locked_are_locked_and_nobody_else_is(self) -> None:
        """The floor and the model agree."""
        assert {each.name for each in self.here.floor.people if each.locked is not None} == self.locked
        assert {each.name: each.failures for each in self.here.floor.people} == self.failures
        assert len(self.here.sessions()) == len(self.sessions)


TestSignInMachine = SignInMachine.TestCase
TestSignInMachine.settings = settings(max_examples=60, stateful_step_count=40)
