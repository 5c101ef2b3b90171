"""The demonstration floor: a training table for each game, somebody in every post, and terminals to play at.

Everybody knows its passwords, so it is made only where no other floor is.
"""

import base64
import datetime
import hashlib
import importlib.resources
import secrets

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.access.credentials import STEP, CredentialKeeper, code_at
from thirdcard.access.directory import digest_of_token
from thirdcard.access.terminals import LASTS, digest_of_code
from thirdcard.clockwork.floor_file import FloorFile, parse_floor_file
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE, is_bot, needs_second_factor
from thirdcard.floor.state import Floor, Office, TableDefinition, Timers
from thirdcard.game.state import Table
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.store import StoreFailed, StoreUnusable
from thirdcard.messages import say
from thirdcard.refusals import Refused
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.staff import Post
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import FloorStream

PASSWORD = "one more card"
TERMINALS_PER_TABLE = 6  # at a table that has as many positions
HISTORY_ROUNDS = 24  # that bots play fast at a table that has no history yet
FAST = Timers(betting=1, warning=0, card=0.05, between=0.2, offer=1)
Sent = tuple[cmd.FloorBody, str]


class DemoPerson(Struct, frozen=True):
    """A person who is called by their post, with the credentials that they sign in with."""

    name: str
    post: Post
    password: str
    secret: str | None

    def code_at(self, moment: datetime.datetime, used: int = 0) -> str:
        """A code of the second factor that is good at a moment, empty where there is none.

        A code is good once, and so is that of the next step already: after one that was used comes the next.
        """
        now = int(moment.timestamp()) // STEP
        return code_at(self.secret, min(max(now, used + 1), now + 1)) if self.secret else ""


class DemoTerminal(Struct, frozen=True):
    """A terminal that is enrolled and enabled, with its token."""

    id: str
    table: str
    position: int | None
    token: str


class Demo(Struct, frozen=True):
    """The demonstration floor as data."""

    file: FloorFile
    people: tuple[DemoPerson, ...]
    terminals: tuple[DemoTerminal, ...]


def hurried(definition: TableDefinition, table: Table) -> TableDefinition:
    """A table of the demonstration as it goes now: fast while bots alone are at it and it has no history.

    A felt with a Dealer takes its own time: nobody closes its betting but the Dealer.
    """
    plays_itself = definition.automatic_dealer and all(is_bot(each.name) for each in table.patrons)
    return replace(definition, timers=FAST) if plays_itself and table.rounds < HISTORY_ROUNDS else definition


def demo(keys: KeyRing, at: datetime.datetime, file: FloorFile | None = None, shelf: Shelf = SHIPPED) -> Demo:
    """The demonstration floor, with tables of its own or others.

    The tokens of its terminals come from the keys, the same ones every time.
    """
    if file is None:
        source = importlib.resources.files("thirdcard").joinpath("floors", "demo.toml")
        file = parse_floor_file(source.name, source.read_bytes(), at, shelf)
    terminals = tuple(
        DemoTerminal(
            id=f"{table.setup.table}-{number}",
            table=table.setup.table,
            position=number if table.setup.positions else None,
            token=_token(keys, f"{table.setup.table}-{number}"),
        )
        for table in file.tables
        if table.setup.terminal
        for number in range(1, min(TERMINALS_PER_TABLE, table.setup.positions or TERMINALS_PER_TABLE) + 1)
    )
    return Demo(file, _people(shelf.houses), terminals)


def _people(houses: tuple[House, ...]) -> tuple[DemoPerson, ...]:
    posts = dict.fromkeys(post for house in houses for post in house.form.posts)
    offices = (Post(office.value) for office in Office)
    return tuple(
        DemoPerson(post, post, PASSWORD, _secret(post) if needs_second_factor(houses, (post,)) else None)
        for post in (*posts, *offices)
    )


def _secret(name: str) -> str:
    """A second factor that everybody can work out."""
    return base64.b32encode(hashlib.sha256(f"demonstration {name}".encode()).digest()[:20]).decode()


def _token(keys: KeyRing, terminal: str) -> str:
    signed = keys.sign(f"token of the demonstration terminal {terminal}".encode())
    return base64.urlsafe_b64encode(hashlib.sha256(signed).digest()).decode().rstrip("=")


async def commands_for(
    made: Demo, floor: Floor, credentials: CredentialKeeper, keys: KeyRing, at: datetime.datetime
) -> tuple[Sent, ...]:
    """The commands, with who gives them, that a floor lacks to be the demonstration floor."""
    sent: list[Sent] = []
    if any(floor.table(table.setup.table) != table for table in made.file.tables):
        sent.append((made.file.command, COMMAND_LINE))
    for person in made.people:
        if floor.person(person.name) is None:
            password = await credentials.keep(person.name, person.password)
            factor = credentials.new_factor(person.name, person.secret).kept if person.secret else None
            body = cmd.AddPerson(
                name=person.name, posts=(person.post,), password=password, second_factor=factor
            )
            sent.append((body, COMMAND_LINE))
    for terminal in made.terminals:
        known = floor.terminal(terminal.id)
        if known is None or known.token != digest_of_token(terminal.token):
            sent += _enrolment(terminal, keys, at)
    return tuple(sent)


def _enrolment(terminal: DemoTerminal, keys: KeyRing, at: datetime.datetime) -> tuple[Sent, ...]:
    code = digest_of_code(keys, secrets.token_hex())
    expected = cmd.EnrolTerminal(
        terminal=terminal.id,
        table=terminal.table,
        position=terminal.position,
        code=code,
        code_ends=at + LASTS,
    )
    claimed = cmd.ClaimTerminal(terminal=terminal.id, code=code, token=digest_of_token(terminal.token))
    enabled = cmd.EnableTerminal(terminal=terminal.id)
    return (expected, COMMAND_LINE), (claimed, terminal.id), (enabled, COMMAND_LINE)


async def make_demo(
    stream: FloorStream,
    credentials: CredentialKeeper,
    keys: KeyRing,
    clock: Clock,
    file: FloorFile | None = None,
    shelf: Shelf = SHIPPED,
) -> Demo:
    """Make a floor the demonstration floor, or leave it so; one with people or tables of its own is not.

    Other tables than the usual ones must be for training: everybody knows the passwords.
    """
    now, floor = clock.now().moment, stream.state or Floor()
    made = demo(keys, now, file, shelf)
    real = [each.setup.table for each in made.file.tables if not each.setup.training]
    if real:
        raise StoreUnusable(
            f"Not for training: {', '.join(real)}; give these tables training = true, or leave --demo out"
        )
    people = {each.name for each in made.people}
    tables = {each.setup.table for each in made.file.tables}
    own = {each.name for each in floor.people} - people | {each.setup.table for each in floor.tables} - tables
    if own:
        raise StoreUnusable(
            f"This floor has people or tables of its own ({', '.join(sorted(own))});"
            " start the demonstration in an empty folder"
        )
    for body, actor in await commands_for(made, floor, credentials, keys, now):
        answer = await stream.send(body, actor=actor, command_id=f"demo-{secrets.token_hex(16)}")
        if isinstance(answer, Refused):
            raise StoreFailed(say(answer.message))
    return made
