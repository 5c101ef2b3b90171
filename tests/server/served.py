"""A floor for the tests of the server: its tables, people and terminals, and real processes that serve it."""

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import msgspec
from limits import LONG_ENOUGH
from moved_clock import MovedClock
from server.process import CHEAP, Asked, Moved, Moves, Up

from thirdcard.access.accounts import AccountDesk, MadeAccount
from thirdcard.access.credentials import STEP, CredentialKeeper, code_at
from thirdcard.access.people import Made, People
from thirdcard.access.terminals import Claimed, Enrolment, TerminalDesk
from thirdcard.auditor.verify import verify
from thirdcard.client.calls import Client
from thirdcard.client.calls import RetryPolicy as ClientPatience
from thirdcard.clockwork.floor_file import read_floor_file
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Scope
from thirdcard.refusals import Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.server.security import Guard
from thirdcard.staff import Post
from thirdcard.streams.opening import OpenedPlace, OpenFloor, open_floor, open_store
from thirdcard.wire.forms import Credentials as Shown

TESTS = Path(__file__).parent.parent
FLIES = 60.0  # seconds that go by in a real one while a server ends its rounds
BETTING = 1  # second, unless a test wants more: nobody goes idle by moving the clock
SERVED_BY_SOMEBODY = """
SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database
WHERE locktype = 'advisory' AND datname = current_database()
"""
PEOPLE = {
    "Dana": "dealer",
    "Sue": "pit-supervisor",
    "Max": "pit-manager",
    "Amy": "assistant-casino-manager",
    "Gil": "gaming-shift-manager",
    "Ida": "dealer-inspector",
    "Hal": "shift-manager",
    "Rio": "assistant-director",
    "Eve": "senior-management",
    "Tom": "attendant",
    "Vic": "surveillance",
    "Una": "auditor",
    "Oli": "pit-manager",
    "Lou": "pit-manager",
    "Zoe": "pit-manager",
}
UNLIMITED = Guard(per_second=0, socket_per_second=0)
PATIENT = ClientPatience(answer=LONG_ENOUGH, attempts=1000)


def password_of(name: str) -> str:
    """The password of a person."""
    return f"open sesame {sum(name.encode())}"


class Server:
    """One process, whose clock the test moves.

    With ``Asked(flow=0)`` its time stands still: betting stays open, nobody goes idle and no code runs out
    until ``move(seconds)`` puts its clock forward. ``move`` returns when everything that was due has been
    called; what follows from it, such as a record, is to be waited for. It is one jump: what becomes due
    because of what was due is for the next one, so tables that deal themselves have ``card = 0`` and
    ``between = 0`` and run until they wait for patrons. ``flow(rate)`` lets time go by,
    ``step_wall(seconds)`` sets the wall clock alone. A process that is started again goes on at the time of
    the one before it.
    """

    def __init__(self, asked: Asked, log: Path, clock: MovedClock | None = None) -> None:
        self.clock = clock or MovedClock(flow=asked.flow)
        self.asked = asked
        self._log = log
        self._lock = threading.RLock()  # killed in one thread, moved in another
        self.process: subprocess.Popen[str] | None = None
        self.address = ""
        self.held: tuple[str, ...] = ()

    def start(self) -> "Server":
        """Start, at first or again at the same port; returns when people can come in."""
        with self._lock:
            self._start()
        return self

    def _start(self) -> None:
        program = [sys.executable, "-m", "server.process"]
        self.asked.wall = self.clock.now().wall_time
        with self._log.open("a") as log:
            self.process = subprocess.Popen(
                [*program, msgspec.json.encode(self.asked).decode()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent / 'src'}"},
            )
        up = msgspec.json.decode(self._line(), type=Up)
        self.address, self.held = up.address, up.held
        self.asked.port = int(up.address.rstrip("/").rpartition(":")[2])

    def _line(self) -> str:
        """Read what the process says next."""
        assert self.process is not None
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], LONG_ENOUGH)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            self.kill()
            raise AssertionError(self.log or f"nothing from the server after {LONG_ENOUGH} seconds")
        return line

    # its clock

    def move(self, seconds: float) -> None:
        """Put its clock forward."""
        self.clock.jump(seconds)
        self.tell(Moves(jump=seconds))

    def step_wall(self, seconds: float) -> None:
        """Set its wall clock forward or back, and leave what it measures time with alone."""
        self.clock.step_wall(seconds)
        self.tell(Moves(step_wall=seconds))

    def flow(self, rate: float) -> None:
        """Let its time go by at a rate."""
        self.asked.flow = rate
        self.clock.flow(rate)
        self.tell(Moves(flow=rate))

    def tell(self, moves: Moves) -> None:
        """Have its clock moved, without moving ours; one that is not up begins with our time."""
        with self._lock:
            if self.process is not None:
                assert self.process.stdin is not None
                self.process.stdin.write(msgspec.json.encode(moves).decode() + "\n")
                self.process.stdin.flush()
                msgspec.json.decode(self._line(), type=Moved)

    # its end

    @property
    def log(self) -> str:
        """Everything that it has logged."""
        return self._log.read_text("utf-8")

    def kill(self) -> None:
        """End the process as a power failure would."""
        with self._lock:
            if self.process is not None:
                self.process.kill()
                self._over(self.process)

    def stop(self, flow: float = FLIES) -> int:
        """Ask the process to end, and wait while its time flies, so that rounds end; its exit status."""
        with self._lock:
            assert self.process is not None
            self.clock.flow(flow)
            self.tell(Moves(flow=flow))
            self.process.send_signal(signal.SIGTERM)
            status = self.process.wait(LONG_ENOUGH)
            self._over(self.process)
            self.clock.flow(self.asked.flow)
            return status

    def _over(self, process: "subprocess.Popen[str]") -> None:
        process.wait()
        for end in (process.stdin, process.stdout):
            assert end is not None
            end.close()
        self.process = None


