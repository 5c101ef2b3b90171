"""A table with everything that is folded beside it: the state of its stream, and what a snapshot keeps."""

from msgspec import Struct

from thirdcard.game.apply import apply, begin
from thirdcard.game.events import Event, TableSetUp
from thirdcard.game.state import Table
from thirdcard.projections.alerts import Alerts, alerts_after
from thirdcard.projections.history import History, history_after
from thirdcard.projections.meters import Meters, meters_after
from thirdcard.projections.recorded import Recorded
from thirdcard.projections.since import Since, since_after
from thirdcard.rulebook.book import Rulebook


class Whole(Struct, frozen=True):
    """A table, its rounds, its meters and its alerts."""

    table: Table
    history: History
    meters: Meters
    alerts: Alerts
    since: Since = Since()


def whole_after(
    whole: Whole | None, events: tuple[Event, ...], rulebook: Rulebook, recorded: Recorded
) -> Whole | None:
    """Everything after the events of a record; nothing before a table is set up."""
    for event in events:
        if whole is None:
            assert isinstance(event, TableSetUp)
            whole = Whole(begin(event), History(), Meters(), ())
        table = apply(whole.table, event)
        whole = Whole(
            table,
            history_after(whole.history, event, table, rulebook, recorded),
            meters_after(whole.meters, event),
            alerts_after(whole.alerts, event, table, recorded),
            since_after(whole.since, whole.table, table, recorded),
        )
    return whole
