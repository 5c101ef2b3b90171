"""Exact odds three ways: plain enumeration, numpy and the C kernel give the same whole numbers."""

import functools
import json
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest
from odds.kernels import FAST, KERNELS, random_shoes
from plain_odds import rulebook_odds

from thirdcard.cards import Rank
from thirdcard.odds.compiled import CLASSES, compile_game, facts_by_class, is_pair_wager
from thirdcard.odds.exact import Endings, RankCounts, WagerOdds, endings, full_shoe, wager_odds
from thirdcard.odds.kernel import VARIABLE
from thirdcard.odds.price import batch_counts, edges, event_counts, prices, removal
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule, When, Winner, conditions
from thirdcard.rulebook.shelf import SHIPPED

KNOWN = json.loads((Path(__file__).parent.parent / "counts" / "known.json").read_text())


def rulebook(game: str = "mbs-tiger-nc-v4") -> Rulebook:
    return SHIPPED.rulebook(game)


@functools.cache
def enumerated(game: str, shoe: RankCounts, pair_rule: PairRule) -> tuple[WagerOdds, ...]:
    """The odds by plain enumeration, which takes far longer than every kernel."""
    return rulebook_odds(rulebook(game), shoe, pair_rule)


@functools.cache
def counted(shoe: RankCounts) -> Endings:
    """The endings by plain enumeration; all documents have one table of play."""
    return endings(rulebook().drawing, shoe, PairRule.RANK)


def test_the_kernel_was_built_for_this_machine() -> None:
    assert FAST, "run scripts/test, which builds it"


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_known_counts_for_4_to_10_decks(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    for decks in range(4, 11):
        known = KNOWN[str(decks)]
        priced = prices(rulebook("mbs-dragon-tiger-nc-2023"), full_shoe(decks), PairRule.RANK)
        assert priced.total == known["total"]
        counts = {(each.wager, row.odds.text): row.count for each in priced.wagers for row in each.rows}
        assert counts["player", "1 to 1"] == known["player"]
        assert counts["tie", "8 to 1"] == known["tie"]
        assert counts["big-tiger", "50 to 1"] == known["banker-six-three-cards"]
        assert counts["dragon-tiger", "100 to 1"] == known["seven-over-six-six-cards"]
        pairs = prices(rulebook(), full_shoe(decks), PairRule.RANK).wagers[6]
        assert [row.count for row in pairs.rows] == [
            known[name] for name in ("one-pair", "two-pairs", "twin-pairs")
        ]


@pytest.mark.parametrize("pair_rule", PairRule)
@pytest.mark.parametrize("kernel", KERNELS)
def test_one_shoe_agrees_with_the_enumeration(
    kernel: str, pair_rule: PairRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    shoes = {"mbs-tiger-nc-v4": RankCounts((40,) * 13), "mbs-super-six-etg-v3": random_shoes(1, seed=7)[0]}
    for game, shoe in shoes.items():
        assert prices(rulebook(game), shoe, pair_rule).wagers == enumerated(game, shoe, pair_rule)


@pytest.mark.parametrize("pair_rule", PairRule)
def test_batches_agree_with_each_other_and_with_single_shoes(
    pair_rule: PairRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    shoes = random_shoes(350, seed=3)
    left = np.array([shoe.left for shoe in shoes])
    for book in SHIPPED.rulebooks:
        compiled = compile_game(book, pair_rule)
        found = []
        for kernel in KERNELS:
            monkeypatch.setenv(VARIABLE, kernel)
            found.append(batch_counts(compiled, left))
        assert all(np.array_equal(found[0], each) for each in found)
        monkeypatch.delenv(VARIABLE)
        assert found[0].tolist() == [event_counts(compiled, shoe) for shoe in shoes]


def test_edges_of_a_batch_are_those_of_the_single_shoes() -> None:
    shoes = random_shoes(20, seed=5)
    batch = edges(compile_game(rulebook(), PairRule.RANK), np.array([shoe.left for shoe in shoes]))
    for shoe, row in zip(shoes, batch, strict=True):
        exact = [float(each.edge) for each in prices(rulebook(), shoe, PairRule.RANK).wagers]
        assert row == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_wager_on_a_tie_with_a_pair_needs_totals_and_pairs_together(
    kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    book = rulebook("mbs-super-six-etg-v3")
    tie = book.wagers["tie"]
    when = conditions(When(winner=Winner.TIE, player_pair=True))
    row = msgspec.structs.replace(tie.rows[0], conditions=when)
    both = msgspec.structs.replace(tie, id="both", rows=(row,))
    mixed = msgspec.structs.replace(book, id="mixed", wagers={**book.wagers, "both": both})
    compiled = compile_game(mixed, PairRule.RANK)
    assert compiled.by_final is None
    shoes = random_shoes(3, seed=9)
    counts = batch_counts(compiled, np.array([shoe.left for shoe in shoes]))
    for shoe, events in zip(shoes, counts.tolist(), strict=True):
        exact = wager_odds(both, counted(shoe))
        assert events[-1] == exact.rows[0].count > 0
        assert event_counts(compiled, shoe)[-1] == exact.rows[0].count


def test_shoes_that_are_too_small_or_too_large_for_the_closed_form_are_enumerated() -> None:
    small = RankCounts((1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2))
    priced = prices(rulebook(), small, PairRule.RANK)
    assert priced.total == 5 * 4 * 3 * 2
    assert 0 < priced.void < priced.total
    assert priced.wagers == rulebook_odds(rulebook(), small, PairRule.RANK)
    large = RankCounts((41, *(0,) * 12))
    assert prices(rulebook(), large, PairRule.RANK).wagers[2].won == priced_total(41)


def priced_total(cards: int) -> int:
    return cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) * (cards - 5)


def test_the_standard_deviation_of_an_even_wager() -> None:
    # Player with 8 decks: 0.4462 won, 0.4586 lost, 0.0952 stood off; variance 0.9048 - 0.01235 ** 2
    player = prices(rulebook(), full_shoe(8), PairRule.RANK).wagers[0]
    assert player.deviation == pytest.approx(0.951153, abs=1e-6)


def test_removing_a_card_moves_the_edge_as_known() -> None:
    # one six less makes Tiger Tie worse for the patron by over a point, one ten better
    changes = removal(rulebook(), full_shoe(8), PairRule.RANK)
    assert f"{float(changes['tiger-tie'][Rank.SIX - 1] * 100):.3f}" == "1.141"
    assert changes["tiger-tie"][Rank.TEN - 1] == changes["tiger-tie"][Rank.KING - 1] < 0
    assert len(set(changes["tiger-pair"])) == 1
    assert isinstance(changes["banker"][0], Fraction)


def test_every_class_has_its_facts_and_every_pair_wager_is_known() -> None:
    assert len(facts_by_class()) == CLASSES
    assert len(set(facts_by_class())) == CLASSES
    wagers = {
        wager.id for book in SHIPPED.rulebooks for wager in book.wagers.values() if is_pair_wager(wager)
    }
    assert wagers == {"tiger-pair", "player-pair", "banker-pair"}
