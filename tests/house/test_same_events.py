"""scripts/same_events: the golden rounds of two versions, event by event."""

import importlib.machinery
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import versions

ROOT = Path(__file__).parent.parent.parent
DRAWN = '{"type":"card-drawn","card":"9"}'
OTHER = '{"type":"card-drawn","card":"8"}'


@pytest.fixture
def same_events() -> ModuleType:
    """The program as a module."""
    loader = importlib.machinery.SourceFileLoader("same_events", str(ROOT / "scripts" / "same_events"))
    spec = importlib.util.spec_from_loader("same_events", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_sentences_of_refusals_do_not_count(same_events: ModuleType) -> None:
    told = '{{"type":"file","file":"a.round"}}\n{{"type":"refused","reason":"burn-owed","message":"{}"}}'
    assert same_events.by_file(told.format("Burn.")) == same_events.by_file(told.format("Burn first."))


def test_a_changed_event_is_shown_with_its_round(
    same_events: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {"a.round": [DRAWN, DRAWN], "b.round": [DRAWN], "gone.round": []}
    now = {"a.round": [DRAWN, OTHER], "b.round": [DRAWN], "new.round": []}
    assert same_events.compare(before, now) == ["a.round"]
    said = capsys.readouterr().out
    assert f"a.round\n    before: {DRAWN}\n    now:    {OTHER}\n" in said
    assert "2 rounds of both versions, 3 lines: 1 rounds differ; 2 rounds are in one version only" in said


def test_an_event_too_many_is_a_difference(same_events: ModuleType) -> None:
    assert same_events.first_difference([DRAWN], [DRAWN, OTHER]) == ("", OTHER)


def test_a_version_plays_its_own_rounds(same_events: ModuleType, tmp_path: Path) -> None:
    package, rounds = tmp_path / "src" / "thirdcard" / "cli", tmp_path / "tests" / "rounds"
    rounds.mkdir(parents=True)
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("", "utf-8")
    (package / "__init__.py").write_text("def run(words): print(*words)", "utf-8")
    assert same_events.play(tmp_path, Path(sys.executable)) == "round --json tests/rounds\n"


def test_another_version_is_laid_out_and_removed() -> None:
    with versions.checked_out("HEAD") as tree:
        assert (tree / "pyproject.toml").exists()
    assert not tree.exists()
    listed = subprocess.run(["git", "worktree", "list"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert str(tree) not in listed.stdout


def test_a_name_that_is_no_commit_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        versions.resolve("no-such-commit")
    assert "no-such-commit is no commit of this repository" in capsys.readouterr().err
