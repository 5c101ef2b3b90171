"""How far a clause is proven: by its kind, the evidence it needs, and what tests have given."""

import pytest
from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.rulebook.pages.coverage import (
    PIECES,
    Coverage,
    Piece,
    ProofKind,
    ProofPlan,
    Status,
    coverage,
    kind_totals,
    shipped_coverage,
    shipped_proof,
    subject_totals,
    totals,
)
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED

TIGER = SHIPPED.document("mbs-tiger-v3")
PROOF = shipped_proof("mbs-tiger-v3")
DOCUMENT_CLAUSES = 696  # 151, 158, 153, 60 and 174


def cover(clause: str, *given: Piece, proof: ProofPlan = PROOF) -> Coverage:
    return coverage(TIGER, proof, {Clause(clause): given})[Clause(clause)]


def cover_of(document: str, clause: str) -> Coverage:
    return coverage(SHIPPED.document(document), shipped_proof(document), {})[Clause(clause)]


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("1.1.6", "definition"),  # what a natural is
        ("3.15.T5", "price"),  # a row of the drawing table
        ("4.3.T1", "price"),  # Tiger at 12 to 1
        ("5.8.1", "right"),  # patrons shall be given the option
        ("5.3", "duty"),  # the round shall be void
        ("3.7", "prohibition"),  # three wagers at most
        ("5.18.3", "power"),  # the Pit Manager shall determine
        ("3.12.4", "prohibition"),  # nobody draws out of the view of the staff
        ("3.12.5", "physical"),  # where opened hands are laid
        ("5.18", "heading"),
    ],
)
def test_a_clause_has_a_kind_of_proof(clause: str, kind: str) -> None:
    assert cover(clause).kind is ProofKind(kind)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_clause_has_one_kind(document: str) -> None:
    listed = [clause for clauses in shipped_proof(document).kinds.values() for clause in clauses]
    assert sorted(listed) == sorted(SHIPPED.document(document).clauses)


def test_the_documents_have_so_many_clauses() -> None:
    counts = totals({each: shipped_coverage(SHIPPED.document(each)) for each in DOCUMENTS})
    assert sum(sum(each.values()) for each in counts.values()) == DOCUMENT_CLAUSES


def test_a_clause_without_evidence_is_uncited() -> None:
    missing = (Piece.DONE, Piece.LEFT_OUT)
    assert cover("5.3") == Coverage("irregularity", ProofKind.DUTY, Status.UNCITED, missing=missing)


def test_a_clause_with_some_evidence_is_cited_and_says_what_is_missing() -> None:
    some = cover("5.8.1", Piece.OFFERED, Piece.DECLINED)
    assert (some.status, some.missing) == (Status.CITED, (Piece.TAKEN_UP, Piece.WITHHELD))


def test_a_clause_with_all_its_evidence_is_proven() -> None:
    assert cover("5.3", Piece.DONE, Piece.LEFT_OUT).status is Status.PROVEN


def test_evidence_of_another_kind_proves_nothing() -> None:
    assert cover("5.3", Piece.USED, Piece.ATTEMPTED).status is Status.CITED


def test_a_heading_is_a_heading_whatever_was_cited() -> None:
    assert cover("5.18", Piece.DONE, Piece.LEFT_OUT).status is Status.HEADING


def test_a_clause_that_is_not_modelled_says_why() -> None:
    holder = cover_of("hoiana-tiger-2024", "3.2.9")
    assert holder.status is Status.NOT_MODELLED
    assert holder.reason == "a holder on the table: no step of play depends on it"


def test_a_clause_that_is_only_shown_says_why() -> None:
    front = cover_of("mbs-dragon-tiger-nc-2023", "Front.2")
    assert (front.status, front.reason) == (Status.SHOWN, "approval statement")


def test_a_clause_of_two_kinds_needs_the_evidence_of_both() -> None:
    assert PROOF.needed(Clause("5.8.2.2")) == PIECES[ProofKind.POWER] + PIECES[ProofKind.RIGHT]
    assert cover("5.8.2.2", *PIECES[ProofKind.POWER]).missing == PIECES[ProofKind.RIGHT]


