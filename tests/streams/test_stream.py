"""A stream decides in order, answers when durable, and answers the same command the same way."""

import asyncio

import msgspec
import pytest
from moved_clock import MovedClock
from msgspec.structs import replace
from streams.openings import GAMES, KEYS, Guide, opening, serving

from thirdcard.folds.alerts import AlertKind
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game.events import Event
from thirdcard.game.state import Phase
from thirdcard.journal.codec import encode
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Record
from thirdcard.journal.software import SOFTWARE
from thirdcard.journal.store import Appended, Conflict, KnownCommand, StoreFailed
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.ahead import Accepted, Change
from thirdcard.streams.clock import Clock
from thirdcard.streams.stream import Stream
from thirdcard.streams.tables import TableMachine
from thirdcard.wire.forms import CommandId


@pytest.mark.parametrize("game", GAMES)
async def test_a_round_is_played_through_the_journal(game: str) -> None:
    store = MemoryStore()
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open(game)
        await guide.bet(("Ada", "player", 10_000), ("Ben", "banker", 10_000))
        await guide.deal("9", "2", "K", "3")
        assert guide.table.rounds == 1
        live = encode(guide.table)
    async with serving(store) as again:
        await again.table("T1").load()
        loaded = again.table("T1").state
        assert loaded is not None
        assert live == encode(loaded.table)  # nothing was under way, so nobody has to let it go on
        guide = Guide(again.table("T1"), "again")
        await guide.bet(("Ada", "player", 10_000))
    async with serving(store) as once_more:
        await once_more.table("T1").load()
        held = once_more.table("T1").state
        assert held is not None
        assert held.table.paused  # a wager lay while nobody served the table: a person lets it go on
    records = await store.read("T1")
    assert [record.sequence for record in records] == list(range(1, len(records) + 1))
    assert records[-1].kind == "pause-table"


async def test_every_record_has_rules_software_and_run() -> None:
    store = MemoryStore()
    clock = Clock()
    async with serving(store, clock=clock) as service:
        await Guide(service.table("T1")).open("mbs-tiger-v3")
    for record in await store.read("T1"):
        assert await store.content(record.rulebook) is not None
        assert await store.content(record.house) is not None
        assert record.software == SOFTWARE
        assert record.run == clock.run
        assert record.version == FORM


async def test_the_same_command_twice_has_one_effect_and_the_same_answer() -> None:
    store = MemoryStore()
    async with serving(store) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        await guide.bet()
        wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
        first = await stream.send(wager, actor="Ada", command_id="w1")
        again = await stream.send(wager, actor="Ada", command_id="w1")
        both = await asyncio.gather(*(stream.send(wager, actor="Ada", command_id="w2") for _ in range(5)))
        assert isinstance(first, Accepted)
        assert first == again
        assert len(set(map(str, both))) == 1
        assert [each.stake for each in guide.table.wagers] == [20_000]
    async with serving(store) as service:  # across a restart
        stream = service.table("T1")
        assert await stream.send(wager, actor="Ada", command_id="w1") == first


async def test_another_command_under_a_used_id_is_refused() -> None:
    store = MemoryStore()
    async with serving(store) as service:
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        await guide.bet()
        wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
        other = cmd.PlaceWager(patron="Ada", wager="player", amount=20_000, position=1)
        await stream.send(wager, actor="Ada", command_id="w1")
        for body, actor in ((other, "Ada"), (wager, "Dealer")):
            answer = await stream.send(body, actor=actor, command_id="w1")
            assert isinstance(answer, Refused)
            assert answer.reason is Refusal.COMMAND_ID_USED
        elsewhere = await service.table("T2").send(cmd.OpenTable(), actor="Ada", command_id="w1")
        assert isinstance(elsewhere, Refused)
        assert elsewhere.reason is Refusal.COMMAND_ID_USED


