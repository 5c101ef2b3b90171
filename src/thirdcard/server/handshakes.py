"""Handshakes of TLS: each has some time to come to its end, and no address has too many under way."""

import asyncio
import logging
import socket
import ssl
from asyncio import sleep as rest
from collections.abc import Callable, Coroutine

from msgspec.structs import replace

from thirdcard.server.connections import Connections
from thirdcard.server.security import Guard

PART_OF_CONNECTIONS = 4  # one address has a quarter as many handshakes under way as connections
ANOTHER_SECONDS = 1.0  # real seconds until a server that is full accepts again
log = logging.getLogger(__name__)


class TlsDoor:
    """Takes connections at a socket, and makes them connections of HTTP when their handshake is over."""

    def __init__(
        self,
        listening: socket.socket,
        certificate: ssl.SSLContext,
        guard: Guard,
        make_http: Callable[[], asyncio.Protocol],
    ) -> None:
        self._listening = listening
        self._certificate = certificate
        self._make_http = make_http
        most = max(1, guard.connections_of_one // PART_OF_CONNECTIONS)
        self._under_way = Connections(replace(guard, connections_of_one=most))
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin."""
        self._listening.settimeout(0)  # never waits
        self._start(self._accept())

    async def close(self) -> None:
        """Take no more connections; those that are made stay."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._listening.close()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, (address, *_) = await loop.sock_accept(self._listening)
            except OSError as error:  # too many files are open, for instance
                log.warning("cannot accept", extra={"fields": {"why": str(error)}})
                await rest(ANOTHER_SECONDS)
                continue
            if self._under_way.enter(address):
                self._start(self._shake_hands(accepted, address))
            else:
                accepted.close()

    async def _shake_hands(self, accepted: socket.socket, address: str) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                self._make_http,
                accepted,
                ssl=self._certificate,
                ssl_handshake_timeout=self._under_way.seconds,
            )
        except OSError:  # the client is gone, too slow, or speaks no TLS
            accepted.close()
        finally:
            self._under_way.leave(address)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
