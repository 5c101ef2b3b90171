"""Exact odds need no numpy, with the kernel or without; simulations say what to install."""

import subprocess
import sys

import pytest
from limits import LONG_ENOUGH

from thirdcard.odds import price
from thirdcard.odds.exact import full_shoe
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

WITHOUT = "import sys; sys.modules['numpy'] = None; from thirdcard.cli import run; sys.exit(run({words!r}))"


def test_odds_are_the_same_where_every_ending_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rulebook, shoe = SHIPPED.rulebook("mbs-super-six-etg-v3"), full_shoe(8)
    usual = price.prices(rulebook, shoe, PairRule.RANK)
    monkeypatch.setattr(price, "kernel", lambda: None)
    monkeypatch.setattr(price, "has_numpy", lambda: False)
    monkeypatch.setattr(price, "event_counts", lambda *_: pytest.fail("needs numpy"))
    counted = price.prices(rulebook, shoe, PairRule.RANK)
    assert [(each.wager, each.edge) for each in counted.wagers] == [
        (each.wager, each.edge) for each in usual.wagers
    ]


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["odds", "mbs-tiger-v3"], 0, "banker"),
        (["settle", "mbs-tiger-v3", "--cards", "9 9 A K", "--wager", "tie=10"], 0, "tie"),
        (["simulate", "mbs-tiger-v3", "--shoes", "2"], 2, "pip install 'thirdcard[odds]'"),
    ],
)
def test_a_command_runs_without_numpy_or_says_what_to_install(
    words: list[str], status: int, says: str
) -> None:
    command = [sys.executable, "-c", WITHOUT.format(words=words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONG_ENOUGH)
    assert done.returncode == status, done.stderr
    assert says in done.stdout + done.stderr
