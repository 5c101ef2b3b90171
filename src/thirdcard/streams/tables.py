"""A table as a stream: its books, its commands, and when a checkpoint of it is due."""

import datetime
import functools

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.devices.virtual_shoe import draw
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import TableSnapshot, whole_after
from thirdcard.game.commands import (
    Body,
    Command,
    DrawCard,
    Envelope,
    OpenBetting,
    PauseTable,
    SeeCuttingCard,
    SetUpTable,
)
from thirdcard.game.decide import decide_and_apply
from thirdcard.game.events import (
    CreditsBought,
    CreditsCashedOut,
    Event,
    TableSetUp,
    WagerPlaced,
    WagerReduced,
)
from thirdcard.game.set_up import takes_over
from thirdcard.game.state import RESTART, STORE_TROUBLE, Phase, Table
from thirdcard.journal.checkpoint_reasons import CHECKPOINT_EVENTS, due_checkpoint
from thirdcard.journal.codec import (
    CommandResult,
    TableResult,
    content_of_house,
    content_of_rulebook,
    decode_state,
    digest_of_content,
    encode_state,
    house_from,
    rulebook_from,
    table_result_of,
)
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store
from thirdcard.messages import FIRST_LANGUAGE, sentences
from thirdcard.money import Currency, format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import Shelf, UnknownGame, UnknownHouse
from thirdcard.streams.machine import Decided, Machine
from thirdcard.streams.record_check import Broken

ReceiptedEvent = WagerPlaced | WagerReduced | CreditsBought | CreditsCashedOut
RECEIPTED = (WagerPlaced, WagerReduced, CreditsBought, CreditsCashedOut)
_wholes = msgspec.json.Decoder(TableSnapshot)


class Books(Struct, frozen=True):
    """The rulebook and the house that decide at a table."""

    rulebook: Rulebook
    house: House
    digests: tuple[str, str]


def _under_way(table: Table) -> bool:
    """Whether wagers lie, a round is being played, or something waits to be decided."""
    return bool(table.phase is not Phase.IDLE or table.wagers or table.open_cases)


