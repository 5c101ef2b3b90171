"""The folds of a table together, from one record to the next."""

from msgspec import Struct

from thirdcard.game import events as ev
from thirdcard.game.apply import apply
from thirdcard.game.state import Table
from thirdcard.projections.alerts import Alerts, alerts_after
from thirdcard.projections.history import History, history_after
from thirdcard.projections.meters import Meters, meters_after
from thirdcard.projections.recorded import Recorded
from thirdcard.rulebook.book import Rulebook


class Folds(Struct, frozen=True):
    """What the events of a table come to beside the table itself."""

    history: History = History()
    meters: Meters = Meters()
    alerts: Alerts = ()


class Followed(Struct, frozen=True):
    """The folds after a record, and the table as each of its events left it."""

    folds: Folds
    tables: tuple[Table, ...]


def follow(
    folds: Folds, table: Table, events: tuple[ev.Event, ...], rulebook: Rulebook, recorded: Recorded
) -> Followed:
    """The folds after the events of a record, from the table as it was before them."""
    history, meters, alerts = folds.history, folds.meters, folds.alerts
    tables: list[Table] = []
    for event in events:
        table = apply(table, event)
        tables.append(table)
        history = history_after(history, event, table, rulebook, recorded)
        meters = meters_after(meters, event)
        alerts = alerts_after(alerts, event, table, recorded)
    return Followed(Folds(history, meters, alerts), tuple(tables))
