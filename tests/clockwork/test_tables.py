"""Two processes keep one table going: what one of them thought of too early is not done later."""

import asyncio
import datetime
from collections.abc import Callable

import pytest
from moved_clock import NOON, MovedClock, MovedTimer
from streams.openings import KEYS, Guide, serving

from thirdcard.clockwork.floor_file import parse_floor_file
from thirdcard.clockwork.tables import OTHERS_FIRST, Clockwork
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Record
from thirdcard.journal.store import Appended, Conflict, KnownCommand, records
from thirdcard.refusals import Refused
from thirdcard.streams.service import Service

BETTING = 10  # seconds
FLOOR = f"""
format = 1

[[table]]
name = "Six"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
timers = {{ betting = {BETTING}, warning = 0, card = 0, between = 0, offer = 600 }}
""".encode()


class HeldBack:
    """A store whose next card is written late: ``reached`` tells that it is about to be, ``go`` lets it."""

    def __init__(self, inner: MemoryStore) -> None:
        self.inner = inner
        self.held = False
        self.reached, self.go = asyncio.Event(), asyncio.Event()

    async def append(
        self, made: tuple[Record, ...], signer: KeyRing | None = None
    ) -> Appended | Conflict | KnownCommand:
        """Append, a card after a while."""
        if self.held and any(record.kind == "draw-card" for record in made):
            self.held = False
            self.reached.set()
            await self.go.wait()
        return await self.inner.append(made, signer)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


async def kept_going(service: Service, clock: MovedClock) -> Clockwork:
    """The clockwork of one process, started."""
    clockwork = Clockwork(service, KEYS, clock)
    await clockwork.start()
    return clockwork


async def until(clock: MovedClock, guide: Guide, phase: Phase, number: int) -> None:
    """Let the table go on by itself until it is in a phase of a round."""
    for _ in range(400):
        await guide.stream.load()
        if guide.stream.state and guide.table.phase is phase and guide.table.rounds == number:
            return
        await clock.move(0)
    raise AssertionError(guide.table.phase)


async def test_a_card_that_was_due_in_an_earlier_round_is_not_drawn_in_the_next_one() -> None:
    """3.2: betting closes when the terminals display it, not by a card that one process was late with."""
    inner, clock = MemoryStore(), MovedClock()
    late = HeldBack(inner)
    async with serving(late, clock=clock) as slow, serving(inner, clock=clock) as quick:  # type: ignore[arg-type]
        file = parse_floor_file("floor.toml", FLOOR, datetime.datetime.now(datetime.UTC))
        defined = await slow.floor.send(file.command, actor=COMMAND_LINE, command_id="define")
        assert not isinstance(defined, Refused)
        first = await kept_going(slow, clock)
        guide = Guide(slow.table("Six"))
        await guide.do(cmd.ComeToTable(patron="Ann"), "Ann")
        await guide.do(cmd.BuyCredits(terminal="Ann", amount=100_000), "Ann")
        await until(clock, guide, Phase.BETTING, 1)
        await guide.place("Ann", "player", 10_000)
        late.held = True
        await clock.move(BETTING)  # closes, and is about to draw
        await late.reached.wait()

        await quick.floor.load()
        second = await kept_going(quick, clock)
        other = Guide(quick.table("Six"), "other")
        await other.do(cmd.ComeToTable(patron="Ben"), "Ben")  # what is due has another id from now on
        for _ in range(2):
            await clock.move(OTHERS_FIRST)
        await until(clock, other, Phase.BETTING, 2)
        before = [record async for record in records(inner, "Six")]

        late.go.set()
        for _ in range(20):
            await clock.move(0)
        after = [record async for record in records(inner, "Six")]
        assert after == before
        assert other.table.phase is Phase.BETTING
        await first.stop()
        await second.stop()


async def test_betting_lasts_where_the_wall_clock_tells_the_same_time_again() -> None:
    clock = MovedClock()
    async with serving(MemoryStore(), clock=clock) as service:
        file = parse_floor_file("floor.toml", FLOOR, datetime.datetime.now(datetime.UTC))
        await service.floor.send(file.command, actor=COMMAND_LINE, command_id="define")
        clockwork = await kept_going(service, clock)
        guide = Guide(service.table("Six"))
        await guide.do(cmd.ComeToTable(patron="Ann"), "Ann")
        await guide.do(cmd.BuyCredits(terminal="Ann", amount=100_000), "Ann")
        await until(clock, guide, Phase.BETTING, 1)
        await guide.place("Ann", "player", 10_000)
        clock.step_wall(-BETTING)
        await clock.move(BETTING)
        await until(clock, guide, Phase.BETTING, 2)
        for _ in range(20):
            await clock.move(0)
        assert (guide.table.phase, guide.table.rounds) == (Phase.BETTING, 2)
        await guide.place("Ann", "player", 10_000)
        await clock.move(BETTING)
        await until(clock, guide, Phase.BETTING, 3)
        await clockwork.stop()


