"""Work that is done once for everybody who asks for it before it begins."""

import asyncio
from collections.abc import Awaitable, Callable


class SharedWork:
    """Work under a lock: one may be under way and one may wait, however many ask."""

    def __init__(self, lock: asyncio.Lock, work: Callable[[], Awaitable[object]]) -> None:
        self._lock = lock
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
            await self._lock.acquire()
        finally:
            self._waiting = None  # whoever asks from now on may know of more than it will find
        try:
            await self._work()
        finally:
            self._lock.release()


def _forget_error(task: "asyncio.Task[None]") -> None:
    """Take note of an error for which nobody waits any more."""
    if not task.cancelled():
        task.exception()
