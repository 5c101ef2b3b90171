"""The clocks that a table shows: of betting, and of patrons who are waited for."""

import pytest
from folds.stories import TIGER, tell
from msgspec.structs import replace

from thirdcard.floor.state import TableDefinition, Timers
from thirdcard.folds.snapshot import Timestamps
from thirdcard.views.next_actions import Awaited, Due, NextStep
from thirdcard.views.public_sections import betting_clock, waits_until
from thirdcard.views.sections.whole import BettingClock

SECOND = 1_000_000
OPENED, RECORDED = 100 * SECOND, 110 * SECOND
TIMERS = Timers(betting=30, warning=5, offer=20)
BETTING = tell("patrons Ann at 1\nDealer: opens betting\nAnn: 600 on player at 1\n", TIGER).table


def test_betting_has_a_clock_that_warns_before_it_closes() -> None:
    assert betting_clock(BETTING, TIMERS, OPENED) == BettingClock(OPENED, 125 * SECOND, 130 * SECOND)


def test_patrons_are_warned_at_once_where_betting_is_shorter_than_the_warning() -> None:
    clock = betting_clock(BETTING, Timers(betting=3, warning=5), OPENED)
    assert clock == BettingClock(OPENED, OPENED, 103 * SECOND)


def test_no_clock_runs_while_people_close_betting_or_the_table_waits() -> None:
    assert betting_clock(BETTING, Timers(betting=0), OPENED) is None
    assert betting_clock(replace(BETTING, paused=True), TIMERS, OPENED) is None
    closed = tell("patrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n", TIGER).table
    assert betting_clock(closed, TIMERS, OPENED) is None


@pytest.mark.parametrize(
    ("step", "automatic", "until"),
    [
        (NextStep.ANSWERS, False, OPENED + 20 * SECOND),
        (NextStep.SQUEEZE, True, RECORDED + 20 * SECOND),
        (NextStep.SQUEEZE, False, None),
        (None, True, None),
    ],
)
def test_a_table_waits_for_patrons_so_long(step: NextStep | None, automatic: bool, until: int | None) -> None:
    definition = TableDefinition(setup=BETTING.setup, automatic_dealer=automatic, timers=TIMERS)
    due = Due(Awaited(step=step) if step else None)
    assert waits_until(definition, due, Timestamps(OPENED, RECORDED)) == until