async def test_a_repeated_command_that_would_now_be_refused_gets_its_first_answer() -> None:
    store = MemoryStore()
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        await guide.bet(("Ada", "player", 10_000))
        records = await store.read("T1")
    async with serving(store) as service:  # the answers at hand are gone; the table is paused
        wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
        answer = await service.table("T1").send(wager, actor="Ada", command_id=records[-1].command_id)
        assert isinstance(answer, Accepted)
        assert answer.sequence == records[-1].sequence


async def test_what_is_refused_to_staff_is_recorded_and_to_a_patron_is_not() -> None:
    store = MemoryStore()
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        before = len(await store.read("T1"))
        assert isinstance(await guide.send(cmd.CloseBetting(), "Ada"), Refused)
        assert len(await store.read("T1")) == before
        refused = await guide.send(cmd.CloseBetting(), "Dealer")
        assert isinstance(refused, Refused)
        (record,) = await store.read("T1", after=before)
        assert record.kind == "close-betting"
        assert b'"refused"' in record.body
        again = await service.table("T1").send(
            cmd.CloseBetting(), actor="Dealer", command_id=record.command_id
        )
        assert again == refused


async def test_a_command_to_a_table_that_is_not_there_is_refused() -> None:
    async with serving(MemoryStore()) as service:
        for body, reason in (
            (cmd.OpenBetting(), Refusal.NO_SUCH_TABLE),
            (opening("mbs-tiger-v3")[0][0], None),
        ):
            answer = await service.table("T1").send(body, actor="Dealer", command_id=str(reason))
            assert (answer.reason if isinstance(answer, Refused) else None) is reason


async def test_a_table_of_an_unknown_game_cannot_be_set_up() -> None:
    async with serving(MemoryStore()) as service:
        body = opening("mbs-tiger-v3")[0][0]
        assert isinstance(body, cmd.SetUpTable)
        wrong = cmd.SetUpTable(setup=replace(body.setup, game="faro"))
        answer = await service.table("T1").send(wrong, actor="Dealer", command_id="c1")
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.NO_RULEBOOK_IN_FORCE


async def test_everybody_hears_of_every_record_once_and_in_order() -> None:
    store = MemoryStore()
    heard: list[Change[TableSnapshot, Event]] = []
    async with serving(store) as service:
        stream = service.table("T1")
        stream.listeners.add(heard.append)
        await Guide(stream).open("mbs-tiger-v3")
    assert tuple(change.record for change in heard) == await store.read("T1")


async def test_two_services_on_one_store_take_turns() -> None:
    """Each decides upon its own state, finds its place taken, reloads and decides again."""
    store = MemoryStore()
    async with serving(store) as ours, serving(store) as theirs:
        guide = Guide(ours.table("T1"), "a")
        await guide.open("mbs-tiger-v3")
        await guide.bet()
        await theirs.table("T1").load()
        other = Guide(theirs.table("T1"), "b")
        await asyncio.gather(
            *(each.place("Ada", "player", 10_000) for each in (guide, other) for _ in range(20))
        )
        await ours.table("T1").load()
        await theirs.table("T1").load()
        assert guide.table == other.table
        assert [each.stake for each in guide.table.wagers] == [400_000]


