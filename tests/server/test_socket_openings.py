"""A socket knows whose it is from the moment at which its sender was looked up."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from limits import LONG_ENOUGH
from server.in_process import floor_here

from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.refusals import Refused
from thirdcard.wire.paths import SOCKET


async def test_a_terminal_that_is_disabled_while_its_socket_opens_is_let_go(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        assert here.demo is not None
        terminal = here.demo.terminals[0]
        sent: list[dict[str, Any]] = []
        arrived = [{"type": "websocket.connect"}]

        async def receive() -> dict[str, Any]:
            if arrived:
                return arrived.pop()
            return await asyncio.Future()

        async def send(message: Any) -> None:
            sent.append(message)
            if message["type"] == "websocket.accept":
                disable = floor_cmd.DisableTerminal(terminal=terminal.id, reason="a test")
                floor = here.floor.service.floor
                answer = await floor.send(disable, actor=COMMAND_LINE, command_id="disable")
                assert not isinstance(answer, Refused), answer

        scope = {
            "type": "websocket",
            "scheme": "ws",
            "path": SOCKET,
            "query_string": b"as=terminal",
            "headers": [(b"authorization", f"Bearer {terminal.token}".encode())],
            "client": ("203.0.113.9", 4711),
        }
        async with asyncio.timeout(LONG_ENOUGH):
            await here.app.sockets(scope, receive, send)
        assert sent[-1]["type"] == "websocket.close"
        assert msgspec.json.decode(sent[-2]["text"])["reason"] == "terminal-disabled"
