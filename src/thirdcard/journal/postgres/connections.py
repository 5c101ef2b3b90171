"""Connections that stay: one hears what others append, one shows others that this process serves."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from thirdcard.journal.bulletin import Bulletin
from thirdcard.journal.postgres.link import CONNECT_SECONDS, READ_ONLY, TROUBLE, Connection, Link
from thirdcard.journal.postgres.schema import CHANNEL, LOCK_SPACE, SERVING, STARTING, TURNS
from thirdcard.journal.postgres.turns import Turns
from thirdcard.journal.store import News

EVERY = 1.0  # seconds between two looks
GRACE = 1.0  # seconds until the server has surely noticed that a killed process is gone
# from the last stream to the first, one look into the index each
STREAM_ENDS = """
WITH RECURSIVE ends AS (
    (SELECT stream, sequence FROM thirdcard.record ORDER BY stream DESC, sequence DESC LIMIT 1)
    UNION ALL
    SELECT next.stream, next.sequence FROM ends CROSS JOIN LATERAL (
        SELECT stream, sequence FROM thirdcard.record WHERE stream < ends.stream
        ORDER BY stream DESC, sequence DESC LIMIT 1
    ) AS next
) SELECT stream, sequence FROM ends
"""
ConnectionStep = Callable[[Connection], Awaitable[None]]
_news = msgspec.json.Decoder(dict[str, int])


class KeptConnection:
    """A connection of its own that is greeted when it is made, looked after, and made again when lost."""

    def __init__(self, link: Link, greet: ConnectionStep, look: ConnectionStep) -> None:
        self._link = link
        self._greet = greet
        self._look = look
        self._connection: Connection | None = None
        self._hurry = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Make the connection, and keep it from now on."""
        await self._renew()
        self._task = asyncio.create_task(self._keep())

    def hurry(self) -> None:
        """Look now."""
        self._hurry.set()

    async def stop(self) -> None:
        """Let go of the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            with contextlib.suppress(*TROUBLE):
                await self._connection.close(timeout=CONNECT_SECONDS)

    async def _keep(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY):  # wait_for could swallow the cancellation of this task
                    await self._hurry.wait()
            self._hurry.clear()
            try:
                if self._connection is None or self._connection.is_closed():
                    await self._renew()
                await self._look(self._connection)
            except TROUBLE:
                if self._connection is not None:
                    self._connection.terminate()
                await asyncio.sleep(EVERY)

    async def _renew(self) -> None:
        connection = await self._link.connect()
        connection.add_termination_listener(lambda _: self.hurry())
        try:
            await self._greet(connection)
        except BaseException:
            connection.terminate()
            raise
        self._connection = connection


class Listener:
    """Tells how far streams have grown, whoever appended to them."""

    def __init__(self, link: Link, turns: Turns) -> None:
        self._standing = KeptConnection(link, self._listen, self._look)
        self._turns = turns
        self._ends: dict[str, int] = {}
        self._bulletin = Bulletin()

    async def start(self) -> None:
        """Hear everything from now on."""
        await self._standing.start()

    def news(self) -> AsyncIterator[News]:
        """Return the news that is heard from now on."""
        return self._bulletin.subscribe()

    def tell(self, stream: str, sequence: int) -> None:
        """A stream has grown up to a sequence, if that is news."""
        if sequence > self._ends.get(stream, 0):
            self._ends[stream] = sequence
            self._bulletin.publish(News(stream, sequence))

    async def stop(self) -> None:
        """Let every reader end."""
        await self._standing.stop()
        self._bulletin.close()

    async def _listen(self, connection: Connection) -> None:
        """Listen first and look after that, so that nothing falls in between; a standby tells nothing."""
        with contextlib.suppress(READ_ONLY):
            await connection.add_listener(CHANNEL, self._heard)
            await connection.add_listener(TURNS, self._asked)
        await self._look(connection)

    async def _look(self, connection: Connection) -> None:
        """Tell how far streams go, and forget what was heard before and is not so: anybody can notify."""
        heard = dict(self._ends)
        stored = dict(await connection.fetch(STREAM_ENDS))
        for stream, sequence in heard.items():
            if sequence > stored.get(stream, 0) and self._ends[stream] == sequence:
                del self._ends[stream]
        for stream, sequence in stored.items():
            self.tell(stream, sequence)

    def _heard(self, _connection: Connection, _process: int, _channel: str, content: str) -> None:
        """News by name, or nothing where there was too much of it for a notification."""
        try:
            ends = _news.decode(content)
        except msgspec.DecodeError:
            self._standing.hurry()
            return
        for stream, sequence in ends.items():
            self.tell(stream, sequence)
            self._turns.grown(stream, sequence)

    def _asked(self, _connection: Connection, _process: int, _channel: str, content: str) -> None:
        """Another process wants its turn at a stream."""
        self._turns.asked(content)


class Presence:
    """Shows that this process serves the journal, by a lock that the server takes back when it dies.

    Another lock is the door: one at a time comes in, and the first one keeps it shut until it is ready.
    """

    def __init__(self, link: Link) -> None:
        self._standing = KeptConnection(link, self._arrive, self._check)
        self._first: bool | None = None
        self._ready = False
        self._shut_by: Connection = None
        self._arriving = asyncio.Lock()

    async def first_up(self) -> bool:
        """Whether no other process served the journal when this one began to; if so, others wait for us."""
        async with self._arriving:
            if self._first is None:
                await self._standing.start()
            assert self._first is not None
            return self._first

    def ready(self) -> None:
        """Others may come in, too."""
        self._ready = True
        self._standing.hurry()

    async def stop(self) -> None:
        """Serve no more."""
        await self._standing.stop()

    async def _arrive(self, connection: Connection) -> None:
        """Take a share in serving; at the first time find out whether there was anybody before."""
        if self._first is None:
            self._first = await self._nobody_serves(connection)
        elif not self._ready:
            await self._shut(connection)  # the connection that kept the door shut was lost
        await connection.execute("SELECT pg_advisory_lock_shared($1, $2)", LOCK_SPACE, SERVING)
        if not self._first:
            await self._open(connection)

    async def _nobody_serves(self, connection: Connection) -> bool:
        """Come in and see whether nobody is there; somebody who was killed a moment ago may seem to be."""
        until = asyncio.get_running_loop().time() + GRACE
        while True:
            await self._shut(connection)
            if await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", LOCK_SPACE, SERVING):
                await connection.execute("SELECT pg_advisory_unlock($1, $2)", LOCK_SPACE, SERVING)
                return True
            if asyncio.get_running_loop().time() > until:
                return False
            await self._open(connection)
            await asyncio.sleep(GRACE / 20)

    async def _shut(self, connection: Connection) -> None:
        """Come in when nobody else does, and shut the door."""
        while not await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", LOCK_SPACE, STARTING):
            await asyncio.sleep(GRACE / 20)
        self._shut_by = connection

    async def _open(self, connection: Connection) -> None:
        """Open the door, if this connection keeps it shut."""
        if self._shut_by is connection:
            await connection.execute("SELECT pg_advisory_unlock($1, $2)", LOCK_SPACE, STARTING)
            self._shut_by = None

    async def _check(self, connection: Connection) -> None:
        await connection.execute("SELECT 1")
        if self._ready:
            await self._open(connection)
