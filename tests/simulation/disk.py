"""A store that several simulated servers share: what is on its disk survives them, and it fails when told."""

import asyncio
import enum
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

from msgspec import Struct, field
from simulation.loop import Process

from thirdcard.journal.bulletin import Bulletin
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Head, Record
from thirdcard.journal.store import (
    CONTENT_BATCH,
    READ_BATCH,
    Appended,
    Checkpoint,
    Conflict,
    KnownCommand,
    News,
    Snapshot,
    StoreFailed,
)

SLOWEST = 0.02  # seconds that a call to the store takes at the most
HELD_UP = 200  # times as long, at the most, that a write is held up


class StoreFaults(Struct):
    """How often, in shares of one, an append fails before or after it is durable or with all others that are
    under way, and a reading fails."""

    append_fails: float = 0.0
    answer_lost: float = 0.0
    connection_lost: float = 0.0
    read_fails: float = 0.0


class WriteFault(enum.StrEnum):
    """The fate of an append on which others were decided."""

    FAILED = "failed"
    CONFLICT = "conflict"
    ANSWER_LOST = "answer lost"
    CONNECTION_LOST = "connection lost"


class Strike(Struct, eq=False):
    """A write of one process to be held up until so many are decided upon it, and then to go wrong."""

    process: Process
    stream: str
    how: WriteFault
    behind: int


class Disk:
    """The durable data, when they became so, and which processes serve them.

    ``met`` counts what became of appends, by how many appends were decided upon them by then.
    """

    def __init__(self) -> None:
        self.kept = MemoryStore()
        self.at: dict[str, float] = {}  # when a command became durable, in simulated seconds
        self.serving: list[Process] = []
        self.bulletins: list[tuple[Process, Bulletin]] = []
        self.strike: Strike | None = None
        self.met: Counter[tuple[WriteFault, int]] = Counter()
        self._arriving: Process | None = None
        self._alone: Process | None = None

    def ends(self) -> dict[str, int]:
        """How far every stream goes."""
        return {name: len(each) for name, each in self.kept._streams.items()}

    def has(self, command_id: str) -> Record | None:
        """The record of a command, if it is durable."""
        return self.kept._commands.get(command_id)

    @asynccontextmanager
    async def arriving(self, process: Process) -> AsyncIterator[bool]:
        """Let one process after another arrive; whether no other one serves."""
        while self._arriving is not None and self._arriving.alive:
            await asyncio.sleep(0.01)
        self._arriving = process
        self.serving = [each for each in self.serving if each.alive and each is not process]
        first = not self.serving
        self.serving.append(process)
        try:
            yield first
        finally:
            self._arriving = None

    @asynccontextmanager
    async def exclusive(self, process: Process) -> AsyncIterator[None]:
        """Let one process after another do something; one that is dead holds up nobody."""
        while self._alone is not None and self._alone.alive:
            await asyncio.sleep(0.01)
        self._alone = process
        try:
            yield
        finally:
            if self._alone is process:
                self._alone = None

    def leave(self, process: Process) -> None:
        """Serve no more."""
        self.serving = [each for each in self.serving if each is not process]


class _Pipeline(Struct):
    """The appends of one stream that a process has under way: the next to be written, and how many began."""

    begun: int = 0
    under_way: int = 0
    broken: bool = False  # what follows one that failed cannot follow the last record
    in_order: asyncio.Lock = field(default_factory=asyncio.Lock)


