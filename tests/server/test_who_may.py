"""Every endpoint and every command by everybody over real HTTP, cell by cell against the typed matrices.

Columns of machines that have no way in over HTTP, and of a post that nobody can be given, are left to
tests/access/test_permissions.py.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
from access.matrices import bodies, floor_bodies, matrix, tag
from lengths import sized
from limits import LONG_ENOUGH
from server.served import PEOPLE, Served, serving, timers
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from thirdcard.access.endpoints import Endpoint
from thirdcard.client.calls import Client, new_id
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Scope
from thirdcard.game import commands as cmd
from thirdcard.journal.store import Store
from thirdcard.refusals import Refusal
from thirdcard.server.routes import ROUTES
from thirdcard.staff import Post
from thirdcard.streams.opening import open_store
from thirdcard.wire.forms import FloorCommandForm, TableCommandForm
from thirdcard.wire.paths import API, READERS

EVERY_SO_MANY = sized(3, 1)  # of the commands
SIX, HOI_AN, SCHOOL = "Six", "Hoi An", "School"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"

[[table]]
name = "{HOI_AN}"
game = "hoiana-tiger-2024/commission"

[[table]]
name = "{SCHOOL}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers()}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {
    "E1": (SIX, None),
    "E2": (SIX, None),
    "E3": (SIX, None),
    "E4": (SIX, None),
    "N1": (SCHOOL, None),
    "N2": (SCHOOL, None),
}
MBS = {"d": "Dana", "s": "Sue", "m": "Max", "a": "Amy", "g": "Gil"}
HOIANA = {"i": "Ida", "h": "Hal", "r": "Rio", "e": "Eve"}
OFFICES = {"t": "Tom", "v": "Vic", "u": "Una"}
STAFF = {**MBS, **HOIANA, **OFFICES}
FROM_AFAR = {"x-forwarded-for": "203.0.113.9"}  # nobody here trusts it, but such a request is not local
BY_SCOPE = {"T": Scope.TABLES, "R": Scope.RECORDS, "K": Scope.CREDITS, "C": Scope.CARDS, "M": Scope.METRICS}
ACCOUNTS = {
    **{f"Account {column}": (scope,) for column, scope in BY_SCOPE.items()},
    "Account A": tuple(Scope),
    "No credits": tuple(each for each in Scope if each is not Scope.CREDITS),
}
NOT_LET_IN = {
    Refusal.SCOPE_MISSING,
    Refusal.NOT_FOR_ACCOUNTS,
    Refusal.NOT_SIGNED_IN,
    Refusal.NOT_PERMITTED,
    Refusal.NOT_STAFF,
    Refusal.NOT_YOURS,
    Refusal.TERMINAL_DISABLED,
    Refusal.NO_SUCH_DISPUTE,  # of the patron who asks: somebody else's is none
}


class Everybody:
    """Everybody who can call, by the letter of their column."""

    def __init__(self, served: Served, store: Store) -> None:
        self.served = served
        self.store = store
        self.callers: dict[str, Client] = {}
        self.http = httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False)

    async def come(self) -> None:
        """Everybody signs in; Marina Bay Sands and Hoiana have everybody on duty at a table of theirs."""
        for column, name in STAFF.items():
            self.callers[column] = await self.served.staff(name)
        for column, name in (*MBS.items(), *HOIANA.items()):
            table = SIX if column in MBS else HOI_AN
            await self.callers[column].command(table, cmd.ComeOnDuty(person=name, post=Post(PEOPLE[name])))
        await self._off_duty_and_lowered()
        tom = self.callers["t"]
        for terminal, patron in (("E1", "Ann"), ("E2", "Bob"), ("E3", "Dot"), ("N1", "Ann")):
            await tom.floor_command(floor_cmd.OpenPatronSession(terminal=terminal, patron=patron))
            table = TERMINALS[terminal][0]
            at_terminal = self.served.terminal(terminal)
            await at_terminal.command(table, cmd.ComeToTable(patron=patron))
            await at_terminal.command(table, cmd.OpenDispute(patron=patron, about="the call"))
        await self.callers["m"].floor_command(floor_cmd.DisableTerminal(terminal="E3", reason="a test"))
        self.callers |= {
            "p": self.served.terminal("E1"),
            "q": self.served.terminal("E1"),
            "f": self.served.terminal("E3"),
            "w": self.served.terminal("E4"),
            "n": self.served.terminal("N1"),
            "b": self.served.terminal("N1"),
            "z": self.served.nobody(),
            "c": self.served.nobody(),
            **{column: self.served.terminal(f"Account {column}") for column in (*BY_SCOPE, "A")},
        }

    async def _off_duty_and_lowered(self) -> None:
        """Two more: a Pit Manager who is not on duty, and one on duty who is Pit Supervisor by now."""
        gil = self.callers["g"]
        for column, name in (("o", "Oli"), ("l", "Lou")):
            self.callers[column] = await self.served.staff(name)
        lou = cmd.ComeOnDuty(person="Lou", post=Post("pit-manager"))
        await self.callers["l"].command(SIX, lou)
        lowered = floor_cmd.ChangePosts(name="Lou", posts=(Post("pit-supervisor"),))
        await gil.floor_command(lowered, authoriser=await self.served.shown("Zoe"))

    def name(self, column: str) -> str:
        """The name of whoever stands for a column."""
        return {**STAFF, "o": "Oli", "l": "Lou", "K": "Account K", "T": "No credits"}.get(column, "Ann")

    async def send(self, column: str, method: str, path: str, content: bytes | None = None) -> httpx.Response:
        """A request as a column sends it."""
        headers = self.callers[column].headers | (FROM_AFAR if column == "z" else {})
        address = self.served.servers[0].address.rstrip("/")
        return await self.http.request(method, f"{address}{path}", content=content, headers=headers)

    async def command(self, column: str, path: str, form: msgspec.Struct, command_id: str) -> str:
        """The fate of a command: x where it comes before the table or the floor, or a point."""
        response = await self.send(column, "POST", path, msgspec.json.encode(form))
        if response.status_code == 200:
            return "x"
        refused = Refusal(response.json()["reason"])
        recorded = await self.store.find(command_id)
        if recorded is not None:
            return "x"  # refused by the one it was for, and written down
        return "." if refused in NOT_LET_IN else "x"


@asynccontextmanager
async def everybody(folder: Path) -> AsyncIterator[Everybody]:
    """A floor with everybody there."""
    async with serving(folder, TABLES, TERMINALS, accounts=ACCOUNTS) as served:
        store = await open_store(served.place, writing=False)
        here = Everybody(served, store)
        try:
            await here.come()
            yield here
            assert "Traceback" not in served.servers[0].log, served.servers[0].log
        finally:
            await here.http.aclose()
            await store.close()


# commands to tables


async def commands(folder: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    async with everybody(folder) as here:
        here.callers["T"] = here.served.terminal("No credits")
        for at, column in enumerate(here.callers):
            if column in "cRCMA":
                continue
            table = HOI_AN if column in HOIANA else SCHOOL if column == "n" else SIX
            patron = "Bob" if column == "q" else "Cid" if column in {*STAFF, "o", "l"} else "Ann"
            post = "pit-supervisor" if column == "l" else PEOPLE.get(here.name(column), "")
            for number, body in enumerate(bodies(here.name(column), post, patron, acting="Zoe")):
                on_duty = isinstance(body, cmd.ComeOnDuty | cmd.GoOffDuty)  # what the others depend on
                if (number + at) % EVERY_SO_MANY and not on_duty:
                    continue
                command_id = new_id()
                form = TableCommandForm(command_id=command_id, command=body)
                cell = await here.command(column, f"{API}/tables/{table}/commands", form, command_id)
                found.setdefault(tag(type(body)), {})[column] = cell
                if isinstance(body, cmd.GoOffDuty) and cell == "x" and column not in "ol":
                    back = cmd.ComeOnDuty(person=here.name(column), post=Post(post))
                    await here.callers[column].command(table, back)
    return found


@pytest.mark.sweep
def test_commands_by_everybody_over_http(tmp_path: Path) -> None:
    """Each by some, and by each some; tests/access/test_permissions.py has every cell."""
    found = asyncio.run(asyncio.wait_for(commands(tmp_path), LONG_ENOUGH))
    typed = matrix("commands.matrix")
    reached = {column for row in found.values() for column in row}
    assert reached == {column for row in typed.values() for column in row} - {"c", "k", "y"}
    assert {*found} == {*typed}
    for command, row in found.items():
        cells = {column: typed[command][column] for column in row}
        assert {column: cell for column, cell in row.items() if cells[column] != "-"} == {
            column: cell for column, cell in cells.items() if cell != "-"
        }, command


# commands to the floor


async def floor_commands(folder: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    async with everybody(folder) as here:
        here.callers["w"] = here.served.terminal("N2")  # where patrons sit down by name
        for column in ("d", "m", "g", "t", "v", "u", "w", "q", "z", "A"):
            for body in floor_bodies("N2" if column == "w" else "E2", "Zoe"):
                command_id = new_id()
                form = FloorCommandForm(command_id=command_id, command=body)
                cell = await here.command(column, f"{API}/floor/commands", form, command_id)
                found.setdefault(tag(type(body)), {})[column] = cell
    return found


def test_every_command_to_the_floor_by_everybody_over_http(tmp_path: Path) -> None:
    found = asyncio.run(asyncio.wait_for(floor_commands(tmp_path), LONG_ENOUGH))
    typed = matrix("floor-commands.matrix")
    for command, row in typed.items():
        cells = {column: cell for column, cell in row.items() if column != "k"}
        assert found[command] == cells, command


# endpoints


FILLED = {
    "table": SIX,
    "stream": SIX,
    "number:number": "1",
    "command_id": "nothing-here",
    "session": "",
    "form": "csv",
}
WITHOUT_ROUTE = {"openapi": f"{API}/openapi.json", "asyncapi": f"{API}/asyncapi.json", "docs": f"{API}/docs"}


async def calls(here: Everybody, column: str) -> dict[str, set[str]]:
    """For each endpoint what becomes of a call there: x where it is answered, or a point."""
    found: dict[str, set[str]] = {}
    session = await own_session(here, column)
    for route in sorted(ROUTES, key=lambda route: route.endpoint is Endpoint.SIGN_OUT):
        path = route.described.path
        for name, value in (FILLED | {"session": session}).items():
            path = path.replace(f"{{{name}}}", value)
        content = b"no form at all" if route.described.form is not None else None
        if route.endpoint is Endpoint.FEED and column == "T":
            path = f"{path}?after=999"  # beyond the end: a feed would go on for ever
        response = await here.send(column, route.described.method, path, content)
        found.setdefault(route.endpoint.value, set()).add(cell_of(response))
    for endpoint, path in WITHOUT_ROUTE.items():
        found[endpoint] = {cell_of(await here.send(column, "GET", path))}
    found["readers"] = {await cell_of_readers(here.callers[column])}
    return found


async def cell_of_readers(client: Client) -> str:
    """The fate of a card reader's socket: x where it is opened, or a point."""
    address = f"ws{client.address.removeprefix('http')}{READERS}"
    try:
        async with connect(address, additional_headers=client.headers, proxy=None):
            return "x"
    except InvalidStatus as refused:
        return {401: ".", 403: "."}[refused.response.status_code]


