"""Every command is reached where nothing but the wheel and what it always needs is installed."""

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from limits import LONG_ENOUGH

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = {
    need.partition(">")[0].lower()
    for extra, needs in PROJECT["optional-dependencies"].items()
    if extra != "test"
    for need in needs
}
MODULES = sorted(
    name
    for name, distributions in packages_distributions().items()
    if {each.lower() for each in distributions} & EXTRAS
)
COMMANDS = (
    *("serve", "bot", "rules", "settle", "road", "round", "table", "odds", "simulate", "doctor", "people"),
    *("audit", "report", "receipt", "shoe", "reader", "terminal", "key", "backup", "restore", "journal"),
    *("archive", "witness", "accept-restore", "accept-shelf"),
)
WITHOUT = """
import sys
for name in {modules!r}:
    sys.modules[name] = None
from thirdcard.cli import run
failed = []
for command in {commands!r}:
    try:
        status = run([command, "--help"])
    except Exception as error:
        status = repr(error.__cause__ or error)
    if status:
        failed.append((command, status))
assert not failed, failed
"""


def test_extras_are_known_by_their_modules() -> None:
    assert {"httpx", "numpy", "asyncpg", "duckdb", "xlsxwriter", "reportlab", "distributed"} <= set(MODULES)


@pytest.mark.timed
def test_every_command_is_reached_without_any_extra() -> None:
    program = WITHOUT.format(modules=MODULES, commands=COMMANDS)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=LONG_ENOUGH, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
