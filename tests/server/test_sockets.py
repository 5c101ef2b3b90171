"""Sockets that send nonsense, too much, in the wrong order, or nothing at all; everybody else is served."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from server.lazy_sockets import hold_out
from server.served import Served, open_for_many, serving, timers
from server.watching import Onlooker
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from thirdcard.client.calls import Client
from thirdcard.client.errors import LineEnded, WasRefused
from thirdcard.client.line import ClientSocket
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal
from thirdcard.server.security import Guard
from thirdcard.wire.paths import API

pytestmark = pytest.mark.timed

SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers()}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {f"E{number}": (SIX, None) for number in range(1, 9)}
NOTHING_WITHIN = 0.1  # real seconds in which nothing comes; a longer look would see no more


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor at which every test has terminals of its own."""
    with open_for_many(tmp_path_factory.mktemp("sockets"), TABLES, TERMINALS) as served:
        yield served


def address(client: Client) -> str:
    return f"ws{client.address.removeprefix('http')}{API}/socket"


@contextlib.asynccontextmanager
async def raw(client: Client, **more: Any) -> AsyncIterator[ClientConnection]:
    """A socket without any manners, after its hello."""
    async with connect(
        address(client), additional_headers=client.headers, compression=None, proxy=None, **more
    ) as opened:
        assert json.loads(await opened.recv())["type"] == "hello"
        yield opened


async def say(opened: ClientConnection, message: str | bytes) -> dict[str, Any]:
    """Send something, and what comes back."""
    await opened.send(message)
    return dict(json.loads(await opened.recv()))


def command(**more: object) -> str:
    body = {"type": "open-betting"}
    return json.dumps({"type": "command", "table": SIX, "command_id": "12345678", "command": body, **more})


@pytest.mark.parametrize(
    ("headers", "path", "status"),
    [
        ({}, "/socket", 401),
        ({"authorization": "Bearer nonsense"}, "/socket", 401),
        ({"origin": "http://elsewhere.example"}, "/socket", 403),
        ({}, "/nowhere", 404),
    ],
)
async def test_a_socket_that_is_refused_is_no_fault_of_the_server(
    floor: Served, headers: dict[str, str], path: str, status: int
) -> None:
    url = f"ws{floor.addresses[0].removeprefix('http').rstrip('/')}{API}{path}"
    with pytest.raises(InvalidStatus) as refused:
        async with connect(url, additional_headers=headers, proxy=None):
            pass
    assert refused.value.response.status_code == status
    assert " ERROR " not in floor.servers[0].log


NONSENSE: list[str | bytes] = [
    "",
    "nonsense",
    "null",
    "[]",
    "{}",
    '{"type":"watch"}',
    '{"type":"nothing-we-know"}',
    '{"type":"watch","table":"Six","more":1}',
    '{"type":"watch","table":"Six","after":-1}',
    '{"type":"watch","table":"Six","after":1.5}',
    '{"type":"watch","table":"Six","after":9007199254740993}',
    '{"type":"watch","table":""}',
    '{"type":"watch","table":"' + "x" * 200 + '"}',
    '{"type":"watch","table":"\\ud800"}',
    "[" * 30_000,
    '{"type":' * 5_000,
    b"\xff\xfe\x00",
    b'{"type":"watch"',
    command(command_id="short"),
    command(command_id="new\nline.."),
    command(command_id="x" * 65),
    command(command={"type": "place-wager", "patron": "Ann", "wager": "tie", "amount": 1e300}),
    command(command={"type": "place-wager", "patron": "Ann", "wager": "tie", "amount": 10**40}),
    command(command={"type": "open-betting", "more": True}),
    command(command="open-betting"),
    command(authoriser={"name": "Max"}),
]


async def test_nonsense_is_refused_and_the_socket_goes_on(floor: Served) -> None:
    async with floor.visited() as served, raw(served.terminal("E1")) as opened:
        for message in NONSENSE:
            answer = await say(opened, message)
            assert (answer["type"], answer["reason"]) == ("refused", "not-understood"), message
            assert answer["message"], message
        assert (await say(opened, '{"type":"ping"}'))["type"] == "pong"
        named = await say(opened, command(command={"type": "place-wager"}))
        assert (named["command_id"], named["table"]) == ("12345678", SIX)


async def test_text_that_is_none_and_messages_that_are_too_long_end_that_socket_alone(floor: Served) -> None:
    async with floor.visited() as served:
        client = served.terminal("E2")
        async with raw(served.terminal("E3")) as other:
            for payload, code in ((b"\xff\xfe", 1007), (b"x" * 70_000, 1009)):
                async with raw(client) as opened:
                    await opened.send(payload, text=True)
                    with pytest.raises(ConnectionClosed) as closed:
                        await opened.recv()
                    assert closed.value.rcvd is not None
                    assert closed.value.rcvd.code == code
            assert (await say(other, '{"type":"ping"}'))["type"] == "pong"


