"""Reports as screens get them: figures of gaming days and shifts, on the clock of the floor."""

from msgspec import Struct

from thirdcard.reports.files import ReportForm
from thirdcard.reports.report import ReportKind, ReportNames
from thirdcard.reports.rows import ReportRow


class ReportPeriod(Struct, frozen=True):
    """A period of a report; its beginning and end are on the clock of the floor."""

    date: str
    shift: int | None
    begins: str
    ends: str


class ReportAnswer(Struct, frozen=True, kw_only=True):
    """A report: its periods with rows for each, and what it was made from.

    ``today`` is the gaming day of now, ``zones`` are the time zones of the periods, and ``files`` the forms
    in which it can be had.
    """

    kind: ReportKind
    first: str
    last: str
    today: str
    zones: tuple[str, ...]
    houses: tuple[str, ...]
    periods: tuple[ReportPeriod, ...]
    rows: tuple[ReportRow, ...]
    names: ReportNames
    digest: str
    files: tuple[ReportForm, ...]
