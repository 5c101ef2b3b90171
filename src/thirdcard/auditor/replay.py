"""Decides and folds the records of a stream again, by the rules that were stored with them."""

from collections.abc import AsyncIterator, Callable
from typing import ParamSpec, TypeVar

import msgspec
from msgspec import Struct

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.stored_rules import FloorRules, Rules, StoredRules, Unknown
from thirdcard.floor.apply import apply_all as apply_to_floor
from thirdcard.floor.commands import FloorCommand
from thirdcard.floor.decide import decide as decide_on_floor
from thirdcard.floor.state import Floor
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import TableSnapshot, whole_after
from thirdcard.game.commands import Command, Envelope, SetUpTable
from thirdcard.game.decide import Decision, decide_and_apply
from thirdcard.journal.codec import (
    B,
    CommandResult,
    E,
    FloorResult,
    FromNewerBuild,
    Newest,
    TableResult,
    Unreadable,
    encode,
    kind_of,
    read_floor_record,
    read_table_record,
)
from thirdcard.journal.forms.steps import FORM, is_canonical
from thirdcard.journal.record import Record
from thirdcard.journal.software import ENGINE, build_of
from thirdcard.journal.store import Store, records
from thirdcard.messages import Message, message
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook

State = TableSnapshot | Floor
P = ParamSpec("P")
T = TypeVar("T")


class CannotReplay(Exception):
    """A record cannot be read or folded, so that nobody knows the state after it."""

    def __init__(self, what: Message, *more: Message) -> None:
        super().__init__(what.key)
        self.what = what
        self.more = more


class Verdict(Struct, frozen=True):
    """The faults of a replayed record, and what is odd about it.

    A command that is decided otherwise is wrong where the same engine has recorded it, and odd where
    another one has. ``strict`` says which of the two it would be.
    """

    wrong: tuple[Message, ...]
    odd: tuple[Message, ...]
    strict: bool


class TableStep(Struct, frozen=True):
    """A replayed record of a table, and the table after it."""

    record: Record
    newest: Newest
    result: TableResult
    state: TableSnapshot | None
    verdict: Verdict


class FloorStep(Struct, frozen=True):
    """A replayed record of the floor, and the floor after it."""

    record: Record
    result: FloorResult
    state: Floor
    verdict: Verdict


ReplayStep = TableStep | FloorStep


class Replay:
    """The state after each record, of a table or of the floor."""

    def __init__(self) -> None:
        self.state: State | None = None

    def step(self, record: Record, rules: Rules | FloorRules) -> ReplayStep:
        """Read a record, decide its command again, and fold the events that it holds."""
        step = (
            self._table_step(record, rules) if isinstance(rules, Rules) else self._floor_step(record, rules)
        )
        self.state = step.state
        return step

    def _table_step(self, record: Record, rules: Rules) -> TableStep:
        newest, result, envelope = _read(record, read_table_record)
        whole = self.state if isinstance(self.state, TableSnapshot) else None
        book = _book(whole, result, rules)
        table = whole.table if whole else None
        command = Command(result.command, envelope)
        decided = _guarded(decide_and_apply, book, rules.house, table, command)
        again = decided.events if isinstance(decided, Decision) else decided
        wrong, otherwise = _compare(record, newest, result, envelope, again, with_values=True)
        # the same events come to the same tables
        tables = decided.tables if isinstance(decided, Decision) and not otherwise else None
        recorded, by = Recorded(record.sequence, record.wall_time), (record.rulebook, record.house)
        after = _guarded(whole_after, whole, result.events, book, recorded, by, tables)
        verdict = _judge(record, wrong, otherwise)
        return TableStep(record, newest, result, _require_state(record, after, verdict), verdict)

    def _floor_step(self, record: Record, rules: FloorRules) -> FloorStep:
        newest, result, envelope = _read(record, read_floor_record)
        floor = self.state if isinstance(self.state, Floor) else Floor()
        again = _guarded(decide_on_floor, rules.houses, floor, FloorCommand(result.command, envelope))
        after = _guarded(apply_to_floor, floor, result.events)
        wrong, otherwise = _compare(record, newest, result, envelope, again, with_values=False)
        verdict = _judge(record, wrong, otherwise)
        return FloorStep(record, result, _require_state(record, after, verdict), verdict)


def _judge(record: Record, wrong: list[Message], otherwise: Message | None) -> Verdict:
    """Return the verdict on a record that contradicts itself so far, and may be decided otherwise."""
    strict = build_of(record.software).engine == ENGINE
    differs = (otherwise,) if otherwise is not None else ()
    return Verdict((*wrong, *differs) if strict else tuple(wrong), () if strict else differs, strict)


def _require_state(record: Record, after: T | Exception, verdict: Verdict) -> T:
    if isinstance(after, Exception):
        what = message("finding.not-foldable", record=record.sequence, error=repr(after))
        raise CannotReplay(what, *verdict.wrong) from after
    return after


