"""Gaming days and shifts on the clock of a floor."""

import datetime

import pytest

from thirdcard.messages import say
from thirdcard.reports.gaming_day import BadPeriod, gaming_days, parse_date

HOUR = 3_600_000_000


def utc(text: str) -> int:
    moment = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC)
    return int(moment.timestamp()) * 1_000_000


def test_a_gaming_day_in_singapore_begins_at_its_hour() -> None:
    day = gaming_days("Asia/Singapore", ("06:00",)).day(datetime.date(2026, 11, 18))
    assert (day.begins, day.ends) == (utc("2026-11-17T22:00"), utc("2026-11-18T22:00"))


def test_the_moment_of_the_change_belongs_to_the_next_day() -> None:
    days = gaming_days("Asia/Singapore", ("06:00",))
    change = utc("2026-11-18T22:00")
    assert days.date_of(change - 1) == datetime.date(2026, 11, 18)
    assert days.date_of(change) == datetime.date(2026, 11, 19)
    assert change not in days.day(datetime.date(2026, 11, 18))
    assert change in days.day(datetime.date(2026, 11, 19))


@pytest.mark.parametrize(("date", "hours"), [("2026-03-28", 23), ("2026-10-24", 25), ("2026-11-18", 24)])
def test_a_day_has_the_hours_that_its_clock_has(date: str, hours: int) -> None:
    # in Berlin clocks go forward on the night to 29 March 2026, and back on the night to 25 October
    day = gaming_days("Europe/Berlin", ("06:00",)).day(datetime.date.fromisoformat(date))
    assert day.ends - day.begins == hours * HOUR


def test_shifts_follow_each_other_until_the_next_day() -> None:
    days = gaming_days("Asia/Ho_Chi_Minh", ("08:00", "16:00", "00:00"))
    date = datetime.date(2026, 11, 18)
    shifts = tuple(days.shifts_of(date))
    assert [each.shift for each in shifts] == [1, 2, 3]
    assert [(each.begins, each.ends) for each in shifts] == [
        (utc("2026-11-18T01:00"), utc("2026-11-18T09:00")),
        (utc("2026-11-18T09:00"), utc("2026-11-18T17:00")),
        (utc("2026-11-18T17:00"), utc("2026-11-19T01:00")),
    ]
    day = days.day(date)
    assert (shifts[0].begins, shifts[-1].ends) == (day.begins, day.ends)


@pytest.mark.parametrize(
    ("zone", "shifts", "says"),
    [
        ("Asia/Atlantis", ("06:00",), "Asia/Atlantis"),
        ("../etc/passwd", ("06:00",), "../etc/passwd"),
        ("UTC", ("6 o'clock",), "6 o'clock"),
        ("UTC", ("24:00",), "24:00"),
        ("UTC", ("06:00", "22:00", "14:00"), "06:00, 22:00, 14:00"),
        ("UTC", ("06:00", "06:00"), "06:00, 06:00"),
    ],
)
def test_a_time_that_is_none_is_named(zone: str, shifts: tuple[str, ...], says: str) -> None:
    with pytest.raises(BadPeriod) as caught:
        gaming_days(zone, shifts)
    assert says in say(caught.value.what)


def test_a_date_that_is_none_is_named() -> None:
    assert parse_date("2026-11-18") == datetime.date(2026, 11, 18)
    with pytest.raises(BadPeriod) as caught:
        parse_date("18.11.2026")
    assert "18.11.2026" in say(caught.value.what)
