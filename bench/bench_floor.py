"""The servers that bench/serve.py measures, and runs: a floor, a bare handler, and a plain broadcast."""

import asyncio
import datetime
import json
import queue
import secrets
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import apsw
import msgspec
import uvicorn
import uvloop
import websockets
from msgspec import Struct
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from websockets import ServerConnection

from thirdcard.access.credentials import Cost, CredentialKeeper
from thirdcard.access.directory import digest_of_token
from thirdcard.access.people import People
from thirdcard.access.terminals import LASTS, digest_of_code
from thirdcard.clockwork.floor_file import parse_floor_file
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Office
from thirdcard.refusals import Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.server.exposure import Listen
from thirdcard.server.security import Guard
from thirdcard.server.serve import Serving, Wanted, serve
from thirdcard.staff import Post
from thirdcard.streams.opening import OpenedPlace, open_floor

CHEAP = Cost(passes=1, memory=64, lanes=1)
PASSWORD = "for measuring alone"
FILE = """\
format = 1
[[table]]
name = "{name}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
cutting_card = {behind}
timers = {{ betting = {betting}, warning = 1, card = 0.1, between = 0.5 }}
"""


class Seat(Struct, frozen=True):
    """A patron at a table, with the token of the terminal."""

    table: str
    patron: str
    token: str


def seats(tables: int, patrons: int) -> list[Seat]:
    """Patrons at tables, tables first, so that few patrons are at many tables."""
    return [
        Seat(f"T{table}", f"P{table}-{number}", f"token-of-{table}-{number}")
        for number in range(patrons)
        for table in range(tables)
    ]


# the floor


async def prepare(where: OpenedPlace, tables: int, patrons: int, betting: int, behind: int) -> None:
    """Define tables, enrol terminals, and let patrons use them."""
    now = datetime.datetime.now(datetime.UTC)
    async with open_floor(where, tables=False) as floor:
        stream = floor.service.floor
        if stream.state is not None:
            return
        text = FILE.format(name="T0", betting=betting, behind=behind)
        parsed = parse_floor_file("bench.toml", text.encode(), now)
        (first,) = parsed.command.tables
        definitions = tuple(
            replace(first, setup=replace(first.setup, table=f"T{number}")) for number in range(tables)
        )
        todo: list[tuple[cmd.FloorBody, str]] = [(replace(parsed.command, tables=definitions), COMMAND_LINE)]
        for seat in seats(tables, patrons):
            terminal = f"terminal-{seat.patron}"
            code = digest_of_code(floor.keys, secrets.token_hex())
            todo += [
                (
                    cmd.EnrolTerminal(terminal=terminal, table=seat.table, code=code, code_ends=now + LASTS),
                    COMMAND_LINE,
                ),
                (
                    cmd.ClaimTerminal(terminal=terminal, code=code, token=digest_of_token(seat.token)),
                    terminal,
                ),
                (cmd.EnableTerminal(terminal=terminal), COMMAND_LINE),
                (cmd.OpenPatronSession(terminal=terminal, patron=seat.patron), COMMAND_LINE),
            ]
        for number, (body, actor) in enumerate(todo):
            answer = await stream.send(body, actor=actor, command_id=f"bench-{number}")
            assert not isinstance(answer, Refused), answer
        credentials = CredentialKeeper(floor.keys, CHEAP)
        people = People(stream, credentials, SHIPPED.houses)
        pit = (Post("pit-supervisor"), Post(Office.AUDITOR.value))
        for name, posts in (("pit", pit), ("manager", (Post("gaming-shift-manager"),))):
            made = await people.add(name, posts, PASSWORD, by=COMMAND_LINE)
            assert not isinstance(made, Refused), made
            if made.factor is not None:
                (where.data.parent / f"{name}.factor").write_text(made.factor.uri, "utf-8")
        credentials.close()


async def run_floor(folder: Path, port: int, tables: int, patrons: int, *, quick: bool) -> None:
    """Serve the floor until killed."""
    where = OpenedPlace(folder / "data", folder / "keys" / "floor.keys")
    # where tables play on, a shoe has some forty rounds, so that several come to their end
    betting, behind = (4, 208) if quick else (3600, 14)
    await prepare(where, tables, patrons, betting, behind)

    def told(serving: Serving) -> None:  # noqa: ARG001
        print("up", flush=True)

    guard = Guard(per_second=0, sockets_of_one=10_000, socket_per_second=0)
    await serve(Wanted(where=where, listen=Listen("127.0.0.1", port), guard=guard, cost=CHEAP), told)


