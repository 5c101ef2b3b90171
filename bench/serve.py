"""A server under load, measured from a second process, beside a bare handler in the same run.

    .venv/bin/python bench/serve.py                      # wagers, fan-out, memory
    .venv/bin/python bench/serve.py tables --minutes 10  # 200 tables with bots
    .venv/bin/python bench/serve.py kill                 # killed under load and started again

The bare handler is Starlette with a thread that commits what waits: the same framework, transaction and
number of connections, and nothing of ours. News to many sockets goes beside a broadcast of `websockets`.
Only loopback is used.
"""

import argparse
import asyncio
import itertools
import json
import os
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import bench_floor
import websockets
from bench_floor import Seat
from figures import record_cost

CONNECTIONS = (1, 16, 64)
SECONDS = 4.0
NEWS_TURNS = 40
NEWS_PAUSE_SECONDS = 0.1
PING, PONG = 0x89, 0x8A  # frames of their own
Once = Callable[[int], Awaitable[None]]


class Process:
    """A server in a process of its own."""

    def __init__(self, kind: str, folder: Path, *more: str) -> None:
        self.port = _free_port()
        self._command = [sys.executable, bench_floor.__file__, kind, str(folder), str(self.port), *more]
        self.process = self._start()

    def _start(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)

    def again(self) -> None:
        """Start it again."""
        self.process = self._start()
        self.wait()

    def wait(self) -> None:
        """Until it says that it is up."""
        assert self.process.stdout is not None
        assert "up" in self.process.stdout.readline()

    @property
    def cpu(self) -> float:
        """Seconds of processor time that its threads have used."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in threads) / 1e9

    @property
    def memory(self) -> int:
        """Bytes of memory that it holds."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Http:
    """One connection, kept open: requests one after another, as cheaply as possible."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> "Http":
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def post(self, path: str, body: bytes, token: str = "") -> bytes:
        """Send a body; its answer must be 200."""
        head = (
            f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\n"
            f"x-thirdcard: terminal\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        content = await self._reader.readexactly(length)
        assert answer.startswith(b"HTTP/1.1 200"), (answer, content)
        return content

    def close(self) -> None:
        self._writer.close()


async def measure(number: int, once: Once, seconds: float = SECONDS) -> tuple[int, float, list[float]]:
    """How many were answered in how many seconds with so many connections, and how long each took."""
    times: list[float] = []
    begun = time.perf_counter()
    until = begun + seconds

    async def keep_going(which: int) -> None:
        while (sent := time.perf_counter()) < until:
            await once(which)
            times.append(time.perf_counter() - sent)

    await asyncio.gather(*(keep_going(which) for which in range(number)))
    return len(times), time.perf_counter() - begun, times


def told(name: str, number: int, answered: int, seconds: float, times: list[float], cpu: float) -> None:
    """One line of the table."""
    p50, p99 = statistics.median(times) * 1000, statistics.quantiles(times, n=100)[98] * 1000
    print(
        f"{name:22} {number:4} {answered / seconds:9,.0f} {p50:8.1f} {p99:8.1f} {cpu / answered * 1e6:10.0f}",
        flush=True,
    )


def wager(turn: int) -> dict[str, object]:
    """Chips on, chips off, so that it can go on for ever."""
    kind = "place-wager" if turn % 2 == 0 else "reduce-wager"
    money = {"money": "credits"} if kind == "place-wager" else {}
    return {"type": kind, "wager": "banker", "amount": 5000, **money}


async def wagers() -> None:
    """Durable wagers a second over HTTP and over sockets, and what each costs, beside a bare handler."""
    print(f"{'':22} conn  answered/s    p50    p99 [ms]  CPU [us]")
    for number in CONNECTIONS:
        costs = {}
        for name, run in (("bare handler, HTTP", bare), ("wagers, HTTP", http), ("wagers, socket", sockets)):
            costs[name] = await run(name, number)
        for name in ("wagers, HTTP", "wagers, socket"):
            record_cost(f"processor, {name}, {number} connections", costs[name])
        over_http = costs["wagers, HTTP"] / costs["bare handler, HTTP"]
        over_socket = costs["wagers, socket"] / costs["bare handler, HTTP"]
        print(f"{'':22} of bare: HTTP {over_http:.2f} x, socket {over_socket:.2f} x", flush=True)


async def bare(name: str, number: int) -> float:
    """The bare handler."""
    with tempfile.TemporaryDirectory() as folder:
        server = Process("bare", Path(folder))
        server.wait()
        try:
            lines = [await Http.open(server.port) for _ in range(number)]
            body = json.dumps(
                {"command_id": secrets.token_hex(8), "command": wager(0) | {"patron": "x"}}
            ).encode()

            async def once(which: int) -> None:
                await lines[which].post("/commands", body)

            await measure(number, once, 0.5)
            before = server.cpu
            answered, seconds, times = await measure(number, once)
            cpu = server.cpu - before
            told(name, number, answered, seconds, times, cpu)
            return cpu / answered
        finally:
            server.kill()


@asynccontextmanager
async def floor(tables: int, patrons: int, *more: str) -> AsyncIterator[tuple[Process, list[Seat]]]:
    """A server with tables at which patrons sit who have credits, betting open."""
    with tempfile.TemporaryDirectory() as folder:
        server = Process("floor", Path(folder), str(tables), str(patrons), *more)
        server.wait()
        try:
            seats = bench_floor.seats(tables, patrons)
            line = await Http.open(server.port)
            for seat in seats:
                await sit(line, seat)
            line.close()
            await asyncio.sleep(1.0)  # betting opens
            yield server, seats
        finally:
            if server.process.poll() is None:
                server.kill()


async def sit(line: Http, seat: Seat) -> None:
    """Come to the table and buy credits."""
    for command in (
        {"type": "come-to-table", "patron": seat.patron},
        {"type": "buy-credits", "terminal": seat.patron, "amount": 10_000_000},
    ):
        body = json.dumps({"command_id": secrets.token_hex(8), "command": command}).encode()
        await line.post(f"/api/v1/tables/{seat.table}/commands", body, seat.token)


async def http(name: str, number: int) -> float:
    """Wagers over HTTP: eight tables, so that appends of several streams go together."""
    async with floor(min(8, number), -(-number // 8)) as (server, seats):
        lines = [await Http.open(server.port) for _ in range(number)]
        turns = [0] * number

        async def once(which: int) -> None:
            seat = seats[which]
            command = wager(turns[which]) | {"patron": seat.patron}
            turns[which] += 1
            body = json.dumps({"command_id": secrets.token_hex(8), "command": command}).encode()
            await lines[which].post(f"/api/v1/tables/{seat.table}/commands", body, seat.token)

        await measure(number, once, 0.5)
        before = server.cpu
        answered, seconds, times = await measure(number, once)
        cpu = server.cpu - before
        told(name, number, answered, seconds, times, cpu)
        return cpu / answered


@asynccontextmanager
async def socket_of(port: int, token: str) -> "AsyncIterator[websockets.ClientConnection]":
    """A socket that is signed in."""
    headers = {"authorization": f"Bearer {token}"}
    address = f"ws://127.0.0.1:{port}/api/v1/socket?as=terminal"
    async with websockets.connect(address, additional_headers=headers, compression=None) as found:
        await found.recv()
        yield found


async def sockets(name: str, number: int) -> float:
    """Wagers over sockets that watch nothing."""
    async with floor(min(8, number), -(-number // 8)) as (server, seats):
        opened = [socket_of(server.port, seats[which].token) for which in range(number)]
        lines = [await each.__aenter__() for each in opened]
        turns = [0] * number

        async def once(which: int) -> None:
            seat = seats[which]
            command = wager(turns[which]) | {"patron": seat.patron}
            turns[which] += 1
            message = {
                "type": "command",
                "table": seat.table,
                "command_id": secrets.token_hex(8),
                "command": command,
            }
            await lines[which].send(json.dumps(message))
            answer = await lines[which].recv()
            assert '"accepted"' in str(answer), answer

        await measure(number, once, 0.5)
        before = server.cpu
        answered, seconds, times = await measure(number, once)
        cpu = server.cpu - before
        told(name, number, answered, seconds, times, cpu)
        for each in opened:
            await each.__aexit__(None, None, None)
        return cpu / answered


class Listener(asyncio.Protocol):
    """A socket that counts the frames that come, as cheaply as possible, so that the server is measured."""

    def __init__(self) -> None:
        self.transport = asyncio.Transport()
        self.last = b""
        self._unread = bytearray()
        self._frames = -1  # the answer to the handshake comes first
        self._wanted: tuple[int, asyncio.Future[None]] | None = None

    @classmethod
    async def open(cls, port: int, path: str, token: str = "") -> "Listener":
        loop = asyncio.get_running_loop()
        transport, listener = await loop.create_connection(cls, "127.0.0.1", port)
        head = (
            f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n"
            "upgrade: websocket\r\nconnection: Upgrade\r\n"
            "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13\r\n\r\n"
        )
        transport.write(head.encode())
        await listener.until(0)
        return listener

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._unread += data
        while (end := self._end()) is not None:
            found = bytes(self._unread[:end])
            del self._unread[:end]
            if found[0] == PING:
                self.transport.write(bytes((PONG, 0x80 | found[1])) + bytes(4) + found[2:])
                continue
            self.last = found
            self._frames += 1
        if self._wanted is not None and self._frames >= self._wanted[0]:
            self._wanted[1].set_result(None)
            self._wanted = None

    def _end(self) -> int | None:
        """Where the first frame ends, if it is whole."""
        unread = self._unread
        if self._frames < 0:
            return found + 4 if (found := unread.find(b"\r\n\r\n")) >= 0 else None
        start = {126: 4, 127: 10}.get(unread[1], 2) if len(unread) >= 2 else 2
        if len(unread) < start:
            return None
        end = start + (unread[1] if start == 2 else int.from_bytes(unread[2:start], "big"))
        return end if len(unread) >= end else None

    async def until(self, frames: int) -> None:
        """Wait until so many frames came."""
        if self._frames < frames:
            self._wanted = frames, asyncio.get_running_loop().create_future()
            await self._wanted[1]

    async def next(self) -> None:
        """Wait for one frame more."""
        await self.until(self._frames + 1)

    def send(self, text: str) -> None:
        """Send a message, masked with noughts."""
        content = text.encode()
        length = bytes((0x80 | 126, *len(content).to_bytes(2, "big")))
        self.transport.write(b"\x81" + length + bytes(4) + content)

    @property
    def text(self) -> str:
        """The last message."""
        start = {126: 4, 127: 10}.get(self.last[1], 2)
        return self.last[start:].decode()


class NewsCost(NamedTuple):
    """Processor time of the server for one piece of news, and the usual time until everybody has it."""

    processor: float
    last: float


async def news(server: Process, listeners: list[Listener], cause: Callable[[], Awaitable[None]]) -> NewsCost:
    """Have news sent to every listener, again and again, and tell what it takes once.

    News of a table come seconds apart; what comes sooner goes out together.
    """
    took, before = [], server.cpu
    for _ in range(NEWS_TURNS):
        waits = [asyncio.ensure_future(each.next()) for each in listeners]
        await asyncio.sleep(NEWS_PAUSE_SECONDS)
        sent = time.perf_counter()
        await cause()
        await asyncio.wait_for(asyncio.gather(*waits), 60)
        took.append((time.perf_counter() - sent) * 1000)
    cpu, last = (server.cpu - before) / NEWS_TURNS, statistics.median(took)
    print(
        f" last one after {last:.1f} ms (p50), {max(took):.0f} ms (worst of {len(took)}),"
        f" {cpu * 1000:.1f} ms of processor time, {cpu / len(listeners) * 1e6:.1f} us a socket;",
        end="",
        flush=True,
    )
    return NewsCost(cpu, last)


async def fan_out() -> None:
    """How long until the last of many sockets has the news of a wager, beside a plain broadcast of it."""
    async with floor(10, 1) as (server, seats):
        empty = server.memory
        for number, where in ((500, seats[:1]), (5000, seats)):
            listeners = []
            for turn in range(number):
                seat = where[turn % len(where)]
                opened = await Listener.open(server.port, "/api/v1/socket?as=terminal", seat.token)
                await opened.until(1)
                opened.send(json.dumps({"type": "watch", "table": seat.table}))
                await opened.until(2)
                listeners.append(opened)
            per_socket = (server.memory - empty) / number
            cause = wagers_at(await Http.open(server.port), where)
            print(f"news to {number} sockets of {len(where)} tables:", end="")
            cost = await news(server, listeners, cause)
            print(f" {per_socket / 1024:.0f} KiB a socket", flush=True)
            plain = await broadcast(number, listeners[0].text)
            record_cost(f"processor, news to {number} sockets", cost.processor)
            processor, last = cost.processor / plain.processor, cost.last / plain.last
            ratios = f"processor time {processor:.2f} x, until the last one has it {last:.2f} x"
            print(f"{'':22} of a plain broadcast: {ratios}", flush=True)
            for each in listeners:
                each.transport.close()
            await asyncio.sleep(1)
    sizes = {}
    for tables in (10, 210):
        async with floor(tables, 1) as (server, _):
            sizes[tables] = server.memory
    print(f"memory of a table: {(sizes[210] - sizes[10]) / 200 / 1024:.0f} KiB")


def wagers_at(line: Http, seats: list[Seat]) -> Callable[[], Awaitable[None]]:
    """Have one wager placed at each seat at a time."""
    turns = itertools.count()

    async def cause() -> None:
        turn = next(turns)
        for seat in seats:
            command = wager(turn) | {"patron": seat.patron}
            body = json.dumps({"command_id": secrets.token_hex(8), "command": command}).encode()
            await line.post(f"/api/v1/tables/{seat.table}/commands", body, seat.token)

    return cause


async def broadcast(number: int, text: str) -> NewsCost:
    """Have `websockets` broadcast a text to so many sockets."""
    with tempfile.TemporaryDirectory() as folder:
        server = Process("broadcast", Path(folder))
        server.wait()
        try:
            empty = server.memory
            listeners = [await Listener.open(server.port, "/") for _ in range(number)]
            per_socket = (server.memory - empty) / number
            source = await Listener.open(server.port, "/source")

            async def cause() -> None:
                source.send(text)

            print(f"plain broadcast of {len(text)} characters to {number} sockets:", end="")
            cost = await news(server, listeners, cause)
            print(f" {per_socket / 1024:.0f} KiB a socket", flush=True)
            return cost
        finally:
            server.kill()


async def bots(minutes: float, tables: int = 200) -> None:
    """Tables that deal by themselves, a bot at each, and the memory of the server."""
    async with floor(tables, 1, "quick") as (server, seats):
        stop = asyncio.Event()
        counted = {"rounds": 0, "wagers": 0, "refused": 0}
        playing = [asyncio.create_task(bot(server.port, seat, stop, counted)) for seat in seats]
        begun, sampled = time.monotonic(), []
        before = server.cpu
        while time.monotonic() - begun < minutes * 60:
            await asyncio.sleep(5)
            sampled.append((time.monotonic() - begun, server.memory))
        cpu = (server.cpu - before) / (time.monotonic() - begun)
        stop.set()
        await asyncio.gather(*playing)
        half = [size for at, size in sampled if at >= minutes * 30]
        growth = half[-1] / half[0] - 1
        print(
            f"{tables} tables, {minutes:g} minutes: {counted['rounds']} rounds, {counted['wagers']} wagers,"
            f" {counted['refused']} refused; {cpu:.0%} of a core; memory {half[0] / 2**20:.0f} MiB at half"
            f" time, {half[-1] / 2**20:.0f} MiB at the end: {growth:+.1%}",
            flush=True,
        )


async def bot(port: int, seat: Seat, stop: asyncio.Event, counted: dict[str, int]) -> None:
    """Wagers whenever betting opens; whoever is dropped comes again."""
    sequence: int | None = None
    while not stop.is_set():
        try:
            async with socket_of(port, seat.token) as line:
                watch = {"type": "watch", "table": seat.table} | ({"after": sequence} if sequence else {})
                await line.send(json.dumps(watch))
                while not stop.is_set():
                    frame = json.loads(await asyncio.wait_for(line.recv(), 60))
                    if frame["type"] == "refused":
                        counted["refused"] += 1
                    elif frame["type"] == "accepted":
                        counted["wagers"] += 1
                    elif frame["type"] in ("view", "news"):
                        sequence = frame["sequence"]
                        kinds = [each["what"]["kind"] for each in frame["moments"]]
                        counted["rounds"] += kinds.count("round-ended")
                        if "betting-opened" in kinds:
                            command = {**wager(0), "patron": seat.patron}
                            message = {"type": "command", "table": seat.table, "command": command}
                            message["command_id"] = secrets.token_hex(8)
                            await line.send(json.dumps(message))
        except (OSError, websockets.WebSocketException, TimeoutError):
            await asyncio.sleep(0.5)


async def kill(times: int = 3, tables: int = 20) -> None:
    """Killed under load and started again: nothing acknowledged is lost, and play goes on when released."""
    async with floor(tables, 2) as (server, seats):
        acknowledged: dict[str, int] = {}
        for turn in range(times):
            stop = asyncio.Event()
            load = [
                asyncio.create_task(keep_wagering(server.port, seat, stop, acknowledged)) for seat in seats
            ]
            await asyncio.sleep(3.0)
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            begun = time.perf_counter()
            await asyncio.to_thread(server.again)
            up = time.perf_counter() - begun
            await bench_floor.release(server.port)
            await asyncio.sleep(2.0)
            stop.set()
            await asyncio.gather(*load)
            lost = await bench_floor.missing(server.port, acknowledged)
            print(
                f"kill {turn + 1}: up again in {up:.1f} s; {len(acknowledged)} acknowledged, {lost} lost",
                flush=True,
            )


async def keep_wagering(port: int, seat: Seat, stop: asyncio.Event, acknowledged: dict[str, int]) -> None:
    """Wager without a pause; what was not answered is sent again under the same id."""
    turn, command_id = 0, secrets.token_hex(8)
    while not stop.is_set():
        try:
            async with socket_of(port, seat.token) as line:
                while not stop.is_set():
                    message = {
                        "type": "command",
                        "table": seat.table,
                        "command_id": command_id,
                        "command": wager(turn) | {"patron": seat.patron},
                    }
                    await line.send(json.dumps(message))
                    answer = json.loads(await asyncio.wait_for(line.recv(), 30))
                    if answer["type"] == "accepted":
                        acknowledged[command_id] = answer["sequence"]
                        turn, command_id = turn + 1, secrets.token_hex(8)
                    else:
                        await asyncio.sleep(0.05)  # the table is held
        except (OSError, websockets.WebSocketException, TimeoutError):
            await asyncio.sleep(0.2)


async def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=["wagers", "fan-out"])
    parser.add_argument("--minutes", type=float, default=10)
    asked = parser.parse_args()
    parts: dict[str, Callable[[], Awaitable[None]]] = {
        "wagers": wagers,
        "fan-out": fan_out,
        "kill": kill,
        "tables": lambda: bots(asked.minutes),
    }
    for part in asked.what:
        await parts[part]()


if __name__ == "__main__":
    asyncio.run(main())
