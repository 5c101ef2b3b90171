"""The irregularity rows of all documents, and those that a drill shows."""

from typing import get_args

from msgspec import Struct

from thirdcard.game import events as ev
from thirdcard.rulebook.irregularity import Policy, Refer, row_labels
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.training.rehearsal import Rehearsal


class Row(Struct, frozen=True):
    """A row of a document, by its place and its label."""

    document: str
    place: int
    label: str


def all_rows() -> tuple[Row, ...]:
    """Return every irregularity row of every document."""
    return tuple(
        Row(document.id, place, label)
        for document in SHIPPED.documents
        for place, label in enumerate(row_labels([row.situation for row in document.irregularities]))
    )


def rows_shown(rehearsal: Rehearsal) -> set[Row]:
    """Return the rows by which the cases of a drill come to light where somebody has to act."""
    document = rehearsal.rulebook.document
    labels = row_labels([row.situation for row in document.irregularities])
    first = min((at for at, each in enumerate(rehearsal.steps) if each.step.gap), default=0)
    cases = [
        event.case
        for each in rehearsal.steps[first:]
        for event in each.events
        if isinstance(event, ev.IrregularityReported)
    ]
    found: set[Row] = set()
    for place, row in enumerate(document.irregularities):
        for case in cases:
            same = (row.situation, row.clause) == (case.situation, case.clause)
            if same and _effects(row.effects) == _effects(case.effects):
                found.add(Row(document.id, place, labels[place]))
        stands = all(isinstance(effect, get_args(Policy)) for effect in row.effects)
        if stands and row.clause in _cited(rehearsal, first):
            found.add(Row(document.id, place, labels[place]))
    return found


def _cited(rehearsal: Rehearsal, first: int) -> set[str]:
    """The clauses of everything that follows from the first gap on: standing rules need no report."""
    events = [event for each in rehearsal.steps[first:] for event in each.events]
    settled = [wager for event in events if isinstance(event, ev.RoundSettled) for wager in event.wagers]
    return {clause for each in (*events, *settled) for clause in each.clauses}


def _effects(effects: tuple[object, ...]) -> tuple[object, ...]:
    """The effects of a row; a referral puts only those choices that are possible then."""
    return tuple("refer" if isinstance(each, Refer) else each for each in effects)
