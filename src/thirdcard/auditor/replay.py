"""Decides and folds the records of a stream again, by the rules that were stored with them."""

from collections.abc import AsyncIterator

from msgspec import Struct
from msgspec.structs import replace

from thirdcard import __version__
from thirdcard.auditor.findings import Finding
from thirdcard.auditor.stored import Rules, StoredRules, Unknown
from thirdcard.floor.apply import apply_all as apply_to_floor
from thirdcard.floor.commands import Command as FloorCommand
from thirdcard.floor.decide import decide as decide_on_floor
from thirdcard.floor.events import Event as FloorEvent
from thirdcard.floor.state import Floor
from thirdcard.game.apply import apply, begin
from thirdcard.game.commands import Command, Envelope, SetUpTable
from thirdcard.game.decide import decide
from thirdcard.game.events import Event, TableSetUp
from thirdcard.game.state import Table
from thirdcard.journal.codec import Deed, decode_deed, decode_envelope, encode
from thirdcard.journal.floor_codec import FloorDeed, decode_floor_deed
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store, records
from thirdcard.messages import Message, message
from thirdcard.refusals import Refused
from thirdcard.rulebook.shelf import HOUSES, shelf_house

State = Table | Floor


class CannotReplay(Exception):
    """A record cannot be read or folded, so that nobody knows the state after it."""

    def __init__(self, what: Message) -> None:
        super().__init__(what.key)
        self.what = what


class Step(Struct, frozen=True):
    """A record after it was replayed: what it holds, the state after it, what is wrong, what is odd.

    A command that is decided otherwise is wrong where the same release has recorded it, and odd where
    another one has.
    """

    record: Record
    deed: Deed | FloorDeed
    state: State | None
    wrong: tuple[Message, ...] = ()
    odd: tuple[Message, ...] = ()


class Replay:
    """The state after each record; a record that names no rulebook is one of the floor."""

    def __init__(self) -> None:
        self.state: State | None = None

    def step(self, record: Record, rules: Rules | None) -> Step:
        """Read a record, decide its command again, and fold what it says that came of it."""
        deed, envelope = _read(record, of_a_table=rules is not None)
        wrong = _contradictions(record, deed, envelope)
        odd: list[Message] = []
        otherwise = self._decided_otherwise(record, deed, envelope, rules)
        if otherwise is not None:
            (wrong if record.software == __version__ else odd).append(otherwise)
        self.state = self._folded(record, deed)
        return Step(record, deed, self.state, tuple(wrong), tuple(odd))

    def _decided_otherwise(
        self, record: Record, deed: Deed | FloorDeed, envelope: Envelope, rules: Rules | None
    ) -> Message | None:
        here, kind = record.sequence, record.kind
        try:
            came = self._decided(deed, envelope, rules)
        except CannotReplay as error:
            return error.what
        except Exception as error:  # a forged record may ask for anything
            return message("finding.not-decidable", record=here, kind=kind, error=repr(error))
        again = replace(deed, events=(), refused=came) if isinstance(came, Refused) else _with(deed, came)
        if again == deed:
            return None
        recorded, now = _difference(deed, again), _difference(again, deed)
        return message("finding.decided-otherwise", record=here, kind=kind, recorded=recorded, again=now)

    def _decided(
        self, deed: Deed | FloorDeed, envelope: Envelope, rules: Rules | None
    ) -> tuple[Event | FloorEvent, ...] | Refused:
        if isinstance(deed, FloorDeed):
            houses = tuple(shelf_house(house) for house in HOUSES)
            floor = self.state if isinstance(self.state, Floor) else Floor()
            return decide_on_floor(houses, floor, FloorCommand(deed.command, envelope))
        assert rules is not None
        table = self.state if isinstance(self.state, Table) else None
        game = _game(table, deed, rules)
        if game not in rules.games:
            raise CannotReplay(message("finding.game-not-in-document", game=game))
        return decide(rules.games[game], rules.house, table, Command(deed.command, envelope))

    def _folded(self, record: Record, deed: Deed | FloorDeed) -> State | None:
        try:
            if isinstance(deed, FloorDeed):
                return apply_to_floor(self.state if isinstance(self.state, Floor) else Floor(), deed.events)
            table = self.state if isinstance(self.state, Table) else None
            for event in deed.events:
                if isinstance(event, TableSetUp):
                    table = begin(event)
                else:
                    assert table is not None, "the table was not set up"
                    table = apply(table, event)
        except Exception as error:  # a forged record may hold events that fit no table
            what = message("finding.not-foldable", record=record.sequence, error=repr(error))
            raise CannotReplay(what) from error
        return table


def _read(record: Record, *, of_a_table: bool) -> tuple[Deed | FloorDeed, Envelope]:
    try:
        decode = decode_deed if of_a_table else decode_floor_deed
        return decode(record.body, record.version), decode_envelope(record.envelope)
    except Exception as error:  # a forged record may hold anything
        what = message("finding.body-unreadable", record=record.sequence, error=str(error))
        raise CannotReplay(what) from error


def _contradictions(record: Record, deed: Deed | FloorDeed, envelope: Envelope) -> list[Message]:
    """What of a record contradicts itself."""
    here, found = record.sequence, []
    if record.kind != str(deed.command.__struct_config__.tag):
        found.append(message("finding.other-kind", record=here, kind=record.kind))
    if record.command_id != envelope.command_id:
        found.append(message("finding.other-command-id", record=here))
    if deed.refused is not None and deed.events:
        found.append(message("finding.refused-with-events", record=here))
    if record.software == __version__ and encode(deed) != record.body:
        found.append(message("finding.not-canonical", record=here))
    return found


def _with(deed: Deed | FloorDeed, events: tuple[Event | FloorEvent, ...]) -> Deed | FloorDeed:
    return replace(deed, events=events, refused=None)


def _game(table: Table | None, deed: Deed, rules: Rules) -> str:
    if table is not None:
        return table.setup.game
    return deed.command.setup.game if isinstance(deed.command, SetUpTable) else next(iter(rules.games))


def _difference(one: Deed | FloorDeed, other: Deed | FloorDeed) -> str:
    """What the first of two deeds has that the second has not, in a few words."""
    if one.refused is not None:
        return f"refused: {one.refused.reason.value} {' '.join(one.refused.clauses)}".strip()
    theirs = list(other.events)
    for number, event in enumerate(one.events):
        if number >= len(theirs) or event != theirs[number]:
            other_event = theirs[number] if number < len(theirs) else None
            return _told(event, other_event, with_values=isinstance(one, Deed))
    return f"{len(one.events)} events"


def _told(event: Event | FloorEvent, other: Event | FloorEvent | None, *, with_values: bool) -> str:
    """An event by its name and, beside another of its kind, by the fields that differ.

    What differs on the floor is only named: it may hold what nobody should read.
    """
    name = str(event.__struct_config__.tag)
    if type(other) is not type(event):
        return name
    fields = [
        f"{field} {encode(getattr(event, field)).decode()}" if with_values else field
        for field in event.__struct_fields__
        if getattr(event, field) != getattr(other, field)
    ]
    return f"{name} with {', '.join(fields)}"


async def replay(store: Store, stream: str, *, until: int | None = None) -> AsyncIterator[Step | Finding]:
    """The steps of a stream up to a sequence; where one cannot be replayed, a finding is the last."""
    rules, replayed = StoredRules(store), Replay()
    async for record in records(store, stream):
        if until is not None and record.sequence > until:
            return
        try:
            yield replayed.step(record, await rules.of(record))
        except (Unknown, CannotReplay) as error:
            yield Finding(record.sequence, error.what)
            return
