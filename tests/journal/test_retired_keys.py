"""Keys that were copied before they were retired sign nothing that a server goes by."""

import asyncio
from pathlib import Path

import pytest
from contracts.stores import postgres
from journal.floors_to_tamper import TABLE, TamperedFloor
from journal.test_marks import accept, closed_because, credentials
from msgspec.structs import replace
from streams.openings import Guide, serving

from thirdcard.floor.commands import AcceptRestore, FailSignIn
from thirdcard.floor.events import RestoreAccepted
from thirdcard.floor.standing import SERVER
from thirdcard.floor.state import StreamEnd
from thirdcard.game import commands as cmd
from thirdcard.journal.codec import CommandResult, encode, envelope_of
from thirdcard.journal.groups import sign_group
from thirdcard.journal.keys import (
    KeyRing,
    RetiredKeys,
    new_keys,
    open_key_file,
    renew_key_file,
    retire_keys,
)
from thirdcard.journal.record import Record, head_of, place
from thirdcard.journal.store import FLOOR_STREAM
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.opening import OpenedPlace, open_floor

FORGED = "forged"


@pytest.fixture(params=["sqlite", "postgres"])
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> TamperedFloor:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    return TamperedFloor(OpenedPlace(tmp_path / "data", tmp_path / "keys" / "floor.keys", url))


def one_more(made: tuple[Record, ...], keys: KeyRing) -> Record:
    """The last record once more, under an id of its own, signed by somebody who has keys."""
    last = made[-1]
    envelope = encode(replace(envelope_of(last), command_id=FORGED))
    (signed,) = sign_group(keys, (place(replace(last, command_id=FORGED, envelope=envelope), head_of(last)),))
    return signed


async def renewed(floor: TamperedFloor) -> KeyRing:
    """A floor whose keys were renewed and retired; the copy that somebody made of the old ones before."""
    await floor.begin()
    copied = open_key_file(floor.place.key)
    renew_key_file(floor.place.key)
    await floor.play(1)
    retire_keys(floor.place.key, copied.key_id)
    return copied


async def test_streams_that_retired_keys_signed_last_are_served(floor: TamperedFloor) -> None:
    copied = await renewed(floor)
    made = await floor.records(FLOOR_STREAM)
    assert made[-1].group_key == copied.key_id  # nobody changed the floor since
    assert await closed_because(floor.place) == []


@pytest.mark.parametrize("stream", [FLOOR_STREAM, TABLE])
async def test_what_a_copy_of_retired_keys_signs_keeps_tables_closed(
    floor: TamperedFloor, stream: str
) -> None:
    copied = await renewed(floor)
    made = await floor.records(stream)
    await floor.rewrite(stream, (*made, one_more(made, copied)))
    (why,) = await closed_because(floor.place)
    assert why.startswith(f"{stream}: record {len(made) + 1} comes after the mark")


async def test_signing_in_at_closed_tables_does_not_cover_a_forged_record(floor: TamperedFloor) -> None:
    copied = await renewed(floor)
    made = await floor.records(FLOOR_STREAM)
    await floor.rewrite(FLOOR_STREAM, (*made, one_more(made, copied)))
    async with open_floor(floor.place) as served:
        fails = FailSignIn(name="Dana", console="C1")
        assert isinstance(await served.service.floor.send(fails, actor=SERVER, command_id="f"), Accepted)
    assert await closed_because(floor.place)


async def test_two_people_accept_what_retired_keys_have_signed(
    floor: TamperedFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may have been killed before its last records were marked, and its keys retired at once."""
    copied = await renewed(floor)
    made = await floor.records(TABLE)
    await floor.rewrite(TABLE, (*made, one_more(made, copied)))
    typed = credentials(floor, "Eve", "Gil")
    assert await asyncio.to_thread(accept, floor, monkeypatch, typed) == 0
    assert await closed_because(floor.place) == []


async def test_a_copy_of_retired_keys_gives_up_no_lost_records(floor: TamperedFloor) -> None:
    """A journal that was rolled back is behind its mark, whatever is added to it."""
    copied = await renewed(floor)
    made = await floor.records(FLOOR_STREAM)
    lost = StreamEnd(FLOOR_STREAM, len(made), made[-1].digest.hex())
    command = AcceptRestore(reason="so", lost=(lost,), kept=())
    event = RestoreAccepted(by="Eve", second="Gil", reason="so", lost=(lost,), kept=())
    forged = replace(
        made[-2],
        kind="accept-restore",
        command_id=FORGED,
        envelope=encode(replace(envelope_of(made[-2]), actor="Eve", authoriser="Gil", command_id=FORGED)),
        body=encode(CommandResult(command, (event,))),
    )
    (signed,) = sign_group(copied, (place(forged, head_of(made[-2])),))
    await floor.rewrite(FLOOR_STREAM, (*made[:-1], signed))
    assert await closed_because(floor.place) == [
        f"{FLOOR_STREAM}: record {len(made)} is not the one that was marked."
    ]


async def test_a_server_takes_no_record_of_retired_keys_while_it_runs(postgres_url: str) -> None:
    """Another process can append to a database; it is none of ours if it signs with retired keys."""
    old, new = new_keys(), new_keys()
    copied, keys = KeyRing((old,)), KeyRing((new,), (RetiredKeys(old.public, old.secrecy),))
    opened = postgres(postgres_url)
    async with opened() as store, opened() as other, serving(store, keys) as service:
        guide = Guide(service.table(TABLE))
        await guide.open("mbs-tiger-v3")
        made = await other.read(TABLE)
        forged = place(replace(made[-1], command_id=FORGED), head_of(made[-1]))
        await other.append((forged,), copied)
        answer = await guide.send(cmd.PauseTable(reason="x"))
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.TABLE_STOPPED
