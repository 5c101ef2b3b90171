"""Exact odds against counts known from elsewhere, and against brute force on small shoes."""

import functools
import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from counts.count import counts
from hypothesis import example, given, settings
from hypothesis import strategies as st
from plain_odds import rulebook_odds

from thirdcard.cards import Card, Rank
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.odds.edge import Edge, edges_by_decks
from thirdcard.odds.exact import Endings, RankCounts, endings, full_shoe, wager_odds
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Facts, PairRule
from thirdcard.rulebook.shelf import SHIPPED

# counted by tests/counts/count.py, without the engine, for 4 to 10 decks
FILE = Path(__file__).parent.parent / "counts" / "known.json"
KNOWN = json.loads(FILE.read_text())

ROWS = {
    ("player", "1 to 1"): ("player",),
    ("banker", "0.95 to 1"): ("banker",),
    ("banker", "1 to 2"): ("banker-six-two-cards", "banker-six-three-cards"),
    ("tie", "8 to 1"): ("tie",),
    ("tiger", "12 to 1"): ("banker-six-two-cards",),
    ("tiger", "20 to 1"): ("banker-six-three-cards",),
    ("small-tiger", "22 to 1"): ("banker-six-two-cards",),
    ("big-tiger", "50 to 1"): ("banker-six-three-cards",),
    ("tiger-tie", "35 to 1"): ("tie-six",),
    ("tiger-pair", "4 to 1"): ("one-pair",),
    ("tiger-pair", "20 to 1"): ("two-pairs",),
    ("tiger-pair", "100 to 1"): ("twin-pairs",),
    ("player-pair", "11 to 1"): ("player-pair",),
    ("banker-pair", "11 to 1"): ("banker-pair",),
    ("super-six", "15 to 1"): ("banker-six-two-cards", "banker-six-three-cards"),
    ("dragon-tiger", "30 to 1"): ("seven-over-six-four-cards",),
    ("dragon-tiger", "40 to 1"): ("seven-over-six-five-cards",),
    ("dragon-tiger", "100 to 1"): ("seven-over-six-six-cards",),
    ("small-dragon", "15 to 1"): ("player-seven-two-cards",),
    ("big-dragon", "30 to 1"): ("player-seven-three-cards",),
}

# 8 decks, house edge in per cent
EDGES = {
    "mbs-tiger-nc-v4": {
        "player": "1.2351",
        "banker": "1.4581",
        "tie": "14.3596",
        "tiger": "16.6836",
        "small-tiger": "14.3325",
        "big-tiger": "15.2533",
        "tiger-tie": "30.7354",
        "tiger-pair": "16.1217",
    },
    "mbs-tiger-v3": {
        "player": "1.2351",
        "banker": "1.0579",
        "tie": "14.3596",
        "tiger": "16.6836",
        "small-tiger": "14.3325",
        "big-tiger": "15.2533",
        "tiger-tie": "30.7354",
        "tiger-pair": "16.1217",
    },
    "mbs-dragon-tiger-nc-2023": {
        "player": "1.2351",
        "banker": "1.4581",
        "tie": "14.3596",
        "dragon-tiger": "14.8343",
        "small-dragon": "13.0453",
        "big-dragon": "15.4063",
        "small-tiger": "14.3325",
        "big-tiger": "15.2533",
    },
    "mbs-super-six-etg-v3": {
        "player": "1.2351",
        "banker": "1.4581",
        "tie": "14.3596",
        "player-pair": "10.3614",
        "banker-pair": "10.3614",
        "super-six": "13.8181",
    },
    "hoiana-tiger-2024/commission": {
        "player": "1.2351",
        "banker": "1.0579",
        "tie": "14.3596",
        "player-pair": "10.3614",
        "banker-pair": "10.3614",
        "tiger": "16.6836",
        "small-tiger": "14.3325",
        "big-tiger": "15.2533",
    },
    "hoiana-tiger-2024/non-commission": {
        "player": "1.2351",
        "banker": "1.4581",
        "tie": "14.3596",
        "player-pair": "10.3614",
        "banker-pair": "10.3614",
        "tiger": "16.6836",
        "small-tiger": "14.3325",
        "big-tiger": "15.2533",
    },
}


def rulebook(game: str = "mbs-tiger-nc-v4") -> Rulebook:
    return SHIPPED.rulebook(game)


@functools.cache
def counted(decks: int) -> Endings:
    """The endings for so many decks; all five documents have one table of play."""
    return endings(rulebook().drawing, full_shoe(decks), PairRule.RANK)


