"""Tells everybody who watches a table what happened there, each as much as they may know.

A change of a table is shown once for all: sections are made and written once, and only what is a patron's own
is made for that patron. Records that come close together go out together. Nobody is waited for: a socket has
a mailbox, and one that overflows is given up and resumes by sequence.
"""

import asyncio
import contextlib
import functools
from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from thirdcard.access.directory import Directory
from thirdcard.clockwork.next_step import betting_clock, waits_until
from thirdcard.floor.state import Timers
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.folds.timestamps import Timestamps
from thirdcard.folds.viewers import DISPLAY, STAFF_VIEWER, Viewer
from thirdcard.game.dispute_steps import DisputeStep
from thirdcard.game.events import Event
from thirdcard.game.state import Table
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.record import Record
from thirdcard.journal.store import StoreFailed
from thirdcard.ordered import OrderedSet
from thirdcard.server.mailbox import Mailbox
from thirdcard.server.metrics import TableFigures
from thirdcard.server.shares import STEP_RECORDS, SmallSteps
from thirdcard.staff import Acting
from thirdcard.streams.opening import OpenFloor
from thirdcard.streams.stream import Change
from thirdcard.views.lobby import LobbyLine, lobby_line
from thirdcard.views.moments.kinds import Moment
from thirdcard.views.moments.telling import MomentAudience, tell_all
from thirdcard.views.sections.whole import BettingClock
from thirdcard.views.sources import Sources
from thirdcard.views.view import Changes, SectionEncoder, ShownViews, changes, show, view_of
from thirdcard.wire.answers import MomentAt
from thirdcard.wire.frames import LobbyFrame, NewsFrame, ViewFrame

KEPT = 64  # records of a table at hand for clients that come back
MOST_TOLD = 1000  # records that are told again over a socket; older ones are asked for page by page
# the pace of frames on the wire, in real seconds: nothing at a table depends on it
FLUSH_SECONDS = 0.02  # within which records go out together
LOBBY_EVERY = 0.5
_encoder = msgspec.json.Encoder()


class PendingNews:
    """The news of one record for viewers, worked out when somebody wants to know."""

    def __init__(self, record: Record, events: tuple[Event, ...], table: Table) -> None:
        self.sequence = record.sequence
        self.at = record.wall_time
        self._tell: Callable[[], tuple[MomentAudience, ...]] | None = lambda: tuple(
            tell_all(event, table) for event in events
        )

    @functools.cached_property
    def told(self) -> tuple[MomentAudience, ...]:
        """Return each event's moments for everybody, for staff, and for each patron whom it concerns."""
        assert self._tell is not None
        tell, self._tell = self._tell, None  # the table as it was then is needed no more
        return tell()


class Watcher:
    """A viewer who watches one table through a mailbox."""

    def __init__(self, viewer: Viewer, mailbox: Mailbox) -> None:
        self.viewer = viewer
        self.mailbox = mailbox


