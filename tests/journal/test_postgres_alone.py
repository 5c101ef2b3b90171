"""Credits that one person moves alone count at all tables together, also at two servers of one database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from contracts.stores import postgres
from floor.test_floor import SETUP
from streams.openings import Guide, serving

from thirdcard.game import commands as cmd
from thirdcard.game.events import Event
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.alone import AloneCredits
from thirdcard.streams.service import Service

SUPER_SIX = SETUP.game
TABLES = ("T1", "T2")
ALONE = 500_000  # what the house lets one person sell alone
RACES = 10


@asynccontextmanager
async def two_servers(url: str) -> AsyncIterator[tuple[Service, Service]]:
    """Two servers of one database, with open tables that the first one has set up."""
    opened = postgres(url)
    async with opened() as one, opened() as two, serving(one) as first, serving(two) as second:
        for table in TABLES:
            await Guide(first.table(table)).open(SUPER_SIX)
        yield first, second


def reasons(answers: list[Accepted[Event] | Refused]) -> list[Refusal | None]:
    """Why commands were refused, those that were not first."""
    found = [each.reason if isinstance(each, Refused) else None for each in answers]
    return sorted(found, key=str)


async def test_two_servers_count_what_one_person_sells_at_once(postgres_url: str) -> None:
    async with two_servers(postgres_url) as (first, second):
        desks = AloneCredits(first), AloneCredits(second)
        for race in range(RACES):
            sales = [
                desk.send(
                    table,
                    cmd.BuyCredits(terminal="Ada", amount=ALONE),
                    actor=f"Tom {race}",
                    command_id=f"{table} {race}",
                )
                for desk, table in zip(desks, TABLES, strict=True)
            ]
            answers = await asyncio.gather(*sales)
            assert reasons(answers) == [None, Refusal.SECOND_PERSON_NEEDED], race


async def test_a_server_counts_what_was_sold_at_another_one_before(postgres_url: str) -> None:
    async with two_servers(postgres_url) as (first, second):
        sale = cmd.BuyCredits(terminal="Ada", amount=ALONE)
        sold = await AloneCredits(first).send("T1", sale, actor="Tom", command_id="a")
        assert isinstance(sold, Accepted)
        more = cmd.BuyCredits(terminal="Ada", amount=1)
        refused = await AloneCredits(second).send("T2", more, actor="Tom", command_id="b")
        assert isinstance(refused, Refused)
        assert refused.reason is Refusal.SECOND_PERSON_NEEDED
        again = await AloneCredits(second).send("T1", sale, actor="Tom", command_id="a")
        assert isinstance(again, Accepted)
        assert again.record == sold.record
