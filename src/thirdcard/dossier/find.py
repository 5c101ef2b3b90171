"""Finds the records of a round in its stream, and those of the disputes about it."""

import re
from collections.abc import AsyncIterator

from msgspec import Struct

from thirdcard.game import events as ev
from thirdcard.game.table_setup import Setup
from thirdcard.journal.codec import TableResult, table_result_of
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store, records
from thirdcard.staff import Post

# what may still happen before the next round is opened, and is no part of the round
BETWEEN = (
    ev.TablePaused
    | ev.TableResumed
    | ev.TableClosed
    | ev.StopPlanned
    | ev.StopCancelled
    | ev.ChangePlanned
    | ev.TableSetUp
    | ev.EquipmentTicked
    | ev.ApprovalConfirmed
    | ev.CardsCounted
    | ev.TableOpened
    | ev.StaffCame
    | ev.StaffLeft
    | ev.ActingAppointed
    | ev.PatronCame
    | ev.PatronLeft
    | ev.CreditsBought
    | ev.CreditsCashedOut
    | ev.MethodChanged
    | ev.OwnersLimited
    | ev.ShoeLoaded
    | ev.CardsCut
    | ev.CardsBurned
    | ev.LastHandAnnounced
    | ev.DeviceTaken
    | ev.DeviceReleased
    | ev.DisputeEvent
    | ev.ChipsEvent
)


class StoredEntry(Struct, frozen=True):
    """A record, and what it holds."""

    record: Record
    result: TableResult


class Segment(Struct, frozen=True):
    """The records from one call for wagers to the next; the first one of a stream has no round."""

    number: int | None
    entries: tuple[StoredEntry, ...]

    @property
    def of_the_round(self) -> tuple[StoredEntry, ...]:
        """The records without those at the end that only fill the time until the next round."""
        own = list(self.entries)
        while len(own) > 1 and all(isinstance(event, BETWEEN) for event in own[-1].result.events):
            own.pop()
        return tuple(own)


class FoundRound(Struct, frozen=True):
    """A round: its own records, and those that set its table up, readied its shoe, and dispute it.

    ``confirmed_by`` is the record of the regulator's confirmation, where the table has one.
    """

    stream: str
    number: int
    setup: Setup
    posts: dict[str, Post]
    opened_by: StoredEntry
    shoe: tuple[StoredEntry, ...]
    entries: tuple[StoredEntry, ...]
    disputes: tuple[StoredEntry, ...]
    confirmed_by: StoredEntry | None = None

    @property
    def confirmation(self) -> ev.ApprovalConfirmed | None:
        """The regulator's confirmation that is on record for the table."""
        events = self.confirmed_by.result.events if self.confirmed_by else ()
        return next((event for event in events if isinstance(event, ev.ApprovalConfirmed)), None)

    @property
    def sealed_shoe(self) -> int | None:
        """The number of the shoe, where it was sealed."""
        loaded = [
            event for entry in self.shoe for event in entry.result.events if isinstance(event, ev.ShoeLoaded)
        ]
        return loaded[-1].number if loaded and loaded[-1].seal is not None else None

    @property
    def all_entries(self) -> tuple[StoredEntry, ...]:
        """Every record that a dossier has, by sequence."""
        confirmed = (self.confirmed_by,) if self.confirmed_by else ()
        parts = (self.opened_by, *confirmed, *self.shoe, *self.entries, *self.disputes)
        found = {each.record.sequence: each for each in parts}
        return tuple(found[sequence] for sequence in sorted(found))


async def segments(store: Store, stream: str, *, after: int = 0) -> AsyncIterator[Segment]:
    """The records of a table, round by round, after a sequence; a stream that is no table has none."""
    entries: list[StoredEntry] = []
    number: int | None = None
    async for record in records(store, stream, after=after):
        if not record.rulebook:
            return
        entry = StoredEntry(record, table_result_of(record))
        began = [event.number for event in entry.result.events if isinstance(event, ev.RoundBegan)]
        called = any(isinstance(event, ev.BettingOpened) for event in entry.result.events)
        if entries and (
            called or (began and number not in (None, began[0]))
        ):  # one can begin again as a free hand
            yield Segment(number, tuple(entries))
            entries, number = [], None
        entries.append(entry)
        number = began[0] if began else number
    if entries:
        yield Segment(number, tuple(entries))


