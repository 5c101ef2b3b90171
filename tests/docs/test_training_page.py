"""docs/training.md is followed from top to bottom: its drill is written, checked, passed and recorded."""

import io
import json
import re
from pathlib import Path
from unittest import mock

import pytest
from docs.pages import ROOT, all_blocks, commands, run, tables

from thirdcard.training.grade import Aspect
from thirdcard.training.rehearsal import Level

PAGE = ROOT / "docs" / "training.md"
# seconds and instants are those of whoever types
VARIES = re.compile(r"\d{4}-\d\d-\d\dT\S+?(?=,)|in \d+ seconds|(?<=,6,6,)[\d.]+")


def test_the_page_can_be_followed_from_top_to_bottom(tmp_path: Path) -> None:
    typed = ""
    for block in all_blocks(PAGE):
        if block.note.startswith("file "):
            path = tmp_path / block.note.removeprefix("file ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
        elif block.note == "typed":
            typed = block.text
        for command in commands(block) if block.language == "console" else ():
            with mock.patch("sys.stdin", io.StringIO(typed)):
                answer = run(command, tmp_path)
            assert answer.status == command.status, answer.output
            assert VARIES.sub("…", answer.output) == VARIES.sub("…", command.output), command.line
    (kept,) = [json.loads(line) for line in (tmp_path / "eve.jsonl").read_text("utf-8").splitlines()]
    assert (kept["person"], kept["drill"], kept["points"], kept["most"]) == ("Eve", "two-cards", 6, 6)


@pytest.mark.parametrize("heading", ["How it is graded", "Go through a drill"])
def test_lists_are_whole(heading: str) -> None:
    rows = tables(PAGE)[heading]
    expected = len(Aspect) if heading == "How it is graded" else 5
    assert len(rows) >= expected
    assert len(Level) == 3
