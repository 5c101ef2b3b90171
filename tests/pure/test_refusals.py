"""Refusals are values: a reason, its clauses, and what to say."""

from thirdcard.messages import Message, say
from thirdcard.refusals import Refusal, Refused, refuse


def test_a_refusal_keeps_reason_clauses_and_parameters() -> None:
    refused = refuse(Refusal.STAKE_TOO_FINE, "3.5", "3.5.1", wager="tie", stake="0.005", unit="0.01")
    assert refused == Refused(
        Refusal.STAKE_TOO_FINE,
        ("3.5", "3.5.1"),
        (("stake", "0.005"), ("unit", "0.01"), ("wager", "tie")),
    )


def test_a_refusal_says_what_to_do() -> None:
    refused = refuse(Refusal.TOO_MANY_CARDS, "3.15.T1", given=5, needed=4)
    assert refused.message == Message("refusal.too-many-cards", (("given", 5), ("needed", 4)))
    assert say(refused.message) == "Cards given: 5, but the round ends after 4. Leave out the rest."


def test_a_refusal_where_no_document_speaks_has_no_clause() -> None:
    assert refuse(Refusal.NO_RULEBOOK_IN_FORCE, game="faro").clauses == ()


def test_the_reasons_stand_in_order_of_precedence() -> None:
    in_order = [
        "not-yet-in-force",
        "no-rulebook-in-force",
        "too-few-cards",
        "too-many-cards",
        "wager-not-offered",
        "stake-not-positive",
        "stake-too-fine",
    ]
    assert [reason.value for reason in Refusal if reason.value in in_order] == in_order