async def test_messages_in_the_wrong_order(floor: Served) -> None:
    async with floor.visited() as served, raw(served.terminal("E4")) as opened:
        await opened.send(f'{{"type":"unwatch","table":"{SIX}"}}')  # watched by nobody
        missing = await say(opened, '{"type":"watch","table":"Nowhere"}')
        assert (missing["reason"], missing["table"]) == ("no-such-table", "Nowhere")
        first = await say(opened, f'{{"type":"watch","table":"{SIX}"}}')
        assert (first["type"], first["after"]) == ("view", first["sequence"])
        again = await say(opened, f'{{"type":"watch","table":"{SIX}"}}')
        assert again["type"] == "view"
        ahead = await say(opened, f'{{"type":"watch","table":"{SIX}","after":1000000}}')
        assert (ahead["type"], ahead["moments"]) == ("view", [])
        behind = await say(opened, f'{{"type":"watch","table":"{SIX}","after":0}}')
        assert behind["after"] == 0
        assert [each["sequence"] for each in behind["moments"]] == sorted(
            each["sequence"] for each in behind["moments"]
        )
        unknown = await say(opened, command(table="Nowhere"))
        assert (unknown["reason"], unknown["command_id"]) == ("not-permitted", "12345678")


async def test_whoever_sends_too_much_is_read_more_slowly_and_loses_nothing(tmp_path: Path) -> None:
    guard = Guard(socket_burst=50, socket_per_second=50.0)
    async with (
        serving(tmp_path, TABLES, TERMINALS, guard=guard) as served,
        raw(served.terminal("E1")) as opened,
    ):
        for _ in range(150):
            await opened.send('{"type":"ping"}')
        for _ in range(3):
            assert {json.loads(await opened.recv())["type"] for _ in range(50)} == {"pong"}
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(opened.recv(), NOTHING_WITHIN)
            served.move(1)


async def test_a_handshake_is_refused_with_the_reason(tmp_path: Path) -> None:
    guard = Guard(per_second=0, sockets_of_one=3)
    async with serving(tmp_path, TABLES, TERMINALS, guard=guard) as served:
        good, nobody, wrong = served.terminal("E1"), served.nobody(), served.nobody()
        wrong.token = "x" * 43
        max_ = await served.staff("Max")
        await max_.floor_command(floor_cmd.DisableTerminal(terminal="E4", reason="a test"))
        tried: list[tuple[Client, str, dict[str, str], int, str]] = [
            (nobody, "/socket", {}, 401, "not-signed-in"),
            (wrong, "/socket", {}, 401, "not-signed-in"),
            (served.terminal("E4"), "/socket", {}, 403, "terminal-disabled"),
            (good, "/socket", {"origin": "https://elsewhere.example"}, 403, "wrong-origin"),
            (good, "/nowhere", {}, 404, "no-such-address"),
        ]
        for client, path, more, status, reason in tried:
            with pytest.raises(InvalidStatus) as refused:
                await connect(
                    address(client).replace("/socket", path),
                    additional_headers=client.headers | more,
                    proxy=None,
                )
            assert refused.value.response.status_code == status, reason
            assert json.loads(refused.value.response.body)["reason"] == reason
        async with raw(good), raw(good), raw(good):
            with pytest.raises(InvalidStatus) as refused:
                await connect(address(good), additional_headers=good.headers, proxy=None)
            assert refused.value.response.status_code == 429
        let_in = False
        while not let_in:  # the server takes a moment to see that the three are gone
            with contextlib.suppress(InvalidStatus):
                async with raw(good):
                    let_in = True


async def test_a_socket_ends_with_its_session_and_a_terminal_that_is_disabled_is_told(floor: Served) -> None:
    async with floor.visited() as served:
        dana, max_ = await served.staff("Dana"), await served.staff("Max")
        async with ClientSocket(dana) as line, ClientSocket(served.terminal("E5")) as terminal:
            await line.watch(SIX)
            await terminal.watch(SIX)
            await max_.floor_command(floor_cmd.LockPerson(name="Dana", reason="a test"))
            with pytest.raises(LineEnded) as ended:
                await line.command(SIX, cmd.OpenBetting())
            assert ended.value.reason == "not-signed-in"
            await max_.floor_command(floor_cmd.DisableTerminal(terminal="E5", reason="a test"))
            with pytest.raises(LineEnded) as ended:
                await terminal.watch(SIX)
            assert ended.value.reason == "terminal-disabled"


async def test_another_patron_at_a_terminal_sees_nothing_of_the_one_before(floor: Served) -> None:
    async with floor.visited() as served:
        client = served.terminal("E6")
        here = Onlooker(client)
        await here.watch(SIX)
        assert here.pictures[SIX].view.own is None
        for patron in ("Ann", "Ben"):
            await client.floor_command(floor_cmd.OpenPatronSession(terminal="E6", patron=patron))
            await here.pictures[SIX].until(lambda view: view.own is not None)
            own = here.pictures[SIX].view.own
            assert own is not None
            assert (own.patron, own.credits, own.last) == (patron, 0, None)
            await here.do(SIX, cmd.ComeToTable(patron=patron))
            await here.do(SIX, cmd.BuyCredits(terminal=patron, amount=5_000))
            await here.do(SIX, cmd.CashOut(terminal=patron, amount=5_000))
            await here.do(SIX, cmd.LeaveTable(patron=patron))
            await client.floor_command(floor_cmd.ClosePatronSession(terminal="E6"))
            await here.pictures[SIX].until(lambda view: view.own is None)
            with pytest.raises(WasRefused) as refused:
                await here.line.command(SIX, cmd.ComeToTable(patron=patron))
            assert refused.value.reason is Refusal.NOT_PERMITTED
        told = [msgspec.to_builtins(each.what) for each in here.moments[SIX]]
        assert {each.get("patron") or each.get("terminal") for each in told} <= {None, "Ann", "Ben"}
        await here.close()


async def test_slow_and_silent_sockets_do_not_keep_others_waiting(tmp_path: Path) -> None:
    await hold_out(tmp_path, sockets=100, silence=4.0)
