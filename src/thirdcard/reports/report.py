"""Reports by gaming day, by shift or of a whole time: lines for pits, tables, games, dealers and wagers."""

import bisect
import enum
import functools
import hashlib
import itertools
from collections.abc import Callable, Iterator
from datetime import date

from msgspec import Struct, field

from thirdcard.auditor.stored_rules import Rules, StoredRules
from thirdcard.dossier.event_rows import IncidentRow
from thirdcard.dossier.floor_history import FloorHistory
from thirdcard.floor.gaming_day import DAY, MICROSECOND, BadPeriod, GamingDays, Period
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.record import EMPTY, Head, Record, head_of
from thirdcard.journal.store import FLOOR_STREAM, Store, records
from thirdcard.messages import message
from thirdcard.odds.covariance import Covariances, covariances
from thirdcard.reports.figures import Figures, Priced
from thirdcard.reports.fold import UNHEARD, FoldListener, Happening, LineKey, ReportTerms, TableFold

ReportProgress = Callable[[int], None]
MOST_DAYS = 366
MARK_EVERY = 2_000  # records, between two places from which a later report goes on


class Block(Struct):
    """The lines of one period, and what went wrong in it."""

    period: Period
    lines: dict[LineKey, Figures] = field(default_factory=dict)
    incidents: list[IncidentRow] = field(default_factory=list)


class ReportOrigin(Struct, frozen=True):
    """The records that a report was made from: the first one of the floor, and the last one of each table."""

    floor: str  # its digest
    heads: dict[str, Head]

    @property
    def digest(self) -> str:
        """The digest of all of these: a line for the floor, and one for each table, in their order."""
        lines = [
            self.floor,
            *(f"{name} {head.sequence} {head.digest.hex()}" for name, head in self.heads.items()),
        ]
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


class ReportNames(Struct, frozen=True):
    """The printed names of games by their id, and of wagers by the id of the game and their own."""

    games: dict[str, str]
    wagers: dict[str, dict[str, str]]


class WinReport(Struct, frozen=True):
    """The blocks of a report, with the terms that its figures are held against, and what it was made from."""

    blocks: tuple[Block, ...]
    terms: ReportTerms
    origin: ReportOrigin

    def covariances_of(self, game: Priced) -> Covariances:
        """The exact moments of a game's wagers."""
        return covariances(self.terms.rulebooks[game], game.decks, game.pair_rule)

    @property
    def names(self) -> ReportNames:
        """The names of the games and wagers of the report."""
        books = {game.game: book for game, book in self.terms.rulebooks.items()}
        wagers = {game: {each.id: each.name for each in book.wagers.values()} for game, book in books.items()}
        return ReportNames({game: book.name for game, book in books.items()}, wagers)


class ReportKind(enum.StrEnum):
    """The periods of a report: each gaming day, each shift, or the whole time."""

    DAY = "day"
    SHIFT = "shift"
    TABLE = "table"


def periods(days: GamingDays, kind: ReportKind, first: date, last: date) -> tuple[Period, ...]:
    """The periods of a report from one date to another."""
    number = (last - first).days + 1
    if number < 1:
        raise BadPeriod(message("report.last-before-first"))
    if number > MOST_DAYS:
        dates = {"first": first.isoformat(), "last": last.isoformat()}
        raise BadPeriod(message("report.too-many-days", days=number, most=MOST_DAYS, **dates))
    dates_of = [first + DAY * place for place in range(number)]
    match kind:
        case ReportKind.DAY:
            return tuple(days.day(each) for each in dates_of)
        case ReportKind.SHIFT:
            return tuple(shift for each in dates_of for shift in days.shifts_of(each))
        case ReportKind.TABLE:
            return (Period(first, None, days.day(first).begins, days.day(last).ends),)


class ReadMark(Struct, frozen=True):
    """A place in a stream from which a report can go on: no record up to there is later than ``moment``."""

    sequence: int
    moment: int
    fold: TableFold


