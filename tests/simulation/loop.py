"""An event loop whose time is simulated, and processes inside it that can be killed between any two steps."""

import asyncio
import contextlib
import contextvars
import functools
import heapq
import os
import random
import selectors
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from typing import Any, TypeVar

from thirdcard.ordered import OrderedSet

T = TypeVar("T")
_process: contextvars.ContextVar["Process | None"] = contextvars.ContextVar("process", default=None)


LONGEST_RUN = 3_000.0  # simulated seconds
LONGEST_INSTANT = 100_000  # turns of the loop without any time passing
MOST_CANCELLED = 1_000  # timers that are kept although nobody waits for them any more


class Stuck(Exception):
    """Everybody waits for somebody else, or it does not come to an end."""


class Process:
    """A program inside the simulation: its tasks run until it is killed, and then never again.

    ``kill_after`` kills it before a step of its own, by number. Once a run has been judged, ``released`` lets
    its tasks end, so that nothing is left behind.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.released = False
        self.steps = 0
        self.dead = asyncio.Event()
        self.tasks: OrderedSet[asyncio.Task[Any]] = OrderedSet()
        self._kill_at: int | None = None
        loop = asyncio.get_running_loop()
        if isinstance(loop, SimulatedLoop):
            loop.processes.append(self)
        self._missed: list[Callable[[], object]] = []
        self._wake_at_death: OrderedSet[Callable[[], None]] = OrderedSet()

    def kill_after(self, steps: int) -> None:
        """Kill it when it has made so many steps more."""
        self._kill_at = self.steps + steps

    @property
    def doomed(self) -> bool:
        """Whether it is to be killed, or was."""
        return self._kill_at is not None or not self.alive

    def kill(self) -> None:
        """End it at once: none of its tasks takes another step."""
        self.alive = False
        self.dead.set()
        for wake in tuple(self._wake_at_death):
            wake()

    def at_death(self, wake: Callable[[], None]) -> None:
        """Have somebody woken when it dies."""
        self._wake_at_death.add(wake)

    async def wait_for(self, future: "asyncio.Future[Any]") -> None:
        """Wait until a future is done, or the process is dead."""
        if future.done() or not self.alive:
            return
        wake = waking(future)
        self._wake_at_death.add(wake)
        try:
            await wake.waiter
        finally:
            self._wake_at_death.discard(wake)
            future.remove_done_callback(wake)

    def step(self, callback: Callable[..., object], *args: object) -> None:
        """Take a step, unless it is dead."""
        if self.alive and self._kill_at is not None and self.steps >= self._kill_at:
            self.kill()
        if self.alive or self.released:
            self.steps += 1
            callback(*args)
        else:
            self._missed.append(functools.partial(contextvars.copy_context().run, callback, *args))

    def start(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start a task of this process."""
        context = contextvars.copy_context()
        context.run(_process.set, self)
        return asyncio.get_running_loop().create_task(work, context=context)

    def release(self, loop: "SimulatedLoop") -> None:
        """Let its tasks end; what they do is no part of the run any more."""
        self.released = True
        for step in self._missed:
            loop.call_soon(step)
        self._missed.clear()


class _Waking:
    """Ends a wait, however often it is called."""

    def __init__(self) -> None:
        self.waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def __call__(self, _: object = None) -> None:
        if not self.waiter.done():
            self.waiter.set_result(None)


