"""Gaming days and shifts: when they begin on the clock of the floor, whatever daylight saving does."""

import datetime
import re
import zoneinfo
from collections.abc import Iterator

from msgspec import Struct

from thirdcard.floor.state import DayPlan, GamingDay
from thirdcard.messages import Message, message

EPOCH = datetime.datetime.fromtimestamp(0, datetime.UTC)
DAY = datetime.timedelta(days=1)
MICROSECOND = datetime.timedelta(microseconds=1)
USUAL_DAY = GamingDay("UTC")  # where nobody has said which
FIRST_YEAR, LAST_YEAR = 1971, 9998
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)


class BadPeriod(Exception):
    """A time zone, a time or a date that is none."""

    def __init__(self, what: Message) -> None:
        super().__init__(what.key)
        self.what = what


class Period(Struct, frozen=True):
    """A time that is reported on: from its beginning, until just before its end, in microseconds since 1970.

    ``shift`` counts from one; a whole gaming day has none.
    """

    date: datetime.date
    shift: int | None
    begins: int
    ends: int

    def __contains__(self, moment: int) -> bool:
        return self.begins <= moment < self.ends


class ReadDay(Struct, frozen=True):
    """A gaming day that was read: its time zone, and when its shifts begin, the first of them with it."""

    zone: zoneinfo.ZoneInfo
    shifts: tuple[datetime.time, ...]

    def begins(self, date: datetime.date, shift: int = 0) -> int:
        """The beginning of a shift; those before the first one on the clock are of the next morning."""
        time = self.shifts[shift]
        if time < self.shifts[0]:
            date += DAY
        begins = datetime.datetime.combine(date, time, self.zone)
        return (begins.astimezone(datetime.UTC) - EPOCH) // MICROSECOND


class GamingDays(Struct, frozen=True):
    """The gaming days of a floor by the date from which each holds, the first one first."""

    days: tuple[tuple[datetime.date, ReadDay], ...]

    def day(self, date: datetime.date) -> Period:
        """The gaming day that begins on a date; it ends where the next one begins."""
        return Period(date, None, self._at(date).begins(date), self._at(date + DAY).begins(date + DAY))

    def shifts_of(self, date: datetime.date) -> Iterator[Period]:
        """The shifts of a gaming day; the last may be shorter where another plan begins with the next day."""
        end = self.day(date).ends
        plan = self._at(date)
        begins = [min(plan.begins(date, number), end) for number in range(len(plan.shifts))]
        ends = [*begins[1:], end]
        for number, (begin, shift_end) in enumerate(zip(begins, ends, strict=True), start=1):
            yield Period(date, number, begin, shift_end)

    def date_of(self, moment: int) -> datetime.date:
        """The date on which the gaming day of a moment began."""
        date = (EPOCH + MICROSECOND * moment).date() + 2 * DAY  # no clock is ahead by more
        while self._at(date).begins(date) > moment:
            date -= DAY
        return date

    def shift_of(self, moment: int) -> Period:
        """The shift of a moment."""
        return next(shift for shift in self.shifts_of(self.date_of(moment)) if moment in shift)

    def local(self, moment: int) -> datetime.datetime:
        """A moment on the clock of the floor."""
        return (EPOCH + MICROSECOND * moment).astimezone(self._at(self.date_of(moment)).zone)

    def zone_at(self, date: datetime.date) -> str:
        """The name of the time zone of a gaming day."""
        return self._at(date).zone.key

    def _at(self, date: datetime.date) -> ReadDay:
        return next(day for since, day in reversed(self.days) if since <= date)


def gaming_days(plans: tuple[DayPlan, ...]) -> GamingDays:
    """Gaming days as they were planned: each plan holds from the gaming day that begins after it was made.

    The first one holds for all days before it too; without any, days are of UTC.
    """
    first, *later = plans or (DayPlan(USUAL_DAY, EPOCH),)
    days = GamingDays(((datetime.date.min, read_day(first.day)),))
    for plan in later:
        since = days.date_of((plan.since - EPOCH) // MICROSECOND) + DAY
        kept = tuple(each for each in days.days if each[0] < since)
        days = GamingDays((*kept, (since, read_day(plan.day))))
    return days


def read_day(day: GamingDay) -> ReadDay:
    """A gaming day by the name of a time zone and the times at which shifts begin."""
    try:
        zone = zoneinfo.ZoneInfo(day.zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise BadPeriod(message("report.no-such-zone", zone=day.zone)) from None
    times = tuple(_time(each) for each in day.shifts)
    from_first = [(time < times[0], time) for time in times]
    if not times or from_first != sorted(set(from_first)):
        raise BadPeriod(message("report.shifts-out-of-order", shifts=", ".join(day.shifts)))
    return ReadDay(zone, times)


def parse_date(text: str) -> datetime.date:
    """A date as people write it for programs."""
    try:
        date = datetime.date.fromisoformat(text)
    except ValueError:
        date = datetime.date.min
    if not FIRST_YEAR <= date.year <= LAST_YEAR:
        raise BadPeriod(message("report.no-such-date", date=text))
    return date


def _time(text: str) -> datetime.time:
    found = _TIME.fullmatch(text)
    if found is None:
        raise BadPeriod(message("report.no-such-time", time=text))
    return datetime.time(int(found[1]), int(found[2]))