def test_the_known_counts_are_those_that_the_program_counts(request: pytest.FixtureRequest) -> None:
    counted = counts()
    if request.config.getoption("--update"):
        FILE.write_text(json.dumps(counted, indent=1) + "\n")
    assert counted == json.loads(FILE.read_text())


def test_the_known_counts_for_eight_decks() -> None:
    known = KNOWN["8"]
    assert known["banker"] == 2_292_252_566_437_888
    assert known["player"] == 2_230_518_282_592_256
    assert known["tie"] == 475_627_426_473_216
    assert known["total"] == 4_998_398_275_503_360


@pytest.mark.parametrize(
    "decks", [8, *(pytest.param(decks, marks=pytest.mark.sweep) for decks in (4, 5, 6, 7, 9, 10))]
)
def test_every_pay_row_of_every_game_is_paid_as_often_as_known(decks: int) -> None:
    known, ends = KNOWN[str(decks)], counted(decks)
    assert (ends.total, ends.void) == (known["total"], 0)
    assert sum(ends.counts.values()) == known["total"]
    for book in SHIPPED.rulebooks:
        for wager in book.wagers.values():
            odds = wager_odds(wager, ends)
            stands_off = known["tie"] if wager.id in ("player", "banker") else 0
            assert odds.stood_off == stands_off
            for row in odds.rows:
                if (wager.id, row.odds.text) == ("banker", "1 to 1"):
                    sixes = known["banker-six-two-cards"] + known["banker-six-three-cards"]
                    assert row.count == known["banker"] - sixes
                else:
                    assert row.count == sum(known[name] for name in ROWS[wager.id, row.odds.text])
            assert odds.lost + odds.stood_off + sum(row.count for row in odds.rows) == known["total"]


@pytest.mark.parametrize("game", EDGES)
def test_house_edges_with_eight_decks(game: str) -> None:
    edges = {
        wager.id: f"{float(wager_odds(wager, counted(8)).edge * 100):.4f}"
        for wager in rulebook(game).wagers.values()
    }
    assert edges == EDGES[game]


def test_a_pair_by_point_value_would_favour_the_patron() -> None:
    (edge,) = [
        odds.edge
        for odds in rulebook_odds(rulebook("mbs-super-six-etg-v3"), full_shoe(8), PairRule.POINT_VALUE)
        if odds.wager == "player-pair"
    ]
    assert f"{float(edge * 100):.1f}" == "-32.3"


def brute_force(cards: tuple[Rank, ...], pair_rule: PairRule) -> tuple[dict[Facts, int], int]:
    """Every order of a handful of cards, dealt by the engine card by card; void where they run out."""
    counts: dict[Facts, int] = {}
    void = 0
    for order in itertools.permutations(cards, min(6, len(cards))):
        dealt = tuple(Card(rank) for rank in order)
        for number in range(len(dealt) + 1):
            outcome = play_out(rulebook(), dealt[:number], pair_rule)
            if isinstance(outcome, Outcome):
                counts[outcome.facts] = counts.get(outcome.facts, 0) + 1
                break
        else:
            void += 1
    return counts, void


# more cards and every wager: tests/proof_of_odds
@example(cards=(Rank.ACE,) * 4, pair_rule=next(iter(PairRule)))  # the Player draws, and no card is left
@settings(max_examples=40)
@given(
    cards=st.lists(st.sampled_from(list(Rank)), min_size=0, max_size=5).map(tuple),
    pair_rule=st.sampled_from(PairRule),
)
def test_small_shoes_agree_with_brute_force(cards: tuple[Rank, ...], pair_rule: PairRule) -> None:
    shoe = RankCounts(tuple(cards.count(rank) for rank in Rank))
    ends = endings(rulebook().drawing, shoe, pair_rule)
    assert ends.total == math.perm(len(cards), min(6, len(cards)))
    assert (ends.counts, ends.void) == brute_force(cards, pair_rule)


def test_edges_over_all_permitted_decks_are_positive() -> None:
    edges = [edge for each in SHIPPED.rulebooks for edge in edges_by_decks(each, PairRule.RANK)]
    assert {edge.decks for edge in edges} == {4, 5, 6, 7, 8, 9, 10}
    assert len(edges) == 7 * sum(len(each.wagers) for each in SHIPPED.rulebooks)
    assert not any(edge.refused for edge in edges)
    assert all(edge.edge > 0 for edge in edges)


def test_an_edge_below_zero_is_refused_unless_the_rulebook_gives_a_reason() -> None:
    assert Edge("tiger", 8, Fraction(-1, 100), None).refused
    assert not Edge("tiger", 8, Fraction(-1, 100), "opening week").refused
    assert not Edge("tiger", 8, Fraction(0), None).refused