class Served:
    """A floor with its staff and terminals, in a folder or in a database; its time stands still."""

    def __init__(
        self,
        folder: Path,
        tables: str = "",
        *,
        postgres: str | None = None,
        guard: Guard = UNLIMITED,
    ) -> None:
        self.clock = MovedClock()  # that of the floor: its servers begin with its time
        self.folder = folder
        self.place = OpenedPlace(folder / "data", folder / "keys" / "floor.keys", postgres)
        self.place.key.parent.mkdir(parents=True, exist_ok=True)
        self._file = folder / "floor.toml"
        self._file.write_text(f"format = 1\n{tables}", "utf-8")
        self._guard = guard
        self._secrets: dict[str, str] = {}
        self._steps: dict[str, int] = {}
        self.tokens: dict[str, str] = {}
        self.servers: list[Server] = []
        self._clients: list[Client] = []

    async def prepare(
        self,
        terminals: dict[str, tuple[str, int | None]] | None = None,
        people: tuple[str, ...] = (*PEOPLE,),
        accounts: dict[str, tuple[Scope, ...]] | None = None,
    ) -> None:
        """Define the tables, let the people in, and enrol terminals: names with their table and position.

        Service accounts last for a month.
        """
        async with open_floor(self.place, tables=False, clock=self.clock) as floor:
            file = read_floor_file(self._file, self.clock.now().moment)
            await _done(floor, file.command)
            credentials = CredentialKeeper(floor.keys, CHEAP)
            desk = People(floor.service.floor, credentials, SHIPPED.houses)
            for name in people:
                added = await desk.add(name, (Post(PEOPLE[name]),), password_of(name), by=COMMAND_LINE)
                assert isinstance(added, Made), added
                if added.factor is not None:
                    self._secrets[name] = added.factor.text
            credentials.close()
            for terminal, (table, position) in (terminals or {}).items():
                await self._enrol(floor, terminal, table, position)
            for name, scopes in (accounts or {}).items():
                made = await AccountDesk(floor.service.floor, floor.clock).add(
                    name, scopes, 30, by=COMMAND_LINE
                )
                assert isinstance(made, MadeAccount), made
                self.tokens[name] = made.secret

    async def _enrol(self, floor: OpenFloor, terminal: str, table: str, position: int | None) -> None:
        desk = TerminalDesk(floor.service.floor, floor.keys, floor.clock)
        expected = await desk.enrol(terminal, table=table, position=position, by=COMMAND_LINE)
        assert isinstance(expected, Enrolment), expected
        claimed = await desk.claim(expected.code, address="")
        assert isinstance(claimed, Claimed), claimed
        self.tokens[terminal] = claimed.token
        await _done(floor, floor_cmd.EnableTerminal(terminal=terminal))

    # processes

    def server(self, *, demo: bool = False, readers: int | None = None) -> Server:
        """Another process that serves the floor, started; with a port, also its card readers."""
        number = len(self.servers) + 1
        asked = Asked(
            data=str(self.place.data),
            key=str(self.place.key),
            postgres=self.place.postgres,
            demo=demo,
            guard=self._guard,
            flow=0.0,
            readers=readers,
        )
        server = Server(asked, self.folder / f"server-{number}.log", self.clock)
        self.servers.append(server)
        return server.start()

    def move(self, seconds: float) -> None:
        """Put the clocks of the floor forward: see Server."""
        self.clock.jump(seconds)
        for server in self.servers:
            server.tell(Moves(jump=seconds))

    async def kill_all(self) -> None:
        """End every server as a power failure would, and wait until the database has noticed."""
        for server in self.servers:
            await asyncio.to_thread(server.kill)
        if self.place.postgres is not None:
            connection = await asyncpg.connect(self.place.postgres)
            while await connection.fetchval(SERVED_BY_SOMEBODY):
                await asyncio.sleep(0.01)
            await connection.close()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the servers can be reached."""
        return tuple(server.address for server in self.servers)

    async def leave(self) -> None:
        """Close every client; who is signed in stays so."""
        while self._clients:
            await self._clients.pop().close()

    @contextlib.asynccontextmanager
    async def visited(self) -> "AsyncIterator[Served]":
        """Be there for one of several tests, whose clients end with its event loop."""
        try:
            yield self
        finally:
            await self.leave()

    async def close(self) -> None:
        """Let everything go."""
        await self.leave()
        for server in self.servers:
            server.kill()

    # who comes

    def nobody(self, *addresses: str) -> Client:
        """A client that has shown nothing."""
        client = Client(*(addresses or self.addresses), patience=PATIENT)
        self._clients.append(client)
        return client

    def terminal(self, name: str, *addresses: str) -> Client:
        """A terminal, or another system by its service account."""
        client = self.nobody(*addresses)
        client.token = self.tokens[name]
        return client

    async def staff(self, name: str, *addresses: str) -> Client:
        """Somebody signed in."""
        client = self.nobody(*addresses)
        shown = await self.shown(name)
        await client.sign_in(shown.name, shown.password, shown.code)
        return client

    async def shown(self, name: str) -> Shown:
        """The proof of a person; for a third code within a minute the clocks are moved."""
        return Shown(name=name, password=password_of(name), code=self.code(name))

    def code(self, name: str) -> str:
        """The code of somebody's second factor that is good next; nothing for one who has none.

        It is good for half a minute more at least: others may move the clocks before it is looked at.
        """
        secret = self._secrets.get(name)
        if secret is None:
            return ""
        now = int(self.clock.wall) // STEP
        step = max(now, self._steps.get(name, 0) + 1)
        if step > now + 1:  # a code is good once
            self.move(STEP * (step - now - 1))
        self._steps[name] = step
        return code_at(secret, step)

    # proof

    async def findings(self) -> dict[str, list[str]]:
        """The findings of an auditor in the journal, stream by stream; the servers may be up."""
        store = await open_store(self.place, writing=False)
        try:
            reports = [await verify(store, stream) for stream in await store.streams()]
        finally:
            await store.close()
        return {each.stream: [str(one) for one in each.findings] for each in reports if each.findings}


async def _done(floor: OpenFloor, body: floor_cmd.FloorBody) -> None:
    stream = floor.service.floor
    answer = await stream.send(
        body, actor=COMMAND_LINE, command_id=f"test-{os.getpid()}-{stream.head.sequence}"
    )
    assert not isinstance(answer, Refused), answer


@contextlib.asynccontextmanager
async def serving(
    folder: Path,
    tables: str,
    terminals: dict[str, tuple[str, int | None]] | None = None,
    *,
    postgres: str | None = None,
    guard: Guard = UNLIMITED,
    readers: int | None = None,
    accounts: dict[str, tuple[Scope, ...]] | None = None,
) -> AsyncIterator[Served]:
    """A floor with one server, whose time stands still, until the end."""
    served = Served(folder, tables, postgres=postgres, guard=guard)
    await served.prepare(terminals, accounts=accounts)
    try:
        await asyncio.to_thread(served.server, readers=readers)
        yield served
    finally:
        await served.close()


@contextlib.contextmanager
def open_for_many(
    folder: Path,
    tables: str,
    terminals: dict[str, tuple[str, int | None]] | None = None,
    *,
    guard: Guard = UNLIMITED,
    accounts: dict[str, tuple[Scope, ...]] | None = None,
) -> Iterator[Served]:
    """A floor with one server for many tests; at the end it has logged no fault, and its journal is whole."""
    served = Served(folder, tables, guard=guard)
    asyncio.run(served.prepare(terminals, accounts=accounts))
    try:
        served.server()
        yield served
        log = served.servers[0].log
        assert "Traceback" not in log, log
        assert " ERROR " not in log, log
        assert asyncio.run(served.findings()) == {}
    finally:
        asyncio.run(served.close())


def timers(**seconds: float) -> str:
    """The line of a floor file about times: betting waits for the clock, everything else comes at once."""
    usual = {"betting": BETTING, "warning": 0, "card": 0, "between": 0, "offer": 600}
    return (
        "timers = { " + ", ".join(f"{name} = {value}" for name, value in {**usual, **seconds}.items()) + " }"
    )
