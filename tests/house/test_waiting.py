"""Tests wait for a state, never for a time."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent.parent
UNITS = {"sleep": 1.0, "wait_for_timeout": 0.001}  # seconds of what is given to each
LONGEST_POLL = 0.2  # seconds between two looks at a state


def sleeps(path: Path) -> list[tuple[int, float]]:
    """The lines of a module that sleep for so many seconds."""
    calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    found = []
    for call in calls:
        name = ast.unparse(call.func).rpartition(".")[2]
        if name in UNITS and call.args and isinstance(call.args[0], ast.Constant):
            seconds = ast.literal_eval(call.args[0]) * UNITS[name]
            found.append((call.lineno, float(seconds)))
    return found


def test_no_test_sleeps_for_longer_than_between_two_looks() -> None:
    found = {path.relative_to(TESTS): sleeps(path) for path in sorted(TESTS.rglob("*.py"))}
    assert sum(len(each) for each in found.values()) > 10
    # whose sleeps are by a clock that is moved or simulated
    clocks = {Path("streams/test_clock.py"), Path("simulation/floor.py")}
    late = {path: [each for each in lines if each[1] > LONGEST_POLL] for path, lines in found.items()}
    assert {path: lines for path, lines in late.items() if lines and path not in clocks} == {}
