"""A table as a stream: its books, its commands, and when a checkpoint of it is due."""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.devices.virtual_shoe import draw
from thirdcard.folds.recorded import Recorded
from thirdcard.folds.whole import Whole, whole_after
from thirdcard.game.commands import (
    Body,
    Command,
    DrawCard,
    Envelope,
    PauseTable,
    SeeCuttingCard,
    SetUpTable,
)
from thirdcard.game.decide import Decision, decide_and_apply
from thirdcard.game.events import (
    Event,
    RoundEnded,
    RoundVoided,
    ShoeEnded,
    ShoeLoaded,
    ShoeOpened,
    StaffLeft,
    TableClosed,
    TableSetUp,
)
from thirdcard.game.state import RESTART, STORE_TROUBLE, Phase, Table
from thirdcard.journal.codec import (
    Deed,
    content_of_house,
    content_of_rulebook,
    decode_state,
    deed_of,
    digest_of_content,
    encode,
    encode_state,
    house_from,
    kind_of,
    rulebook_from,
)
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store, StoreFailed
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import HOUSES, find_rulebook, shelf_house

OCCASIONS = ("shift-end", "shoe-end", "round-end")  # the first that holds is named
ENDS: dict[type[Event], str] = {
    TableClosed: "shift-end",
    StaffLeft: "shift-end",
    ShoeEnded: "shoe-end",
    ShoeOpened: "shoe-end",
    ShoeLoaded: "shoe-end",
    RoundEnded: "round-end",
    RoundVoided: "round-end",
}
_wholes = msgspec.json.Decoder(Whole)


class Books(Struct, frozen=True):
    """The rulebook and the house that decide at a table."""

    rulebook: Rulebook
    house: House
    digests: tuple[str, str]


def _under_way(table: Table) -> bool:
    """Whether wagers lie, a round is being played, or something waits to be decided."""
    return bool(table.phase is not Phase.IDLE or table.wagers or table.open_cases)


