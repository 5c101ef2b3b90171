"""Messages over the network are made of the types of the wire, and of nothing else."""

import json
from collections.abc import Iterator

import httpx
import msgspec
import pytest
from server.served import Served, open_for_many, timers
from websockets.asyncio.client import ClientConnection, connect

from thirdcard.client.calls import Client
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.wire.frames import LobbyFrame, NewsFrame, Outgoing, ViewFrame
from thirdcard.wire.paths import SOCKET, TABLE_COMMANDS, Holder, cookie_name, filled
from thirdcard.wire.refusals import RefusedMessage

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


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with open_for_many(tmp_path_factory.mktemp("wire"), TABLES, {"E1": (SIX, None)}) as served:
        yield served


def opened(client: Client) -> connect:
    address = f"ws{client.address.removeprefix('http')}{SOCKET}"
    return connect(address, additional_headers=client.headers, compression=None, proxy=None)


async def received(socket: ClientConnection) -> Outgoing:
    """The next message, which its type writes again as it came."""
    text = await socket.recv()
    message: Outgoing = msgspec.json.decode(text, type=Outgoing)
    assert msgspec.json.encode(message).decode() == text
    return message


async def until(socket: ClientConnection, kind: type[Outgoing]) -> Outgoing:
    while not isinstance(message := await received(socket), kind):
        pass
    return message


async def test_every_frame_is_what_its_type_writes(floor: Served) -> None:
    async with floor.visited() as served, opened(client := served.terminal("E1")) as socket:
        for message in ({"type": "watch-lobby"}, {"type": "watch", "table": SIX, "after": 0}):
            await socket.send(json.dumps(message))
        lobby = await until(socket, LobbyFrame)
        assert isinstance(lobby, LobbyFrame)
        assert [line.table for line in lobby.tables] == [SIX]
        view = await until(socket, ViewFrame)
        assert isinstance(view, ViewFrame)
        assert view.moments
        await client.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Ann"))
        await client.command(SIX, cmd.ComeToTable(patron="Ann"))
        news = await until(socket, NewsFrame)
        assert isinstance(news, NewsFrame)
        assert "own" in news.sections
        assert "patron-came" in [moment.what.kind for moment in news.moments]


async def test_http_and_sockets_refuse_in_the_same_form(floor: Served) -> None:
    body = {"type": "place-wager", "patron": "Ann", "wager": "tie", "amount": 100}
    form = {"command_id": "12345678", "command": body}
    async with floor.visited() as served:
        client = served.terminal("E1")
        async with opened(client) as socket:
            await socket.send(json.dumps({"type": "command", "table": "Nowhere", **form}))
            over_socket = await until(socket, RefusedMessage)
        async with httpx.AsyncClient(trust_env=False) as http:
            address = client.address + filled(TABLE_COMMANDS, table="Nowhere")
            answer = await http.post(address, json=form, headers=client.headers)
    over_http = msgspec.json.decode(answer.content, type=RefusedMessage)
    assert msgspec.json.encode(over_http) == answer.content
    assert isinstance(over_socket, RefusedMessage)
    assert (over_socket.command_id, over_socket.table) == ("12345678", "Nowhere")
    assert over_http == msgspec.structs.replace(over_socket, command_id=None, table=None)


def test_values_in_paths_are_quoted() -> None:
    assert filled(TABLE_COMMANDS, table="a/b ü?") == "/api/v1/tables/a%2Fb%20%C3%BC%3F/commands"


def test_only_over_tls_a_cookie_is_bound_to_its_host_by_its_name() -> None:
    assert cookie_name(Holder.STAFF, secure=False) == "thirdcard-staff"
    assert cookie_name(Holder.TERMINAL, secure=True) == "__Host-thirdcard-terminal"
