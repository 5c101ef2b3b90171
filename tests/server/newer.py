"""A server that is newer than this client: real answers with fields and kinds that nobody knows."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect

from thirdcard.wire.paths import SOCKET

FIELD, KIND = "of-a-newer-server", "dice-rolled"
UNKNOWN_FRAME = {"type": "weather", "sky": "clear"}
PASSED_ON = ("authorization", "x-thirdcard", "content-type")


def newer(value: Any) -> Any:
    """An answer as a newer server gives it: a field more in every object, and a moment of a new kind."""
    if isinstance(value, list):
        return [newer(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: newer(each) for name, each in value.items()}
    if found.get("moments"):
        last = found["moments"][-1]
        found["moments"].append({**last, "what": {"kind": KIND, "pips": 6}})
    return {FIELD: True, **found}  # in a map too, none of which has flags


class NewerServer:
    """The answers of a real server, made newer."""

    def __init__(self, behind: str) -> None:
        self.behind = behind.rstrip("/")
        self.reasons: dict[str, str] = {}  # the reasons of refusals that it has other ones for
        self._http = httpx.AsyncClient(trust_env=False)

    def told(self, text: str | bytes) -> str:
        """Return what it says in place of an answer."""
        answer = json.loads(text)
        if isinstance(answer, dict) and answer.get("reason") in self.reasons:
            answer["reason"] = self.reasons[answer["reason"]]
        return json.dumps(newer(answer))

    async def answer(self, request: Request) -> Response:
        """Pass a request on."""
        headers = {name: value for name, value in request.headers.items() if name in PASSED_ON}
        address = f"{self.behind}{request.url.path}?{request.url.query}"
        found = await self._http.request(
            request.method, address, content=await request.body(), headers=headers
        )
        cookies = {name: value for name, value in found.headers.items() if name == "set-cookie"}
        content = self.told(found.content) if found.content else None
        return Response(content, found.status_code, cookies, "application/json")

    async def watch(self, near: WebSocket) -> None:
        """Pass the messages of a socket on, with some of a new kind among them."""
        await near.accept()
        address = f"ws{self.behind.removeprefix('http')}{SOCKET}"
        headers = {name: value for name, value in near.headers.items() if name in PASSED_ON}
        async with connect(address, additional_headers=headers, proxy=None, compression=None) as far:
            forth = asyncio.create_task(self._send_on(near, far))
            with contextlib.suppress(WebSocketDisconnect):
                async for text in far:
                    await near.send_text(self.told(text))
                    await near.send_text(json.dumps(UNKNOWN_FRAME))
            forth.cancel()
            await asyncio.gather(forth, return_exceptions=True)

    async def _send_on(self, near: WebSocket, far: ClientConnection) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await far.send(await near.receive_text())
        await far.close()

    async def close(self) -> None:
        """Let the connections go."""
        await self._http.aclose()


@contextlib.asynccontextmanager
async def newer_server(behind: str) -> AsyncIterator[tuple[str, NewerServer]]:
    """A newer server before a real one, and its address."""
    server = NewerServer(behind)
    routes = [
        WebSocketRoute(SOCKET, server.watch),
        Route("/{path:path}", server.answer, methods=["GET", "POST", "DELETE"]),
    ]
    config = uvicorn.Config(Starlette(routes=routes), log_config=None, lifespan="off", access_log=False)
    running = uvicorn.Server(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        serving = asyncio.create_task(running.serve(sockets=[listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", server
        finally:
            running.should_exit = True
            await serving
            await server.close()
