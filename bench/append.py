"""Durable commands per second: a bare writer, the journal, and the whole service, side by side.

    .venv/bin/python bench/append.py

The bare writer has the same queue, thread, transaction, bytes, key and number in flight as the journal, and
does nothing but insert its rows. The service decides, folds, encodes and chains every command.
"""

import asyncio
import queue
import secrets
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import apsw
from figures import record_cost

from thirdcard.game import commands as cmd
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.record import EMPTY, Draft, Head, digest_of, head_of, place
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Appended, records
from thirdcard.refusals import Refused
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from streams.openings import Guide

IN_FLIGHT = (1, 16, 64, 256)
SECONDS = 2.0
GAME = "mbs-super-six-etg-v3"
Once = Callable[[int], Awaitable[None]]


def main() -> None:
    asyncio.run(compare())
    asyncio.run(reading())


async def compare() -> None:
    envelope, body = await usual_bytes()
    print(f"a record: envelope {len(envelope)} bytes, body {len(body)} bytes")
    print("in flight     bare/s   journal/s  of bare   service/s  of bare   p99 bare  journal  service [ms]")
    for number in IN_FLIGHT:
        with tempfile.TemporaryDirectory() as folder:
            bare, bare_p99 = await run_bare(Path(folder), envelope, body, number)
        with tempfile.TemporaryDirectory() as folder:
            journal, journal_p99 = await run_journal(Path(folder), envelope, body, number)
        with tempfile.TemporaryDirectory() as folder:
            service, service_p99 = await run_service(Path(folder), number)
        record_cost(f"journal, {number} in flight", 1 / journal)
        record_cost(f"service, {number} in flight", 1 / service)
        print(
            f"{number:9} {bare:10,.0f} {journal:11,.0f} {journal / bare:7.0%} {service:12,.0f}"
            f" {service / bare:7.0%} {bare_p99:10.1f} {journal_p99:8.1f} {service_p99:8.1f}"
        )


