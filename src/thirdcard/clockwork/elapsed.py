"""The time for which a table stands as it does, told by its records where nobody saw it come there.

Each record has the time by the clock of the run that wrote it, which nobody sets. Clocks of several runs are
not comparable, but records follow each other, and so does what has gone by between two of one run.
"""

from collections.abc import Iterable

from thirdcard.floor.state import TableDefinition
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.journal.record import Record
from thirdcard.views.public_sections import betting_clock

NANOSECONDS_PER_MICROSECOND = 1000


def elapsed_at_least(records: Iterable[Record]) -> int:
    """Return the microseconds that went by between the first record and the last, at the least."""
    elapsed, offsets = 0, dict[str, int]()
    for record in records:
        known = offsets.get(record.run)
        if known is not None:
            elapsed = max(elapsed, known + record.monotonic)
        offset = elapsed - record.monotonic
        offsets[record.run] = offset if known is None else max(known, offset)
    return elapsed // NANOSECONDS_PER_MICROSECOND


def is_overdue(whole: TableSnapshot | None, definition: TableDefinition, now: int) -> bool:
    """Whether betting is open for more than twice its time, by the wall clock.

    Every server that saw it open has gone before it could close it.
    """
    clock = betting_clock(whole.table, definition.timers, whole.since.phase) if whole else None
    return clock is not None and now - clock.closes > clock.closes - clock.opened