def test_a_piece_that_cannot_be_had_is_waived_with_a_reason() -> None:
    decided = cover("6.1", Piece.USED, Piece.LOWER_REFUSED)
    assert decided.status is Status.PROVEN
    assert decided.waived == {Piece.HIGHER: "no post stands above the Gaming Shift Manager"}
    strict = replace(PROOF, waived={})
    assert cover("6.1", Piece.USED, Piece.LOWER_REFUSED, proof=strict).missing == (Piece.HIGHER,)


def test_a_clause_about_play_that_is_not_proven_is_open_until_a_reason_is_given() -> None:
    assert cover("5.3", Piece.DONE).is_open
    assert cover("5.3").is_open
    assert not cover("5.3", Piece.DONE, Piece.LEFT_OUT).is_open
    listed = replace(PROOF, unproven={Clause("5.3"): "nobody has counted to the end of a shoe"})
    assert not cover("5.3", Piece.DONE, proof=listed).is_open


def test_a_clause_of_another_subject_is_not_demanded() -> None:
    assert TIGER.clauses[Clause("4.3.T1")].kind == "settlement"
    assert not cover("4.3.T1").is_open


def test_totals_add_up_by_document_by_kind_and_by_subject() -> None:
    covers = {each: shipped_coverage(SHIPPED.document(each)) for each in DOCUMENTS}
    counts = (totals(covers).values(), kind_totals(covers).values(), subject_totals(covers).values())
    sums = [[sum(count[status] for count in each) for status in Status] for each in counts]
    assert sums[0] == sums[1] == sums[2]


@pytest.mark.parametrize(
    ("document", "clauses"),
    [
        # presence at 5.11.1 is no decision, but it is the Gaming Shift Manager's too
        ("mbs-tiger-v3", "3.7.1 3.9.2 3.10.4.1 3.10.6 3.12.2 3.21 3.22.1 5.8.2.2 5.11.1 5.18.3 6.1"),
        ("mbs-tiger-nc-v4", "5.8.2.2 5.11.1 5.18.3 6.1"),
        ("mbs-dragon-tiger-nc-2023", "5.8.2.2 5.11.1 5.18.3 6.1"),
        ("hoiana-tiger-2024", "4.8 7.9 7.10.1 7.10.2 7.12 7.13 7.20 8.1 8.2"),
    ],
)
def test_a_clause_that_names_a_post_needs_the_post_below_it_refused(document: str, clauses: str) -> None:
    for clause in map(Clause, clauses.split()):
        assert Piece.LOWER_REFUSED in shipped_proof(document).needed(clause), clause


@pytest.mark.parametrize(
    ("document", "clause"),
    [
        ("mbs-tiger-v3", "5.9"),  # patrons shall have the opportunity to wager anew
        ("mbs-tiger-v3", "5.17.1"),  # a patron who withdraws takes back every wager
        ("hoiana-tiger-2024", "7.9"),  # the order shall be put right
        ("hoiana-tiger-2024", "7.10.2"),  # the hand is void and the shoe replaced once all have withdrawn
        ("hoiana-tiger-2024", "7.12"),
        ("hoiana-tiger-2024", "7.13"),  # the order shall be determined, and every patron asked
    ],
)
def test_what_shall_be_done_beside_a_choice_is_a_duty_too(document: str, clause: str) -> None:
    assert {Piece.DONE, Piece.LEFT_OUT} <= {*shipped_proof(document).needed(Clause(clause))}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_only_the_highest_post_has_nobody_above_it(document: str) -> None:
    book, proof = SHIPPED.document(document), shipped_proof(document)
    highest = [
        clause
        for clause, pieces in proof.waived.items()
        if Piece.HIGHER in pieces and Piece.LOWER_REFUSED not in pieces
    ]
    assert set(highest) == ({"5.11.1", "6.1"} if "5.11.1" in book.clauses else set())
    assert not highest or SHIPPED.house(book.house).form.posts[-1] == "gaming-shift-manager"
