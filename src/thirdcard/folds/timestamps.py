"""Since when a table stands as it does: what its clock goes by, the same in every process."""

from operator import attrgetter, is_

from msgspec import Struct

from thirdcard.folds.record_place import Recorded
from thirdcard.game.state import Table


class Timestamps(Struct, frozen=True):
    """Times in microseconds since 1970: of the record that brought a table where it stands, and of its last.

    A table stands elsewhere when its phase or round is another, when it is paused or resumed, and when an
    irregularity or an offer begins or ends.
    """

    phase: int
    record: int


def timestamps_after(
    since: Timestamps | None, before: Table | None, after: Table, recorded: Recorded
) -> Timestamps:
    """The times after a record, by the table before it and after it."""
    if since is None or before is None:
        return Timestamps(recorded.wall_time, recorded.wall_time)
    same = all(map(is_, _STANDS_BY(before), _STANDS_BY(after))) or _standing(before) == _standing(after)
    return Timestamps(since.phase if same else recorded.wall_time, recorded.wall_time)


_STANDS_BY = attrgetter("phase", "paused", "open_cases", "round")


def _standing(table: Table) -> tuple[object, ...]:
    number = table.round.number if table.round else None
    cases = tuple((case.id, case.offer is None) for case in table.open_cases)
    return table.phase, table.paused, cases, number
