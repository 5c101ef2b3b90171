"""A witness keeps what the floor has signed, append-only; a server tells it and asks it, and never waits."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from journal.floors_to_tamper import TABLE, TamperedFloor, deal
from limits import LONG_ENOUGH

from thirdcard.auditor.exported import Exported
from thirdcard.floor.state import StreamEnd
from thirdcard.journal.checkpoints import line_of, make_checkpoint
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.marks import decode_mark, encode_mark, latest_ends, make_mark
from thirdcard.journal.merkle import Frontier
from thirdcard.journal.record import Head
from thirdcard.messages import say
from thirdcard.server.reporting import WitnessReporter, WitnessUnreachable, ask_witness
from thirdcard.server.witness import CHECKPOINTS_FILE, MARKS_FILE, MOST_BYTES, Witness, witness_app
from thirdcard.streams.opening import OpenedPlace, open_floor

OURS, THEIRS = KeyRing((new_keys(),)), KeyRing((new_keys(),))


def mark(number: int, *ends: StreamEnd, keys: KeyRing = OURS) -> bytes:
    return encode_mark(make_mark(keys, ends, number=number, wall_time=number))


def checkpoint(sequence: int, keys: KeyRing = OURS) -> bytes:
    tree = Frontier(1, (bytes(32),))
    made = make_checkpoint(
        keys, stream="T", head=Head(sequence, bytes(32)), tree=tree, wall_time=sequence, reason="time"
    )
    return line_of(made)


class Running:
    """A witness that can be reached, in a thread of its own."""

    def __init__(self, witness: Witness) -> None:
        self.witness = witness
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.server = uvicorn.Server(uvicorn.Config(witness_app(witness), log_config=None, lifespan="off"))
        self.thread = threading.Thread(target=lambda: self.server.run(sockets=[self.socket]))
        self.thread.start()

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(LONG_ENOUGH)
        self.socket.close()
        self.witness.close()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    running = Running(Witness(tmp_path / "kept", OURS.public_keys))
    with httpx.Client(base_url=running.address, timeout=LONG_ENOUGH) as client:
        yield client
    running.stop()


def test_it_keeps_what_is_signed_once_and_gives_the_newest(client: httpx.Client, tmp_path: Path) -> None:
    first = mark(1, StreamEnd("A", 5, "a5"), StreamEnd("B", 1, "b1"))
    second = mark(2, StreamEnd("A", 6, "a6"))
    for line in (first, second, first):
        assert client.post("/marks", content=line).status_code == 204
    assert client.get("/marks").content.splitlines(keepends=True) == [second, first]
    assert (tmp_path / "kept" / MARKS_FILE).read_bytes() == first + second
    assert (tmp_path / "kept" / MARKS_FILE).stat().st_mode & 0o777 == 0o600
    lines = checkpoint(3) + checkpoint(9)
    assert client.post("/checkpoints", content=lines).status_code == 204
    assert client.get("/checkpoints").json() == {"T": 9}
    assert Exported(tmp_path / "kept" / CHECKPOINTS_FILE).streams == {"T"}
    assert client.get("/health").json() == {"marks": 2, "checkpoints": 2, "streams": 2}
    again = Witness(tmp_path / "kept", OURS.public_keys)  # after a restart it knows the same
    assert (again.newest, again.checkpoints) == (second + first, {"T": 9})
    again.close()


def test_an_older_mark_that_comes_again_is_not_the_newest(client: httpx.Client, tmp_path: Path) -> None:
    older, newer = mark(1, StreamEnd("A", 5, "a5")), mark(7, StreamEnd("A", 9, "a9"))
    client.post("/marks", content=newer)
    client.post("/marks", content=older)
    assert client.get("/marks").content == newer


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        ("/marks", mark(1, StreamEnd("A", 5, "a5"), keys=THEIRS), 403),
        ("/marks", mark(1, StreamEnd("A", 5, "a5")).replace(b"a5", b"a6"), 403),
        ("/marks", mark(1).replace(b'"signature":"', b'"signature":"x'), 403),
        ("/marks", b"{}", 400),
        ("/marks", b"\xff", 400),
        ("/marks", b" " * (MOST_BYTES + 1), 413),
        ("/checkpoints", checkpoint(3, THEIRS), 403),
        ("/checkpoints", checkpoint(3) + checkpoint(4).replace(b'"time"', b'"stop"'), 403),
        ("/checkpoints", b"[]", 400),
        ("/checkpoints", b"\xff\xff", 400),
    ],
)
def test_it_keeps_nothing_that_the_floor_has_not_signed(
    client: httpx.Client, tmp_path: Path, path: str, content: bytes, status: int
) -> None:
    assert client.post(path, content=content).status_code == status
    for name in (MARKS_FILE, CHECKPOINTS_FILE):
        assert (tmp_path / "kept" / name).read_bytes() == b""
    assert client.delete(path).status_code == 405


# a server and its witness


@pytest.fixture
def floor(tmp_path: Path) -> TamperedFloor:
    return TamperedFloor(OpenedPlace(tmp_path / "data", tmp_path / "keys" / "floor.keys"))


@pytest.fixture
def stopping() -> Iterator[list[Running]]:
    running: list[Running] = []
    yield running
    for each in running:
        each.stop()


async def test_what_a_server_reported_shows_a_rolled_back_journal_and_mark(
    floor: TamperedFloor, tmp_path: Path, stopping: list[Running]
) -> None:
    """Somebody puts back journal and mark together; the witness has more."""
    await floor.begin()
    await floor.back_up("old")
    kept = floor.place.mark_file.path.read_bytes()
    async with open_floor(floor.place) as served:
        witness = Witness(tmp_path / "kept", served.keys.public_keys)
        stopping.append(Running(witness))
        reporter = WitnessReporter(stopping[0].address, served)
        reporter.start()
        await deal(served, 2)
        end = served.service.table(TABLE).head.sequence
        await served.service.checkpoint_all("time")
        await reporter.stop()
        assert reporter.reached is True
    marks = await asyncio.to_thread(ask_witness, stopping[0].address)
    assert {each.stream: each.sequence for each in latest_ends(marks)}[TABLE] == end
    assert witness.checkpoints[TABLE] == end
    await floor.restore("old")
    floor.place.mark_file.path.write_bytes(kept)
    async with open_floor(floor.place) as served:
        assert served.service.closed == ()
    before = (await floor.ends())[TABLE]
    async with open_floor(floor.place, witnessed=marks) as served:
        missing = end - before
        assert [say(each) for each in served.service.closed] == [
            f"{TABLE} ends at record {before}, but record {end} was marked: {missing} records are missing."
        ]
    theirs = tuple(decode_mark(mark(each.number, *each.heads, keys=THEIRS)) for each in marks)
    async with open_floor(floor.place, witnessed=theirs) as served:
        assert served.service.closed == ()  # what another key signed says nothing


async def test_a_witness_that_does_not_answer_is_said_and_waited_for_by_nobody(floor: TamperedFloor) -> None:
    await floor.begin()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
    async with open_floor(floor.place) as served:
        reporter = WitnessReporter(nobody, served)
        reporter.start()
        async with asyncio.timeout(LONG_ENOUGH):
            while reporter.reached is None:
                await deal(served, 1)  # play goes on
        assert reporter.reached is False
        await reporter.stop()
    with pytest.raises(WitnessUnreachable):
        ask_witness(nobody)


async def test_what_was_not_sent_goes_with_the_next_report(
    floor: TamperedFloor, tmp_path: Path, stopping: list[Running]
) -> None:
    await floor.begin()
    async with open_floor(floor.place) as served:
        for _ in range(3):
            await deal(served, 1)
            await served.service.checkpoint_all("time")
        witness = Witness(tmp_path / "kept", served.keys.public_keys)
        stopping.append(Running(witness))
        await WitnessReporter(stopping[0].address, served).report()
        stored = await served.store.checkpoints(TABLE)
    lines = (tmp_path / "kept" / CHECKPOINTS_FILE).read_text().splitlines()
    told = [json.loads(line)["sequence"] for line in lines if json.loads(line)["stream"] == TABLE]
    assert told == [each.sequence for each in stored][: len(told)]
    assert len(told) >= 3
