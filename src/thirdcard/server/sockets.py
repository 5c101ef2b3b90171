"""A socket of one client: what it watches, what it sends, and when it ends.

Messages come one after another: a command is answered before the next one is read, so that the client's order
holds. What goes out is written at once while the client reads fast enough. Otherwise it waits in a mailbox; a
pump sends it, and a client that reads too slowly is let go.
"""

import asyncio
import logging

import msgspec
from starlette.types import Receive, Scope, Send

from thirdcard.access.actors import Actor, AtTerminal, ByAccount, Staff, Stranger
from thirdcard.access.endpoints import Endpoint, may_call
from thirdcard.floor.events import FloorEvent, FloorFileRead, TableDefined
from thirdcard.floor.standing import is_bot
from thirdcard.floor.state import Floor, Terminal
from thirdcard.journal.store import StoreFailed
from thirdcard.ordered import OrderedSet
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.commands import command_table
from thirdcard.server.context import ServerContext, viewer_of
from thirdcard.server.http import respond
from thirdcard.server.hub import Mailbox, Watcher
from thirdcard.server.reading import read
from thirdcard.server.security import Guard, ShownTokens, client_of, shown_tokens, turn_away
from thirdcard.server.shares import Budget, Shares
from thirdcard.server.socket_frames import frame_of, text_in, write_frame_of
from thirdcard.streams.ahead import Change
from thirdcard.wire.answers import AcceptedAnswer
from thirdcard.wire.frames import Ended, Hello, Incoming, Ping, Pong, SendCommand, Unwatch, Watch, WatchLobby
from thirdcard.wire.refusals import refused_message

TOO_SLOW, NOT_SIGNED_IN, GOING, FAULT = 4408, 4401, 1001, 1011
MOST_WATCHED = 64
MESSAGE_BYTES = 65_536
IDLE_CHECK_SECONDS = 5.0  # seconds, for sessions of staff that rest
WATCH_COST = 20  # of a view, in records
SocketActor = Staff | AtTerminal | ByAccount | Stranger
log = logging.getLogger("thirdcard.sockets")
_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)


class _About(msgspec.Struct, frozen=True):
    """The subject of a message, as far as that can be read; its refusal says the same."""

    command_id: str | None = None
    table: str | None = None


_about: msgspec.json.Decoder[_About] = msgspec.json.Decoder(_About)


