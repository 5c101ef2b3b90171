"""A journal that a server writes is whole: its tables, its floor, and snapshots of both."""

import asyncio
import json
from pathlib import Path

import pytest
from contracts.stores import Opening, memory, sqlite
from journal.journals import rechained
from msgspec.structs import replace
from streams.openings import GAMES, Guide, serving

from thirdcard.auditor.replay import ReplayStep, replay
from thirdcard.auditor.verify import Against, verify
from thirdcard.cli import run
from thirdcard.floor import commands as fc
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Floor
from thirdcard.game import commands as cmd
from thirdcard.journal.checkpoints import make_snapshot
from thirdcard.journal.codec import encode_state, house_list_from
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import head_of
from thirdcard.journal.store import FLOOR_STREAM, Store
from thirdcard.messages import say
from thirdcard.staff import Post

Printed = pytest.CaptureFixture[str]
KEYS = KeyRing((new_keys(),))
HIDDEN = "argon2-of-a-password"


@pytest.fixture(params=["memory", "sqlite"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    return memory() if request.param == "memory" else sqlite(tmp_path)


async def serve(store: Store) -> None:
    """A floor with three people and a table of each game, a round at each, then a restart."""
    async with serving(store, KEYS) as service:
        for number, (name, post) in enumerate(
            (("Dana", "dealer"), ("Sue", "pit-supervisor"), ("Dana", "dealer"))
        ):
            body = fc.AddPerson(name=name, posts=(Post(post),), password=HIDDEN)
            await service.floor.send(body, actor=COMMAND_LINE, command_id=f"floor-{number}")
        await service.floor.send(
            fc.LockPerson(name="Sue", reason="x"), actor="Dana", command_id="floor-refused"
        )
        for number, game in enumerate(GAMES):
            guide = Guide(service.table(f"T{number}"))
            await guide.open(game)
            await guide.bet(("Ada", "player", 10_000), ("Ben", "banker", 10_000))
            await guide.send(cmd.LoadShoe(decks=8))
            await guide.deal("9", "2", "K", "5")
    async with serving(store, KEYS):
        pass


async def test_a_floor_and_its_tables_are_whole(opening: Opening) -> None:
    async with opening() as store:
        await serve(store)
        names = await store.streams()
        assert names == (*(f"T{number}" for number in range(len(GAMES))), FLOOR_STREAM)
        for name in names:
            report = await verify(store, name, Against(KEYS.public_keys))
            assert [(each.sequence, say(each.what)) for each in (*report.findings, *report.notes)] == []
            assert report.records == report.signed_until
            assert report.state is not None
            assert report.refusals == 1


async def test_a_snapshot_of_the_floor_is_compared_with_the_fold() -> None:
    store = MemoryStore()
    await serve(store)
    steps = [each async for each in replay(store, FLOOR_STREAM)]
    last = steps[-1]
    assert isinstance(last, ReplayStep)
    assert isinstance(last.state, Floor)
    assert [person.name for person in last.state.people] == ["Dana", "Sue"]
    tree = Frontier()
    for each in await store.read(FLOOR_STREAM):
        tree = tree.grown(leaf(each.digest))
    for state, wrong in ((last.state, []), (Floor(), ["is not what the records come to."])):
        await store.keep_snapshot(
            make_snapshot(
                KEYS, stream=FLOOR_STREAM, head=head_of(last.record), tree=tree, state=encode_state(state)
            )
        )
        found = [say(each.what) for each in (await verify(store, FLOOR_STREAM)).findings]
        assert [each.partition("record 3 ")[2] for each in found] == wrong


async def test_a_floor_that_is_decided_otherwise_is_found() -> None:
    store, other = MemoryStore(), MemoryStore()
    await serve(store)
    made = await store.read(FLOOR_STREAM)
    before, _, after = made[1].body.rpartition(b"pit-supervisor")
    forged = replace(made[1], body=before + b"dealer" + after)
    assert forged.body != made[1].body
    houses = house_list_from(await store.content(made[0].house) or b"")
    for digest in (made[0].house, *houses):
        await other.keep_content(digest, await store.content(digest) or b"")
    await other.keep_content(KEYS.key_id, KEYS.public_keys[KEYS.key_id])
    await other.append(rechained(made, {2: forged}), KEYS)
    ((sequence, said),) = [
        (each.sequence, say(each.what)) for each in (await verify(other, FLOOR_STREAM)).findings
    ]
    assert sequence == 2
    assert "recorded person-added with person; decided again person-added with person." in said


def test_replaying_a_floor_shows_no_password(tmp_path: Path, capsys: Printed) -> None:
    async def written() -> None:
        async with sqlite(tmp_path)() as store:
            await serve(store)

    asyncio.run(written())
    command = ["audit", "replay", "--data", str(tmp_path), "--stream", FLOOR_STREAM]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert "Sue: pit-supervisor" in shown
    assert run([*command, "--json"]) == 0
    told = capsys.readouterr().out
    assert "Sue" in json.loads(told)["state"]["people"]
    assert HIDDEN not in shown + told
    assert run(["audit", "round", FLOOR_STREAM, "1", "--data", str(tmp_path)]) == 2
    assert f"{FLOOR_STREAM} has no round 1." in capsys.readouterr().err
