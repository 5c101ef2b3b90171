"""Gathers everything that the views of a table are made from."""

import datetime

from thirdcard.access.directory import Directory
from thirdcard.floor.gaming_day import EPOCH, MICROSECOND, gaming_days
from thirdcard.floor.state import Floor
from thirdcard.floor.table_rules import coming_rulebook, pending_change
from thirdcard.folds.slips import OverdueBox, overdue_boxes
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game.desk import QueryDesk
from thirdcard.rulebook.shelf import Shelf
from thirdcard.streams.tables import Books
from thirdcard.views.sources import Sources


def sources_of(
    shelf: Shelf,
    whole: TableSnapshot,
    books: Books,
    directory: Directory,
    now: datetime.datetime,
    *,
    stopped: str | None,
    before: Sources | None,
) -> Sources:
    """Return the sources of a table as it stands, with what its floor says about it.

    The shelf stays as it is while a server runs, so what is coming changes with the rulebook alone.
    """
    table, known = whole.table, before if before and before.rulebook is books.rulebook else None
    chips = table.chips
    name, floor, pending = table.setup.table, directory.floor, None
    definition = directory.table(name)
    if definition is not None and (definition.setup != table.setup or table.change is not None):
        desk = QueryDesk(books.rulebook, books.house, table)
        pending = pending_change(shelf, definition, desk, now)
    return Sources(
        table=table,
        rulebook=books.rulebook,
        house=books.house,
        history=whole.history,
        alerts=whole.alerts,
        slips=whole.slips,
        overdue=overdue_at(whole, floor, now) if chips.boxes or chips.open else (),
        disabled=floor.why_disabled(name) if floor.disabled else None,
        stopped=stopped,
        acting=table.acting_at(now) if table.acting else (),
        pending=pending,
        coming=known.coming if known else coming_rulebook(shelf, books.rulebook.document),
        stands_since=whole.since.phase,
        next_marks=definition is not None and definition.next_marks,
        dealt_by_itself=(definition is not None and definition.automatic_dealer and definition.virtual_shoe),
    )


def overdue_at(whole: TableSnapshot, floor: Floor, now: datetime.datetime) -> tuple[OverdueBox, ...]:
    """Return the drop boxes of a table that nobody has counted by the end of their gaming day."""
    moment = (now - EPOCH) // MICROSECOND
    return overdue_boxes(whole.table, whole.slips, gaming_days(floor.day_plans), moment)
