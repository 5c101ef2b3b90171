"""Proves the streams of a journal, several at a time in processes of their own."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from multiprocessing.sharedctypes import Synchronized

from msgspec import Struct

from thirdcard.auditor.resume import BadProof, StreamProof
from thirdcard.auditor.verify import Against, StreamReport, verify, verify_on
from thirdcard.cli.journals import Journal, run
from thirdcard.cli.output import BadInput
from thirdcard.journal.store import Store
from thirdcard.rulebook.words import text

RECORDS_FOR_A_WORKER = 10_000  # with fewer, a process takes longer to begin than to prove them
PROGRESS_SECONDS = 0.2
Advance = Callable[[int, int | None], None]
_seen: "Synchronized[int] | None" = None


def number_of_workers(wanted: int | None, records: int) -> int:
    """Return how many processes prove a journal: those wanted, or what its records are worth."""
    if wanted is None:
        return max(1, min(os.cpu_count() or 1, records // RECORDS_FOR_A_WORKER))
    if wanted < 1:
        raise BadInput(text("simulate.too-small", option="--workers", number=wanted, least=1))
    return wanted


class Proving(Struct, frozen=True):
    """How streams are proven: against what, the chain only or everything, and from which proofs on."""

    against: Against
    chain_only: bool = False
    proofs: dict[str, StreamProof] | None = None


Proven = tuple[StreamReport, StreamProof | None]


def prove_streams(
    journal: Journal, streams: dict[str, int], how: Proving, *, workers: int, advance: Advance
) -> list[Proven]:
    """Prove streams, given with the number of their records; the reports come in the order of the streams."""
    if min(workers, len(streams)) <= 1:
        return [_prove(journal, name, how, lambda more: advance(more, None)) for name in streams]
    spawning = multiprocessing.get_context("spawn")
    seen = spawning.Value("q", 0)
    pool = ProcessPoolExecutor(
        min(workers, len(streams)), mp_context=spawning, initializer=_begin, initargs=(seen,)
    )
    with pool:
        proven = {
            name: pool.submit(_prove_apart, journal, name, how)
            for name in sorted(streams, key=lambda name: -streams[name])  # the longest first: none comes last
        }
        _follow(proven.values(), seen, advance)
        return [proven[name].result() for name in streams]


def _follow(proven: Iterable["Future[Proven]"], seen: "Synchronized[int]", advance: Advance) -> None:
    told, pending = 0, set(proven)
    while pending:
        pending = wait(pending, PROGRESS_SECONDS).not_done
        now = seen.value
        advance(now - told, None)
        told = now


def _begin(seen: "Synchronized[int]") -> None:
    """Ready this process, which counts the records that it has seen."""
    global _seen  # noqa: PLW0603 - the one of this process
    _seen = seen
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a word


def _prove_apart(journal: Journal, stream: str, how: Proving) -> Proven:
    return _prove(journal, stream, how, _count)


def _count(records: int) -> None:
    assert _seen is not None
    with _seen.get_lock():
        _seen.value += records


def _prove(journal: Journal, stream: str, how: Proving, progress: Callable[[int], None]) -> Proven:
    async def ask(store: Store) -> Proven:
        if how.proofs is None:
            chain_only = how.chain_only
            return await verify(store, stream, how.against, chain_only=chain_only, progress=progress), None
        try:
            return await verify_on(store, stream, how.against, how.proofs.get(stream), progress=progress)
        except BadProof as error:
            raise BadInput(str(error)) from error

    return run(ask, journal)
