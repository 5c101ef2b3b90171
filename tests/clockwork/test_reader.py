"""A card reader over a real connection: every reading is recorded once, and what does not fit gives alarm."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from moved_clock import MovedClock
from msgspec import Struct
from streams.openings import DEALER, Guide, face, serving

from thirdcard.clockwork.reader import SILENT_AFTER, ReaderPort, ReaderServer
from thirdcard.devices.reader_lines import (
    Ack,
    Again,
    Beat,
    CardMisread,
    CardRead,
    Fault,
    Numbered,
    ReaderHello,
    ReaderLine,
    ReaderReading,
    Refuse,
    ResultShown,
    Welcome,
    WhyNot,
    read_line,
    write_line,
)
from thirdcard.floor.state import ReaderRole
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.state import Hand, Phase
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.store import StoreFailed
from thirdcard.rulebook.facts import Winner
from thirdcard.streams.service import Service, TableStream

pytestmark = pytest.mark.timed

GAME, TABLE = "mbs-tiger-v3", "Table"
NATURAL = ("9H", "2C", "KS", "5C")


class Floor(Struct):
    """A table with a reader port that listens."""

    guide: Guide
    port: ReaderPort
    address: tuple[str, int]

    @property
    def stream(self) -> TableStream:
        """The table's stream."""
        return self.guide.stream

    @property
    def alarms(self) -> list[str]:
        """The alarms that were given, by kind."""
        return [alarm.kind.value for alarm in self.guide.alarms]


@asynccontextmanager
async def floor(
    store: MemoryStore | None = None, *, role: ReaderRole = ReaderRole.DEALS, clock: MovedClock | None = None
) -> AsyncIterator[Floor]:
    async with serving(store or MemoryStore()) as service:
        guide = Guide(service.table(TABLE))
        guide.note_alarms()
        await guide.stream.load()
        if guide.stream.state is None:
            await guide.open(GAME)
        async with listening(service, guide, role, clock or MovedClock()) as made:
            yield made


@asynccontextmanager
async def listening(
    service: Service, guide: Guide, role: ReaderRole, clock: MovedClock
) -> AsyncIterator[Floor]:
    port = ReaderPort(service.table(TABLE), clock, role=role)
    server = ReaderServer(lambda name: port if name == TABLE else None, clock)
    try:
        yield Floor(guide, port, await server.start("127.0.0.1", 0))
    finally:
        await server.close()
        await port.close()