class Sockets:
    """All sockets of a server."""

    def __init__(self, context: ServerContext, guard: Guard, shares: Shares) -> None:
        self.context = context
        self._guard = guard
        self._shares = shares
        self._open: OrderedSet[Socket] = OrderedSet()
        self._by_client: dict[str, int] = {}
        context.floor.service.floor.listeners.add(self._floor_changed)
        context.chore(self._look_for_idle_ones())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket from its handshake to its end."""
        await receive()  # the handshake
        context, client, tokens = self.context, client_of(scope), shown_tokens(scope)
        actor = await context.who_by_now(tokens, active=False)
        refused = actor if isinstance(actor, Refused) else may_call(context.houses, actor, Endpoint.MESSAGES)
        if refused is None and self._full(client):
            refused = refuse(Refusal.TOO_MANY_REQUESTS, seconds=5)
        if refused is None and not isinstance(actor, SocketActor):
            refused = refuse(Refusal.NOT_SIGNED_IN)
        if refused is not None:
            await _refuse(scope, receive, send, refused)
            return
        assert isinstance(actor, SocketActor)
        socket = Socket(context, self._guard, self._shares, tokens, receive, send, actor)
        self._open.add(socket)  # before anything is waited for: what the floor changes meanwhile reaches it
        self._by_client[client] = self._by_client.get(client, 0) + 1
        context.metrics.sockets.inc()
        try:
            await send({"type": "websocket.accept"})
            await socket.serve()
        finally:
            self._open.discard(socket)
            self._by_client[client] -= 1
            if not self._by_client[client]:
                del self._by_client[client]
            context.metrics.sockets.dec()

    def _full(self, client: str) -> bool:
        if len(self._open) >= self._guard.sockets:
            return True
        return self._by_client.get(client, 0) >= self._guard.sockets_of_one

    def _floor_changed(self, change: Change[Floor, FloorEvent]) -> None:
        """Let sockets go whose session ended, and show others what they may see by now."""
        named = [getattr(event, "terminal", None) for event in change.events]
        terminals = {each.id if isinstance(each, Terminal) else each for each in named}
        defined = any(isinstance(event, TableDefined | FloorFileRead) for event in change.events)
        for socket in tuple(self._open):
            if defined or socket.terminal is None or socket.terminal in terminals:
                socket.look_who()

    async def _look_for_idle_ones(self) -> None:
        while True:
            await self.context.floor.clock.sleep(IDLE_CHECK_SECONDS)
            for socket in tuple(self._open):
                if socket.terminal is None:
                    socket.look_who()

    def terminals(self) -> set[str]:
        """The terminals that are connected."""
        return {socket.terminal for socket in self._open if socket.terminal is not None}

    def watched(self) -> bool:
        """Whether anybody but a bot is connected."""
        floor = self.context.directory.floor
        users = [floor.terminal(each.terminal) if each.terminal else None for each in self._open]
        return any(each is None or each.patron is None or not is_bot(each.patron) for each in users)

    def end_all(self, reason: str) -> None:
        """Tell every client what happened last and that the server goes, and let it come again."""
        self.context.hub.flush()
        for socket in tuple(self._open):
            socket.end(reason, again=True, code=GOING, drop=False)


async def _refuse(scope: Scope, receive: Receive, send: Send, refused: Refused) -> None:
    """Say why a socket is not for somebody: a page reads messages, but never why a handshake failed."""
    if all(name != b"origin" for name, _ in scope["headers"]):
        await turn_away(scope, receive, send, respond(refused, {}))
        return
    await send({"type": "websocket.accept"})
    again = refused.reason is Refusal.TOO_MANY_REQUESTS
    ended = Ended(reason=refused.reason.value, again=again)
    await send({"type": "websocket.send", "text": _encoder.encode(ended).decode()})
    await send({"type": "websocket.close", "code": NOT_SIGNED_IN})


class Socket:
    """One client."""

    def __init__(
        self,
        context: ServerContext,
        guard: Guard,
        shares: Shares,
        tokens: ShownTokens,
        receive: Receive,
        send: Send,
        actor: SocketActor,
    ) -> None:
        self._premises = context
        self._shares = shares
        self._tokens = tokens
        self._client = client_of(tokens.scope)
        self._receive = receive
        self._send = send
        self._actor = actor
        self._may_command = may_call(context.houses, actor, Endpoint.TABLE_COMMANDS)
        self._mailbox = Mailbox(write_frame_of(tokens.scope), shares.sends)
        self._watchers: dict[str, Watcher] = {}
        self._own = Budget(context.floor.clock, burst=guard.socket_burst, per_second=guard.socket_per_second)
        self._within = guard.silence
        self._code = TOO_SLOW
        self._ending: Ended | None = None

    @property
    def terminal(self) -> str | None:
        """The terminal that this is, or nothing for staff."""
        return self._actor.terminal if isinstance(self._actor, AtTerminal) else None

    async def serve(self) -> None:
        """Send and receive until one of both ends."""
        self._put(Hello(me=self._premises.me(self._actor)))
        pump = asyncio.create_task(self._pump())
        reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait((pump, reader), return_when=asyncio.FIRST_COMPLETED)
            if reader.done() and not reader.cancelled() and reader.exception() is not None:
                log.error("a socket failed", exc_info=reader.exception())
                self.end("fault", again=False, code=FAULT)
                await pump
        finally:
            self._forget()
            for task in (pump, reader):
                task.cancel()
            await asyncio.gather(pump, reader, return_exceptions=True)

    def end(self, reason: str, *, again: bool, code: int, drop: bool = True) -> None:
        """Say why, and end; what waits to be sent is mostly dropped, since the client resumes or is gone."""
        self._ending, self._code = Ended(reason=reason, again=again), code
        self._mailbox.close(drop=drop)

    def _forget(self) -> None:
        for watcher in self._watchers.values():
            self._premises.hub.forget(watcher)
        self._premises.hub.leave_lobby(self._mailbox)
        self._watchers.clear()

    # out

    def _put(self, message: msgspec.Struct) -> None:
        self._mailbox.put(frame_of(message))

    async def _pump(self) -> None:
        try:
            while (frame := await self._mailbox.take()) is not None:
                async with asyncio.timeout(self._within):
                    await self._send({"type": "websocket.send", "text": text_in(frame)})
            if self._ending is None:
                self._premises.metrics.dropped.inc()
                log.warning("a socket reads too slowly and is let go")
                self._ending = Ended(reason="too-slow", again=True)
            async with asyncio.timeout(self._within):
                await self._send({"type": "websocket.send", "text": _encoder.encode(self._ending).decode()})
                await self._send({"type": "websocket.close", "code": self._code})
        except (TimeoutError, OSError, RuntimeError):
            self._premises.metrics.dropped.inc()

    # in

    async def _read(self) -> None:
        while True:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                return
            await self._mailbox.calm.wait()
            await self._take(message.get("text") or message.get("bytes") or b"")

    async def _take(self, text: str | bytes) -> None:
        """Do what a message asks; whoever sends too many waits, and is read no faster."""
        await self._own.wait(self._client)
        content = text.encode(errors="replace") if isinstance(text, str) else text
        message = read(_decoder, content)
        if isinstance(message, Refused):
            about = read(_about, content)
            self._refuse(message, about=_About() if isinstance(about, Refused) else about)
            return
        try:
            match message:
                case SendCommand():
                    await self._shares.requests.wait(self._client)
                    await self._command(message)
                case Watch():
                    await self._watch(message)
                case Unwatch():
                    watcher = self._watchers.pop(message.table, None)
                    if watcher is not None:
                        self._premises.hub.forget(watcher)
                case WatchLobby():
                    await self._shares.reads.wait(self._client, WATCH_COST)
                    self._premises.hub.watch_lobby(self._mailbox)
                case Ping():
                    self._put(Pong(now=self._premises.floor.clock.now().wall_time))
        except StoreFailed as error:
            about = _About(getattr(message, "command_id", None), getattr(message, "table", None))
            log.warning("its store failed", extra={"fields": {"reason": str(error)}})
            self._refuse(refuse(Refusal.TABLE_STOPPED), about=about)

    async def _watch(self, message: Watch) -> None:
        channel, about = self._premises.hub.channel(message.table), _About(table=message.table)
        if channel is None:
            self._refuse(refuse(Refusal.NO_SUCH_TABLE), about=about)
            return
        known = self._watchers.pop(message.table, None)
        if known is not None:
            self._premises.hub.forget(known)
        if len(self._watchers) >= MOST_WATCHED:
            self._refuse(refuse(Refusal.TOO_MANY_REQUESTS, seconds=1), about=about)
            return
        await self._shares.reads.wait(self._client, WATCH_COST)
        after = message.after
        missed = channel.missed(after)
        if missed and self._shares.reads.take(self._client, missed) is not None:
            after = None  # the client gets the state alone, and reads the rest page by page
        watcher = Watcher(viewer_of(self._actor, message.table), self._mailbox)
        self._watchers[message.table] = watcher
        if not await channel.watch(watcher, after):
            del self._watchers[message.table]
            self._refuse(refuse(Refusal.NO_SUCH_TABLE), about=about)

    async def _command(self, message: SendCommand) -> None:
        """Have a command decided; a session of staff counts as used, and may have ended by the clock."""
        context = self._premises
        actor: Actor = self._actor
        answer: AcceptedAnswer | Refused | None = self._may_command
        if not isinstance(actor, AtTerminal):
            found = context.who(self._tokens)
            if isinstance(found, Refused):
                answer = found
            elif found != actor:
                answer, actor = may_call(context.houses, found, Endpoint.TABLE_COMMANDS), found
        answer = answer or await command_table(context, actor, message.table, message, self._client)
        if isinstance(answer, Refused):
            self._refuse(answer, about=_About(message.command_id, message.table))
        else:
            self._put(answer)

    def _refuse(self, refused: Refused, *, about: "_About") -> None:
        self._put(refused_message(refused, command_id=about.command_id, table=about.table))

    # who it is

    def look_who(self) -> None:
        """See again whose socket this is: it ends with their session; another patron sees other things."""
        actor = self._premises.who(self._tokens, active=False)
        if isinstance(actor, Refused) or not isinstance(actor, SocketActor):
            reason = actor.reason.value if isinstance(actor, Refused) else Refusal.NOT_SIGNED_IN.value
            self.end(reason, again=False, code=NOT_SIGNED_IN)
            return
        if actor == self._actor:
            return
        self._actor, houses = actor, self._premises.houses
        self._may_command = may_call(houses, actor, Endpoint.TABLE_COMMANDS)
        refused = may_call(houses, actor, Endpoint.MESSAGES)
        if refused is not None:
            self.end(refused.reason.value, again=False, code=NOT_SIGNED_IN)
            return
        self._put(Hello(me=self._premises.me(actor)))
        for table, watcher in tuple(self._watchers.items()):
            viewer = viewer_of(actor, table)
            if viewer != watcher.viewer:
                self._premises.hub.show_anew(table, watcher, viewer)
