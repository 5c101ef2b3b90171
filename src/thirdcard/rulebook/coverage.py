"""What becomes of every clause of a document: enforced, shown, planned or not modelled."""

import enum
import importlib.resources

import msgspec
from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.citations import Citation, citations
from thirdcard.rulebook.document import Document


class Status(enum.Enum):
    """``uncovered`` means that a clause is executed by the engine but no test has seen it cited."""

    ENFORCED = "enforced"
    SHOWN = "shown"
    PLANNED = "planned"
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
    keys: dict[Clause, list[Citation]] = {}
    for citation in citations(document):
        keys.setdefault(citation.clause, []).append(citation)
    return {clause: _status(document, clause, keys.get(clause, []), cited) for clause in document.clauses}


def _status(document: Document, clause: Clause, keys: list[Citation], cited: Cited) -> Coverage:
    if cited.get(clause):
        return Coverage(Status.ENFORCED, cited[clause])
    line = document.clauses[clause]
    if line.not_modelled is not None:
        return Coverage(Status.NOT_MODELLED, reason=line.not_modelled)
    if line.shown is not None:
        return Coverage(Status.SHOWN, reason=line.shown)
    if not keys or any(is_executed(citation) for citation in keys):
        return Coverage(Status.UNCOVERED)
    return Coverage(Status.PLANNED, reason=keys[0].key)


def is_executed(citation: Citation) -> bool:
    """Whether the engine carries out the place of the rulebook that makes a citation."""
    if citation.section == "wager":
        return not citation.key.endswith((".area", ".alone")) and ".offered[1]" not in citation.key
    return citation.section in _EXECUTED


def recorded_citations() -> dict[str, Cited]:
    """The citations of each document that the test run recorded when this package was made."""
    file = importlib.resources.files("thirdcard").joinpath("rulebook", "cited.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Cited])


# sections that the engine carries out today; what only later parts will carry out is planned
_EXECUTED = frozenset({"clause", "counting", "deal", "outcome", "table_of_play"})
