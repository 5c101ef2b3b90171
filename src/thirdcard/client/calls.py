"""Calls to a server over HTTP: who one is, what tables show, and commands."""

import asyncio
import secrets
from types import TracebackType
from typing import TypeVar

import httpx
import msgspec
from msgspec import Struct

from thirdcard.client.errors import NotUnderstood, Unreachable, WasRefused
from thirdcard.client.tolerant import RefusalRead, read
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Scope
from thirdcard.game import commands as cmd
from thirdcard.wire import paths
from thirdcard.wire.answers import (
    AcceptedAnswer,
    AccountLine,
    AccountMade,
    DemoAnswer,
    Enrolled,
    FloorAnswer,
    HistoryAnswer,
    Me,
    MessagesAnswer,
    MetersAnswer,
    TableAnswer,
    TablesAnswer,
    WebhookLine,
    WebhookMade,
)
from thirdcard.wire.forms import (
    AccountForm,
    ClaimForm,
    Credentials,
    DemoSeatForm,
    EnrolForm,
    FloorCommandForm,
    Form,
    SignInForm,
    TableCommandForm,
    WebhookForm,
)
from thirdcard.wire.paths import OWN_HEADER, Holder, cookie_name, filled
from thirdcard.wire.receipts import Receipt

T = TypeVar("T")
_encoder = msgspec.json.Encoder()


