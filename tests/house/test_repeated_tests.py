"""Tests repeated on a busy machine: what is counted, and the totals that docs/reliability.md keeps."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from limits import LONG_ENOUGH

import repeated_tests
from repeated_tests import Totals

REPORT = """<testsuites><testsuite>
<testcase classname="screens.test_dealer" name="test_a"/>
<testcase classname="screens.test_dealer" name="test_b"><failure message="late"/></testcase>
<testcase classname="server.test_sockets" name="test_c"><error message="gone"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for reports of made-up runs, and a copy of the page."""
    monkeypatch.setattr(repeated_tests, "REPORTS", tmp_path / "reports")
    page = Path(shutil.copy(repeated_tests.PAGE, tmp_path))
    monkeypatch.setattr(repeated_tests, "PAGE", page)
    (tmp_path / "reports").mkdir()
    return tmp_path / "reports"


def test_a_pass_names_the_tests_that_failed(reports: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **how: object) -> int:
        (reports / "screens.xml").write_text(REPORT, "utf-8")
        return 1

    monkeypatch.setattr(subprocess, "call", run)
    totals, failed = repeated_tests.run_pass(repeated_tests.TIMED, reports)
    assert totals == Totals(passes=1, tests=3, failures=2)
    assert failed == ["screens.test_dealer::test_b", "server.test_sockets::test_c"]


def test_a_run_that_fails_without_a_failed_test_is_an_error(
    reports: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeated_tests, "ROOT", reports.parent)
    monkeypatch.setattr(subprocess, "call", lambda command, **how: 2)
    with pytest.raises(SystemExit, match="2"):
        repeated_tests.run_pass(repeated_tests.WHOLE, reports)


@pytest.mark.parametrize("timed", [False, True])
def test_totals_accumulate_on_the_page(reports: Path, timed: bool) -> None:
    before = repeated_tests.PAGE.read_text("utf-8")
    for _ in range(2):
        repeated_tests.add_to_page(Totals(3, 1_500, 1), timed=timed)
    changed = set(repeated_tests.PAGE.read_text("utf-8").splitlines()) - set(before.splitlines())
    assert len(changed) == 1
    row = changed.pop()
    assert row.startswith(f"| `scripts/soak tests{' --timed' * timed}` | ")
    repeated_tests.add_to_page(Totals(-6, -3_000, -2), timed=timed)
    assert repeated_tests.PAGE.read_text("utf-8") == before


@pytest.mark.parametrize("lanes", [1, 3])
def test_lanes_share_the_passes(reports: Path, monkeypatch: pytest.MonkeyPatch, lanes: int) -> None:
    folders: list[Path] = []

    def run_pass(parts: tuple[str, ...], folder: Path) -> tuple[Totals, list[str]]:
        folders.append(folder)
        return Totals(1, 10, 1), ["screens.test_dealer::test_b"]

    monkeypatch.setattr(repeated_tests, "run_pass", run_pass)
    before = repeated_tests.PAGE.read_text("utf-8")
    assert repeated_tests.repeat(7, timed=True, minutes=None, lanes=lanes, record=True) == 1
    assert len(folders) == 7
    assert set(folders) <= {reports / f"lane-{each}" for each in range(1, lanes + 1)}
    repeated_tests.add_to_page(Totals(-7, -70, -7), timed=True)
    assert repeated_tests.PAGE.read_text("utf-8") == before


def test_no_pass_begins_when_the_time_is_up(reports: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_tests, "run_pass", lambda parts, folder: pytest.fail("begun"))
    assert repeated_tests.repeat(7, timed=True, minutes=0, lanes=2, record=False) == 0


@pytest.mark.parametrize("programs", [(), ("true", "sleep 600", "false")])
def test_every_core_is_busy_until_the_end(reports: Path, programs: tuple[str, ...]) -> None:
    with repeated_tests.every_core_busy(programs) as busy:
        assert len(busy) == max(os.cpu_count() or 2, len(programs))
        assert all(each.poll() is None for each in busy)
    assert all(each.poll() is not None for each in busy)
    until = time.monotonic() + LONG_ENOUGH  # the system takes note of the end of what a program started
    while any(is_there(each.pid) for each in busy) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(is_there(each.pid) for each in busy)


def is_there(group: int) -> bool:
    """Whether a group has any process."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
