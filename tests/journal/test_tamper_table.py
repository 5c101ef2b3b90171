"""Every way to tamper with a journal that was tried on a floor is found at the start and by verify."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from journal.floors_to_tamper import TABLE, TamperedFloor
from journal.journals import rechained
from journal.test_marks import closed_because, verified
from journal.test_signed_records import forged_sign_in
from msgspec.structs import replace

from thirdcard.journal.codec import content_of_rulebook
from thirdcard.journal.groups import sign_group
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.marks import decode_mark, stream_ends
from thirdcard.journal.record import Record, head_of, place
from thirdcard.journal.store import FLOOR_STREAM, StoreFailed, StoreUnusable
from thirdcard.messages import say
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.opening import OpenedPlace, open_floor, open_store

Printed = pytest.CaptureFixture[str]
GROUP = ("group_size", "group_index", "group_path", "group_key", "group_signature")


@pytest.fixture(params=["sqlite", "postgres"])
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> TamperedFloor:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return TamperedFloor(OpenedPlace(tmp_path / "data", tmp_path / "keys" / "floor.keys", url))


def doubled(made: tuple[Record, ...], since: int = 1) -> dict[int, Record]:
    """Records of wagers with another amount, paid by the rules: deciding and recounting find nothing."""
    told = (each for each in made[since - 1 :] if each.kind == "place-wager" or b"round-settled" in each.body)
    found = {each.sequence: replace(each, body=each.body.replace(b"10000", b"20000")) for each in told}
    assert all(made[at - 1].body != each.body for at, each in found.items())
    return found


def wager_in(made: tuple[Record, ...], *, last: bool = False) -> int:
    return [each.sequence for each in made if each.kind == "place-wager"][-1 if last else 0]


def signed_like(record: Record, other: Record) -> Record:
    """A record with the signature of another one."""
    return replace(record, **{name: getattr(other, name) for name in GROUP})


def unsigned(record: Record) -> Record:
    """A record as it was before records were signed."""
    bare = replace(record, version=8, says="", group_size=0, group_index=0, group_path=b"", group_key="")
    return replace(bare, group_signature=b"")


async def flip(floor: TamperedFloor) -> None:
    await floor.do(f"UPDATE record SET run = 'x' WHERE stream = '{TABLE}' AND sequence = 4")


async def time(floor: TamperedFloor) -> None:
    await floor.do(f"UPDATE record SET wall_time = 1 WHERE stream = '{TABLE}' AND sequence = 4")


async def delete_middle(floor: TamperedFloor) -> None:
    await floor.do(f"DELETE FROM record WHERE stream = '{TABLE}' AND sequence = 4")


async def reorder(floor: TamperedFloor) -> None:
    made = await floor.records(TABLE)
    await floor.rewrite(TABLE, rechained((*made[:3], made[4], made[3], *made[5:]), {}))


async def rechain(floor: TamperedFloor, *, signposts: bool = True) -> None:
    """Raise wagers with their payments and make the chain fit; signatures stay as they were."""
    made = await floor.records(TABLE)
    again = rechained(made, doubled(made))
    pairs = zip(again, made, strict=True)
    signed = tuple(signed_like(new, old) for new, old in pairs)
    await floor.rewrite(TABLE, signed, signposts=signposts)


async def rewrite_without_checkpoints(floor: TamperedFloor) -> None:
    await rechain(floor, signposts=False)


async def alter_snapshot(floor: TamperedFloor) -> None:
    """Give somebody more credits in what a server begins with."""
    await floor.keep_snapshot()
    rows = await floor.do(f"SELECT state FROM snapshot WHERE stream = '{TABLE}'")
    state = bytes(rows[0][0])
    await floor.set_snapshot(TABLE, state.replace(b"Ada", b"Bad"))


async def rewrite_tail(floor: TamperedFloor) -> None:
    made = await floor.records(TABLE)
    at = wager_in(made, last=True)
    again = rechained(made, doubled(made, at))
    await floor.rewrite(TABLE, (*made[: at - 1], *again[at - 1 :]))


async def downgrade(floor: TamperedFloor) -> None:
    """Every stream as if it were from before records were signed."""
    for stream in (TABLE, FLOOR_STREAM):
        made = await floor.records(stream)
        old = {each.sequence: replace(each, version=8) for each in made}
        await floor.rewrite(stream, rechained(made, old))


async def forge_sign_in(floor: TamperedFloor) -> None:
    made = await floor.records(FLOOR_STREAM)
    await floor.rewrite(FLOOR_STREAM, (*made, forged_sign_in(made)))


async def cut(floor: TamperedFloor) -> None:
    await floor.forget_beyond((await floor.ends())[TABLE] - 2)


async def cut_records(floor: TamperedFloor) -> None:
    """Take the last records away; what was signed about them stays."""
    end = (await floor.ends())[TABLE]
    await floor.do(f"DELETE FROM record WHERE stream = '{TABLE}' AND sequence > {end - 2}")


async def remove_stream(floor: TamperedFloor) -> None:
    await floor.forget_beyond(0)


async def sign_anew(floor: TamperedFloor, others: Callable[[tuple[Record, ...]], dict[int, Record]]) -> None:
    """Put other records in the place of some; somebody who has the keys signs them and their checkpoints."""
    made, keys = await floor.records(TABLE), open_key_file(floor.place.key)
    again = rechained(made, others(made))
    signed = await floor.do(f"SELECT sequence, reason FROM checkpoint WHERE stream = '{TABLE}'")
    await floor.rewrite(TABLE, tuple(one for each in again for one in sign_group(keys, (each,))))
    await floor.sign(keys, again, {row[0]: row[1] for row in signed})


async def rewrite_with_the_key(floor: TamperedFloor) -> None:
    """Somebody with the keys tells of other wagers that won as much; what was kept elsewhere disproves it."""
    await sign_anew(floor, doubled)


async def pay_more_with_the_key(floor: TamperedFloor) -> None:
    """A wager of 100.00 on Player won, and 101.00 are paid."""

    def others(made: tuple[Record, ...]) -> dict[int, Record]:
        settles = next(each for each in made if b'"paid":10000' in each.body)
        return {
            settles.sequence: replace(settles, body=settles.body.replace(b'"paid":10000', b'"paid":10100'))
        }

    await sign_anew(floor, others)


async def swap_rulebook(floor: TamperedFloor) -> None:
    """Put another sound rulebook under the digest of the one that decided."""
    made = await floor.records(TABLE)
    other = content_of_rulebook(SHIPPED.rulebook("mbs-tiger-nc-v4"))
    await floor.set_content(made[-1].rulebook, other)


async def add_old_records(floor: TamperedFloor) -> None:
    """Add a record of before records were signed to every stream, so that each ends with one."""
    for stream in (TABLE, FLOOR_STREAM):
        made = await floor.records(stream)
        added = forged_sign_in(made) if stream == FLOOR_STREAM else replace(made[-1], command_id="added")
        await floor.rewrite(stream, (*made, place(unsigned(added), head_of(made[-1]))))


async def repeat_a_group(floor: TamperedFloor) -> None:
    """Put a wager once more at the end, with the signature of its group."""
    made = await floor.records(TABLE)
    wager = made[wager_in(made) - 1]
    again = place(replace(wager, command_id="again"), head_of(made[-1]))
    await floor.rewrite(TABLE, (*made, signed_like(again, wager)))


async def move_to_another_stream(floor: TamperedFloor) -> None:
    """Give the records of one table to another one, with their signatures."""
    made = await floor.records(TABLE)
    moved = tuple(replace(each, stream="T2", command_id=f"T2 {each.command_id}") for each in made)
    again = rechained(moved, {})
    pairs = zip(again, made, strict=True)
    await floor.rewrite("T2", tuple(signed_like(new, old) for new, old in pairs))


async def alter_house(floor: TamperedFloor) -> None:
    """Let one person move any amount, in the house by which the table is decided."""
    made = await floor.records(TABLE)
    digest = made[-1].house
    ((content,),) = await floor.do(f"SELECT content FROM content WHERE digest = '{digest}'")
    altered = bytes(content).replace(b'"above":"5000"', b'"above":"9000000"')
    assert altered != bytes(content)
    await floor.set_content(digest, altered)


async def alter_rulebook(floor: TamperedFloor) -> None:
    made = await floor.records(TABLE)
    digest = made[-1].rulebook
    ((content,),) = await floor.do(f"SELECT content FROM content WHERE digest = '{digest}'")
    await floor.set_content(digest, bytes(content).replace(b'"odds":"8 to 1"', b'"odds":"9 to 1"'))


async def remove_rulebook(floor: TamperedFloor) -> None:
    made = await floor.records(TABLE)
    await floor.do(f"DELETE FROM content WHERE digest = '{made[-1].rulebook}'")


WAYS: tuple[Callable[[TamperedFloor], Awaitable[None]], ...] = (
    flip,
    time,
    delete_middle,
    reorder,
    rechain,
    rewrite_without_checkpoints,
    rewrite_tail,
    downgrade,
    forge_sign_in,
    cut,
    cut_records,
    remove_stream,
    rewrite_with_the_key,
    pay_more_with_the_key,
    add_old_records,
    repeat_a_group,
    move_to_another_stream,
    alter_house,
    alter_rulebook,
    swap_rulebook,
    remove_rulebook,
    alter_snapshot,
)
# an end that is gone, and another history by the keys, only something that was kept elsewhere shows
ONLY_BY_THE_MARK = (cut, remove_stream, rewrite_with_the_key)
# without the floor's own stream a server does not come up
OF_THE_FLOOR = (downgrade, forge_sign_in, add_old_records)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_it_is_found_at_the_start_and_by_verify(
    floor: TamperedFloor, capsys: Printed, way: Callable[[TamperedFloor], Awaitable[None]]
) -> None:
    await floor.begin()
    await way(floor)
    status, out = await asyncio.to_thread(verified, floor.place, capsys)
    assert (status, "not whole" in out) == (1, True)
    alone, _ = await asyncio.to_thread(verified, floor.place, capsys, mark=False)
    assert alone == (0 if way in ONLY_BY_THE_MARK else 1)
    if way in OF_THE_FLOOR:
        with pytest.raises(StoreFailed, match="sign"):
            await closed_because(floor.place)
    elif way is alter_snapshot:  # a server begins with none that it has not signed
        assert await closed_because(floor.place) == []
    else:
        assert await closed_because(floor.place) != []


async def test_a_downgrade_is_found_without_the_mark_too(floor: TamperedFloor, capsys: Printed) -> None:
    await floor.begin()
    await downgrade(floor)
    floor.place.mark_file.path.unlink()
    with pytest.raises(StoreUnusable, match="Nobody has signed anything about the records of T1, floor"):
        await closed_because(floor.place)
    status, out = await asyncio.to_thread(verified, floor.place, capsys, mark=False)
    assert (status, out.count("Nobody has signed anything about these")) == (1, 2)


async def test_another_history_by_the_key_and_the_mark_is_shown_by_the_witness(
    floor: TamperedFloor, capsys: Printed
) -> None:
    """A thief of the keys who can write to the folder of the mark signs that too."""
    await floor.begin()
    kept = floor.place.mark_file.path.read_bytes()  # as the witness has it
    keys = open_key_file(floor.place.key)
    await rewrite_with_the_key(floor)
    store = await open_store(floor.place, writing=False)
    floor.place.mark_file.write(keys, await stream_ends(store), wall_time=1, anew=True)
    await store.close()
    assert await closed_because(floor.place) == []
    witnessed = (decode_mark(kept),)
    async with open_floor(floor.place, witnessed=witnessed) as served:
        assert any("is not the one that was marked" in say(each) for each in served.service.closed)
    floor.place.mark_file.path.write_bytes(kept)
    assert (await asyncio.to_thread(verified, floor.place, capsys))[0] == 1