async def find_round(store: Store, stream: str, number: int) -> FoundRound | None:
    """A round by its number, from the call that opened it to the last thing done about it."""
    made_by: StoredEntry | None = None
    confirmed_by: StoredEntry | None = None
    own: Segment | None = None
    posts: dict[str, Post] = {}
    shoe: list[StoredEntry] = []
    disputes = _Disputes(number)
    async for segment in segments(store, stream):
        if own is None:
            made_by = _made_by(made_by, segment, number)
            confirmed_by = _confirmed_by(confirmed_by, segment, made_by)
            posts |= {
                event.person: event.post
                for entry in segment.entries
                for event in entry.result.events
                if isinstance(event, ev.StaffCame)
            }
        if segment.number == number:
            own = segment
        if own is None:
            shoe = _shoe_after(shoe, segment)
        if own is not None:
            disputes.take(segment)
    setup = setup_of(made_by) if made_by else None
    if made_by is None or own is None or setup is None:
        return None
    return FoundRound(
        stream=stream,
        number=number,
        setup=setup,
        posts=posts,
        opened_by=made_by,
        shoe=tuple(shoe),
        entries=own.of_the_round,
        disputes=tuple(disputes.entries),
        confirmed_by=confirmed_by,
    )


def _shoe_after(shoe: list[StoredEntry], segment: Segment) -> list[StoredEntry]:
    """The records that prepared the shoe in use: loaded, cut, burned."""
    for entry in segment.entries:
        if any(isinstance(event, ev.ShoeLoaded) for event in entry.result.events):
            shoe = [entry]
        elif any(isinstance(event, ev.CardsCut | ev.CardsBurned) for event in entry.result.events):
            shoe = [*shoe, entry]
    return shoe


def _made_by(made_by: StoredEntry | None, segment: Segment, number: int) -> StoredEntry | None:
    """The last record that set the table up before a round began."""
    for entry in segment.entries:
        if any(isinstance(event, ev.RoundBegan) and event.number == number for event in entry.result.events):
            break
        made_by = entry if setup_of(entry) else made_by
    return made_by


def _confirmed_by(
    confirmed_by: StoredEntry | None, segment: Segment, made_by: StoredEntry | None
) -> StoredEntry | None:
    """The last record of the regulator's confirmation; it is about the table as it was set up last."""
    for entry in segment.entries:
        if entry is made_by:
            confirmed_by = None
        if any(isinstance(event, ev.ApprovalConfirmed) for event in entry.result.events):
            confirmed_by = entry
    return confirmed_by


def setup_of(entry: StoredEntry) -> Setup | None:
    """Return the set-up that a record gives its table, if it gives one."""
    return next((event.setup for event in entry.result.events if isinstance(event, ev.TableSetUp)), None)


class _Disputes:
    """Disputes about a round, and what became of them.

    Records before form 6 do not say which round a dispute is about: then it is the one under way or just
    over, or the one that it names.
    """

    def __init__(self, number: int) -> None:
        self.entries: list[StoredEntry] = []
        self._number = number
        self._about: set[int] = set()
        self._mentions = re.compile(rf"\bround {number}\b", re.IGNORECASE)

    def take(self, segment: Segment) -> None:
        """Take in the records of this round, or of a later one."""
        for entry in segment.entries:
            told = [event for event in entry.result.events if isinstance(event, ev.DisputeEvent)]
            self._about |= {
                event.id
                for event in told
                if isinstance(event, ev.DisputeOpened) and self._is_about(event, segment)
            }
            if any(event.id in self._about for event in told):
                self.entries.append(entry)

    def _is_about(self, event: ev.DisputeOpened, segment: Segment) -> bool:
        if event.round is not None:
            return event.round == self._number
        return segment.number == self._number or self._mentions.search(event.about) is not None
