"""Runs a floor until it is told to stop: the only door to uvicorn."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from types import FrameType

import uvicorn
from msgspec import Struct
from msgspec.structs import replace

from thirdcard import __version__
from thirdcard.access.credentials import Cost
from thirdcard.access.sign_in import SessionLimits
from thirdcard.clockwork.demo import Demo, hurried, make_demo
from thirdcard.clockwork.floor_file import FloorFile
from thirdcard.clockwork.readers import Readers
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.journal.marks import JournalMark
from thirdcard.journal.store import StoreUnusable
from thirdcard.messages import say
from thirdcard.refusals import Refused
from thirdcard.server.app import App
from thirdcard.server.connections import let_many_in, limited_http
from thirdcard.server.context import ServerContext
from thirdcard.server.demo_floor import SeatKeeper
from thirdcard.server.exposure import Exposure, Listen, Tls
from thirdcard.server.handshakes import TlsDoor
from thirdcard.server.reporting import WitnessUnreachable, ask_witness
from thirdcard.server.screens import Languages
from thirdcard.server.security import Guard
from thirdcard.server.shares import sparing_collections
from thirdcard.server.socket_frames import FrameSocket
from thirdcard.server.sockets import MESSAGE_BYTES
from thirdcard.server.training_room import TrainingFiles
from thirdcard.streams.clock import Clock
from thirdcard.streams.opening import OpenedPlace, OpenFloor, is_superuser, open_floor
from thirdcard.streams.service import FloorStream

CONCLUDE_WITHIN = 90.0  # real seconds for rounds that deal themselves: whoever stops a process waits for it
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
log = logging.getLogger("thirdcard.serve")


class Serving(Struct, frozen=True):
    """A server that is up: its address, the tables that wait for a person, and the demonstration.

    ``closed`` says why no table takes anything, ``warnings`` what is easier for others than it should be,
    ``watched`` whether anybody but a bot is connected.
    """

    address: str
    held: tuple[str, ...]
    demo: Demo | None
    closed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    watched: Callable[[], bool] = bool


class CannotListen(Exception):
    """The address is taken or not ours."""


class Wanted(Struct, frozen=True, kw_only=True):
    """How to serve; a ``living`` demonstration is one for bots and for visitors who come and go."""

    where: OpenedPlace
    listen: Listen = Listen()
    demo: bool = False
    living: bool = False
    file: FloorFile | None = None
    readers: Listen | None = None
    guard: Guard = Guard()
    cost: Cost = Cost()
    patience: SessionLimits = SessionLimits()
    witness: str | None = None
    tls: Tls | None = None
    monitor: str | None = None
    training: TrainingFiles = TrainingFiles()
    check: bool = True


async def serve(wanted: Wanted, told: Callable[[Serving], None], clock: Clock | None = None) -> None:
    """Serve until a signal comes; ``told`` is called once people can come in."""
    guard = let_many_in(wanted.guard)
    certificate = wanted.tls.context() if wanted.tls is not None else None
    witnessed = await _witnessed(wanted.witness)
    opened = open_floor(wanted.where, witnessed=witnessed, clock=clock)
    async with _listening(wanted.listen) as sockets, opened as floor, AsyncExitStack() as closing:
        address = _address(wanted, sockets[0])
        context = ServerContext(
            wanted.where,
            floor,
            cost=wanted.cost,
            patience=wanted.patience,
            witness=wanted.witness,
            monitor=wanted.monitor,
            training=wanted.training,
        )
        if wanted.demo:
            stream, shelf = floor.service.floor, floor.service.shelf
            context.demo = await make_demo(
                stream, context.credentials, floor.keys, floor.clock, wanted.file, shelf
            )
        elif wanted.file is not None and not floor.service.closed:
            await _define(floor.service.floor, wanted.file)
        closing.push_async_callback(context.close)
        context.clockwork.pace = hurried if wanted.living else context.clockwork.pace
        await context.open()
        if wanted.readers is not None:
            await _take_readers(context.readers, wanted.readers)
        if wanted.listen.is_local and not guard.hosts and not guard.proxies:
            guard = _only_local(guard)
        app = App(context, guard, _languages(wanted.file))
        if wanted.living:
            context.chore(SeatKeeper(context, app.sockets.terminals).run())
        server = _server(app, guard)
        serving = asyncio.create_task(server.serve(sockets=sockets if certificate is None else []))
        await _until_started(server, serving)
        door = TlsDoor(sockets[0], certificate, guard, server.make_http) if certificate else None
        if door is not None:
            door.open()
        closing.enter_context(sparing_collections())
        up = {"address": address, "version": __version__, "tables": sum(1 for _ in context.hub.channels())}
        log.info("up", extra={"fields": {**up, "held": floor.held}})
        warnings = await _warnings(wanted, guard, floor)
        for warning in warnings:
            log.warning(warning)
        if wanted.check:
            context.chore(context.checks.run())
        closed = tuple(map(say, floor.service.closed))
        told(Serving(address, floor.held, context.demo, closed, warnings, app.sockets.watched))
        await _wait(server, serving)
        log.info("asked to stop", extra={"fields": {"rounds_to_end": context.clockwork.busy}})
        await _conclude(context, server)
        if door is not None:
            await door.close()
        app.sockets.end_all("stopping")
        context.calls.end_all()
        server.should_exit = True
        await serving
    log.info("stopped")


def _languages(file: FloorFile | None) -> Languages:
    return Languages(file.languages, file.language) if file else Languages()


async def _warnings(wanted: Wanted, guard: Guard, floor: OpenFloor) -> tuple[str, ...]:
    exposure = Exposure(
        listen=wanted.listen,
        guard=guard,
        tls=wanted.tls is not None,
        demo=wanted.demo,
        superuser=await is_superuser(floor.store),
    )
    return tuple(map(say, exposure.warnings))


async def _witnessed(address: str | None) -> tuple[JournalMark, ...]:
    """The newest marks of the witness; one that does not answer is said and waited for no longer."""
    if address is None:
        return ()
    try:
        return await asyncio.to_thread(ask_witness, address)
    except WitnessUnreachable as error:
        log.warning("the witness cannot be asked", extra={"fields": {"why": str(error)}})
        return ()


async def _define(stream: FloorStream, file: FloorFile) -> None:
    """Take the tables of a floor file over, once."""
    command_id = f"floor-file/{stream.head.sequence}/{file.command.digest}"
    answer = await stream.send(file.command, actor=COMMAND_LINE, command_id=command_id)
    if isinstance(answer, Refused):
        raise StoreUnusable(say(answer.message))


async def _take_readers(readers: Readers, listen: Listen) -> None:
    try:
        await readers.start(listen.host, listen.port)
    except OSError as error:
        raise CannotListen(f"{listen.host}:{listen.port}: {error.strerror or error}") from error


def _only_local(guard: Guard) -> Guard:
    return replace(guard, hosts=LOCAL_NAMES)


@contextlib.asynccontextmanager
async def _listening(listen: Listen) -> AsyncIterator[list[socket.socket]]:
    """Listen until the end, also where the floor cannot be opened."""
    sockets = _bind(listen)
    try:
        yield sockets
    finally:
        for each in sockets:
            each.close()


def _bind(listen: Listen) -> list[socket.socket]:
    try:
        family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
        return [socket.create_server((listen.host, listen.port), family=family, backlog=2048)]
    except OSError as error:
        raise CannotListen(f"{listen.host}:{listen.port}: {error.strerror or error}") from error


def _address(wanted: Wanted, bound: socket.socket) -> str:
    port, host = bound.getsockname()[1], wanted.listen.host
    scheme = "http" if wanted.tls is None else "https"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"


class _Server(uvicorn.Server):
    """A server whose first signal asks for a graceful end, and a second one for an end at once."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.asked = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def make_http(self) -> asyncio.Protocol:
        """Return a connection of HTTP that has no client yet."""
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Take a signal."""
        if self.asked.is_set():
            self.force_exit = self.should_exit = True
        self._loop.call_soon_threadsafe(self.asked.set)


def _server(app: App, guard: Guard) -> _Server:
    config = uvicorn.Config(
        app.gate,
        loop="none",
        http=limited_http(guard),
        ws=FrameSocket,
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=guard.silence,
        ws_ping_timeout=guard.silence,
        lifespan="off",
        proxy_headers=False,
        server_header=False,
        date_header=False,
        access_log=False,
        log_config=None,
        timeout_keep_alive=20,
        timeout_graceful_shutdown=10,
    )
    return _Server(config)


async def _until_started(server: uvicorn.Server, serving: "asyncio.Task[None]") -> None:
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)


async def _wait(server: _Server, serving: "asyncio.Task[None]") -> None:
    waiting = asyncio.create_task(server.asked.wait())
    await asyncio.wait((waiting, serving), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()


async def _conclude(context: ServerContext, server: _Server) -> None:
    """Rounds that deal themselves come to their end; others are held when the floor opens again."""
    context.clockwork.rest()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CONCLUDE_WITHIN):
            while context.clockwork.busy and not server.should_exit:
                await asyncio.sleep(0.1)
