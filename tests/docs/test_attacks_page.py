"""The page about attacks names every finding and every way to tamper, and only tests that exist."""

import ast
import functools
import re
from pathlib import Path

import pytest
from journal.test_tamper_table import ONLY_BY_THE_MARK, WAYS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "attacks.md").read_text("utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
FINDINGS = (
    *(f"C{number}" for number in range(1, 4)),
    *(f"H{number}" for number in range(1, 7)),
    *(f"M{number}" for number in range(1, 9)),
    *(f"L{number}" for number in range(1, 8)),
)


@functools.cache
def defined_in(file: str) -> set[str]:
    """The names of the tests in a file."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    functions = (each for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return {each.name for each in functions if each.name.startswith("test_")}


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED.findall(PAGE))))
def test_a_named_test_exists(file: str, name: str) -> None:
    assert name in defined_in(file)


@pytest.mark.parametrize("finding", FINDINGS)
def test_every_finding_has_a_test_that_notices_it(finding: str) -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith(f"| {finding} |")]
    assert lines
    assert all(NAMED.search(line) for line in lines)


def test_every_way_to_tamper_has_its_row() -> None:
    rows = [line for line in PAGE.partition("## Tampering")[2].splitlines() if line.startswith("| `")]
    told = {way: line for line in rows for way in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert set(told) == {way.__name__ for way in WAYS}
    alone = {way for way, line in told.items() if line.split("|")[3].strip() == "-"}
    assert alone == {way.__name__ for way in ONLY_BY_THE_MARK}
