"""docs/shoe.md is run: its file is checked by the command and by the program that it prints."""

import json
import subprocess
import sys
from pathlib import Path

from docs.pages import ROOT, all_blocks, anchor, blocks, commands, headings, links, run

from thirdcard.cli import run as thirdcard

PAGE = ROOT / "docs" / "shoe.md"


def test_the_page_can_be_followed_from_top_to_bottom(tmp_path: Path) -> None:
    ran = 0
    for block in all_blocks(PAGE):
        if block.language == "console":
            for command in commands(block):
                answer = run(command, tmp_path)
                assert (answer.output, answer.status) == (command.output, command.status), command.line
                ran += 1
        elif block.note.startswith("file "):
            (tmp_path / block.note.removeprefix("file ")).write_text(block.text, "utf-8")
        elif block.note.startswith("change "):
            file = tmp_path / block.note.removeprefix("change ")
            before, after = (line[2:] for line in block.text.splitlines())
            text = file.read_text("utf-8")
            assert text.count(before) == 1
            file.write_text(text.replace(before, after), "utf-8")
    assert ran == 2


def test_the_program_on_the_page_agrees_with_the_command(tmp_path: Path) -> None:
    (program,) = blocks(PAGE, "python")
    (example,) = blocks(PAGE, "json")
    file = tmp_path / "shoe.json"

    def agrees() -> bool:
        done = subprocess.run(
            [sys.executable, "-I", "-c", program.text], cwd=tmp_path, capture_output=True, check=False
        )
        verdict = thirdcard(["shoe", "verify", str(file)])
        assert verdict in (0, 1)
        assert (done.returncode == 0) == (verdict == 0), done.stderr
        return verdict == 0

    file.write_text(example.text, "utf-8")
    assert agrees()
    for decks in (1, 6, 8):
        assert thirdcard(["shoe", "make", str(file), "--decks", str(decks)]) == 0
        assert agrees()
    shoe = json.loads(file.read_text("utf-8"))
    for path in (("opened", "order", 17), ("proofs", 2, "card"), ("opened", "order", 300)):
        forged = json.loads(json.dumps(shoe))
        *way, last = path
        part = forged
        for step in way:
            part = part[step]
        part[last] = "AS" if part[last] != "AS" else "KS"
        file.write_text(json.dumps(forged), "utf-8")
        assert not agrees()


def test_headings_differ_and_links_lead_somewhere() -> None:
    anchors = [anchor(heading) for heading in headings(PAGE)]
    assert len(anchors) == len(set(anchors))
    assert all((PAGE.parent / link.partition("#")[0]).exists() for link in links(PAGE))
