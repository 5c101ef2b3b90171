"""Work that is done once for everybody who asks for it before it begins."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager


class SharedWork:
    """Work that has its turn: it may be under way once and wait once, however many ask."""

    def __init__(
        self, turn: Callable[[], AbstractAsyncContextManager[None]], work: Callable[[], Awaitable[object]]
    ) -> None:
        self._turn = turn
        self._work = work
        self._waiting: asyncio.Task[None] | None = None

    async def join(self) -> None:
        """Have it done, from its beginning to its end."""
        if self._waiting is None:
            self._waiting = asyncio.create_task(self._run())
            self._waiting.add_done_callback(_forget_error)
        await asyncio.shield(self._waiting)

    async def _run(self) -> None:
        try:
            async with self._turn():
                self._waiting = None  # whoever asks from now on may know of more than it will find
                await self._work()
        finally:
            if self._waiting is asyncio.current_task():
                self._waiting = None


def _forget_error(task: "asyncio.Task[None]") -> None:
    """Take note of an error for which nobody waits any more."""
    if not task.cancelled():
        task.exception()
