"""The clause that a case rests on: its own, or that of the post to which it was referred."""

from thirdcard.clauses import Clause
from thirdcard.game.state import Case
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import Irregularity, Refer


def clause_of(document: Document, case: Case) -> Clause | None:
    """Return the clause of a case; a referral rests on the one that names the post, where there is one."""
    return row_clause(document, Irregularity(case.situation, case.effects, case.clause))


def row_clause(document: Document, row: Irregularity) -> Clause | None:
    """Return the clause of a row, or that of the post where it leaves everything to it."""
    decides = document.authority.not_covered
    referred = any(isinstance(each, Refer) for each in row.effects)
    return decides.clause if row.clause is None and referred and decides else row.clause
