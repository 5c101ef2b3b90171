"""Games from Python: by id, by a file, with a house and readings of one's own; what is refused."""

from pathlib import Path

import pytest

import thirdcard as tc
from thirdcard.game import commands

ROOT = Path(__file__).parent.parent.parent
SHELF = ROOT / "examples" / "shelf"
LUCKY = SHELF / "rulebooks" / "lucky-6.toml"
CASINO = SHELF / "houses" / "example-casino.toml"


def test_the_way_to_a_game_and_the_engine_have_one_name() -> None:
    """Whichever is used first, both go on."""
    assert commands.PlaceWager.__name__ == "PlaceWager"
    assert tc.game("mbs-tiger-v3").id == "mbs-tiger-v3"
    assert tc.__getattr__("game") is tc.game
    assert {"game", "games", "roads", "BadInput"} <= set(dir(tc))
    with pytest.raises(AttributeError, match="no attribute 'gmae'"):
        tc.gmae  # type: ignore[attr-defined]  # noqa: B018


def test_every_game_of_the_package_is_listed() -> None:
    assert tc.games()[:2] == ("mbs-tiger-nc-v4", "mbs-tiger-v3")
    assert tc.games(SHELF)[-1] == "lucky-6"


def test_a_game_of_a_file_of_ones_own() -> None:
    game = tc.game(LUCKY, house=CASINO)
    assert (game.id, game.house.id) == ("lucky-6", "example-casino")
    assert round(100 * float(game.odds()["lucky-6"].edge), 4) == 16.6836
    assert tc.game("lucky-6", shelf=SHELF).odds().to_dict() == game.odds().to_dict()
    assert repr(game) == "<thirdcard game lucky-6 at example-casino>"


def test_edges_of_an_array_have_a_row_for_each_shoe() -> None:
    """Eight decks, by the published edges of Player and Banker with commission."""
    edges = tc.game("mbs-tiger-v3").edges([[32] * 13, [32] * 13])
    assert [round(100 * float(each), 4) for each in edges[1][:2]] == [1.2351, 1.0579]


def test_a_file_with_several_games_names_one_behind_its_name() -> None:
    file = ROOT / "src" / "thirdcard" / "rulebooks" / "hoiana-tiger-2024.toml"
    assert tc.game(f"{file}/commission").id == "hoiana-tiger-2024/commission"
    with pytest.raises(tc.BadInput, match="There is no game hoiana-tiger-2024"):
        tc.game(file)


def test_a_reading_of_a_game() -> None:
    game = tc.game("mbs-super-six-etg-v3", readings=["AMB-01=a"])
    assert float(game.odds()["player-pair"].edge) == pytest.approx(-0.323, abs=0.0005)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: tc.game("mbs-tigr-v3"), "There is no game mbs-tigr-v3. Perhaps mbs-tiger-v3 is meant."),
        (lambda: tc.game("no.toml"), "no.toml"),
        (lambda: tc.game("mbs-tiger-v3", house="nowhere"), "There is no house nowhere: "),
        (lambda: tc.game("mbs-tiger-v3", readings=["AMB-99=a"]), "mbs-tiger-v3 has no reading AMB-99."),
        (lambda: tc.game("mbs-tiger-v3").odds(decks=3), "3 decks are not dealt here."),
        (lambda: tc.game("mbs-tiger-v3").odds(shoe=[32] * 12), "Give thirteen whole numbers"),
        (lambda: tc.game("mbs-tiger-v3").odds(shoe={"A": 41}), "41 cards of rank A are more than ten decks"),
        (lambda: tc.game("mbs-tiger-v3").edges([[32.5] * 13]), "Give thirteen whole numbers"),
        (lambda: tc.game("mbs-tiger-v3").edges([[0] * 12 + [5]]), "A shoe has fewer than 6 cards."),
        (lambda: tc.game("mbs-tiger-v3").simulate(0), "--shoes is 0."),
        (lambda: tc.game("mbs-tiger-v3").simulate(1, cut=2), "A cutting card before 2 cards"),
        (lambda: tc.game("mbs-tiger-v3").count("lucky-6"), "mbs-tiger-v3 has no wager lucky-6."),
        (lambda: tc.game("mbs-tiger-v3").count("tiger", trigger=1), "Give either --tags with --trigger"),
        (lambda: tc.game("mbs-tiger-v3").settle("10 A X 2"), "Card 3 is not a card: X."),
        (lambda: tc.game("mbs-tiger-v3").settle("9 2 K 5", {"player": "x"}), "is not an exact amount"),
        (lambda: tc.game("mbs-tiger-v3").play("game mbs-tiger-nc-v4"), "are of mbs-tiger-nc-v4, not of"),
        (lambda: tc.game("mbs-tiger-v3").play("patrons Ann at 1\nsing"), "Line 3: "),
        (lambda: tc.roads("PBX"), "X"),
        (lambda: tc.roads("PB", tail="C"), "C"),
        (lambda: tc.roads("PB").to_frame("dask"), "No data frames of dask"),
        (lambda: tc.roads("PB").to_xlsx("/no/such/folder/road.xlsx"), "road.xlsx"),
    ],
)
def test_a_sentence_says_what_to_change(ask: object, sentence: str) -> None:
    assert callable(ask)
    with pytest.raises(tc.BadInput) as refused:
        ask()
    assert sentence in str(refused.value)
