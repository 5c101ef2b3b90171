"""The README is run: its commands print what it shows, and its Python does what it says."""

import re
from pathlib import Path

import pytest
from docs.pages import Block, blocks, commands, start

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"


@pytest.mark.parametrize("block", blocks(README, "console"), ids=lambda block: f"line {block.line}")
def test_a_command_of_the_readme_prints_what_it_shows(block: Block, tmp_path: Path) -> None:
    for command in commands(block):
        answer = start(command, tmp_path)
        assert (answer.output, answer.status) == (command.output, command.status)


def test_the_python_of_the_readme_runs() -> None:
    (block,) = blocks(README, "python")
    assert len(block.text.strip().splitlines()) == 3
    exec(compile(block.text, str(README), "exec"), {})


def test_the_two_commands_at_the_top_are_there_and_can_be_run() -> None:
    text = README.read_text("utf-8")
    for script in ("scripts/serve", "scripts/test"):
        assert text.index(script) < text.index("## What it knows")
        assert (ROOT / script).stat().st_mode & 0o111


def test_every_file_that_the_readme_links_to_exists() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README.read_text("utf-8")):
        assert (ROOT / link).exists(), link
