"""Gaming days and shifts on the clock of a floor."""

import datetime

import pytest

from thirdcard.floor.gaming_day import BadPeriod, GamingDays, gaming_days, parse_date, read_day
from thirdcard.floor.state import DayPlan, GamingDay
from thirdcard.messages import say

HOUR = 3_600_000_000
DATE = datetime.date(2026, 11, 18)


def utc(text: str) -> int:
    moment = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC)
    return int(moment.timestamp()) * 1_000_000


def plan(zone: str, shifts: tuple[str, ...], since: str = "1970-01-01T00:00") -> DayPlan:
    moment = datetime.datetime.fromisoformat(since).replace(tzinfo=datetime.UTC)
    return DayPlan(GamingDay(zone, shifts), moment)


def days_of(zone: str, *shifts: str) -> GamingDays:
    return gaming_days((plan(zone, shifts),))


def test_a_gaming_day_in_singapore_begins_at_its_hour() -> None:
    days = days_of("Asia/Singapore", "06:00")
    day = days.day(DATE)
    assert (day.begins, day.ends) == (utc("2026-11-17T22:00"), utc("2026-11-18T22:00"))
    assert days.local(day.begins).isoformat() == "2026-11-18T06:00:00+08:00"
    assert days.zone_at(DATE) == "Asia/Singapore"


def test_the_moment_of_the_change_belongs_to_the_next_day() -> None:
    days = days_of("Asia/Singapore", "06:00")
    change = utc("2026-11-18T22:00")
    assert days.date_of(change - 1) == DATE
    assert days.date_of(change) == datetime.date(2026, 11, 19)
    assert change not in days.day(DATE)
    assert change in days.day(datetime.date(2026, 11, 19))


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Honolulu"])
def test_every_moment_belongs_to_the_day_that_has_it(zone: str) -> None:
    days = days_of(zone, "06:00", "18:00")
    for hour in range(72):
        moment = utc("2026-11-18T00:30") + hour * HOUR
        assert moment in days.day(days.date_of(moment))
        assert moment in days.shift_of(moment)


@pytest.mark.parametrize(("date", "hours"), [("2026-03-28", 23), ("2026-10-24", 25), ("2026-11-18", 24)])
def test_a_day_has_the_hours_that_its_clock_has(date: str, hours: int) -> None:
    # in Berlin clocks go forward on the night to 29 March 2026, and back on the night to 25 October
    day = days_of("Europe/Berlin", "06:00").day(datetime.date.fromisoformat(date))
    assert day.ends - day.begins == hours * HOUR


def test_shifts_follow_each_other_until_the_next_day() -> None:
    days = days_of("Asia/Ho_Chi_Minh", "08:00", "16:00", "00:00")
    shifts = tuple(days.shifts_of(DATE))
    assert [each.shift for each in shifts] == [1, 2, 3]
    assert [(each.begins, each.ends) for each in shifts] == [
        (utc("2026-11-18T01:00"), utc("2026-11-18T09:00")),
        (utc("2026-11-18T09:00"), utc("2026-11-18T17:00")),
        (utc("2026-11-18T17:00"), utc("2026-11-19T01:00")),
    ]
    day = days.day(DATE)
    assert (shifts[0].begins, shifts[-1].ends) == (day.begins, day.ends)


def test_another_plan_holds_from_the_day_that_begins_next() -> None:
    days = gaming_days(
        (
            plan("Asia/Singapore", ("06:00", "18:00")),
            plan("Asia/Singapore", ("08:00",), since="2026-11-18T12:00"),
        )
    )
    assert len(tuple(days.shifts_of(DATE))) == 2
    # the day under way goes on until the first one by the new plan begins
    assert days.day(DATE).ends == utc("2026-11-19T00:00")
    assert [each.shift for each in days.shifts_of(datetime.date(2026, 11, 19))] == [1]
    assert days.day(datetime.date(2026, 11, 17)).begins == utc("2026-11-16T22:00")


def test_a_day_that_ends_early_has_shorter_shifts() -> None:
    days = gaming_days(
        (
            plan("UTC", ("06:00", "14:00", "05:00")),
            plan("UTC", ("04:00",), since="2026-11-18T12:00"),
        )
    )
    *_, late, night = days.shifts_of(DATE)
    assert (late.ends, night.begins, night.ends) == (utc("2026-11-19T04:00"),) * 3
    assert days.shift_of(utc("2026-11-19T03:59")).shift == 2


def test_of_two_plans_on_one_day_the_later_one_holds() -> None:
    days = gaming_days(
        (
            plan("UTC", ("06:00",)),
            plan("UTC", ("07:00",), since="2026-11-18T12:00"),
            plan("UTC", ("08:00",), since="2026-11-18T13:00"),
        )
    )
    assert days.day(DATE).ends == utc("2026-11-19T08:00")


def test_without_a_plan_days_are_of_utc() -> None:
    day = gaming_days(()).day(DATE)
    assert (day.begins, day.ends) == (utc("2026-11-18T06:00"), utc("2026-11-19T06:00"))


@pytest.mark.parametrize(
    ("zone", "shifts", "says"),
    [
        ("Asia/Atlantis", ("06:00",), "Asia/Atlantis"),
        ("../etc/passwd", ("06:00",), "../etc/passwd"),
        ("UTC", ("6 o'clock",), "6 o'clock"),
        ("UTC", ("24:00",), "24:00"),
        ("UTC", ("٠٦:00",), "٠٦:00"),
        ("UTC", ("06:00", "22:00", "14:00"), "06:00, 22:00, 14:00"),
        ("UTC", ("06:00", "06:00"), "06:00, 06:00"),
        ("UTC", (), "The shifts begin at"),
    ],
)
def test_a_time_that_is_none_is_named(zone: str, shifts: tuple[str, ...], says: str) -> None:
    with pytest.raises(BadPeriod) as caught:
        read_day(GamingDay(zone, shifts))
    assert says in say(caught.value.what)


@pytest.mark.parametrize("text", ["18.11.2026", "0001-01-01", "9999-12-31", ""])
def test_a_date_that_is_none_is_named(text: str) -> None:
    assert parse_date("2026-11-18") == DATE
    with pytest.raises(BadPeriod) as caught:
        parse_date(text)
    assert f"{text} is no date" in say(caught.value.what)
