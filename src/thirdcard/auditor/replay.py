"""Decides and folds the records of a table again, by the rules that were stored with them."""

from collections.abc import AsyncIterator

from msgspec import Struct

from thirdcard import __version__
from thirdcard.auditor.findings import Finding
from thirdcard.auditor.stored import Rules, StoredRules, Unknown
from thirdcard.game.apply import apply, begin
from thirdcard.game.commands import Command, SetUpTable
from thirdcard.game.decide import decide
from thirdcard.game.events import Event, TableSetUp
from thirdcard.game.state import Table
from thirdcard.journal.codec import Deed, decode_command, decode_deed, encode, kind_of
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store, records
from thirdcard.messages import Message, message
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook


class CannotReplay(Exception):
    """A record cannot be read or folded, so that nobody knows the table after it."""

    def __init__(self, what: Message) -> None:
        super().__init__(what.key)
        self.what = what


class Step(Struct, frozen=True):
    """A record after it was replayed: what it holds, the table after it, what is wrong, what is odd.

    A command that is decided otherwise is wrong where the same release has recorded it, and odd where
    another one has.
    """

    record: Record
    deed: Deed
    table: Table | None
    wrong: tuple[Message, ...] = ()
    odd: tuple[Message, ...] = ()


class Replay:
    """The table after each record."""

    def __init__(self) -> None:
        self.table: Table | None = None

    def step(self, record: Record, rules: Rules) -> Step:
        """Read a record, decide its command again, and fold what it says that came of it."""
        deed, command = _read(record)
        wrong = list(_columns(record, deed, command))
        odd: list[Message] = []
        same_release = record.software == __version__
        if same_release and encode(deed) != record.body:
            wrong.append(message("finding.not-canonical", record=record.sequence))
        otherwise = self._decided_otherwise(record, deed, command, rules)
        if otherwise is not None:
            (wrong if same_release else odd).append(otherwise)
        self.table = _folded(self.table, deed.events, record)
        return Step(record, deed, self.table, tuple(wrong), tuple(odd))

    def _decided_otherwise(
        self, record: Record, deed: Deed, command: Command, rules: Rules
    ) -> Message | None:
        book = _book(self.table, deed, rules)
        if book is None:
            return message("finding.game-not-in-document", record=record.sequence, kind=record.kind)
        try:
            decided = decide(book, rules.house, self.table, command)
        except Exception as error:  # a forged record may ask for anything
            return message(
                "finding.not-decidable", record=record.sequence, kind=record.kind, error=repr(error)
            )
        again = (
            Deed(deed.command, (), decided) if isinstance(decided, Refused) else Deed(deed.command, decided)
        )
        if again == deed:
            return None
        return message(
            "finding.decided-otherwise",
            record=record.sequence,
            kind=record.kind,
            recorded=_difference(deed, again),
            again=_difference(again, deed),
        )


def _read(record: Record) -> tuple[Deed, Command]:
    try:
        deed = decode_deed(record.body, record.version)
        return deed, decode_command(record.envelope, deed)
    except Exception as error:  # a forged record may hold anything
        what = message("finding.body-unreadable", record=record.sequence, error=str(error))
        raise CannotReplay(what) from error


def _columns(record: Record, deed: Deed, command: Command) -> list[Message]:
    """What of a record contradicts itself."""
    found = []
    if record.kind != kind_of(deed.command):
        found.append(message("finding.other-kind", record=record.sequence, kind=record.kind))
    if record.command_id != command.envelope.command_id:
        found.append(message("finding.other-command-id", record=record.sequence))
    if deed.refused is not None and deed.events:
        found.append(message("finding.refused-with-events", record=record.sequence))
    return found


def _book(table: Table | None, deed: Deed, rules: Rules) -> Rulebook | None:
    if table is not None:
        return rules.games.get(table.setup.game)
    if isinstance(deed.command, SetUpTable):
        return rules.games.get(deed.command.setup.game)
    return next(iter(rules.games.values()))


def _folded(table: Table | None, events: tuple[Event, ...], record: Record) -> Table | None:
    try:
        for event in events:
            if isinstance(event, TableSetUp):
                table = begin(event)
            else:
                assert table is not None, "the table was not set up"
                table = apply(table, event)
    except Exception as error:  # a forged record may hold events that fit no table
        what = message("finding.not-foldable", record=record.sequence, error=repr(error))
        raise CannotReplay(what) from error
    return table


def _difference(one: Deed, other: Deed) -> str:
    """What the first of two deeds has that the second has not, in a few words."""
    if one.refused is not None:
        return f"refused: {one.refused.reason.value} {' '.join(one.refused.clauses)}".strip()
    theirs = list(other.events)
    for number, event in enumerate(one.events):
        if number >= len(theirs) or event != theirs[number]:
            return _told(event, theirs[number] if number < len(theirs) else None)
    return f"{len(one.events)} events"


def _told(event: Event, other: Event | None) -> str:
    """An event by its name and, beside another of its kind, by the fields that differ."""
    name = str(event.__struct_config__.tag)
    if type(other) is not type(event):
        return name
    fields = [
        f"{field} {encode(getattr(event, field)).decode()}"
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
            found = await rules.of(record)
            if found is None:
                yield Finding(record.sequence, message("finding.no-rules", record=record.sequence))
                return
            yield replayed.step(record, found)
        except (Unknown, CannotReplay) as error:
            yield Finding(record.sequence, error.what)
            return
