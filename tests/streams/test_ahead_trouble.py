"""Trouble beside commands that are ahead of the disk: what is durable is told, and nobody waits for ever."""

import asyncio

import pytest
from moved_clock import MovedClock
from streams.gated import Gated, Outcome, settle
from streams.openings import KEYS, Guide, serving

from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game.events import Event
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Record
from thirdcard.journal.store import READ_BATCH, Appended, Checkpoint, Conflict, KnownCommand, StoreFailed
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.ahead import Accepted, Change
from thirdcard.streams.service import TableStream
from thirdcard.streams.stream import Stream
from thirdcard.streams.tables import TableMachine

WAGER = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)


async def betting(stream: TableStream) -> Guide:
    """Open a table, and betting at it."""
    guide = Guide(stream)
    await guide.open("mbs-tiger-v3")
    await guide.bet()
    return guide


async def sent(stream: TableStream, command_id: str) -> "asyncio.Task[Accepted[Event] | Refused]":
    """Send a wager, and let it come as far as it comes."""
    answer = asyncio.create_task(stream.send(WAGER, actor="Ada", command_id=command_id))
    await settle()
    return answer


@pytest.mark.parametrize("turns", range(8))
async def test_a_stream_serves_on_when_a_checkpoint_that_waits_is_given_up(turns: int) -> None:
    store = Gated()
    async with serving(store) as service:
        stream = service.table("T1")
        await betting(stream)
        store.open = False
        first = await sent(stream, "w0")
        signing = asyncio.create_task(stream.checkpoint("time"))
        await settle()
        second = await sent(stream, "w1")
        store.gates.pop(0).set_result(Outcome.DURABLE)
        for _ in range(turns):
            await asyncio.sleep(0)
        signing.cancel()
        await settle()
        await store.let_all_through()
        assert isinstance(await first, Accepted)
        assert isinstance(await second, Accepted)


class SlowReading(MemoryStore):
    """A store whose readings take some turns of the loop."""

    async def read(self, stream: str, *, after: int = 0, most: int = READ_BATCH) -> tuple[Record, ...]:
        """Read in a while."""
        await settle()
        return await super().read(stream, after=after, most=most)


async def test_a_command_has_its_turn_while_readings_never_end() -> None:
    async with serving(SlowReading()) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        reading = [asyncio.create_task(stream.load())]
        command = asyncio.create_task(guide.bet())
        for _ in range(1000):  # somebody asks for another reading all the time
            await asyncio.sleep(0)
            reading.append(asyncio.create_task(stream.load()))
        assert command.done()
        await asyncio.gather(command, *reading)


