"""The floor at each moment: its gaming days, the pits of its tables, and the terminals of patrons."""

from bisect import bisect_right
from collections import defaultdict

from thirdcard.floor import events as ev
from thirdcard.floor.gaming_day import GamingDays, gaming_days
from thirdcard.floor.state import DayPlan
from thirdcard.journal.codec import floor_result_of
from thirdcard.journal.store import FLOOR_STREAM, Store, records


class FloorHistory:
    """The changes of a floor by the time at which each was recorded."""

    def __init__(self) -> None:
        self.plans: tuple[DayPlan, ...] = ()
        self._pits: defaultdict[str, _Changes] = defaultdict(_Changes)
        self._terminals: defaultdict[tuple[str, str], _Changes] = defaultdict(_Changes)
        self._tables: dict[str, str] = {}  # by terminal

    @property
    def days(self) -> GamingDays:
        """The gaming days of the floor."""
        return gaming_days(self.plans)

    def pit_of(self, table: str, moment: int) -> str:
        """Return the pit of a table, or nothing where it stands in none."""
        return self._pits[table].at(moment)

    def terminal_of(self, table: str, patron: str, moment: int) -> str:
        """Return the terminal that a patron of a table uses, or nothing."""
        return self._terminals[table, patron].at(moment)

    def follow(self, event: ev.FloorEvent, moment: int) -> None:
        """Take an event in."""
        match event:
            case ev.GamingDaySet():
                self.plans = (*self.plans, event.plan)
            case ev.TableDefined():
                self._pits[event.definition.setup.table].add(moment, event.definition.pit)
            case ev.TerminalExpected():
                self._tables[event.terminal.id] = event.terminal.table
            case ev.PatronSessionOpened():
                self._of(event).add(moment, event.terminal)
            case ev.PatronSessionClosed():
                self._of(event).add(moment, "")
            case _:
                pass

    def _of(self, event: ev.PatronSessionOpened | ev.PatronSessionClosed) -> "_Changes":
        return self._terminals[self._tables.get(event.terminal, ""), event.patron]


class _Changes:
    """A text that changes with time."""

    def __init__(self) -> None:
        self._times: list[int] = []
        self._texts: list[str] = []

    def add(self, moment: int, text: str) -> None:
        self._times.append(max([moment, *self._times[-1:]]))  # a clock may be set back
        self._texts.append(text)

    def at(self, moment: int) -> str:
        place = bisect_right(self._times, moment)
        return self._texts[place - 1] if place else ""


async def floor_history(store: Store) -> FloorHistory:
    """Return the history of the floor of a journal."""
    history = FloorHistory()
    async for record in records(store, FLOOR_STREAM):
        for event in floor_result_of(record).events:
            history.follow(event, record.wall_time)
    return history
