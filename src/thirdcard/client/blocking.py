"""The client without ``async``: every call waits for its answer.

The calls and the socket run in a thread of their own, so that this also works where an event loop is running
already, as in a notebook.
"""

import asyncio
import collections
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, TypeVar

from thirdcard.client.calls import Client, RetryPolicy
from thirdcard.client.line import ClientSocket
from thirdcard.client.picture import Picture
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Scope
from thirdcard.game import commands as cmd
from thirdcard.views.sections.whole import View
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
    MomentAt,
    TableAnswer,
    TablesAnswer,
    WebhookLine,
    WebhookMade,
)
from thirdcard.wire.forms import Credentials
from thirdcard.wire.receipts import Receipt

T = TypeVar("T")


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="thirdcard client", daemon=True)
        self._thread.start()

    def run(self, call: Coroutine[Any, Any, T]) -> T:
        """Return what a call returns, once it does."""
        future = asyncio.run_coroutine_threadsafe(call, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # such as Ctrl-C while it waits
            raise

    @property
    def closed(self) -> bool:
        """Whether the thread has ended."""
        return self._loop.is_closed()

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class BlockingPicture:
    """A table that is watched: its view as it is now, and what happens there."""

    def __init__(self, loop: _Loop, picture: Picture, moments: collections.deque[MomentAt]) -> None:
        self._loop = loop
        self._picture = picture
        self._moments = moments

    @property
    def sequence(self) -> int:
        """The sequence of the last record that the view has."""
        return self._picture.sequence or 0

    @property
    def view(self) -> View:
        """Everything that the table shows."""
        return self._loop.run(self._view())

    def until(self, holds: Callable[[View], bool], within: float | None = None) -> View:
        """Wait until something holds of what the table shows, for at most some seconds if they are given."""
        return self._loop.run(self._picture.until(holds, within))

    def reaches(self, sequence: int, within: float | None = None) -> View:
        """Wait until the view has a record, such as that of one's own command."""
        return self._loop.run(self._picture.reaches(sequence, within))

    def next_moment(self, within: float | None = None) -> MomentAt:
        """Return the next thing that happened, in order; wait for it, for at most some seconds if given."""
        return self._loop.run(self._next_moment(within))

    async def _view(self) -> View:
        return self._picture.view

    async def _next_moment(self, within: float | None) -> MomentAt:
        async with asyncio.timeout(within):
            while not self._moments:
                await self._picture.changes()
        return self._moments.popleft()


class BlockingClient:
    """A caller of one floor, as ``Client`` is, whose calls wait for their answers."""

    def __init__(
        self, *addresses: str, token: str | None = None, patience: RetryPolicy | None = None
    ) -> None:
        self._loop = _Loop()
        self._client = Client(*addresses, token=token, patience=patience)
        self._socket: ClientSocket | None = None

    def __enter__(self) -> "BlockingClient":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the connections go, and end the thread."""
        if not self._loop.closed:
            self._loop.run(self._close())
            self._loop.close()

    async def _close(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        await self._client.close()

    @property
    def address(self) -> str:
        """The server that is called at present."""
        return self._client.address

    @property
    def token(self) -> str | None:
        """The token by which the server knows who this is."""
        return self._client.token

    # coming and going

    def sign_in(self, name: str, password: str, code: str = "", console: str = "client") -> Me:
        """Open a session; the calls that follow are this person's."""
        return self._loop.run(self._client.sign_in(name, password, code, console))

    def sign_out(self) -> None:
        """End the session."""
        self._loop.run(self._client.sign_out())

    def claim(self, code: str) -> Me:
        """Become the terminal that a code was made for."""
        return self._loop.run(self._client.claim(code))

    def seat(self, terminal: str) -> Me:
        """Become a terminal of the demonstration floor."""
        return self._loop.run(self._client.seat(terminal))

    def me(self) -> Me:
        """Return the person or terminal that the server takes this client for."""
        return self._loop.run(self._client.me())

    # tables

    def tables(self) -> TablesAnswer:
        """The lobby."""
        return self._loop.run(self._client.tables())

    def table(self, table: str) -> TableAnswer:
        """A table as one may see it."""
        return self._loop.run(self._client.table(table))

    def messages(self, table: str, after: int, most: int = 500) -> MessagesAnswer:
        """Return one page of the moments at a table after a sequence."""
        return self._loop.run(self._client.messages(table, after, most))

    def history(self, table: str) -> HistoryAnswer:
        """Finished rounds of a table as one may see them."""
        return self._loop.run(self._client.history(table))

    def meters(self, table: str) -> MetersAnswer:
        """The meters of a table."""
        return self._loop.run(self._client.meters(table))

    def receipt(self, command_id: str) -> Receipt:
        """The receipt of a command."""
        return self._loop.run(self._client.receipt(command_id))

    # the floor

    def demo(self) -> DemoAnswer:
        """The demonstration floor: whom to sign in as, and where to sit."""
        return self._loop.run(self._client.demo())

    def floor(self) -> FloorAnswer:
        """The tables as they are defined, proposals that wait, and what is disabled."""
        return self._loop.run(self._client.floor())

    def accounts(self) -> tuple[AccountLine, ...]:
        """The service accounts."""
        return self._loop.run(self._client.accounts())

    def add_account(
        self, name: str, scopes: tuple[Scope, ...], days: int, *, authoriser: Credentials
    ) -> AccountMade:
        """Make a service account with a second person; its secret is in this answer alone."""
        return self._loop.run(self._client.add_account(name, scopes, days, authoriser=authoriser))

    def webhooks(self) -> tuple[WebhookLine, ...]:
        """The webhooks."""
        return self._loop.run(self._client.webhooks())

    def add_webhook(
        self, name: str, url: str, scopes: tuple[Scope, ...], *, authoriser: Credentials
    ) -> WebhookMade:
        """Set up a webhook with a second person; its secret is in this answer alone."""
        return self._loop.run(self._client.add_webhook(name, url, scopes, authoriser=authoriser))

    def enrol(
        self,
        terminal: str,
        table: str,
        position: int | None = None,
        *,
        authoriser: Credentials | None = None,
    ) -> Enrolled:
        """Expect a terminal; the code is for typing there."""
        return self._loop.run(self._client.enrol(terminal, table, position, authoriser=authoriser))

    # commands

    def command(
        self,
        table: str,
        body: cmd.Body,
        *,
        command_id: str | None = None,
        authoriser: Credentials | None = None,
        comes_as: str | None = None,
    ) -> AcceptedAnswer:
        """Have a command decided by a table; sent again under the same id, it is done once."""
        call = self._client.command(
            table, body, command_id=command_id, authoriser=authoriser, comes_as=comes_as
        )
        return self._loop.run(call)

    def floor_command(
        self,
        body: floor_cmd.FloorBody,
        *,
        command_id: str | None = None,
        approver: Credentials | None = None,
        authoriser: Credentials | None = None,
    ) -> AcceptedAnswer:
        """Have a command decided by the floor, in the name of an approver or with an authoriser beside it."""
        call = self._client.floor_command(
            body, command_id=command_id, approver=approver, authoriser=authoriser
        )
        return self._loop.run(call)

    # watching

    def watch(self, table: str) -> BlockingPicture:
        """Watch a table from now on, over a socket that is opened again when it breaks.

        It is opened with the first table, as the person or terminal that this client is by then.
        """
        moments: collections.deque[MomentAt] = collections.deque()
        picture = self._loop.run(self._watch(table, moments))
        return BlockingPicture(self._loop, picture, moments)

    def unwatch(self, table: str) -> None:
        """Watch a table no more."""
        if self._socket is not None:
            self._loop.run(self._socket.unwatch(table))

    async def _watch(self, table: str, moments: collections.deque[MomentAt]) -> Picture:
        if self._socket is None:
            self._socket = await ClientSocket(self._client).__aenter__()
        return await self._socket.watch(table, moments.append)
