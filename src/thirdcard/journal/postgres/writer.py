"""Appends to PostgreSQL: everything that waits goes into one transaction, and answers when it is durable."""

import asyncio
from collections.abc import Callable

from thirdcard.journal.groups import sign_together
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.postgres.link import (
    CONNECT_SECONDS,
    LOST_CONNECTION,
    RIVALRY,
    TROUBLE,
    UNFIT,
    Connection,
    Link,
    Pool,
)
from thirdcard.journal.postgres.schema import SCHEMA
from thirdcard.journal.postgres.turns import Turns
from thirdcard.journal.record import EMPTY, Head, Record, head_of
from thirdcard.journal.store import Appended, Conflict, KnownCommand, StoreFailed

RECORD_FIELDS = Record.__struct_fields__
APPEND_BATCH = 1024  # records in one transaction, unless one append has more
LANES = 3  # transactions in flight at most; measured, one alone is as fast as any number
SLOW = 0.05  # seconds after which a transaction holds up nobody but its own streams
ATTEMPTS = 50  # each one that fails means that somebody else has appended
LOOKS = 10  # for what became of a transaction whose connection was lost
LINK_POLL_SECONDS = 0.2  # seconds
HEADS = """
SELECT name, ends.sequence, ends.digest FROM unnest($1::text[]) AS name CROSS JOIN LATERAL (
    SELECT sequence, digest FROM thirdcard.record WHERE stream = name ORDER BY sequence DESC LIMIT 1
) AS ends
"""
STORED = "SELECT command_id, digest FROM thirdcard.record WHERE command_id = ANY($1::text[])"
# a commit that comes after everything seen so far: what is visible may still be on its way to a standby
BARRIER = "SELECT pg_logical_emit_message(true, 'thirdcard', '')"
PostgresAnswer = Appended | Conflict | KnownCommand


class PostgresAppend:
    """Records that wait for a transaction, and who waits for the answer."""

    __slots__ = ("done", "records", "signer", "stream")

    def __init__(
        self, records: tuple[Record, ...], signer: KeyRing | None, done: asyncio.Future[PostgresAnswer]
    ) -> None:
        self.records = records
        self.signer = signer
        self.stream = records[0].stream
        self.done = done


Answers = list[PostgresAnswer | StoreFailed]


