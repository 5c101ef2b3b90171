"""Records of training as files: CSV for programs, a workbook for spreadsheets, a PDF to sign."""

from thirdcard.dossier.extras import needs_extra
from thirdcard.reports.files import ReportForm
from thirdcard.reports.training_rows import training_csv, training_workbook
from thirdcard.training.results import TrainingResult


def training_file(person: str, results: tuple[TrainingResult, ...], form: ReportForm) -> bytes:
    """Return the record of a person as the bytes of a file, in the language of the reader."""
    match form:
        case ReportForm.CSV:
            return training_csv(results)
        case ReportForm.XLSX:
            return training_workbook(person, results)
        case ReportForm.PDF:
            with needs_extra("PDF", "reportlab", "reports"):
                from thirdcard.reports.training_paper import (  # noqa: PLC0415 - an extra that may not be there
                    training_pdf,
                )
            return training_pdf(person, results)
