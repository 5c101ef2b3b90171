"""All evidence of a test run: the pieces that rounds and typed hands give, put together for each clause."""

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec
from evidence import AGAINST_A_RULE, given_by_round
from golden import Golden
from msgspec import Struct
from powers import Given

from thirdcard.game import events as ev
from thirdcard.game.settlement import Settlement
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.facts import Facts, hold, reachable
from thirdcard.rulebook.pages.coverage import PIECES, Piece, shipped_proof
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED

NOT_ALIKE = "other events"  # nothing is told apart by them
THIRD_CARDS = ("step.draws", "step.draws-against", "step.stands", "step.stands-against", "step.natural")


class SettledExample(Struct, frozen=True):
    """A wager that was settled on some facts, with the clauses that were cited."""

    game: str
    wager: str
    facts: Facts
    clauses: tuple[str, ...]


class Collected:
    """All evidence of a test run."""

    def __init__(self) -> None:
        self.pieces: dict[str, set[Given]] = {document: set() for document in DOCUMENTS}
        self.all: Counter[tuple[str, str]] = Counter()  # document and what was compared
        self.citing: Counter[tuple[str, str, str]] = Counter()  # and the clause
        self.results: dict[tuple[str, str, str], set[str]] = {}  # of the wagers that cite a clause
        self.examples: dict[str, set[SettledExample]] = {document: set() for document in DOCUMENTS}

    def add(self, document: str, given: Iterable[Given]) -> None:
        """Add pieces of evidence."""
        self.pieces[document].update(given)

    def compare(self, document: str, what: str, clauses: Iterable[str]) -> None:
        """Add one of several alike things: some cite a clause, and others do not."""
        self.all[document, what] += 1
        self.citing.update((document, what, clause) for clause in set(clauses))

    def add_wager(self, document: str, example: SettledExample, result: str) -> None:
        """Add a wager that was settled."""
        self.compare(document, example.wager, example.clauses)
        self.examples[document].add(example)
        for clause in example.clauses:
            self.results.setdefault((document, example.wager, clause), set()).add(result)

    def add_round(self, told: Golden) -> None:
        """Add what a golden round shows."""
        document = told.rulebook.document.id
        self.add(document, given_by_round(told))
        facts: Facts | None = None
        for event in told.played.events:
            self.compare(document, _sort_of(event, told.rulebook.document), event.clauses)
            facts = event.facts if isinstance(event, ev.OutcomeKnown) else facts
            if isinstance(event, ev.RoundSettled):
                assert facts is not None
                for wager in event.wagers:
                    example = SettledExample(told.rulebook.id, wager.wager, facts, wager.clauses)
                    self.add_wager(document, example, wager.result)

    def add_settlement(self, document: str, settlement: Settlement) -> None:
        """Add what typed cards show."""
        for moment in settlement.outcome.moments:
            key = moment.what.key
            self.compare(document, "third-card" if key in THIRD_CARDS else key, moment.clauses)
            self.add(document, ((clause, Piece.THIS_SIDE) for clause in moment.clauses))
        for wager in settlement.wagers:
            self.add(document, ((clause, Piece.THIS_SIDE) for clause in wager.clauses))
            facts = settlement.outcome.facts
            example = SettledExample(settlement.rulebook, wager.wager, facts, wager.clauses)
            self.add_wager(document, example, wager.result.value)

    def add_result(self, document: str, result: ev.Event | Refused) -> None:
        """Add what one event or refusal shows."""
        pieces = AGAINST_A_RULE if isinstance(result, Refused) else (Piece.DONE, Piece.THIS_SIDE)
        self.add(document, ((clause, piece) for clause in result.clauses for piece in pieces))

    def evidence(self) -> dict[str, dict[str, list[str]]]:
        """The evidence as the package ships it: for each clause the pieces that count for its kind."""
        tidy: dict[str, dict[str, list[str]]] = {}
        for document in DOCUMENTS:
            proof = shipped_proof(document)
            given = self.pieces[document] | set(self._told_apart(document))
            given -= {(clause, Piece.OTHER_SIDE) for clause in self._without_near_miss(document)}
            tidy[document] = {}
            for clause in SHIPPED.document(document).clauses:
                also = proof.also.get(clause)
                counts = PIECES[proof.kind_of(clause)] + (PIECES[also] if also else ())
                pieces = [piece.value for piece in Piece if piece in counts and (clause, piece) in given]
                if pieces:
                    tidy[document][clause] = pieces
        return tidy

    def encode(self) -> bytes:
        """The evidence, one clause after the other."""
        return msgspec.json.format(msgspec.json.encode(self.evidence()), indent=1) + b"\n"

    def _told_apart(self, document: str) -> Iterator[Given]:
        """Clauses that some things of a sort cite and others do not: there is an example on each side."""
        for (where, what, clause), count in self.citing.items():
            if where == document and what != NOT_ALIKE and count < self.all[document, what]:
                yield clause, Piece.OTHER_SIDE
        for (where, _, clause), results in self.results.items():
            if where == document and len(results) > 1:
                yield clause, Piece.OTHER_SIDE

    def _without_near_miss(self, document: str) -> Iterator[str]:
        """Clauses of pay rows of which some condition was never seen to fail alone."""
        for rulebook in SHIPPED.rulebooks:
            if rulebook.document.id == document:
                yield from _missed(rulebook, self.examples[document])


def _sort_of(event: ev.Event, document: Document) -> str:
    """The sort of an event: those that cite a clause alike, by their cards or by the facts told."""
    if isinstance(event, ev.IrregularityReported):
        return f"{type(event).__name__} {event.case.situation.value}"
    initial = isinstance(event, ev.CardDrawn) and document.deal.two_hands[0] in event.clauses
    return type(event).__name__ if initial or isinstance(event, ev.OutcomeKnown) else NOT_ALIKE


def _missed(rulebook: Rulebook, examples: set[SettledExample]) -> Iterator[str]:
    """The clauses of pay rows of which some condition can fail alone, and was never seen to."""
    endings = reachable(rulebook.drawing)
    for wager in rulebook.wagers.values():
        seen = [each.facts for each in examples if each.game == rulebook.id and each.wager == wager.id]
        for row in wager.rows:
            for name, allowed in row.conditions:
                others = tuple(each for each in row.conditions if each[0] != name)
                possible = [facts for facts in endings if getattr(facts, name) not in allowed]
                missed = [facts for facts in possible if hold(others, facts)]
                if missed and not set(missed) & set(seen):
                    yield row.clauses[0]