Marks = dict[str, list[ReadMark]]


async def make_report(
    store: Store,
    streams: tuple[str, ...],
    of: tuple[Period, ...],
    *,
    history: FloorHistory | None = None,
    marks: Marks | None = None,
    progress: ReportProgress = lambda _: None,
) -> WinReport:
    """Fold the records of tables into the periods; what happened at another time is left out.

    Whoever gives ``marks`` again reads only what has come since, or a little more than the periods. Reading
    ends a day after them: no clock is set back by more.
    """
    blocks = tuple(Block(period) for period in of)
    terms, heads = ReportTerms(), dict[str, Head]()
    reader = _Reader(store, blocks, history or FloorHistory(), progress)
    for stream in streams:
        fold, head = await reader.read(stream, [] if marks is None else marks.setdefault(stream, []))
        terms.take(fold.terms)
        if head.sequence:
            heads[stream] = head
    first = await store.read(FLOOR_STREAM, most=1)
    return WinReport(blocks, terms, ReportOrigin(first[0].digest.hex() if first else "", heads))


class _Reader:
    """Reads tables, one after the other, into the same blocks."""

    def __init__(
        self, store: Store, blocks: tuple[Block, ...], history: FloorHistory, progress: ReportProgress
    ) -> None:
        self._store = store
        self._blocks = blocks
        self._history = history
        self._starts = [block.period.begins for block in blocks]
        self._progress = progress
        self._begins = min((block.period.begins for block in blocks), default=0)
        self._ends = max((block.period.ends for block in blocks), default=0)

    async def read(self, stream: str, marks: list[ReadMark]) -> tuple[TableFold, Head]:
        """Fold a stream, and return with it its last record before the periods end.

        A stream that is no table has nothing to report.
        """
        listener = FoldListener(self._add, self._note, functools.partial(self._history.pit_of, stream))
        start = next((mark for mark in reversed(marks) if mark.moment < self._begins), None)
        fold = start.fold.resumed(listener) if start else TableFold(stream, listener)
        latest, head, rules = start.moment if start else 0, EMPTY, StoredRules(self._store)
        known = marks[-1].sequence if marks else 0
        async for record in records(self._store, stream, after=start.sequence if start else 0):
            if not record.rulebook or record.wall_time >= self._ends + DAY // MICROSECOND:
                break
            if record.wall_time < self._ends:
                head = head_of(record)
            await _take(fold, record, rules)
            latest = max(latest, record.wall_time)
            self._progress(1)
            if record.sequence >= known + MARK_EVERY:
                known = record.sequence
                marks.append(ReadMark(known, latest, fold.resumed(UNHEARD)))
        fold.finish()
        if start and head is EMPTY:
            (last,) = await self._store.read(stream, after=start.sequence - 1, most=1)
            head = head_of(last)
        return fold, head

    def _blocks_of(self, begins: int, ends: int) -> Iterator[Block]:
        """The blocks into which a time may fall; they follow each other."""
        first = max(bisect.bisect_right(self._starts, begins) - 1, 0)
        return itertools.takewhile(lambda block: block.period.begins <= ends, self._blocks[first:])

    def _add(self, happening: Happening) -> None:
        for block in self._blocks_of(happening.begins, happening.ends):
            period = block.period
            begins, ends = max(happening.begins, period.begins), min(happening.ends, period.ends)
            if begins < ends or (happening.begins == happening.ends and happening.begins in period):
                for key in happening.lines:
                    figures = block.lines.setdefault(key, Figures())
                    happening.change(figures, ends - begins)

    def _note(self, incident: IncidentRow) -> None:
        for block in self._blocks_of(incident.moment, incident.moment):
            if incident.moment in block.period:
                block.incidents.append(incident)


async def _take(fold: TableFold, record: Record, rules: StoredRules) -> None:
    found = await rules.of(record)
    assert isinstance(found, Rules)
    fold.take(record, found, table_result_of(record).events)