class BadCheckpoints(Gated):
    """A store that keeps no checkpoint while it fails."""

    failing = False

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint, or fail."""
        if self.failing:
            raise StoreFailed("the disk is full")
        await super().keep_checkpoint(checkpoint)


async def test_a_checkpoint_that_fails_stops_a_table_that_is_never_quiet() -> None:
    store, clock = BadCheckpoints(), MovedClock()
    async with serving(store, clock=clock) as service:
        stream = service.table("T1")
        guide = await betting(stream)
        await stream.drain()
        store.open, store.failing = False, True
        answers = [await sent(stream, "w0")]
        checked = stream.checked
        await stream._no_harm(stream._checkpoint, stream.head, stream.tree, "time")
        assert stream.checked == checked
        answers += [
            await sent(stream, f"w{number}") for number in range(1, 5)
        ]  # there is always one that waits
        await store.let_all_through()
        found = [await each for each in answers]
        assert isinstance(found[0], Accepted)
        assert {each.reason for each in found[1:] if isinstance(each, Refused)} == {Refusal.TABLE_STOPPED}
        store.failing = False
        clock.jump(2)
        await sent(stream, "later")
        assert guide.table.paused  # its store is back, and a person lets it go on


async def test_what_is_durable_is_answered_when_the_store_fails_later() -> None:
    class NothingFound(Gated):
        async def find(self, command_id: str) -> Record | None:
            if not self.open:
                raise StoreFailed("the line is cut")
            return await super().find(command_id)

    store = NothingFound()
    async with serving(store) as service:
        stream = service.table("T1")
        await betting(stream)
        told: list[Change[TableSnapshot, Event]] = []
        stream.listeners.add(told.append)
        store.open = False
        first, second = await sent(stream, "w0"), await sent(stream, "w1")
        bad = asyncio.create_task(stream.send(cmd.CloseBetting(), actor="Ada", command_id="bad"))
        await settle()
        assert not bad.done()
        await store.let_through()
        await store.let_through(Outcome.FAILED)
        assert isinstance(await first, Accepted)
        assert [each.record.command_id for each in told] == ["w0"]
        for each in (second, bad):
            answer = await each
            assert isinstance(answer, Refused)
            assert answer.reason is Refusal.TABLE_STOPPED


async def test_somebody_who_has_gone_harms_nobody_whose_command_is_ahead() -> None:
    class Leaving(Gated):
        gone: "asyncio.Task[Accepted[Event] | Refused] | None" = None

        async def find(self, command_id: str) -> Record | None:
            """Find a record; whoever has asked goes meanwhile."""
            if self.gone is not None:
                self.gone.cancel()
                await settle()
            return await super().find(command_id)

    store = Leaving()
    async with serving(store) as service:
        stream = service.table("T1")
        await betting(stream)
        other = Guide(service.table("T2"), "t2-")
        await other.open("mbs-tiger-v3")
        used = (await store.read("T2"))[-1].command_id
        store.open = False
        store.gone, staying = await sent(stream, used), await sent(stream, "w1")
        await store.let_all_through()
        assert isinstance(await staying, Accepted)
        with pytest.raises(asyncio.CancelledError):
            await store.gone
        store.gone = None


class Together(MemoryStore):
    """A store whose answers come together, as those of one transaction do."""

    answer: "asyncio.Future[None] | None" = None

    async def append(
        self, records: tuple[Record, ...], signer: KeyRing | None = None
    ) -> Appended | Conflict | KnownCommand:
        """Append, and answer when all others are answered."""
        appended = await super().append(records, signer)
        if self.answer is not None:
            await self.answer
        return appended


async def test_a_record_that_comes_with_a_checkpoint_still_waits_for_one() -> None:
    store = Together()
    async with serving(store) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        await stream.drain()
        store.answer = asyncio.get_running_loop().create_future()
        shoe = asyncio.create_task(guide.do(cmd.LoadShoe(decks=8), "Pit Manager"))
        await settle()
        wagers = asyncio.create_task(guide.do(cmd.OpenBetting()))
        await settle()
        store.answer.set_result(None)
        await asyncio.gather(shoe, wagers)
        await stream.drain()
        assert stream.checked == stream.head.sequence - 1
        assert stream.unchecked_since is not None


async def test_a_listener_that_fails_keeps_nobody_from_the_answer() -> None:
    async with serving(Gated()) as service:
        stream = service.table("T1")
        told: list[Change[TableSnapshot, Event]] = []

        def fail(change: Change[TableSnapshot, Event]) -> None:
            raise ValueError(change.record.kind)

        stream.listeners.add(fail)
        stream.listeners.add(told.append)
        guide = await betting(stream)
        answers = await asyncio.gather(  # all of them in one append
            *(stream.send(WAGER, actor="Ada", command_id=f"w{number}") for number in range(5))
        )
        assert all(isinstance(each, Accepted) for each in answers)
        assert [each.record.sequence for each in told] == list(range(1, stream.head.sequence + 1))
        assert [each.stake for each in guide.table.wagers] == [50_000]
        fresh = Stream("T1", TableMachine(service._store, SHIPPED, KEYS), service._store, KEYS, MovedClock())
        await fresh.load()
        assert fresh.head == stream.head
