"""The engine and the recount agree on random rounds of all six games."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from auditor.random_rounds import play
from auditor.random_table import Played

from thirdcard.messages import say
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import all_rulebooks

ROUNDS = 20_000
# what must come up so often, so that agreement means something
OFTEN = {
    "tie": 1000,
    "won": 5000,
    "lost": 10_000,
    "stood-off": 1000,
    "commission": 500,
    "rounded": 500,
    "under the minimum": 500,
    "patron-marked": 500,
    "marked": 100,
    "over the maximum": 500,
    "scaled": 500,
    "pulled": 100,
    "round-voided": 300,
    "settlement-reversed": 100,
    "cards-reconstructed": 100,
    "offer-answered": 100,
    "free-hand-due": 50,
    "pulled in part": 200,
    "payment-corrected": 200,
    "dispute-decided": 100,
    "claim-booked": 5,
    "cards-substituted": 20,
    "cards-retrieved": 30,
    "betting-reopened": 15,
    **{f"reported {situation.value}": 15 for situation in Situation},
}


@contextmanager
def untraced() -> Iterator[None]:
    """Without the tracing of coverage, which takes most of the time; the unit tests cover the recount."""
    tracing = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracing)


def test_twenty_thousand_random_rounds_recount_without_a_difference() -> None:
    with untraced():
        tables = list(play(ROUNDS, seed=1))
    findings = [
        f"{table.game} {each.sequence}: {say(each.what)}" for table in tables for each in table.findings
    ]
    assert findings == []
    assert sum(table.rounds for table in tables) == ROUNDS
    assert {table.game for table in tables} == {book.id for book in all_rulebooks()}
    kinds = sum((table.kinds for table in tables), Counter[str]())
    assert {kind: kinds[kind] for kind, least in OFTEN.items() if kinds[kind] < least} == {}


def test_the_same_seed_plays_the_same_rounds() -> None:
    def first(seed: int) -> list[Played]:
        return list(play(60, seed))

    assert first(7) == first(7)
    assert first(7) != first(8)
