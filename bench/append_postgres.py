"""Durable appends per second into PostgreSQL: bare asyncpg and the journal, side by side.

    .venv/bin/python bench/append_postgres.py

The bare writer has the same queue, rows, keys and number in flight: everything that waits is copied in one
transaction. It neither checks nor tells anything. «one by one» inserts every row in a transaction of
its own, over as many connections as the journal has.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]

from thirdcard.journal.postgres.link import CONNECTIONS
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.postgres.writer import RECORD_FIELDS
from thirdcard.journal.record import EMPTY, Draft, Head, Record, head_of, place
from thirdcard.journal.store import Appended

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from contracts.servers import PostgresServer

IN_FLIGHT = (1, 16, 64, 256)
SECONDS = 1.0
TURNS = 5
ENVELOPE, BODY = b"e" * 120, b"b" * 500  # as many bytes as an ordinary wager has
BARE = "CREATE TABLE bare (LIKE thirdcard.record INCLUDING INDEXES INCLUDING CONSTRAINTS)"
Append = Callable[[Record], Awaitable[None]]
Run = Callable[[str, int], Coroutine[None, None, tuple[float, float]]]


def main() -> None:
    server = PostgresServer()
    try:
        runs: dict[str, Run] = {"bare": run_bare, "journal": run_journal, "one by one": run_one_by_one}
        print(f"{TURNS} turns of {SECONDS:g} s each; the middle one, appends/s and p99 in ms")
        print("in flight" + "".join(f"{name:>20}" for name in runs) + "   journal of bare")
        for number in IN_FLIGHT:
            turns: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
            for _ in range(TURNS):
                for name, run in runs.items():
                    turns[name].append(asyncio.run(run(server.fresh_database(), number)))
            ratio = statistics.median(
                journal / bare
                for (journal, _), (bare, _) in zip(turns["journal"], turns["bare"], strict=True)
            )
            print(f"{number:9}" + "".join(map(middle, turns.values())) + f"{ratio:18.0%}", flush=True)
    finally:
        server.stop()


def middle(turns: list[tuple[float, float]]) -> str:
    rate, p99 = (statistics.median(each) for each in zip(*turns, strict=True))
    return f"{rate:12,.0f} {p99:7.1f}"


async def measure(number: int, append: Append) -> tuple[float, float]:
    """Appends a second with so many in flight, each to a stream of its own, and the p99 in ms."""
    times: list[float] = []
    until = time.perf_counter() + SECONDS

    async def keep_going(stream: str) -> None:
        head = EMPTY
        while (begun := time.perf_counter()) < until:
            record = next_record(stream, head)
            await append(record)
            head = head_of(record)
            times.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(keep_going(f"T{which}") for which in range(number)))
    elapsed = time.perf_counter() - begun
    return len(times) / elapsed, statistics.quantiles(times, n=100)[98] * 1000


def next_record(stream: str, head: Head) -> Record:
    draft = Draft(
        stream=stream,
        kind="place-wager",
        version=1,
        command_id=f"{stream}-{head.sequence}",
        envelope=ENVELOPE,
        body=BODY,
        wall_time=time.time_ns() // 1000,
        monotonic=time.monotonic_ns(),
        run="run",
        rulebook="ab" * 32,
        house="cd" * 32,
        software="0",
    )
    return place(draft, head)


async def run_journal(url: str, number: int) -> tuple[float, float]:
    store = await PostgresStore.open(url)

    async def append(record: Record) -> None:
        assert isinstance(await store.append((record,)), Appended)

    measured = await measure(number, append)
    await store.close()
    return measured


async def prepare(url: str) -> None:
    """A table like the journal's, with its keys and without its triggers."""
    store = await PostgresStore.open(url)
    await store.close()
    connection = await asyncpg.connect(url)
    await connection.execute(BARE)
    await connection.close()


async def run_bare(url: str, number: int) -> tuple[float, float]:
    await prepare(url)
    connection = await asyncpg.connect(url)
    waiting: list[tuple[Record, asyncio.Future[None]]] = []
    wake = asyncio.Event()

    async def write() -> None:
        nonlocal waiting
        while True:
            await wake.wait()
            wake.clear()
            while waiting:
                group, waiting = waiting, []
                rows = [tuple(map(record.__getattribute__, RECORD_FIELDS)) for record, _ in group]
                await connection.copy_records_to_table("bare", columns=RECORD_FIELDS, records=rows)
                for _, done in group:
                    done.set_result(None)

    async def append(record: Record) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append((record, done))
        wake.set()
        await done

    writer = asyncio.create_task(write())
    measured = await measure(number, append)
    writer.cancel()
    await connection.close()
    return measured


async def run_one_by_one(url: str, number: int) -> tuple[float, float]:
    await prepare(url)
    places = ", ".join(f"${at}" for at in range(1, len(RECORD_FIELDS) + 1))
    sql = f"INSERT INTO bare ({', '.join(RECORD_FIELDS)}) VALUES ({places})"
    async with asyncpg.create_pool(url, min_size=CONNECTIONS, max_size=CONNECTIONS) as pool:

        async def append(record: Record) -> None:
            await pool.execute(sql, *map(record.__getattribute__, RECORD_FIELDS))

        return await measure(number, append)


if __name__ == "__main__":
    main()
