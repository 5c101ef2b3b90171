"""A drop box that nobody counts by the end of its gaming day: the pit and the records say so until it is."""

from collections.abc import Iterator

import pytest
from screens.browser import WIDTHS
from screens.conftest import Visit
from screens.dealing import Table, felt
from screens.floors import GAMES, demonstration
from screens.test_pit import counted, pit_at
from server.served import Server

from thirdcard.floor.gaming_day import gaming_days

LEFT = 120  # seconds of the gaming day
SAID = "Nobody has counted the drop box of inventory 1, and its gaming day is over."
SAID_IN_CHINESE = "筹码账 1 的钱箱无人清点，而其博彩日已结束。"


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor whose gaming day ends soon."""
    server = demonstration(tmp_path_factory.mktemp("overdue"), felt("chips", GAMES["tiger"]))
    days, now = gaming_days(()), server.clock.now().wall_time
    server.move(max(0, (days.day(days.date_of(now)).ends - now) / 1_000_000 - LEFT))
    yield server
    server.kill()


def test_a_drop_box_that_nobody_counts_needs_attention_when_the_gaming_day_ends(
    visit: Visit, house: Server
) -> None:
    pit = pit_at(visit, house, "chips").on_duty()
    dealer = visit(None, at=house, post="dealer")
    Table(dealer, "chips").staffed()
    for title in ("Count the opener", "Count the closer"):
        counted(pit, title, "Dealer", {"100": "50"}, "5,000.00")
    pit.panel("Chips and cash").get_by_text("waits to be counted").wait_for()
    assert pit.page.get_by_text(SAID).count() == 0
    house.move(LEFT)
    pit.panel("Chips and cash").get_by_text(SAID).wait_for()
    all_tables = visit("/pit", at=house, post="pit-manager", size=WIDTHS["phone"])
    all_tables.page.get_by_role("region", name="Needs attention").get_by_text(SAID).wait_for()
    assert not all_tables.overflows()
    incidents = visit("/records?part=incidents", at=house, post="auditor", language="zh-Hans")
    incidents.page.get_by_text(SAID_IN_CHINESE).wait_for()
    other = pit_at(visit, house, "chips", post="gaming-shift-manager")
    counted(other, "Count the drop box", "Assistant Casino Manager", {"100": "1"}, "100.00")
    # it stands in the list, and at the table
    all_tables.until(lambda: all_tables.page.get_by_text(SAID).count() == 0)