async def own_session(here: Everybody, column: str) -> str:
    """A second session of somebody, to be ended."""
    if column not in STAFF:
        return "none"
    another = await here.served.staff(STAFF[column])
    response = await here.send(column, "GET", f"{API}/sessions")
    mine = [each["id"] for each in response.json() if each["person"] == STAFF[column]]
    await another.close()
    return str(mine[-1])


def cell_of(response: httpx.Response) -> str:
    if response.status_code < 400 or "set-cookie" in response.headers:
        return "x"
    refused = Refusal(response.json()["reason"])
    assert response.status_code in (400, 401, 403, 404, 422), response.text
    return "." if refused in NOT_LET_IN else "x"


async def endpoints(folder: Path) -> dict[str, dict[str, set[str]]]:
    found: dict[str, dict[str, set[str]]] = {}
    async with everybody(folder) as here:
        for column in ("z", "c", "f", "w", "p", *STAFF, *BY_SCOPE):
            for endpoint, cells in (await calls(here, column)).items():
                found.setdefault(endpoint, {})[column] = cells
    return found


def test_every_endpoint_by_everybody_over_http(tmp_path: Path) -> None:
    found = asyncio.run(asyncio.wait_for(endpoints(tmp_path), LONG_ENOUGH))
    typed = matrix("endpoints.matrix")
    assert {*found} == {*typed}
    for endpoint, row in typed.items():
        cells = {column: {cell} for column, cell in row.items() if column not in ("n", "k", "y", "b")}
        if endpoint == "demo":  # there is none at a real floor
            cells = {column: {".", "x"} if column not in BY_SCOPE else {"."} for column in cells}
        assert found[endpoint] == cells, endpoint
