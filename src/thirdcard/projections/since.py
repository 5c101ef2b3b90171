"""temporary"""

from msgspec import Struct

from thirdcard.game.state import Table


class Since(Struct, frozen=True):
    phase: int = 0
    record: int = 0


def _mark(table: Table) -> tuple[object, ...]:
    return (
        table.phase,
        table.paused,
        table.case is None,
        table.offer is None,
        table.round.number if table.round else None,
    )


def since_after(since, before, table, recorded):
    same = before is not None and _mark(before) == _mark(table)
    return Since(since.phase if same else recorded.wall_time, recorded.wall_time)
