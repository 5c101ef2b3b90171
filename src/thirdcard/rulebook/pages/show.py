"""A rule document as tables that people read: pay tables, table of play, irregularities with who decides."""

from collections.abc import Iterator

from thirdcard.clauses import Clause
from thirdcard.rulebook.citations import citations
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.pages import playing, running
from thirdcard.rulebook.pages.lines import PageLine, PageTable, table

PRINTED_PARTS = (
    playing.identity,
    playing.layouts,
    playing.rounds,
    playing.cards,
    playing.offered,
    playing.wagers,
    playing.table_of_play,
    running.methods,
    running.control,
    running.squeezing,
    running.shoe,
    running.limits,
    running.irregularities,
    running.authority,
    running.displays,
    running.equipment,
    running.disputes,
)


def tables(document: Document) -> tuple[PageTable, ...]:
    """Everything a rulebook says, topic by topic; topics that it leaves out are left out."""
    shown = (*(topic(document) for topic in PRINTED_PARTS), _terms(document), _notes(document))
    return tuple(each for each in shown if each.lines)


def find_clause(document: Document, wanted: str) -> Clause | None:
    """A clause by its number, or by the term that it defines."""
    if Clause(wanted) in document.clauses:
        return Clause(wanted)
    for clause, line in document.clauses.items():
        if line.term is not None and line.term.casefold() == wanted.casefold():
            return clause
    return None


def lines_citing(document: Document, clause: Clause) -> tuple[tuple[str, PageLine], ...]:
    """The rows that rest on a clause, each with the title of its table."""
    return tuple(
        (each.title, line) for each in tables(document) for line in each.lines if clause in line.clauses
    )


def keys_citing(document: Document, clause: Clause) -> tuple[str, ...]:
    """The keys of the rulebook file that cite a clause."""
    return tuple(citation.key for citation in citations(document) if citation.clause == clause)


def _terms(document: Document) -> PageTable:
    def lines() -> Iterator[PageLine]:
        for clause, line in document.clauses.items():
            if line.term is not None:
                yield PageLine((line.term,), (line.says,), (clause,))

    return table("terms", ("term",), ("meaning",), lines())


def _notes(document: Document) -> PageTable:
    def lines() -> Iterator[PageLine]:
        for note in document.text.notes:
            yield PageLine((note.clause,), (note.note,), (note.clause,))

    return table("notes", ("clause",), ("note",), lines())
