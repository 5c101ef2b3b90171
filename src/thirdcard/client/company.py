"""Bots that keep the demonstration floor company: they sit down, play some rounds, leave, and others come."""

import asyncio
import logging
import random
from collections.abc import Callable

from thirdcard.client.bot import BotPlan, play_terminal
from thirdcard.client.calls import Client
from thirdcard.client.errors import NotUnderstood, Unreachable, WasRefused
from thirdcard.floor.standing import BOT, is_bot
from thirdcard.wire.answers import TerminalLine

BOTS_PER_TABLE = 2
FEWEST_ROUNDS, MOST_ROUNDS = 10, 40  # that a bot plays before it leaves
SHORTEST_BREAK, LONGEST_BREAK = 5.0, 40.0  # seconds until another one sits down there
FEWEST_SHOWN = 12  # rounds on the road of a table that has history
SESSION_SECONDS = 7_200.0
CREATURES = ("Crane", "Carp", "Heron", "Swift", "Otter", "Panda", "Gecko", "Mynah", "Ibis", "Egret")
log = logging.getLogger("thirdcard.company")


class Company:
    """A bot for each of the last terminals of a table, as long as somebody watches the floor.

    A table without history gets some whether or not anybody watches.
    """

    def __init__(self, url: str, watched: Callable[[], bool], seed: int | None = None) -> None:
        self._url = url
        self._watched = watched
        self._dice = random.Random(seed)

    async def keep(self, *, without: tuple[str, ...] = ()) -> None:
        """Keep all tables company but some, until this is cancelled."""
        async with Client(self._url) as client:
            terminals = (await client.demo()).terminals
        tables = dict.fromkeys(each.table for each in terminals if each.table not in without)
        seats = [seat for table in tables for seat in _of(table, terminals)[: -BOTS_PER_TABLE - 1 : -1]]
        async with asyncio.TaskGroup() as group:
            for number, seat in enumerate(seats, start=1):
                group.create_task(self._occupy(seat, number))

    async def _occupy(self, seat: TerminalLine, number: int) -> None:
        while True:
            try:
                if await self._is_wanted(seat):
                    await play_terminal(self._url, self._plan(number), terminal=seat.id)
            except (WasRefused, Unreachable, NotUnderstood, TimeoutError) as problem:
                log.debug("%s: %s", seat.id, problem)
            await asyncio.sleep(self._dice.uniform(SHORTEST_BREAK, LONGEST_BREAK))

    async def _is_wanted(self, seat: TerminalLine) -> bool:
        """Whether a bot may sit there: no person does, and somebody watches or the table has no history."""
        async with Client(self._url) as client:
            terminals = (await client.demo()).terminals
            lines = (await client.tables()).tables
        taken = next((each.patron for each in terminals if each.id == seat.id), None)
        rounds = next((each.statistics.rounds for each in lines if each.table == seat.table), 0)
        return (taken is None or is_bot(taken)) and (self._watched() or rounds < FEWEST_SHOWN)

    def _plan(self, number: int) -> BotPlan:
        return BotPlan(
            patron=f"{BOT} {self._dice.choice(CREATURES)} {number}",
            rounds=self._dice.randint(FEWEST_ROUNDS, MOST_ROUNDS),
            seed=self._dice.randrange(2**32),
            within=SESSION_SECONDS,
            in_chips=True,
        )


def _of(table: str, terminals: tuple[TerminalLine, ...]) -> list[TerminalLine]:
    """The terminals of a table, in order."""
    return [each for each in terminals if each.table == table]
