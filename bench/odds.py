"""Exact odds: one shoe and batches of compositions, by every kernel, beside numpy and the plain enumeration.

    .venv/bin/python bench/odds.py

Times are the best of several runs by processor time, since the machines are shared; `thirdcard odds` as a
whole is measured twenty times from its start to its end, beside the time that Python takes to start.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from figures import record_cost

from thirdcard.odds.compiled import compile_game
from thirdcard.odds.exact import endings, full_shoe, wager_odds
from thirdcard.odds.kernel import VARIABLE, widths
from thirdcard.odds.price import edges, event_counts, prices
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

GAME, TIMES, COMMANDS = "mbs-tiger-nc-v4", 15, 20


def main() -> None:
    rulebook = SHIPPED.rulebook(GAME)
    compiled, shoe = compile_game(rulebook, PairRule.RANK), full_shoe(8)

    def enumerate_all() -> None:
        ends = endings(rulebook.drawing, shoe, PairRule.RANK)
        for wager in rulebook.wagers.values():
            wager_odds(wager, ends)

    plain = seconds(enumerate_all, 1, times=2)
    print(f"{GAME}, 8 decks, all wagers; plain enumeration of one shoe: {plain * 1e3:,.0f} ms")
    left = np.random.default_rng(1).integers(0, 33, (20_000, 13))
    names = [width.value for width in widths()]
    counts, single, batch = {}, {}, {}
    for name in names:
        os.environ[VARIABLE] = name
        few = left[:400] if name == "numpy" else left
        number = 3 if name == "numpy" else 200
        counts[name] = seconds(lambda: event_counts(compiled, shoe), number)
        single[name] = seconds(lambda: prices(rulebook, shoe, PairRule.RANK), number)
        batch[name] = seconds(lambda few=few: edges(compiled, few), 1) / len(few)  # type: ignore[misc]
    for name in names:
        record_cost(f"one shoe, {name}", single[name])
        record_cost(f"a composition of a batch, {name}", batch[name])
        times = plain / single[name], batch["numpy"] / batch[name]
        print(
            f"{name:8} one shoe {counts[name] * 1e6:8,.1f} µs, as wagers {single[name] * 1e6:8,.1f} µs "
            f"({times[0]:6,.0f} x the enumeration)   "
            f"batch {1 / batch[name]:10,.0f} compositions/s ({times[1]:6,.1f} x numpy)"
        )
    del os.environ[VARIABLE]
    thirdcard = str(Path(sys.executable).parent / "thirdcard")
    print(f"thirdcard odds {GAME}: {whole([thirdcard, 'odds', GAME])}")
    print(f"Python alone: {whole([sys.executable, '-c', 'pass'])}")


def seconds(work: Callable[[], object], number: int, times: int = TIMES) -> float:
    """Processor seconds of one call, at best."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        for _ in range(number):
            work()
        best = min(best, (time.process_time() - begun) / number)
    return best


def whole(command: list[str]) -> str:
    """Seconds from start to end of a command, by the clock and of processor time."""
    clock, spent = [], []
    for _ in range(COMMANDS):
        begun, before = time.perf_counter(), os.times()
        subprocess.run(command, check=True, capture_output=True)
        clock.append(time.perf_counter() - begun)
        after = os.times()
        user, system = after.children_user, after.children_system
        spent.append(user + system - before.children_user - before.children_system)
    parts = [f"{min(each):.2f} s at best, {statistics.median(each):.2f} s usual" for each in (clock, spent)]
    return " by the clock; of processor time ".join(parts)


if __name__ == "__main__":
    main()
