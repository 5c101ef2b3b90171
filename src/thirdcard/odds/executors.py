"""Work on shoes shared out over any ``concurrent.futures`` executor: threads here, or a Dask cluster."""

import concurrent.futures
import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, Self, TypeVar

from thirdcard.odds.cluster import connect
from thirdcard.odds.kernel import kernel

CHUNK, CHUNK_WITHOUT_KERNEL = 65_536, 4_096  # shoes: some tenths of a second
CHUNKS_OF_A_WORKER = 8  # at least, so that all end at about the same time
AHEAD = 2  # chunks for each worker, one at work and one waiting


class Sum(Protocol):
    """A result of chunks of work, which adds up."""

    def __add__(self, other: Self) -> Self: ...


SumType = TypeVar("SumType", bound=Sum)


def share_out(
    work: Callable[[int, int], SumType],
    nothing: SumType,
    *,
    shoes: int,
    chunk: int,
    executor: concurrent.futures.Executor,
    workers: int,
    progress: Callable[[SumType], None],
) -> SumType:
    """The sum of the work on all chunks (first shoe, number); an interrupt ends it with what is done."""
    gathered = _Gathered(nothing)
    try:
        for first in range(0, shoes, chunk):
            gathered.pending.add(executor.submit(work, first, min(chunk, shoes - first)))
            while len(gathered.pending) >= AHEAD * workers:
                gathered.wait()
                progress(gathered.total)
        while gathered.pending:
            gathered.wait()
            progress(gathered.total)
    except KeyboardInterrupt:
        gathered.stop()
    return gathered.total


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


class _Gathered(Generic[SumType]):
    """The finished and the pending chunks; an interrupt may come anywhere, and nothing counts twice."""

    def __init__(self, nothing: SumType) -> None:
        self.total = nothing
        self.pending: set[concurrent.futures.Future[SumType]] = set()

    def wait(self) -> None:
        """Take in every chunk that is done, at least one."""
        done, _ = concurrent.futures.wait(self.pending, return_when=concurrent.futures.FIRST_COMPLETED)
        for future in done:
            self._take(future)

    def stop(self) -> None:
        """Begin no more; what is at work is soon done and counts too."""
        for future in list(self.pending):
            if future.cancel():
                self.pending.discard(future)
            else:
                self._take(future)

    def _take(self, future: concurrent.futures.Future[SumType]) -> None:
        self.pending.discard(future)
        self.total += future.result()
