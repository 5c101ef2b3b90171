"""Repeats the tests that talk to browsers, servers and disks while other programs keep every core busy.

A test that passes on a quiet machine only is a fault, of the test or of the product. Totals are kept in
docs/reliability.md: each run with ``record`` adds to them.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from environment import ROOT, fail, say

REPORTS = ROOT / ".reports"
PAGE = ROOT / "docs" / "reliability.md"
# runs a program, if one is named, and then counts; ends by itself when the program that started it is gone
BUSY = """import os, subprocess, sys
parent = os.getppid()
if sys.argv[1:]:
    print("ended with", subprocess.call(sys.argv[1:]), flush=True)
while os.getppid() == parent:
    sum(range(10**6))"""
WHOLE = ("--part", "screens", "--part", "outside")
TIMED = (*WHOLE, "--part", "proofs", "-m", "timed")


class Totals(NamedTuple):
    """How often tests were run under load, and how many of those runs failed."""

    passes: int = 0
    tests: int = 0
    failures: int = 0

    def __add__(self, other: object) -> Totals:
        assert isinstance(other, Totals)
        return Totals(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def __str__(self) -> str:
        return f"{self.passes:,} passes, {self.tests:,} test runs | {self.failures:,} failures"


def repeat(
    number: int, *, timed: bool, minutes: float | None, lanes: int, record: bool, beside: Sequence[str] = ()
) -> int:
    """Run so many passes, some of them side by side, or as many as fit into the time; the exit status."""
    until = time.monotonic() + minutes * 60 if minutes is not None else float("inf")
    totals, failed = Totals(), Counter[str]()
    numbers = iter(range(number))
    lock = threading.Lock()

    def lane(reports: Path) -> None:
        nonlocal totals
        while time.monotonic() < until:
            with lock:
                if next(numbers, None) is None:
                    return
            one, names = run_pass(TIMED if timed else WHOLE, reports)
            with lock:
                totals += one
                failed.update(names)
                say(f"{'timed' if timed else 'whole'}: {str(totals).replace(' |', ',')}")
                for name in names:
                    print(f"    failed: {name}", flush=True)

    with every_core_busy(beside), ThreadPoolExecutor(lanes) as pool:
        list(pool.map(lane, [REPORTS / f"lane-{each}" for each in range(1, lanes + 1)]))
    if totals.passes < number:
        say(f"the time is up after {totals.passes} of {number} passes")
    for name, count in failed.most_common():
        print(f"    failed {count} times: {name}", flush=True)
    if record:
        add_to_page(totals, timed=timed)
    return 1 if totals.failures else 0


@contextmanager
def every_core_busy(programs: Sequence[str] = ()) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Keep a program going on every core: those that are named, and then one that counts."""
    busy = []
    REPORTS.mkdir(parents=True, exist_ok=True)
    for number in range(max(os.cpu_count() or 2, len(programs))):
        command = shlex.split(programs[number]) if number < len(programs) else []
        with (REPORTS / f"beside-{number + 1}.log").open("wb") as log:
            # a session of its own, so that what the program started ends with it
            busy.append(
                subprocess.Popen(
                    [sys.executable, "-c", BUSY, *command],
                    cwd=ROOT,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )
    try:
        yield busy
    finally:
        for each in busy:
            os.killpg(each.pid, signal.SIGKILL)
            each.wait()


def run_pass(parts: tuple[str, ...], folder: Path) -> tuple[Totals, list[str]]:
    """Run the tests once, with a folder for their reports; how many, and the names of those that failed."""
    log = folder / "repeated.log"
    folder.mkdir(parents=True, exist_ok=True)
    program = [sys.executable, str(ROOT / "scripts" / "test"), "--reports", str(folder)]
    with log.open("a", encoding="utf-8") as kept:
        status = subprocess.call([*program, *parts], stdout=kept, stderr=kept)
    reports = [ElementTree.parse(each) for each in folder.glob("*.xml")]
    cases = [case for report in reports for case in report.iter("testcase")]
    failed = [
        f"{case.get('classname')}::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    if status != 0 and not failed:
        fail(f"the tests could not be run; {log.relative_to(ROOT)} says why")
    return Totals(1, len(cases), len(failed)), failed


def add_to_page(totals: Totals, *, timed: bool) -> None:
    """Add to the totals that docs/reliability.md shows."""
    command = "scripts/soak tests --timed" if timed else "scripts/soak tests"
    row = re.compile(
        rf"^\| `{command}` \| ([\d,]+) passes, ([\d,]+) test runs \| ([\d,]+) failures", re.MULTILINE
    )
    text = PAGE.read_text("utf-8")
    found = row.search(text)
    if found is None:
        fail(f"{PAGE.name} has no row that begins with `{command}` and its totals")
    before = Totals(*(int(figure.replace(",", "")) for figure in found.groups()))
    PAGE.write_text(text.replace(found[0], f"| `{command}` | {before + totals}", 1), "utf-8")
