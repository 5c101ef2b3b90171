"""Journals to be proven: tables that chance or a round file plays, written down as a server would."""

import datetime
import random
from pathlib import Path

from auditor.random_rounds import play_round
from auditor.random_table import RandomTable
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.devices.virtual_shoe import Label, draw, new_shoe, open_up
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import whole_after
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply, begin
from thirdcard.game.decide import decide
from thirdcard.game.state import Phase
from thirdcard.journal.checkpoints import make_checkpoint, make_snapshot
from thirdcard.journal.codec import (
    CommandResult,
    content_of_house,
    content_of_rulebook,
    digest_of_content,
    encode,
    encode_state,
    kind_of,
)
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.keys import KeyPair, KeyRing
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import EMPTY, Draft, Record, head_of, place
from thirdcard.journal.software import SOFTWARE
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Appended, Store
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED

NOON = datetime.datetime(2025, 6, 2, 12, tzinfo=datetime.UTC)
PAIR = KeyPair(bytes(range(32)), bytes(range(32, 64)))
KEYS = KeyRing((PAIR,))
EVENING = Path(__file__).parent / "evening.round"  # three rounds, a ruling and a dispute: 49 records
# the same for training, where nobody records the regulator's confirmation: 48 records
TRAINING = EVENING.read_text("utf-8").replace("game mbs-tiger-v3\n", "game mbs-tiger-v3\ntraining\n")
Result = tuple[ev.Event, ...] | Refused
SIGNED = {ev.RoundEnded: "round-end", ev.ShoeLoaded: "shoe-end", ev.TableClosed: "shift-end"}


class Evening(Struct, frozen=True):
    """The commands to a table and their results, under its books."""

    stream: str
    rulebook: Rulebook
    house: House
    deeds: tuple[tuple[cmd.Command, Result], ...]

    @property
    def rounds(self) -> tuple[int, ...]:
        """The numbers of its rounds."""
        events = [event for _, came in self.deeds if not isinstance(came, Refused) for event in came]
        return tuple(event.number for event in events if isinstance(event, ev.RoundBegan))


class RecordedTable(RandomTable):
    """A table on which chance plays every part, and every command is kept."""

    def __init__(self, stream: str, chance: random.Random, book: Rulebook, house: House) -> None:
        self.stream = stream
        self.deeds: list[tuple[cmd.Command, Result]] = []
        super().__init__(chance, book, house)

    def do(self, body: cmd.Body, actor: str = "Table") -> bool:
        """Ask the engine for something, once a second; whether it was done."""
        number = len(self.deeds) + 1
        received = NOON + datetime.timedelta(seconds=number)
        command_id = f"{self.stream}-{number}"
        actor, second = self.people(body, actor)
        envelope = cmd.Envelope(actor=actor, received_at=received, command_id=command_id, authoriser=second)
        command = cmd.Command(body, envelope)
        result = decide(self.book, self.house, self.table, command)
        self.deeds.append((command, result))
        for event in () if isinstance(result, Refused) else result:
            self.table = begin(event) if isinstance(event, ev.TableSetUp) else apply(self.now, event)
        return not isinstance(result, Refused)


def random_evening(stream: str, rounds: int, seed: int, game: str | None = None) -> Evening:
    """So many random rounds of a game, or of one that chance chooses."""
    chance = random.Random(seed)
    books = {book.id: book for book in SHIPPED.rulebooks}
    book = books[game or chance.choice(list(books))]
    house = SHIPPED.house(book.document.house)
    table = RecordedTable(stream, chance, book, house)
    for _ in range(rounds):
        play_round(table)
    return Evening(stream, book, house, tuple(table.deeds))


class RecordedPlayer(Player):
    """A table on which a round file is played, and every command is kept."""

    def __init__(self, rulebook: Rulebook, house: House, start: datetime.datetime | None) -> None:
        super().__init__(rulebook, house, start)
        self.deeds: list[tuple[cmd.Command, Result]] = []

    def do(self, body: cmd.Body, actor: str, authoriser: str | None = None) -> Result:
        """Decide a command, apply what follows, and keep both."""
        result = super().do(body, actor, authoriser)
        command_id = f"c{self.commands}"
        envelope = cmd.Envelope(
            actor=actor, received_at=self.now, command_id=command_id, authoriser=authoriser
        )
        self.deeds.append((cmd.Command(body, envelope), result))
        return result


def told_evening(stream: str, text: str) -> Evening:
    """The evening that the lines of a round file play."""
    file = parse(text)
    assert file.settings.left is None, "no command runs a shoe down"
    book = SHIPPED.rulebook(file.settings.game)
    house = SHIPPED.house(book.document.house)
    player = RecordedPlayer(book, house, file.settings.start)
    set_up(player, file.settings)
    for act, _ in file.acts:
        if act.at:
            player.now = datetime.datetime.fromisoformat(act.at)
        for body in act.bodies:
            player.do(body, act.actor, act.authoriser)
    return player_evening(stream, player)


