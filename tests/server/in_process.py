"""A demonstration floor inside the process of a test, without network and disk."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
from moved_clock import MovedClock
from server.process import CHEAP

from thirdcard.clockwork.demo import make_demo
from thirdcard.game import commands as cmd
from thirdcard.journal.keys import KeyPair, KeyRing
from thirdcard.journal.memory import MemoryStore
from thirdcard.refusals import Refused
from thirdcard.server.app import App
from thirdcard.server.context import ServerContext
from thirdcard.server.security import Guard
from thirdcard.staff import Post
from thirdcard.streams.opening import OpenedPlace, OpenFloor
from thirdcard.streams.service import Service

KEYS = KeyRing((KeyPair(bytes(range(32)), bytes(range(32, 64))),))
TABLE = "felt-tiger"


class Here(ServerContext):
    """The floor, its application, and its clock, which stands still until it is moved."""

    app: App
    clock: MovedClock

    def client(self, address: str = "203.0.113.9") -> httpx.AsyncClient:
        """A client at an address."""
        transport = httpx.ASGITransport(self.app.gate, client=(address, 4711))
        return httpx.AsyncClient(transport=transport, base_url="http://floor.example")

    async def record(self, count: int) -> None:
        """Have so many records at a table."""
        stream = self.floor.service.table(TABLE)
        for number in range(count):
            on = cmd.ComeOnDuty(person="Dee", post=Post("dealer"))
            body = on if number % 2 == 0 else cmd.GoOffDuty(person="Dee")
            command_id = f"record-{stream.head.sequence:08}"
            answer = await stream.send(body, actor="Dee", command_id=command_id)
            assert not isinstance(answer, Refused), answer


@contextlib.asynccontextmanager
async def floor_here(folder: Path, guard: Guard = Guard()) -> AsyncIterator[Here]:  # noqa: B008 - frozen
    """A demonstration floor that is served here until the end."""
    clock, store = MovedClock(), MemoryStore()
    service = Service(store, KEYS, clock)
    held = await service.start()
    place = OpenedPlace(folder / "data", folder / "keys" / "floor.keys")
    here = Here(place, OpenFloor(service, store, KEYS, clock, held), cost=CHEAP)
    here.demo = await make_demo(service.floor, here.credentials, KEYS, clock, None)
    here.clock = clock
    here.app = App(here, guard)
    await here.open()
    try:
        yield here
    finally:
        await here.close()
        await service.stop()
