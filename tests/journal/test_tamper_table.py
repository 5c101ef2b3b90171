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

from thirdcard.journal.groups import sign_group
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.record import Record
from thirdcard.journal.store import FLOOR_STREAM, StoreFailed
from thirdcard.streams.opening import OpenedPlace

Printed = pytest.CaptureFixture[str]
GROUP = ("group_size", "group_index", "group_path", "group_key", "group_signature")


@pytest.fixture(params=["sqlite", "postgres"])
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> TamperedFloor:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return TamperedFloor(OpenedPlace(tmp_path / "data", tmp_path / "keys" / "floor.keys", url))


def raised(made: tuple[Record, ...], at: int) -> dict[int, Record]:
    """A wager of ten thousand made one of ninety thousand."""
    record = made[at - 1]
    assert b"10000" in record.body
    return {at: replace(record, body=record.body.replace(b"10000", b"90000"))}


def wager_in(made: tuple[Record, ...], *, last: bool = False) -> int:
    return [each.sequence for each in made if each.kind == "place-wager"][-1 if last else 0]


async def flip(floor: TamperedFloor) -> None:
    await floor.do(f"UPDATE record SET run = 'x' WHERE stream = '{TABLE}' AND sequence = 4")


async def time(floor: TamperedFloor) -> None:
    await floor.do(f"UPDATE record SET wall_time = 1 WHERE stream = '{TABLE}' AND sequence = 4")


async def delete_middle(floor: TamperedFloor) -> None:
    await floor.do(f"DELETE FROM record WHERE stream = '{TABLE}' AND sequence = 4")


async def reorder(floor: TamperedFloor) -> None:
    made = await floor.records(TABLE)
    await floor.rewrite(TABLE, rechained((*made[:3], made[4], made[3], *made[5:]), {}))


async def rewrite_without_checkpoints(floor: TamperedFloor) -> None:
    made = await floor.records(TABLE)
    again = rechained(made, raised(made, wager_in(made)))
    kept = (
        replace(new, **{name: getattr(old, name) for name in GROUP})
        for new, old in zip(again, made, strict=True)
    )
    await floor.rewrite(TABLE, tuple(kept))


async def rewrite_tail(floor: TamperedFloor) -> None:
    made = await floor.records(TABLE)
    at = wager_in(made, last=True)
    again = rechained(made, raised(made, at))
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


async def remove_stream(floor: TamperedFloor) -> None:
    await floor.forget_beyond(0)


async def rewrite_with_the_key(floor: TamperedFloor) -> None:
    """Somebody with the keys signs another history; only what was kept elsewhere disproves it."""
    made, keys = await floor.records(TABLE), open_key_file(floor.place.key)
    again = rechained(made, raised(made, wager_in(made)))
    await floor.rewrite(TABLE, tuple(one for each in again for one in sign_group(keys, (each,))))


WAYS: tuple[Callable[[TamperedFloor], Awaitable[None]], ...] = (
    flip,
    time,
    delete_middle,
    reorder,
    rewrite_without_checkpoints,
    rewrite_tail,
    downgrade,
    forge_sign_in,
    cut,
    remove_stream,
    rewrite_with_the_key,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_it_is_found_at_the_start_and_by_verify(
    floor: TamperedFloor, capsys: Printed, way: Callable[[TamperedFloor], Awaitable[None]]
) -> None:
    await floor.begin()
    await way(floor)
    status, out = await asyncio.to_thread(verified, floor.place, capsys)
    assert (status, "not whole" in out) == (1, True)
    if way in (downgrade, forge_sign_in):  # the stream of the floor itself: the server does not come up
        with pytest.raises(StoreFailed, match="sign"):
            await closed_because(floor.place)
    else:
        assert await closed_because(floor.place) != []
