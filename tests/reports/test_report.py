"""Reports of made-up evenings, beside the meters, the ledger, and figures typed from the documents."""

import datetime
import itertools
from collections import Counter
from fractions import Fraction

import pytest
from golden import TEXTS
from journal.journals import EVENING, random_evening, told_evening, write
from msgspec.structs import replace

from thirdcard.floor.gaming_day import Period
from thirdcard.folds.ledger import HOUSE, balances
from thirdcard.folds.meters import Meters, meters_after
from thirdcard.game import events as ev
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.store import records
from thirdcard.reports.figures import Figures
from thirdcard.reports.fold import LineKey, LineSubject
from thirdcard.reports.report import Marks, WinReport, make_report

EVER = Period(datetime.date(1970, 1, 1), None, 0, 2**62)
SUMS = tuple(name for name in Figures.__struct_fields__ if name not in ("stakes", "products"))


async def played(seed: int, rounds: int, game: str) -> tuple[MemoryStore, list[ev.Event]]:
    store = MemoryStore()
    await write(store, random_evening("table-1", seed, rounds, game))
    events = [event async for record in records(store, "table-1") for event in table_result_of(record).events]
    return store, events


def line(report: WinReport, subject: LineSubject, name: str = "") -> Figures:
    (found,) = [
        figures
        for key, figures in report.blocks[0].lines.items()
        if key.subject is subject and key.name == name
    ]
    return found


@pytest.mark.parametrize("game", ["mbs-tiger-v3", "mbs-super-six-etg-v3", "hoiana-tiger-2024/commission"])
@pytest.mark.parametrize("seed", range(4))
async def test_a_report_of_all_time_is_what_meters_and_ledger_say(seed: int, game: str) -> None:
    store, events = await played(seed, 25, game)
    report = await make_report(store, ("table-1",), (EVER,))
    meters = Meters()
    for event in events:
        meters = meters_after(meters, event)
    table = line(report, LineSubject.TABLE, "table-1")
    assert (table.rounds, table.void_rounds) == (meters.table.rounds, meters.table.void_rounds)
    assert (table.turnover, table.win) == (meters.table.played, meters.table.house_win)
    assert (table.commission, table.awarded) == (meters.table.commission, meters.table.awarded)
    assert (table.bought, table.cashed_out) == (meters.table.bought, meters.table.cashed_out)
    assert table.win + table.besides == balances(events)[HOUSE]
    for kind, meter in meters.wagers.items():
        if meter.played:
            assert line(report, LineSubject.WAGER, kind).turnover == meter.played
            assert line(report, LineSubject.WAGER, kind).win == meter.house_win


