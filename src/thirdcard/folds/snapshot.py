"""A table with everything that is folded beside it: the state of its stream, and what a snapshot keeps."""

from itertools import repeat

from msgspec import Struct

from thirdcard.folds.alerts import Alerts, alerts_after
from thirdcard.folds.history import History, history_after
from thirdcard.folds.meters import Meters, meters_after
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.timestamps import Timestamps, timestamps_after
from thirdcard.game.apply import fold
from thirdcard.game.events import Event
from thirdcard.game.state import Table
from thirdcard.rulebook.book import Rulebook


class TableSnapshot(Struct, frozen=True):
    """A table, its rounds, its meters, its alerts, and since when it stands as it does.

    ``rules`` are the digests of the rulebook and the house by which it was set up.
    """

    table: Table
    history: History
    meters: Meters
    alerts: Alerts
    since: Timestamps
    rules: tuple[str, str]


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
    table, history, meters, alerts = (
        (whole.table, whole.history, whole.meters, whole.alerts) if whole else (None, History(), Meters(), ())
    )
    for event, made in zip(events, tables or repeat(None), strict=False):
        table = made or fold(table, event)
        history = history_after(history, event, table, rulebook, recorded)
        meters = meters_after(meters, event)
        alerts = alerts_after(alerts, event, table, recorded)
    assert table is not None
    since = timestamps_after(whole.since if whole else None, whole.table if whole else None, table, recorded)
    return TableSnapshot(table, history, meters, alerts, since, rules)
