"""Card readers over a socket by a service account: the same lines as over TCP, until the account is over."""

import contextlib
from collections.abc import AsyncIterator, Iterator

import pytest
from server.served import Served, open_for_many
from streams.openings import face
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from thirdcard.client.calls import Client
from thirdcard.devices.reader_lines import (
    LONGEST,
    Ack,
    CardRead,
    Numbered,
    ReaderHello,
    ReaderLine,
    Refuse,
    Welcome,
    WhyNot,
    read_line,
    write_line,
)
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Scope
from thirdcard.wire.paths import READERS

DEALS, OTHER = "Tiger 1", "Tiger 2"
TABLES = "".join(
    f"""
[[table]]
name = "{name}"
game = "mbs-tiger-nc-v4"
device = "card-reading"
reader = "deals"
"""
    for name in (DEALS, OTHER)
)
ACCOUNTS: dict[str, tuple[Scope, ...]] = {
    "Shoe": (Scope.CARDS,),
    "Lost shoe": (Scope.CARDS,),
    "Board": tuple(each for each in Scope if each is not Scope.CARDS),
}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor that takes no reader over TCP."""
    with open_for_many(tmp_path_factory.mktemp("readers"), TABLES, accounts=ACCOUNTS) as served:
        yield served


@contextlib.asynccontextmanager
async def opened(client: Client) -> AsyncIterator[ClientConnection]:
    """The socket of a reader."""
    address = f"ws{client.address.removeprefix('http')}{READERS}"
    async with connect(address, additional_headers=client.headers, compression=None, proxy=None) as socket:
        yield socket


async def says(socket: ClientConnection, line: ReaderLine) -> ReaderLine | None:
    """The answer to a line."""
    await socket.send(write_line(line).decode())
    answer = await socket.recv()
    assert isinstance(answer, str)
    return read_line(answer.encode())


def hello(table: str = "Tiger-1", version: int = 1) -> ReaderHello:
    return ReaderHello(table, "r1", "run", 1, version)


async def test_a_reader_sends_its_lines_over_a_socket(floor: Served) -> None:
    async with floor.visited() as served:
        async with opened(served.terminal("Shoe")) as socket:
            assert await says(socket, hello()) == Welcome(1)
            assert await says(socket, Numbered(1, CardRead("s", face("9H")))) == Ack(1)
        async with opened(served.terminal("Shoe")) as again:  # the table knows what it has
            assert await says(again, hello()) == Welcome(2)
            await again.send(write_line(Numbered(2, CardRead("s", face("KC")))).removesuffix(b"\n"))
            assert await again.recv() == write_line(Ack(2)).decode()
        auditor = await served.staff("Una")
        alerts = (await auditor.table(DEALS)).view.alerts
        assert alerts, "cards came at a table that is not open"


async def test_a_reader_is_refused_as_over_tcp(floor: Served) -> None:
    async with floor.visited() as served:
        for line, why in ((hello("Nowhere"), WhyNot.TABLE), (hello(version=9), WhyNot.VERSION)):
            async with opened(served.terminal("Shoe")) as socket:
                assert await says(socket, line) == Refuse(why)
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
        for nonsense in ("nonsense\n", "x" * LONGEST, write_line(hello()).decode() * 2, b"\xff\n", b""):
            async with opened(served.terminal("Shoe")) as socket:
                await socket.send(nonsense)
                with pytest.raises(ConnectionClosed):
                    await socket.recv()


async def test_a_reader_that_comes_again_takes_over(floor: Served) -> None:
    async with floor.visited() as served, opened(served.terminal("Shoe")) as first:
        await says(first, hello("Tiger-2"))
        async with opened(served.terminal("Shoe")) as second:
            assert await says(second, hello("Tiger-2")) == Welcome(1)
            with pytest.raises(ConnectionClosed):
                await first.recv()
            other = ReaderHello("Tiger-2", "r2", "run", 1)
            async with opened(served.terminal("Shoe")) as third:
                assert await says(third, other) == Refuse(WhyNot.BUSY)


async def test_only_the_scope_for_cards_opens_the_socket_of_readers(floor: Served) -> None:
    async with floor.visited() as served:
        for client, status in (
            (served.terminal("Board"), 403),
            (await served.staff("Gil"), 403),
            (served.nobody(), 401),
        ):
            with pytest.raises(InvalidStatus) as refused:
                async with opened(client):
                    pass
            assert refused.value.response.status_code == status


async def test_the_socket_of_a_reader_ends_with_its_account(floor: Served) -> None:
    async with floor.visited() as served:
        boss = await served.staff("Max")
        async with opened(served.terminal("Lost shoe")) as socket:
            await boss.floor_command(floor_cmd.RevokeAccount(name="Lost shoe", reason="stolen"))
            with pytest.raises(ConnectionClosed) as ended:
                await socket.recv()
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 4401
        with pytest.raises(InvalidStatus) as over:
            async with opened(served.terminal("Lost shoe")):
                pass
        assert over.value.response.status_code == 401
