"""Tables for the tests of the shell: how each game's table is opened, and rounds to play at it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from thirdcard.cards import Card, parse_card
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.state import Phase, Table
from thirdcard.game.table_setup import Automatic, Device
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.store import Store
from thirdcard.refusals import Refused
from thirdcard.roundfile.head import RoundFileHead, Seat
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.ahead import Accepted, Change
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service, TableStream

KEYS = KeyRing((new_keys(),))
GAMES = tuple(book.id for book in SHIPPED.rulebooks)
PATRONS = ("Ada", "Ben")
DEALER = "Dealer"


class Noting(Player):
    """Plays a set-up and notes the commands it takes."""

    def __init__(self, rulebook: Rulebook) -> None:
        super().__init__(rulebook, SHIPPED.house(rulebook.document.house))
        self.sent: list[tuple[cmd.Body, str]] = []

    def do(self, body: cmd.Body, actor: str, authoriser: str | None = None) -> tuple[ev.Event, ...] | Refused:
        """Note a command and carry it out."""
        self.sent.append((body, actor))
        return super().do(body, actor, authoriser)


def opening(game: str) -> list[tuple[cmd.Body, str]]:
    """The commands after which a table of a game stands open, with two patrons and a shoe."""
    rulebook = SHIPPED.rulebook(game)
    terminal = rulebook.document.table == "terminal"
    seats = tuple(Seat(name, None if terminal else at) for at, name in enumerate(PATRONS, start=1))
    head = RoundFileHead(
        game=game, device=Device.CARD_READING, automatic=(Automatic.EXPOSE, Automatic.CALL), patrons=seats
    )
    player = Noting(rulebook)
    set_up(player, head)
    if terminal:
        for patron in PATRONS:
            player.do(cmd.BuyCredits(terminal=patron, amount=1_000_000), patron)
    return player.sent


def second_of(body: cmd.Body) -> str | None:
    """The person who stands for a command of the opening beside the sender."""
    return DEALER if isinstance(body, cmd.RecordConfirmation) else None


class Guide:
    """Sends commands to one table under ids of their own."""

    def __init__(self, stream: TableStream, prefix: str = "c") -> None:
        self.stream = stream
        self.prefix = prefix
        self.number = 0
        self.alarms: list[Alarm] = []

    def note_alarms(self) -> None:
        """Note from now on of what alarm is given."""
        self.stream.listeners.add(self._note)

    def _note(self, change: Change[TableSnapshot, ev.Event]) -> None:
        for event in change.events:
            if isinstance(event, ev.AlarmRaised):
                self.alarms.append(event.alarm)
            if isinstance(event, ev.DeviceMismatch):
                self.alarms.append(Alarm(AlarmKind.RESULT_MISMATCH))

    async def do(
        self, body: cmd.Body, actor: str = DEALER, authoriser: str | None = None
    ) -> tuple[ev.Event, ...]:
        """Send a command that must be accepted."""
        answer = await self.send(body, actor, authoriser)
        assert isinstance(answer, Accepted), answer
        return answer.events

    async def send(
        self, body: cmd.Body, actor: str = DEALER, authoriser: str | None = None
    ) -> Accepted[ev.Event] | Refused:
        """Send a command under the next id."""
        self.number += 1
        command_id = f"{self.stream.name}-{self.prefix}{self.number}"
        return await self.stream.send(body, actor=actor, command_id=command_id, authoriser=authoriser)

    async def open(self, game: str) -> None:
        """Set the table up and open it."""
        for body, actor in opening(game):
            await self.do(body, actor, second_of(body))

    async def bet(self, *wagers: tuple[str, str, int]) -> None:
        """Call for wagers and place them: patron, wager, amount."""
        if self.table.phase is Phase.IDLE:
            await self.do(cmd.OpenBetting())
        for patron, wager, amount in wagers:
            await self.place(patron, wager, amount)

    async def place(self, patron: str, wager: str, amount: int) -> tuple[ev.Event, ...]:
        """Place one wager."""
        position = next(each.position for each in self.table.patrons if each.name == patron)
        return await self.do(
            cmd.PlaceWager(patron=patron, wager=wager, amount=amount, position=position), patron
        )

    async def deal(self, *cards: str) -> None:
        """Close betting and draw cards."""
        if self.table.phase is Phase.BETTING:
            await self.do(cmd.CloseBetting())
        for card in cards:
            await self.do(cmd.DrawCard(card=face(card)))

    @property
    def table(self) -> Table:
        """The table as it is by now."""
        assert self.stream.state is not None
        return self.stream.state.table


def face(text: str) -> Card:
    """A card by its name."""
    found = parse_card(text)
    assert found is not None
    return found


@asynccontextmanager
async def serving(store: Store, keys: KeyRing = KEYS, clock: Clock | None = None) -> AsyncIterator[Service]:
    """A service over a store, stopped at the end."""
    service = Service(store, keys, clock or Clock())
    await service.start()
    try:
        yield service
    finally:
        await service.stop()
