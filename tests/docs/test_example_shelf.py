"""examples/shelf: three games of no shipped document, with their published edges and golden rounds."""

import hashlib
import itertools
import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from auditor.written import Written
from docs.pages import ROOT, blocks
from odds.kernels import KERNELS
from proof_of_odds.dealing import deal

from thirdcard.odds.compiled import compile_game
from thirdcard.odds.exact import full_shoe
from thirdcard.odds.kernel import VARIABLE
from thirdcard.odds.plan import ShoePlan
from thirdcard.odds.price import prices
from thirdcard.odds.simulate import run, simulated
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import DOCUMENTS, HOUSES, open_shelf

FOLDER = ROOT / "examples" / "shelf"
SHELF = open_shelf(FOLDER)
GAMES = SHELF.document_ids[len(DOCUMENTS) :]
ROUNDS = sorted((FOLDER / "rounds").glob("*.round"))
# house edges in per cent with eight decks, as they are published for these games
PUBLISHED = {
    ("ez-baccarat", "player"): "1.2351",
    ("ez-baccarat", "banker"): "1.0183",
    ("ez-baccarat", "dragon-7"): "7.6113",
    ("ez-baccarat", "panda-8"): "10.1876",
    ("dragon-bonus", "banker"): "1.0579",
    ("dragon-bonus", "tie"): "14.3596",
    ("dragon-bonus", "dragon-bonus-player"): "2.6517",
    ("dragon-bonus", "dragon-bonus-banker"): "9.3731",
    ("lucky-6", "banker"): "1.4581",
    ("lucky-6", "lucky-6"): "16.6836",
}


def test_the_shelf_has_three_games_and_a_house() -> None:
    assert GAMES == ("dragon-bonus", "ez-baccarat", "lucky-6")
    assert SHELF.house_ids == (*HOUSES, "example-casino")


@pytest.mark.parametrize(("game", "wager"), PUBLISHED)
def test_a_wager_has_its_published_edge(game: str, wager: str) -> None:
    found = {
        each.wager: each.edge for each in prices(SHELF.rulebook(game), full_shoe(8), PairRule.RANK).wagers
    }
    assert f"{float(found[wager] * 100):.4f}" == PUBLISHED[game, wager]


@pytest.mark.parametrize("game", GAMES)
def test_a_rulebook_has_the_digest_of_its_text(game: str) -> None:
    text = (FOLDER / "texts" / f"{game}.txt").read_bytes()
    assert SHELF.document(game).text.sha256 == hashlib.sha256(text).hexdigest()


def test_the_house_is_that_of_the_page() -> None:
    page = ROOT / "docs" / "writing-a-rulebook.md"
    [shown] = [block.text for block in blocks(page, "toml") if block.note.endswith("/example-casino.toml")]
    assert shown == (FOLDER / "houses" / "example-casino.toml").read_text("utf-8")


@pytest.mark.parametrize("file", ROUNDS, ids=[each.stem for each in ROUNDS])
def test_a_golden_round_plays_as_written(file: Path) -> None:
    parsed = parse(file.read_text("utf-8"), RoundRules(SHELF))
    rulebook = SHELF.rulebook(parsed.settings.game)
    played = play(parsed, rulebook, SHELF.house_of(rulebook))
    assert (played.differences, played.unwritten) == ((), ())


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_golden_rounds(game: str) -> None:
    assert any(each.stem.startswith(f"{game}-") for each in ROUNDS)


@pytest.mark.sweep
def test_a_dragon_bonus_is_paid_as_often_as_a_count_of_all_orders_says() -> None:
    """Every order of six point values, by the dealing of the proof, which knows neither engine nor odds."""
    found: Counter[tuple[tuple[int, ...], str]] = Counter()
    for values in itertools.product(range(10), repeat=6):
        end = deal(values)
        assert end is not None
        player, banker, player_cards, banker_cards = end
        natural = (player_cards == 2 and player >= 8) or (banker_cards == 2 and banker >= 8)
        if player > banker and (natural or player - banker >= 4):
            found[tuple(sorted(values)), "natural" if natural else str(player - banker)] += 1
    left = [128, *[32] * 9]
    counted: Counter[str] = Counter()
    for (values, kind), times in found.items():
        counted[kind] += times * math.prod(math.perm(left[each], values.count(each)) for each in set(values))
    priced = prices(SHELF.rulebook("dragon-bonus"), full_shoe(8), PairRule.RANK).wagers
    rows = next(each.rows for each in priced if each.wager == "dragon-bonus-player")
    assert [row.count for row in rows] == [counted[kind] for kind in ("natural", *"987654")]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("game", GAMES)
def test_every_kernel_simulates_a_game_as_often_as_its_exact_odds_say(
    game: str, kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    compiled, plan = compile_game(SHELF.rulebook(game), PairRule.RANK), ShoePlan(rounds=60)
    with ThreadPoolExecutor(1) as threads:
        found = simulated(
            compiled, plan, run(compiled, plan, seed=5, shoes=8_000, executor=threads, workers=1)
        )
    assert found.rounds == 480_000
    for wager in found.wagers:
        for row in wager.rows:
            assert abs(row.estimate.z) < 4.5, (wager.wager, row)


@pytest.mark.parametrize("file", ROUNDS, ids=[each.stem for each in ROUNDS])
def test_a_golden_round_is_recounted_and_a_forged_payment_is_found(file: Path) -> None:
    parsed = parse(file.read_text("utf-8"), RoundRules(SHELF))
    rulebook = SHELF.rulebook(parsed.settings.game)
    house = SHELF.house_of(rulebook)
    played = play(parsed, rulebook, house)
    bodies = [msgspec.json.decode(msgspec.json.encode(event)) for event in played.events]
    record = Written(rulebook.document, house.form, bodies)
    assert record.found_keys() == []
    forged = record.body("round-settled")["wagers"][0]
    forged["paid"] += 100
    assert record.found_keys() != []
