"""Irregularity rows: the circumstances that they name, and the clauses of their effects."""

import pytest

from thirdcard.clauses import Clause
from thirdcard.rulebook.irregularity import (
    Circumstances,
    Effect,
    Irregularity,
    KeepAsNextCard,
    Method,
    Refer,
    Situation,
    Stage,
    VoidRound,
    circumstances,
    effect_clauses,
)


def test_a_row_names_its_circumstances_with_the_values_that_each_may_have() -> None:
    when = Circumstances(stage=(Stage.INITIAL_DEAL, Stage.SUBSEQUENT_DEAL), method=Method.C, seen=False)
    row = Irregularity(Situation.FACE_UP_CARD, effects=(), when=when)
    assert circumstances(row) == {
        "stage": frozenset({Stage.INITIAL_DEAL, Stage.SUBSEQUENT_DEAL}),
        "method": frozenset({Method.C}),
        "seen": frozenset({False}),
    }


def test_a_row_that_names_no_circumstance_holds_in_all() -> None:
    assert circumstances(Irregularity(Situation.MISDEAL, effects=())) == {}


@pytest.mark.parametrize(
    ("effect", "clauses"),
    [
        (VoidRound(Clause("5.1.1")), ("5.1.1",)),
        (KeepAsNextCard(Clause("7.7")), ("7.7",)),
        (KeepAsNextCard(), ()),
        (Refer(("continue",)), ()),
    ],
)
def test_an_effect_has_the_clause_that_the_document_gives_it(
    effect: Effect, clauses: tuple[str, ...]
) -> None:
    assert effect_clauses(effect) == clauses
