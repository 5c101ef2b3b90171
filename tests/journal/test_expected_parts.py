"""Parts that should be in a journal are missed: checkpoints, streams of tables, ends of old streams."""

import pytest
from access.signing import SETUP
from journal.journals import KEYS, TRAINING, rechained, records_of, told_evening, write
from journal.test_signed_records import copy_of, sign_end
from moved_clock import MovedClock
from msgspec.structs import replace
from streams.openings import Guide, serving

from thirdcard.auditor.verify import AGAINST_NOTHING, streams_of, verify
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import TableDefinition
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.store import FLOOR_STREAM, Store
from thirdcard.messages import say
from thirdcard.staff import Post
from thirdcard.streams.ahead import Accepted

TABLE = "Table"


async def rounds(store: Store, number: int) -> None:
    """Deal some rounds at a table, which is closed between two runs of a server."""
    async with serving(store, KEYS) as service:
        guide = Guide(service.table(TABLE), prefix=f"r{number}")
        await guide.open("mbs-tiger-v3")
        for _ in range(number):
            await guide.bet(("Ada", "player", 10_000))
            await guide.deal("9H", "2S", "KD", "5C")


async def without_checkpoints(store: Store, *removed: int) -> MemoryStore:
    """A copy without the checkpoints at some records, or without any."""
    other = await copy_of(store, {})
    for stream in await store.streams():
        for checkpoint in await store.checkpoints(stream):
            if removed and checkpoint.sequence not in removed:
                await other.keep_checkpoint(checkpoint)
    return other


async def faults(store: Store, stream: str) -> list[str]:
    return [say(each.what) for each in (await verify(store, stream)).findings]


async def ends_of_rounds(store: Store) -> list[int]:
    return [each.sequence for each in await store.checkpoints(TABLE) if each.reason == "round-end"]


async def test_a_round_without_its_checkpoint_is_missed() -> None:
    store = MemoryStore()
    await rounds(store, 3)
    assert await faults(store, TABLE) == []
    first, second, _ = await ends_of_rounds(store)
    other = await without_checkpoints(store, second)
    said = "and nobody has signed a checkpoint for it, or it was removed."
    assert await faults(other, TABLE) == [f"A round ended at record {second}, {said}"]
    bare = await without_checkpoints(store)
    assert f"A round ended at record {first}, {said}" in await faults(bare, TABLE)


async def test_a_server_that_was_killed_owes_no_checkpoint() -> None:
    """The run changes after the record, so that nobody was there to sign it."""
    store = MemoryStore()
    await rounds(store, 2)
    first, second = await ends_of_rounds(store)
    made = await store.read(TABLE)
    later = {each.sequence: replace(each, run="later") for each in made if each.sequence > first}
    copied = await copy_of(store, {TABLE: rechained(made, later)})
    assert second
    found = await faults(copied, TABLE)
    assert not any("A round ended" in each for each in found)


def definition(name: str) -> TableDefinition:
    return TableDefinition(setup=replace(SETUP, table=name))


@pytest.mark.parametrize(("served", "found"), [(True, 1), (False, 0)])
async def test_a_defined_table_without_its_stream_is_missed_once_it_was_served(
    served: bool,
    found: int,
) -> None:
    store, clock = MemoryStore(), MovedClock()
    async with serving(store, KEYS, clock) as service:
        bodies: tuple[floor_cmd.FloorBody, ...] = (
            floor_cmd.AddPerson(name="Nia", posts=(Post("dealer"),), password="argon2"),
            floor_cmd.DefineTables(file="f", digest="d", tables=(definition("Gone"),)),
        )
        for number, body in enumerate(bodies):
            answer = await service.floor.send(body, actor=COMMAND_LINE, command_id=f"f{number}")
            assert isinstance(answer, Accepted), answer
        clock.jump(61 if served else 1)
        sign_in = floor_cmd.SignIn(name="Nia", session="s", console="C1")
        assert isinstance(await service.floor.send(sign_in, actor="Nia", command_id="s"), Accepted)
    said = [each for each in await faults(store, FLOOR_STREAM) if "The table Gone is defined" in each]
    assert len(said) == found


async def test_an_old_stream_that_is_gone_is_missed() -> None:
    store, evening = MemoryStore(), told_evening(TABLE, TRAINING)
    await write(store, evening)
    old = rechained(tuple(replace(each, version=8) for each in records_of(evening)), {})
    before = await copy_of(store, {TABLE: old})
    await sign_end(before, old)
    async with serving(before, KEYS):
        pass
    after = await copy_of(before, {TABLE: ()})
    assert TABLE in await streams_of(after, AGAINST_NOTHING)
    said = f"The stream ends at record 0, but had {len(old)} when records began to be signed"
    assert any(each.startswith(said) for each in await faults(after, TABLE))


async def test_the_verdict_counts_what_covers_old_records() -> None:
    store, evening = MemoryStore(), told_evening(TABLE, TRAINING)
    await write(store, evening)
    old = rechained(tuple(replace(each, version=8) for each in records_of(evening)), {})
    before = await copy_of(store, {TABLE: old})
    report = await verify(before, TABLE)
    assert (report.signed, report.old, report.uncovered) == (0, len(old), len(old))
    (said,) = [say(each.what) for each in report.findings if each.what.key == "finding.nothing-signed"]
    assert said.startswith(f"Nobody has signed anything about these {len(old)} records")
    await sign_end(before, old)
    assert (await verify(before, TABLE)).findings == ()
    async with serving(before, KEYS):
        pass
    report = await verify(before, TABLE)
    assert (report.old, report.uncovered) == (len(old), 0)
