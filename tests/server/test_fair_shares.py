"""One client that has much read for it does not keep the others waiting."""

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from limits import LONG_ENOUGH
from moved_clock import MovedClock
from msgspec.structs import replace
from server.in_process import TABLE, Here, floor_here

from thirdcard.access.attempts import Buckets
from thirdcard.folds.history import History, RoundTold
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.scoreboard import RoundShown
from thirdcard.folds.viewers import DISPLAY
from thirdcard.rulebook.facts import Winner
from thirdcard.server import handlers
from thirdcard.server import hub as server_hub
from thirdcard.server import records as server_records
from thirdcard.server.hub import Mailbox, Watcher
from thirdcard.server.security import Guard
from thirdcard.server.shares import SENDS_PER_TURN, STEP_RECORDS, PacedSends, Shares, sparing_collections
from thirdcard.server.sockets import WATCH_COST
from thirdcard.wire.paths import SOCKET

MESSAGES = f"/api/v1/tables/{TABLE}/messages"
SMALL = Guard(read_burst=300, reads_per_second=10.0)


class Turns:
    """Counts how much is worked out between two turns of the loop, which is how long others wait."""

    def __init__(self) -> None:
        self.most = 0
        self._now = 0
        self._task = asyncio.create_task(self._run())

    def count(self) -> None:
        """Note that one more record was worked out."""
        self._now += 1
        self.most = max(self.most, self._now)

    async def _run(self) -> None:
        while True:
            self._now = 0
            await asyncio.sleep(0)

    def end(self) -> None:
        """Count no more."""
        self._task.cancel()


@contextlib.asynccontextmanager
async def busy_floor(folder: Path) -> AsyncIterator[Here]:
    """A floor with a table that has many records, where nobody is limited."""
    async with floor_here(folder, Guard(per_second=0)) as here:
        await here.record(600)
        yield here


