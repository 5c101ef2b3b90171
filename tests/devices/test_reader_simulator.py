"""The simulated card reader: what it reads of a shoe, and how it copes with a table that fails it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from clockwork.test_reader import GAME, NATURAL, TABLE, Floor, floor, settle_down
from limits import LONG_ENOUGH
from msgspec.structs import replace
from streams.openings import face

from thirdcard.cards import Card
from thirdcard.devices import reader_simulator
from thirdcard.devices.reader_lines import (
    Ack,
    Beat,
    CardBurned,
    CardMisread,
    CardRead,
    CuttingCardCame,
    Numbered,
    ReaderLine,
    ReaderReading,
    Refuse,
    ResultShown,
    Welcome,
    WhyNot,
    read_line,
    write_line,
)
from thirdcard.devices.reader_simulator import MOST_HELD, SimulatedFaults, Simulator, TurnedAway, readings_of
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.state import Phase
from thirdcard.rulebook.read import house_of
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.ahead import Change

pytestmark = pytest.mark.timed


def shoe(made: Floor, trouble: SimulatedFaults, cards: tuple[Card, ...]) -> list[ReaderReading]:
    rulebook = SHIPPED.rulebook(GAME)
    house = SHIPPED.house(rulebook.document.house)
    readings = readings_of(rulebook, house, cards, shoe="shoe-1", behind_cutting_card=4, trouble=trouble)
    return list(readings)


def open_betting_by_itself(made: Floor) -> None:
    """A dealer who calls for wagers and closes betting as soon as a round is over."""

    async def call() -> None:
        await made.guide.send(cmd.OpenBetting())
        await made.guide.send(cmd.CloseBetting())

    def changed(change: Change[TableSnapshot, ev.Event]) -> None:
        over = any(isinstance(event, ev.RoundEnded) for event in change.events)
        if over and made.guide.table.phase is Phase.IDLE:
            tasks.add(asyncio.create_task(call()))

    tasks: set[asyncio.Task[None]] = set()
    made.stream.listeners.add(changed)


CARDS = tuple(face(text) for text in (*NATURAL, "4D", "3S", "10C", "JH", "7S", "8C", *NATURAL[::-1]))


class Unhurried(Simulator):
    """A reader at a table whose dealer draws the first card of a round once betting is closed."""

    def __init__(self, made: Floor, readings: list[ReaderReading], trouble: SimulatedFaults) -> None:
        super().__init__(*made.address, table=TABLE, reader="sim", trouble=trouble)
        self._made = made
        self._readings = readings

    async def _rest(self, seconds: float) -> None:
        await super()._rest(seconds)
        before, after = self._readings[: self.sent], self._readings[self.sent :]
        if not isinstance(before[-1], ResultShown) or not any(isinstance(each, CardRead) for each in after):
            return
        drawn = sum(isinstance(each, CardRead | CardMisread) for each in before)
        while not self._awaits_cards(drawn):
            if self._out is None or self._out.is_closing():
                await self._connect()
            await asyncio.sleep(0.01)

    def _awaits_cards(self, drawn: int) -> bool:
        """Whether so many cards are recorded, and the table waits for more."""
        table = self._made.guide.table
        assert table.shoe is not None
        return len(table.shoe.places.faces) == drawn and table.phase in (Phase.CLOSED, Phase.DEALING)


async def play(made: Floor, trouble: SimulatedFaults) -> tuple[list[ReaderReading], Simulator]:
    """Let the simulator send its readings one by one, opening betting before each round."""
    readings = shoe(made, trouble, CARDS)
    simulator = Unhurried(made, readings, trouble)
    open_betting_by_itself(made)
    await made.guide.do(cmd.OpenBetting())
    await made.guide.do(cmd.CloseBetting())
    await simulator.run(iter(readings), every=0.01)
    await settle_down(made)
    return readings, simulator


@pytest.mark.parametrize(
    "trouble",
    [
        SimulatedFaults(),
        SimulatedFaults(twice=frozenset({2, 3, 7})),
        SimulatedFaults(damaged=frozenset({1, 5})),
        SimulatedFaults(reconnect=frozenset({1, 4, 8})),
        SimulatedFaults(twice=frozenset({2}), damaged=frozenset({3}), reconnect=frozenset({3, 6})),
    ],
    ids=["none", "twice", "damaged", "reconnect", "all"],
)
async def test_whatever_the_line_does_the_table_has_every_card_once(trouble: SimulatedFaults) -> None:
    async with floor() as made:
        readings, simulator = await play(made, trouble)
        assert simulator.sent == len(readings)
        recorded = made.guide.table.shoe
        assert recorded is not None
        read = [each.card for each in readings if isinstance(each, CardRead)]
        assert list(recorded.places.faces) == read
        assert made.alarms == []


async def test_a_dropped_message_is_sent_when_the_table_asks_and_gives_alarm() -> None:
    async with floor() as made:
        readings, _ = await play(made, SimulatedFaults(dropped=frozenset({2})))
        recorded = made.guide.table.shoe
        assert recorded is not None
        assert list(recorded.places.faces) == [each.card for each in readings if isinstance(each, CardRead)]
        assert made.alarms == ["out-of-sequence"]


async def test_the_last_message_dropped_is_found_by_a_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_simulator, "ANSWER_WITHIN", 0.05)
    async with floor() as made:
        readings = shoe(made, SimulatedFaults(), CARDS)
        await play(made, SimulatedFaults(dropped=frozenset({len(readings)})))
        assert made.alarms == []


async def test_a_wrong_result_and_a_misread_card_give_alarm() -> None:
    async with floor() as made:
        await play(made, SimulatedFaults(wrong_result=frozenset({3})))
        assert made.alarms == ["result-mismatch"]
    async with floor() as made:
        await play(made, SimulatedFaults(misread=frozenset({14})))
        assert made.alarms[0] == "misread"


async def test_a_simulator_that_is_turned_away_says_why() -> None:
    async with floor() as made:
        nowhere = Simulator(*made.address, table="Elsewhere", reader="sim", trouble=SimulatedFaults())
        with pytest.raises(TurnedAway) as away:
            await nowhere.run(iter(()))
        assert away.value.why is WhyNot.TABLE


# what is read of a shoe


def told(game: str, cards: str, behind: int, **settings: int) -> list[str]:
    """The readings of a shoe, at a house that may have other settings."""
    rulebook = SHIPPED.rulebook(game)
    form = SHIPPED.house(rulebook.document.house).form
    house = house_of(replace(form, settings=replace(form.settings, **settings)))
    shoe_of = tuple(face(text) for text in cards.split())
    readings = readings_of(
        rulebook, house, shoe_of, shoe="s", behind_cutting_card=behind, trouble=SimulatedFaults()
    )
    names = {CardRead: "card", CardBurned: "burn", CuttingCardCame: "cut", ResultShown: "result"}
    return [names[type(each)] for each in readings]


NATURALS = "9H 2C KS 5C "


def test_the_round_with_the_cutting_card_is_not_the_last_but_the_next_one_is() -> None:
    read = told(GAME, NATURALS * 4, 10)
    assert read == ["card"] * 4 + ["result", "card", "card", "cut", "card", "card", "result"] + [
        *["card"] * 4,
        "result",
    ]


def test_a_cutting_card_before_the_first_card_makes_the_round_the_last() -> None:
    assert told(GAME, NATURALS * 4, 12) == ["card"] * 4 + ["result", "cut"] + ["card"] * 4 + ["result"]


def test_a_shoe_that_runs_out_has_no_result_for_its_last_cards() -> None:
    assert told(GAME, NATURALS + "9H 2C", 0) == ["card"] * 4 + ["result", "card", "card"]


def test_a_game_that_burns_begins_with_as_many_burned_cards_as_the_first_says() -> None:
    assert told("hoiana-tiger-2024/commission", "2S AS AS " + NATURALS, 0) == [
        "burn",
        *["card"] * 4,
        "result",
    ]


def test_round_with_the_cutting_card_is_the_last_where_the_house_deals_none_after_it() -> None:
    read = told(GAME, NATURALS * 4, 10, rounds_after_cutting_card=0)
    assert read == ["card"] * 4 + ["result", "card", "card", "cut", "card", "card", "result"]


def test_fixed_number_of_cards_is_burned_where_the_house_fixes_it() -> None:
    read = told("hoiana-tiger-2024/commission", "KS " + NATURALS, 0, burn=1)
    assert read == ["burn", *["card"] * 4, "result"]


# a table that fails


Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def behaving(*behaviours: Behaviour) -> AsyncIterator[tuple[str, int]]:
    """A table that behaves in one way on the first connection, in another on the second, and so on."""
    left = list(behaviours)
    tasks: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}

    async def connected(lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        tasks[out] = asyncio.current_task()
        try:
            await left.pop(0)(lines, out)
        finally:
            out.close()
            with contextlib.suppress(ConnectionError):
                await out.wait_closed()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()
    finally:
        server.close()
        for out in tasks:
            out.close()
        await asyncio.gather(*(task for task in tasks.values() if task))


async def hangs_up(lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
    await lines.readline()


async def talks_nonsense(lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
    await lines.readline()
    out.write(b"good evening\n")
    await lines.readline()


async def welcomes_and_hangs_up(lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
    await lines.readline()
    out.write(write_line(Welcome(1)))
    await out.drain()


class Patient:
    """A table that acknowledges only when so many messages, or a beat, have come."""

    def __init__(self, least: int) -> None:
        self.least = least
        self.heard: list[ReaderLine | None] = []

    async def __call__(self, lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        await lines.readline()
        out.write(write_line(Welcome(1)))
        while data := await lines.readline():
            line = read_line(data)
            self.heard.append(line)
            numbers = [each.number for each in self.heard if isinstance(each, Numbered)]
            if numbers and (len(numbers) >= self.least or isinstance(line, Beat)):
                out.write(write_line(Ack(max(numbers))))
                await out.drain()

    @property
    def numbers(self) -> list[int]:
        return [each.number for each in self.heard if isinstance(each, Numbered)]


def simulator(address: tuple[str, int]) -> Simulator:
    return Simulator(*address, table=TABLE, reader="sim", trouble=SimulatedFaults())


async def test_a_table_that_hangs_up_or_talks_nonsense_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader_simulator, "WAIT_BEFORE_TRYING", 0.01)
    table = Patient(1)
    async with behaving(hangs_up, talks_nonsense, welcomes_and_hangs_up, table) as address:
        reader = simulator(address)
        readings: list[ReaderReading] = [CardRead("s", face(text)) for text in NATURAL]
        await reader.run(iter(readings), every=0.02)
    assert table.numbers[-4:] == [1, 2, 3, 4]
    assert [each.reading for each in table.heard if isinstance(each, Numbered)][-4:] == readings


async def test_no_more_than_sixty_four_messages_are_on_their_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_simulator, "ANSWER_WITHIN", 0.05)
    table = Patient(1_000)
    async with behaving(table) as address:
        readings = [CardRead("s", face("9H"))] * 70
        await simulator(address).run(iter(readings))
    assert table.numbers == list(range(1, 71))
    assert table.heard[MOST_HELD] == Beat(MOST_HELD + 1)


async def test_a_reader_that_rests_shows_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_simulator, "BEAT_EVERY", 0.02)
    monkeypatch.setattr(reader_simulator, "ANSWER_WITHIN", LONG_ENOUGH)  # no beat for want of an answer
    table = Patient(1)
    async with behaving(table) as address:
        await simulator(address).run(iter([CardRead("s", face("9H"))]), every=0.07)
    assert [line for line in table.heard if isinstance(line, Beat)] == [Beat(2)] * 3


async def test_where_nobody_answers_the_reader_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_simulator, "WAIT_BEFORE_TRYING", 0.001)
    async with behaving() as address:
        pass
    with pytest.raises(TurnedAway) as away:
        await simulator(address).run(iter(()))
    assert away.value.why is None


async def test_a_table_that_is_busy_turns_the_reader_away() -> None:
    async def busy(lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        await lines.readline()
        out.write(write_line(Refuse(WhyNot.BUSY)))
        await out.drain()

    async with behaving(busy) as address:
        with pytest.raises(TurnedAway) as away:
            await simulator(address).run(iter(()))
    assert away.value.why is WhyNot.BUSY