class TableMachine(Machine[TableSnapshot, Body, Event]):
    """A table under the rulebook and house of its set-up, as they were stored when it was set up."""

    checkpoint_events = frozenset(CHECKPOINT_EVENTS)

    def __init__(self, store: Store, shelf: Shelf, keys: KeyRing | None = None) -> None:
        self._store = store
        self._shelf = shelf
        self._keys = keys
        self._known: dict[tuple[tuple[str, str], str], Books] = {}  # a cache, by digests and game

    async def decide(
        self, state: TableSnapshot | None, body: Body, envelope: Envelope, recorded: Recorded
    ) -> Decided[TableSnapshot, Body, Event]:
        """Decide a command; a table is set up by the books that it will have."""
        if isinstance(body, DrawCard):
            body = self._with_card(state, body)
        books = self._known[state.rules, state.table.setup.game] if state else None
        at = envelope.received_at
        if isinstance(body, SetUpTable) and (state is None or state.table.phase is Phase.SHUT):
            books = await self._shelf_books(body, at)  # not by an older version that is stored
        if isinstance(body, OpenBetting) and state is not None and books is not None:
            books = await self._books_of_new_round(state.table, books, at)
        if books is None:
            return Decided(CommandResult(body, refused=_no_books(body)), state)
        table = state.table if state else None
        found = decide_and_apply(books.rulebook, books.house, table, Command(body, envelope))
        if isinstance(found, Refused):
            return Decided(CommandResult(body, refused=found), state, books.digests)
        after = whole_after(state, found.events, books.rulebook, recorded, books.digests, found.tables)
        moved = (event for event in found.events if isinstance(event, RECEIPTED))
        says = next((receipt_sentence(event, books.house) for event in moved), "")
        return Decided(CommandResult(body, found.events), after, books.digests, says)

    def _with_card(self, state: TableSnapshot | None, body: DrawCard) -> Body:
        """Return a draw at a sealed shoe with the card that lies there, or the cutting card before it."""
        if body.card is not None or state is None:
            return body
        if state.table.shoe is None or state.table.shoe.seal is None:
            return body
        assert self._keys is not None
        found = draw(state.table, self._keys)
        return replace(body, card=found.card) if isinstance(found, DrawCard) else found

    async def _shelf_books(self, body: SetUpTable, at: datetime.datetime) -> Books | None:
        """Store the books on the shelf for a set-up and return them; nothing where the shelf has none."""
        try:
            rulebook = self._shelf.rulebook(body.setup.game, at)
            house = self._shelf.house(body.setup.house)
        except (UnknownGame, UnknownHouse):
            return None
        return await self._stored(rulebook, house)

    async def _books_of_new_round(self, table: Table, books: Books, at: datetime.datetime) -> Books:
        """Return the books of a round: a later version of the rulebook from its day on, where it fits."""
        try:
            rulebook = self._shelf.rulebook(books.rulebook.id, at)
        except UnknownGame:  # the table goes on by what it was set up with
            return books
        if not takes_over(rulebook, books.rulebook, books.house, table, at):
            return books
        return await self._stored(rulebook, books.house)

    async def _stored(self, rulebook: Rulebook, house: House) -> Books:
        """Store a rulebook and a house, and return them with their digests."""
        contents = content_of_rulebook(rulebook), content_of_house(house)
        digests = digest_of_content(contents[0]), digest_of_content(contents[1])
        for digest, content in zip(digests, contents, strict=True):
            await self._store.keep_content(digest, content)
        books = self._known[digests, rulebook.id] = Books(rulebook, house, digests)
        return books

    def books_of(self, state: TableSnapshot | None) -> Books | None:
        """Return the books in force at a table; nothing before it is set up."""
        return self._known[state.rules, state.table.setup.game] if state else None

    async def fold(
        self, state: TableSnapshot | None, record: Record, events: tuple[Event, ...]
    ) -> TableSnapshot | None:
        """Return the table after the events of a stored record, by the books that decided it."""
        if not events:
            return state
        rules, where = (record.rulebook, record.house), f"{record.stream}, record {record.sequence}"
        books = await self._stored_books(rules, _game(state, events), where)
        recorded = Recorded(record.sequence, record.wall_time)
        return whole_after(state, events, books.rulebook, recorded, rules)

    async def _stored_books(self, digests: tuple[str, str], game: str, where: str) -> Books:
        known = self._known.get((digests, game))
        if known is not None:
            return known
        rulebook, house = [await self._content(digest, where) for digest in digests]
        books = Books(rulebook_from(rulebook, game), house_from(house), digests)
        self._known[digests, game] = books
        return books

    async def _content(self, digest: str, where: str) -> bytes:
        """Return a stored content that is what its digest says; the records that name it are signed."""
        content = await self._store.content(digest)
        if content is None:
            raise Broken(f"{where}: the rulebook or the house that decided is not stored")
        if digest_of_content(content) != digest:
            raise Broken(f"{where}: the rulebook or the house that decided was altered")
        return content

    def read(self, record: Record) -> TableResult:
        """Return the command of a record and its result."""
        return table_result_of(record)

    def write_state(self, state: TableSnapshot) -> bytes:
        """Return the bytes of everything for a snapshot."""
        return encode_state(state)

    async def read_state(self, content: bytes) -> TableSnapshot | None:
        """Return everything in a snapshot; nothing where another build made it."""
        state = decode_state(content, _wholes)
        if state is not None:
            setup = state.table.setup
            await self._stored_books(state.rules, setup.game, f"the snapshot of {setup.table}")
        return state

    def keeps_refusals_of(self, state: TableSnapshot | None, actor: str) -> bool:
        """Return whether the actor is staff here: a patron's refusal is not recorded."""
        return state is not None and actor in (
            *(each.person for each in state.table.staff),
            *(each.person for each in state.table.acting),
        )

    def is_same(self, sent: Body, recorded: Body) -> bool:
        """Return whether a command that is sent again is the one that was recorded: a draw names no card."""
        if isinstance(sent, DrawCard) and sent.card is None:
            drawn = isinstance(recorded, DrawCard) and replace(recorded, card=None) == sent
            return drawn or isinstance(recorded, SeeCuttingCard)
        return sent == recorded

    def checkpoint_reason(self, events: tuple[Event, ...]) -> str:
        """Return which of a shift, a shoe and a round has ended."""
        return due_checkpoint(events) or ""

    def pause_command(self, state: TableSnapshot | None, reason: str) -> tuple[Body, str] | None:
        """Return the command by which an open table pauses itself until a person resumes it.

        After a restart that is so only where something was under way; between rounds nobody lost anything.
        """
        if state is None or state.table.paused or state.table.phase is Phase.SHUT:
            return None
        if reason != RESTART:
            return PauseTable(reason=STORE_TROUBLE + reason), state.table.setup.table
        return (PauseTable(reason=RESTART), state.table.setup.table) if _under_way(state.table) else None


def receipt_sentence(event: ReceiptedEvent, house: House) -> str:
    """Return what a receipt says about an event, in English."""
    moved = event.back if isinstance(event, WagerReduced) else event.amount
    about = event.wager if isinstance(event, WagerPlaced | WagerReduced) else event.terminal
    return _sentence(f"receipt.{event.__struct_config__.tag}", moved, about, house.form.currency)


@functools.lru_cache(1024)  # chips make the same amounts again and again
def _sentence(key: str, moved: int, about: str, currency: Currency) -> str:
    return sentences(FIRST_LANGUAGE)[key].format(amount=format_amount(moved, currency), about=about)


def _no_books(body: Body) -> Refused:
    if isinstance(body, SetUpTable):
        return refuse(Refusal.NO_RULEBOOK_IN_FORCE, game=body.setup.game)
    return refuse(Refusal.NO_SUCH_TABLE)


def _game(state: TableSnapshot | None, events: tuple[Event, ...]) -> str:
    """The game of a table once some events have happened."""
    set_up = [event.setup.game for event in events if isinstance(event, TableSetUp)]
    if set_up:
        return set_up[-1]
    assert state is not None
    return state.table.setup.game
