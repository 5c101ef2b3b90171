"""The time between records follows from the clocks of the runs that wrote them, each by itself."""

import pytest
from msgspec.structs import replace

from thirdcard.clockwork.elapsed import elapsed_at_least
from thirdcard.journal.record import EMPTY, Draft, Record, place

SECOND = 1_000_000_000
RECORD = place(
    Draft(
        stream="T",
        kind="place-wager",
        version=1,
        command_id="c",
        envelope=b"",
        body=b"",
        wall_time=0,
        monotonic=0,
        run="",
        rulebook="",
        house="",
        software="",
        says="",
    ),
    EMPTY,
)


def records(*written: tuple[str, float]) -> list[Record]:
    return [replace(RECORD, run=run, monotonic=round(at * SECOND)) for run, at in written]


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ([], 0),
        ([("a", 100)], 0),
        ([("a", 100), ("a", 107)], 7),
        ([("a", 100), ("b", 5), ("a", 107)], 7),
        ([("a", 100), ("b", 5), ("b", 9)], 4),
        ([("a", 100), ("a", 103), ("b", 5), ("b", 9)], 7),
        ([("a", 100), ("b", 5), ("a", 109), ("b", 13)], 9),  # both at once: not 9 and 8 together
        ([("a", 100), ("b", 5), ("b", 9), ("a", 101), ("a", 103)], 6),
        ([("a", 100), ("a", 106), ("b", 1), ("b", 3), ("c", 70), ("c", 71)], 9),
    ],
)
def test_as_much_went_by_as_one_clock_after_another_says(
    written: list[tuple[str, float]], seconds: int
) -> None:
    assert elapsed_at_least(records(*written)) == seconds * 1_000_000
