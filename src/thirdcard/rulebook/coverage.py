"""What becomes of every clause of a document: enforced, shown or not modelled."""

import enum
import importlib.resources

import msgspec
from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.document import ClauseLine, Document


class Status(enum.Enum):
    """``uncovered`` means that a clause should be carried out but no test has seen it cited."""

    ENFORCED = "enforced"
    SHOWN = "shown"
    NOT_MODELLED = "not-modelled"
    UNCOVERED = "uncovered"


class Coverage(Struct, frozen=True):
    """The status of one clause, the tests that saw it cited, and the reason where nothing enforces it."""

    status: Status
    tests: tuple[str, ...] = ()
    reason: str | None = None


Cited = dict[Clause, tuple[str, ...]]


def coverage(document: Document, cited: Cited) -> dict[Clause, Coverage]:
    """The status of every clause of a document, given the citations that tests have seen."""
    return {clause: _status(line, cited.get(clause, ())) for clause, line in document.clauses.items()}


def _status(line: ClauseLine, tests: tuple[str, ...]) -> Coverage:
    if tests:
        return Coverage(Status.ENFORCED, tests)
    if line.not_modelled is not None:
        return Coverage(Status.NOT_MODELLED, reason=line.not_modelled)
    if line.shown is not None:
        return Coverage(Status.SHOWN, reason=line.shown)
    return Coverage(Status.UNCOVERED)


def recorded_citations() -> dict[str, Cited]:
    """The citations of each document that the test run recorded when this package was made."""
    file = importlib.resources.files("thirdcard").joinpath("rulebook", "cited.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Cited])
