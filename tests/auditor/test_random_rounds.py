"""The engine and the recount agree on random rounds of all six games."""

from collections import Counter

import pytest
from auditor.random_rounds import play
from auditor.random_table import Played

from thirdcard.messages import say
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED

ROUNDS = 5_000  # `scripts/soak recount N` plays more
SELDOM = (Situation.TOO_FEW_CARDS,)  # no table plays so long here; `scripts/soak table N` empties shoes
# what must come up so often, so that agreement means something
OFTEN = {
    "tie": 250,
    "won": 1250,
    "lost": 2500,
    "stood-off": 250,
    "commission": 125,
    "rounded": 125,
    "under the minimum": 125,
    "patron-marked": 100,
    "marked": 25,
    "over the maximum": 125,
    # the differential is met before the first card, so that only wagers found later exceed it: 4 to 28
    "scaled": 4,
    "pulled": 25,
    "round-voided": 75,
    "settlement-reversed": 25,
    "cards-reconstructed": 25,
    "offer-answered": 25,
    "free-hand-due": 12,
    "pulled in part": 50,
    "payment-corrected": 50,
    "dispute-decided": 25,
    "claim-booked": 2,
    "cards-substituted": 4,
    "cards-retrieved": 7,
    "betting-reopened": 3,
    "card-corrected": 25,
    "report-withdrawn": 12,
    "facts-disproved": 12,
    "betting-cancelled": 3,
    "money-held": 50,
    "released": 5,
    "settled later": 10,
    "handed back": 10,
    "seized": 10,
    **{f"reported {situation.value}": 3 for situation in Situation if situation not in SELDOM},
}


@pytest.mark.sweep
def test_random_rounds_recount_without_a_difference() -> None:
    tables = list(play(ROUNDS, seed=1))
    findings = [
        f"{table.game} {each.sequence}: {say(each.what)}" for table in tables for each in table.findings
    ]
    assert findings == []
    assert sum(table.rounds for table in tables) == ROUNDS
    assert {table.game for table in tables} == {book.id for book in SHIPPED.rulebooks}
    kinds = sum((table.kinds for table in tables), Counter[str]())
    assert {kind: kinds[kind] for kind, least in OFTEN.items() if kinds[kind] < least} == {}


def test_the_same_seed_plays_the_same_rounds() -> None:
    def first(seed: int) -> list[Played]:
        return list(play(60, seed))

    assert first(7) == first(7)
    assert first(7) != first(8)
