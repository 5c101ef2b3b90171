"""A whole table recounted at once."""

from collections.abc import Iterable

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.recount import Recount
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import HouseForm


def recount(document: Document, house: HouseForm, events: Iterable[dict[str, object]]) -> tuple[Finding, ...]:
    """The findings in the decoded events of a table, numbered from one; none where all is right."""
    counted = Recount(document, house)
    for sequence, body in enumerate(events, start=1):
        counted.read(sequence, body)
    return tuple(counted.findings)
