"""Waiting for a time, by the clock of a process and by one that tests move."""

import asyncio
import functools

import pytest
from moved_clock import NOON, MovedClock

from thirdcard.streams.clock import Clock

pytestmark = pytest.mark.timed


async def test_the_clock_waits_for_what_comes_and_not_longer() -> None:
    clock, event = Clock(), asyncio.Event()
    await clock.sleep(0.001)
    assert not await clock.wait(event, 0.001)
    asyncio.get_running_loop().call_soon(event.set)
    assert await clock.wait(event, 3600)
    with pytest.raises(TimeoutError):
        async with clock.timeout(0.001):
            await asyncio.Event().wait()
    async with clock.timeout(3600):
        pass


async def test_time_stands_still_until_it_is_moved() -> None:
    clock, event = MovedClock(wall=NOON), asyncio.Event()
    begun = clock.now()
    waiting = asyncio.create_task(clock.wait(event, 30))
    await clock.move(29.999)
    assert not waiting.done()
    await clock.move(0.001)
    assert waiting.done()
    assert clock.now().wall_time == NOON + 30_000_000
    assert clock.now().monotonic == begun.monotonic + 30_000_000_000


async def test_whoever_is_due_is_called_in_order() -> None:
    clock, called = MovedClock(), list[int]()
    for seconds in (3, 1, 4, 2, 5):
        clock.call_later(seconds, functools.partial(called.append, seconds))
    clock.call_later(2.5, lambda: called.append(0)).cancel()
    await clock.move(4)
    assert called == [1, 2, 3, 4]
    await clock.move(1)
    assert called == [1, 2, 3, 4, 5]


async def test_what_is_due_at_once_needs_no_move() -> None:
    await MovedClock().sleep(0)


async def test_timers_do_not_go_by_the_wall_clock() -> None:
    clock = MovedClock(wall=NOON)
    waiting = asyncio.create_task(clock.sleep(10))
    clock.step_wall(3600)
    await clock.move(9)
    assert not waiting.done()
    clock.step_wall(-7200)
    await clock.move(1)
    assert waiting.done()
    assert clock.now().wall_time == NOON + (10 - 3600) * 1_000_000


async def test_time_flows_at_a_rate() -> None:
    clock = MovedClock()
    waiting = asyncio.create_task(clock.sleep(3600))
    await clock.move(0)
    clock.flow(1_000_000.0)
    await waiting
    clock.flow(0)
    stands = clock.now()
    await asyncio.sleep(0)
    assert clock.now() == stands