class Brittle:
    """A store that fails to append while it is told to; the rest is that of a store in memory."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.failing = False

    async def append(
        self, records: tuple[Record, ...], signer: KeyRing | None = None
    ) -> Appended | Conflict | KnownCommand:
        """Append, or fail."""
        if self.failing:
            raise StoreFailed("the disk is full")
        return await self.inner.append(records, signer)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


async def test_a_patron_is_refused_by_what_is_recorded_and_not_by_what_was_heard_of_it() -> None:
    store = MemoryStore()
    here, there = (Stream("T1", TableMachine(store, SHIPPED, KEYS), store, KEYS, Clock()) for _ in range(2))
    guide, other = Guide(here), Guide(there, "there")
    await guide.open("mbs-tiger-v3")
    await there.load()
    await guide.bet()  # of which the other one has no news
    wager = cmd.PlaceWager(patron="Ada", wager="player", amount=10_000, position=1)
    assert isinstance(await other.send(wager, "Ada"), Accepted)
    await guide.do(cmd.CloseBetting())
    await guide.do(cmd.ReportIrregularity(situation=Situation.EXTRA_CARD))
    drawn = await other.send(cmd.DrawCard(card=None), "Ada")
    assert isinstance(drawn, Refused)
    assert drawn.reason is Refusal.IRREGULARITY_UNDER_WAY
    for stream in (here, there):
        await stream.drain()


async def test_a_store_that_fails_stops_the_table_until_a_person_lets_it_go_on() -> None:
    store, clock = Brittle(), MovedClock()
    async with serving(store, clock=clock) as service:  # type: ignore[arg-type]
        stream = service.table("T1")
        guide = Guide(stream)
        await guide.open("mbs-tiger-v3")
        await guide.bet(("Ada", "player", 10_000))
        store.failing = True
        wager = cmd.PlaceWager(patron="Ben", wager="banker", amount=10_000, position=2)
        stopped = await stream.send(wager, actor="Ben", command_id="w1")
        store.failing = False
        assert isinstance(stopped, Refused)
        assert stopped.reason is Refusal.TABLE_STOPPED
        assert stream.stopped
        answer = await stream.send(wager, actor="Ben", command_id="w2")  # too soon to try again
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.TABLE_STOPPED
        clock.jump(2)
        answer = await stream.send(wager, actor="Ben", command_id="w3")
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.TABLE_PAUSED
        assert not stream.stopped
        assert guide.table.paused
        assert stream.state is not None
        (trouble,) = stream.state.alerts
        assert trouble.kind is AlertKind.STORE_TROUBLE
        await guide.do(cmd.ResumeTable())
        answer = await stream.send(wager, actor="Ben", command_id="w1")  # the one that failed, sent again
        assert isinstance(answer, Accepted)
        assert [each.stake for each in guide.table.wagers] == [10_000, 10_000]
        assert guide.table.phase is Phase.BETTING
    assert stopped.params == ()  # why may name a file, which is for the log and for staff
    kinds = [record.kind for record in await store.inner.read("T1")]
    assert kinds[-3:] == ["pause-table", "resume-table", "place-wager"]


async def test_no_client_takes_the_id_of_a_hold() -> None:
    """Under such an id a client could send something else, and the table was not held."""
    store = MemoryStore()
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        await guide.stream.hold("disk")
        assert guide.table.paused
    held = [each for each in await store.read("T1") if each.kind == "pause-table"]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(held[-1].command_id, CommandId)


async def test_nobody_waits_forever_for_what_cannot_be_written() -> None:
    """Half a character in a text is a mistake of whoever sends it; the stream goes on."""
    async with serving(MemoryStore()) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        with pytest.raises(UnicodeEncodeError):
            await guide.send(cmd.PauseTable(reason="\ud800"))
        await guide.do(cmd.OpenBetting())


async def test_a_snapshot_spares_reading_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thirdcard.streams.stream.SNAPSHOT_AFTER", 20)
    store = MemoryStore()
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        for _ in range(5):
            await guide.bet(("Ada", "player", 10_000))
            await guide.deal("9", "2", "K", "3")
        await guide.do(cmd.CloseTable(reason="late"))
    snapshot = await store.snapshot("T1")
    assert snapshot is not None
    assert snapshot.head.sequence >= 20
    async with serving(store) as service:
        await service.table("T1").load()
        with_one = encode(service.table("T1").state)
    await store.drop_snapshots()
    async with serving(store) as service:
        await service.table("T1").load()
        assert encode(service.table("T1").state) == with_one


async def test_an_altered_snapshot_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thirdcard.streams.stream.SNAPSHOT_AFTER", 5)
    store = MemoryStore()
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-super-six-etg-v3")
        await guide.do(cmd.CloseTable(reason="late"))
        right = encode(guide.stream.state)
    snapshot = await store.snapshot("T1")
    assert snapshot is not None
    richer = snapshot.state.replace(b"1000000", b"9000000")
    assert richer != snapshot.state
    store._snapshots["T1"] = replace(snapshot, state=richer)
    async with serving(store) as service:
        await service.table("T1").load()
        assert encode(service.table("T1").state) == right


async def test_checkpoints_come_at_the_end_of_round_shoe_and_shift_and_in_time() -> None:
    store, clock = MemoryStore(), MovedClock()
    async with serving(store, clock=clock) as service:
        guide = Guide(service.table("T1"))
        await guide.open("mbs-tiger-v3")
        await guide.bet(("Ada", "player", 10_000))
        await guide.deal("9", "2", "K", "3")
        await guide.bet()
        await clock.move(59)
        before = len(await store.checkpoints("T1"))
        await clock.move(6)  # a minute is over, and somebody looks every five seconds
        assert len(await store.checkpoints("T1")) == before + 1
        await guide.deal("9", "2", "K", "3")
        await guide.do(cmd.LoadShoe(decks=8), "Pit Manager")
        await guide.do(cmd.CloseTable(reason="late"))
        await guide.stream.drain()
    reasons = [each.reason for each in await store.checkpoints("T1")]
    assert reasons == ["shoe-end", "round-end", "time", "round-end", "shoe-end", "shift-end"]
    assert {each.key_id for each in await store.checkpoints("T1")} == {KEYS.key_id}


class SlowReads:
    """A store that answers a reading only when it is let, and counts them; the rest is in memory."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.reads = 0
        self.allowed = asyncio.Event()
        self.allowed.set()
        self.failing = False

    async def read(self, stream: str, *, after: int = 0, most: int = 1000) -> tuple[Record, ...]:
        """Read when it is let, or fail."""
        self.reads += 1
        await self.allowed.wait()
        if self.failing:
            raise StoreFailed("the network is gone")
        return await self.inner.read(stream, after=after, most=most)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


