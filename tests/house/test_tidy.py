"""The habits of the house, held by a test."""

import ast
import functools
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
MODULES = sorted((ROOT / "src").rglob("*.py"))  # the first one is the package itself with its version
LONGEST_MODULE = 500
LONGEST_FUNCTION = 70
# closed lists, one entry after another, and the two functions that go through them case by case
LISTS = {"events", "commands", "actions"}
DISPATCH = {"_apply", "_decide"}
ONE_FILE = {"verifier"}  # goes by itself to people who have nothing else of ours
LOOPBACK = "127.0.0.1"
VAGUE_NAMES = {"utils", "helpers", "common", "base", "manager", "core", "misc"}
RELATIVE_CLAUSE = re.compile(r"(What|Who|Whose|Whom|Whoever|Somebody who|Which)\b")
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@functools.cache
def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text("utf-8"))


def definitions(module: Path) -> Iterator[Definition]:
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_modules_and_functions_stay_short_and_say_what_they_are(module: Path) -> None:
    text = module.read_text("utf-8")
    assert len(text.splitlines()) <= LONGEST_MODULE or module.stem in LISTS | ONE_FILE
    assert ast.get_docstring(parsed(module)), "a module says in one sentence what it is"
    assert module.stem not in VAGUE_NAMES
    for node in definitions(module):
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if not isinstance(node, ast.ClassDef) and node.name not in DISPATCH:
            assert lines <= LONGEST_FUNCTION, node.name
        public = not node.name.startswith("_") and node.col_offset == 0
        assert not public or ast.get_docstring(node), f"{node.name} says in one sentence what it is"


@pytest.mark.parametrize("module", MODULES[1:], ids=lambda path: path.stem)
def test_no_clause_number_stands_in_code(module: Path) -> None:
    tree = parsed(module)
    docstrings = {id(text) for node in ast.walk(tree) if (text := _leading_text(node))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            clause = node.value != LOOPBACK and re.fullmatch(r"\d+(\.\d+)+(\.T\d+)?", node.value)
            assert not clause, node.value


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    modules = [each for each in tracked_files() if each.suffix == ".py"]
    for module in modules:
        for node in (parsed(module), *definitions(module)):
            says = ast.get_docstring(node) or ""
            assert not RELATIVE_CLAUSE.match(says), says


def _leading_text(node: ast.AST) -> ast.Constant | None:
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return first.value if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else None


def test_envelopes_and_deciding_desks_are_made_for_commands_alone() -> None:
    """Questions about a table are answered at a desk at which nobody commands anything."""
    made: dict[str, set[str]] = {"Envelope": set(), "Desk": set()}
    for module in MODULES:
        calls = (node.func for node in ast.walk(parsed(module)) if isinstance(node, ast.Call))
        for called in calls:
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in made:
                made[name].add(module.relative_to(ROOT / "src" / "thirdcard").as_posix())
    assert made == {"Envelope": {"roundfile/set_up.py", "streams/stream.py"}, "Desk": {"game/decide.py"}}


def test_nothing_is_left_for_later_in_the_tree() -> None:
    marks = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX")))
    for file in tracked_files():
        if file.suffix in {".py", ".toml", ".md", ".txt"}:
            assert not marks.search(file.read_text("utf-8")), file


def test_constraints_pin_names_and_versions_and_no_addresses() -> None:
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.]+", line), line


def test_ci_calls_the_test_command_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert lines == ["#!/usr/bin/env bash", 'exec "$(dirname "$0")/../scripts/test"']


# the auditor and the verifier have their own copies of what is recorded, so that a mistake of the engine is
# not theirs too; each step between stored forms has its own lists; and cards are reserved by a command or by
# a rulebook's effect
OWN_COPIES = {"auditor", "verifier"}
COPIED_FROM = {
    *("game.events", "game.table_setup", "game.dispute_steps", "game.dispute_duties"),
    *("rulebook.document", "journal.codec", "journal.record"),
}
NAMED_ALIKE = {"COMMAND_FIELDS", "EVENT_FIELDS", "ReserveCards"}


def top_names(module: Path) -> Iterator[str]:
    """The classes and upper-case constants of a module, but for private ones and type variables."""
    for node in parsed(module).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (each.id for each in targets if isinstance(each, ast.Name) and each.id.isupper())


def is_a_copy(homes: list[str]) -> bool:
    """Whether a name stands where it is recorded, and once more in the auditor or the verifier."""
    first, *others = sorted(homes, key=lambda home: home.partition(".")[0] not in OWN_COPIES)
    return first.partition(".")[0] in OWN_COPIES and len(others) == 1 and others[0] in COPIED_FROM


def test_a_class_or_constant_has_one_name_and_a_name_one_meaning() -> None:
    homes: dict[str, list[str]] = {}
    for module in MODULES:
        parts = module.relative_to(ROOT / "src" / "thirdcard").with_suffix("").parts
        for name in top_names(module):
            homes.setdefault(name, []).append(".".join(parts))
    several = {
        name: found
        for name, found in homes.items()
        if len(found) > 1 and not name.startswith("_") and not is_a_copy(found)
    }
    assert {name: found for name, found in several.items() if name not in {*NAMED_ALIKE, "P", "T"}} == {}
    assert several.keys() > NAMED_ALIKE
