"""A wall clock that is set while a server runs is recorded, counted and shown to staff."""

import asyncio
from pathlib import Path

from server.in_process import Here, floor_here

from thirdcard.floor.events import ClockSet
from thirdcard.floor.state import ClockStep
from thirdcard.journal.codec import floor_result_of
from thirdcard.journal.store import FLOOR_STREAM, StoreFailed, records
from thirdcard.refusals import Refusal, refuse
from thirdcard.server.clock_watch import LOOK_SECONDS, ClockWatch


def watch_of(here: Here) -> ClockWatch:
    return ClockWatch(here.clock, here.floor.service.floor, here.metrics)


async def recorded(here: Here) -> list[int]:
    """The steps that are recorded, in microseconds."""
    found = [floor_result_of(each).events async for each in records(here.floor.store, FLOOR_STREAM)]
    return [each.step.microseconds for events in found for each in events if isinstance(each, ClockSet)]


async def test_a_clock_that_is_set_is_recorded(tmp_path: Path) -> None:
    """A significant event: each change of the time, with what it was changed by."""
    async with floor_here(tmp_path) as here:
        watch = watch_of(here)
        here.clock.step_wall(-600)
        await watch.look()
        here.clock.jump(LOOK_SECONDS / 2)  # both clocks, and the server's own watch still sleeps
        await watch.look()
        here.clock.step_wall(86_400)
        await watch.look()
        assert await recorded(here) == [-600_000_000, 86_400_000_000]
        steps = here.directory.floor.clock_steps
        assert steps[-1] == ClockStep(here.clock.now().moment, 86_400_000_000, here.clock.run)
        assert b"thirdcard_clock_steps_total 2.0" in here.metrics.text()


async def test_a_clock_that_is_slewed_is_none_that_is_set(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        watch = watch_of(here)
        for _ in range(10):
            here.clock.step_wall(0.4)
            await watch.look()
        assert await recorded(here) == []


async def test_the_server_looks_by_itself(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        here.clock.step_wall(-60)
        await here.clock.move(1.5)
        while not await recorded(here):
            await asyncio.sleep(0)
        assert await recorded(here) == [-60_000_000]


async def test_a_step_that_the_store_cannot_take_is_recorded_later(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        watch, stream = watch_of(here), here.floor.service.floor
        real, troubles = stream.send, [StoreFailed("full"), refuse(Refusal.TABLE_STOPPED)]

        async def send(*args: object, **named: object) -> object:
            trouble = troubles.pop() if troubles else None
            if isinstance(trouble, Exception):
                raise trouble
            return trouble or await real(*args, **named)  # type: ignore[arg-type]

        stream.send = send  # type: ignore[method-assign, assignment]
        here.clock.step_wall(5)
        await watch.look()
        here.clock.step_wall(7)
        await watch.look()
        assert await recorded(here) == []
        await watch.look()
        assert await recorded(here) == [5_000_000, 7_000_000]
