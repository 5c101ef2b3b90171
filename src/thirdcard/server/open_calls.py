"""Calls that stay open: each ends when whoever made it may not make it any more."""

import contextlib
from collections.abc import Callable, Iterator

from msgspec import Struct

from thirdcard.access.actors import Actor
from thirdcard.access.endpoints import Endpoint, may_call
from thirdcard.ordered import OrderedSet
from thirdcard.refusals import Refused
from thirdcard.server.context import ServerContext
from thirdcard.server.security import ShownTokens

ACCESS_CHECK_SECONDS = 5.0  # for sessions that rest and accounts whose time is up


class OpenCall(Struct, eq=False):
    """A call that stays open, and how it is ended."""

    tokens: ShownTokens
    endpoint: Endpoint
    end: Callable[[Refused], None]


class OpenCalls:
    """All calls of a server that stay open."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._open: OrderedSet[OpenCall] = OrderedSet()
        context.floor.service.floor.listeners.add(lambda _: self._look())
        context.chore(self._look_again())

    async def who(self, tokens: ShownTokens, endpoint: Endpoint) -> Actor | Refused:
        """Return who makes a call, or why they may not."""
        actor = await self._context.who_by_now(tokens, active=False)
        if isinstance(actor, Refused):
            return actor
        return may_call(self._context.houses, actor, endpoint) or actor

    @contextlib.contextmanager
    def watched(
        self, tokens: ShownTokens, endpoint: Endpoint, end: Callable[[Refused], None]
    ) -> Iterator[None]:
        """End a call while it is open, once it may not be made any more."""
        call = OpenCall(tokens, endpoint, end)
        self._open.add(call)
        try:
            self._look_at(call)  # what the floor changed meanwhile
            yield
        finally:
            self._open.discard(call)

    def _look(self) -> None:
        for call in tuple(self._open):
            self._look_at(call)

    def _look_at(self, call: OpenCall) -> None:
        actor = self._context.who(call.tokens, active=False)
        refused = (
            actor if isinstance(actor, Refused) else may_call(self._context.houses, actor, call.endpoint)
        )
        if refused is not None:
            call.end(refused)

    async def _look_again(self) -> None:
        while True:
            await self._context.floor.clock.sleep(ACCESS_CHECK_SECONDS)
            self._look()
