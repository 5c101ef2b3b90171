"""The section about chips and cash: sums of each inventory, slips with their times, boxes to be counted."""

import datetime

from folds.stories import SUPER_SIX, TIGER, tell
from msgspec.structs import replace

from thirdcard.floor.gaming_day import EPOCH, MICROSECOND, gaming_days
from thirdcard.floor.state import DayPlan, GamingDay
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.slips import OverdueBox, overdue_boxes
from thirdcard.folds.viewers import DISPLAY, STAFF_VIEWER, patron_viewer
from thirdcard.rulebook.house import MoneyAct
from thirdcard.staff import Post
from thirdcard.views.sections.chips import BoxShown, ChipControl, ChipsSection, InventoryShown
from thirdcard.views.view import show, view_of

TWO = "Dealer with Pit Supervisor"
OPENED = f"""\
automatic expose
patrons Ann at 1, Bob at 2
{TWO}: counts the opener 50 x 100, 200 x 25
{TWO}: brings chips 20 x 500
Dealer: sells chips to Ann for 1000
Dealer: opens betting
Ann: 200 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer: calls player
"""
CLOSED = f"{OPENED}{TWO}: sends back chips 3 x 1000\n{TWO}: counts the closer 15 x 1000, 8 x 100\n"


def section(lines: str, game: str = TIGER) -> ChipsSection:
    story = tell(lines, game)
    found = view_of(show(story.watch.sources(story.table)), STAFF_VIEWER).chips
    assert found is not None
    return found


def test_open_inventory_says_what_must_lie_in_the_tray() -> None:
    """10,000 + 10,000 - 1,000 for cash, and wagers brought 100 less 200."""
    (now,) = section(OPENED).inventories
    assert now == InventoryShown(
        number=1,
        opener=1_000_000,
        fills=1_000_000,
        returns=0,
        cash=100_000,
        tray=1_890_000,
        by_wagers=-10_000,
        closer=None,
        drop=None,
        win=None,
        difference=None,
    )


def test_closed_inventory_says_its_win_by_count_and_by_wagers_with_the_difference() -> None:
    """15,800 were counted where 15,900 must lie: 100 short."""
    shown = section(CLOSED)
    (closed,) = shown.inventories
    assert (closed.closer, closed.tray, closed.returns) == (1_580_000, 1_590_000, 300_000)
    assert (closed.win, closed.by_wagers, closed.difference) == (-20_000, -10_000, -10_000)
    assert (shown.boxes, shown.asks_opener) == ((BoxShown(1, 100_000),), True)


def test_drop_that_was_counted_is_in_the_win() -> None:
    """50 over in the box: the difference is 50 short in all."""
    shown = section(f"{CLOSED}Carl with Cora: counts drop box 1, 10 x 100, 1 x 50\n")
    (closed,) = shown.inventories
    assert (closed.cash, closed.drop, closed.win, closed.difference) == (100_000, 105_000, -15_000, -5_000)
    assert shown.boxes == ()


def test_slips_come_newest_first_with_their_times_and_people() -> None:
    shown = section(f"{OPENED}{TWO}: voids slip 3 because it was wrong\n")
    bought, filled, opener = shown.slips
    assert [each.act for each in shown.slips] == [MoneyAct.BUY_IN, MoneyAct.FILL, MoneyAct.OPENER]
    assert (bought.patron, bought.by, bought.second) == ("Ann", "Dealer", None)
    assert bought.voided is not None
    assert (bought.voided.by, bought.voided.second, bought.voided.reason) == (
        "Dealer",
        "Pit Supervisor",
        "it was wrong",
    )
    assert filled.voided is None
    assert opener.recorded.sequence < filled.recorded.sequence < bought.recorded.sequence
    (now,) = shown.inventories
    assert (now.cash, now.tray) == (0, 1_990_000)