def waking(future: "asyncio.Future[Any]") -> _Waking:
    """Return what ends a wait as soon as a future is done."""
    wake = _Waking()
    future.add_done_callback(wake)
    return wake


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop in which time passes only while everybody waits; what others do in threads takes no time.

    It takes the place of asyncio's own turn, which asks a selector every time and adapts to debugging,
    and it leaves out what only sockets and threads need.
    """

    _ready: deque[asyncio.Handle]
    _scheduled: list[asyncio.TimerHandle]
    _timer_cancelled_count: int
    _stopping: bool

    def __init__(self, longest: float = LONGEST_RUN) -> None:
        self._at = 0.0
        self._turns = 0
        self._longest = longest
        self.processes: list[Process] = []
        self.judged = False
        super().__init__(selectors.SelectSelector())
        self.set_task_factory(self._make_task)

    def time(self) -> float:
        """Seconds since the simulation began."""
        return self._at

    def _run_once(self) -> None:
        """Take one turn: everything that is ready, or else what comes next once time has passed."""
        ready, scheduled = self._ready, self._scheduled
        if self._timer_cancelled_count > MOST_CANCELLED:
            scheduled[:] = [each for each in scheduled if not each.cancelled()]
            heapq.heapify(scheduled)
            self._timer_cancelled_count = 0
        self._turns += 1
        if not ready and not self._stopping:
            self._drop_cancelled()
            if not scheduled:
                raise Stuck("nobody has anything to do, now or later")
            self._pass_by(scheduled[0].when())
        while scheduled and scheduled[0].when() <= self._at:
            ready.append(heapq.heappop(scheduled))
        if not self.judged and self._turns > LONGEST_INSTANT:
            raise Stuck(f"it goes on at {self._at:.0f} seconds")
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle.cancelled():
                handle._run()

    def _drop_cancelled(self) -> None:
        while self._scheduled and self._scheduled[0].cancelled():
            heapq.heappop(self._scheduled)

    def _pass_by(self, until: float) -> None:
        """Let time pass; a run that does not end is ended."""
        if until > self._at:
            self._at, self._turns = until, 0
        if not self.judged and self._at > self._longest:
            raise Stuck(f"it goes on after {self._at:.0f} seconds")

    def call_soon(  # type: ignore[override]
        self, callback: Any, *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Call something soon, as a step of the process that asks for it."""
        process = _process.get() if context is None else context.get(_process)
        if process is not None:
            callback, args = process.step, (callback, *args)
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Call something later, as a step of the process that asks for it."""
        process = _process.get() if context is None else context.get(_process)
        if process is not None:
            callback, args = process.step, (callback, *args)
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._scheduled, handle)
        handle._scheduled = True  # type: ignore[attr-defined]
        return handle

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> Any:
        """Do in one step of the loop what would be done in a thread."""
        answer: asyncio.Future[T] = self.create_future()

        def work() -> None:
            if answer.cancelled():
                return
            try:
                answer.set_result(func(*args))
            except Exception as error:
                answer.set_exception(error)

        self.call_soon(work)
        return answer

    def _make_task(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Any,
        *,
        context: contextvars.Context | None = None,
        **named: Any,
    ) -> "asyncio.Task[Any]":
        task = asyncio.Task(work, loop=loop, context=context, **named)
        process = _process.get() if context is None else context.get(_process)
        if process is not None:
            process.tasks.add(task)
            task.add_done_callback(process.tasks.discard)
        return task


@contextlib.contextmanager
def chance_from(seed: int) -> Iterator[None]:
    """Have everything that is drawn at random drawn from a seed, also what is secret elsewhere."""
    source = random.Random(seed)
    real = os.urandom, random._urandom  # type: ignore[attr-defined]
    os.urandom = random._urandom = source.randbytes  # type: ignore[attr-defined]
    try:
        yield
    finally:
        os.urandom, random._urandom = real  # type: ignore[attr-defined]


def simulate(work: Coroutine[Any, Any, T], seed: int, longest: float = LONGEST_RUN) -> T:
    """Run something in simulated time, with chance from a seed."""
    loop = SimulatedLoop(longest)
    with chance_from(seed):
        try:
            return loop.run_until_complete(work)
        finally:
            _end(loop)


def _end(loop: SimulatedLoop) -> None:
    """Let everything end that was killed or is left; nothing of it is part of the run any more."""
    loop.judged = True
    loop.set_exception_handler(lambda *_: None)
    for process in loop.processes:
        process.release(loop)
    while left := asyncio.all_tasks(loop):
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.01))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
