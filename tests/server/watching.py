"""Clients that watch tables and note everything, to hold it against what the server says at the end."""

import msgspec

from thirdcard.client.calls import Client
from thirdcard.client.line import Line
from thirdcard.client.picture import Picture
from thirdcard.game import commands as cmd
from thirdcard.server.wire import AcceptedAnswer, Credentials, MomentAt


class Onlooker:
    """A client with a socket that watches some tables from the first moment that it is told."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.line = Line(client)
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
        while (self.pictures[table].sequence or 0) < answer.sequence:
            await self.pictures[table].changes()
        return answer

    async def close(self) -> None:
        """End."""
        await self.line.close()

    async def agrees(self, table: str) -> None:
        """What was folded from frames is what the server shows, and what was told is what happened."""
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
        # the table may have gone on meanwhile
        heard = [each for each in self.moments[table] if each.sequence <= shown.sequence]
        assert heard == [each for each in told if each.sequence <= shown.sequence], table
