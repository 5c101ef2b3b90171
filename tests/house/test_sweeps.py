"""A test that does only a part in every run can be run at its whole length."""

from pathlib import Path

TESTS = Path(__file__).parent.parent
SIZED = [
    path
    for path in sorted(TESTS.rglob("test_*.py"))
    if path != Path(__file__) and "sized(" in path.read_text("utf-8")
]


def test_whatever_has_two_sizes_is_marked_as_a_sweep() -> None:
    assert len(SIZED) > 5
    assert [path.name for path in SIZED if "mark.sweep" not in path.read_text("utf-8")] == []
