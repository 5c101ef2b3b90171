"""docs/operating.md is followed: from nothing to a floor, its nights, its archive, and a restored one."""

import asyncio
import io
import shutil
import sys
from pathlib import Path

import pytest
from docs.pages import ROOT, Command, all_blocks, commands, run
from journal.test_archive import play_days

from thirdcard.streams.opening import place

PAGE = ROOT / "docs" / "operating.md"
DONE = [command for block in all_blocks(PAGE) if block.note == "do" for command in commands(block)]
PASSWORD = "marble-otter-canyon-violin-47\n"
ONCE_OPEN = "thirdcard key show --json"  # from here on the page speaks of a floor that was played at


def test_the_page_is_followed_from_nothing_to_a_restored_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, where in (
        ("DATA", "floor"),
        ("ARCHIVE", "archive"),
        ("KEYS", "keys/floor.keys"),
        ("MARKS", "marks"),
    ):
        monkeypatch.setenv(f"THIRDCARD_{name}", str(tmp_path / where))
    shutil.copy(ROOT / "examples" / "floor.toml", tmp_path / "floor.toml")
    said: dict[str, str] = {}
    for command in DONE:
        if command.text == ONCE_OPEN:
            asyncio.run(play_days(place(), 2, ago=20))
        monkeypatch.setattr(sys, "stdin", io.StringIO(PASSWORD))
        answer = run(command, tmp_path)
        assert answer.status == 0, (command.text, answer.output)
        said[command.text] = answer.output
    assert "The journal is whole" in said["thirdcard audit verify --proven proven.json"]
    assert "000002" in said["thirdcard archive list"]
    assert "are in the archive alone now" in said["thirdcard archive forget"]
    assert "Eve" in said["thirdcard people list"]
    ready = run(
        Command(0, "thirdcard doctor --floor floor.toml --listen 127.0.0.1:0 --json", "", 0), tmp_path
    )
    assert '"ready":true' in ready.output.replace(" ", "")
    assert '"about":"archive"' in ready.output.replace(" ", "")


def test_every_group_of_commands_of_the_page_is_followed() -> None:
    named = {" ".join(command.text.split()[1:3]) for command in DONE}
    assert {"people add", "audit verify", "archive write", "archive forget", "restore night.sqlite"} <= named
