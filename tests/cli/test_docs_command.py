"""``thirdcard docs``: every page that a sentence names is there to be read."""

import json
import re

import pytest
from docs.pages import ROOT

from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]
NAMED = re.compile(r"docs/([a-z-]+)\.md")
SOURCES = ROOT / "src" / "thirdcard"


def test_every_page_that_a_sentence_names_is_printed(capsys: Printed) -> None:
    sources = [*SOURCES.rglob("*.py"), *SOURCES.joinpath("languages").glob("*.toml")]
    named = {name for source in sources for name in NAMED.findall(source.read_text("utf-8"))}
    assert {"floor", "rounds", "shoe", "writing-a-rulebook"} <= named
    for name in sorted(named):
        assert run(["docs", f"docs/{name}.md"]) == 0
        assert capsys.readouterr().out == ROOT.joinpath("docs", f"{name}.md").read_text("utf-8")


def test_the_pages_are_listed_with_their_titles(capsys: Printed) -> None:
    assert run(["docs", "--json"]) == 0
    pages = {each["page"]: each["title"] for each in json.loads(capsys.readouterr().out)}
    assert pages["docs/card-reader.md"] == "Card readers"
    assert run(["docs"]) == 0
    assert "Card readers" in capsys.readouterr().out


def test_a_page_is_found_by_its_name_and_told_as_json(capsys: Printed) -> None:
    assert run(["docs", "card-reader", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["page"] == "docs/card-reader.md"
    assert told["content"].startswith("# Card readers\n")


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ("flor", "There is no page flor. Perhaps floor is meant."),
        ("xyzzy", "There is no page xyzzy. `thirdcard docs` lists the pages."),
    ],
)
def test_a_page_that_there_is_not_is_exit_2(page: str, complaint: str, capsys: Printed) -> None:
    assert run(["docs", page]) == 2
    assert capsys.readouterr().err == f"thirdcard: {complaint}\n"
