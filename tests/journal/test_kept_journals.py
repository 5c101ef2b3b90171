"""A journal that any build has written is opened, replayed, proven and served by this one."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from journal.going_on import go_on
from journal.kept_journals import FLOORS, NAMES, against, copied, receipts
from verifier.bundles import Files

from thirdcard.auditor.findings import Finding
from thirdcard.auditor.replay import replay
from thirdcard.auditor.verify import Against, StreamReport, streams_of, verify
from thirdcard.cli import run
from thirdcard.dossier.index import RoundIndex, Sought
from thirdcard.dossier.make import make_dossier, told_round
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Floor
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.journal.keys import KeyRing, new_keys, open_key_file
from thirdcard.journal.old_records import last_records
from thirdcard.journal.software import ENGINE, build_of
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import FLOOR_STREAM, Store, records
from thirdcard.messages import say
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.clock import Clock
from thirdcard.streams.floors import FloorMachine
from thirdcard.streams.opening import OpenedPlace, open_floor
from thirdcard.streams.service import FloorStream, begin_signing
from thirdcard.streams.stream import Stream
from thirdcard.streams.tables import TableMachine
from thirdcard.verifier import verify as verify_dossier
from thirdcard.wire.receipts import receipt_is_genuine

MOST_BYTES = 400_000
Printed = pytest.CaptureFixture[str]


@asynccontextmanager
async def opened(place: OpenedPlace, *, writing: bool = False) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(place.journal, writing=writing)
    try:
        yield store
    finally:
        await store.close()


async def proven(place: OpenedPlace, against: Against) -> dict[str, StreamReport]:
    """Every stream of a journal, of which nothing may be found."""
    async with opened(place) as store:
        found = {name: await verify(store, name, against) for name in await streams_of(store, against)}
    for report in found.values():
        assert [(each.sequence, say(each.what)) for each in report.findings] == []
    return found


@pytest.mark.parametrize("name", NAMES)
async def test_a_kept_journal_is_whole(name: str, tmp_path: Path) -> None:
    place = copied(name, tmp_path)
    assert place.journal.stat().st_size < MOST_BYTES
    softwares = await _softwares(place)
    reports = await proven(place, against(name))
    assert {"evening", "terminals"} <= reports.keys()
    for report in reports.values():
        assert report.records == report.kept_until
        assert report.rounds or report.stream == FLOOR_STREAM
        strict = build_of(next(iter(softwares[report.stream]))).engine == ENGINE
        assert report.lenient == ({} if strict else softwares[report.stream])


async def _softwares(place: OpenedPlace) -> dict[str, dict[str, int]]:
    """How many records of each stream a software has written."""
    async with opened(place) as store:
        return {
            stream: dict(Counter([record.software async for record in records(store, stream)]))
            for stream in await store.streams()
        }


@pytest.mark.parametrize("name", NAMES)
async def test_a_kept_journal_replays_to_the_state_that_a_server_loads(name: str, tmp_path: Path) -> None:
    async with opened(copied(name, tmp_path)) as store:
        for stream in await store.streams():
            steps = [each async for each in replay(store, stream)]
            assert not [each for each in steps if isinstance(each, Finding)]
            state = steps[-1].state if not isinstance(steps[-1], Finding) else None
            if stream == FLOOR_STREAM:
                assert isinstance(state, Floor)
            else:
                assert isinstance(state, TableSnapshot)
                machine = TableMachine(store, SHIPPED)
                served = Stream(stream, machine, store, None, Clock())
                await served.load()
                assert served.state == state


@pytest.mark.parametrize("name", sorted({*NAMES} - {*FLOORS}))
async def test_tables_of_a_kept_journal_go_on(name: str, tmp_path: Path) -> None:
    """The keys of these journals are lost: another key signs what follows."""
    place, keys, kept = copied(name, tmp_path), KeyRing((new_keys(),)), against(name)
    began = {}
    async with opened(place, writing=True) as store:
        for key_id, public in keys.public_keys.items():
            await store.keep_content(key_id, public)
        floor: FloorStream = Stream(FLOOR_STREAM, FloorMachine(store, SHIPPED.houses), store, keys, Clock())
        ends = await begin_signing(store, floor, keys, await last_records(store))
        await floor.checkpoint("stop")
        for stream in ends:
            machine = TableMachine(store, SHIPPED, keys)
            table = Stream(stream, machine, store, keys, Clock(), old_end=ends[stream])
            await table.load()
            books = machine.books_of(table.state)
            assert books is not None
            began[stream] = await go_on(table, books, keys)
            await table.checkpoint("stop")
            await table.drain()
    both = Against({**(kept.public_keys or {}), **keys.public_keys}, kept.kept)
    reports = await proven(place, both)
    for stream, rounds in began.items():
        report = reports[stream]
        assert rounds > 0
        assert report.records == report.signed_until > report.kept_until


@pytest.mark.parametrize("name", FLOORS)
async def test_a_kept_floor_is_served_on(name: str, tmp_path: Path) -> None:
    """Everything goes on with the floor's own keys, also a round from a shoe that was sealed with them."""
    place, kept = copied(name, tmp_path), against(name)
    before = await proven(place, kept)
    async with open_floor(place) as floor:
        service = floor.service
        assert "sealed" in floor.held
        for stream in ("evening", "sealed", "terminals"):
            table = service.table(stream)
            await table.load()
            books = service.books(stream)
            assert books is not None
            assert await go_on(table, books, floor.keys) > 0
        person = floor_cmd.AddPerson(name="Nia", posts=(Post("dealer"),), password="argon2")
        answer = await service.floor.send(person, actor=COMMAND_LINE, command_id="new person")
        assert isinstance(answer, Accepted)
    after = await proven(place, kept)
    for stream, report in after.items():
        assert report.records == report.signed_until > before[stream].records
        assert sum(report.lenient.values()) == sum(before[stream].lenient.values())


