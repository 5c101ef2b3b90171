"""Amounts at the command line and in files: what a screen refuses is refused here as well."""

import datetime
import io
from pathlib import Path

import pytest
from cli.own_files import own_house

from thirdcard.cli import run
from thirdcard.clockwork.floor_file import read_floor_file
from thirdcard.rulebook.read import UnreadableFile, read_house

Printed = pytest.CaptureFixture[str]
GAME = "mbs-tiger-v3"
NOW = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)
UNCLEAR = ("1,50", "1,000", "1 000", "1.000", "1.000,50", "1e3", "050", "abc", "１００")


@pytest.mark.parametrize("text", UNCLEAR)
def test_settle_takes_no_stake_that_is_unclear(text: str, capsys: Printed) -> None:
    assert run(["settle", GAME, "--cards", "9 2 K 5", "--wager", f"banker={text}"]) == 2
    assert f"The stake {text} on banker is not an exact amount." in capsys.readouterr().err


@pytest.mark.parametrize("line", ["{} player", "buy {}", "off {} player"])
@pytest.mark.parametrize("text", UNCLEAR)
def test_practice_table_takes_no_amount_that_is_unclear(
    line: str, text: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"100 player\n{line.format(text)}\nbets\n"))
    assert run(["table", GAME, "--seed", "3"]) == 0
    shown = capsys.readouterr().out
    assert shown.rstrip().endswith("You have 9900.00 SGD.\n\nThe practice table is closed."), shown
    assert "100.00 SGD │" in shown


@pytest.mark.parametrize("text", UNCLEAR)
def test_house_file_has_no_limit_that_is_unclear(text: str, tmp_path: Path) -> None:
    file = own_house(tmp_path, 'differential = "10000"', f'differential = "{text}"')
    with pytest.raises(UnreadableFile, match="no positive amount"):
        read_house(Path(file))


@pytest.mark.parametrize("text", UNCLEAR)
def test_floor_file_has_no_limit_that_is_unclear(text: str, tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(
        f'format = 1\n[[table]]\nname = "T1"\ngame = "{GAME}"\ndifferential = "{text}"\n', "utf-8"
    )
    with pytest.raises(UnreadableFile, match="no positive amount"):
        read_floor_file(file, NOW)