class Pit:
    """Somebody on the floor who can let tables go on."""

    def __init__(self, port: int, name: str = "pit", code: str = "") -> None:
        self._root = f"http://127.0.0.1:{port}/api/v1"
        self.cookie = ""
        answer = self._send("sign-in", {"credentials": {"name": name, "password": PASSWORD, "code": code}})
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def _send(self, path: str, body: object | None = None) -> "urllib.request._UrlopenRet":
        data = json.dumps(body).encode() if body is not None else None
        headers = {"x-thirdcard": "staff", "cookie": self.cookie}
        try:
            return urllib.request.urlopen(urllib.request.Request(f"{self._root}/{path}", data, headers))
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{path}: {refused.read().decode()}") from refused

    def get(self, path: str) -> object:
        return json.load(self._send(path))

    def do(self, table: str, command: Mapping[str, object]) -> None:
        self._send(f"tables/{table}/commands", {"command_id": secrets.token_hex(8), "command": command})


async def release(port: int) -> None:
    """Let every table go on that is held."""

    def work() -> None:
        pit = Pit(port)
        lobby = pit.get("tables")
        assert isinstance(lobby, dict)
        for line in lobby["tables"]:
            if line["state"] == "paused":
                duty = {"type": "come-on-duty", "person": "pit", "post": "pit-supervisor"}
                pit.do(line["table"], duty)
                pit.do(line["table"], {"type": "resume-table"})
                pit.do(line["table"], {"type": "go-off-duty", "person": "pit"})

    await asyncio.to_thread(work)


async def missing(port: int, acknowledged: dict[str, int]) -> int:
    """How many acknowledged commands the journal does not have at their sequence."""

    def work() -> int:
        pit = Pit(port)
        found: dict[str, int] = {}
        lobby = pit.get("tables")
        assert isinstance(lobby, dict)
        for line in lobby["tables"]:
            after = 0
            while True:
                page = pit.get(f"audit/{line['table']}/records?after={after}&most=500")
                assert isinstance(page, dict)
                if not page["records"]:
                    break
                found |= {each["command_id"]: each["sequence"] for each in page["records"]}
                after = page["records"][-1]["sequence"]
        return sum(found.get(command_id) != sequence for command_id, sequence in acknowledged.items())

    return await asyncio.to_thread(work)


# the bare handler


class Bare(Struct):
    """The content that is posted to the bare handler."""

    command_id: str
    command: dict[str, object]


def run_bare(folder: Path, port: int) -> None:
    """Starlette, a decoder, and a thread that commits what waits: nothing else."""
    waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[int]]] = queue.SimpleQueue()
    decoder, encoder = msgspec.json.Decoder(Bare), msgspec.json.Encoder()
    loops: list[asyncio.AbstractEventLoop] = []
    rest = secrets.token_bytes(700)

    def write() -> None:
        connection = apsw.Connection(str(folder / "bare.sqlite"))
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        connection.execute("CREATE TABLE record (sequence INTEGER PRIMARY KEY, body BLOB, rest BLOB)")
        sequence = 0
        while True:
            tasks = [waiting.get()]
            while len(tasks) < 1024 and not waiting.empty():
                tasks.append(waiting.get())
            rows = [(sequence + number, body, rest) for number, (body, _) in enumerate(tasks, start=1)]
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO record VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")
            loops[0].call_soon_threadsafe(resolve, tasks, sequence)
            sequence += len(tasks)

    def resolve(tasks: "list[tuple[bytes, asyncio.Future[int]]]", sequence: int) -> None:
        for number, (_, done) in enumerate(tasks, start=1):
            done.set_result(sequence + number)

    async def commands(request: Request) -> Response:
        body = await request.body()
        form = decoder.decode(body)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        waiting.put((body, done))
        answer = {"command_id": form.command_id, "sequence": await done}
        return Response(encoder.encode(answer), media_type="application/json")

    async def run() -> None:
        loops.append(asyncio.get_running_loop())
        threading.Thread(target=write, daemon=True).start()
        app = Starlette(routes=[Route("/commands", commands, methods=["POST"])])
        config = uvicorn.Config(
            app, host="127.0.0.1", port=port, log_config=None, access_log=False, http="httptools"
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        print("up", flush=True)
        await serving

    uvloop.run(run())


# the plain broadcast


async def run_broadcast(port: int) -> None:
    """Send each message of one socket to all others, with the broadcast of `websockets` and nothing else."""
    listeners: set[ServerConnection] = set()

    async def serve_one(connection: ServerConnection) -> None:
        assert connection.request is not None
        if connection.request.path == "/source":
            async for message in connection:
                websockets.broadcast(listeners, message)
        listeners.add(connection)
        await connection.wait_closed()

    async with websockets.serve(serve_one, "127.0.0.1", port, compression=None):
        print("up", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    kind, folder_, port_ = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if kind == "bare":
        run_bare(folder_, port_)
    elif kind == "broadcast":
        uvloop.run(run_broadcast(port_))
    else:
        tables_, patrons_ = int(sys.argv[4]), int(sys.argv[5])
        uvloop.run(run_floor(folder_, port_, tables_, patrons_, quick="quick" in sys.argv[6:]))
