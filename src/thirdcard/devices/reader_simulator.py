"""A card reader without a shoe: it reads cards that it is given, over a real connection, and can fail."""

import asyncio
import contextlib
import secrets
from collections.abc import Iterator

from msgspec import Struct

from thirdcard.cards import Card
from thirdcard.devices.reader_lines import (
    LONGEST,
    Beat,
    CardBurned,
    CardMisread,
    CardRead,
    CuttingCardCame,
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
from thirdcard.devices.reader_protocol import Outbox
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import House

BEAT_EVERY = 5.0  # seconds
ANSWER_WITHIN = 1.0  # seconds, or it is asked for
MOST_HELD = 64
TRIES = 12
WAIT_BEFORE_TRYING = 0.25  # seconds
OTHER = {Winner.PLAYER: Winner.BANKER, Winner.BANKER: Winner.TIE, Winner.TIE: Winner.PLAYER}


class SimulatedFaults(Struct, frozen=True, kw_only=True):
    """The faults to simulate: messages by their number, cards and rounds by theirs, all counted from 1."""

    misread: frozenset[int] = frozenset()
    wrong_result: frozenset[int] = frozenset()
    twice: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    damaged: frozenset[int] = frozenset()
    reconnect: frozenset[int] = frozenset()


class TurnedAway(Exception):
    """The table does not take the reader, or nobody answers."""

    def __init__(self, why: WhyNot | None = None) -> None:
        super().__init__(why)
        self.why = why


def readings_of(
    rulebook: Rulebook,
    house: House,
    cards: tuple[Card, ...],
    *,
    shoe: str,
    behind_cutting_card: int,
    trouble: SimulatedFaults,
) -> Iterator[ReaderReading]:
    """Yield the readings of a shoe dealt by the rules, to the last round that the house deals."""
    left, rounds, read, last = list(cards), 0, 0, False
    after, pairs = house.form.settings.rounds_after_cutting_card, rulebook.pair_rule(house)
    if rulebook.document.burn:
        first = left[0]
        yield CardBurned(shoe, first)
        del left[: house.cards_to_burn(first)]
    cutting_card = True
    while left and not last:
        rounds, last = rounds + 1, not cutting_card
        dealt: list[Card] = []
        outcome: Outcome | None = None
        while outcome is None and left:
            if cutting_card and len(left) <= behind_cutting_card:
                cutting_card, last = False, not dealt or after == 0
                yield CuttingCardCame(shoe)
            read += 1
            dealt.append(left.pop(0))
            yield CardMisread(shoe) if read in trouble.misread else CardRead(shoe, dealt[-1])
            played = play_out(rulebook, tuple(dealt), pairs)
            outcome = played if isinstance(played, Outcome) else None
        if outcome is not None:
            winner = outcome.facts.winner
            yield ResultShown(shoe, OTHER[winner] if rounds in trouble.wrong_result else winner)


class Simulator:
    """The reader's side: what it has read is sent until the table says that it is recorded."""

    def __init__(self, host: str, port: int, *, table: str, reader: str, trouble: SimulatedFaults) -> None:
        self._address = (host, port)
        self._table = table
        self._reader = reader
        self._trouble = trouble
        self._run = secrets.token_hex(4)
        self._outbox = Outbox()
        self._out: asyncio.StreamWriter | None = None
        self._listening: asyncio.Task[None] | None = None
        self._answered = asyncio.Event()

    @property
    def sent(self) -> int:
        """How many messages there were."""
        return self._outbox.next - 1

    async def run(self, readings: Iterator[ReaderReading], *, every: float = 0.0) -> None:
        """Send readings, so many seconds apart, and stay until all of them are recorded."""
        try:
            await self._send_all(readings, every)
        finally:
            await self._hang_up()

    async def _send_all(self, readings: Iterator[ReaderReading], every: float) -> None:
        await self._connect()
        for reading in readings:
            self._outbox, message = self._outbox.put(reading)
            await self._send(message)
            if message.number in self._trouble.reconnect:
                await self._hang_up()
            while len(self._outbox.held) >= MOST_HELD:
                await self._wait()
            await self._rest(every)
        while self._outbox.held:
            await self._wait()

    async def _send(self, message: Numbered) -> None:
        data = write_line(message)
        if message.number in self._trouble.damaged:
            data = data.replace(b" ", b"_", 1)
        copies = 2 if message.number in self._trouble.twice else 1
        await self._write(data * (0 if message.number in self._trouble.dropped else copies))

    async def _rest(self, seconds: float) -> None:
        """Do nothing for a while but show that one is there."""
        while seconds > BEAT_EVERY:
            await asyncio.sleep(BEAT_EVERY)
            await self._write(write_line(Beat(self._outbox.next)))
            seconds -= BEAT_EVERY
        await asyncio.sleep(seconds)

    async def _wait(self) -> None:
        """Wait for an answer; where none comes for a while, show that one is there."""
        self._answered.clear()
        try:
            await asyncio.wait_for(self._answered.wait(), ANSWER_WITHIN)
        except TimeoutError:
            await self._write(write_line(Beat(self._outbox.next)))

    async def _write(self, data: bytes) -> None:
        with contextlib.suppress(ConnectionError):
            if self._out is not None and not self._out.is_closing():
                self._out.write(data)
                await self._out.drain()
                return
        await self._connect()

    async def _connect(self) -> None:
        """Connect, say hello, and send everything that the table has not recorded."""
        for _ in range(TRIES):
            await self._hang_up()
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                lines, out = await asyncio.open_connection(*self._address, limit=LONGEST)
                self._out = out
                hello = ReaderHello(self._table, self._reader, self._run, self._outbox.first)
                out.write(write_line(hello))
                welcome = read_line(await lines.readuntil())
                if isinstance(welcome, Refuse):
                    raise TurnedAway(welcome.why)
                if isinstance(welcome, Welcome):
                    self._listening = asyncio.create_task(self._listen(lines, out))
                    await self._answer(welcome, out)
                    return
            await asyncio.sleep(WAIT_BEFORE_TRYING)
        raise TurnedAway

    async def _listen(self, lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, ValueError):
            while data := await lines.readline():
                await self._answer(read_line(data), out)
        out.close()

    async def _answer(self, line: ReaderLine | None, out: asyncio.StreamWriter) -> None:
        self._outbox, again = self._outbox.answered(line)
        for message in again:
            out.write(write_line(message))
        await out.drain()
        self._answered.set()

    async def _hang_up(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
            self._listening = None
        if self._out is not None:
            self._out.close()
            with contextlib.suppress(ConnectionError):
                await self._out.wait_closed()
            self._out = None
