"""Decides and folds the records of a stream again, by the rules that were stored with them."""

from collections.abc import AsyncIterator, Callable
from typing import ParamSpec, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.stored import Rules, StoredRules, Unknown
from thirdcard.floor.apply import apply_all as apply_to_floor
from thirdcard.floor.commands import Command as FloorCommand
from thirdcard.floor.decide import decide as decide_on_floor
from thirdcard.floor.events import Event as FloorEvent
from thirdcard.floor.state import Floor
from thirdcard.folds.recorded import Recorded
from thirdcard.folds.whole import Whole, whole_after
from thirdcard.game.commands import Command, Envelope, SetUpTable
from thirdcard.game.decide import decide
from thirdcard.game.events import Event
from thirdcard.journal.codec import Deed, FromNewerBuild, Unreadable, deed_of, encode, envelope_of
from thirdcard.journal.floor_codec import FloorDeed, floor_deed_of
from thirdcard.journal.forms.steps import (
    FORM,
    is_canonical,
    upcast_envelope,
    upcast_floor_body,
    upcast_table_body,
)
from thirdcard.journal.record import Record
from thirdcard.journal.software import ENGINE, build_of
from thirdcard.journal.store import Store, records
from thirdcard.messages import Message, message
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import HOUSES, shelf_house

State = Whole | Floor
P = ParamSpec("P")
T = TypeVar("T")


class CannotReplay(Exception):
    """A record cannot be read or folded, so that nobody knows the state after it."""

    def __init__(self, what: Message, *more: Message) -> None:
        super().__init__(what.key)
        self.what = what
        self.more = more


class Step(Struct, frozen=True):
    """A record after it was replayed: what it holds, the state after it, what is wrong, what is odd.

    A command that is decided otherwise is wrong where the same engine has recorded it, and odd where
    another one has. ``strict`` says which of the two it would be.
    """

    record: Record
    deed: Deed | FloorDeed
    state: State | None
    wrong: tuple[Message, ...] = ()
    odd: tuple[Message, ...] = ()
    strict: bool = True


class Replay:
    """The state after each record; a record that names no rulebook is one of the floor."""

    def __init__(self) -> None:
        self.state: State | None = None

    def step(self, record: Record, rules: Rules | None) -> Step:
        """Read a record, decide its command again, and fold what it says that came of it."""
        deed, envelope = _read(record, of_a_table=rules is not None)
        wrong = _contradictions(record, deed, envelope)
        odd: list[Message] = []
        came: tuple[Event | FloorEvent, ...] | Refused | Exception
        after: State | Exception | None
        if isinstance(deed, Deed):
            assert rules is not None
            whole = self.state if isinstance(self.state, Whole) else None
            book = _book(whole, deed, rules)
            table = whole.table if whole else None
            came = _guarded(decide, book, rules.house, table, Command(deed.command, envelope))
            recorded, by = Recorded(record.sequence, record.wall_time), (record.rulebook, record.house)
            after = _guarded(whole_after, whole, deed.events, book, recorded, by)
        else:
            floor = self.state if isinstance(self.state, Floor) else Floor()
            houses = tuple(shelf_house(house) for house in HOUSES)
            came = _guarded(decide_on_floor, houses, floor, FloorCommand(deed.command, envelope))
            after = _guarded(apply_to_floor, floor, deed.events)
        otherwise = _otherwise(record, deed, came)
        strict = build_of(record.software).engine == ENGINE
        if otherwise is not None:
            (wrong if strict else odd).append(otherwise)
        if isinstance(after, Exception):
            what = message("finding.not-foldable", record=record.sequence, error=repr(after))
            raise CannotReplay(what, *wrong) from after
        self.state = after
        return Step(record, deed, self.state, tuple(wrong), tuple(odd), strict)


def _guarded(ask: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | Exception:
    """What a function gives, or what it stumbled over: a forged record may ask for and hold anything."""
    try:
        return ask(*arguments, **named)
    except Exception as error:
        return error


def _otherwise(
    record: Record, deed: Deed | FloorDeed, came: tuple[Event | FloorEvent, ...] | Refused | Exception
) -> Message | None:
    """What to say where a command is decided otherwise than it was recorded."""
    here, kind = record.sequence, record.kind
    if isinstance(came, Exception):
        return message("finding.not-decidable", record=here, kind=kind, error=repr(came))
    refused = came if isinstance(came, Refused) else None
    again = replace(deed, events=() if refused else came, refused=refused)
    if again == deed:
        return None
    recorded, now = _difference(deed, again), _difference(again, deed)
    return message("finding.decided-otherwise", record=here, kind=kind, recorded=recorded, again=now)


def _read(record: Record, *, of_a_table: bool) -> tuple[Deed | FloorDeed, Envelope]:
    try:
        return (deed_of if of_a_table else floor_deed_of)(record), envelope_of(record)
    except FromNewerBuild:
        raise
    except Unreadable as error:
        what = message("finding.body-unreadable", record=record.sequence, error=str(error.__cause__))
        raise CannotReplay(what) from error


def _contradictions(record: Record, deed: Deed | FloorDeed, envelope: Envelope) -> list[Message]:
    """What of a record contradicts itself."""
    here, found = record.sequence, []
    if record.kind != _kind(record, deed):
        found.append(message("finding.other-kind", record=here, kind=record.kind))
    if record.command_id != envelope.command_id:
        found.append(message("finding.other-command-id", record=here))
    if deed.refused is not None and deed.events:
        found.append(message("finding.refused-with-events", record=here))
    if not _is_canonical(record, deed, envelope):
        found.append(message("finding.not-canonical", record=here))
    return found


def _kind(record: Record, deed: Deed | FloorDeed) -> str:
    """The name of a command in the form in which it was written."""
    if record.version == FORM:
        return str(deed.command.__struct_config__.tag)
    return str(msgspec.json.decode(record.body)["command"]["type"])


def _is_canonical(record: Record, deed: Deed | FloorDeed, envelope: Envelope) -> bool:
    """Whether a record is written as its form has it.

    In the newest form that is how it is encoded today. In an older one it is sorted JSON of which nothing is
    left over: brought up to date, it is what is encoded today.
    """
    upcast = upcast_table_body if isinstance(deed, Deed) else upcast_floor_body
    body, enclosing = upcast(record.body, record.version), upcast_envelope(record.envelope, record.version)
    if encode(deed) != body or encode(envelope) != enclosing:
        return False
    return record.version == FORM or (is_canonical(record.body) and is_canonical(record.envelope))


def _book(whole: Whole | None, deed: Deed, rules: Rules) -> Rulebook:
    """The rulebook of the table's game, or of the game that it is to be set up for."""
    game = whole.table.setup.game if whole else next(iter(rules.games))
    if isinstance(deed.command, SetUpTable) and (whole is None or deed.command.setup.game in rules.games):
        game = deed.command.setup.game
    if game not in rules.games:
        raise CannotReplay(message("finding.game-not-in-document", game=game))
    return rules.games[game]


def _difference(one: Deed | FloorDeed, other: Deed | FloorDeed) -> str:
    """What the first of two deeds has that the second has not, in a few words."""
    if one.refused is not None:
        return f"refused: {one.refused.reason.value} {' '.join(one.refused.clauses)}".strip()
    theirs: list[object] = list(other.events)
    for number, event in enumerate(one.events):
        if number >= len(theirs) or event != theirs[number]:
            other_event = theirs[number] if number < len(theirs) else None
            return _told(event, other_event, with_values=isinstance(one, Deed))
    return f"{len(one.events)} events"


def _told(event: Event | FloorEvent, other: object, *, with_values: bool) -> str:
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