class PostgresWriter:
    """Takes appends and commits them together, in one transaction at a time unless one is held up."""

    def __init__(self, link: Link, pool: Pool, told: Callable[[str, int], None], turns: Turns) -> None:
        self._link = link
        self._pool = pool
        self._told = told
        self._turns = turns
        turns.on_wake = self._begin
        self._loop = asyncio.get_running_loop()
        self._waiting: list[PostgresAppend] = []
        self._busy: set[str] = set()
        self._running: dict[asyncio.Task[None], float] = {}
        self._closed = False

    async def append(self, records: tuple[Record, ...], signer: KeyRing | None) -> PostgresAnswer:
        """Append records; returns when they are durable."""
        if self._closed:
            raise StoreFailed(f"{self._link.place}: the journal was closed")
        task = PostgresAppend(records, signer, self._loop.create_future())
        self._waiting.append(task)
        self._loop.call_soon(self._begin)
        return await task.done

    async def close(self) -> None:
        """Write what waits."""
        self._closed = True
        self._turns.stop()
        while self._waiting or self._running:
            self._begin()
            await asyncio.gather(*self._running)

    def _begin(self) -> None:
        while self._has_room() and (group := self._take()):
            self._running[self._loop.create_task(self._work(group))] = self._loop.time()
            self._loop.call_later(SLOW, self._begin)

    def _has_room(self) -> bool:
        """Whether every transaction in flight is held up, and another one may go past them."""
        late = self._loop.time() - SLOW
        return len(self._running) < LANES and all(begun <= late for begun in self._running.values())

    def _take(self) -> list[PostgresAppend]:
        """The appends of the next transaction by stream: opposite orders would lock each other out."""
        group: list[PostgresAppend] = []
        left: list[PostgresAppend] = []
        size = 0
        for each in self._waiting:
            free = each.stream not in self._busy and not self._turns.rests(each.stream)
            if size < APPEND_BATCH and free:
                group.append(each)
                self._turns.tries(each.stream, each.records[-1].sequence)
                size += len(each.records)
            else:
                left.append(each)
        self._waiting = left
        self._busy.update(each.stream for each in group)
        return sorted(group, key=lambda each: each.stream)

    async def _work(self, group: list[PostgresAppend]) -> None:
        try:
            answers = await self._settle(group)
        except Exception as error:  # whatever it is, nobody is left waiting
            answers = [self._link.failed(error)] * len(group)
        self._busy.difference_update(each.stream for each in group)
        for each, answer in zip(group, answers, strict=True):
            self._answer(each, answer)
        work = asyncio.current_task()
        assert work is not None
        del self._running[work]
        self._begin()

    def _answer(self, task: PostgresAppend, answer: PostgresAnswer | StoreFailed) -> None:
        if isinstance(answer, Appended):
            self._told(task.stream, answer.head.sequence)
        if task.done.done():
            return
        if isinstance(answer, StoreFailed):
            task.done.set_exception(StoreFailed(*answer.args))
        else:
            task.done.set_result(answer)

    async def _settle(self, group: list[PostgresAppend]) -> Answers:
        """The answers to a group: all of it is copied, or all that can be where somebody was quicker."""
        answers: Answers = [Appended(each.records) for each in group]
        for _ in range(ATTEMPTS):
            pairs = zip(group, answers, strict=True)
            winners = [each for each, answer in pairs if isinstance(answer, Appended)]
            if not winners:
                return answers
            sign_together(winners)
            async with self._pool.acquire() as connection:
                error = await _copy(connection, winners)
            if error is None:
                return _as_signed(group, answers)
            if isinstance(error, UNFIT):
                return await self._one_by_one(group, error)
            if isinstance(error, LOST_CONNECTION):
                return await self._look_up(group, error)
            if not isinstance(error, RIVALRY):
                raise error
            answers = await self._judge(group)
        failed = StoreFailed(f"{self._link.place}: others were quicker {ATTEMPTS} times; send it again")
        return [failed] * len(group)

    async def _judge(self, group: list[PostgresAppend]) -> Answers:
        """Decide which of a group can still be appended, by what is stored and which of them come first."""
        async with self._pool.acquire() as connection:
            ends = await connection.fetch(HEADS, list({each.stream for each in group}))
            stored = await connection.fetch(STORED, _command_ids(group))
        heads = {stream: Head(sequence, digest) for stream, sequence, digest in ends}
        taken = {command_id for command_id, _ in stored}
        answers: Answers = []
        for each in group:
            known = next((record.command_id for record in each.records if record.command_id in taken), None)
            if known is not None:
                answers.append(KnownCommand(known))
            elif not _follow(each.records, heads.get(each.stream, EMPTY)):
                answers.append(Conflict())
            else:
                heads[each.stream] = head_of(each.records[-1])
                taken.update(record.command_id for record in each.records)
                answers.append(Appended(each.records))
        await self._ask_for_turns(group, answers)
        return answers

    async def _ask_for_turns(self, group: list[PostgresAppend], answers: Answers) -> None:
        pairs = zip(group, answers, strict=True)
        late = {each.stream for each, answer in pairs if isinstance(answer, Conflict)}
        if late:
            async with self._pool.acquire() as connection:
                await self._turns.ask(connection, late)

    async def _one_by_one(self, group: list[PostgresAppend], error: BaseException) -> Answers:
        """One of a group has a value that cannot be stored; the others do not suffer for it."""
        if len(group) == 1:
            return [self._link.failed(error)]
        return [answer for each in group for answer in await self._settle([each])]

    async def _look_up(self, group: list[PostgresAppend], error: BaseException) -> Answers:
        """Look up a transaction whose connection was lost; only what is stored is acknowledged."""
        for _ in range(LOOKS):
            try:
                async with self._pool.acquire() as connection, connection.transaction():
                    stored = dict(await connection.fetch(STORED, _command_ids(group)))
                    await connection.execute(BARRIER)
            except TimeoutError:
                break
            except TROUBLE:
                await asyncio.sleep(LINK_POLL_SECONDS)
                continue
            return [
                Appended(each.records)
                if all(stored.get(record.command_id) == record.digest for record in each.records)
                else self._link.failed(error)
                for each in group
            ]
        return [self._link.failed(error)] * len(group)


def _as_signed(group: list[PostgresAppend], answers: Answers) -> Answers:
    """The answers with the records as they were signed for the transaction."""
    pairs = zip(group, answers, strict=True)
    return [Appended(each.records) if isinstance(answer, Appended) else answer for each, answer in pairs]


async def _copy(connection: Connection, winners: list[PostgresAppend]) -> BaseException | None:
    """Append records in a transaction of their own, all or none; what went wrong, if anything did."""
    rows = [tuple(map(record.__getattribute__, RECORD_FIELDS)) for each in winners for record in each.records]
    try:
        await connection.copy_records_to_table(
            "record", schema_name=SCHEMA, columns=RECORD_FIELDS, records=rows, timeout=CONNECT_SECONDS
        )
    except (*TROUBLE, *UNFIT) as error:
        return error
    return None


def _command_ids(group: list[PostgresAppend]) -> list[str]:
    return [record.command_id for each in group for record in each.records]


def _follow(records: tuple[Record, ...], end: Head) -> bool:
    """Whether records follow one another after the end of a stream, each under an id of its own."""
    for record in records:
        if Head(record.sequence - 1, record.previous) != end:
            return False
        end = head_of(record)
    return len({record.command_id for record in records}) == len(records)
