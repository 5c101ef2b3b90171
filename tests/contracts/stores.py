"""The stores that the contract is run over, and records to put into them."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from simulation.disk import Disk, SimulatedStore, StoreFaults
from simulation.loop import Process

from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.record import EMPTY, Draft, Head, Record, head_of, place
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Store

Opening = Callable[[], AbstractAsyncContextManager[Store]]


def memory() -> Opening:
    """A store in memory: opened again, it is the same one."""
    kept: list[MemoryStore] = []

    @asynccontextmanager
    async def opened() -> AsyncIterator[Store]:
        if not kept:
            kept.append(MemoryStore())
        yield kept[0]
        await kept[0].close()

    return opened


def simulated() -> Opening:
    """The store of the simulation: opened again, it has the same disk."""
    disk = Disk()

    @asynccontextmanager
    async def opened() -> AsyncIterator[Store]:
        store = SimulatedStore(disk, Process("contract"), random.Random(1), StoreFaults())
        try:
            yield store
        finally:
            await store.close()

    return opened


def sqlite(folder: Path) -> Opening:
    """A store in a file."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Store]:
        store = SqliteStore(folder / "journal.sqlite")
        try:
            yield store
        finally:
            await store.close()

    return opened


def postgres(url: str) -> Opening:
    """A store in a database of a real server."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[Store]:
        store = await PostgresStore.open(url)
        try:
            yield store
        finally:
            await store.close()

    return opened


async def first_up(store: Store) -> bool:
    """Begin to serve a store; whether nobody else did."""
    async with store.arriving() as first:
        return first


def draft(stream: str = "table-1", command_id: str = "c1", body: bytes = b"{}") -> Draft:
    """A record before it has its place."""
    return Draft(
        stream=stream,
        kind="open-betting",
        version=1,
        command_id=command_id,
        envelope=b'{"actor":"Dealer"}',
        body=body,
        wall_time=1_763_200_000_000_000,
        monotonic=17,
        run="run-1",
        rulebook="ab" * 32,
        house="cd" * 32,
        software="0.1.0",
    )


def chain(count: int, *, stream: str = "table-1", after: Head = EMPTY, ids: str = "c") -> tuple[Record, ...]:
    """Records that follow one another after the end of a stream."""
    made: list[Record] = []
    for number in range(after.sequence + 1, after.sequence + count + 1):
        record = place(draft(stream, f"{stream}-{ids}{number}"), after)
        made.append(record)
        after = head_of(record)
    return tuple(made)
