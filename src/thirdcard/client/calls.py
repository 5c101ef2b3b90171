"""Calls to a server over HTTP: who one is, what tables show, and commands."""

import asyncio
import secrets
from types import TracebackType
from typing import TypeVar
from urllib.parse import quote

import httpx
import msgspec
from msgspec import Struct

from thirdcard.client.trouble import NotUnderstood, Unreachable, WasRefused
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.server import wire
from thirdcard.server.receipts import Receipt
from thirdcard.server.routes import API
from thirdcard.server.security import OWN_HEADER, Holder

T = TypeVar("T")
_encoder = msgspec.json.Encoder()


class Patience(Struct, frozen=True):
    """How long an answer may take in seconds, and how often a server that does not answer is tried."""

    answer: float = 15.0
    attempts: int = 40
    first_wait: float = 0.05
    longest_wait: float = 1.0

    def wait_before(self, attempt: int) -> float:
        """Seconds before an attempt, more from one to the next, and not the same for everybody."""
        longest: float = min(self.longest_wait, self.first_wait * 2.0 ** min(attempt, 10))
        return longest * (0.5 + secrets.randbelow(500) / 1000)


class Client:
    """A caller of one floor: a member of staff, a terminal, or nobody in particular.

    Several addresses are servers of the same floor; when one does not answer, the next one is tried. What
    changes something is tried again only where it cannot happen twice.
    """

    def __init__(self, *addresses: str, token: str | None = None, patience: Patience = Patience()) -> None:  # noqa: B008 - frozen
        self.addresses = tuple(address.rstrip("/") for address in addresses)
        self.token = token
        self.patience = patience
        self._at = 0
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        over_tls = any(address.startswith("https:") for address in self.addresses)
        # what certificates are trusted takes long to load, and is of no use without TLS
        self._http = httpx.AsyncClient(
            timeout=patience.answer, limits=limits, trust_env=False, verify=over_tls
        )

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let the connections go."""
        await self._http.aclose()

    @property
    def address(self) -> str:
        """The server that is called at present."""
        return self.addresses[self._at]

    def try_another(self) -> None:
        """Call the next server from now on."""
        self._at = (self._at + 1) % len(self.addresses)

    @property
    def headers(self) -> dict[str, str]:
        """What goes with every request: that it is no page of another site, and who sends it."""
        own = {OWN_HEADER: "client"}
        return own | ({"authorization": f"Bearer {self.token}"} if self.token else {})

    # coming and going

    async def sign_in(self, name: str, password: str, code: str = "", console: str = "client") -> wire.Me:
        """Open a session; the calls that follow are this person's."""
        credentials = wire.Credentials(name=name, password=password, code=code)
        form = wire.SignInForm(credentials=credentials, console=console)
        return await self._become(f"{API}/sign-in", form, Holder.STAFF)

    async def sign_out(self) -> None:
        """End the session."""
        _require_success(await self._send("POST", f"{API}/sign-out", None, again=False))
        self.token = None

    async def claim(self, code: str) -> wire.Me:
        """Become the terminal that a code was made for."""
        return await self._become(f"{API}/terminals/claim", wire.ClaimForm(code=code), Holder.TERMINAL)

    async def seat(self, terminal: str) -> wire.Me:
        """Become a terminal of the demonstration floor."""
        return await self._become(f"{API}/demo/seat", wire.DemoSeatForm(terminal=terminal), Holder.TERMINAL)

    async def _become(self, path: str, form: wire.Form, holder: Holder) -> wire.Me:
        self.token = None
        response = await self._send("POST", path, _encoder.encode(form), again=False)
        me = _read(response, wire.Me)
        found = [value for name, value in response.cookies.items() if name.endswith(f"-{holder.value}")]
        if not found:
            raise NotUnderstood(f"{self.address}{path} gave no token")
        self.token = found[0]
        return me

    async def me(self) -> wire.Me:
        """Who the server takes one for."""
        return await self._ask("GET", f"{API}/me", wire.Me)

    # tables

    async def tables(self) -> wire.TablesAnswer:
        """The lobby."""
        return await self._ask("GET", f"{API}/tables", wire.TablesAnswer)

    async def table(self, table: str) -> wire.TableAnswer:
        """A table as one may see it."""
        return await self._ask("GET", f"{API}/tables/{_in_path(table)}", wire.TableAnswer)

    async def messages(self, table: str, after: int, most: int = 500) -> wire.MessagesAnswer:
        """What happened at a table after a sequence: one page."""
        path = f"{API}/tables/{_in_path(table)}/messages?after={after}&most={most}"
        return await self._ask("GET", path, wire.MessagesAnswer)

    async def history(self, table: str) -> wire.HistoryAnswer:
        """Finished rounds of a table as one may see them."""
        return await self._ask("GET", f"{API}/tables/{_in_path(table)}/history", wire.HistoryAnswer)

    async def meters(self, table: str) -> wire.MetersAnswer:
        """The meters of a table."""
        return await self._ask("GET", f"{API}/tables/{_in_path(table)}/meters", wire.MetersAnswer)

    async def receipt(self, command_id: str) -> Receipt:
        """The receipt of a command."""
        return await self._ask("GET", f"{API}/receipts/{_in_path(command_id)}", Receipt)

    # the floor

    async def demo(self) -> wire.DemoAnswer:
        """The demonstration floor: whom to sign in as, and where to sit."""
        return await self._ask("GET", f"{API}/demo", wire.DemoAnswer)

    async def floor(self) -> wire.FloorAnswer:
        """The tables as they are defined, proposals that wait, and what is disabled."""
        return await self._ask("GET", f"{API}/floor", wire.FloorAnswer)

    async def enrol(self, terminal: str, table: str, position: int | None = None) -> wire.Enrolled:
        """Expect a terminal; the code is for typing there."""
        form = wire.EnrolForm(terminal=terminal, table=table, position=position)
        return await self._ask("POST", f"{API}/terminals", wire.Enrolled, form)

    # commands

    async def command(
        self,
        table: str,
        body: cmd.Body,
        *,
        command_id: str | None = None,
        authoriser: wire.Credentials | None = None,
        comes_as: str | None = None,
    ) -> wire.AcceptedAnswer:
        """Have a command decided by a table; sent again under the same id, it is done once."""
        form = wire.TableCommandForm(
            command_id=command_id or new_id(), command=body, authoriser=authoriser, comes_as=comes_as
        )
        return await self._ask(
            "POST", f"{API}/tables/{_in_path(table)}/commands", wire.AcceptedAnswer, form, again=True
        )

    async def floor_command(
        self,
        body: floor_cmd.Body,
        *,
        command_id: str | None = None,
        approver: wire.Credentials | None = None,
    ) -> wire.AcceptedAnswer:
        """Have a command decided by the floor."""
        form = wire.FloorCommandForm(command_id=command_id or new_id(), command=body, approver=approver)
        return await self._ask("POST", f"{API}/floor/commands", wire.AcceptedAnswer, form, again=True)

    # asking

    async def _ask(
        self, method: str, path: str, answer: type[T], form: wire.Form | None = None, *, again: bool = False
    ) -> T:
        content = _encoder.encode(form) if form is not None else None
        response = await self._send(method, path, content, again=again or method == "GET")
        return _read(response, answer)

    async def _send(self, method: str, path: str, content: bytes | None, *, again: bool) -> httpx.Response:
        """Send a request until a server answers; one that may have arrived only where that does no harm."""
        problem: Exception | None = None
        headers = self.headers | ({"content-type": "application/json"} if content else {})
        for attempt in range(self.patience.attempts):
            if attempt:
                await asyncio.sleep(self.patience.wait_before(attempt))
            try:
                return await self._http.request(
                    method, f"{self.address}{path}", content=content, headers=headers
                )
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                problem = error
            except httpx.TransportError as error:
                problem = error
                if not again:
                    break
            self.try_another()
        raise Unreachable(f"{self.address} does not answer: {problem or 'no reason given'}") from problem


def new_id() -> str:
    """An id for a command that nobody has used before."""
    return secrets.token_hex(16)


def read_refusal(status: int, content: bytes) -> WasRefused:
    """The refusal that an answer is."""
    try:
        found = msgspec.json.decode(content, type=wire.RefusedMessage)
    except msgspec.DecodeError as error:
        raise NotUnderstood(f"an answer of status {status} is no refusal: {content[:200]!r}") from error
    return WasRefused(found.reason, found.message, found.clauses, status)


def _require_success(response: httpx.Response) -> None:
    if not response.is_success:
        raise read_refusal(response.status_code, response.content)


def _read(response: httpx.Response, answer: type[T]) -> T:
    _require_success(response)
    try:
        return msgspec.json.decode(response.content, type=answer)
    except msgspec.DecodeError as error:
        raise NotUnderstood(f"{response.url} answers otherwise: {error}") from error


def _in_path(name: str) -> str:
    return quote(name, safe="")
