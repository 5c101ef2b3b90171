"""A floor in a file or a database, played at a little, for somebody who can write there but has no key."""

import sqlite3
from collections.abc import Iterable
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from access.signing import CHEAP, password_of
from msgspec import Struct
from streams.openings import Guide

from thirdcard.access.credentials import CredentialKeeper, NewFactor
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.journal.checkpoints import make_checkpoint, make_snapshot
from thirdcard.journal.codec import encode_state
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import Record, head_of
from thirdcard.staff import Post
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.opening import OpenedPlace, OpenFloor, open_floor, open_store

TABLE, GAME = "T1", "mbs-tiger-v3"
PEOPLE = {"Gil": "gaming-shift-manager", "Eve": "senior-management", "Dana": "dealer"}
TABLES = ("record", "checkpoint", "snapshot", "content")


class TamperedFloor(Struct):
    """Where a floor is, and the second factors of its people."""

    place: OpenedPlace
    factors: dict[str, NewFactor] = {}

    async def begin(self, rounds: int = 2) -> None:
        """People are added, a table is opened, and some rounds are dealt."""
        async with open_floor(self.place) as floor:
            credentials = CredentialKeeper(floor.keys, CHEAP)
            for name, post in PEOPLE.items():
                self.factors[name] = credentials.new_factor(name)
                body = floor_cmd.AddPerson(
                    name=name,
                    posts=(Post(post),),
                    password=await credentials.keep(name, password_of(name)),
                    second_factor=self.factors[name].kept,
                )
                answer = await floor.service.floor.send(body, actor=COMMAND_LINE, command_id=f"add {name}")
                assert isinstance(answer, Accepted)
            credentials.close()
            await Guide(floor.service.table(TABLE)).open(GAME)
        await self.play(rounds)

    async def play(self, rounds: int) -> None:
        """Serve the floor again for some rounds."""
        async with open_floor(self.place) as floor:
            await deal(floor, rounds)

    async def do(self, *statements: str) -> list[Any]:
        """Have the database do something, its guards taken away; the rows of the last statement."""
        if self.place.postgres is None:
            connection = sqlite3.connect(self.place.journal, isolation_level=None)
            names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for (name,) in names:
                connection.execute(f"DROP TRIGGER {name}")
            rows = [connection.execute(each).fetchall() for each in statements]
            connection.close()
            return rows[-1]
        connection = await asyncpg.connect(self.place.postgres)
        try:
            for table in TABLES:
                await connection.execute(f"ALTER TABLE thirdcard.{table} DISABLE TRIGGER ALL")
            await connection.execute("SET search_path = thirdcard")
            rows = [await connection.fetch(each) for each in statements]
            return list(rows[-1])
        finally:
            await connection.close()

    async def records(self, stream: str) -> tuple[Record, ...]:
        """The records of a stream."""
        store = await open_store(self.place, writing=False)
        try:
            return await store.read(stream)
        finally:
            await store.close()

    async def rewrite(self, stream: str, made: tuple[Record, ...], *, signposts: bool = False) -> None:
        """Put other records in the place of those of a stream, and take away what was signed about it.

        With ``signposts`` its checkpoints and its snapshot stay.
        """
        names = Record.__struct_fields__
        for table in ("record",) if signposts else ("record", "checkpoint", "snapshot"):
            await self.do(f"DELETE FROM {table} WHERE stream = '{stream}'")
        for record in made:
            values = ", ".join(_literal(getattr(record, name), self.place) for name in names)
            await self.do(f"INSERT INTO record ({', '.join(names)}) VALUES ({values})")

    async def sign(self, keys: KeyRing, made: tuple[Record, ...], reasons: dict[int, str]) -> None:
        """Sign checkpoints of records, each for its reason."""
        store, tree = await open_store(self.place, writing=True), Frontier()
        try:
            for record in made:
                tree = tree.grown(leaf(record.digest))
                if record.sequence in reasons:
                    about = {"stream": record.stream, "reason": reasons[record.sequence]}
                    head, time = head_of(record), record.wall_time
                    signed = make_checkpoint(keys, head=head, tree=tree, wall_time=time, **about)
                    await store.keep_checkpoint(signed)
        finally:
            await store.close()

    async def forget_beyond(self, sequence: int, streams: Iterable[str] = (TABLE,)) -> None:
        """Take the end of streams away, with everything that was signed about it."""
        for stream in streams:
            await self.do(
                f"DELETE FROM record WHERE stream = '{stream}' AND sequence > {sequence}",
                f"DELETE FROM checkpoint WHERE stream = '{stream}' AND sequence > {sequence}",
                f"DELETE FROM snapshot WHERE stream = '{stream}' AND sequence > {sequence}",
            )

    async def set_content(self, digest: str, content: bytes) -> None:
        """Put another content under a digest."""
        stored = _literal(content, self.place)
        await self.do(f"UPDATE content SET content = {stored} WHERE digest = '{digest}'")

    async def keep_snapshot(self) -> None:
        """Have the table keep a snapshot, as a long evening does."""
        async with open_floor(self.place) as floor:
            stream = floor.service.table(TABLE)
            await stream.load()
            assert stream.state is not None
            made = make_snapshot(
                floor.keys,
                stream=TABLE,
                head=stream.head,
                tree=stream.tree,
                state=encode_state(stream.state),
            )
            await floor.store.keep_snapshot(made)

    async def set_snapshot(self, stream: str, state: bytes) -> None:
        """Put another state into the snapshot of a stream."""
        await self.do(f"UPDATE snapshot SET state = {_literal(state, self.place)} WHERE stream = '{stream}'")

    async def ends(self) -> dict[str, int]:
        """Where the streams end."""
        rows = await self.do("SELECT stream, max(sequence) FROM record GROUP BY stream")
        return {row[0]: row[1] for row in rows}

    async def back_up(self, name: str) -> None:
        """Keep a copy of all rows under a name."""
        await self.do(
            *(f"CREATE TABLE {name}_{table} AS SELECT * FROM {table}" for table in TABLES), "SELECT 1"
        )

    async def restore(self, name: str) -> None:
        """Put the rows of a copy in the place of all that there are."""
        for table in TABLES:
            await self.do(
                f"DELETE FROM {table}",
                f"INSERT INTO {table} SELECT * FROM {name}_{table}",
                f"DROP TABLE {name}_{table}",
            )


async def deal(floor: OpenFloor, rounds: int) -> None:
    """Deal some rounds."""
    stream = floor.service.table(TABLE)
    await stream.load()
    guide = Guide(stream, prefix=f"{floor.clock.run}-{stream.head.sequence}")
    for _ in range(rounds):
        await guide.bet(("Ada", "player", 10_000))
        await guide.deal("9H", "2S", "KD", "5C")


def _literal(value: object, place: OpenedPlace) -> str:
    """A value as SQL has it."""
    if isinstance(value, bytes):
        return f"x'{value.hex()}'" if place.postgres is None else f"decode('{value.hex()}', 'hex')"
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"
