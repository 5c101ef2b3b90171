"""The parts of `scripts/test`: every test belongs to one, and the quick ones need little."""

import importlib.machinery
import importlib.util
import types
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def loaded() -> types.ModuleType:
    """The script as a module."""
    loader = importlib.machinery.SourceFileLoader("test_script", str(ROOT / "scripts" / "test"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_every_folder_of_tests_belongs_to_one_part() -> None:
    script = loaded()
    folders = [*script.PURE, *script.OUTSIDE, *script.PROOFS, "tests/screens"]
    there = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert sorted(folders) == sorted(there)


def test_quick_parts_need_neither_a_browser_nor_a_database() -> None:
    script = loaded()
    commands = [
        step
        for part in script.QUICK
        for step in script.steps(part, "python", ["-x"], Path(".reports"), update=False)
    ]
    given = {word for command in commands for word in command if word.startswith("tests/")}
    assert given == set(script.PURE)
    for folder in given:
        for path in (ROOT / folder).rglob("*.py"):
            assert "postgres" not in path.read_text("utf-8").lower(), path
            assert "playwright" not in path.read_text("utf-8"), path