class SimulatedStore:
    """The connection of one process to a disk: every call takes a while, and some fail."""

    def __init__(self, disk: Disk, process: Process, dice: random.Random, faults: StoreFaults) -> None:
        self._disk = disk
        self._process = process
        self._dice = dice
        self._faults = faults
        self._pipelines: dict[str, _Pipeline] = {}
        self._connection = 0
        self._bulletin = Bulletin()
        disk.bulletins = [each for each in disk.bulletins if each[0].alive]
        disk.bulletins.append((process, self._bulletin))

    async def _travel(self) -> None:
        await asyncio.sleep(self._dice.random() * SLOWEST)
        if self._process.released:
            raise StoreFailed("the process is dead")

    async def _reads(self) -> None:
        await self._travel()
        if self._dice.random() < self._faults.read_fails:
            raise StoreFailed("simulated: nothing can be read")

    async def append(
        self, records: tuple[Record, ...], signer: KeyRing | None = None
    ) -> Appended | Conflict | KnownCommand:
        """Append consecutive records of one stream, all or none, after those that were begun before."""
        line, connection = self._pipelines.setdefault(records[0].stream, _Pipeline()), self._connection
        line.begun += 1
        line.under_way += 1
        place = line.begun
        try:
            async with line.in_order:
                await self._travel()
                how = await self._held_up(line, place, records[0])
                self._is_connected(connection, line, place)
                if how is WriteFault.FAILED or self._dice.random() < self._faults.append_fails:
                    self._goes_wrong(WriteFault.FAILED, line, place)
                answer = await self._disk.kept.append(records, signer)
            if isinstance(answer, Appended):
                self._is_durable(answer.records)
            elif isinstance(answer, Conflict) and not line.broken:
                self._disk.met[WriteFault.CONFLICT, line.begun - place] += 1
                line.broken = True
            if how is WriteFault.CONNECTION_LOST or self._dice.random() < self._faults.connection_lost:
                self._connection += 1
            await self._travel()
            self._is_connected(connection, line, place)
            if how is WriteFault.ANSWER_LOST or self._dice.random() < self._faults.answer_lost:
                self._goes_wrong(WriteFault.ANSWER_LOST, line, place)
            return answer
        finally:
            line.under_way -= 1
            if not line.under_way:
                line.broken = False

    async def _held_up(self, line: _Pipeline, place: int, record: Record) -> WriteFault | None:
        """Hold up the write that is to be struck, until so many are decided upon it as shall be."""
        strike = self._disk.strike
        if strike is None or strike.process is not self._process or strike.stream != record.stream:
            return None
        self._disk.strike = None
        for _ in range(HELD_UP):
            overtaken = self._disk.ends().get(record.stream, 0) >= record.sequence
            if line.begun - place >= strike.behind and (overtaken or strike.how is not WriteFault.CONFLICT):
                break
            await asyncio.sleep(SLOWEST)
        return strike.how

    def _is_connected(self, connection: int, line: _Pipeline, place: int) -> None:
        if connection != self._connection:
            self._goes_wrong(WriteFault.CONNECTION_LOST, line, place)

    def _goes_wrong(self, how: WriteFault, line: _Pipeline, place: int) -> NoReturn:
        if not line.broken:
            self._disk.met[how, line.begun - place] += 1
        line.broken = True
        raise StoreFailed(f"simulated: {how}")

    def _is_durable(self, records: tuple[Record, ...]) -> None:
        now = asyncio.get_running_loop().time()
        self._disk.at |= {each.command_id: now for each in records}
        for _, bulletin in self._disk.bulletins:
            bulletin.publish(News(records[-1].stream, records[-1].sequence))

    async def read(self, stream: str, *, after: int = 0, most: int = READ_BATCH) -> tuple[Record, ...]:
        """The records of a stream after a sequence, in order."""
        await self._reads()
        return await self._disk.kept.read(stream, after=after, most=most)

    async def head(self, stream: str) -> Head:
        """The end of a stream."""
        await self._reads()
        return await self._disk.kept.head(stream)

    async def streams(self) -> tuple[str, ...]:
        """All streams by name, sorted."""
        await self._reads()
        return await self._disk.kept.streams()

    async def find(self, command_id: str) -> Record | None:
        """The record of a command."""
        await self._reads()
        return await self._disk.kept.find(command_id)

    async def keep_content(self, digest: str, content: bytes) -> None:
        """Keep a content, once, under its digest."""
        await self._travel()
        await self._disk.kept.keep_content(digest, content)

    async def content(self, digest: str) -> bytes | None:
        """The content with a digest."""
        await self._reads()
        return await self._disk.kept.content(digest)

    async def contents(self, *, after: str = "", most: int = CONTENT_BATCH) -> tuple[tuple[str, bytes], ...]:
        """The contents after a digest, each with its own, in their order."""
        await self._reads()
        return await self._disk.kept.contents(after=after, most=most)

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint; the first of a stream at a sequence stays."""
        await self._travel()
        await self._disk.kept.keep_checkpoint(checkpoint)

    async def checkpoints(
        self, stream: str, *, after: int = 0, most: int | None = None
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints of a stream after a sequence, in order."""
        await self._reads()
        return await self._disk.kept.checkpoints(stream, after=after, most=most)

    async def last_checkpoint(self, stream: str) -> Checkpoint | None:
        """The last checkpoint of a stream."""
        await self._reads()
        return await self._disk.kept.last_checkpoint(stream)

    async def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Keep the newest snapshot of a stream."""
        await self._travel()
        await self._disk.kept.keep_snapshot(snapshot)

    async def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        await self._reads()
        return await self._disk.kept.snapshot(stream)

    async def drop_snapshots(self) -> None:
        """Delete all snapshots."""
        await self._travel()
        await self._disk.kept.drop_snapshots()

    def news(self) -> AsyncIterator[News]:
        """Return the news of all appends since the iteration began, a while after they happened."""
        return self._late(self._bulletin.subscribe())

    async def _late(self, news: AsyncIterator[News]) -> AsyncIterator[News]:
        async for each in news:
            await asyncio.sleep(self._dice.random() * SLOWEST)
            yield each

    @asynccontextmanager
    async def arriving(self) -> AsyncIterator[bool]:
        """Begin to serve; tells whether nobody else does."""
        async with self._disk.arriving(self._process) as first:
            yield first

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[bool]:
        """One at a time in all processes, a while after it was asked for."""
        await self._travel()
        async with self._disk.exclusive(self._process):
            yield True

    async def close(self) -> None:
        """Serve no more; what is on the disk stays."""
        self._disk.leave(self._process)
        self._bulletin.close()
        self._disk.bulletins = [each for each in self._disk.bulletins if each[1] is not self._bulletin]