class TableMachine:
    """A table under the rulebook and house of its set-up, as they were stored when it was set up."""

    def __init__(self, store: Store, keys: KeyRing | None = None) -> None:
        self._store = store
        self._keys = keys
        self._known: dict[tuple[tuple[str, str], str], Books] = {}  # by digests and game
        self._shelf: Books | None = None
        self._decided_by: Books | None = None
        self._decision: Decision | None = None

    @property
    def rules(self) -> tuple[str, str]:
        """The digests of the rulebook and the house by which the last command was decided."""
        return self._decided_by.digests if self._decided_by else ("", "")

    async def prepare(self, state: Whole | None, body: Body) -> None:
        """A table is set up under the books on the shelf; their content is stored first."""
        self._shelf = None
        in_use = state is not None and state.table.phase is not Phase.SHUT
        if in_use or not isinstance(body, SetUpTable):
            return
        rulebook = find_rulebook(body.setup.game)
        if isinstance(rulebook, Rulebook) and body.setup.house in HOUSES:
            house = shelf_house(body.setup.house)
            contents = content_of_rulebook(rulebook), content_of_house(house)
            digests = digest_of_content(contents[0]), digest_of_content(contents[1])
            for digest, content in zip(digests, contents, strict=True):
                await self._store.keep_content(digest, content)
            self._shelf = self._known[digests, rulebook.id] = Books(rulebook, house, digests)

    async def take_up(self, state: Whole | None, record: Record, events: tuple[Event, ...]) -> None:
        """Take up the books of a table, and those by which a record was decided, as they were stored."""
        where = f"{record.stream}, record {record.sequence}"
        if state is not None:
            await self._fetch(state.rules, state.table.setup.game, where)
        if events:
            await self._fetch((record.rulebook, record.house), _game(state, events), where)

    async def _fetch(self, digests: tuple[str, str], game: str, where: str) -> None:
        if (digests, game) in self._known:
            return
        rulebook, house = await self._store.content(digests[0]), await self._store.content(digests[1])
        if rulebook is None or house is None:
            raise StoreFailed(f"{where}: the rulebook or the house that decided is not stored")
        self._known[digests, game] = Books(rulebook_from(rulebook, game), house_from(house), digests)

    def books_of(self, state: Whole | None) -> Books | None:
        """The books in force at a table; nothing before it is set up."""
        return self._known[state.rules, state.table.setup.game] if state else None

    def complete(self, state: Whole | None, body: Body) -> Body:
        """At a sealed shoe whoever draws gets the card that lies there, or the cutting card before it."""
        shoe = state.table.shoe if state else None
        if not isinstance(body, DrawCard) or body.card is not None or shoe is None or shoe.seal is None:
            return body
        assert state is not None
        assert self._keys is not None
        found = draw(state.table, self._keys)
        return replace(body, card=found.card) if isinstance(found, DrawCard) else found

    def is_same(self, sent: Body, recorded: object) -> bool:
        """Whether a command that is sent again is the one that was recorded: a draw names no card."""
        if isinstance(sent, DrawCard) and sent.card is None:
            drawn = isinstance(recorded, DrawCard) and replace(recorded, card=None) == sent
            return drawn or isinstance(recorded, SeeCuttingCard)
        return sent == recorded

    def decide(self, state: Whole | None, body: Body, envelope: Envelope) -> tuple[Event, ...] | Refused:
        """What follows from a command; a table is set up by the books that it will have."""
        books = self.books_of(state)
        if isinstance(body, SetUpTable):
            books = self._shelf or books
        self._decided_by, self._decision = books, None
        if books is None and isinstance(body, SetUpTable):
            return refuse(Refusal.NO_RULEBOOK_IN_FORCE, game=body.setup.game)
        if books is None:
            return refuse(Refusal.NO_SUCH_TABLE)
        table = state.table if state else None
        found = decide_and_apply(books.rulebook, books.house, table, Command(body, envelope))
        if isinstance(found, Refused):
            return found
        self._decision = found
        return found.events

    def fold(self, state: Whole | None, record: Record, events: tuple[Event, ...]) -> Whole | None:
        """The table and what is folded beside it after events; what was decided here is not applied again."""
        if not events:
            return state
        rules = record.rulebook, record.house
        book = self._known[rules, _game(state, events)].rulebook
        recorded, decision = Recorded(record.sequence, record.wall_time), self._decision
        tables = decision.tables if decision is not None and decision.events is events else None
        return whole_after(state, events, book, recorded, rules, tables)

    def kind(self, body: Body) -> str:
        """The stable name of a command."""
        return kind_of(body)

    def write(self, body: Body, result: tuple[Event, ...] | Refused) -> bytes:
        """A command and what came of it, canonically."""
        return encode(Deed(body, (), result) if isinstance(result, Refused) else Deed(body, result))

    def read(self, record: Record) -> Deed:
        """What a record holds."""
        return deed_of(record)

    def write_state(self, state: Whole) -> bytes:
        """Return the bytes of everything for a snapshot."""
        return encode_state(state)

    def read_state(self, content: bytes) -> Whole | None:
        """Return everything in a snapshot; nothing where another build made it."""
        return decode_state(content, _wholes)

    def keeps_refusals_of(self, state: Whole | None, actor: str) -> bool:
        """What is refused to staff is recorded; what is refused to a patron is not."""
        return state is not None and actor in (
            *(each.person for each in state.table.staff),
            *(each.person for each in state.table.acting),
        )

    def holding(self, state: Whole | None, reason: str) -> tuple[Body, str] | None:
        """A table that is open pauses itself until a person lets it go on.

        After a restart that is so only where something was under way; between rounds nobody lost anything.
        """
        if state is None or state.table.paused or state.table.phase is Phase.SHUT:
            return None
        if reason != RESTART:
            return PauseTable(reason=STORE_TROUBLE + reason), state.table.setup.table
        return (PauseTable(reason=RESTART), state.table.setup.table) if _under_way(state.table) else None

    def occasion(self, events: tuple[Event, ...]) -> str | None:
        """A checkpoint is due when a shift, a shoe or a round ends."""
        ends = [ENDS[type(event)] for event in events if type(event) in ENDS]
        return min(ends, key=OCCASIONS.index) if ends else None


def _game(state: Whole | None, events: tuple[Event, ...]) -> str:
    """The game of a table once some events have happened."""
    set_up = [event.setup.game for event in events if isinstance(event, TableSetUp)]
    if set_up:
        return set_up[-1]
    assert state is not None
    return state.table.setup.game
