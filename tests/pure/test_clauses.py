"""Clause numbers come in the order of the document."""

import random

import pytest

from thirdcard.clauses import clause_order
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED

IN_ORDER = (
    "Front.1",
    "Front.2",
    "1",
    "1.1",
    "1.1.2",
    "1.1.10",
    "1.1.14",
    "1.1.14.1",
    "1.1.15",
    "2.2",
    "2.10",
    "3.2.9",
    "3.2.Note",
    "3.9.4",
    "3.9.4.T1",
    "3.9.4.T2",
    "3.9.4.T10",
    "3.10",
    "3.10.4.1",
    "10.1",
    "App.A",
    "App.A.1",
    "App.A.4",
    "App.B",
    "App.K",
    "App.K.T",
)


def test_numbers_are_compared_as_numbers_rows_of_tables_follow_and_front_and_appendix_enclose_all() -> None:
    shuffled = random.Random(7).sample(IN_ORDER, len(IN_ORDER))
    assert tuple(shuffled) != IN_ORDER
    assert tuple(sorted(shuffled, key=clause_order)) == IN_ORDER


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_clauses_of_a_shipped_document_stand_in_order(document: str) -> None:
    clauses = list(SHIPPED.document(document).clauses)
    backwards = clauses[::-1]
    assert sorted(backwards, key=clause_order) == clauses


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_two_clauses_of_a_document_share_a_place(document: str) -> None:
    clauses = SHIPPED.document(document).clauses
    assert len({clause_order(clause) for clause in clauses}) == len(clauses)
