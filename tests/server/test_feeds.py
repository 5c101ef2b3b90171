"""The feed of a table: the same bytes from every sequence on, for as long as one may read it."""

import asyncio
from pathlib import Path

import httpx
import pytest
from limits import LONG_ENOUGH
from server.feeds import Block, opened
from server.served import Served, serving, timers
from server.watching import Bots

from thirdcard.client.bot import BotPlan
from thirdcard.client.calls import Client
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Scope
from thirdcard.wire.paths import FEED, filled

SCHOOL = "School"
TABLES = f"""
[[table]]
name = "{SCHOOL}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers()}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {"N1": (SCHOOL, None)}
ACCOUNTS: dict[str, tuple[Scope, ...]] = {
    "Sign": (Scope.TABLES,),
    "Audit": (Scope.TABLES, Scope.RECORDS),
    "Cage": (Scope.CREDITS,),
}
ROUNDS = 2


async def played(served: Served) -> int:
    """Play some rounds; the last sequence of the table."""
    bots = Bots(served)
    plan = BotPlan(patron="Ann", rounds=ROUNDS, seed=1, buy_in=10**6, wagers=2)
    await bots.come(served.terminal("N1"), plan).play()
    return (await served.terminal("Sign").table(SCHOOL)).sequence


async def whole(client: Client, after: int, upto: int) -> list[Block]:
    """A feed from a sequence up to another one that it tells."""
    async with opened(client, SCHOOL, after) as feed:
        return await feed.until(upto)


async def from_everywhere(served: Served, name: str, known: list[Block]) -> None:
    """Read a feed from every sequence on, and hold it against what is known of it."""
    last = int(known[-1].id)
    for after in range(last):
        found = await whole(served.terminal(name), after, last)
        assert found == [each for each in known if int(each.id) > after], after


def test_a_feed_is_the_same_from_every_sequence_and_after_a_restart(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, TABLES, TERMINALS, accounts=ACCOUNTS) as served:
            async with opened(served.terminal("Sign"), SCHOOL, 0) as live:
                await played(served)
                auditor = [each.id for each in await whole(served.terminal("Audit"), 0, 20)]
                last = await last_told(served, "Sign")
                known = await live.until(last)
            assert [int(each.id) for each in known] == sorted({int(each.id) for each in known})
            assert all(each.told.sequence == int(each.id) and each.told.moments for each in known)
            kinds = {moment.kind for each in known for moment in map(_tagged, each.told.moments)}
            assert {"betting-opened", "card-drawn", "round-ended"} <= kinds
            assert "credits-bought" not in kinds
            assert len(auditor) > len([each for each in known if int(each.id) <= 20])
            await from_everywhere(served, "Sign", known)
            server = served.servers[0]
            server.kill()
            server.start()
            await from_everywhere(served, "Sign", known)
            assert "Traceback" not in server.log, server.log

    asyncio.run(asyncio.wait_for(run(), LONG_ENOUGH))


class _Kind:
    def __init__(self, kind: str) -> None:
        self.kind = kind


def _tagged(moment: object) -> _Kind:
    return _Kind(str(moment.__struct_config__.tag))  # type: ignore[attr-defined]


async def last_told(served: Served, name: str, table: str = SCHOOL) -> int:
    """The sequence of the last record of which a feed tells something."""
    client = served.terminal(name)
    after, last = 0, 0
    while True:
        page = await client.messages(table, after)
        last = max([last, *(each.sequence for each in page.moments)])
        if page.sequence == after:
            return last
        after = page.sequence


def test_a_feed_goes_on_where_it_was_and_ends_with_its_account(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, TABLES, TERMINALS, accounts=ACCOUNTS) as served:
            await played(served)
            sign, last = served.terminal("Sign"), await last_told(served, "Sign")
            # a browser's way of going on comes before the address that it first called
            first, second, *_ = await whole(sign, 0, last)
            async with opened(sign, SCHOOL, 0, **{"last-event-id": first.id}) as feed:
                assert await feed.block() == second
            async with opened(sign, SCHOOL) as feed:  # from now on
                gil = await served.staff("Gil")
                told = asyncio.create_task(feed.block())
                await gil.floor_command(floor_cmd.RevokeAccount(name="Sign", reason="lost"))
                ended = await told
                assert (ended.event, ended.data) == ("ended", '{"reason":"account-ended"}')
                with pytest.raises(EOFError):
                    await feed.block()
            for name, status, why in (
                ("Sign", 401, "account-ended"),
                ("Cage", 403, "scope-missing"),
                ("Gil", 403, "not-permitted"),
            ):
                client = gil if name == "Gil" else served.terminal(name)
                answer = await get(client, SCHOOL)
                assert (answer.status_code, answer.json()["reason"]) == (status, why)
            head = (await gil.table(SCHOOL)).sequence
            beyond = await get(served.terminal("Audit"), SCHOOL, after=head + 1)
            assert beyond.status_code == 400
            assert f"the records of this table end at {head}" in beyond.json()["message"]
            assert (await get(served.terminal("Audit"), "Nowhere")).status_code == 404

    asyncio.run(asyncio.wait_for(run(), LONG_ENOUGH))


def test_a_server_that_stops_ends_its_feeds(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            serving(tmp_path, TABLES, accounts=ACCOUNTS) as served,
            opened(served.terminal("Sign"), SCHOOL) as feed,
        ):
            stopping = asyncio.create_task(asyncio.to_thread(served.servers[0].stop))
            while (block := await feed.block()).event == "record":
                pass
            assert block.data == '{"reason":"stopping"}'
            assert await stopping == 0

    asyncio.run(asyncio.wait_for(run(), LONG_ENOUGH))


async def get(client: Client, table: str, **query: int) -> httpx.Response:
    """The answer to a call of a feed that is refused."""
    async with httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http:
        address = f"{client.address}{filled(FEED, table=table)}"
        return await http.get(address, params=query, headers=client.headers)
