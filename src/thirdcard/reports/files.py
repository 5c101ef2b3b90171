"""Reports as files: CSV for programs, a workbook for spreadsheets, a PDF to sign."""

import enum
import importlib.util

from thirdcard.dossier.extras import needs_extra
from thirdcard.reports.rows import ToldReport, report_csv
from thirdcard.reports.workbook import report_workbook


class ReportForm(enum.StrEnum):
    """The form of a file, by the ending of its name."""

    CSV = "csv"
    XLSX = "xlsx"
    PDF = "pdf"

    @property
    def media(self) -> str:
        """The media type of such a file."""
        return _MEDIA[self]

    @property
    def is_there(self) -> bool:
        """Whether the library for it is installed."""
        library = _LIBRARIES.get(self)
        return library is None or importlib.util.find_spec(library) is not None


_MEDIA = {
    ReportForm.CSV: "text/csv; charset=utf-8",
    ReportForm.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ReportForm.PDF: "application/pdf",
}
_LIBRARIES = {ReportForm.XLSX: "xlsxwriter", ReportForm.PDF: "reportlab"}


def report_file(told: ToldReport, form: ReportForm) -> bytes:
    """Return a report as the bytes of a file, in the language of the reader."""
    match form:
        case ReportForm.CSV:
            return report_csv(told.rows)
        case ReportForm.XLSX:
            return report_workbook(told)
        case ReportForm.PDF:
            with needs_extra("PDF", "reportlab", "reports"):
                from thirdcard.reports.paper import report_pdf  # noqa: PLC0415 - an extra that may not be there
            return report_pdf(told)
