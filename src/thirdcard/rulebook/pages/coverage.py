"""How far every clause of a document is proven: its kind, the evidence it needs, and what there is."""

import enum
import functools
import importlib.resources
import tomllib
from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.document import ClauseLine, Document
from thirdcard.staff import Post


class ProofKind(enum.Enum):
    """The kind of a clause by what it does, which says how it is proven."""

    DEFINITION = "definition"
    PRICE = "price"
    RIGHT = "right"
    DUTY = "duty"
    PROHIBITION = "prohibition"
    POWER = "power"
    PHYSICAL = "physical"
    HEADING = "heading"


class Piece(enum.Enum):
    """One piece of evidence for a clause."""

    THIS_SIDE = "this-side"
    OTHER_SIDE = "other-side"
    OFFERED = "offered"
    TAKEN_UP = "taken-up"
    DECLINED = "declined"
    WITHHELD = "withheld"
    DONE = "done"
    LEFT_OUT = "left-out"
    ATTEMPTED = "attempted"
    USED = "used"
    LOWER_REFUSED = "lower-refused"
    HIGHER = "higher"
    ATTESTED = "attested"


PIECES: dict[ProofKind, tuple[Piece, ...]] = {
    ProofKind.DEFINITION: (Piece.THIS_SIDE, Piece.OTHER_SIDE),
    ProofKind.PRICE: (Piece.THIS_SIDE, Piece.OTHER_SIDE),
    ProofKind.RIGHT: (Piece.OFFERED, Piece.TAKEN_UP, Piece.DECLINED, Piece.WITHHELD),
    ProofKind.DUTY: (Piece.DONE, Piece.LEFT_OUT),
    ProofKind.PROHIBITION: (Piece.ATTEMPTED,),
    ProofKind.POWER: (Piece.USED, Piece.LOWER_REFUSED, Piece.HIGHER),
    ProofKind.PHYSICAL: (Piece.ATTESTED,),
    ProofKind.HEADING: (),
}
# the subjects of clauses that a table carries out: here every clause is proven or says why not
MUST_BE_PROVEN = ("irregularity", "limit", "authority", "dispute", "dealing")


class ProofPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """The kinds of a document's clauses, pieces that cannot be had, and clauses left unproven, with reasons.

    A clause of two kinds, as a duty with a power in it, is counted by the first and stands under ``also``
    with the second; it needs the evidence of both. ``posts`` are those of powers to which the rulebook file
    gives none.
    """

    kinds: dict[ProofKind, tuple[Clause, ...]]
    also: dict[Clause, ProofKind] = {}
    posts: dict[Clause, Post] = {}
    waived: dict[Clause, dict[Piece, str]] = {}
    unproven: dict[Clause, str] = {}

    def kind_of(self, clause: Clause) -> ProofKind:
        """The kind by which a clause is counted."""
        return next(kind for kind, clauses in self.kinds.items() if clause in clauses)

    def needed(self, clause: Clause) -> tuple[Piece, ...]:
        """The pieces of evidence that a clause needs, without those that cannot be had."""
        also = self.also.get(clause)
        pieces = PIECES[self.kind_of(clause)] + (PIECES[also] if also else ())
        return tuple(piece for piece in pieces if piece not in self.waived.get(clause, {}))


class Status(enum.Enum):
    """``uncited`` means that a clause should be carried out and nothing of its evidence was seen."""

    PROVEN = "proven"
    CITED = "cited"
    SHOWN = "shown"
    NOT_MODELLED = "not-modelled"
    UNCITED = "uncited"
    HEADING = "heading"


class Coverage(Struct, frozen=True):
    """How far one clause is proven: evidence there is, what is missing, and the reason where it stays so.

    ``also`` is the second kind of a clause of two; it is counted by the first.
    """

    subject: str
    kind: ProofKind
    status: Status
    evidence: tuple[Piece, ...] = ()
    missing: tuple[Piece, ...] = ()
    waived: dict[Piece, str] = {}
    reason: str | None = None
    also: ProofKind | None = None

    @property
    def is_open(self) -> bool:
        """Whether the clause should be proven and is not, and nobody says why."""
        open_ = self.status in (Status.CITED, Status.UNCITED)
        return open_ and self.reason is None and self.subject in MUST_BE_PROVEN


ClauseEvidence = dict[Clause, tuple[Piece, ...]]


def coverage(document: Document, proof: ProofPlan, evidence: ClauseEvidence) -> dict[Clause, Coverage]:
    """How far every clause of a document is proven by the evidence that tests have given."""
    return {
        clause: _cover(clause, line, proof, frozenset(evidence.get(clause, ())))
        for clause, line in document.clauses.items()
    }


def _cover(clause: Clause, line: ClauseLine, proof: ProofPlan, given: frozenset[Piece]) -> Coverage:
    kind, needed = proof.kind_of(clause), proof.needed(clause)
    missing = tuple(piece for piece in needed if piece not in given)
    cover = Coverage(
        subject=line.kind,
        kind=kind,
        status=Status.CITED if given else Status.UNCITED,
        evidence=tuple(piece for piece in Piece if piece in given),
        missing=missing,
        waived=proof.waived.get(clause, {}),
        reason=proof.unproven.get(clause),
        also=proof.also.get(clause),
    )
    if kind is ProofKind.HEADING:
        return Coverage(line.kind, kind, Status.HEADING)
    if not missing:
        return msgspec.structs.replace(cover, status=Status.PROVEN)
    for status, reason in ((Status.NOT_MODELLED, line.not_modelled), (Status.SHOWN, line.shown)):
        if reason is not None:
            return msgspec.structs.replace(cover, status=status, reason=reason)
    return cover


@functools.cache
def shipped_proof(document: str) -> ProofPlan:
    """The kinds of proof of a document that ships with the package."""
    file = importlib.resources.files("thirdcard").joinpath("rulebook", "proofs", f"{document}.toml")
    return msgspec.convert(tomllib.loads(file.read_text("utf-8")), type=ProofPlan, strict=False)


@functools.cache
def recorded_evidence() -> dict[str, ClauseEvidence]:
    """The evidence for each document that the test run recorded when this package was made."""
    file = importlib.resources.files("thirdcard").joinpath("rulebook", "evidence.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, ClauseEvidence])


def shipped_coverage(document: Document) -> dict[Clause, Coverage]:
    """How far every clause of a document of the package is proven."""
    return coverage(document, shipped_proof(document.id), recorded_evidence().get(document.id, {}))


Covers = dict[str, dict[Clause, Coverage]]


def totals(covers: Covers) -> dict[str, dict[Status, int]]:
    """How many clauses of each document have each status."""
    return {document: _counted(clauses.values()) for document, clauses in covers.items()}


def kind_totals(covers: Covers) -> dict[ProofKind, dict[Status, int]]:
    """How many clauses of each kind have each status."""
    every = [cover for clauses in covers.values() for cover in clauses.values()]
    return {kind: _counted(each for each in every if each.kind is kind) for kind in ProofKind}


def subject_totals(covers: Covers) -> dict[str, dict[Status, int]]:
    """How many clauses of each subject have each status."""
    every = [cover for clauses in covers.values() for cover in clauses.values()]
    subjects = sorted({cover.subject for cover in every})
    return {subject: _counted(each for each in every if each.subject == subject) for subject in subjects}


def _counted(covers: Iterable[Coverage]) -> dict[Status, int]:
    counts = Counter(cover.status for cover in covers)
    return {status: counts[status] for status in Status}