@pytest.mark.parametrize("name", FLOORS)
async def test_receipts_of_a_kept_floor_are_genuine(name: str, tmp_path: Path) -> None:
    place = copied(name, tmp_path)
    public_keys, held = open_key_file(place.key).public_keys, receipts(name)
    assert held
    async with opened(place) as store:
        for receipt in held:
            assert receipt_is_genuine(receipt, public_keys)
            record = await store.find(receipt.command_id)
            assert record is not None
            assert record.digest.hex() == receipt.digest


@pytest.mark.parametrize("name", NAMES)
async def test_dossiers_of_a_kept_journal_are_proven(name: str, tmp_path: Path) -> None:
    kept = against(name)
    (public,) = (kept.public_keys or {}).values()
    async with opened(copied(name, tmp_path)) as store:
        for stream in ("evening", "terminals"):
            files = await _first_dossier(store, stream)
            report = verify_dossier(files, public.hex())
            assert report.proven
            assert report.wrong == []


async def _first_dossier(store: Store, stream: str) -> Files:
    index = RoundIndex(stream)
    await index.renew(store)
    first = index.find(Sought())[-1]
    told = await told_round(store, stream, first.number)
    assert told is not None
    return (await make_dossier(store, told)).files


def test_verify_says_how_many_records_it_did_not_decide_strictly(tmp_path: Path, capsys: Printed) -> None:
    place = copied("form-1-d", tmp_path)
    assert run(["audit", "verify", "--data", str(place.data)]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    said = (
        "48 records not decided again strictly: thirdcard 0.1.0 wrote them, whose engine has no number."
        " A difference is a note, not a finding."
    )
    assert said in lines


async def test_kept_journals_have_every_form_of_an_alarm(tmp_path: Path) -> None:
    """An alarm had a number of its own once, and is named by its record since."""
    kinds = set[str]()
    for name in FLOORS:
        (tmp_path / name).mkdir()
        async with opened(copied(name, tmp_path / name)) as store:
            kinds |= {record.kind async for record in records(store, "sealed")}
    assert {"raise-alarm", "acknowledge-alarm", "acknowledge-alert"} <= kinds
