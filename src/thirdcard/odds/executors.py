"""Work on shoes shared out over any ``concurrent.futures`` executor: threads here, or a Dask cluster."""

import concurrent.futures
import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Protocol, Self, TypeVar

from thirdcard.odds.cluster import connect
from thirdcard.odds.kernel import kernel

CHUNK, CHUNK_WITHOUT_KERNEL = 65_536, 4_096  # shoes: some tenths of a second
CHUNKS_OF_A_WORKER = 8  # at least, so that all end at about the same time
AHEAD = 2  # chunks for each worker, one at work and one waiting


class Sum(Protocol):
    """What the work of two chunks adds up to."""

    def __add__(self, other: Self) -> Self: ...


Total = TypeVar("Total", bound=Sum)


def share_out(
    work: Callable[[int, int], Total],
    nothing: Total,
    *,
    shoes: int,
    chunk: int,
    executor: concurrent.futures.Executor,
    workers: int,
    progress: Callable[[Total], None],
) -> Total:
    """The sum of the work on all chunks (first shoe, number); an interrupt ends it with what is done."""
    total = nothing
    pending: set[concurrent.futures.Future[Total]] = set()
    try:
        for first in range(0, shoes, chunk):
            pending.add(executor.submit(work, first, min(chunk, shoes - first)))
            while len(pending) >= AHEAD * workers:
                total, pending = _collect(total, pending, progress)
        while pending:
            total, pending = _collect(total, pending, progress)
    except KeyboardInterrupt:
        for future in pending:
            if not future.cancel():  # it is at work, and soon done
                total += future.result()
    return total


def silent(_: object) -> None:
    """Progress that nobody is told of."""


def chunk_of(shoes: int, block: int, workers: int) -> int:
    """Whole blocks: few enough that all workers have work, many enough that they seldom ask for it."""
    most = CHUNK if kernel() else CHUNK_WITHOUT_KERNEL
    fair = shoes // (workers * CHUNKS_OF_A_WORKER)
    return max(min(fair, most) // block, 1) * block


@contextlib.contextmanager
def open_executor(
    workers: int | None, cluster: str | None
) -> Iterator[tuple[concurrent.futures.Executor, int]]:
    """An executor with its number of workers: threads of this machine, or a cluster by its address."""
    if cluster is None:
        number = workers or os.cpu_count() or 1
        with concurrent.futures.ThreadPoolExecutor(number) as threads:
            yield threads, number
        return
    with connect(cluster) as (executor, there):
        yield executor, workers or there


def _collect(
    total: Total, pending: set[concurrent.futures.Future[Total]], progress: Callable[[Total], None]
) -> tuple[Total, set[concurrent.futures.Future[Total]]]:
    done, rest = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
    for future in done:
        total += future.result()
        pending.discard(future)  # an interrupt must not count it twice
    progress(total)
    return total, rest
