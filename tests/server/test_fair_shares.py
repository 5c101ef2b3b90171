"""One client that has much read for it does not keep the others waiting."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from moved_clock import MovedClock
from server.in_process import TABLE, Here, floor_here

from thirdcard.access.attempts import Buckets
from thirdcard.folds.viewers import DISPLAY
from thirdcard.server import hub as server_hub
from thirdcard.server import records as server_records
from thirdcard.server.hub import Mailbox, Watcher
from thirdcard.server.security import Guard
from thirdcard.server.shares import STEP_RECORDS, ReadBudget
from thirdcard.server.sockets import WATCH_COST

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
    assert '"after":0' in (await mailbox.take() or "")
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


async def signed_in(here: Here, http: httpx.AsyncClient) -> dict[str, str]:
    assert here.demo is not None
    person = next(each for each in here.demo.people if each.name == "auditor")
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
    budget = ReadBudget(clock, SMALL)
    assert budget.take("one", 5_000) is None
    assert budget.take("one", 1) == 1
    assert ReadBudget(clock, Guard(per_second=0)).take("one", 1_000_000) is None


def test_tokens_are_taken_together_or_not_at_all() -> None:
    buckets = Buckets(MovedClock(), burst=10, every=2.0)
    assert buckets.take("one", 8) is None
    assert buckets.take("one", 5) == 6
    assert buckets.take("one", 2) is None


def test_a_view_costs_something() -> None:
    assert Guard().read_burst // WATCH_COST >= 200  # a floor that comes back after a failure of the network
