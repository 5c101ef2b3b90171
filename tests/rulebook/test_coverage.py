"""What becomes of every clause: enforced, shown, not modelled, or cited by no test."""

import pytest
from conftest import clauses_of
from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.game.settlement import Settlement, settle
from thirdcard.rulebook.book import Rulebook, rulebooks
from thirdcard.rulebook.coverage import Cited, Coverage, Status, coverage, recorded_citations
from thirdcard.rulebook.document import Document, WagerForm
from thirdcard.rulebook.shelf import DOCUMENTS, shelf_document, shelf_house
from thirdcard.settle import parse_cards

TIGER = shelf_document("mbs-tiger-v3")
TWO_CARD_SIX = "10 6 K Q 5"  # Player 10-K-5 5, Banker 6-Q 6
THREE_CARD_SIX = "2 A 2 2 A 3"  # Player 2-2-A 5, Banker A-2-3 6
TIE_AT_SIX = "K Q 6 6"


def status(document: Document, clause: str, cited: Cited | None = None) -> Coverage:
    return coverage(document, cited or {})[Clause(clause)]


@pytest.mark.parametrize("clause", ["Front.1", "3.3.1", "3.13.1", "3.15.T5", "3.16", "4.3.T1", "1.1.2"])
def test_a_clause_that_is_executed_is_uncovered_until_a_test_sees_it_cited(clause: str) -> None:
    assert status(TIGER, clause) == Coverage(Status.UNCOVERED)
    tests = ("tests/game/test_tiger.py::test_six",)
    assert status(TIGER, clause, {Clause(clause): tests}) == Coverage(Status.ENFORCED, tests)


def test_a_clause_with_an_empty_list_of_tests_is_not_enforced() -> None:
    assert status(TIGER, "4.3.T1", {Clause("4.3.T1"): ()}) == Coverage(Status.UNCOVERED)


@pytest.mark.parametrize(
    ("clause", "covered"),
    [
        ("4.2", Coverage(Status.SHOWN, reason="heading")),
        ("Front.2", Coverage(Status.SHOWN, reason="approval statement naming another title")),
        (
            "3.12.4",
            Coverage(
                Status.NOT_MODELLED,
                reason="watched by staff with their own eyes: the system cannot see the draw",
            ),
        ),
    ],
)
def test_a_clause_that_nothing_enforces_says_why(clause: str, covered: Coverage) -> None:
    assert status(TIGER, clause) == covered


def seen(rulebook: Rulebook) -> Cited:
    """The clauses that three hands with a Tiger wager cite."""
    house = shelf_house("marina-bay-sands")
    found: set[str] = set()
    for cards in (TWO_CARD_SIX, THREE_CARD_SIX, TIE_AT_SIX):
        outcome = play_out(rulebook, parse_cards(cards), rulebook.pair_rule(house))
        assert isinstance(outcome, Outcome)
        settlement = settle(rulebook, house, outcome, (("tiger", 1000),))
        assert isinstance(settlement, Settlement)
        found |= clauses_of(settlement)
    return {Clause(clause): ("this test",) for clause in found}


def test_taking_a_pay_row_away_uncovers_its_clause() -> None:
    def poorer(form: WagerForm) -> WagerForm:
        return replace(form, pays=tuple(row for row in form.pays if row.clause != "4.3.T1"))

    (whole,) = rulebooks(TIGER)
    (without,) = rulebooks(replace(TIGER, wagers=tuple(poorer(form) for form in TIGER.wagers)))
    assert status(TIGER, "4.3.T1", seen(whole)) == Coverage(Status.ENFORCED, ("this test",))
    assert status(TIGER, "4.3.T1", seen(without)) == Coverage(Status.UNCOVERED)
    assert status(without.document, "4.3.T1", seen(without)) == Coverage(Status.UNCOVERED)
    assert status(TIGER, "4.3.T2", seen(without)) == Coverage(Status.ENFORCED, ("this test",))


def test_the_package_carries_citations_for_its_own_documents_and_clauses_only() -> None:
    for document, clauses in recorded_citations().items():
        assert document in DOCUMENTS
        assert clauses.keys() <= shelf_document(document).clauses.keys()
