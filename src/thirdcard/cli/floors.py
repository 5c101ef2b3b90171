"""The floor that a command is about, and its opening: a folder or a database, and a file with its keys."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cyclopts import Parameter
from msgspec import Struct

from thirdcard.access.credentials import CredentialKeeper
from thirdcard.access.people import People
from thirdcard.access.terminals import TerminalDesk
from thirdcard.cli.arguments import OwnShelf
from thirdcard.cli.output import NEGATIVE_ANSWER, BadInput, complain
from thirdcard.floor.commands import FloorBody
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Floor
from thirdcard.journal.keys import KeyFileUnusable
from thirdcard.journal.store import StoreFailed, StoreInUse, StoreUnusable
from thirdcard.messages import say
from thirdcard.refusals import Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import text
from thirdcard.streams.opening import OpenedPlace, OpenFloor, look_at_floor, open_floor, place

T = TypeVar("T")
Loop = Callable[[], asyncio.AbstractEventLoop]


@Parameter(name="*")
@dataclass(frozen=True)
class FloorPlace:
    """Where the floor is.

    Parameters
    ----------
    data
        The folder with the floor's journal; without one the usual place for a user's data.
    postgres
        The address of a database with the journal, instead of a folder.
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    """

    data: Path | None = None
    postgres: str | None = None
    key: Path | None = None
    shelf: OwnShelf = SHIPPED

    @property
    def place(self) -> OpenedPlace:
        """The place that is meant."""
        return self.place_of(demo=False)

    def place_of(self, *, demo: bool) -> OpenedPlace:
        """The place that is meant, or that of the demonstration."""
        try:
            return place(data=self.data, postgres=self.postgres, key=self.key, demo=demo, shelf=self.shelf)
        except StoreUnusable as error:
            raise BadInput(str(error)) from error


USUAL_FLOOR = FloorPlace()


class FloorOffice(Struct, frozen=True):
    """A floor that is open for one command, with who sees to people and terminals."""

    floor: OpenFloor
    people: People
    terminals: TerminalDesk

    async def send(self, body: FloorBody) -> Refused | None:
        """Have something done on the floor in the name of the command line."""
        stream = self.floor.service.floor
        command_id = f"{self.floor.clock.run}-{stream.head.sequence}"
        answer = await stream.send(body, actor=COMMAND_LINE, command_id=command_id)
        return answer if isinstance(answer, Refused) else None


def do(where: FloorPlace, work: Callable[[FloorOffice], Awaitable[T]]) -> T:
    """Open a floor, do something there, and close it."""

    async def opened() -> T:
        async with open_floor(where.place, tables=False) as floor:
            credentials = CredentialKeeper(floor.keys)
            stream = floor.service.floor
            terminals = TerminalDesk(stream, floor.keys, floor.clock)
            try:
                return await work(
                    FloorOffice(floor, People(stream, credentials, floor.service.houses), terminals)
                )
            finally:
                credentials.close()

    return run(where.place, opened)


def look(where: FloorPlace) -> Floor:
    """A floor as it is by now, also while a server runs."""

    async def looked() -> Floor:
        return await look_at_floor(where.place)

    return run(where.place, looked)


def run(where: OpenedPlace, work: Callable[[], Awaitable[T]], loop: Loop | None = None) -> T:
    """Do something with a floor; what is wrong with its journal or its keys is said as bad input."""

    async def awaited() -> T:
        return await work()

    try:
        with asyncio.Runner(loop_factory=loop) as runner:
            return runner.run(awaited())
    except StoreInUse as error:
        raise BadInput(text("cli.floor-in-use", journal=str(where.journal))) from error
    except (StoreUnusable, StoreFailed, KeyFileUnusable) as error:
        raise BadInput(str(error)) from error


def send(where: FloorPlace, body: FloorBody, sentence: str) -> int:
    """Send a command to a floor, and say that it is done, or why not; the exit status."""
    return tell(do(where, lambda office: office.send(body)), sentence)


def tell(answer: Refused | None, sentence: str) -> int:
    """Say that something is done, or why not; the exit status."""
    if answer is not None:
        complain(say(answer.message))
        return NEGATIVE_ANSWER
    print(sentence)
    return 0
