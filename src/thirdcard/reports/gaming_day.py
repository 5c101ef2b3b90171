"""Gaming days and shifts: when they begin on the clock of the floor, whatever daylight saving does."""

import datetime
import re
import zoneinfo
from collections.abc import Iterator

from msgspec import Struct

from thirdcard.messages import Message, message
from thirdcard.streams.clock import EPOCH

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
DAY = datetime.timedelta(days=1)
MICROSECOND = datetime.timedelta(microseconds=1)


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


class GamingDays(Struct, frozen=True):
    """The time zone of a floor, and when its shifts begin; a gaming day begins with the first of them."""

    zone: zoneinfo.ZoneInfo
    shifts: tuple[datetime.time, ...]

    def day(self, date: datetime.date) -> Period:
        """The gaming day that begins on a date."""
        return Period(date, None, self._instant(date, 0), self._instant(date + DAY, 0))

    def shifts_of(self, date: datetime.date) -> Iterator[Period]:
        """The shifts of a gaming day."""
        begins = [self._instant(date, number) for number in range(len(self.shifts))]
        ends = [*begins[1:], self._instant(date + DAY, 0)]
        for number, (begin, end) in enumerate(zip(begins, ends, strict=True), start=1):
            yield Period(date, number, begin, end)

    def date_of(self, moment: int) -> datetime.date:
        """The date on which the gaming day of a moment began."""
        date = self.local(moment).date()
        return date if moment >= self._instant(date, 0) else date - DAY

    def local(self, moment: int) -> datetime.datetime:
        """A moment on the clock of the floor."""
        return (EPOCH + datetime.timedelta(microseconds=moment)).astimezone(self.zone)

    def _instant(self, date: datetime.date, shift: int) -> int:
        """The beginning of a shift; those before the first one on the clock are of the next morning."""
        time = self.shifts[shift]
        if time < self.shifts[0]:
            date += DAY
        begins = datetime.datetime.combine(date, time, self.zone)
        return (begins.astimezone(datetime.UTC) - EPOCH) // MICROSECOND


def gaming_days(zone: str, shifts: tuple[str, ...]) -> GamingDays:
    """Gaming days by the name of a time zone and the times at which shifts begin."""
    try:
        found = zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise BadPeriod(message("report.no-such-zone", zone=zone)) from None
    times = tuple(_time(each) for each in shifts)
    from_first = [(time < times[0], time) for time in times]
    if from_first != sorted(set(from_first)):
        raise BadPeriod(message("report.shifts-out-of-order", shifts=", ".join(shifts)))
    return GamingDays(found, times)


def parse_date(text: str) -> datetime.date:
    """A date as people write it for programs."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BadPeriod(message("report.no-such-date", date=text)) from None


def _time(text: str) -> datetime.time:
    found = _TIME.fullmatch(text)
    if found is None:
        raise BadPeriod(message("report.no-such-time", time=text))
    return datetime.time(int(found[1]), int(found[2]))
