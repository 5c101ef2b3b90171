"""One simulated evening: two servers on one disk, patrons and a pit manager, and faults from a seed."""

import asyncio
import contextlib
import datetime
import itertools
import random
from collections.abc import Callable
from pathlib import Path

import httpx
from msgspec import Struct
from msgspec.structs import replace
from server.process import CHEAP
from simulation.disk import Disk, SimulatedStore, StoreFaults, Strike, WriteFault
from simulation.loop import Process
from simulation.network import Network, NetworkFaults, Server, Transport

from thirdcard.client.bot import Bot, BotPlan
from thirdcard.client.calls import Client, RetryPolicy
from thirdcard.client.errors import Trouble, WasRefused
from thirdcard.clockwork.demo import Demo, demo, make_demo
from thirdcard.clockwork.floor_file import FloorFile, parse_floor_file
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.journal.keys import KeyPair, KeyRing
from thirdcard.journal.store import StoreFailed, StoreUnusable
from thirdcard.server.app import App
from thirdcard.server.context import ServerContext
from thirdcard.server.security import Guard
from thirdcard.staff import Post
from thirdcard.streams.clock import Clock, Instant
from thirdcard.streams.opening import OpenedPlace, OpenFloor
from thirdcard.streams.service import Service
from thirdcard.streams.stream import APPENDS_AHEAD
from thirdcard.views.sections.whole import View

KEYS = KeyRing((KeyPair(bytes(range(32)), bytes(range(32, 64))),))
BEGINNING = 1_800_000_000_000_000  # microseconds since 1970
BETTING_SECONDS = 10
PLACE = OpenedPlace(Path("/nowhere"), Path("/nowhere/keys"), postgres="simulated")
TABLES = "".join(
    f"""
[[table]]
name = "{name}"
game = "{game}"
terminal = true
training = true
differential = "1000000"
virtual_shoe = true
automatic_dealer = true
{more}
timers = {{ betting = {BETTING_SECONDS}, warning = 2, card = 1, between = 2, offer = 5 }}
"""
    for name, game, more in (
        ("tiger", "mbs-tiger-v3", 'method = "A"\nface_down = true'),
        ("hoiana", "hoiana-tiger-2024/commission", ""),
    )
)
SUPER_SIX = f"""
[[table]]
name = "six"
game = "mbs-super-six-etg-v3"
terminal = true
training = true
virtual_shoe = true
automatic_dealer = true
timers = {{ betting = {BETTING_SECONDS}, warning = 2, card = 1, between = 2, offer = 5 }}
"""
PATIENT = RetryPolicy(attempts=200)
ATTEMPTS = 100
HURRIED_SEAT = 4
HURRIED = f"-{HURRIED_SEAT}"  # the terminals at which nobody else plays
TRIES = 400  # to have a write go wrong under exactly so many others: more may come while it does
MORE_AT_ONCE = 8  # commands than are to be decided upon the write that is held up
RUSH_SECONDS = 60.0
ROUND_OF_THE_PIT = 6.0  # seconds between two looks at all tables
LAST_TRY = 90.0  # seconds for each round, and ten rounds more, after which no patron comes again


class SimulatedClock(Clock):
    """The clock of one process: simulated time, with a wall clock that can be set."""

    def __init__(self, started: float) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._started = started
        self.ahead = 0.0  # seconds, of the wall clock

    def now(self) -> Instant:
        """This moment."""
        at = self._loop.time()
        wall = BEGINNING + round((at + self.ahead) * 1_000_000)
        return Instant(wall, round((at + self._started) * 1_000_000_000))


