"""The kernel at its widest, with stand-ins for the AVX-512 instructions, gives what the plain one gives.

A machine that has them runs the real ones in the other tests; this one shows on every machine that 32 shoes
and 16 compositions at a time are dealt, counted and added up right.
"""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from limits import LONG_ENOUGH
from odds.kernels import random_shoes
from odds.test_simulate import PLANS, compiled, same

import kernel_output
from thirdcard.odds import kernel as loader
from thirdcard.odds.compiled import compile_game
from thirdcard.odds.kernel import VARIABLE, Width, kernel
from thirdcard.odds.plan import ShoePlan
from thirdcard.odds.price import batch_counts
from thirdcard.odds.script import write_shoes
from thirdcard.odds.tally import play_shoes, task_of
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

STAND_IN = Path(__file__).parent / "stand_in"
WIDEST = ("-D__AVX512F__", "-D__AVX512BW__", "-Wno-psabi", f"-I{STAND_IN}")
QUICKLY = ("-O0", "-std=gnu11", "-fPIC")  # compiling takes longer than running
WIDTHS = (Width.AVX512, Width.PLAIN)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plain kernel and the widest one in one library."""
    folder = tmp_path_factory.mktemp("widest")
    source, compiler = str(Path(loader.__file__).with_name("kernel.c")), kernel_output._compiler()
    for name, flags in (("plain", ()), ("widest", WIDEST)):
        command = [*compiler, *QUICKLY, *flags, "-c", source, "-o", str(folder / f"{name}.o")]
        subprocess.run(command, check=True, timeout=LONG_ENOUGH)
    built = folder / "libwidest.so"
    objects = [str(folder / "plain.o"), str(folder / "widest.o")]
    subprocess.run([*compiler, "-shared", "-o", str(built), *objects], check=True, timeout=LONG_ENOUGH)
    return built


@pytest.fixture
def use(library: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Both are there to choose from, whatever the machine has."""
    monkeypatch.setattr(loader, "LIBRARY", library)
    monkeypatch.setattr(loader, "_widths", lambda file: WIDTHS)
    return monkeypatch


def force(use: pytest.MonkeyPatch, width: Width) -> None:
    use.setenv(VARIABLE, width.value)
    found = kernel()
    assert found is not None
    assert found.width is width


@pytest.mark.parametrize("pair_rule", PairRule)
@pytest.mark.parametrize("plan", PLANS)
def test_the_widest_kernel_deals_the_same_cards_and_counts_the_same(
    plan: ShoePlan, pair_rule: PairRule, use: pytest.MonkeyPatch
) -> None:
    task = task_of(compiled(pair_rule=pair_rule), plan, seed=11, block=64)
    tallies, scripts = [], []
    for width in WIDTHS:
        force(use, width)
        tallies.append(play_shoes(task, 7, 1_003))
        scripts.append(write_shoes(task.rules, plan, 11, 2**40, 77))
    assert same(*tallies)
    assert tallies[0].rounds > 30_000
    for name in ("cards", "classes", "starts"):
        assert np.array_equal(*(getattr(script, name) for script in scripts))


@pytest.mark.parametrize("pair_rule", PairRule)
def test_the_widest_kernel_counts_batches_the_same(pair_rule: PairRule, use: pytest.MonkeyPatch) -> None:
    left = np.array([shoe.left for shoe in random_shoes(203, seed=12)] + [(40,) * 13])
    for book in SHIPPED.rulebooks:
        counts = []
        for width in WIDTHS:
            force(use, width)
            counts.append(batch_counts(compile_game(book, pair_rule), left))
        assert np.array_equal(counts[0], counts[1])
