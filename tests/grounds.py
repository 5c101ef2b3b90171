"""The ground of an event: a clause of the document, or a procedure of the house."""

from thirdcard.folds.ledger import entries
from thirdcard.game import events as ev
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House


def is_founded(event: ev.Event, document: Document, house: House) -> bool:
    """Whether an event that moves money, voids a round or hands a wager back cites what lets it."""
    cited = [event.clauses]
    if isinstance(event, ev.RoundSettled):
        cited += [wager.clauses for wager in event.wagers]
    procedure: str | None = getattr(event, "procedure", None)
    known = {each.id for each in house.form.procedures}
    if not all(set(clauses) <= set(document.clauses) for clauses in cited) or procedure not in {None, *known}:
        return False
    needed = bool(entries(event)) or isinstance(event, ev.RoundVoided | ev.WagerHandedBack)
    return not needed or procedure is not None or all(cited)