def _guarded(ask: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | Exception:
    """Return the result of a function, or its error: a forged record may ask for and hold anything."""
    try:
        return ask(*arguments, **named)
    except Exception as error:
        return error


def _compare(
    record: Record,
    newest: Newest,
    result: CommandResult[B, E],
    envelope: Envelope,
    decided: tuple[E, ...] | Refused | Exception,
    *,
    with_values: bool,
) -> tuple[list[Message], Message | None]:
    """Return what of a record contradicts itself, and the finding where it is decided otherwise now.

    A decision that is encoded as the stored bytes is the same, and they are canonical.
    """
    same, otherwise = False, None
    if isinstance(decided, Exception):
        otherwise = message(
            "finding.not-decidable", record=record.sequence, kind=record.kind, error=repr(decided)
        )
    else:
        refused = decided if isinstance(decided, Refused) else None
        again = CommandResult(result.command, () if isinstance(decided, Refused) else decided, refused)
        same = encode(again) == newest.body
        otherwise = None if same else _otherwise(record, result, again, with_values=with_values)
    canonical = same or encode(result) == newest.body
    canonical = canonical and _is_canonical(record, newest, envelope)
    return _contradictions(record, result, envelope, canonical=canonical), otherwise


def _otherwise(
    record: Record, result: CommandResult[B, E], again: CommandResult[B, E], *, with_values: bool
) -> Message | None:
    """Return the finding where a command is decided otherwise than it was recorded."""
    if again == result:
        return None
    recorded = _difference(result, again, with_values=with_values)
    now = _difference(again, result, with_values=with_values)
    return message(
        "finding.decided-otherwise", record=record.sequence, kind=record.kind, recorded=recorded, again=now
    )


def _read(record: Record, read: Callable[[Record], T]) -> T:
    try:
        return read(record)
    except FromNewerBuild:
        raise
    except Unreadable as error:
        what = message("finding.body-unreadable", record=record.sequence, error=str(error.__cause__))
        raise CannotReplay(what) from error


def _contradictions(
    record: Record, result: CommandResult[B, E], envelope: Envelope, *, canonical: bool
) -> list[Message]:
    """Return what of a record contradicts itself."""
    here, found = record.sequence, []
    if record.kind != _kind(record, result.command):
        found.append(message("finding.other-kind", record=here, kind=record.kind))
    if record.command_id != envelope.command_id:
        found.append(message("finding.other-command-id", record=here))
    if result.refused is not None and result.events:
        found.append(message("finding.refused-with-events", record=here))
    if not canonical:
        found.append(message("finding.not-canonical", record=here))
    return found


def _kind(record: Record, command: Struct) -> str:
    """The name of a command in the form in which it was written."""
    if record.version == FORM:
        return kind_of(command)
    return str(msgspec.json.decode(record.body)["command"]["type"])


def _is_canonical(record: Record, newest: Newest, envelope: Envelope) -> bool:
    """Whether a record whose body is encoded so today is also otherwise written as its form has it.

    In the newest form its envelope is encoded so too. In an older one it is sorted JSON of which nothing is
    left over: brought up to date, it is what is encoded today.
    """
    if encode(envelope) != newest.envelope:
        return False
    return record.version == FORM or (is_canonical(record.body) and is_canonical(record.envelope))


def _book(whole: TableSnapshot | None, result: TableResult, rules: Rules) -> Rulebook:
    """The rulebook of the table's game, or of the game that it is to be set up for."""
    game = whole.table.setup.game if whole else next(iter(rules.games))
    command = result.command
    if isinstance(command, SetUpTable) and (whole is None or command.setup.game in rules.games):
        game = command.setup.game
    if game not in rules.games:
        raise CannotReplay(message("finding.game-not-in-document", game=game))
    return rules.games[game]


def _difference(one: CommandResult[B, E], other: CommandResult[B, E], *, with_values: bool) -> str:
    """Say in a few words what the first of two results has that the second has not."""
    if one.refused is not None:
        return f"refused: {one.refused.reason.value} {' '.join(one.refused.clauses)}".strip()
    theirs: list[object] = list(other.events)
    for number, event in enumerate(one.events):
        if number >= len(theirs) or event != theirs[number]:
            other_event = theirs[number] if number < len(theirs) else None
            return _told(event, other_event, with_values=with_values)
    return f"{len(one.events)} events"


def _told(event: Struct, other: object, *, with_values: bool) -> str:
    """An event by its name and, beside another of its kind, by the fields that differ.

    What differs on the floor is only named: it may hold what nobody should read.
    """
    name = kind_of(event)
    if type(other) is not type(event):
        return name
    fields = [
        f"{field} {encode(getattr(event, field)).decode()}" if with_values else field
        for field in event.__struct_fields__
        if getattr(event, field) != getattr(other, field)
    ]
    return f"{name} with {', '.join(fields)}"


async def replay(
    store: Store, stream: str, *, until: int | None = None
) -> AsyncIterator[ReplayStep | Finding]:
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
