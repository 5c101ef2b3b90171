"""Tests may be started with signals ignored; the programs that they start are not."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent
WHAT_A_PROGRAM_FINDS = """
import signal, subprocess, sys
from default_signals import OFTEN_IGNORED, start_programs_with_default_signals

for number in OFTEN_IGNORED:
    signal.signal(number, signal.SIG_IGN)
start_programs_with_default_signals()
for number in OFTEN_IGNORED:
    signal.raise_signal(number)
ask = "import signal; print(*(signal.getsignal(int(each)) is signal.SIG_IGN for each in %r))"
subprocess.run([sys.executable, "-c", ask % [int(each) for each in OFTEN_IGNORED]], check=True)
"""


def test_programs_start_with_default_signals_and_the_tests_still_ignore_them() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WHAT_A_PROGRAM_FINDS],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
    )
    assert done.stdout == "False False False False\n"