async def usual_bytes() -> tuple[bytes, bytes]:
    """The envelope and the body of an ordinary wager."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "journal.sqlite")
        service = Service(store, KeyRing((new_keys(),)), Clock())
        await service.start()
        guide = Guide(service.table("T1"))
        await guide.open(GAME)
        await guide.bet(("Ada", "player", 10_000))
        last = (await store.read("T1"))[-1]
        await service.stop()
        await store.close()
        return last.envelope, last.body


async def measure(number: int, once: Once) -> tuple[float, float]:
    """Commands a second with so many in flight, and the time that one in a hundred exceeds, in ms."""
    times: list[float] = []
    until = time.perf_counter() + SECONDS

    async def keep_going(which: int) -> None:
        while (begun := time.perf_counter()) < until:
            await once(which)
            times.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(keep_going(which) for which in range(number)))
    elapsed = time.perf_counter() - begun
    return len(times) / elapsed, statistics.quantiles(times, n=100)[98] * 1000


async def run_bare(folder: Path, envelope: bytes, body: bytes, number: int) -> tuple[float, float]:
    """One thread, one queue, one transaction for all that waits; nothing else."""
    loop = asyncio.get_running_loop()
    waiting: queue.SimpleQueue[tuple[str, int, asyncio.Future[None]] | None] = queue.SimpleQueue()
    rest = secrets.token_bytes(300)  # what a record has besides

    def write() -> None:
        connection = apsw.Connection(str(folder / "bare.sqlite"))
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        connection.execute(
            "CREATE TABLE record (stream TEXT, sequence INTEGER, envelope BLOB, body BLOB, rest BLOB,"
            " PRIMARY KEY (stream, sequence))"
        )
        while (first := waiting.get()) is not None:
            tasks = [first]
            while len(tasks) < 1024 and not waiting.empty():
                more = waiting.get()
                if more is None:
                    break
                tasks.append(more)
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT INTO record VALUES (?, ?, ?, ?, ?)",
                [(stream, sequence, envelope, body, rest) for stream, sequence, _ in tasks],
            )
            connection.execute("COMMIT")
            loop.call_soon_threadsafe(resolve, tasks)

    def resolve(tasks: list[tuple[str, int, asyncio.Future[None]]]) -> None:
        for _, _, done in tasks:
            done.set_result(None)

    thread = threading.Thread(target=write)
    thread.start()
    counts: dict[int, int] = dict.fromkeys(range(number), 0)

    async def once(which: int) -> None:
        counts[which] += 1
        done: asyncio.Future[None] = loop.create_future()
        waiting.put((f"T{which}", counts[which], done))
        await done

    measured = await measure(number, once)
    waiting.put(None)
    thread.join()
    return measured


async def run_journal(folder: Path, envelope: bytes, body: bytes, number: int) -> tuple[float, float]:
    """Records placed, chained and appended; each one in flight is a stream of its own."""
    store = SqliteStore(folder / "journal.sqlite")
    heads: dict[int, Head] = dict.fromkeys(range(number), EMPTY)

    async def once(which: int) -> None:
        draft = Draft(
            stream=f"T{which}",
            kind="place-wager",
            version=1,
            command_id=f"T{which}-{heads[which].sequence}",
            envelope=envelope,
            body=body,
            wall_time=time.time_ns() // 1000,
            monotonic=time.monotonic_ns(),
            run="run",
            rulebook="ab" * 32,
            house="cd" * 32,
            software="0",
        )
        answer = await store.append((place(draft, heads[which]),))
        assert isinstance(answer, Appended)
        heads[which] = answer.head

    measured = await measure(number, once)
    await store.close()
    return measured


async def run_service(folder: Path, number: int) -> tuple[float, float]:
    """Wagers placed and taken back at as many tables as are in flight."""
    store = SqliteStore(folder / "journal.sqlite")
    service = Service(store, KeyRing((new_keys(),)), Clock())
    await service.start()
    guides = [Guide(service.table(f"T{which}"), secrets.token_hex(4)) for which in range(number)]
    for guide in guides:
        await guide.open(GAME)
        await guide.bet(("Ada", "player", 10_000))
    more = cmd.PlaceWager(patron="Ada", wager="player", amount=100)
    less = cmd.ReduceWager(patron="Ada", wager="player", amount=100)

    async def once(which: int) -> None:
        guide = guides[which]
        answer = await guide.send(less if guide.number % 2 else more, "Ada")
        assert not isinstance(answer, Refused), answer

    measured = await measure(number, once)
    await service.stop()
    await store.close()
    return measured


async def reading() -> None:
    """Loading 30,000 records with and without a snapshot."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "journal.sqlite")
        keys = KeyRing((new_keys(),))
        service = Service(store, keys, Clock())
        await service.start()
        guide = Guide(service.table("T1"))
        await guide.open(GAME)
        await guide.bet(("Ada", "player", 10_000))
        more = cmd.PlaceWager(patron="Ada", wager="player", amount=100)
        less = cmd.ReduceWager(patron="Ada", wager="player", amount=100)
        while guide.stream.head.sequence < 30_000:
            await asyncio.gather(*(guide.send(body, "Ada") for body in (more, less) * 100))
        await service.stop()
        await store.close()
        times = {}
        for name in ("with a snapshot", "without"):
            store = SqliteStore(Path(folder) / "journal.sqlite")
            if name == "without":
                await store.drop_snapshots()
            fresh = Service(store, keys, Clock()).table("T1")
            begun = time.perf_counter()
            await fresh.load()
            times[name] = time.perf_counter() - begun
            await store.close()
        one, other = times.values()
        record_cost("loading from a snapshot", one)
        record_cost("loading without a snapshot", other)
        print(
            f"loading 30,000 records: {one * 1000:,.1f} ms with a snapshot, {other * 1000:,.0f} ms without:"
        )
        print(f"  {one / other:.1%} of the time")
        store = SqliteStore(Path(folder) / "journal.sqlite", writing=False)
        begun = time.perf_counter()
        head = EMPTY
        async for record in records(store, "T1"):
            table_result_of(record)
            assert digest_of(record) == record.digest
            head = head_of(record)
        print(f"reading, decoding, checking: {head.sequence / (time.perf_counter() - begun):,.0f} records/s")
        await store.close()


if __name__ == "__main__":
    main()
