"""Many writers on the same streams of a journal in PostgreSQL: one gets each place, nobody waits forever."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
from contracts.stores import chain, draft
from journal.postgres_process import STREAMS, write_to

from thirdcard.journal.postgres import turns as postgres_turns
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.record import EMPTY, Record, digest_of, head_of, place
from thirdcard.journal.store import Appended, Conflict, KnownCommand, Store, records

pytestmark = pytest.mark.timed

PROCESS = Path(__file__).parent / "postgres_process.py"


async def whole(store: Store) -> list[Record]:
    """All records, each stream whole and in order."""
    found = []
    for stream in await store.streams():
        head = EMPTY
        async for record in records(store, stream):
            assert (record.sequence - 1, record.previous) == (head.sequence, head.digest)
            assert digest_of(record) == record.digest
            head = head_of(record)
            found.append(record)
        assert await store.head(stream) == head
    return found


async def test_writers_of_two_stores_get_each_place_once(postgres_url: str) -> None:
    stores = [await PostgresStore.open(postgres_url) for _ in range(2)]
    writers = [
        write_to(store, stream, f"{which}-{writer}", 8)
        for which, store in enumerate(stores)
        for writer in range(4)
        for stream in STREAMS
    ]
    conflicts = sum(await asyncio.gather(*writers))
    assert conflicts > 0
    found = await whole(stores[0])
    assert len(found) == len({each.command_id for each in found}) == 2 * 4 * 8 * len(STREAMS)
    for store in stores:
        await store.close()


async def test_writers_of_three_processes_get_each_place_once(postgres_url: str) -> None:
    store = await PostgresStore.open(postgres_url)
    processes = [
        subprocess.Popen(
            [sys.executable, PROCESS, postgres_url, "write", name, "30"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b", "c")
    ]
    for each in processes:
        assert each.stdout is not None
        assert await asyncio.to_thread(each.stdout.readline) == "ready\n"
    for each in processes:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    conflicts = [int((await asyncio.to_thread(each.communicate))[0]) for each in processes]
    assert sum(conflicts) > 0
    found = await whole(store)
    assert len(found) == len({each.command_id for each in found}) == 3 * 30 * len(STREAMS)
    await store.close()


async def test_the_same_commands_in_opposite_orders_lock_nobody_out(postgres_url: str) -> None:
    """Two appends that wait for each other are found by the server; the one it ends is told what is known."""
    stores = [await PostgresStore.open(postgres_url) for _ in range(2)]
    dice = random.Random(7)
    for turn in range(6):
        ids = [f"{turn}-{number}" for number in range(40)]
        batches = []
        for which in range(2):
            head, made = EMPTY, []
            for command_id in dice.sample(ids, len(ids)):
                made.append(place(draft(f"table-{turn}-{which}", command_id), head))
                head = head_of(made[-1])
            batches.append(tuple(made))
        answers = await asyncio.gather(*(stores[at].append(batch) for at, batch in enumerate(batches)))
        assert sorted(type(answer).__name__ for answer in answers) == ["Appended", "KnownCommand"]
    assert len(await whole(stores[0])) == 6 * 40
    for store in stores:
        await store.close()


async def test_the_same_command_sent_twice_at_once_is_recorded_once(postgres_url: str) -> None:
    stores = [await PostgresStore.open(postgres_url) for _ in range(2)]
    made = chain(1)
    answers = await asyncio.gather(*(store.append(made) for store in stores * 3))
    assert sorted(type(answer).__name__ for answer in answers) == ["Appended"] + ["KnownCommand"] * 5
    for store in stores:
        await store.close()


async def test_appends_to_one_stream_are_carried_out_in_the_order_they_came(postgres_url: str) -> None:
    store = await PostgresStore.open(postgres_url)
    made = chain(200)
    answers = await asyncio.gather(*(store.append((each,)) for each in made))
    assert answers == [Appended((each,)) for each in made]
    await store.close()


async def test_one_who_loses_costs_the_others_of_its_group_nothing(postgres_url: str) -> None:
    """A group of one transaction with records that were known, that were overtaken and that are broken."""
    store = await PostgresStore.open(postgres_url)
    first = chain(1)
    await store.append(first)
    good = [chain(3, stream=f"good-{number}") for number in range(20)]
    late = chain(3, ids="late")
    again = place(draft("other", first[0].command_id), EMPTY)
    made = chain(3, stream="gap")
    twice = tuple(chain(1, stream="twice"))
    twice = (*twice, place(draft("twice", twice[0].command_id), head_of(twice[0])))
    odd = [late, (again,), (made[0], made[2]), twice]
    answers = await asyncio.gather(*(store.append(each) for each in (*good, *odd)))
    assert answers[:20] == [Appended(each) for each in good]
    assert answers[20:] == [Conflict(), KnownCommand(first[0].command_id), Conflict(), Conflict()]
    assert len(await whole(store)) == 61
    await store.close()


async def test_a_transaction_that_is_held_up_holds_up_its_own_stream_alone(postgres_url: str) -> None:
    """A process that stopped in the middle of writing keeps a place until the server ends its transaction."""
    store = await PostgresStore.open(postgres_url)
    for ending, expected in (("ROLLBACK", Appended), ("COMMIT", Conflict)):
        stream = f"table-{ending}"
        theirs = chain(1, stream=stream, ids="theirs")[0]
        names = theirs.__struct_fields__
        rival = await asyncpg.connect(postgres_url)
        await rival.execute("BEGIN")
        places = ", ".join(f"${at}" for at in range(1, len(names) + 1))
        await rival.execute(
            f"INSERT INTO thirdcard.record ({', '.join(names)}) VALUES ({places})",
            *(getattr(theirs, name) for name in names),
        )
        held = asyncio.create_task(store.append(chain(1, stream=stream)))
        await asyncio.sleep(0.01)
        others = [chain(1, stream=f"{stream}-{number}") for number in range(30)]
        for other in others:
            assert await store.append(other) == Appended(other)
        assert not held.done()
        await rival.execute(ending)
        assert isinstance(await held, expected)
        await rival.close()
    await whole(store)
    await store.close()


async def test_who_comes_too_late_is_let_go_first(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that appends without a pause always knows the end first; another one gets its turns still."""
    monkeypatch.setattr(postgres_turns, "REST", 60.0)  # however slowly the other one decides
    busy, late = [await PostgresStore.open(postgres_url) for _ in range(2)]

    async def hammer() -> None:
        end, number = EMPTY, 0
        while True:
            number += 1
            record = place(draft("table-1", f"busy-{number}"), end)
            answer = await busy.append((record,))
            end = answer.head if isinstance(answer, Appended) else await busy.head("table-1")

    hammering = asyncio.create_task(hammer())
    tries = []
    for number in range(30):
        tries.append(0)
        answer: object = Conflict()
        while answer == Conflict():
            end = await late.head("table-1")
            await asyncio.sleep(0.01)  # it takes its time to decide
            answer = await late.append((place(draft("table-1", f"late-{number}"), end),))
            tries[-1] += 1
    hammering.cancel()
    await asyncio.gather(hammering, return_exceptions=True)
    assert sum(tries) <= 3 * len(tries), tries
    for store in (busy, late):
        await store.close()
