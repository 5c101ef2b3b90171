"""docs/audit.md is followed from top to bottom, and docs/journal.md is held against the code."""

import asyncio
import base64
import json
import re
from pathlib import Path

import pytest
from docs.pages import ROOT, anchor, blocks, commands, headings, links, run, tables
from docs.pages import all_blocks as every_block
from journal.journals import EVENING, PAIR, records_of, told_evening, write_file
from verifier.bundles import dossier

from thirdcard import verifier
from thirdcard.dossier.export import EXPORTED_ROWS
from thirdcard.dossier.meter_rows import columns_of
from thirdcard.journal.checkpoints import CheckpointLine
from thirdcard.journal.keys import KeyFile, write_key_file
from thirdcard.journal.record import Record

AUDIT = ROOT / "docs" / "audit.md"
JOURNAL = ROOT / "docs" / "journal.md"


def test_the_page_can_be_followed_from_top_to_bottom(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """``file`` makes a file; commands print what the page shows, which --update renews."""
    floor = tmp_path / "floor"
    floor.mkdir()
    asyncio.run(write_file(floor, told_evening("table-1", EVENING.read_text("utf-8"))))
    write_key_file(tmp_path / "floor.keys", KeyFile(2, (PAIR,)))
    text = AUDIT.read_text("utf-8")
    for block in every_block(AUDIT):
        if block.note.startswith("file "):
            (tmp_path / block.note.removeprefix("file ")).write_text(block.text, "utf-8")
            continue
        assert block.language == "console", block.line
        shown = ""
        for command in commands(block):
            answer = run(command, tmp_path)
            shown += f"$ {command.text}\n{answer.output}"
            shown += f"$ echo $?\n{answer.status}\n" if answer.status else ""
        text = text.replace(f"```console\n{block.text}```", f"```console\n{shown}```")
    if request.config.getoption("--update"):
        AUDIT.write_text(text, "utf-8")
    assert AUDIT.read_text("utf-8") == text, "run scripts/test --update"


def test_the_columns_of_the_export_are_those_of_the_code() -> None:
    found = re.findall(
        r"^\| Column of `(\w+)`.*?\n\n", AUDIT.read_text("utf-8") + "\n", re.DOTALL | re.MULTILINE
    )
    assert found == list(EXPORTED_ROWS)
    for name, kind in EXPORTED_ROWS.items():
        part = AUDIT.read_text("utf-8").partition(f"| Column of `{name}`")[2].partition("\n\n")[0]
        rows = [line.split("|")[1] for line in part.splitlines()[2:]]
        assert re.findall(r"`(\w+)`", " ".join(rows)) == list(columns_of(kind))


@pytest.mark.parametrize("page", [AUDIT, JOURNAL], ids=lambda page: page.stem)
def test_headings_differ_and_links_lead_somewhere(page: Path) -> None:
    anchors = [anchor(heading) for heading in headings(page)]
    assert len(anchors) == len(set(anchors))
    for link in links(page):
        file, _, place = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), link
        assert not place or place in [anchor(heading) for heading in headings(target)], link


# docs/journal.md


def test_the_columns_of_a_record_are_those_of_the_code() -> None:
    assert {row[0].strip("`") for row in tables(JOURNAL)["Streams and records"]} == {
        *Record.__struct_fields__
    }


def test_the_digest_of_the_page_is_that_of_the_code() -> None:
    (block,) = blocks(JOURNAL, "python")
    told: dict[str, object] = {}
    exec(compile(block.text, str(JOURNAL), "exec"), told)
    for record in records_of(told_evening("tisch-ä", EVENING.read_text("utf-8"))):
        columns = {name: getattr(record, name) for name in record.__struct_fields__}
        assert told["digest_of"](columns) == record.digest  # type: ignore[operator]


def test_the_statement_and_the_line_of_a_checkpoint_are_those_of_the_code() -> None:
    shown = [row[0].strip("`") for row in tables(JOURNAL)["Checkpoints"]]
    assert shown == sorted(verifier.STATEMENT)
    assert {*shown, "signature"} == {*CheckpointLine.__struct_fields__}


def test_the_files_of_a_dossier_are_those_of_the_code() -> None:
    shown = {row[0].strip("`") for row in tables(JOURNAL)["The dossier"]} - {"shoes/NUMBER.json"}
    files = dossier(2)
    assert shown == {re.sub(r"/.+\.json", "/DIGEST.json", name) for name in files}
    line = json.loads(files["records.jsonl"].splitlines()[0])
    assert {*line} == {*(name for name, _ in verifier.COLUMNS), *verifier.BESIDE}
    assert json.loads(base64.b64decode(line["body"])) == line["decoded"]["body"]
    summary = next(row[1] for row in tables(JOURNAL)["The dossier"] if row[0] == "`round.json`")
    named = re.findall(r"`(\w+)`", summary.replace("`record`", ""))
    assert sorted(named) == sorted(json.loads(files["round.json"]))
