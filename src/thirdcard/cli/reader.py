"""``thirdcard reader``: a card reader without a shoe, and a table to try a reader on."""

import asyncio
import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number

from thirdcard.cards import NEW_DECK, Card
from thirdcard.cli.arguments import Flag, OwnShelf, Several
from thirdcard.cli.output import BadInput, console
from thirdcard.clockwork.reader import ReaderPort, ReaderServer
from thirdcard.computing.games import find_game
from thirdcard.devices.reader_lines import ReaderReading, ResultShown
from thirdcard.devices.reader_simulator import SimulatedFaults, Simulator, TurnedAway, readings_of
from thirdcard.devices.shuffle import shuffled
from thirdcard.floor.state import ReaderRole
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.state import Phase
from thirdcard.game.table_setup import Device
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.memory import MemoryStore
from thirdcard.messages import say
from thirdcard.ordered import OrderedSet
from thirdcard.refusals import Refused
from thirdcard.roundfile.actions import bodies_of
from thirdcard.roundfile.head import RoundFileHead
from thirdcard.roundfile.set_up import TABLE_NAME, Player, set_up
from thirdcard.roundfile.tell import tell
from thirdcard.roundfile.values import BadWord, cards_of
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.rulebook.words import text
from thirdcard.streams.ahead import Accepted, Change
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service, TableStream

app = App(name="reader", help="Try card readers.", help_format="plaintext")
GAME = "mbs-tiger-v3"
READER_POLL_SECONDS = 0.05  # seconds
Numbers = Annotated[tuple[int, ...], Several]


@app.command
def simulate(
    *,
    connect: str,
    game: str = GAME,
    table: str = TABLE_NAME,
    name: str = "simulator",
    cards: str | None = None,
    seed: int | None = None,
    unshuffled: Flag = False,
    rounds: int | None = None,
    every: Annotated[float, Parameter(validator=Number(gte=0))] = 0.0,
    misread: Numbers = (),
    wrong_result: Numbers = (),
    duplicate: Numbers = (),
    drop: Numbers = (),
    damage: Numbers = (),
    reconnect: Numbers = (),
    shelf: OwnShelf = SHIPPED,
) -> None:
    """Send what a card reader would read of a shoe, over the network; some of it can go wrong.

    docs/card-reader.md explains the lines. Messages, cards and rounds count from 1.

    Parameters
    ----------
    connect
        The table's address, HOST:PORT.
    game
        The game by whose rules the cards are dealt.
    table
        The name of the table.
    name
        The name of the reader.
    cards
        The cards of the shoe in the order in which they come; without them eight decks are shuffled.
    seed
        A number that stands for a shoe: the same cards every time.
    unshuffled
        Leave the decks in the order of new ones.
    rounds
        Stop after so many rounds.
    every
        Seconds between two messages.
    misread
        A card that cannot be read; may be repeated.
    wrong_result
        A round whose result is shown wrongly.
    duplicate
        A message that is sent twice.
    drop
        A message that is not sent until the table asks for it.
    damage
        A message that is damaged on the way.
    reconnect
        A message after which the connection breaks.
    """
    trouble = SimulatedFaults(
        misread=frozenset(misread),
        wrong_result=frozenset(wrong_result),
        twice=frozenset(duplicate),
        dropped=frozenset(drop),
        damaged=frozenset(damage),
        reconnect=frozenset(reconnect),
    )
    shoe = _cards(cards, seed, unshuffled=unshuffled)
    readings = _rounds(_readings(find_game(game, shelf), shelf, shoe, trouble), rounds)
    _send(connect, table, name, trouble, readings, every)


@app.command
def listen(
    *,
    listen: str = "127.0.0.1:7711",
    game: str = GAME,
    check: Flag = False,
    rounds: int | None = None,
    shelf: OwnShelf = SHIPPED,
) -> None:
    """A table to try a card reader on: it takes the reader's cards and prints what comes of them.

    Betting opens by itself. What else is to happen is typed as in round files: `Dealer: opens player 9H KC`.

    Parameters
    ----------
    listen
        Where to wait for the reader, HOST:PORT; port 0 is any that is free.
    game
        The game, as `thirdcard rules list` prints it.
    check
        The cards are typed, and the reader's are compared with them.
    rounds
        Stop when so many rounds are over and the reader is gone.
    """
    rulebook = find_game(game, shelf)
    bench = Bench(rulebook, shelf, rounds)
    try:
        asyncio.run(bench.run(*_address(listen), ReaderRole.CHECKS if check else ReaderRole.DEALS))
    except OSError as error:
        raise BadInput(text("reader.no-address", address=listen, reason=error.strerror or "")) from error
    except KeyboardInterrupt:
        return