class Wanted(Struct, frozen=True, kw_only=True):
    """An evening: its seed, how many patrons play how many rounds, and what goes wrong how often."""

    seed: int
    patrons: int = 3
    rounds: int = 2
    seconds: float = 120.0  # during which things go wrong, at the most as long as somebody plays
    faults: bool = True
    by_turns: float = 0.0  # seconds after which the elder of two servers is killed, again and again
    struck: tuple[tuple[WriteFault, int], ...] = ()  # writes that go wrong, under how many decided upon them

    @property
    def last_try(self) -> float:
        """Seconds after which no patron comes again."""
        return LAST_TRY * (self.rounds + 10)


class Machine:
    """One server of the floor: started, killed and started again on the same disk."""

    def __init__(self, evening: "Evening", host: str) -> None:
        self.host = host
        self.process: Process | None = None
        self.clock: SimulatedClock | None = None
        self.context: ServerContext | None = None
        self._evening = evening
        self._starts = 0
        self._asked = asyncio.Event()

    async def start(self) -> None:
        """Start, as many times as it takes."""
        while True:
            self._starts += 1
            process = self.process = Process(f"{self.host}-{self._starts}")
            self._asked = asyncio.Event()
            up: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            process.start(self._run(process, up))
            dead = asyncio.ensure_future(process.dead.wait())
            await asyncio.wait((up, dead), return_when=asyncio.FIRST_COMPLETED)
            dead.cancel()
            if up.done() and up.result():
                self._evening.starts.append(asyncio.get_running_loop().time())
                return
            process.kill()
            await asyncio.sleep(1.0)

    async def _run(self, process: Process, up: "asyncio.Future[bool]") -> None:
        evening = self._evening
        self.clock = SimulatedClock(evening.dice.random() * 1000)
        store = SimulatedStore(evening.disk, process, evening.dice, evening.store_faults)
        service = Service(store, KEYS, self.clock)
        try:
            held = await service.start()
            context = ServerContext(PLACE, OpenFloor(service, store, KEYS, self.clock, held), cost=CHEAP)
            context.demo = await make_demo(service.floor, context.credentials, KEYS, self.clock, evening.file)
            await context.open()
        except (StoreFailed, StoreUnusable):
            up.set_result(False)
            return
        self.context = context
        app = App(context, Guard(per_second=0, socket_per_second=0))
        evening.network.servers[self.host] = Server(process, app)
        up.set_result(True)
        await self._asked.wait()
        app.sockets.end_all("stopping")
        await context.close()
        await service.stop()
        await store.close()

    async def stop(self) -> None:
        """Stop as somebody would who has time."""
        assert self.process is not None
        self._asked.set()
        while self.process.tasks:
            await asyncio.sleep(0.1)
        self.process.kill()

    @property
    def is_up(self) -> bool:
        """Whether it serves."""
        return self.process is not None and self.process.alive and self.host in self._evening.network.servers