def test_slips_of_two_inventories_are_kept() -> None:
    nothing = f"{TWO}: counts the closer nothing\n{TWO}: counts the opener nothing\n"
    shown = section(
        f"{TWO}: counts the opener nothing\n{nothing}{nothing}Carl with Cora: counts drop box 1, nothing\n"
    )
    assert [each.number for each in shown.inventories] == [3, 2]
    assert [each.number for each in shown.slips] == [6, 5, 4, 3]
    assert [each.inventory for each in shown.boxes] == [2]


# the gaming day begins at six in Singapore, where it is eight hours later than in UTC
DAYS = gaming_days((DayPlan(GamingDay("Asia/Singapore"), EPOCH),))
CLOSED_AT = datetime.datetime(2026, 11, 18, 21, 30, tzinfo=datetime.UTC)  # half past five of the 19th
DAY_ENDS = datetime.datetime(2026, 11, 18, 22, 0, tzinfo=datetime.UTC)  # six o'clock


def microseconds(moment: datetime.datetime) -> int:
    return (moment - EPOCH) // MICROSECOND


def overdue(lines: str, now: datetime.datetime, made: datetime.datetime = CLOSED_AT) -> list[OverdueBox]:
    """The boxes that are overdue at a time, where all slips were made at another."""
    story = tell(lines)
    at = Recorded(1, microseconds(made))
    slips = tuple(replace(each, recorded=at) for each in story.watch.slips)
    return [*overdue_boxes(story.table, slips, DAYS, microseconds(now))]


def test_drop_box_is_overdue_when_its_gaming_day_ends() -> None:
    box = [OverdueBox(1, microseconds(DAY_ENDS))]
    assert overdue(CLOSED, DAY_ENDS - MICROSECOND) == []
    assert overdue(CLOSED, DAY_ENDS) == box
    next_day = CLOSED_AT + datetime.timedelta(hours=1)
    assert overdue(CLOSED, DAY_ENDS, next_day) == []
    counted = f"{CLOSED}Carl with Cora: counts drop box 1, 10 x 100, 1 x 50\n"
    assert overdue(counted, DAY_ENDS) == []


def test_drop_box_of_an_inventory_that_nobody_closes_is_overdue() -> None:
    assert overdue(OPENED, DAY_ENDS - MICROSECOND) == []
    assert overdue(OPENED, DAY_ENDS) == [OverdueBox(1, microseconds(DAY_ENDS))]
    assert overdue("", DAY_ENDS) == []


def test_drop_box_whose_slips_are_no_longer_kept_is_overdue() -> None:
    nothing = f"{TWO}: counts the closer nothing\n{TWO}: counts the opener nothing\n"
    lines = f"{TWO}: counts the opener nothing\n{nothing}{nothing}"
    assert overdue(lines, CLOSED_AT) == [OverdueBox(1, None)]


def test_section_has_the_boxes_that_are_overdue() -> None:
    story = tell(CLOSED)
    box = OverdueBox(1, None)
    found = view_of(show(replace(story.watch.sources(story.table), overdue=(box,))), STAFF_VIEWER).chips
    assert found is not None
    assert found.overdue == (box,)


def test_section_names_values_and_posts() -> None:
    shown = section("")
    assert shown.values[:3] == (1_000_000, 500_000, 100_000)
    assert shown.notes[-1] == 200
    assert shown.asks_opener
    fill = next(each for each in shown.controls if each.act is MoneyAct.FILL)
    assert fill == ChipControl(MoneyAct.FILL, Post("pit-supervisor"), 10_000_000, Post("pit-manager"))


def test_terminals_have_no_chips() -> None:
    assert section("", SUPER_SIX) == ChipsSection()


def test_chips_and_exposure_are_for_staff_alone() -> None:
    story = tell(OPENED)
    showing = show(story.watch.sources(story.table))
    for viewer in (DISPLAY, patron_viewer("Ann")):
        view = view_of(showing, viewer)
        assert (view.chips, view.exposure) == (None, None)
    assert view_of(showing, STAFF_VIEWER).exposure is not None