class Channel:
    """One table and everybody who watches it."""

    def __init__(self, name: str, floor: OpenFloor, directory: Directory, steps: SmallSteps) -> None:
        self.name = name
        self._steps = steps
        self.watchers: OrderedSet[Watcher] = OrderedSet()
        self.stream = floor.service.table(name)
        self.sequence = 0
        self.showing: ShownViews | None = None
        self._floor = floor
        self._directory = directory
        self._recent: deque[PendingNews] = deque(maxlen=KEPT)
        self._pending: list[PendingNews] = []
        self._sections = SectionEncoder()
        self._flush: asyncio.TimerHandle | None = None
        self._flushed = 0.0
        self.stream.listeners.add(self._follow)

    def close(self) -> None:
        """Watch the table no more."""
        self.stream.listeners.discard(self._follow)
        if self._flush is not None:
            self._flush.cancel()

    # what happens

    def _follow(self, change: Change[TableSnapshot, Event]) -> None:
        happened = PendingNews(change.record, change.events, change.state.table)
        self._recent.append(happened)
        if self.watchers:
            self._pending.append(happened)
            self.look_again()

    def look_again(self) -> None:
        """Tell everybody who watches soon what is different by now."""
        if self._flush is None and self.watchers:
            loop = asyncio.get_running_loop()
            self._flush = loop.call_at(max(loop.time(), self._flushed + FLUSH_SECONDS), self.flush)

    def flush(self) -> None:
        """Show the table as it is by now, and tell everybody at once what is different."""
        if self._flush is not None:
            self._flush.cancel()
        self._flush, self._flushed = None, asyncio.get_running_loop().time()
        pending, self._pending = self._pending, []
        before, after = self.showing, self._show()
        if after is None:
            return
        last, self.showing, self.sequence = self.sequence, after, self.stream.head.sequence
        same = before is not None and last == self.sequence and not changes(before.staff, after.staff)
        if self.watchers and not same:
            self._tell(before, after, pending, last)

    def _show(self) -> ShownViews | None:
        whole, books = self.stream.state, self._floor.service.books(self.name)
        if whole is None or books is None:
            return None
        sources = Sources(
            table=whole.table,
            rulebook=books.rulebook,
            house=books.house,
            history=whole.history,
            alerts=whole.alerts,
            disabled=self._directory.floor.why_disabled(self.name),
            stopped=self.stream.stopped,
            acting=self.acting,
        )
        return show(sources, self.showing)

    def _tell(
        self, before: ShownViews | None, after: ShownViews, pending: list[PendingNews], last: int
    ) -> None:
        frames: dict[Viewer, str] = {}
        for watcher in self.watchers:
            viewer = (
                watcher.viewer
                if watcher.viewer.patron
                else STAFF_VIEWER
                if watcher.viewer.sees_behind
                else DISPLAY
            )
            if viewer not in frames:
                changed = changes(view_of(before, viewer) if before else None, view_of(after, viewer))
                frames[viewer] = self._frame(NewsFrame, changed, _moments(pending, viewer), last)
            watcher.mailbox.put(frames[viewer])

    def _frame(
        self, kind: type[ViewFrame | NewsFrame], changed: Changes, moments: list[MomentAt], after: int
    ) -> str:
        """Encode a frame; ``after`` is the sequence since which the moments are whole."""
        frame = kind(
            table=self.name,
            after=after,
            sequence=self.sequence,
            now=self._floor.clock.now().wall_time,
            clock=self.betting_clock,
            until=self.until,
            moments=moments,
            sections=self._sections.encode(changed),
        )
        return _encoder.encode(frame).decode()

    @property
    def betting_clock(self) -> BettingClock | None:
        """The clock of the betting that is open."""
        whole, definition = self.stream.state, self._directory.table(self.name)
        timers = definition.timers if definition else Timers()
        return betting_clock(whole.table, timers, self._since(whole).phase) if whole else None

    @property
    def until(self) -> int | None:
        """When patrons are no longer waited for, in microseconds since 1970."""
        whole, definition = self.stream.state, self._directory.table(self.name)
        if whole is None or self.showing is None or definition is None:
            return None
        return waits_until(definition, self.showing.ground.due, self._since(whole))

    def _since(self, whole: TableSnapshot) -> Timestamps:
        """Return the times of a state as they are shown: none is to come, also if the clock was put back."""
        now = self._floor.clock.now().wall_time
        return Timestamps(min(whole.since.phase, now), min(whole.since.record, now))

    @property
    def acting(self) -> tuple[Acting, ...]:
        """The appointments to a post that are in force now."""
        whole = self.stream.state
        if whole is None or not whole.table.acting:
            return ()
        return whole.table.acting_at(self._floor.clock.now().moment)

    @property
    def figures(self) -> TableFigures:
        """The figures of the table, for the metrics."""
        whole = self.stream.state
        return TableFigures(
            table=self.name,
            records=self.stream.head.sequence,
            rounds=whole.table.rounds if whole else 0,
            watchers=len(self.watchers),
            alerts=sum(each.acknowledged_by is None for each in whole.alerts) if whole else 0,
            disputes=sum(each.step is not DisputeStep.CLOSED for each in whole.table.disputes)
            if whole
            else 0,
            stopped=self.stream.stopped is not None,
        )

    def is_out_of_date(self) -> bool:
        """Whether something else is so than is shown though nothing was recorded: the store, or the time."""
        if self.showing is None:
            return False
        shown = self.showing.ground.sources
        return shown.stopped != self.stream.stopped or shown.acting != self.acting

    # who watches

    async def watch(self, watcher: Watcher, after: int | None) -> bool:
        """Send what happened after a sequence, then everything as it is; from there on all that happens.

        Tells whether there is such a table. What is too long ago is left out; it can be read page by page.
        """
        await self.stream.load()
        happened: list[PendingNews] = []
        seen = told = self.stream.head.sequence - self.missed(after)
        while seen < self.stream.head.sequence:
            found = await self.happened(seen, MOST_TOLD)
            happened += found
            seen = found[-1].sequence
        self.flush()  # so that everybody before has what this one gets
        if self.showing is None:
            return False
        self.watchers.add(watcher)
        view = changes(None, view_of(self.showing, watcher.viewer))
        watcher.mailbox.put(self._frame(ViewFrame, view, _moments(happened, watcher.viewer), told))
        return True

    def show_anew(self, watcher: Watcher, viewer: Viewer) -> None:
        """Show everything to somebody who is another viewer from now on."""
        self.flush()
        watcher.viewer = viewer
        if self.showing is not None:
            view = changes(None, view_of(self.showing, viewer))
            watcher.mailbox.put(self._frame(ViewFrame, view, [], self.sequence))

    def missed(self, after: int | None) -> int:
        """Return how many records are told to somebody who knows those up to a sequence; none if too many."""
        behind = 0 if after is None else self.stream.head.sequence - after
        return behind if 0 < behind <= MOST_TOLD else 0

    async def happened(self, after: int, most: int) -> tuple[PendingNews, ...]:
        """Return the news of the records after a sequence, worked out in small steps."""
        if self._recent and self._recent[0].sequence <= after + 1:
            return tuple(each for each in self._recent if each.sequence > after)[:most]
        whole = self.stream.state
        assert whole is not None
        found: list[PendingNews] = []
        while len(found) < most:
            page = await self._floor.store.read(
                self.name, after=after, most=min(STEP_RECORDS, most - len(found))
            )
            if not page:
                break
            async with self._steps.step():
                found += [_worked_out(record, whole.table) for record in page]
            after = page[-1].sequence
        return tuple(found)

    async def messages(self, viewer: Viewer, after: int, most: int) -> tuple[int, list[MomentAt]]:
        """The moments after a sequence for a viewer, and the last sequence that they cover."""
        await self.stream.load()
        if after >= self.stream.head.sequence:
            return after, []
        found = await self.happened(after, most)
        return found[-1].sequence, _moments(found, viewer)