async def slow_stream() -> tuple[SlowReads, Stream[TableSnapshot, cmd.Body, Event], Guide]:
    """An open table over a store whose readings are under way from now on."""
    store = SlowReads()
    stream = Stream("T1", TableMachine(store, SHIPPED, KEYS), store, KEYS, Clock())  # type: ignore[arg-type]
    guide = Guide(stream)
    await guide.open("mbs-tiger-v3")
    store.allowed.clear()
    store.reads = 0
    return store, stream, guide


async def test_a_command_waits_for_two_readings_however_many_ask() -> None:
    store, stream, guide = await slow_stream()
    under_way = asyncio.create_task(stream.load())
    while not store.reads:
        await asyncio.sleep(0)
    others = [asyncio.create_task(stream.load()) for _ in range(100)]
    await asyncio.sleep(0)
    betting = asyncio.create_task(guide.do(cmd.OpenBetting()))
    store.allowed.set()
    await betting
    assert store.reads == 2
    await asyncio.gather(under_way, *others)
    assert store.reads == 2
    await stream.drain()


async def test_a_reading_knows_what_was_recorded_before_it_was_asked_for() -> None:
    store, stream, _ = await slow_stream()
    other = Stream("T1", TableMachine(store.inner, SHIPPED, KEYS), store.inner, KEYS, Clock())
    under_way = asyncio.create_task(stream.load())
    while not store.reads:
        await asyncio.sleep(0)
    await Guide(other, "there").do(cmd.OpenBetting())
    asked = asyncio.create_task(stream.load())
    store.allowed.set()
    await asyncio.gather(under_way, asked)
    assert stream.head == other.head
    for each in (stream, other):
        await each.drain()


async def test_a_reading_that_fails_fails_for_everybody_and_is_tried_again() -> None:
    store, stream, _ = await slow_stream()
    store.failing = True
    asked = [asyncio.create_task(stream.load()) for _ in range(3)]
    gone = asyncio.create_task(stream.load())
    while not store.reads:
        await asyncio.sleep(0)
    gone.cancel()
    store.allowed.set()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(each) for each in answers] == [StoreFailed] * 3
    store.failing = False
    await stream.load()
    assert store.reads == 2
