"""The pages that lead a reader: ARCHITECTURE.md, the index of the documentation, and the glossary."""

import importlib
import re
from pathlib import Path

import pytest

from thirdcard.rulebook.shelf import SHIPPED

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "thirdcard"
MAP = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
DOCUMENTS = {
    "HO": "hoiana-tiger-2024",
    "T3": "mbs-tiger-v3",
    "N4": "mbs-tiger-nc-v4",
    "DT": "mbs-dragon-tiger-nc-2023",
    "S6": "mbs-super-six-etg-v3",
}
NO_CODE = {"rulebooks", "houses", "floors", "languages", "screens"}
# a path from the top of the tree; words in capitals stand for a name, as in tests/rounds/ID.round
FILE = re.compile(r"(?<![\w/.-])((?:tests|scripts|bench|src)/(?![\w/.*-]*\b[A-Z]+\b)[\w/.*-]*\w)")
LINK = re.compile(r"\]\(([^)#:]+)")


def rows(text: str) -> list[list[str]]:
    """The cells of every row of the tables of a page."""
    lines = (line for line in text.splitlines() if line.startswith("|") and "---" not in line)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_map_names_every_package() -> None:
    named = set(re.findall(r"`(\w+)`", " ".join(row[0] for row in rows(MAP))))
    folders = {each.name for each in SOURCES.iterdir() if (each / "__init__.py").exists()}
    assert folders - NO_CODE <= named


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`([\w/.]+\.(?:py|ts)(?::[\w.]+)?)`", MAP))))
def test_the_map_names_what_exists(named: str) -> None:
    path, _, function = named.partition(":")
    short = SOURCES / "game" / "irregularities" / path
    file = next(each for each in (SOURCES / path, ROOT / path, short) if each.exists())
    for part in function.split(".") if function else ():
        assert re.search(rf"(?:def|class) {part}\b", file.read_text("utf-8")), part


@pytest.mark.parametrize("named", sorted(set(re.findall(r"\btests/[\w/.]+\w", MAP))))
def test_the_map_names_tests_that_exist(named: str) -> None:
    assert (ROOT / named).exists()


def test_every_page_is_reachable_from_the_index() -> None:
    docs = (ROOT / "docs").resolve()
    found: set[Path] = set()
    waiting = [docs / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in found or not page.is_relative_to(ROOT):
            continue
        found.add(page)
        if page.is_dir():
            waiting += page.glob("*.md")
        elif page.suffix == ".md":
            waiting += [page.parent / link for link in LINK.findall(page.read_text("utf-8"))]
    assert {each for each in docs.rglob("*.md") if each.resolve() not in found} == set()


def test_links_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    broken = [
        (page.name, link)
        for page in pages
        for link in LINK.findall(page.read_text("utf-8"))
        if not (page.parent / link.strip()).exists()
    ]
    assert broken == []


def test_pages_name_files_that_exist() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    named = [
        (page.name, path)
        for page in pages
        if page.name != "CHANGELOG.md"
        for path in FILE.findall(page.read_text("utf-8"))
    ]
    trees = (ROOT, ROOT / "screens")
    assert [each for each in named if not any(list(tree.glob(each[1])) for tree in trees)] == []


def test_terms_of_the_glossary_stand_once() -> None:
    terms = [row[0] for row in rows(GLOSSARY) if row[0] != "term"]
    assert len(terms) == len(set(terms)) > 60


@pytest.mark.parametrize(
    "named", sorted(set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)*(?:\.[A-Z]\w*)?)`", GLOSSARY)))
)
def test_the_glossary_names_types_that_exist(named: str) -> None:
    module, _, last = named.rpartition(".")
    if last[:1].isupper():
        assert hasattr(importlib.import_module(f"thirdcard.{module}"), last)
    else:
        importlib.import_module(f"thirdcard.{named}")


@pytest.mark.parametrize(
    ("document", "clause"), sorted(set(re.findall(r"\b(HO|T3|N4|DT|S6) (\d[\w.]*)", GLOSSARY)))
)
def test_the_glossary_cites_clauses_that_exist(document: str, clause: str) -> None:
    assert clause in SHIPPED.document(DOCUMENTS[document]).clauses