def _worked_out(record: Record, table: Table) -> PendingNews:
    news = PendingNews(record, table_result_of(record).events, table)
    assert news.told is not None
    return news


def _moments(happened: Iterable[PendingNews], viewer: Viewer) -> list[MomentAt]:
    found = []
    for each in happened:
        for told in each.told:
            moment = _for(told, viewer)
            if moment is not None:
                found.append(MomentAt(each.sequence, each.at, moment))
    return found


def _for(told: MomentAudience, viewer: Viewer) -> Moment | None:
    if viewer.sees_behind:
        return told.staff
    return told.concerned.get(viewer.patron or "", told.everybody)


class Hub:
    """The channels of all tables, and the lobby."""

    def __init__(self, floor: OpenFloor) -> None:
        self.steps = SmallSteps()
        self._floor = floor
        self._directory = Directory(floor.service.floor)
        self._channels: dict[str, Channel] = {}
        self._lobby: OrderedSet[Mailbox] = OrderedSet()
        self._lines: dict[str, LobbyLine] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Follow the floor."""
        self._floor.service.floor.listeners.add(self._floor_changed)
        self._task = asyncio.create_task(self._run(), name="lobby")

    async def stop(self) -> None:
        """Follow nothing more."""
        self._floor.service.floor.listeners.discard(self._floor_changed)
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for channel in self._channels.values():
            channel.close()

    def flush(self) -> None:
        """Tell everybody at once what is different by now."""
        for channel in self._channels.values():
            channel.flush()

    def channel(self, name: str) -> Channel | None:
        """The channel of a table that is defined."""
        if self._directory.table(name) is None:
            return None
        if name not in self._channels:
            self._channels[name] = Channel(name, self._floor, self._directory, self.steps)
        return self._channels[name]

    def channels(self) -> Iterable[Channel]:
        """The channels of all tables that are defined."""
        for definition in self._directory.floor.tables:
            channel = self.channel(definition.setup.table)
            assert channel is not None
            yield channel

    def figures(self) -> Iterable[TableFigures]:
        """Return the figures of every table, as they are now."""
        for channel in self.channels():
            yield channel.figures

    def forget(self, watcher: Watcher) -> None:
        """Forget a viewer who is gone."""
        for channel in self._channels.values():
            channel.watchers.discard(watcher)

    def show_anew(self, table: str, watcher: Watcher, viewer: Viewer) -> None:
        """Show a table to its watcher as another viewer from now on."""
        self._channels[table].show_anew(watcher, viewer)

    # the lobby

    def lobby(self) -> tuple[LobbyLine, ...]:
        """A line for each table that is set up."""
        found = []
        for channel in self.channels():
            if channel.sequence != channel.stream.head.sequence:
                channel.flush()
            if channel.showing is not None:
                found.append(lobby_line(channel.showing))
        return tuple(found)

    def watch_lobby(self, mailbox: Mailbox) -> None:
        """Send the lobby, and from now on the lines that change."""
        self._lobby.add(mailbox)
        mailbox.put(self._lobby_frame(self.lobby()))

    def leave_lobby(self, mailbox: Mailbox) -> None:
        """Send no more of it."""
        self._lobby.discard(mailbox)

    def _lobby_frame(self, lines: tuple[LobbyLine, ...]) -> str:
        frame = LobbyFrame(now=self._floor.clock.now().wall_time, tables=lines)
        return _encoder.encode(frame).decode()

    def _floor_changed(self, change: object) -> None:  # noqa: ARG002
        for channel in self._channels.values():
            channel.look_again()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOBBY_EVERY)
            for channel in self._channels.values():
                if channel.is_out_of_date():
                    channel.look_again()
            if self._lobby:
                self._tell_lobby()

    def _tell_lobby(self) -> None:
        lines = {line.table: line for line in self.lobby()}
        changed = tuple(line for name, line in lines.items() if self._lines.get(name) != line)
        self._lines = lines
        if changed:
            frame = self._lobby_frame(changed)
            for mailbox in self._lobby:
                mailbox.put(frame)

    async def load(self) -> None:
        """Have every table at hand."""
        for channel in self.channels():
            with contextlib.suppress(StoreFailed):
                await channel.stream.load()
