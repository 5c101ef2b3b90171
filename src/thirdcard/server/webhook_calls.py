"""Posts to web addresses of others, each in a thread: no redirect is followed, and no answer is read."""

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

RECEIVER_SECONDS = 10.0  # within which a receiver answers, once it can be reached
TAKEN = range(200, 300)
PORTS = {"http": 80, "https": 443}


class NotTaken(Exception):
    """A receiver did not take what was posted; the sentence says how."""


def post(url: str, headers: dict[str, str], body: bytes, seconds: float = RECEIVER_SECONDS) -> None:
    """Post a body to an address."""
    began = time.monotonic()
    try:
        status = _status_of(url, headers, body, seconds)
    except (OSError, http.client.HTTPException, ValueError) as error:
        if time.monotonic() - began >= seconds:
            raise NotTaken(f"no answer within {seconds:g} seconds") from error
        if isinstance(error, http.client.BadStatusLine | http.client.LineTooLong):
            raise NotTaken("the answer is no HTTP") from error  # what else it is, is for nobody to read
        raise NotTaken(str(error) or type(error).__name__) from error
    if status not in TAKEN:
        raise NotTaken(f"HTTP {status}")


def _status_of(url: str, headers: dict[str, str], body: bytes, seconds: float) -> int:
    """Post a body, and return the status of the answer."""
    found = urlsplit(url)
    host, port = found.hostname or "", found.port or PORTS[found.scheme]
    kind = http.client.HTTPSConnection if found.scheme == "https" else http.client.HTTPConnection
    path = f"{found.path or '/'}{f'?{found.query}' if found.query else ''}"
    line = socket.create_connection((host, port), seconds)
    with contextlib.closing(line), _hanging_up(line, seconds):
        if found.scheme == "https":
            line = ssl.create_default_context().wrap_socket(line, server_hostname=host)
        with contextlib.closing(kind(host, port)) as connection:
            connection.sock = line
            connection.request("POST", path, body, headers)
            return connection.getresponse().status


@contextlib.contextmanager
def _hanging_up(line: socket.socket, seconds: float) -> Iterator[None]:
    """Hang up after some time, also where the other side goes on saying something."""
    same = line.dup()

    def hang_up() -> None:
        with contextlib.suppress(OSError):
            same.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        same.close()
