"""A process of its own that works on a journal in PostgreSQL, for tests of several of them.

python postgres_process.py URL serve            says whether it is the first one up, then waits to be killed
python postgres_process.py URL serve alone      the same, however late it shows that others were killed
python postgres_process.py URL write NAME N     waits for a line, then appends N records to each stream
"""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from contracts.stores import draft, first_up

from thirdcard.journal.postgres import connections as postgres_watch
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.record import head_of, place
from thirdcard.journal.store import Appended, Conflict

STREAMS = tuple(f"table-{number}" for number in range(5))


async def serve(url: str, *, alone: bool) -> None:
    if alone:
        postgres_watch.GRACE = 120.0
    store = await PostgresStore.open(url)
    print("first" if await first_up(store) else "not first", flush=True)
    await asyncio.Event().wait()


async def write(url: str, name: str, count: int) -> None:
    store = await PostgresStore.open(url)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    conflicts = sum(await asyncio.gather(*(write_to(store, stream, name, count) for stream in STREAMS)))
    await store.close()
    print(conflicts)


async def write_to(store: PostgresStore, stream: str, name: str, count: int) -> int:
    """Append records in ones and twos, each under an id of its own; how often somebody else was quicker."""
    done = conflicts = 0
    while done < count:
        head = await store.head(stream)
        first = place(draft(stream, f"{stream}-{name}-{done}"), head)
        second = place(draft(stream, f"{stream}-{name}-{done + 1}"), head_of(first))
        batch = (first, second) if done % 3 == 0 and done + 1 < count else (first,)
        answer = await store.append(batch)
        if isinstance(answer, Appended):
            done += len(batch)
        else:
            assert answer == Conflict(), answer
            conflicts += 1
    return conflicts


if __name__ == "__main__":
    address, what, *rest = sys.argv[1:]
    work = serve(address, alone=bool(rest)) if what == "serve" else write(address, rest[0], int(rest[1]))
    asyncio.run(work)
