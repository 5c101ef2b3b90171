"""The evidence that ships with the package: enough for every clause about play, and none for others."""

import pytest

from thirdcard.rulebook.pages.coverage import (
    MUST_BE_PROVEN,
    Status,
    recorded_evidence,
    shipped_coverage,
    shipped_proof,
)
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_clause_about_play_is_proven_or_says_why_not(document: str) -> None:
    covers = shipped_coverage(SHIPPED.document(document))
    assert [clause for clause, each in covers.items() if each.is_open] == []
    assert {each.subject for each in covers.values()} & set(MUST_BE_PROVEN)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_other_clause_that_is_not_proven_says_why_too(document: str) -> None:
    covers = shipped_coverage(SHIPPED.document(document))
    silent = (Status.CITED, Status.UNCITED)
    assert [clause for clause, each in covers.items() if each.status in silent and not each.reason] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_reason_stands_at_a_clause_that_is_proven(document: str) -> None:
    covers = shipped_coverage(SHIPPED.document(document))
    proof = shipped_proof(document)
    assert [clause for clause in proof.unproven if covers[clause].status is Status.PROVEN] == []
    given = recorded_evidence()[document]
    waived = [(clause, piece) for clause, pieces in proof.waived.items() for piece in pieces]
    assert [each for each in waived if each[1] in given.get(each[0], ())] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_package_carries_evidence_for_its_own_clauses_only(document: str) -> None:
    assert recorded_evidence()[document].keys() <= SHIPPED.document(document).clauses.keys()
