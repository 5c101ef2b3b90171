"""Irregularity rows: the circumstances that they name, and the clauses of their effects."""

from typing import get_args

import pytest

from thirdcard.clauses import Clause
from thirdcard.rulebook.irregularity import (
    Act,
    Circumstances,
    Effect,
    Irregularity,
    KeepAsNextCard,
    Method,
    PayToMaximum,
    Policy,
    Preset,
    Refer,
    SettleProRata,
    Situation,
    Stage,
    VoidRound,
    circumstances,
    effect_clauses,
)
from thirdcard.rulebook.shelf import SHIPPED


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
        (Refer((Preset.CONTINUE,)), ()),
    ],
)
def test_an_effect_has_the_clause_that_the_document_gives_it(
    effect: Effect, clauses: tuple[str, ...]
) -> None:
    assert effect_clauses(effect) == clauses


def test_an_effect_is_an_act_or_a_policy() -> None:
    acts, policies = set(get_args(Act)), set(get_args(Policy))
    assert not acts & policies
    assert acts | policies == set(get_args(Effect))


@pytest.mark.parametrize(
    ("game", "maximum", "pro_rata"),
    [("hoiana-tiger-2024/commission", ["7.18"], ["7.19"]), ("mbs-tiger-v3", ["5.15"], [])],
)
def test_a_document_tells_its_policies(game: str, maximum: list[str], pro_rata: list[str]) -> None:
    book = SHIPPED.rulebook(game)
    assert [each.clause for each in book.document.policies_of(PayToMaximum)] == maximum
    assert [each.clause for each in book.document.policies_of(SettleProRata)] == pro_rata
