"""Clients that watch tables and note everything, to hold it against what the server says at the end."""

import math
from itertools import zip_longest

import msgspec
from server.served import BETTING, Served

from thirdcard.client.bot import Bot, BotPlan
from thirdcard.client.calls import Client
from thirdcard.client.line import ClientSocket
from thirdcard.client.picture import Picture
from thirdcard.game import commands as cmd
from thirdcard.views.sections.whole import View
from thirdcard.wire.answers import AcceptedAnswer, MomentAt
from thirdcard.wire.forms import Credentials


class Onlooker:
    """A client with a socket that watches some tables from the first moment that it is told."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.line = ClientSocket(client)
        self.pictures: dict[str, Picture] = {}
        self.moments: dict[str, list[MomentAt]] = {}
        self.since: dict[str, int] = {}

    async def watch(self, *tables: str) -> None:
        """Begin."""
        if self.line.opened == 0:
            await self.line.__aenter__()
        for table in tables:
            self.moments[table] = []
            self.pictures[table] = await self.line.watch(table, self.moments[table].append)
            self.since[table] = self.pictures[table].sequence or 0

    async def do(self, table: str, body: cmd.Body, authoriser: Credentials | None = None) -> AcceptedAnswer:
        """Send a command over the socket, and wait until its news are here."""
        answer = await self.line.command(table, body, authoriser=authoriser)
        await self.reaches(table, answer.sequence)
        return answer

    async def reaches(self, table: str, sequence: int) -> None:
        """Wait until what happened up to there has been heard here."""
        while (self.pictures[table].sequence or 0) < sequence:
            await self.pictures[table].changes()

    async def close(self) -> None:
        """End."""
        await self.line.close()

    async def agrees(self, table: str) -> None:
        """The view folded from frames is the server's, and the messages are those of the events."""
        picture = self.pictures[table]
        while True:
            shown = await self.client.table(table)
            if picture.sequence == shown.sequence:
                break
            await picture.changes()
        view = msgspec.json.decode(msgspec.json.encode(shown.view))
        folded = {name: msgspec.json.decode(each) for name, each in picture.sections.items()}
        assert {name: each for name, each in view.items() if each is not None} == folded, table
        told: list[MomentAt] = []
        after = self.since[table]
        while after < shown.sequence:
            page = await self.client.messages(table, after, 100)
            told += page.moments
            after = page.sequence
        # the table may have gone on meanwhile, and already before it was noted since when it is watched
        span = range(self.since[table] + 1, shown.sequence + 1)
        heard = [each for each in self.moments[table] if each.sequence in span]
        for number, pair in enumerate(zip_longest(heard, (each for each in told if each.sequence in span))):
            assert pair[0] == pair[1], (table, span, number, pair)


class Bots:
    """Bots at some tables: when all of them have wagered, however long they take, betting time goes by.

    It does so for as many rounds as ``moves`` says; after them time stands.
    """

    def __init__(self, served: Served, seconds: float = BETTING) -> None:
        self.moves = math.inf
        self._served = served
        self._seconds = seconds
        self._playing: set[WaitedFor] = set()
        self._awaited: set[WaitedFor] = set()

    def come(self, client: Client, plan: BotPlan) -> "WaitedFor":
        """Another one that will play."""
        bot = WaitedFor(self, client, plan)
        self._playing.add(bot)
        self._awaited.add(bot)
        return bot

    def wagered(self, bot: "WaitedFor") -> None:
        """One has wagered."""
        self._awaited.discard(bot)
        if not self._awaited:
            self._awaited = set(self._playing)
            if self.moves:
                self.moves -= 1
                self._served.move(self._seconds)

    def goes(self, bot: "WaitedFor") -> None:
        """One wagers no more."""
        self._playing.discard(bot)
        self.wagered(bot)


class WaitedFor(Bot):
    """A bot that says when it has wagered, and when it does so no more."""

    def __init__(self, bots: Bots, client: Client, plan: BotPlan) -> None:
        super().__init__(client, plan)
        self._bots = bots

    async def _wager(self, view: View) -> None:
        await super()._wager(view)
        self._bots.wagered(self)

    async def _leave(self, picture: Picture, terminal: str) -> None:
        self._bots.goes(self)
        await super()._leave(picture, terminal)
