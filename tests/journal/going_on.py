"""Tables of a journal that go on where it ended: the next round is dealt and recorded."""

import random
from collections import Counter

from auditor.random_rounds import play_round
from auditor.random_table import STAFF, RandomTable
from journal.journals import EVENING, NOON, told_evening
from msgspec.structs import replace

from thirdcard.devices.virtual_shoe import draw
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all
from thirdcard.game.decide import decide
from thirdcard.game.state import Phase, Table
from thirdcard.journal.keys import KeyRing
from thirdcard.refusals import Refused
from thirdcard.roundfile.set_up import TABLE_NAME
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.service import TableStream
from thirdcard.streams.tables import Books


async def go_on(stream: TableStream, books: Books, keys: KeyRing) -> int:
    """Play one more round at a table, whatever it was at; returns how many rounds began."""
    table = table_of(stream)
    if table.paused:
        manager = next(each.person for each in table.staff if each.post == "pit-manager")
        await _must(stream, cmd.ResumeTable(), manager)
    if table.phase is Phase.SHUT:
        return await _open_again(stream)
    if table.shoe is not None and table.shoe.seal is not None:
        return await _deal_sealed(stream, keys)
    return await _deal_by_chance(stream, books)


def table_of(stream: TableStream) -> Table:
    """The table of a stream as it is by now."""
    assert stream.state is not None
    return stream.state.table


async def _send(
    stream: TableStream, body: cmd.Body, actor: str, second: str | None = None
) -> Accepted[ev.Event] | Refused:
    number = f"{stream.name} goes on after {stream.head.sequence}"
    return await stream.send(body, actor=actor, command_id=number, authoriser=second)


async def _open_again(stream: TableStream) -> int:
    """Set a table up that was closed, by the rules on the shelf, and deal its first round."""
    name, rounds = table_of(stream).setup.table, 0
    for command, came in told_evening("again", EVENING.read_text("utf-8")).deeds:
        body, actor = command.body, command.envelope.actor
        if isinstance(body, cmd.SetUpTable):
            body = replace(body, setup=replace(body.setup, table=name))
        answer = await _send(
            stream, body, name if actor == TABLE_NAME else actor, command.envelope.authoriser
        )
        assert isinstance(answer, Refused) == isinstance(came, Refused), (body, answer)
        events = () if isinstance(answer, Refused) else answer.events
        rounds += sum(isinstance(event, ev.RoundBegan) for event in events)
        if any(isinstance(event, ev.RoundEnded) for event in events):
            break
    return rounds


async def _deal_sealed(stream: TableStream, keys: KeyRing) -> int:
    """Deal the rest of the round that a restart has held, and the next one, from the same sealed shoe."""
    await _draw_all(stream, keys)
    await _must(stream, cmd.OpenBetting(), "Dealer")
    await _must(stream, cmd.PlaceWager(patron="Ann", wager="player", amount=10_000, position=1), "Ann")
    await _must(stream, cmd.CloseBetting(), "Dealer")
    await _draw_all(stream, keys)
    return 1


async def _draw_all(stream: TableStream, keys: KeyRing) -> None:
    while table_of(stream).phase is not Phase.IDLE:
        await _must(stream, draw(table_of(stream), keys), "Dealer")


async def _must(stream: TableStream, body: cmd.Body, actor: str) -> None:
    answer = await _send(stream, body, actor)
    assert isinstance(answer, Accepted), (body, answer)


async def _deal_by_chance(stream: TableStream, books: Books) -> int:
    """Have chance play the next round, and send what it did."""
    table = _Continued(table_of(stream), books.rulebook, books.house)
    play_round(table)
    for body, actor, done in table.sent:
        answer = await _send(stream, body, *table.senders(body, actor))
        assert isinstance(answer, Accepted) is done, (body, answer)
    return table.began


class _Continued(RandomTable):
    """A table on which chance plays every part, from where it stands."""

    def __init__(self, table: Table, book: Rulebook, house: House) -> None:
        self.chance = random.Random(2)
        self.book, self.house, self.table = book, house, table
        self.rounds = self.wagers = self.began = 0
        self.kinds: Counter[str] = Counter()
        self.bodies: list[dict[str, object]] = []
        self.sent: list[tuple[cmd.Body, str, bool]] = []

    def senders(self, body: cmd.Body, actor: str) -> tuple[str, str | None]:
        """The actor, the table by its own name, and a second person where there is one."""
        by, second = self.people(body, actor)
        return self.now.setup.table if by == STAFF else by, second

    def do(self, body: cmd.Body, actor: str = STAFF) -> bool:
        """Decide a command, and note it as one to be sent."""
        by, second = self.senders(body, actor)
        envelope = cmd.Envelope(actor=by, received_at=NOON, command_id="c", authoriser=second)
        came = decide(self.book, self.house, self.now, cmd.Command(body, envelope))
        done = not isinstance(came, Refused)
        self.sent.append((body, actor, done))
        for event in () if isinstance(came, Refused) else came:
            self.table = apply_all(self.now, (event,))
            self.began += isinstance(event, ev.RoundBegan)
        return done