async def by_turns(wager_after: float, *, second_wall: float = 0.0) -> tuple[Guide, MovedClock, Clockwork]:
    """Betting that one process opened before it was killed, and the clockwork of another that takes over."""
    store, first_clock, second_clock = MemoryStore(), MovedClock(), MovedClock(wall=NOON)
    second_clock.step_wall(first_clock.wall - second_clock.wall + second_wall)
    first, second = Service(store, KEYS, first_clock), Service(store, KEYS, second_clock)
    await first.start()
    file = parse_floor_file("floor.toml", FLOOR, datetime.datetime.now(datetime.UTC))
    await first.floor.send(file.command, actor=COMMAND_LINE, command_id="define")
    clockwork = await kept_going(first, first_clock)
    guide = Guide(first.table("Six"))
    await guide.do(cmd.ComeToTable(patron="Ann"), "Ann")
    await guide.do(cmd.BuyCredits(terminal="Ann", amount=100_000), "Ann")
    await until(first_clock, guide, Phase.BETTING, 1)
    await first_clock.move(wager_after)
    await guide.place("Ann", "player", 10_000)
    second_clock.jump(wager_after)
    await second.floor.load()
    await clockwork.stop()
    for each in (first, second):
        for task in each._tasks:
            task.cancel()
    return Guide(second.table("Six"), "second"), second_clock, await kept_going(second, second_clock)


async def test_betting_goes_on_for_what_is_left_of_it_at_another_server() -> None:
    guide, clock, clockwork = await by_turns(wager_after=BETTING - 4)
    await clock.move(4 - 0.1)
    assert guide.table.phase is Phase.BETTING
    await clock.move(0.1 + OTHERS_FIRST)
    await until(clock, guide, Phase.BETTING, 2)
    await clockwork.stop()


@pytest.mark.parametrize("wall", [-3 * BETTING, BETTING])
async def test_a_wrong_wall_clock_changes_nothing_about_what_is_left(wall: float) -> None:
    guide, clock, clockwork = await by_turns(wager_after=1, second_wall=wall)
    await clock.move(BETTING - 1 - 0.1)
    assert guide.table.phase is Phase.BETTING
    await clock.move(0.1 + OTHERS_FIRST)
    await until(clock, guide, Phase.BETTING, 2)
    await clockwork.stop()


async def test_betting_that_nobody_closed_for_twice_its_time_is_held() -> None:
    guide, clock, clockwork = await by_turns(wager_after=1, second_wall=2 * BETTING)
    assert guide.table.phase is Phase.BETTING
    assert guide.table.paused
    await clock.move(BETTING + OTHERS_FIRST)
    assert guide.table.phase is Phase.BETTING
    await clockwork.stop()


async def test_a_table_by_itself_waits_while_it_is_disabled(caplog: pytest.LogCaptureFixture) -> None:
    clock = MovedClock()
    async with serving(MemoryStore(), clock=clock) as service:
        file = parse_floor_file("floor.toml", FLOOR, datetime.datetime.now(datetime.UTC))
        await service.floor.send(file.command, actor=COMMAND_LINE, command_id="define")
        disable = floor_cmd.Disable(table="Six", reason="damp")
        await service.floor.send(disable, actor=COMMAND_LINE, command_id="disable")
        clockwork = await kept_going(service, clock)
        guide = Guide(service.table("Six"))
        await guide.do(cmd.ComeToTable(patron="Ann"), "Ann")
        await until(clock, guide, Phase.IDLE, 0)
        for _ in range(40):
            await clock.move(1)
        assert guide.table.phase is Phase.IDLE
        assert clockwork.busy == ()
        enable = floor_cmd.Enable(table="Six")
        await service.floor.send(enable, actor=COMMAND_LINE, command_id="enable")
        await until(clock, guide, Phase.BETTING, 1)
        await clockwork.stop()
    assert not caplog.records


class EarlyClock(MovedClock):
    """A clock whose timers end a little before their time, as those of event loops do."""

    def call_later(self, seconds: float, callback: Callable[[], object]) -> MovedTimer:
        """Call something up to a millisecond too early."""
        return super().call_later(max(0.0, seconds - 0.0007), callback)


async def test_betting_closes_at_its_time_where_a_timer_ends_before_it() -> None:
    clock = EarlyClock()
    async with serving(MemoryStore(), clock=clock) as service:
        file = parse_floor_file("floor.toml", FLOOR, datetime.datetime.now(datetime.UTC))
        await service.floor.send(file.command, actor=COMMAND_LINE, command_id="define")
        clockwork = await kept_going(service, clock)
        guide = Guide(service.table("Six"))
        await guide.do(cmd.ComeToTable(patron="Ann"), "Ann")
        await guide.do(cmd.BuyCredits(terminal="Ann", amount=100_000), "Ann")
        await until(clock, guide, Phase.BETTING, 1)
        await guide.place("Ann", "player", 10_000)
        await clock.move(BETTING - 0.0005)
        assert guide.table.phase is Phase.BETTING
        await clock.move(0.0005)
        await until(clock, guide, Phase.BETTING, 2)
        await clockwork.stop()