class Evening:
    """Everything of one run."""

    def __init__(self, wanted: Wanted, forget: Callable[[], None]) -> None:
        """Prepare an evening; before it is judged, ``forget`` drops what its servers had from each other."""
        self.wanted = wanted
        self._forget = forget
        self.dice = random.Random(f"evening {wanted.seed}")
        self.disk = Disk()
        self.store_faults = StoreFaults()
        self.network = Network(self.disk, self.dice, NetworkFaults())
        self.file: FloorFile = parse_floor_file(
            "simulated", f"format = 1\n{TABLES}{SUPER_SIX}".encode(), _moment()
        )
        self.machines = [Machine(self, host) for host in ("one", "two")]
        self.demo: Demo = demo(KEYS, _moment(), self.file)
        self.trouble: list[str] = []
        self.happened: list[str] = []
        self.starts: list[float] = []  # of servers, in simulated seconds
        self.clocks_were_set = False
        self._is_played = False
        self.differences: list[str] = []
        self.played = 0
        self.bots: list[Bot] = []

    def tell(self, what: str) -> None:
        """Note something that went wrong on purpose."""
        self.happened.append(f"{asyncio.get_running_loop().time():9.3f} {what}")

    async def run(self) -> None:
        """Play the evening."""
        first, second = self.machines
        await first.start()
        await second.start()
        pit = asyncio.create_task(self._pit())
        troublemaker = asyncio.create_task(self._go_wrong())
        players = [asyncio.create_task(self._play(number)) for number in range(self.wanted.patrons)]
        await asyncio.gather(*players)
        self._is_played = True
        await troublemaker
        for machine in self.machines:
            if not machine.is_up:
                await machine.start()
        pit.cancel()
        await asyncio.gather(pit, return_exceptions=True)
        await self._compare()
        for machine in self.machines:
            await machine.stop()

    async def _compare(self) -> None:
        """Servers that went through all of it show the same as a new one."""
        self._forget()
        fresh = Machine(self, "three")
        self.machines.append(fresh)
        await fresh.start()
        for table in self.file.tables:
            shown = await self._shown(table.setup.table)
            for machine, view in zip(self.machines, shown, strict=True):
                self.differences += [
                    f"{machine.host} shows {table.setup.table} otherwise: {getattr(view, field)} and not"
                    f" {getattr(shown[-1], field)}"
                    for field in view.__struct_fields__
                    if getattr(view, field) != getattr(shown[-1], field)
                ]

    async def _shown(self, table: str) -> list[View]:
        """The view of a table from every server, at the same sequence."""
        clients = [SimulatedClient(self.network, [f"http://{each.host}"], None) for each in self.machines]
        for _ in range(ATTEMPTS):
            answers = [await client.table(table) for client in clients]
            if len({each.sequence for each in answers}) == 1:
                return [_going_on(each.view) for each in answers]
            await asyncio.sleep(0.3)
        raise AssertionError(f"{table}: the servers do not come to the same record")

    # people

    def client(self, token: str | None = None) -> Client:
        """A client of both servers, in any order."""
        hosts = [f"http://{machine.host}" for machine in self.machines]
        self.dice.shuffle(hosts)
        return SimulatedClient(self.network, hosts, token)

    async def _play(self, number: int) -> None:
        tables = [each.setup.table for each in self.file.tables]
        table = tables[(self.wanted.seed + number) % len(tables)]
        seats = [each for each in self.demo.terminals if each.table == table]
        seat = seats[number // len(tables)]
        plan = BotPlan(
            patron=f"patron-{number}",
            rounds=self.wanted.rounds,
            seed=self.wanted.seed + number,
            within=self.wanted.last_try,
        )
        while True:
            bot = Bot(self.client(seat.token), plan)
            self.bots.append(bot)
            try:
                await bot.play()
            except WasRefused as refused:
                self.tell(f"{plan.patron} is refused: {refused.code}")
            except (Trouble, TimeoutError, ExceptionGroup) as error:
                self.tell(f"{plan.patron} gives up: {error!r}")
            finally:
                self.played += bot.played.rounds
            if bot.played.rounds >= plan.rounds or asyncio.get_running_loop().time() > self.wanted.last_try:
                return
            await asyncio.sleep(2.0)

    async def _pit(self) -> None:
        """Let tables go on that wait for a person."""
        manager = next(each for each in self.demo.people if each.post == "pit-manager")
        while True:
            client, used = self.client(), 0
            try:
                now = self._wall()
                await client.sign_in(manager.name, manager.password, manager.code_at(now, used))
                while True:
                    for table in self.file.tables:
                        name = table.setup.table
                        view = (await client.table(name)).view
                        if view.phase.paused:
                            await self._resume(client, name)
                    if self.dice.random() < 0.2:  # a change of the floor makes everybody plan again
                        await client.floor_command(floor_cmd.Disable(table="six", reason="a drill"))
                        await client.floor_command(floor_cmd.Enable(table="six"))
                    await asyncio.sleep(ROUND_OF_THE_PIT)
            except (Trouble, AttributeError) as error:
                self.tell(f"the pit: {error!r}")
                await asyncio.sleep(31.0)

    async def _resume(self, client: Client, table: str) -> None:
        me = (await client.me()).name
        with contextlib.suppress(WasRefused):  # on duty already
            await client.command(table, cmd.ComeOnDuty(person=me, post=Post("pit-manager")))
        await client.command(table, cmd.ResumeTable())

    def _wall(self) -> datetime.datetime:
        """The right time, which the phones of people have."""
        return _moment() + datetime.timedelta(seconds=asyncio.get_running_loop().time())

    # what goes wrong

    async def _kill_by_turns(self) -> None:
        """Kill the elder server and start it again, so that none lives as long as betting lasts."""
        until = asyncio.get_running_loop().time() + self.wanted.seconds
        for machine in itertools.cycle(self.machines):
            await asyncio.sleep(self.wanted.by_turns)
            if asyncio.get_running_loop().time() >= until or self._is_played:
                return
            if machine.is_up and machine.process is not None:
                machine.process.kill()
                del self.network.servers[machine.host]
                self.tell(f"{machine.process.name} is killed in its turn")
                await machine.start()

    async def _go_wrong(self) -> None:
        if self.wanted.by_turns:
            await self._kill_by_turns()
            return
        await self._strike_all()
        if not self.wanted.faults:
            return
        until = asyncio.get_running_loop().time() + self.wanted.seconds
        under_way: list[asyncio.Task[None]] = []
        while asyncio.get_running_loop().time() < until and not self._is_played:
            await asyncio.sleep(self.dice.random() * 13)
            match self.dice.randrange(8):
                case 0 | 1:
                    under_way.append(asyncio.create_task(self._crash(self.dice.choice(self.machines))))
                case 2:
                    self.store_faults.append_fails = self.dice.choice((0.0, 0.05, 0.3))
                    self.store_faults.answer_lost = self.dice.choice((0.0, 0.05, 0.3))
                    self.store_faults.connection_lost = self.dice.choice((0.0, 0.0, 0.05))
                    self.store_faults.read_fails = self.dice.choice((0.0, 0.0, 0.05))
                    self.tell(f"the store: {self.store_faults}")
                case 3:
                    faults = self.network.faults
                    faults.lost = self.dice.choice((0.0, 0.05, 0.3))
                    faults.doubled = self.dice.choice((0.0, 0.3))
                    faults.held_up = self.dice.choice((0.0, 0.2))
                    faults.cut = self.dice.choice((0.0, 0.02))
                    faults.slow = self.dice.choice((0.0, 0.5))
                    self.tell(f"the network: {faults}")
                case 4 | 5:
                    self._step_clocks()
                case 6:
                    self._heal()
                case 7:
                    under_way.append(asyncio.create_task(self._rush_somehow()))
        self._heal()
        await asyncio.gather(*under_way)

    def _heal(self) -> None:
        self.tell("everything is well")
        for machine in self.machines:
            if machine.clock is not None:
                machine.clock.ahead = 0.0
        for faults in (self.store_faults, self.network.faults):
            for name in faults.__struct_fields__:
                setattr(faults, name, 0.0)

    def _step_clocks(self) -> None:
        """Set the wall clock of one server, or of all of them, as a time server that is wrong would."""
        self.clocks_were_set = True
        seconds = self.dice.choice((-600.0, -5.0, 5.0, 600.0))
        for machine in self.machines if self.dice.random() < 0.5 else [self.dice.choice(self.machines)]:
            if machine.clock is not None:
                machine.clock.ahead += seconds
                self.tell(f"the clock of {machine.host} is put by {seconds}")

    async def _crash(self, machine: Machine) -> None:
        """Kill a server between two of its steps, and start it again after a while."""
        process = machine.process
        if not machine.is_up or process is None or process.doomed:
            return
        process.kill_after(self.dice.randrange(400))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await process.dead.wait()
        process.kill()
        del self.network.servers[machine.host]
        self.tell(f"{process.name} is killed")
        await asyncio.sleep(self.dice.random() * 10)
        await machine.start()
        self.tell(f"{machine.host} is back")

    async def _strike_all(self) -> None:
        """Have writes go wrong under exactly as many others as is wanted."""
        for how, behind in self.wanted.struck:
            for _ in range(TRIES):
                if not self.disk.met[how, behind]:
                    await self._rush(self.dice.choice(self.machines), how, behind)

    async def _rush_somehow(self) -> None:
        how, behind = self.dice.choice(list(WriteFault)), self.dice.randrange(APPENDS_AHEAD)
        await self._rush(self.dice.choice(self.machines), how, behind)

    async def _rush(self, machine: Machine, how: WriteFault, behind: int) -> None:
        """Have a patron send many commands at once while a write is held up, and then goes wrong."""
        if not machine.is_up or machine.process is None:
            return
        seat = self.dice.choice([each for each in self.demo.terminals if each.id.endswith(HURRIED)])
        patron = f"hurried-{seat.table}"
        async with SimulatedClient(self.network, [f"http://{machine.host}"], seat.token) as client:
            with contextlib.suppress(Trouble, TimeoutError):
                async with asyncio.timeout(RUSH_SECONDS):
                    if (await client.me()).patron is None:
                        await client.floor_command(
                            floor_cmd.OpenPatronSession(terminal=seat.id, patron=patron)
                        )
                    while (view := (await client.table(seat.table)).view).phase.paused:
                        await asyncio.sleep(1.0)
                    if view.own is None or not view.own.here:
                        come = cmd.ComeToTable(patron=patron, position=seat.position)
                        await client.command(seat.table, come)
                    self.disk.strike = Strike(machine.process, seat.table, how, behind)
                    self.tell(f"a write of {machine.process.name} to {seat.table}: {how} under {behind}")
                    more = self.dice.randint(1, MORE_AT_ONCE) if self.wanted.struck else MORE_AT_ONCE
                    await self._send_at_once(machine, client, seat.table, patron, how, behind + more)

    async def _send_at_once(
        self, machine: Machine, client: Client, table: str, patron: str, how: WriteFault, number: int
    ) -> None:
        """Send commands to one server; where writes are to conflict, one to another, which comes between.

        A command that is refused keeps those after it waiting; half of the time none is. What another server
        writes does so too.
        """
        wager = (await client.table(table)).view.setup.wagers[0]
        bodies: tuple[cmd.Body, ...] = (
            cmd.BuyCredits(terminal=patron, amount=wager.minimum),
            cmd.CashOut(terminal=patron, amount=wager.minimum),
            cmd.PlaceWager(patron=patron, wager=wager.id, amount=wager.minimum, position=HURRIED_SEAT),
        )
        if self.wanted.struck or self.dice.random() < 0.5:
            bodies = bodies[:1]
        hosts = [f"http://{each.host}" for each in self.machines if each is not machine]
        async with SimulatedClient(self.network, hosts, client.token) as between:
            sent = [client.command(table, self.dice.choice(bodies)) for _ in range(number)]
            if how is WriteFault.CONFLICT:
                sent.append(between.command(table, bodies[0]))
            await asyncio.gather(*sent, return_exceptions=True)


def _going_on(view: View) -> View:
    """A view without what is said where a store failed: that server is stopped until somebody comes to it."""
    return replace(view, phase=replace(view.phase, stopped=False))


class SimulatedClient(Client):
    """Our client with a simulated network under it."""

    def __init__(self, network: Network, hosts: list[str], token: str | None) -> None:
        super().__init__(*hosts, token=token, patience=PATIENT)
        self._http = httpx.AsyncClient(transport=Transport(network), trust_env=False)


def _moment() -> datetime.datetime:
    return datetime.datetime.fromtimestamp(BEGINNING / 1_000_000, datetime.UTC)