class Wire:
    """A reader by hand: lines go out and come in as they are."""

    def __init__(self, lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        self.lines = lines
        self.out = out

    async def say(self, *lines: ReaderLine | bytes) -> None:
        for line in lines:
            self.out.write(line if isinstance(line, bytes) else write_line(line))
        await self.out.drain()

    async def heard(self) -> ReaderLine | None:
        data = await self.lines.readline()
        return read_line(data) if data else None

    async def send(self, number: int, reading: ReaderReading) -> ReaderLine | None:
        await self.say(Numbered(number, reading))
        return await self.heard()

    async def gone(self) -> bool:
        """Whether the table hung up."""
        try:
            return await self.lines.read() == b""
        except ConnectionError:
            return True


@asynccontextmanager
async def wire(made: Floor, hello: ReaderHello | None = None) -> AsyncIterator[Wire]:
    lines, out = await asyncio.open_connection(*made.address)
    held = Wire(lines, out)
    try:
        await held.say(hello or ReaderHello(TABLE, "r1", "run", 1))
        yield held
    finally:
        out.close()
        with contextlib.suppress(ConnectionError):
            await out.wait_closed()


def card(text: str) -> CardRead:
    return CardRead("shoe-1", face(text))


async def settle_down(made: Floor) -> None:
    """Let what was begun come to its end."""
    for _ in range(20):
        await asyncio.sleep(0)
    await made.stream.drain()


async def test_readings_are_recorded_as_cards_of_the_round_and_acknowledged_when_durable() -> None:
    async with floor() as made, wire(made) as reader:
        assert await reader.heard() == Welcome(1)
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        for number, text in enumerate(NATURAL, start=1):
            assert await reader.send(number, card(text)) == Ack(number)
        current = made.guide.table.round
        assert current is not None
        assert [each.card.text for each in current.cards if each.card] == list(NATURAL)
        assert current.ended
        assert await reader.send(5, ResultShown("shoe-1", Winner.PLAYER)) == Ack(5)
        assert made.alarms == []


async def test_the_readers_own_result_is_compared_with_the_cards() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        for number, text in enumerate(NATURAL, start=1):
            await reader.send(number, card(text))
        assert await reader.send(5, ResultShown("shoe-1", Winner.TIE)) == Ack(5)
        assert made.alarms == ["result-mismatch"]


@pytest.mark.parametrize(("shown", "alarms"), [(Winner.PLAYER, []), (Winner.TIE, ["result-mismatch"])])
async def test_a_result_shown_at_once_is_compared_when_the_dealer_has_opened_the_cards(
    shown: Winner, alarms: list[str]
) -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        readings: tuple[ReaderReading, ...] = (card("9H"), CardMisread("shoe-1"), card("KS"), card("5C"))
        for number, reading in enumerate(readings, start=1):
            await reader.send(number, reading)
        assert await reader.send(5, ResultShown("shoe-1", shown)) == Ack(5)
        await settle_down(made)
        assert made.alarms == ["misread"]
        await made.guide.do(cmd.ExposeCards(hand=Hand.BANKER, cards=(face("2C"), face("5C"))))
        await settle_down(made)
        assert made.alarms == ["misread", *alarms]


async def test_a_misread_card_lies_face_down_until_the_dealer_names_it() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        await reader.send(1, card("9H"))
        assert await reader.send(2, CardMisread("shoe-1")) == Ack(2)
        assert made.alarms == ["misread"]
        await reader.send(3, card("KS"))
        await reader.send(4, card("5C"))
        before = made.guide.table
        await made.guide.do(cmd.ExposeCards(hand=Hand.BANKER, cards=(face("2C"), face("5C"))))
        assert (before.phase, made.guide.table.phase) == (Phase.DEALING, Phase.IDLE)


async def test_a_hand_that_the_dealer_names_otherwise_gives_alarm() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        await reader.send(1, card("9H"))
        await reader.send(2, CardMisread("shoe-1"))
        await reader.send(3, card("KS"))
        await reader.send(4, card("5C"))
        await made.guide.send(cmd.ExposeCards(hand=Hand.BANKER, cards=(face("2C"), face("6C"))))
        await settle_down(made)
        assert made.alarms == ["misread", "card-mismatch"]
        alarm = made.guide.alarms[-1]
        assert (alarm.card, alarm.other) == (face("5C"), face("6C"))


async def test_a_card_that_nobody_may_draw_gives_alarm_and_is_not_lost() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        assert made.guide.table.phase is Phase.IDLE
        assert await reader.send(1, card("9H")) == Ack(1)
        (alarm,) = made.guide.alarms
        assert (alarm.kind, alarm.card) == (AlarmKind.UNEXPECTED_CARD, face("9H"))
        assert await reader.send(2, Fault("shoe-1")) == Ack(2)
        assert made.alarms == ["unexpected-card", "reader-fault"]


async def test_one_cause_gives_one_alarm_until_somebody_has_seen_its_alert() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        for number, text in enumerate(("9H", "2C", "KS", "5C"), start=1):
            await reader.send(number, card(text))
        await reader.send(5, ResultShown("shoe-1", Winner.PLAYER))
        await reader.send(6, Fault("shoe-1"))
        await reader.send(7, Fault("shoe-1"))
        assert made.alarms == ["unexpected-card", "reader-fault"]
        assert made.stream.state is not None
        for alert in made.stream.state.alerts:
            seen = cmd.AcknowledgeAlert(sequence=alert.recorded.sequence)
            await made.guide.do(seen, "Pit Supervisor")
        await reader.send(8, card("7H"))
        assert made.alarms == ["unexpected-card", "reader-fault", "unexpected-card"]
        await made.guide.do(cmd.OpenBetting())
        await reader.send(9, Fault("shoe-1"))
        assert made.alarms[3:] == ["reader-fault"]  # in the next round: the alert of this one was seen


async def test_every_card_that_could_not_be_read_gives_alarm() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        await reader.send(1, CardMisread("shoe-1"))
        await reader.send(2, CardMisread("shoe-1"))
        assert made.alarms == ["misread", "misread"]


async def test_a_hand_named_otherwise_twice_alike_gives_one_alarm() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        await reader.send(1, card("9H"))
        await reader.send(2, CardMisread("shoe-1"))
        await reader.send(3, card("KS"))
        await reader.send(4, card("5C"))
        for cards in (("2C", "6C"), ("2C", "6C"), ("2C", "7C")):
            first, second = map(face, cards)
            await made.guide.send(cmd.ExposeCards(hand=Hand.BANKER, cards=(first, second)))
            await settle_down(made)
        assert [(each.card, each.other) for each in made.guide.alarms[1:]] == [
            (face("5C"), face("6C")),
            (face("5C"), face("7C")),
        ]


async def test_a_ninth_copy_of_a_card_gives_alarm() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        rounds = ["9H 2C 9H 3C", "9H 5C 9H KS", "9H 6D 9H AC", "9H 7C 9H JD", "9H"]
        number = 0
        for cards in rounds:
            assert made.alarms == []
            await made.guide.do(cmd.OpenBetting())
            await made.guide.do(cmd.CloseBetting())
            for text in cards.split():
                number += 1
                assert await reader.send(number, card(text)) == Ack(number)
        (alarm,) = made.guide.alarms
        assert (alarm.kind, alarm.card, alarm.number) == (AlarmKind.TOO_MANY_COPIES, face("9H"), 9)


async def test_a_message_sent_twice_is_taken_once_and_a_missing_one_is_asked_for() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        assert await reader.send(1, card("9H")) == Ack(1)
        assert await reader.send(1, card("9H")) == Ack(1)
        assert await reader.send(3, card("KS")) == Again(2)
        assert made.alarms == ["out-of-sequence"]
        assert made.guide.alarms[0].number == 2
        assert await reader.send(2, card("2C")) == Ack(2)
        assert await reader.send(3, card("KS")) == Ack(3)
        await reader.say(b"4 card shoe-1 5C *00000000\n")
        assert await reader.heard() == Again(4)
        await reader.say(Beat(4))
        assert await reader.heard() == Ack(3)
        current = made.guide.table.round
        assert current is not None
        assert len(current.cards) == 3


async def test_a_reader_that_comes_back_goes_on_and_takes_over_its_old_connection() -> None:
    async with floor() as made, wire(made) as old:
        await old.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        await old.send(1, card("9H"))
        async with wire(made, ReaderHello(TABLE, "r1", "run", 1)) as new:
            assert await new.heard() == Welcome(2)
            assert await old.gone()
            assert await new.send(2, card("2C")) == Ack(2)
        assert made.alarms == []


async def test_what_a_reader_lost_gives_alarm_when_it_comes_back() -> None:
    async with floor() as made:
        async with wire(made) as reader:
            await reader.heard()
        async with wire(made, ReaderHello(TABLE, "r1", "other", 1)) as again:
            assert await again.heard() == Welcome(1)
        assert made.alarms == ["out-of-sequence"]


async def test_a_second_reader_is_turned_away_while_the_first_is_there() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        async with wire(made, ReaderHello(TABLE, "r2", "run", 1)) as other:
            assert await other.heard() == Refuse(WhyNot.BUSY)
            assert await other.gone()
        assert made.port.connected


async def test_another_version_or_table_is_turned_away_and_nonsense_is_let_go() -> None:
    async with floor() as made:
        async with wire(made, ReaderHello(TABLE, "r1", "run", 1, version=2)) as reader:
            assert await reader.heard() == Refuse(WhyNot.VERSION)
        async with wire(made, ReaderHello("Elsewhere", "r1", "run", 1)) as reader:
            assert await reader.heard() == Refuse(WhyNot.TABLE)
        for nonsense in (b"GET / HTTP/1.1\r\n", b"x" * 5_000 + b"\n", write_line(Beat(1)), b"hello"):
            lines, out = await asyncio.open_connection(*made.address)
            held = Wire(lines, out)
            await held.say(nonsense)
            out.write_eof()
            assert await held.gone()
            out.close()
        assert not made.port.connected


async def test_a_line_that_breaks_off_is_no_reading() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        await reader.say(write_line(Numbered(1, card("9H"))).removesuffix(b"\n"))
        reader.out.write_eof()
        assert await reader.gone()
        assert made.guide.table.phase is Phase.CLOSED


async def test_a_reader_that_is_silent_or_gone_too_long_gives_alarm() -> None:
    clock = MovedClock()
    async with floor(clock=clock) as made:
        async with wire(made) as reader:
            await reader.heard()
            await clock.move(SILENT_AFTER)
            assert await reader.gone()
        assert made.alarms == []
        await clock.move(SILENT_AFTER)
        await settle_down(made)
        assert made.alarms == ["reader-silent"]
        async with wire(made, ReaderHello(TABLE, "r1", "run", 1)) as again:
            await again.heard()
            again.out.close()
        async with wire(made, ReaderHello(TABLE, "r1", "run", 1)) as again:
            await again.heard()
        assert made.alarms == ["reader-silent"]


async def test_a_reader_that_checks_is_compared_with_the_dealers_entries() -> None:
    async with floor(role=ReaderRole.CHECKS) as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        await made.guide.do(cmd.DrawCard(card=face("9H")), DEALER)
        assert await reader.send(1, card("9H")) == Ack(1)
        assert await reader.send(2, card("2C")) == Ack(2)
        await made.guide.do(cmd.DrawCard(card=face("2D")), DEALER)
        await settle_down(made)
        (alarm,) = made.guide.alarms
        assert (alarm.kind, alarm.card, alarm.other) == (AlarmKind.CARD_MISMATCH, face("2C"), face("2D"))


class Failing(MemoryStore):
    """A store that can be made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = False

    async def append(self, records, signer=None):  # type: ignore[no-untyped-def]
        """Append, or fail."""
        if self.fails:
            raise StoreFailed("the disk is full")
        return await super().append(records, signer)


@pytest.mark.parametrize("reading", [card("9H"), Fault("shoe-1")])
async def test_what_cannot_be_recorded_is_not_acknowledged(reading: ReaderReading) -> None:
    store = Failing()
    async with floor(store) as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        store.fails = True
        await reader.say(Numbered(1, reading))
        assert await reader.gone()
        store.fails = False
        assert made.guide.table.phase is Phase.CLOSED
        assert made.alarms == []


async def test_a_comparison_that_could_not_be_recorded_begins_anew() -> None:
    store = Failing()
    async with floor(store, role=ReaderRole.CHECKS) as made:
        async with wire(made) as reader:
            await reader.heard()
            await made.guide.do(cmd.OpenBetting())
            await made.guide.do(cmd.CloseBetting())
            await made.guide.do(cmd.DrawCard(card=face("9H")), DEALER)
            store.fails = True
            await reader.say(Numbered(1, card("9S")))
            assert await reader.gone()
        store.fails = False
        made.stream._retry_at = 0
        await made.guide.do(cmd.ResumeTable())
        async with wire(made, ReaderHello(TABLE, "r1", "run", 1)) as again:
            assert await again.heard() == Welcome(1)
            assert await again.send(1, card("9S")) == Ack(1)
            assert await again.send(2, card("2C")) == Ack(2)
            assert made.alarms == []


async def test_a_table_that_does_not_exist_takes_no_readings() -> None:
    async with serving(MemoryStore()) as service:
        guide = Guide(service.table(TABLE))
        guide.note_alarms()
        async with listening(service, guide, ReaderRole.DEALS, MovedClock()) as made, wire(made) as reader:
            assert await reader.heard() == Welcome(1)
            await reader.say(Numbered(1, card("9H")))
            assert await reader.gone()


async def test_a_card_is_not_doubled_when_the_process_ends_before_it_is_acknowledged() -> None:
    store = MemoryStore()
    async with floor(store) as made, wire(made) as reader:
        await reader.heard()
        await made.guide.do(cmd.OpenBetting())
        await made.guide.do(cmd.CloseBetting())
        await reader.send(1, card("9H"))
        await reader.send(2, card("2C"))
    async with serving(store) as service:
        guide = Guide(service.table(TABLE), "d")
        guide.note_alarms()
        await guide.stream.load()
        async with listening(service, guide, ReaderRole.DEALS, MovedClock()) as made, wire(made) as reader:
            assert await reader.heard() == Welcome(1)
            await reader.say(Numbered(1, card("9H")), Numbered(2, card("2C")))
            assert await reader.heard() == Ack(1)
            assert await reader.heard() == Ack(2)
            assert guide.table.round is not None
            assert [each.card for each in guide.table.round.cards] == [face("9H"), face("2C")]
            assert made.alarms == []


async def test_a_port_that_closes_lets_its_reader_go() -> None:
    async with floor() as made, wire(made) as reader:
        await reader.heard()
        await made.port.close()
        assert await reader.gone()
