"""Rounds simulated per second beside a textbook C loop and numpy, all in the same run.

    .venv/bin/python bench/simulate.py

Every figure is the best of five alternating runs, once by the clock and once by processor time: on a shared
machine the clock also counts what others do. Needs a C compiler for the yardstick.
"""

import concurrent.futures
import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from figures import record_cost

from thirdcard.odds.compiled import compile_game
from thirdcard.odds.kernel import VARIABLE, widths
from thirdcard.odds.plan import ShoePlan
from thirdcard.odds.tally import play_shoes, task_of
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

GAME, ROUNDS, TIMES = "mbs-tiger-nc-v4", 60, 5
Work = Callable[[], int]


def main() -> None:
    rulebook = SHIPPED.rulebook(GAME)
    task = task_of(compile_game(rulebook, PairRule.RANK), ShoePlan(rounds=ROUNDS), seed=1, block=512)
    names = [width.value for width in widths()]

    def forced(name: str, shoes: int) -> Work:
        def work() -> int:
            os.environ[VARIABLE] = name
            return play_shoes(task, 0, shoes).rounds

        return work

    works: dict[str, Work] = {"textbook C loop": textbook(2**15)}
    works |= {name: forced(name, 512 if name == "numpy" else 2**16) for name in names}
    clock, cpu = best_of(works)
    reference = "textbook C loop"
    print(f"{GAME}, {ROUNDS} rounds a shoe of 8 decks, every wager tallied; one thread, best of {TIMES}")
    for name in works:
        record_cost(f"a round, {name}", 1 / cpu[name])
        ratios = f"{clock[name] / clock[reference]:6.2f} x   {cpu[name] / cpu[reference]:6.2f} x"
        print(
            f"{name:16} {clock[name] / 1e6:8.1f} M/s  {cpu[name] / 1e6:8.1f} M/s of CPU   {ratios} textbook"
        )
    threads(names[0], task_shoes=2**18, play=lambda first, number: play_shoes(task, first, number).rounds)


def best_of(works: dict[str, Work]) -> tuple[dict[str, float], dict[str, float]]:
    """Rounds per second by the clock and by processor time."""
    clock, cpu = dict.fromkeys(works, 0.0), dict.fromkeys(works, 0.0)
    for _ in range(TIMES):
        for name, work in works.items():
            begun, used = time.perf_counter(), time.process_time()
            rounds = work()
            clock[name] = max(clock[name], rounds / (time.perf_counter() - begun))
            cpu[name] = max(cpu[name], rounds / (time.process_time() - used))
    return clock, cpu


def threads(name: str, *, task_shoes: int, play: Callable[[int, int], int]) -> None:
    """Two threads beside one, alternating; processor time shows what they cost each other."""
    os.environ[VARIABLE] = name
    clock, cpu = {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}
    part = task_shoes // 8
    for _ in range(TIMES):
        for number in (1, 2):
            with concurrent.futures.ThreadPoolExecutor(number) as pool:
                begun, used = time.perf_counter(), time.process_time()
                rounds = sum(pool.map(lambda first: play(first, part), range(0, task_shoes, part)))
                clock[number] = max(clock[number], rounds / (time.perf_counter() - begun))
                cpu[number] = max(cpu[number], rounds / (time.process_time() - used))
    print(
        f"{name}: one thread {clock[1] / 1e6:.1f} M/s, two {clock[2] / 1e6:.1f} M/s: "
        f"{clock[2] / clock[1]:.2f} x; rounds by processor time {cpu[2] / cpu[1]:.2f} x"
    )


def textbook(shoes: int) -> Work:
    """The yardstick, compiled as the kernel is."""
    folder = tempfile.mkdtemp()
    library = Path(folder, "textbook.so")
    source = str(Path(__file__).with_name("textbook.c"))
    subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", source, "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).textbook

    def work() -> int:
        tallies = (ctypes.c_int64 * 10)()
        function(ctypes.c_uint64(1), ctypes.c_int64(shoes), ROUNDS, 8, tallies)
        return sum(tallies[:4])

    return work


if __name__ == "__main__":
    main()
