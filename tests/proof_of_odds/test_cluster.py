"""A real Dask cluster on this machine, two worker processes, gives what threads give."""

import sys
from collections.abc import Iterator
from typing import Any

import distributed
import pytest
from odds.test_simulate import compiled, same

from thirdcard.odds.counting import CountTask, parse_count, run_count
from thirdcard.odds.executors import open_executor
from thirdcard.odds.plan import CannotSimulate, ShoePlan
from thirdcard.odds.simulate import run
from thirdcard.rulebook.facts import PairRule

SECONDS = 60
pytestmark = pytest.mark.filterwarnings("default")  # the cluster's own


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    local: Any = distributed.LocalCluster  # the package has no types
    with local(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", timeout=SECONDS
    ) as started:
        yield started


def test_two_worker_processes_give_what_threads_give(cluster: Any) -> None:
    plan, book = ShoePlan(cut=14), compiled()
    with open_executor(None, cluster.scheduler_address) as (executor, workers):
        assert workers == 2
        there = run(book, plan, seed=8, shoes=20_000, executor=executor, workers=workers)
    with open_executor(1, None) as (executor, workers):
        here = run(book, plan, seed=8, shoes=20_000, executor=executor, workers=workers)
    assert same(there, here)
    assert there.rounds > 1_600_000


def test_card_counting_runs_on_a_cluster_too(cluster: Any) -> None:
    count = parse_count("0,0,-1,-1,-1,-2,1,2,2,0", "8")
    task = CountTask(compiled().rulebook, PairRule.RANK, "big-tiger", ShoePlan(after=0), 3, count)
    with open_executor(None, cluster.scheduler_address) as (executor, workers):
        there = run_count(task, shoes=600, executor=executor, workers=workers)
    with open_executor(2, None) as (executor, workers):
        assert run_count(task, shoes=600, executor=executor, workers=workers) == there


def test_a_scheduler_without_workers_is_named() -> None:
    local: Any = distributed.LocalCluster
    with (
        local(n_workers=0, processes=True, dashboard_address="127.0.0.1:0", timeout=SECONDS) as empty,
        pytest.raises(CannotSimulate, match=r"has no workers\. Start some with: dask worker"),
        open_executor(None, empty.scheduler_address),
    ):
        pass


def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thirdcard.odds.cluster.CLUSTER_TIMEOUT", "1s")
    with (
        pytest.raises(CannotSimulate, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1"),
        open_executor(None, "tcp://127.0.0.1:1"),
    ):
        pass


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(CannotSimulate, match=r"pip install 'thirdcard\[cluster\]'"),
        open_executor(None, "tcp://127.0.0.1:8786"),
    ):
        pass
