"""Calls that stay open: each ends when whoever made it may not make it any more, or the server stops."""

import contextlib
from collections.abc import Callable, Iterator

from msgspec import Struct

from thirdcard.access.actors import Actor
from thirdcard.access.endpoints import Endpoint, may_call
from thirdcard.ordered import OrderedSet
from thirdcard.refusals import Refused
from thirdcard.rulebook.house import House
from thirdcard.server.security import ShownTokens
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import FloorStream

ACCESS_CHECK_SECONDS = 5.0  # for sessions that rest and accounts whose time is up
STOPPING = "stopping"
Who = Callable[[ShownTokens], Actor | Refused]
End = Callable[[str], None]


class OpenCall(Struct, eq=False):
    """A call that stays open, and how it is ended, with the reason."""

    tokens: ShownTokens
    endpoint: Endpoint
    end: End


class OpenCalls:
    """All calls of a server that stay open."""

    def __init__(self, who: Who, houses: tuple[House, ...], floor: FloorStream, clock: Clock) -> None:
        self._who = who
        self._houses = houses
        self._clock = clock
        self._open: OrderedSet[OpenCall] = OrderedSet()
        floor.listeners.add(lambda _: self._look())

    def __len__(self) -> int:
        return len(self._open)

    def of(self, bearer: str) -> int:
        """Return how many a program has open by its token."""
        return sum(call.tokens.bearer == bearer for call in self._open)

    @contextlib.contextmanager
    def watched(self, tokens: ShownTokens, endpoint: Endpoint, end: End) -> Iterator[None]:
        """End a call while it is open, once it may not be made any more."""
        call = OpenCall(tokens, endpoint, end)
        self._open.add(call)
        try:
            self._look_at(call)  # what the floor changed meanwhile
            yield
        finally:
            self._open.discard(call)

    def end_all(self) -> None:
        """End every call, since the server stops."""
        for call in tuple(self._open):
            call.end(STOPPING)

    async def run(self) -> None:
        """Look from time to time for calls that may not be made any more."""
        while True:
            await self._clock.sleep(ACCESS_CHECK_SECONDS)
            self._look()

    def _look(self) -> None:
        for call in tuple(self._open):
            self._look_at(call)

    def _look_at(self, call: OpenCall) -> None:
        found = self._who(call.tokens)
        refused = found if isinstance(found, Refused) else may_call(self._houses, found, call.endpoint)
        if refused is not None:
            call.end(refused.reason.value)