class Bench:
    """A table in memory that opens betting by itself whenever a card wants to be dealt."""

    def __init__(self, rulebook: Rulebook, shelf: Shelf, rounds: int | None) -> None:
        self._rulebook = rulebook
        self._house = shelf.house_of(rulebook)
        self._shelf = shelf
        self._rounds = rounds
        self._stream: TableStream
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        self._over = asyncio.Event()
        self._count = 0

    @property
    def name(self) -> str:
        """The name of the table's stream."""
        return self._stream.name

    @property
    def state(self) -> TableSnapshot | None:
        """The table, and what is folded beside it, as it is by now."""
        return self._stream.state

    @property
    def listeners(self) -> OrderedSet[Callable[[Change[TableSnapshot, ev.Event]], None]]:
        """Return the listeners that are told of every record."""
        return self._stream.listeners

    async def load(self) -> None:
        """Nothing to do: the table is in memory."""

    async def send(self, body: cmd.Body, *, actor: str, command_id: str) -> Accepted[ev.Event] | Refused:
        """Have a command recorded, after both calls where a card comes between rounds."""
        if isinstance(body, cmd.DrawCard) and self.state is not None and self.state.table.phase is Phase.IDLE:
            await self._stream.send(cmd.OpenBetting(), actor=TABLE_NAME, command_id=f"{command_id}-opening")
            await self._stream.send(cmd.CloseBetting(), actor=TABLE_NAME, command_id=f"{command_id}-closing")
        return await self._stream.send(body, actor=actor, command_id=command_id)

    async def run(self, host: str, port: int, role: ReaderRole) -> None:
        """Set the table up, and take readers and typed lines until enough rounds are over."""
        clock = Clock()
        service = Service(MemoryStore(), KeyRing((new_keys(),)), clock, shelf=self._shelf)
        await service.start()
        self._stream = service.table(TABLE_NAME)
        for number, (body, actor, authoriser) in enumerate(_opening(self._rulebook, self._house)):
            command_id = f"opening-{number}"
            await self._stream.send(body, actor=actor, command_id=command_id, authoriser=authoriser)
        self._stream.listeners.add(self._tell)
        reader = ReaderPort(self, clock, role=role)
        server = ReaderServer(lambda table: reader if table == TABLE_NAME else None, clock)
        at = await server.start(host, port)
        console().print(text("reader.listening", address=f"{at[0]}:{at[1]}", table=TABLE_NAME))
        _read_lines(asyncio.get_running_loop(), self._typed)
        typing = asyncio.create_task(self._take_typed())
        await self._over.wait()
        while reader.connected:
            await asyncio.sleep(READER_POLL_SECONDS)
        typing.cancel()
        await server.close()
        await reader.close()
        await service.stop()

    def _tell(self, change: Change[TableSnapshot, ev.Event]) -> None:
        for event in change.events:
            for line in tell(event, self._house.currency):
                console().print(line.removeprefix("= "))
            self._count += isinstance(event, ev.RoundEnded)
        if self._rounds is not None and self._count >= self._rounds:
            self._over.set()

    async def _take_typed(self) -> None:
        for number in range(sys.maxsize):
            who, _, what = (await self._typed.get()).strip().partition(": ")
            try:
                bodies = bodies_of(what, who, self._house.currency) if what else None
            except BadWord as error:
                console().print(str(error))
                continue
            if bodies is None:
                console().print(text("reader.not-understood"))
            for at, body in enumerate(bodies or ()):
                answer = await self.send(body, actor=who, command_id=f"typed-{number}-{at}")
                if isinstance(answer, Refused):
                    console().print(say(answer.message))


def _readings(
    rulebook: Rulebook, shelf: Shelf, cards: tuple[Card, ...], trouble: SimulatedFaults
) -> Iterator[ReaderReading]:
    house = shelf.house_of(rulebook)
    behind = house.form.settings.cards_behind_cutting_card
    return readings_of(rulebook, house, cards, shoe="1", behind_cutting_card=behind, trouble=trouble)


def _send(
    connect: str,
    table: str,
    name: str,
    trouble: SimulatedFaults,
    readings: Iterator[ReaderReading],
    every: float,
) -> None:
    host, port = _address(connect)
    simulator = Simulator(host, port, table=table, reader=name, trouble=trouble)
    try:
        asyncio.run(simulator.run(readings, every=every))
    except TurnedAway as error:
        key = f"reader.{error.why.value}" if error.why else "reader.no-answer"
        raise BadInput(text(key, table=table, address=connect)) from error
    console().print(text("reader.sent", messages=simulator.sent))


def _rounds(readings: Iterator[ReaderReading], most: int | None) -> Iterator[ReaderReading]:
    """Readings up to the result of a round."""
    rounds = 0
    for reading in readings if most is None or most > 0 else ():
        yield reading
        rounds += isinstance(reading, ResultShown)
        if rounds == most:
            return


def _opening(rulebook: Rulebook, house: House) -> list[tuple[cmd.Body, str, str | None]]:
    """The commands after which a table stands open; the burn is left to the reader."""
    done: list[tuple[cmd.Body, str, str | None]] = []

    class Noting(Player):
        """Plays the set-up and notes its commands."""

        def do(
            self, body: cmd.Body, actor: str, authoriser: str | None = None
        ) -> tuple[ev.Event, ...] | Refused:
            """Note a command and carry it out."""
            done.append((body, actor, authoriser))
            return super().do(body, actor, authoriser)

    head = RoundFileHead(game=rulebook.id, device=Device.CARD_READING, burn=True, training=True)
    set_up(Noting(rulebook, house), head)
    return done


def _read_lines(loop: asyncio.AbstractEventLoop, typed: "asyncio.Queue[str]") -> None:
    """Read standard input beside everything else, in a thread that does not keep the program alive."""

    def read() -> None:
        for line in sys.stdin:
            if line.strip():
                loop.call_soon_threadsafe(typed.put_nowait, line)

    threading.Thread(target=read, daemon=True).start()


def _cards(cards: str | None, seed: int | None, *, unshuffled: bool) -> tuple[Card, ...]:
    if cards is not None:
        try:
            found = cards_of(cards)
        except BadWord as error:
            raise BadInput(str(error)) from error
        if any(card.suit is None for card in found):
            raise BadInput(text("reader.suits-needed"))
        return found
    shoe = list(NEW_DECK * 8)
    if seed is not None:
        random.Random(seed).shuffle(shoe)
    elif not unshuffled:
        return shuffled(shoe)
    return tuple(shoe)


def _address(typed: str) -> tuple[str, int]:
    host, _, port = typed.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise BadInput(text("reader.bad-address", address=typed))
    return host, int(port)
