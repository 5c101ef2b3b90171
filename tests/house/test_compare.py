"""bench/compare: both versions in turns, ratios that are costs now over costs before."""

import importlib.machinery
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent
BEFORE = Path("before")


@pytest.fixture
def compare() -> ModuleType:
    """The program as a module."""
    loader = importlib.machinery.SourceFileLoader("bench_compare", str(ROOT / "bench" / "compare"))
    spec = importlib.util.spec_from_loader("bench_compare", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_every_second_turn_begins_with_the_other_version(
    compare: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[Path] = []

    def measure(bench: str, tree: Path, python: Path) -> dict[str, float]:
        measured.append(tree)
        return {"a round": 1.0}

    monkeypatch.setattr(compare, "measure", measure)
    compare.compare("decide", BEFORE, Path("python"), 3)
    assert measured == [BEFORE, ROOT, ROOT, BEFORE, BEFORE, ROOT]


def test_the_ratio_is_the_median_of_turns_over_the_figures_both_have(
    compare: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = iter([{"a": 2.0, "b": 8.0, "new": 1.0}, {"a": 1.0, "b": 1.0, "new": 1.0}, {"a": 3.0, "b": 3.0}])

    def measure(bench: str, tree: Path, python: Path) -> dict[str, float]:
        return next(now) if tree == ROOT else {"a": 1.0, "b": 1.0, "old": 5.0}

    monkeypatch.setattr(compare, "measure", measure)
    # the geometric means of the turns are 4, 1 and 3
    assert compare.compare("decide", BEFORE, Path("python"), 3) == pytest.approx(3)
    said = capsys.readouterr().out
    assert "decide: 3.000 of the cost before (1.000 to 4.000 in 3 turns)" in said
    assert "measured by one version only: new, old" in said