class RetryPolicy(Struct, frozen=True):
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

    def __init__(
        self, *addresses: str, token: str | None = None, patience: RetryPolicy | None = None
    ) -> None:
        self.addresses = tuple(address.rstrip("/") for address in addresses)
        self.token = token
        self.patience = patience or RetryPolicy()
        self._at = 0
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        over_tls = any(address.startswith("https:") for address in self.addresses)
        # what certificates are trusted takes long to load, and is of no use without TLS
        self._http = httpx.AsyncClient(
            timeout=self.patience.answer, limits=limits, trust_env=False, verify=over_tls
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
        """Return the headers of every request: that it is no page of another site, and who sends it."""
        own = {OWN_HEADER: "client"}
        return own | ({"authorization": f"Bearer {self.token}"} if self.token else {})

    # coming and going

    async def sign_in(self, name: str, password: str, code: str = "", console: str = "client") -> Me:
        """Open a session; the calls that follow are this person's."""
        credentials = Credentials(name=name, password=password, code=code)
        form = SignInForm(credentials=credentials, console=console)
        return await self._become(paths.SIGN_IN, form, Holder.STAFF)

    async def sign_out(self) -> None:
        """End the session."""
        _require_success(await self._send("POST", paths.SIGN_OUT, None, again=False))
        self.token = None

    async def claim(self, code: str) -> Me:
        """Become the terminal that a code was made for."""
        return await self._become(paths.CLAIM_TERMINAL, ClaimForm(code=code), Holder.TERMINAL)

    async def seat(self, terminal: str) -> Me:
        """Become a terminal of the demonstration floor."""
        return await self._become(paths.DEMO_SEAT, DemoSeatForm(terminal=terminal), Holder.TERMINAL)

    async def _become(self, path: str, form: Form, holder: Holder) -> Me:
        self.token = None
        response = await self._send("POST", path, _encoder.encode(form), again=False)
        me = _read(response, Me)
        names = [cookie_name(holder, secure=secure) for secure in (False, True)]
        found = [value for name, value in response.cookies.items() if name in names]
        if not found:
            raise NotUnderstood(f"{self.address}{path} gave no token")
        self.token = found[0]
        return me

    async def me(self) -> Me:
        """Return the person or terminal that the server takes this client for."""
        return await self._ask("GET", paths.ME, Me)

    # tables

    async def tables(self) -> TablesAnswer:
        """The lobby."""
        return await self._ask("GET", paths.TABLES, TablesAnswer)

    async def table(self, table: str) -> TableAnswer:
        """A table as one may see it."""
        return await self._ask("GET", filled(paths.TABLE_PATH, table=table), TableAnswer)

    async def messages(self, table: str, after: int, most: int = 500) -> MessagesAnswer:
        """Return one page of the moments at a table after a sequence."""
        path = f"{filled(paths.MESSAGES, table=table)}?after={after}&most={most}"
        return await self._ask("GET", path, MessagesAnswer)

    async def history(self, table: str) -> HistoryAnswer:
        """Finished rounds of a table as one may see them."""
        return await self._ask("GET", filled(paths.HISTORY, table=table), HistoryAnswer)

    async def meters(self, table: str) -> MetersAnswer:
        """The meters of a table."""
        return await self._ask("GET", filled(paths.METERS, table=table), MetersAnswer)

    async def receipt(self, command_id: str) -> Receipt:
        """The receipt of a command."""
        return await self._ask("GET", filled(paths.RECEIPT, command_id=command_id), Receipt)

    # the floor

    async def demo(self) -> DemoAnswer:
        """The demonstration floor: whom to sign in as, and where to sit."""
        return await self._ask("GET", paths.DEMO_PATH, DemoAnswer)

    async def floor(self) -> FloorAnswer:
        """The tables as they are defined, proposals that wait, and what is disabled."""
        return await self._ask("GET", paths.FLOOR_PATH, FloorAnswer)

    async def accounts(self) -> tuple[AccountLine, ...]:
        """The service accounts."""
        return await self._ask("GET", paths.ACCOUNTS_PATH, tuple[AccountLine, ...])

    async def add_account(
        self, name: str, scopes: tuple[Scope, ...], days: int, *, authoriser: Credentials
    ) -> AccountMade:
        """Make a service account with a second person; its secret is in this answer alone."""
        form = AccountForm(name=name, scopes=scopes, days=days, authoriser=authoriser)
        return await self._ask("POST", paths.ACCOUNTS_PATH, AccountMade, form)

    async def webhooks(self) -> tuple[WebhookLine, ...]:
        """The webhooks."""
        return await self._ask("GET", paths.WEBHOOKS_PATH, tuple[WebhookLine, ...])

    async def add_webhook(
        self, name: str, url: str, scopes: tuple[Scope, ...], *, authoriser: Credentials
    ) -> WebhookMade:
        """Set up a webhook with a second person; its secret is in this answer alone."""
        form = WebhookForm(name=name, url=url, scopes=scopes, authoriser=authoriser)
        return await self._ask("POST", paths.WEBHOOKS_PATH, WebhookMade, form)

    async def enrol(
        self,
        terminal: str,
        table: str,
        position: int | None = None,
        *,
        authoriser: Credentials | None = None,
    ) -> Enrolled:
        """Expect a terminal; the code is for typing there."""
        form = EnrolForm(terminal=terminal, table=table, position=position, authoriser=authoriser)
        return await self._ask("POST", paths.TERMINALS_PATH, Enrolled, form)

    # commands

    async def command(
        self,
        table: str,
        body: cmd.Body,
        *,
        command_id: str | None = None,
        authoriser: Credentials | None = None,
        comes_as: str | None = None,
    ) -> AcceptedAnswer:
        """Have a command decided by a table; sent again under the same id, it is done once."""
        form = TableCommandForm(
            command_id=command_id or new_id(), command=body, authoriser=authoriser, comes_as=comes_as
        )
        return await self._ask(
            "POST", filled(paths.TABLE_COMMANDS, table=table), AcceptedAnswer, form, again=True
        )

    async def floor_command(
        self,
        body: floor_cmd.FloorBody,
        *,
        command_id: str | None = None,
        approver: Credentials | None = None,
        authoriser: Credentials | None = None,
    ) -> AcceptedAnswer:
        """Have a command decided by the floor, in the name of an approver or with an authoriser beside it."""
        form = FloorCommandForm(
            command_id=command_id or new_id(), command=body, approver=approver, authoriser=authoriser
        )
        return await self._ask("POST", paths.FLOOR_COMMANDS, AcceptedAnswer, form, again=True)

    # asking

    async def _ask(
        self, method: str, path: str, answer: type[T], form: Form | None = None, *, again: bool = False
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
        return read(content, RefusalRead).error(status)
    except NotUnderstood as error:
        raise NotUnderstood(f"an answer of status {status} is no refusal: {content[:200]!r}") from error


def _require_success(response: httpx.Response) -> None:
    if not response.is_success:
        raise read_refusal(response.status_code, response.content)


def _read(response: httpx.Response, answer: type[T]) -> T:
    _require_success(response)
    try:
        return read(response.content, answer)
    except NotUnderstood as error:
        raise NotUnderstood(f"{response.url} answers otherwise: {error}") from error
