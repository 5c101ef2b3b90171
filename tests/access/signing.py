"""A floor for the tests of signing in: people in several posts, a clock moved by hand, cheap guesses."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from moved_clock import NOON, MovedClock
from streams.openings import KEYS, serving

from thirdcard.access.credentials import STEP, Cost, CredentialKeeper, code_at
from thirdcard.access.people import Made, People
from thirdcard.access.sign_in import Attempt, Delays, OpenedSession, SessionLimits, SignInDesk
from thirdcard.access.terminals import TerminalDesk
from thirdcard.floor import commands as cmd
from thirdcard.floor.events import FloorEvent, SignInFailed
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Floor, Session, TableDefinition
from thirdcard.game.table_setup import Device, Setup
from thirdcard.journal.codec import floor_result_of
from thirdcard.journal.memory import MemoryStore
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.service import Service

CHEAP = Cost(passes=1, memory=8, lanes=1)
STAFF = {
    "Dana": "dealer",
    "Sue": "pit-supervisor",
    "Max": "pit-manager",
    "Gil": "gaming-shift-manager",
    "Tom": "attendant",
}
SETUP = Setup(
    table="T1",
    game="mbs-super-six-etg-v3",
    house="marina-bay-sands",
    layout=None,
    positions=8,
    area=Area.MAIN_FLOOR,
    device=Device.CARD_READING,
    decks=8,
    terminal=True,
    face_down=False,
    automatic=(),
    limits=(),
    differential=0,
)


class Lobby:
    """The floor, its desks, and what everybody knows by heart."""

    def __init__(
        self, service: Service, store: MemoryStore, clock: MovedClock, patience: SessionLimits, cost: Cost
    ) -> None:
        self.service = service
        self.store = store
        self.clock = clock
        self.credentials = CredentialKeeper(KEYS, cost)
        self.patience = patience
        self.people = People(service.floor, self.credentials, SHIPPED.houses)
        self.terminals = TerminalDesk(service.floor, KEYS, self.clock)
        self.secrets: dict[str, str] = {}
        self.desk = self.another_desk()

    def another_desk(self, delays: Delays | None = None) -> SignInDesk:
        """A desk that remembers nothing, as after a restart."""
        return SignInDesk(
            self.service.floor, self.credentials, SHIPPED.houses, self.clock, self.patience, delays
        )

    @property
    def floor(self) -> Floor:
        """The floor as it is by now."""
        return self.service.floor.state or Floor()

    async def fill(self) -> None:
        """Add the staff, and a table."""
        for name, post in STAFF.items():
            made = await self.people.add(name, (Post(post),), password_of(name), by=COMMAND_LINE)
            assert isinstance(made, Made), made
            if made.factor:
                self.secrets[name] = made.factor.text
        tables = (TableDefinition(setup=SETUP),)
        await self.do(cmd.DefineTables(file="f", digest="d", tables=tables))

    async def do(self, body: cmd.FloorBody, actor: str = COMMAND_LINE) -> tuple[FloorEvent, ...]:
        """Have something done on the floor."""
        head = self.service.floor.head.sequence
        answer = await self.service.floor.send(body, actor=actor, command_id=f"do-{head}")
        assert isinstance(answer, Accepted), answer
        return answer.events

    @property
    def step(self) -> int:
        """The step of a code by now."""
        return int(self.clock.wall) // STEP

    def code(self, name: str, steps: int = 0) -> str:
        """The code of a person by now, or some steps away; nothing for those who have none."""
        secret = self.secrets.get(name)
        return code_at(secret, self.step + steps) if secret else ""

    def attempt(
        self, name: str, password: str | None = None, code: str | None = None, address: str = "10.0.0.1"
    ) -> Attempt:
        """A sign-in attempt; right where nothing else is said."""
        return Attempt(
            name=name,
            password=password_of(name) if password is None else password,
            code=self.code(name) if code is None else code,
            console="C1",
            address=address,
        )

    async def enter(self, name: str) -> OpenedSession:
        """Sign somebody in who is right."""
        entered = await self.desk.sign_in(self.attempt(name))
        assert isinstance(entered, OpenedSession), entered
        return entered

    def sessions(self) -> list[Session]:
        """The sessions of the floor."""
        return list(self.floor.sessions)

    async def failures(self) -> list[SignInFailed]:
        """Every failure that was recorded."""
        deeds = [floor_result_of(each) for each in await self.store.read("floor")]
        return [event for deed in deeds for event in deed.events if isinstance(event, SignInFailed)]


def password_of(name: str) -> str:
    """The password of a person."""
    return f"open sesame {sum(name.encode())}"


def why(answer: object) -> Refusal:
    """The reason of a refusal."""
    assert isinstance(answer, Refused), answer
    return answer.reason


@asynccontextmanager
async def lobby(patience: SessionLimits | None = None, cost: Cost = CHEAP) -> AsyncIterator[Lobby]:
    """A floor with its staff, at the desk."""
    store, clock = MemoryStore(), MovedClock(wall=NOON)
    async with serving(store, clock=clock) as service:
        made = Lobby(service, store, clock, patience or SessionLimits(), cost)
        await made.fill()
        try:
            yield made
        finally:
            made.credentials.close()
