"""A socket to a server that is opened again when it breaks.

Tables are watched from the sequence that they had, so that nothing is missed and nothing told twice; commands
that were not answered are sent again under their ids, so that they are done once.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from types import TracebackType
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from thirdcard.client.calls import Client, new_id, read_refusal
from thirdcard.client.errors import LineEnded, NotUnderstood, Unreachable, WasRefused
from thirdcard.client.picture import Picture, Tell
from thirdcard.client.tolerant import Heard, RefusalRead, read_frame
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal
from thirdcard.views.lobby import LobbyLine
from thirdcard.wire.answers import AcceptedAnswer, Me
from thirdcard.wire.forms import Credentials, Form
from thirdcard.wire.frames import (
    Ended,
    Hello,
    LobbyFrame,
    NewsFrame,
    Pong,
    SendCommand,
    Unwatch,
    ViewFrame,
    Watch,
    WatchLobby,
)
from thirdcard.wire.paths import SOCKET

RECORDS_PER_PAGE = 500  # records
FRAME_BYTES = 16 * 1024 * 1024
COME_AGAIN = (Refusal.TOO_MANY_REQUESTS, Refusal.NOT_READY)
_encoder = msgspec.json.Encoder()
Answered = asyncio.Future[AcceptedAnswer]


class _Sent(Struct):
    """A command that waits for its answer."""

    message: SendCommand
    answer: Answered


class ClientSocket:
    """A client's socket: what it watches, and what it has sent."""

    def __init__(self, client: Client) -> None:
        self.me: Me | None = None
        self.lobby: dict[str, LobbyLine] = {}
        self.opened = 0  # how often
        self._client = client
        self._pictures: dict[str, Picture] = {}
        self._lobby_watched = False
        self._sent: dict[str, _Sent] = {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._over: Exception | None = None

    async def __aenter__(self) -> "ClientSocket":
        self._task = asyncio.create_task(self._run(), name="line")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the line; commands that were not answered fail."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail(self._over or LineEnded("closed"))

    # what is asked

    async def watch(self, table: str, tell: Tell | None = None) -> Picture:
        """Watch a table from now on; ``tell`` gets what happens there, each moment once."""
        self._check()
        picture = self._pictures[table] = Picture(table, tell)
        await self._put(Watch(table=table))
        while picture.sequence is None:
            await picture.changes()
        return picture

    async def unwatch(self, table: str) -> None:
        """Watch a table no more."""
        self._pictures.pop(table, None)
        await self._put(Unwatch(table=table))

    async def watch_lobby(self) -> None:
        """Watch the lobby from now on."""
        self._lobby_watched = True
        await self._put(WatchLobby())

    async def command(
        self,
        table: str,
        body: cmd.Body,
        *,
        command_id: str | None = None,
        authoriser: Credentials | None = None,
    ) -> AcceptedAnswer:
        """Have a command decided by a table; the answer comes when it is durable."""
        self._check()
        message = SendCommand(
            table=table, command_id=command_id or new_id(), command=body, authoriser=authoriser
        )
        sent = self._sent.get(message.command_id)
        if sent is None:
            sent = _Sent(message, asyncio.get_running_loop().create_future())
            self._sent[message.command_id] = sent
        await self._put(message)
        return await asyncio.shield(sent.answer)

    async def _put(self, message: Form) -> None:
        """Send a message now, if there is a connection; what must not be lost is sent when there is one."""
        if self._socket is not None:
            with contextlib.suppress(WebSocketException, OSError):
                await self._socket.send(_encoder.encode(message).decode())

    def _check(self) -> None:
        if self._over is not None:
            raise self._over

    # the connection

    async def _run(self) -> None:
        attempt = 0
        while attempt < self._client.patience.attempts:
            if attempt:
                await asyncio.sleep(self._client.patience.wait_before(attempt))
            attempt += 1
            try:
                async with self._connected():
                    attempt = 1
                    await self._serve()
            except (WasRefused, LineEnded, NotUnderstood) as error:
                self._fail(error)
                return
            except (WebSocketException, OSError, TimeoutError):
                self._client.try_another()
        self._fail(Unreachable(f"{self._client.address} does not answer"))

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[None]:
        try:
            self._socket = await connect(
                _address(self._client.address),
                additional_headers=self._client.headers,
                compression=None,
                max_size=FRAME_BYTES,
                proxy=None,
                open_timeout=self._client.patience.answer,
                close_timeout=1.0,
            )
        except InvalidStatus as error:
            refused = read_refusal(error.response.status_code, bytes(error.response.body or b""))
            if refused.reason in COME_AGAIN:
                raise InvalidHandshake(refused.sentence) from error
            raise refused from error
        self.opened += 1
        try:
            yield
        finally:
            socket, self._socket = self._socket, None
            await socket.close()

    async def _serve(self) -> None:
        """Ask again for everything, then take what comes."""
        assert self._socket is not None
        for picture in self._pictures.values():
            await self._put(Watch(table=picture.table, after=picture.sequence))
        if self._lobby_watched:
            await self._put(WatchLobby())
        for sent in tuple(self._sent.values()):
            await self._put(sent.message)
        async for text in self._socket:
            message = read_frame(text)
            if message is not None:
                await self._take(message)

    # what comes

    async def _take(self, message: Heard) -> None:
        match message:
            case ViewFrame() | NewsFrame():
                await self._take_frame(message)
            case AcceptedAnswer():
                sent = self._sent.pop(message.command_id, None)
                if sent is not None and not sent.answer.done():
                    sent.answer.set_result(message)
            case RefusalRead():
                self._take_refusal(message)
            case Hello():
                self.me = message.me
            case LobbyFrame():
                self.lobby |= {line.table: line for line in message.tables}
            case Ended():
                if not message.again:
                    raise LineEnded(message.reason)
            case Pong():
                pass

    async def _take_frame(self, frame: ViewFrame | NewsFrame) -> None:
        picture = self._pictures.get(frame.table)
        if picture is None:
            return
        if picture.lacks(frame):
            await self._catch_up(picture, frame.after)
        picture.take(frame)

    async def _catch_up(self, picture: Picture, until: int) -> None:
        """Read page by page what a frame leaves out."""
        while picture.sequence is not None and picture.sequence < until:
            most = min(until - picture.sequence, RECORDS_PER_PAGE)
            page = await self._client.messages(picture.table, picture.sequence, most)
            picture.take_moments(page.moments)
            if page.sequence <= picture.sequence:
                raise NotUnderstood(f"{picture.table}: nothing comes after {picture.sequence}")
            picture.sequence = page.sequence

    def _take_refusal(self, message: RefusalRead) -> None:
        refused = message.error()
        sent = self._sent.pop(message.command_id, None) if message.command_id else None
        if sent is not None and not sent.answer.done():
            sent.answer.set_exception(refused)
        if message.table is not None and message.command_id is None:
            picture = self._pictures.pop(message.table, None)
            if picture is not None:
                picture.fail(refused)

    def _fail(self, error: Exception) -> None:
        self._over = self._over or error
        for sent in self._sent.values():
            if not sent.answer.done():
                sent.answer.set_exception(self._over)
                sent.answer.exception()  # nobody may be waiting any more
        self._sent.clear()
        for picture in self._pictures.values():
            picture.fail(self._over)


def _address(server: str) -> str:
    scheme, rest = ("wss", server[5:]) if urlsplit(server).scheme == "https" else ("ws", server[4:])
    return f"{scheme}{rest}{SOCKET}"
