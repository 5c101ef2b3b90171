"""A table with everything that is folded beside it: the state of its stream, and what a snapshot keeps."""

from itertools import repeat
from operator import attrgetter, is_

from msgspec import Struct

from thirdcard.folds.alarm_faces import UnnamedAlarm, name_cards, unnamed_after
from thirdcard.folds.alerts import Alerts, alerts_after
from thirdcard.folds.history import History, history_after
from thirdcard.folds.meters import Meters, meters_after
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.slips import Slips, slips_after
from thirdcard.game.apply import fold
from thirdcard.game.events import CardDrawn, ChipsEvent, Event, WagerPlaced
from thirdcard.game.state import Table
from thirdcard.rulebook.book import Rulebook

# the most frequent events, of which neither the history nor an alert tells
QUIET_EVENTS = (WagerPlaced, CardDrawn)
_STANDS_BY = attrgetter("phase", "paused", "open_cases", "round")


class Timestamps(Struct, frozen=True):
    """Times in microseconds since 1970: of the record that brought a table where it stands, and of its last.

    A table stands elsewhere when its phase or round is another, when it is paused or resumed, and when an
    irregularity or an offer begins or ends. A clock goes by them, the same in every process.
    """

    phase: int
    record: int


class TableSnapshot(Struct, frozen=True):
    """A table, its rounds, its meters, its alerts, its slips, and since when it stands as it does.

    ``rules`` are the digests of the rulebook and the house by which it was set up; ``stands_from`` is the
    sequence of the record that brought the table where it stands. ``unnamed`` are the alarms whose alerts do
    not tell their cards yet.
    """

    table: Table
    history: History
    meters: Meters
    alerts: Alerts
    since: Timestamps
    rules: tuple[str, str]
    stands_from: int = 0
    slips: Slips = ()
    unnamed: tuple[UnnamedAlarm, ...] = ()


def whole_after(
    whole: TableSnapshot | None,
    events: tuple[Event, ...],
    rulebook: Rulebook,
    recorded: Recorded,
    rules: tuple[str, str],
    tables: tuple[Table, ...] | None = None,
) -> TableSnapshot | None:
    """Everything after the events of a record; nothing before a table is set up.

    Whoever has decided just now has the table after each event, and spares making it again.
    """
    if not events:
        return whole
    table, history, meters, alerts, slips, unnamed = (
        (whole.table, whole.history, whole.meters, whole.alerts, whole.slips, whole.unnamed)
        if whole
        else (None, History(), Meters(), (), (), ())
    )
    for event, made in zip(events, tables or repeat(None), strict=False):
        table = made or fold(table, event)
        meters = meters_after(meters, event)
        if type(event) not in QUIET_EVENTS:
            history = history_after(history, event, table, rulebook, recorded)
            alerts = alerts_after(alerts, event, table, recorded)
            unnamed = unnamed_after(unnamed, event, table, recorded)
            if unnamed:
                alerts, unnamed = name_cards(alerts, unnamed, table)
            slips = slips_after(slips, event, table, recorded) if isinstance(event, ChipsEvent) else slips
    assert table is not None
    time = recorded.wall_time
    since, stands_from = Timestamps(time, time), recorded.sequence
    if whole is not None:
        same = all(map(is_, _STANDS_BY(whole.table), _STANDS_BY(table)))
        if same or standing(whole.table) == standing(table):
            since, stands_from = Timestamps(whole.since.phase, time), whole.stands_from
    return TableSnapshot(table, history, meters, alerts, since, rules, stands_from, slips, unnamed)


def standing(table: Table) -> tuple[object, ...]:
    """Return where a table stands; its clock goes by since when."""
    number = table.round.number if table.round else None
    cases = tuple((case.id, case.offer is None) for case in table.open_cases)
    return table.phase, table.paused, cases, number