def player_evening(stream: str, player: RecordedPlayer) -> Evening:
    """The evening that was played, its commands under ids of their own stream."""
    named = [
        (
            replace(each, envelope=replace(each.envelope, command_id=f"{stream}-{each.envelope.command_id}")),
            came,
        )
        for each, came in player.deeds
    ]
    return Evening(stream, player.rulebook, player.house, tuple(named))


def seated_player(head: str) -> RecordedPlayer:
    """A table as the head of a round file has it."""
    settings = parse(head).settings
    book = SHIPPED.rulebook(settings.game)
    player = RecordedPlayer(book, SHIPPED.house(book.document.house), settings.start)
    set_up(player, settings)
    return player


def sealed_evening(stream: str, seed: int = 1, *, opened: bool = True) -> Evening:
    """Two rounds from a virtual shoe, which is laid open at the end."""
    player = seated_player("game mbs-tiger-v3\nshoe empty\npatrons Ann at 1\nDealer: opens betting\n")
    label = Label(player.standing.setup.table, 1)
    random_bytes = random.Random(seed).randbytes
    shoe = new_shoe(label, decks=8, behind_cutting_card=14, keys=KEYS, random_bytes=random_bytes)
    player.do(shoe, "Dealer")
    player.do(cmd.CutCards(depth=100), "Ann")
    for _ in range(2):
        player.do(cmd.OpenBetting(), "Dealer")
        player.do(cmd.PlaceWager(patron="Ann", wager="player", amount=10_000, position=1), "Ann")
        player.do(cmd.CloseBetting(), "Dealer")
        while player.standing.phase is not Phase.IDLE:
            player.do(draw(player.standing, KEYS), "Dealer")
    if opened:
        player.do(open_up(player.standing, KEYS), "Pit Manager")
    assert not player.refusals
    return player_evening(stream, player)


def records_of(evening: Evening, *, software: str = SOFTWARE) -> tuple[Record, ...]:
    """The records of an evening, chained."""
    digests = [
        digest_of_content(content)
        for content in (content_of_rulebook(evening.rulebook), content_of_house(evening.house))
    ]
    head, made = EMPTY, []
    for number, (command, result) in enumerate(evening.deeds, start=1):
        refused, events = (result, ()) if isinstance(result, Refused) else (None, result)
        received = command.envelope.received_at
        draft = Draft(
            stream=evening.stream,
            kind=kind_of(command.body),
            version=FORM,
            command_id=command.envelope.command_id,
            envelope=encode(command.envelope),
            body=encode(CommandResult(command.body, events, refused)),
            wall_time=int(received.timestamp()) * 1_000_000,
            monotonic=number * 1_000_000_000,
            run="0123456789abcdef",
            rulebook=digests[0],
            house=digests[1],
            software=software,
        )
        record = place(draft, head)
        head = head_of(record)
        made.append(record)
    return tuple(made)


def rechained(made: tuple[Record, ...], others: dict[int, Record]) -> tuple[Record, ...]:
    """Records with some in the place of others, and the chain recomputed."""
    head, again = EMPTY, []
    for record in made:
        draft: Draft = others.get(record.sequence, record)
        again.append(place(draft, head))
        head = head_of(again[-1])
    return tuple(again)


async def write(
    store: Store, evening: Evening, keys: KeyRing = KEYS, *, software: str = SOFTWARE, snapshot: int = 0
) -> tuple[Record, ...]:
    """Write an evening into a store as a server does: contents, records, checkpoints, and a snapshot."""
    for content in (content_of_rulebook(evening.rulebook), content_of_house(evening.house)):
        await store.keep_content(digest_of_content(content), content)
    for key_id, public in keys.public_keys.items():
        await store.keep_content(key_id, public)
    made = records_of(evening, software=software)
    assert isinstance(await store.append(made, keys), Appended)
    tree, whole = Frontier(), None
    for record, (_, result) in zip(made, evening.deeds, strict=True):
        tree = tree.grown(leaf(record.digest))
        events = () if isinstance(result, Refused) else result
        recorded = Recorded(record.sequence, record.wall_time)
        whole = whole_after(whole, events, evening.rulebook, recorded, (record.rulebook, record.house))
        occasions = [SIGNED[type(event)] for event in events if type(event) in SIGNED]
        if occasions or record is made[-1]:
            reason = occasions[-1] if occasions else "stop"
            await store.keep_checkpoint(
                make_checkpoint(
                    keys,
                    stream=evening.stream,
                    head=head_of(record),
                    tree=tree,
                    wall_time=record.wall_time,
                    reason=reason,
                )
            )
        if record.sequence == snapshot:
            state = encode_state(whole)
            await store.keep_snapshot(
                make_snapshot(keys, stream=evening.stream, head=head_of(record), tree=tree, state=state)
            )
    return made


async def write_file(folder: Path, *evenings: Evening, keys: KeyRing = KEYS, snapshot: int = 0) -> Path:
    """Write evenings into a journal file, which is closed again."""
    path = folder / "journal.sqlite"
    store = SqliteStore(path)
    try:
        for evening in evenings:
            await write(store, evening, keys, snapshot=snapshot)
    finally:
        await store.close()
    return path
