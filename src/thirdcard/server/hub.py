"""Tells everybody who watches a table what happened there, each as much as they may know.

A change of a table is shown once for all: sections are made and written once, and only what is a patron's own
is made for that patron. Records that come close together go out together. Nobody is waited for: a socket has
a mailbox, and one that overflows is given up and resumes by sequence.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable

from msgspec import Struct

from thirdcard.access.directory import Directory
from thirdcard.folds.slips import OverdueBox
from thirdcard.folds.snapshot import TableSnapshot, Timestamps
from thirdcard.folds.viewers import DISPLAY, STAFF_VIEWER, Viewer
from thirdcard.game.events import Event
from thirdcard.game.state import Table
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.record import Record
from thirdcard.journal.store import StoreFailed
from thirdcard.ordered import OrderedSet
from thirdcard.server.metrics import TableFigures, figures_of
from thirdcard.server.shares import STEP_RECORDS, PacedSends, SmallSteps
from thirdcard.server.socket_frames import WriteFrame, frame_of
from thirdcard.server.sources import overdue_at, sources_of
from thirdcard.staff import Acting
from thirdcard.streams.ahead import Change
from thirdcard.streams.opening import OpenFloor
from thirdcard.streams.tables import Books
from thirdcard.views.lobby import LobbyLine, lobby_line
from thirdcard.views.moments.telling import MomentAudience, tell_all
from thirdcard.views.public_sections import betting_clock, waits_until
from thirdcard.views.sections.whole import BettingClock
from thirdcard.views.view import Changes, SectionEncoder, ShownViews, changes, show, view_of
from thirdcard.wire.answers import MomentAt
from thirdcard.wire.frames import LobbyFrame, NewsFrame, ViewFrame

KEPT = 64  # records of a table at hand for clients that come back
MOST_TOLD = 1000  # records that are told again over a socket; older ones are asked for page by page
# the pace of frames on the wire, in real seconds: nothing at a table depends on it
FLUSH_SECONDS = 0.02  # within which records go out together, at least
FLUSH_SECONDS_PER_WATCHER = 0.00006  # five times what sending takes: most of the time is for others
LOBBY_EVERY = 0.5
MAILBOX_MESSAGES = 512  # messages that may wait
MOST_SIZE = 4 * 1024 * 1024  # bytes in them
CALM = 64 * 1024  # bytes that may wait while something more is done for the client


class Mailbox:
    """A queue of frames; when it overflows it is closed, and the client resumes by sequence.

    While the client reads as fast as frames come, ``write`` takes each in its turn. What it does not take,
    and everything after that, waits for the pump.
    """

    def __init__(
        self,
        write: WriteFrame | None = None,
        sends: PacedSends | None = None,
        *,
        most: int = MAILBOX_MESSAGES,
        most_size: int = MOST_SIZE,
    ) -> None:
        self._write = write
        self._sends = PacedSends() if sends is None else sends
        self._frames: deque[bytes] = deque()
        self._size = 0
        self._most = most
        self._most_size = most_size
        self._idle = False  # the pump has sent everything that it took
        self._in_line = False
        self._wake = asyncio.Event()
        self.calm = asyncio.Event()  # little waits: something more may be done for the client
        self.calm.set()
        self._closed = False

    def put(self, frame: bytes) -> bool:
        """Send a frame as soon as it is its turn; whether there was room."""
        if self._closed:
            return False
        if len(self._frames) >= self._most or self._size + len(frame) > self._most_size:
            self.close()
            return False
        self._frames.append(frame)
        self._size += len(frame)
        if self._size > CALM:
            self.calm.clear()
        if self._idle and not self._in_line:
            self._in_line = True
            self._sends.soon(self._send)
        return True

    def close(self, *, drop: bool = True) -> None:
        """Take no more, and let the pump end, with or without what waits."""
        self._closed = True
        if drop:
            self._frames.clear()
        self.calm.set()
        self._wake.set()

    def _send(self) -> None:
        """Write what waits, or wake the pump for it."""
        self._in_line = False
        while self._idle and self._frames and self._write is not None and self._write(self._frames[0]):
            self._take_first()
        if self._frames:
            self._wake.set()

    async def take(self) -> bytes | None:
        """The next frame, or nothing once the mailbox is closed and has no more.

        Whoever asks for it has sent the one before.
        """
        while not self._frames:
            if self._closed:
                return None
            self._idle = True
            self._wake.clear()
            await self._wake.wait()
            self._idle = False
        return self._take_first()

    def _take_first(self) -> bytes:
        frame = self._frames.popleft()
        self._size -= len(frame)
        if self._size <= CALM:
            self.calm.set()
        return frame


class PendingNews(Struct):
    """The news of one record for viewers, worked out when somebody wants to know.

    ``told`` has each event's moments from then on; the table as it was then is needed no more.
    """

    sequence: int
    at: int
    events: tuple[Event, ...]
    table: Table | None
    told: tuple[MomentAudience, ...] = ()

    def moments(self, viewer: Viewer) -> list[MomentAt]:
        """Return the moments of a viewer."""
        if self.table is not None:
            self.told = tuple(tell_all(event, self.table) for event in self.events)
            self.table, self.events = None, ()
        found = (each.moment_for(viewer) for each in self.told)
        return [MomentAt(self.sequence, self.at, moment) for moment in found if moment is not None]


class TableClocks(Struct, frozen=True):
    """The times at a table, in microseconds since 1970: now, the clock of the betting that is open, and
    until when patrons are waited for."""

    now: int
    betting: BettingClock | None = None
    until: int | None = None


class Watcher(Struct, eq=False):
    """A viewer who watches one table through a mailbox."""

    viewer: Viewer
    mailbox: Mailbox


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
        self._books: Books | None = None
        self.stream.listeners.add(self._follow)

    def close(self) -> None:
        """Watch the table no more."""
        self.stream.listeners.discard(self._follow)
        if self._flush is not None:
            self._flush.cancel()

    # what happens

    def _follow(self, change: Change[TableSnapshot, Event]) -> None:
        record = change.record
        happened = PendingNews(record.sequence, record.wall_time, change.events, change.state.table)
        self._recent.append(happened)
        if self.watchers:
            self._pending.append(happened)
            self.look_again()

    def look_again(self) -> None:
        """Tell everybody who watches soon what is different by now."""
        if self._flush is None and self.watchers:
            loop = asyncio.get_running_loop()
            pace = max(FLUSH_SECONDS, FLUSH_SECONDS_PER_WATCHER * len(self.watchers))
            self._flush = loop.call_at(max(loop.time(), self._flushed + pace), self.flush)

    def flush(self) -> None:
        """Show the table as it is by now, and tell everybody at once what is different."""
        if self._flush is not None:
            self._flush.cancel()
        self._flush, self._flushed = None, asyncio.get_running_loop().time()
        pending, self._pending = self._pending, []
        whole = self.stream.state
        if whole is None:
            return
        books = self._books
        if books is None or books.digests != whole.rules or books.rulebook.id != whole.table.setup.game:
            books = self._books = self._floor.service.books(self.name)
        assert books is not None
        shelf, now, before = self._floor.service.shelf, self._floor.clock.now().moment, self.showing
        earlier, stopped = before.ground.sources if before else None, self.stream.stopped
        sources = sources_of(shelf, whole, books, self._directory, now, stopped=stopped, before=earlier)
        after = show(sources, before)
        last, self.showing, self.sequence = self.sequence, after, self.stream.head.sequence
        if self.watchers:
            self._tell(before, after, pending, last)

    def _tell(
        self, before: ShownViews | None, after: ShownViews, pending: list[PendingNews], last: int
    ) -> None:
        frames: dict[Viewer, bytes | None] = {}
        clocks = self.clocks()
        for watcher in self.watchers:
            viewer = watcher.viewer
            if not viewer.patron:
                viewer = STAFF_VIEWER if viewer.sees_behind else DISPLAY
            if viewer not in frames:
                changed = changes(view_of(before, viewer) if before else None, view_of(after, viewer))
                moments = [moment for each in pending for moment in each.moments(viewer)]
                news = changed or last != self.sequence
                frames[viewer] = self._frame(NewsFrame, clocks, changed, moments, last) if news else None
            frame = frames[viewer]
            if frame is not None:
                watcher.mailbox.put(frame)

    def _frame(
        self,
        kind: type[ViewFrame | NewsFrame],
        clocks: TableClocks,
        changed: Changes,
        moments: list[MomentAt],
        after: int,
    ) -> bytes:
        """Encode a frame; ``after`` is the sequence since which the moments are whole."""
        frame = kind(
            table=self.name,
            after=after,
            sequence=self.sequence,
            now=clocks.now,
            clock=clocks.betting,
            until=clocks.until,
            moments=moments,
            sections=self._sections.encode(changed),
        )
        return frame_of(frame)

    def clocks(self) -> TableClocks:
        """Return the times that are shown by now; none is to come, also if the wall clock was put back."""
        now, whole = self._floor.clock.now().wall_time, self.stream.state
        definition = self._directory.table(self.name)
        if whole is None or self.showing is None or definition is None:
            return TableClocks(now)
        since = Timestamps(min(whole.since.phase, now), min(whole.since.record, now))
        betting = betting_clock(whole.table, definition.timers, since.phase)
        until = waits_until(definition, self.showing.ground.due, since) if betting is None else None
        return TableClocks(now, betting, until)

    @property
    def acting(self) -> tuple[Acting, ...]:
        """The appointments to a post that are in force now."""
        whole = self.stream.state
        if whole is None or not whole.table.acting:
            return ()
        return whole.table.acting_at(self._floor.clock.now().moment)

    @property
    def overdue(self) -> tuple[OverdueBox, ...]:
        """The drop boxes that nobody has counted by the end of their gaming day."""
        whole = self.stream.state
        if whole is None or not (whole.table.chips.boxes or whole.table.chips.open):
            return ()
        return overdue_at(whole, self._directory.floor, self._floor.clock.now().moment)

    @property
    def figures(self) -> TableFigures:
        """The figures of the table, for the metrics."""
        counts = {"watchers": len(self.watchers), "overdue": len(self.overdue)}
        return figures_of(self.stream, **counts, monotonic=self._floor.clock.now().monotonic)

    def is_out_of_date(self) -> bool:
        """Whether something else is so than is shown though nothing was recorded: the store, or the time."""
        if self.showing is None:
            return False
        shown = self.showing.ground.sources
        now = self.stream.stopped, self.acting, self.overdue
        return (shown.stopped, shown.acting, shown.overdue) != now

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
        moments = [moment for each in happened for moment in each.moments(watcher.viewer)]
        watcher.mailbox.put(self._frame(ViewFrame, self.clocks(), view, moments, told))
        return True

    def show_anew(self, watcher: Watcher, viewer: Viewer) -> None:
        """Show everything to somebody who is another viewer from now on."""
        self.flush()
        watcher.viewer = viewer
        if self.showing is not None:
            view = changes(None, view_of(self.showing, viewer))
            watcher.mailbox.put(self._frame(ViewFrame, self.clocks(), view, [], self.sequence))

    def missed(self, after: int | None) -> int:
        """Return how many records are told to somebody who knows those up to a sequence; none if too many."""
        behind = 0 if after is None else self.stream.head.sequence - after
        return behind if 0 < behind <= MOST_TOLD else 0

    async def happened(self, after: int, most: int) -> tuple[PendingNews, ...]:
        """Return the news of the records after a sequence, worked out in small steps.

        A record that is stored and that the stream does not have yet is not among them: it comes as news.
        """
        most = min(most, self.stream.head.sequence - after)
        if most <= 0:  # also at a table that was never set up, which has no state
            return ()
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
        return found[-1].sequence, [moment for each in found for moment in each.moments(viewer)]


def _worked_out(record: Record, table: Table) -> PendingNews:
    told = tuple(tell_all(event, table) for event in table_result_of(record).events)
    return PendingNews(record.sequence, record.wall_time, (), None, told)


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
        self._tell_lobby()  # everybody has the same lines now: one that changes back is sent again
        self._lobby.add(mailbox)
        mailbox.put(self._lobby_frame(tuple(self._lines.values())))

    def leave_lobby(self, mailbox: Mailbox) -> None:
        """Send no more of it."""
        self._lobby.discard(mailbox)

    def _lobby_frame(self, lines: tuple[LobbyLine, ...]) -> bytes:
        return frame_of(LobbyFrame(now=self._floor.clock.now().wall_time, tables=lines))

    def _floor_changed(self, _: object) -> None:
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
        before, self._lines = self._lines, {line.table: line for line in self.lobby()}
        changed = tuple(line for name, line in self._lines.items() if before.get(name) != line)
        if changed:
            frame = self._lobby_frame(changed)
            for mailbox in self._lobby:
                mailbox.put(frame)

    async def load(self) -> None:
        """Have every table at hand."""
        for channel in self.channels():
            with contextlib.suppress(StoreFailed):
                await channel.stream.load()
