"""Three made days of twenty tables: the cost of a record each day, its volume, and how a round is found.

    .venv/bin/python bench/archive.py [ROUNDS]

Each day every table plays so many rounds of two patrons with two wagers each, from shuffled shoes, through
the streams of a floor straight into its store. Then the day is archived, forgotten, and proven from where the
proof of the day before ended. Seconds are those of the processor, of one core.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from moved_clock import MovedClock
from streams.openings import PATRONS, Guide

from thirdcard.auditor.resume import StreamProof
from thirdcard.auditor.verify import AGAINST_NOTHING, verify_on
from thirdcard.cards import Card, Rank
from thirdcard.dossier.make import told_round
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.journal.archive.forget import forget_volumes
from thirdcard.journal.archive.volume import frames_file, manifest_file
from thirdcard.journal.archive.write import write_volumes
from thirdcard.journal.keys import open_key_file
from thirdcard.streams.archives import open_to_forget
from thirdcard.streams.opening import OpenedPlace, open_floor, open_store

GAME, TABLES, DAYS, ROUNDS = "mbs-tiger-v3", 20, 3, 60
SECONDS_OF_A_DAY = 86_400
START = 1_760_000_000_000_000
T = TypeVar("T")


class Day(Struct):
    """The figures of a day."""

    records: int = 0
    played: float = 0.0
    journal: int = 0
    volume: int = 0
    written: float = 0.0
    forgotten: float = 0.0
    left: int = 0
    proven: float = 0.0
    story: float = 0.0
    first_story: float = 0.0


class Dealt:
    """A table that is played at, and its shoe."""

    def __init__(self, guide: Guide, seed: int) -> None:
        self.guide = guide
        self.cards: list[Card] = []
        self.chance = random.Random(seed)

    async def play(self) -> None:
        """One round."""
        guide = self.guide
        if len(self.cards) < 80:
            if guide.stream.head.sequence > 20:
                await guide.do(cmd.LoadShoe(decks=8), "Pit Manager")
            self.cards = [Card(rank) for rank in Rank] * 32
            self.chance.shuffle(self.cards)
        await guide.do(cmd.OpenBetting())
        for patron in PATRONS:
            for wager in ("player", "tie"):
                await guide.place(patron, wager, 10_000)
        await guide.do(cmd.CloseBetting())
        while guide.table.phase is not Phase.IDLE:
            await guide.do(cmd.DrawCard(card=self.cards.pop()))


def timed(work: Coroutine[Any, Any, T]) -> tuple[float, T]:
    """The seconds of the processor that something takes, and its answer."""
    before = time.process_time()
    answer = asyncio.run(work)
    return time.process_time() - before, answer


async def play(where: OpenedPlace, clock: MovedClock, rounds: int) -> int:
    """One day; how many records it made."""
    async with open_floor(where, clock=clock) as floor:
        tables = []
        for number in range(TABLES):
            stream = floor.service.table(f"table-{number:02}")
            await stream.load()
            tables.append(Dealt(Guide(stream, prefix=f"{stream.head.sequence}-"), number))
            if not stream.head.sequence:
                await tables[-1].guide.open(GAME)
        before = sum(each.guide.stream.head.sequence for each in tables)
        for _ in range(rounds):
            await asyncio.gather(*(each.play() for each in tables))
            clock.jump(60)
        return sum(each.guide.stream.head.sequence for each in tables) - before


async def proofs_of(where: OpenedPlace, before: dict[str, StreamProof]) -> dict[str, StreamProof]:
    """Prove every stream from where it was proven before."""
    store = await open_store(where, writing=False)
    found = {}
    for name in await store.streams():
        report, proof = await verify_on(store, name, AGAINST_NOTHING, before.get(name))
        assert report.whole, report.findings
        assert proof is not None
        found[name] = proof
    await store.close()
    return found


async def tell(where: OpenedPlace, number: int) -> None:
    """Find a round of a table and tell it."""
    store = await open_store(where, writing=False)
    assert await told_round(store, "table-00", number) is not None
    await store.close()


async def write(where: OpenedPlace, until: int) -> int:
    """Write the day; the bytes of its volumes."""
    store = await open_store(where, writing=False)
    made = await write_volumes(store, open_key_file(where.key), until=until, wall_time=until)
    await store.close()
    files = [each(where.archive, volume.number) for volume in made for each in (frames_file, manifest_file)]
    return sum(file.stat().st_size for file in files)


async def forget(where: OpenedPlace) -> None:
    """Forget the day."""
    keys = open_key_file(where.key)
    async with open_to_forget(where, keys) as store:
        await forget_volumes(store, keys)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        where = OpenedPlace(Path(folder) / "floor", Path(folder) / "keys" / "floor.keys")
        proofs: dict[str, StreamProof] = {}
        for number in range(DAYS):
            clock = MovedClock(wall=START + number * SECONDS_OF_A_DAY * 1_000_000)
            day = Day()
            day.played, day.records = timed(play(where, clock, rounds))
            day.journal = where.journal.stat().st_size
            day.proven, proofs = timed(proofs_of(where, proofs))
            until = START + (number + 1) * SECONDS_OF_A_DAY * 1_000_000
            day.written, day.volume = timed(write(where, until))
            day.forgotten, _ = timed(forget(where))
            day.left = where.journal.stat().st_size
            day.story, _ = timed(tell(where, rounds * (number + 1) - 1))
            day.first_story, _ = timed(tell(where, 2))
            show(number + 1, day)


def show(number: int, day: Day) -> None:
    """Print the figures of a day."""
    made = day.records
    print(
        f"day {number}: {made:,} records; {day.played / made * 1e6:,.0f} us a record to play;"
        f" journal {day.journal / made:,.0f} bytes a record of the day, volume {day.volume / made:,.0f},"
        f" journal afterwards {day.left / 1e6:,.2f} MB; us a record to write {day.written / made * 1e6:,.0f},"
        f" to forget {day.forgotten / made * 1e6:,.0f}, to prove {day.proven / made * 1e6:,.0f};"
        f" last story {day.story:.2f} s, first {day.first_story:.2f} s"
    )


if __name__ == "__main__":
    main()