@pytest.mark.parametrize("seed", range(4))
async def test_the_parts_of_a_time_add_up(seed: int) -> None:
    store, _ = await played(seed, 20, "mbs-tiger-nc-v4")
    times = [record.wall_time async for record in records(store, "table-1")]
    cuts = [0, *times[:: max(len(times) // 5, 1)], 2**62]
    parts = tuple(replace(EVER, begins=begins, ends=ends) for begins, ends in itertools.pairwise(cuts))
    whole = await make_report(store, ("table-1",), (EVER,))
    cut = await make_report(store, ("table-1",), parts)
    for key, figures in whole.blocks[0].lines.items():
        own = [block.lines[key] for block in cut.blocks if key in block.lines]
        for name in SUMS:
            assert sum(getattr(each, name) for each in own) == getattr(figures, name), (key, name)
        assert sum((each.stakes for each in own), Counter()) == +figures.stakes


async def test_the_expected_win_is_that_of_the_exact_odds() -> None:
    store = MemoryStore()
    text = (
        "game mbs-tiger-v3\npatrons Ann at 1\nDealer: opens betting\n"
        "Ann: 100 on player at 1\nAnn: 200 on banker at 1\n"
        "Dealer: closes betting\nDealer: draws 9 2 K 5\nDealer: opens betting\nAnn: 50 on player at 1\n"
        "Dealer: closes betting\nDealer: draws 2 9 5 K\n"
    )
    await write(store, told_evening("table-1", text))
    report = await make_report(store, ("table-1",), (EVER,))
    figures = line(report, LineSubject.TABLE, "table-1")
    # Player wins round 1: it pays 100.00 and takes 200.00; Banker round 2: it takes 50.00 (4.1)
    assert (figures.rounds, figures.turnover, figures.win) == (2, 350_00, 150_00)
    # of 8 decks, in ordered draws: Banker, Player, tie
    banker, player, tie = 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216
    total = banker + player + tie
    edge_of_player = Fraction(banker - player, total)
    edge_of_banker = Fraction(20 * player - 19 * banker, 20 * total)
    assert figures.expected(report.covariances_of) == 150_00 * edge_of_player + 200_00 * edge_of_banker
    first = Fraction((200_00 * 19 // 20 - 100_00) ** 2 * banker + 100_00**2 * player, total)
    first -= (100_00 * edge_of_player + 200_00 * edge_of_banker) ** 2
    second = 50_00**2 * (Fraction(banker + player, total) - edge_of_player**2)
    assert figures.deviation(report.covariances_of) == pytest.approx(float(first + second) ** 0.5, rel=1e-12)


async def test_lines_name_the_dealer_and_the_time_that_the_table_was_open() -> None:
    store = MemoryStore()
    await write(store, told_evening("table-1", EVENING.read_text("utf-8")))
    report = await make_report(store, ("table-1",), (EVER,))
    keys = set(report.blocks[0].lines)
    assert LineKey(LineSubject.DEALER, "", "Dealer", training=False, currency="SGD") in keys
    table = line(report, LineSubject.TABLE, "table-1")
    assert table.open > 0
    assert table.rounds_per_hour == table.rounds * 3_600_000_000 / table.open
    assert Figures().rounds_per_hour is None


async def test_a_stream_that_is_no_table_has_no_lines() -> None:
    store = MemoryStore()
    await write(store, told_evening("table-1", EVENING.read_text("utf-8")))
    seen: list[int] = []
    report = await make_report(store, ("nowhere", "table-1"), (EVER,), progress=seen.append)
    assert sum(seen) == (await store.head("table-1")).sequence
    without = {LineSubject.ALL, LineSubject.PIT}
    assert {key.subject for key in report.blocks[0].lines} == {*LineSubject} - without


async def test_chips_of_a_day_are_typed_out() -> None:
    """The golden day: its closer is 100 short, a slip is voided, and the box holds what was taken."""
    store = MemoryStore()
    text = TEXTS["examined/a-day-of-chips-and-cash.round"].replace("6 x 1000, 10 x 100", "6 x 1000, 11 x 100")
    two = "Dealer with Pit Supervisor"
    more = (
        f"{two}: counts the opener nothing\n{two}: brings chips 2 x 100\n{two}: sends back chips 1 x 100\n"
        f"{two}: voids slip 10 because it was wrong\n{two}: voids slip 11 because it was wrong\n"
    )
    await write(store, told_evening("table-1", text + more))
    report = await make_report(store, ("table-1",), (EVER,))
    for found in (line(report, LineSubject.TABLE, "table-1"), line(report, LineSubject.GAME)):
        assert (found.opener, found.fills, found.chip_returns, found.closer) == (
            1_000_000,
            1_000_000,
            300_000,
            980_000,
        )
        assert found.drop == 710_000  # 7,000 taken, and 100 more in the box
        # closer and returns and drop, less opener and fill: a day on which the wagers lost 100
        assert found.win_by_count == 980_000 + 300_000 + 710_000 - 2_000_000 == -10_000
        assert found.win_by_wagers == -10_000 == found.win
        assert found.hold == -10_000 / 710_000
    (dealer,) = [
        figures for key, figures in report.blocks[0].lines.items() if key.subject is LineSubject.DEALER
    ]
    assert (dealer.drop, dealer.opener, dealer.win_by_count) == (710_000, 0, 0)


async def test_a_later_report_goes_on_from_a_mark_and_comes_to_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thirdcard.reports.report.MARK_EVERY", 20)
    store, _ = await played(3, 20, "mbs-tiger-nc-v4")
    times = [record.wall_time async for record in records(store, "table-1")]
    middle = times[len(times) // 2]
    late = replace(EVER, begins=middle, ends=times[-1] + 1)
    marks: Marks = {}
    whole, seen = await make_report(store, ("table-1",), (EVER,), marks=marks), list[int]()
    again = await make_report(store, ("table-1",), (late,), marks=marks, progress=seen.append)
    alone = await make_report(store, ("table-1",), (late,))
    assert 0 < sum(seen) < len(times)
    assert again.blocks == alone.blocks
    assert again.origin == alone.origin == whole.origin
    nothing = replace(EVER, begins=times[-1] + 1, ends=2**62)
    assert (await make_report(store, ("table-1",), (nothing,), marks=marks)).origin == whole.origin


async def test_reading_ends_a_day_after_the_time() -> None:
    store, _ = await played(3, 20, "mbs-tiger-nc-v4")
    day, first = 86_400_000_000, (await store.read("table-1", most=1))[0].wall_time
    early = replace(EVER, begins=first - 3 * day, ends=first - 2 * day)
    seen: list[int] = []
    report = await make_report(store, ("table-1",), (early,), progress=seen.append)
    assert (seen, report.blocks[0].lines, report.origin.heads) == ([], {}, {})