def counting(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> Turns:
    turns, real = Turns(), getattr(module, name)

    def counted(*args: object, **named: object) -> object:
        turns.count()
        return real(*args, **named)

    monkeypatch.setattr(module, name, counted)
    return turns


async def test_messages_are_worked_out_in_small_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with busy_floor(tmp_path) as here, here.client() as http:
        turns = counting(monkeypatch, server_hub, "table_result_of")
        answers = await asyncio.gather(*(http.get(f"{MESSAGES}?after=0&most=400") for _ in range(8)))
    turns.end()
    assert {each.json()["sequence"] for each in answers} == {400}
    assert turns.most <= STEP_RECORDS


async def test_what_a_watcher_missed_is_worked_out_in_small_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox = Mailbox()
    async with busy_floor(tmp_path) as here:
        turns = counting(monkeypatch, server_hub, "table_result_of")
        channel = here.hub.channel(TABLE)
        assert channel is not None
        assert await channel.watch(Watcher(DISPLAY, mailbox), 0)
    turns.end()
    assert b'"after":0' in (await mailbox.take() or b"")
    assert turns.most <= STEP_RECORDS


async def test_records_are_worked_out_in_small_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = counting(monkeypatch, server_records, "_line")
    async with busy_floor(tmp_path) as here, here.client() as http:
        token = await signed_in(here, http)
        answer = await http.get(f"/api/v1/audit/{TABLE}/records?before=0&most=400", headers=token)
        assert len(answer.json()["records"]) == 400
        lines.end()
        assert lines.most <= STEP_RECORDS
        found = counting(monkeypatch, server_records, "_is_by")
        answer = await http.get(f"/api/v1/audit/{TABLE}/records?before=0&most=1&by=nobody", headers=token)
        assert answer.json()["records"] == []
    found.end()
    assert found.most <= server_records.ENVELOPES_PER_STEP


async def test_a_history_is_worked_out_in_small_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with busy_floor(tmp_path) as here, here.client() as http:
        token = await signed_in(here, http, "dealer")
        long_history(here, rounds=90)
        told = counting(monkeypatch, handlers, "told_to")
        asked = [http.get(f"/api/v1/tables/{TABLE}/history", headers=token) for _ in range(4)]
        answers = await asyncio.gather(*asked)
    told.end()
    assert [len(each.json()["rounds"]) for each in answers] == [90] * 4
    assert told.most <= STEP_RECORDS


async def test_roads_are_worked_out_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with busy_floor(tmp_path) as here, here.client() as http:
        token = await signed_in(here, http, "dealer")
        long_history(here, rounds=90)
        drawn = counting(monkeypatch, handlers, "scoreboard")
        addresses = [f"/api/v1/tables/{TABLE}/history/{number}/roads" for number in range(1, 9)]
        asked = [http.get(each, headers=token) for each in addresses]
        answers = await asyncio.gather(*asked)
    drawn.end()
    assert [each.status_code for each in answers] == [200] * 8
    assert drawn.most == 1


async def test_irregularities_are_read_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with busy_floor(tmp_path) as here, here.client() as http:
        token = await signed_in(here, http, "dealer")
        read = counting(monkeypatch, handlers, "lead")
        form = {"situation": "extra-card"}
        address = f"/api/v1/tables/{TABLE}/irregularity"
        answers = await asyncio.gather(*(http.post(address, json=form, headers=token) for _ in range(8)))
    read.end()
    assert {each.status_code for each in answers} <= {200, 422}, answers[0].text
    assert read.most == 1


def long_history(here: Here, *, rounds: int) -> None:
    """Give a table a shoe of so many rounds."""
    stream, shown, place = here.floor.service.table(TABLE), RoundShown(Winner.TIE), Recorded(1, 1)
    assert stream.state is not None
    told = tuple(
        RoundTold(
            number=number + 1,
            shoe=1,
            first=place,
            last=place,
            method=None,
            free=False,
            last_hand=False,
            void=False,
            cards=(),
            facts=None,
            called=Winner.TIE,
            shown=shown,
            bead=number,
            wagers=(),
            returned=(),
            irregularities=(),
        )
        for number in range(rounds)
    )
    stream.state = replace(stream.state, history=History(shoe=1, rounds=told, board=(shown,) * rounds))


async def signed_in(here: Here, http: httpx.AsyncClient, post: str = "auditor") -> dict[str, str]:
    assert here.demo is not None
    person = next(each for each in here.demo.people if each.post == post)
    code = person.code_at(here.clock.now().moment)
    form = {"credentials": {"name": person.name, "password": person.password, "code": code}}
    answer = await http.post("/api/v1/sign-in", json=form, headers={"x-thirdcard": "staff"})
    assert answer.status_code == 200, answer.text
    return {"x-thirdcard": "staff"}


async def test_pages_are_paid_for_by_their_length(tmp_path: Path) -> None:
    async with floor_here(tmp_path, SMALL) as here:
        await here.record(10)
        async with here.client() as greedy, here.client("203.0.113.10") as other:
            assert (await greedy.get(f"{MESSAGES}?after=0&most=200")).status_code == 200
            answer = await greedy.get(f"{MESSAGES}?after=0&most=200")
            assert answer.status_code == 429
            assert answer.headers["retry-after"] == "10"
            assert (await greedy.get(f"{MESSAGES}?after=0&most=100")).status_code == 200
            assert (await other.get(f"{MESSAGES}?after=0&most=200")).status_code == 200
            here.clock.jump(10)
            assert (await greedy.get(f"{MESSAGES}?after=0&most=100")).status_code == 200


async def test_no_page_is_longer_than_five_hundred_records(tmp_path: Path) -> None:
    async with busy_floor(tmp_path) as here, here.client() as http:
        page = (await http.get(f"{MESSAGES}?after=0&most=100000")).json()
    assert page["sequence"] == 500


async def test_what_costs_more_than_all_is_paid_with_all() -> None:
    clock = MovedClock()
    budget = Shares(clock, SMALL).reads
    assert budget.take("one", 5_000) is None
    assert budget.take("one", 1) == 1
    assert Shares(clock, Guard(per_second=0)).reads.take("one", 1_000_000) is None


def test_tokens_are_taken_together_or_not_at_all() -> None:
    buckets = Buckets(MovedClock(), burst=10, every=2.0)
    assert buckets.take("one", 8) is None
    assert buckets.take("one", 5) == 6
    assert buckets.take("one", 2) is None


def test_a_view_costs_something() -> None:
    assert Guard().read_burst // WATCH_COST >= 200  # a floor that comes back after a failure of the network


def test_a_search_for_garbage_leaves_out_what_stays() -> None:
    before = len(gc.get_objects())
    with sparing_collections():
        assert len(gc.get_objects()) < before / 100
    assert len(gc.get_objects()) > before / 2


async def test_only_the_first_of_many_sockets_of_a_client_looks_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = MovedClock()
    budget = Shares(clock, Guard(read_burst=1, reads_per_second=1.0)).reads
    assert budget.take("one") is None
    looks, real = 0, Buckets.take

    def counted(buckets: Buckets, key: str, cost: int = 1) -> int | None:
        nonlocal looks
        looks += 1
        return real(buckets, key, cost)

    monkeypatch.setattr(Buckets, "take", counted)
    waiting = [asyncio.create_task(budget.wait("one")) for _ in range(100)]
    for _ in range(10):
        await clock.move(0.03)
    assert looks == 11
    assert not any(each.done() for each in waiting)
    await clock.move(1.0)
    await waiting[0]
    assert not any(each.done() for each in waiting[1:])
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_commands_over_all_sockets_of_an_address_are_counted_with_its_requests(tmp_path: Path) -> None:
    guard = Guard(burst=8, per_second=1.0)
    async with floor_here(tmp_path, guard) as here, here.client() as http:
        assert here.demo is not None
        sockets = [SaidSocket(here, here.demo.terminals[0].token) for _ in range(2)]  # two handshakes
        for number in range(6):
            await sockets[number % 2].say(a_wager(number))
            await sockets[number % 2].heard("refused", number // 2 + 1)
        assert (await http.get("/health")).status_code == 429
        await sockets[0].say(a_wager(7))
        await here.clock.move(0.5)
        assert sockets[0].count("refused") == 3
        await here.clock.move(1.0)
        await sockets[0].heard("refused", 4)
        for each in sockets:
            each.end()


def a_wager(number: int) -> bytes:
    command = {"type": "place-wager", "patron": "Nobody", "wager": "player", "amount": 100}
    return msgspec.json.encode(
        {"type": "command", "table": TABLE, "command_id": f"said-{number:08}", "command": command}
    )


class SaidSocket:
    """A socket of a terminal inside this process."""

    def __init__(self, here: Here, token: str) -> None:
        self._arrived: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._arrived.put_nowait({"type": "websocket.connect"})
        self._sent: list[str] = []
        scope = {
            "type": "websocket",
            "scheme": "ws",
            "path": SOCKET,
            "query_string": b"as=terminal",
            "headers": [(b"authorization", f"Bearer {token}".encode())],
            "client": ("203.0.113.9", 4711),
        }
        self._task = asyncio.create_task(here.app.gate(scope, self._arrived.get, self._send))

    async def _send(self, message: Any) -> None:
        self._sent.append(message.get("text", ""))

    async def say(self, text: bytes) -> None:
        await self._arrived.put({"type": "websocket.receive", "bytes": text})

    def count(self, kind: str) -> int:
        return sum(f'"type":"{kind}"' in each for each in self._sent)

    async def heard(self, kind: str, count: int) -> None:
        async with asyncio.timeout(LONG_ENOUGH):
            while self.count(kind) < count:
                await asyncio.sleep(0)

    def end(self) -> None:
        self._task.cancel()


async def test_few_sockets_send_in_one_turn_of_the_loop() -> None:
    sends, turns, sent = PacedSends(), Turns(), list[bytes]()

    def write(frame: bytes) -> bool:
        turns.count()
        sent.append(frame)
        return True

    mailboxes = [Mailbox(write, sends) for _ in range(10 * SENDS_PER_TURN)]
    pumps = [asyncio.create_task(mailbox.take()) for mailbox in mailboxes]
    await asyncio.sleep(0)
    frames = [str(number).encode() for number in range(len(mailboxes))]
    for _ in range(2):
        for mailbox, frame in zip(mailboxes, frames, strict=True):
            mailbox.put(frame)
        mailboxes[-1].close()  # its client is gone
        while sent[-1:] != [frames[-2]]:
            await asyncio.sleep(0)
        assert sent == frames[:-1]
        sent.clear()
    turns.end()
    assert turns.most == SENDS_PER_TURN
    for pump in pumps:
        pump.cancel()


async def test_few_pumps_are_woken_in_one_turn_of_the_loop() -> None:
    sends, turns = PacedSends(), Turns()

    async def pump(mailbox: Mailbox) -> None:
        await mailbox.take()
        turns.count()

    mailboxes = [Mailbox(None, sends) for _ in range(10 * SENDS_PER_TURN)]
    pumps = [asyncio.create_task(pump(mailbox)) for mailbox in mailboxes]
    await asyncio.sleep(0)
    for mailbox in mailboxes:
        mailbox.put(b"news")
    await asyncio.gather(*pumps)
    turns.end()
    assert turns.most == SENDS_PER_TURN


async def test_news_for_very_many_goes_out_less_often(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        channel = here.hub.channel(TABLE)
        assert channel is not None
        mailbox = Mailbox()
        for _ in range(20_000):
            channel.watchers.add(Watcher(DISPLAY, mailbox))
        channel.flush()
        flushed = asyncio.get_running_loop().time()
        channel.look_again()
        assert channel._flush is not None
        assert channel._flush.when() - flushed > 1.0
