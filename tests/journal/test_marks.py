"""A journal that was rolled back is seen at the start and by verify, by a mark outside its folder."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from access.signing import password_of
from journal.floors_to_tamper import TABLE, TamperedFloor, deal
from limits import LONG_ENOUGH

from thirdcard.access.credentials import STEP, code_at
from thirdcard.cli import run
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import StreamEnd
from thirdcard.game import commands as cmd
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.marks import JournalMark, MarkFile, MarkUnusable, make_mark, read_marks
from thirdcard.journal.store import FLOOR_STREAM, StoreUnusable
from thirdcard.messages import say
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.opening import OpenedPlace, open_floor

Printed = pytest.CaptureFixture[str]


@pytest.fixture(params=["sqlite", "postgres"])
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> TamperedFloor:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    place = OpenedPlace(tmp_path / "data", tmp_path / "keys" / "floor.keys", url)
    return TamperedFloor(place)


@pytest.fixture
def file_floor(tmp_path: Path) -> TamperedFloor:
    return TamperedFloor(OpenedPlace(tmp_path / "data", tmp_path / "keys" / "floor.keys"))


def mark_of(place: OpenedPlace) -> JournalMark:
    found = place.mark_file.read(open_key_file(place.key).public_keys)
    assert found is not None
    return found


def marked(place: OpenedPlace) -> dict[str, int]:
    return {end.stream: end.sequence for end in mark_of(place).heads}


async def closed_because(place: OpenedPlace) -> list[str]:
    """Why the tables of a server stay closed; a command to one of them is refused just then."""
    async with open_floor(place) as served:
        answer = await served.service.table(TABLE).send(
            cmd.PauseTable(reason="x"), actor="Dealer", command_id=f"{served.clock.run}-try"
        )
        closed = (Refusal.RECORDS_NOT_WHOLE, Refusal.TABLE_STOPPED)  # the latter where it cannot be loaded
        refused = isinstance(answer, Refused) and answer.reason in closed
        assert refused is bool(served.service.closed)
        return [say(each) for each in served.service.closed]


def verified(place: OpenedPlace, capsys: Printed, *, mark: bool = True) -> tuple[int, str]:
    where = ["--postgres", place.postgres] if place.postgres else ["--data", str(place.data)]
    held = ["--marks", str(place.mark_file.path)] if mark else []
    status = run(["audit", "verify", *where, *held, "--key", str(place.key)])
    return status, capsys.readouterr().out


# the mark itself


async def test_the_mark_follows_the_journal_within_a_second(floor: TamperedFloor) -> None:
    await floor.begin()
    assert marked(floor.place) == await floor.ends()
    async with open_floor(floor.place) as served:
        await deal(served, 1)
        head, since = served.service.table(TABLE).head.sequence, time.monotonic()
        while marked(floor.place)[TABLE] < head:
            assert time.monotonic() - since < LONG_ENOUGH
            await asyncio.sleep(0)


async def test_two_processes_mark_what_each_knows(tmp_path: Path) -> None:
    keys = open_key_file(tmp_path / "floor.keys")
    file = MarkFile(tmp_path / "marks" / "a.json")
    heads = make_mark(keys, (), number=1, wall_time=1).heads
    assert heads == ()
    one = StreamEnd("A", 5, "aa")
    other = StreamEnd("B", 7, "bb")
    first = file.write(keys, (one,), wall_time=10)
    second = file.write(keys, (other, StreamEnd("A", 4, "a4")), wall_time=9)
    assert second.heads == (one, other)
    assert second.number > first.number
    assert file.write(keys, (other,), wall_time=12, anew=True).heads == (other,)


@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-9], lambda text: text.replace('"sequence":', '"sequence":1')]
)
async def test_a_mark_that_nobody_signed_is_said_and_closes_nothing(
    file_floor: TamperedFloor, spoil: Callable[[str], str]
) -> None:
    await file_floor.begin()
    path = file_floor.place.mark_file.path
    path.write_text(spoil(path.read_text()))
    async with open_floor(file_floor.place) as served:
        assert served.service.closed == ()
        assert served.service.unmarked
    path.write_text("no mark")
    with pytest.raises(MarkUnusable):
        list(read_marks(path))
    with pytest.raises(MarkUnusable):
        list(read_marks(path.with_name("none")))


async def test_a_mark_that_was_taken_away_is_said(file_floor: TamperedFloor) -> None:
    async with open_floor(file_floor.place) as served:
        assert served.service.unmarked is None  # a new journal has no mark yet
    await file_floor.begin()
    file_floor.place.mark_file.path.unlink()
    for unmarked in (True, False):
        async with open_floor(file_floor.place) as served:
            assert (served.service.unmarked is not None) is unmarked
            assert served.service.closed == ()


async def test_a_mark_that_cannot_be_written_stops_nothing(file_floor: TamperedFloor) -> None:
    await file_floor.begin()
    folder = file_floor.place.mark_file.path.parent
    for each in folder.iterdir():
        each.unlink()
    folder.rmdir()
    folder.write_text("in the way")
    async with open_floor(file_floor.place) as served:
        await deal(served, 1)
        marker = served.service.marker
        assert marker is not None
        await marker.write()
        assert marker.trouble is not None
        folder.unlink()
        await deal(served, 1)
        await marker.write()
        assert marker.trouble is None


# roll-back


async def test_a_cut_tail_keeps_tables_closed_and_is_found(floor: TamperedFloor, capsys: Printed) -> None:
    await floor.begin()
    end = (await floor.ends())[TABLE]
    assert (await asyncio.to_thread(verified, floor.place, capsys))[0] == 0
    await floor.forget_beyond(end - 3)
    said = f"{TABLE} ends at record {end - 3}, but record {end} was marked: 3 records are missing."
    assert await closed_because(floor.place) == [said]
    status, out = await asyncio.to_thread(verified, floor.place, capsys)
    assert status == 1
    assert f"The stream ends at record {end - 3}, but record {end} was marked elsewhere" in out


async def test_an_old_backup_keeps_tables_closed_and_is_found(floor: TamperedFloor, capsys: Printed) -> None:
    await floor.begin()
    before = (await floor.ends())[TABLE]
    await floor.back_up("old")
    await floor.play(2)
    after = (await floor.ends())[TABLE]
    await floor.restore("old")
    (said,) = await closed_because(floor.place)
    lost = after - before
    assert (
        said == f"{TABLE} ends at record {before}, but record {after} was marked: {lost} records are missing."
    )
    status, out = await asyncio.to_thread(verified, floor.place, capsys)
    assert (status, "an old backup was restored" in out) == (1, True)


async def test_a_stream_that_is_gone_keeps_tables_closed(floor: TamperedFloor, capsys: Printed) -> None:
    await floor.begin()
    end = (await floor.ends())[TABLE]
    await floor.forget_beyond(0)
    said = f"{TABLE} ends at record 0, but record {end} was marked: {end} records are missing."
    assert await closed_because(floor.place) == [said]
    assert (await asyncio.to_thread(verified, floor.place, capsys))[0] == 1


async def test_a_journal_that_went_on_otherwise_is_seen(floor: TamperedFloor, capsys: Printed) -> None:
    """An old copy that went on elsewhere has as many records, but not the same ones."""
    await floor.begin()
    await floor.back_up("old")
    mark = floor.place.mark_file.path
    kept = mark.read_bytes()
    await floor.play(1)
    right = mark.read_bytes()
    end = marked(floor.place)[TABLE]
    await floor.restore("old")
    mark.write_bytes(kept)
    await floor.play(2)
    mark.write_bytes(right)
    assert await closed_because(floor.place) == [f"{TABLE}: record {end} is not the one that was marked."]
    status, out = await asyncio.to_thread(verified, floor.place, capsys)
    assert (status, f"Record {end} is not the one that was marked elsewhere." in out) == (1, True)


async def test_the_mark_stays_while_tables_are_closed(floor: TamperedFloor) -> None:
    await floor.begin()
    end = (await floor.ends())[TABLE]
    await floor.forget_beyond(end - 1)
    for _ in range(2):
        assert await closed_because(floor.place)
        assert marked(floor.place)[TABLE] == end
    with pytest.raises(StoreUnusable, match="thirdcard accept-restore"):
        async with open_floor(floor.place, tables=False):
            pass


async def test_closed_tables_let_the_floor_do_nothing_but_sign_in(file_floor: TamperedFloor) -> None:
    await file_floor.begin()
    await file_floor.forget_beyond(3)
    async with open_floor(file_floor.place) as served:
        lock = floor_cmd.LockPerson(name="Dana", reason="x")
        answer = await served.service.floor.send(lock, actor=COMMAND_LINE, command_id="lock")
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.RECORDS_NOT_WHOLE
        failed = floor_cmd.FailSignIn(name="Dana", console="C1")
        assert not isinstance(
            await served.service.floor.send(failed, actor="server", command_id="fail"), Refused
        )


# accepting a restored backup


def credentials(floor: TamperedFloor, *names: str) -> str:
    """The entries of two people: a password and a code each."""
    step = int(time.time()) // STEP
    return "".join(f"{password_of(name)}\n{code_at(floor.factors[name].text, step)}\n" for name in names)


def accept(
    floor: TamperedFloor, monkeypatch: pytest.MonkeyPatch, typed: str, by: str = "Eve", second: str = "Gil"
) -> int:
    place = floor.place
    where = ["--postgres", place.postgres] if place.postgres else ["--data", str(place.data)]
    monkeypatch.setattr("sys.stdin", Typed(typed))
    people = ["--by", by, "--second", second, "--reason", "the disk broke", "--credentials-stdin"]
    return run(["accept-restore", *where, "--key", str(place.key), *people])


class Typed:
    def __init__(self, text: str) -> None:
        self._lines = iter(text.splitlines(keepends=True))

    def readline(self) -> str:
        return next(self._lines, "")


async def test_two_people_accept_a_restored_backup(
    floor: TamperedFloor, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    await floor.begin()
    end = (await floor.ends())[TABLE]
    await floor.forget_beyond(end - 3)
    typed = credentials(floor, "Eve", "Gil")
    assert await asyncio.to_thread(accept, floor, monkeypatch, typed) == 0
    assert "3 records are missing" in capsys.readouterr().out
    assert await closed_because(floor.place) == []
    rows = await floor.do(
        f"SELECT envelope, body FROM record WHERE stream = '{FLOOR_STREAM}' AND kind = 'accept-restore'"
    )
    ((envelope, body),) = rows
    told = json.loads(bytes(envelope))
    assert (told["actor"], told["authoriser"]) == ("Eve", "Gil")
    (event,) = json.loads(bytes(body))["events"]
    assert event["lost"][0]["sequence"] == end
    assert event["kept"][0]["sequence"] == end - 3
    assert (await asyncio.to_thread(verified, floor.place, capsys))[0] == 0
    assert await closed_because(floor.place) == []


@pytest.mark.parametrize(
    ("by", "second", "typed"),
    [
        ("Eve", "Gil", ("Eve", "Dana")),  # Gil does not show who they are
        ("Eve", "Eve", ("Eve", "Eve")),
        ("Eve", "Dana", ("Eve", "Dana")),  # a dealer is no second person for this
        ("Dana", "Gil", ("Dana", "Gil")),
    ],
)
async def test_nobody_accepts_a_restored_backup_alone(
    file_floor: TamperedFloor,
    monkeypatch: pytest.MonkeyPatch,
    by: str,
    second: str,
    typed: tuple[str, ...],
) -> None:
    await file_floor.begin()
    end = (await file_floor.ends())[TABLE]
    await file_floor.forget_beyond(end - 3)
    shown = credentials(file_floor, *typed)
    assert await asyncio.to_thread(accept, file_floor, monkeypatch, shown, by, second) == 1
    assert await closed_because(file_floor.place) != []


async def test_a_journal_that_lacks_nothing_is_not_accepted(
    file_floor: TamperedFloor, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    await file_floor.begin()
    assert await asyncio.to_thread(accept, file_floor, monkeypatch, "") == 2
    assert "there is nothing to accept" in capsys.readouterr().err


async def test_an_altered_journal_is_not_accepted(
    file_floor: TamperedFloor, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    await file_floor.begin()
    end = (await file_floor.ends())[TABLE]
    await file_floor.forget_beyond(end - 3)
    await file_floor.do(
        f"UPDATE record SET wall_time = wall_time + 1 WHERE stream = '{TABLE}' AND sequence = 2"
    )
    assert (
        await asyncio.to_thread(accept, file_floor, monkeypatch, credentials(file_floor, "Eve", "Gil")) == 2
    )
    assert f"{TABLE} is not whole" in capsys.readouterr().err
