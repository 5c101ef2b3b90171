"""Gathers everything that the views of a table are made from."""

import datetime

from thirdcard.floor.state import Floor
from thirdcard.floor.table_rules import coming_rulebook, pending_change
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game.desk import QueryDesk
from thirdcard.rulebook.shelf import Shelf
from thirdcard.staff import Acting
from thirdcard.streams.tables import Books
from thirdcard.views.sources import Sources


def sources_of(
    shelf: Shelf,
    whole: TableSnapshot,
    books: Books,
    floor: Floor,
    now: datetime.datetime,
    *,
    stopped: str | None,
    acting: tuple[Acting, ...],
) -> Sources:
    """Return the sources of a table as it stands, with what its floor says about it."""
    table = whole.table
    name, desk = table.setup.table, QueryDesk(books.rulebook, books.house, table)
    definition = floor.table(name)
    return Sources(
        table=table,
        rulebook=books.rulebook,
        house=books.house,
        history=whole.history,
        alerts=whole.alerts,
        slips=whole.slips,
        disabled=floor.why_disabled(name) if floor.disabled else None,
        stopped=stopped,
        acting=acting,
        pending=pending_change(shelf, definition, desk, now) if definition else None,
        coming=coming_rulebook(shelf, books.rulebook.document),
        stands_since=whole.since.phase,
        next_marks=definition is not None and definition.next_marks,
        dealt_by_itself=(definition is not None and definition.automatic_dealer and definition.virtual_shoe),
    )
