"""Every place of a document that cites a clause, by its key."""

import pytest

from thirdcard.clauses import Clause
from thirdcard.rulebook.citations import Citation, citations
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED

TIGER = [(each.section, each.key, str(each.clause)) for each in citations(SHIPPED.document("mbs-tiger-v3"))]


@pytest.mark.parametrize(
    "citation",
    [
        ("clause", "clause", "Front.1"),
        ("approval", "approval", "Front.2"),
        ("document", "document.notes[1].clause", "App.H"),
        ("decks", "decks.clause", "2.1"),
        ("layouts", "layouts.clauses[0]", "2.2"),
        ("layouts", "layouts.layout[F].clause", "App.F"),
        ("round", "round.closing.clause", "3.2"),
        ("table_of_play", "table_of_play.banker[0].clause", "3.15.T4"),
        ("wager", "wager[banker].pays[0].commission.clauses[0]", "1.1.2"),
        ("wager", "wager[tiger-pair].pays[2].also[0]", "1.1.14.3"),
        ("methods", "methods.method[C].chosen_by.clause", "3.9.2"),
        ("methods", "methods.control.without_wager.clause", "3.12.2"),
        ("irregularity", "irregularity[foreign-card 1].effects[2].clause", "2.1"),
        ("reading", "reading[AMB-03].clauses[3]", "4.2"),
    ],
)
def test_a_citation_names_section_key_and_clause(citation: tuple[str, str, str]) -> None:
    assert TIGER.count(citation) == 1


def test_citations_come_in_the_order_of_the_file_from_the_front_to_the_readings() -> None:
    assert TIGER[0] == ("clause", "clause", "Front.1")
    assert TIGER[-1] == ("reading", "reading[OWN-14].clauses[0]", "5.14")


def test_the_list_of_clauses_cites_nothing_and_texts_are_no_clauses() -> None:
    assert {section for section, _, _ in TIGER}.isdisjoint({"clauses", "id", "name", "house", "table"})
    assert not any(key.endswith((".id", ".name", ".odds", ".says")) for _, key, _ in TIGER)


def test_a_terminal_cites_the_clause_about_credits() -> None:
    found = citations(SHIPPED.document("mbs-super-six-etg-v3"))
    assert [each for each in found if each.key == "round.credits"] == [
        Citation("round", "round.credits", Clause("1.1.5"))
    ]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_citation_of_a_shipped_document_names_one_of_its_clauses(document: str) -> None:
    shipped = SHIPPED.document(document)
    found = citations(shipped)
    assert {each.clause for each in found} <= shipped.clauses.keys()
    assert len({each.key for each in found}) == len(found)
