"""``--shelf`` and THIRDCARD_SHELF: every command that plays or prices a game takes games of one's own."""

import shutil
from pathlib import Path

import pytest

from thirdcard import cli

ROOT = Path(__file__).parents[2]
GAME = "ez-baccarat"
ROUND = f"""game {GAME}
patrons Ann at 1
Dealer: opens betting
Ann: 100 on dragon-7 at 1
Dealer: closes betting
Dealer: draws 2 A 3 K 9 6
Dealer: calls banker
check Ann: net 4000
"""
COMMANDS = {
    "settle": ("settle", GAME, "--cards", "2 A 3 K 9 6", "--wager", "dragon-7=10"),
    "round": ("round", "own.round"),
    "demo": ("demo", GAME),
    "odds": ("odds", GAME),
    "odds table": ("odds", "table", GAME),
    "odds removal": ("odds", "removal", GAME),
    "odds together": ("odds", "together", GAME),
    "odds hold": ("odds", "hold", GAME, "--wager", "dragon-7=10"),
    "odds ruin": ("odds", "ruin", GAME, "--wager", "dragon-7=10", "--bankroll", "50", "--rounds", "9"),
    "odds sheet": ("odds", "sheet", GAME, "--output", "sheet.html"),
    "simulate": ("simulate", GAME, "--shoes", "64", "--seed", "1"),
    "simulate count": (
        *("simulate", "count", GAME, "--wager", "dragon-7", "--shoes", "8", "--seed", "1"),
        *("--tags", "0,0,0,-1,-1,-1,-1,2,2,0", "--trigger", "4"),
    ),
    "simulate spread": (
        *("simulate", "spread", GAME, "--wager", "dragon-7", "--shoes", "8", "--seed", "1", "--step", "0=1"),
    ),
    "rules list": ("rules", "list"),
    "rules show": ("rules", "show", GAME),
    "rules show of a clause": ("rules", "show", GAME, "5.7"),
    "rules show of a clause as JSON": ("rules", "show", GAME, "5.7", "--json"),
    "rules diff": ("rules", "diff", GAME, "mbs-tiger-v3"),
    "rules diff by edge": ("rules", "diff", GAME, "mbs-tiger-v3", "--edge"),
    "rules check": ("rules", "check"),
    "rules readings": ("rules", "readings", GAME),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a shelf and a round file."""
    (tmp_path / "shelf" / "rulebooks").mkdir(parents=True)
    shutil.copy(
        ROOT / "examples" / "shelf" / "rulebooks" / f"{GAME}.toml",
        tmp_path / "shelf" / "rulebooks" / "ours.toml",
    )
    (tmp_path / "own.round").write_text(ROUND, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("THIRDCARD_SHELF", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_a_game_from_the_shelf_that_is_named(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*COMMANDS[name], "--shelf", str(folder / "shelf")]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_the_environment_names_the_shelf(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THIRDCARD_SHELF", "shelf")
    assert cli.run(["settle", GAME, "--cards", "2 A 3 K 9 6", "--wager", "dragon-7=10"]) == 0
    assert "400.00" in capsys.readouterr().out
    monkeypatch.setenv("THIRDCARD_SHELF", "")
    assert cli.run(["demo"]) == 0
    assert cli.run(["demo", GAME]) == 2


@pytest.mark.usefixtures("folder")
def test_without_a_shelf_there_are_the_shipped_games_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["odds", GAME]) == 2
    assert "There is no game ez-baccarat." in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_clause_of_ones_own_says_nothing_about_our_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["rules", "show", GAME, "5.7", "--shelf", "shelf"]) == 0
    shown = capsys.readouterr().out
    assert "Dragon 7" in shown
    assert "Evidence" not in shown


def test_a_version_is_named_by_its_day(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rulebooks = folder / "shelf" / "rulebooks"
    text = (rulebooks / "ours.toml").read_text("utf-8")
    later = text.replace("in_force = 2026-01-01", "in_force = 2099-01-01").replace("40 to 1", "45 to 1")
    (rulebooks / "later.toml").write_text(later, "utf-8")
    assert cli.run(["rules", "diff", f"{GAME}@2026-01-01", f"{GAME}@2099-01-01", "--shelf", "shelf"]) == 0
    shown = capsys.readouterr().out
    assert "40 to 1" in shown
    assert "45 to 1" in shown
    assert cli.run(["rules", "list", "--shelf", "shelf"]) == 0
    assert "2099-01-01" in capsys.readouterr().out
    assert (
        cli.run(["settle", GAME, "--cards", "2 A 3 K 9 6", "--wager", "dragon-7=10", "--shelf", "shelf"]) == 0
    )
    assert "400.00" in capsys.readouterr().out
    assert cli.run(["rules", "show", f"{GAME}@2030-01-01", "--shelf", "shelf"]) == 2


def test_a_shelf_that_is_wrong_is_bad_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "shelf" / "rulebooks" / "ours.toml").write_text("format = 4", "utf-8")
    assert cli.run(["odds", "mbs-tiger-v3", "--shelf", "shelf"]) == 2
    assert capsys.readouterr().err == (
        "thirdcard: rulebooks/ours.toml: file: The key id is missing. Add it.\n"
    )


@pytest.mark.usefixtures("folder")
def test_people_are_added_with_posts_of_a_house_on_the_shelf(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = (ROOT / "src" / "thirdcard" / "houses" / "hoiana.toml").read_text("utf-8")
    ours = house.replace('id = "hoiana"', 'id = "ours"').replace('  "dealer",\n', '  "dealer",\n  "host",\n')
    Path("shelf/houses").mkdir()
    Path("shelf/houses/ours.toml").write_text(ours, "utf-8")
    monkeypatch.setenv("THIRDCARD_SHELF", "shelf")
    where = ["--data", "floor", "--key", "keys/floor.keys"]
    Path("password").write_text("correct horse battery staple\n", "utf-8")
    with Path("password").open() as typed:
        monkeypatch.setattr("sys.stdin", typed)
        added = ["people", "add", "Hana", "--post", "host", "--password-stdin", *where]
        assert cli.run(added) == 0, capsys.readouterr().err
