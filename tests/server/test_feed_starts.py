"""Where a feed begins: after a sequence, or not at all; and what is no sequence is never taken for one."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from server.in_process import TABLE, Here, floor_here

from thirdcard.access.accounts import MadeAccount
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Scope
from thirdcard.journal.store import StoreFailed
from thirdcard.server import feeds
from thirdcard.wire.paths import FEED, filled


async def secret_of(here: Here, name: str = "Sign") -> str:
    """The secret of a service account that follows tables."""
    made = await here.accounts.add(name, (Scope.TABLES,), 30, by=COMMAND_LINE)
    assert isinstance(made, MadeAccount)
    return made.secret


@contextlib.asynccontextmanager
async def following(here: Here, secret: str) -> AsyncIterator[list[dict[str, Any]]]:
    """Everything that a feed from the beginning sends, while it is open."""
    headers = [(b"host", b"floor.example"), (b"authorization", b"Bearer " + secret.encode())]
    path = filled(FEED, table=TABLE)
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"after=0", "headers": headers}
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Any) -> None:
        sent.append(dict(message))

    own = {"client": ("203.0.113.9", 1), "scheme": "http", "http_version": "1.1", "root_path": ""}
    feed = asyncio.create_task(here.app.gate({**scope, **own}, receive, send))
    for _ in range(50):
        await asyncio.sleep(0)
    if feed.done():
        feed.result()
    try:
        yield sent
    finally:
        feed.cancel()
        await asyncio.gather(feed, return_exceptions=True)


async def fed(here: Here, secret: str) -> list[dict[str, Any]]:
    """Everything that a feed from the beginning sends within some turns of the loop."""
    async with following(here, secret) as sent:
        return sent


@pytest.mark.parametrize("after", ["-1", "1e3", "٣", "99999999999999999", "9" * 5000, "0x10"])
async def test_what_is_no_sequence_does_not_begin_a_feed_from_now_on(tmp_path: Path, after: str) -> None:
    async with floor_here(tmp_path) as here, here.client() as client:
        await here.record(2)
        path, own = (
            filled(FEED, table=TABLE),
            {b"authorization": b"Bearer " + (await secret_of(here)).encode()},
        )
        asked = await client.get(path, params={"after": after}, headers=own)
        gone_on = await client.get(path, headers={**own, b"last-event-id": after.encode()})
        for answer in (asked, gone_on):
            assert (answer.status_code, answer.json()["reason"]) == (400, "not-understood")
            assert "0 or more" in answer.json()["message"]


async def test_a_table_that_was_never_set_up_has_no_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with floor_here(tmp_path) as here:
        channel = here.hub.channel(TABLE)
        assert channel is not None
        monkeypatch.setattr(channel, "_recent", ())
        monkeypatch.setattr(channel.stream, "state", None)
        assert await channel.happened(channel.stream.head.sequence, 100) == ()


async def test_a_feed_whose_store_fails_ends_without_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> tuple[()]:
        raise StoreFailed("the disk is full")

    async with floor_here(tmp_path) as here:
        secret = await secret_of(here)
        await here.record(2)
        monkeypatch.setattr(here.hub.channel(TABLE), "happened", fails)
        assert (await fed(here, secret))[0]["status"] == 200
        assert len(here.calls) == 0


async def test_one_account_leaves_feeds_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "MOST_FEEDS_OF_ONE", 2)
    async with floor_here(tmp_path) as here:
        sign, other = await secret_of(here), await secret_of(here, "Other")
        async with following(here, sign), following(here, sign):
            assert [(await fed(here, each))[0]["status"] for each in (sign, other)] == [429, 200]
        assert (await fed(here, sign))[0]["status"] == 200
