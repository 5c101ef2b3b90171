"""Posts to web addresses of others, each in a thread: no redirect is followed, and no answer is read."""

import contextlib
import http.client
from urllib.parse import urlsplit

RECEIVER_SECONDS = 10.0  # that a receiver may be silent
TAKEN = range(200, 300)


class NotTaken(Exception):
    """A receiver did not take what was posted; the sentence says how."""


def post(url: str, headers: dict[str, str], body: bytes) -> None:
    """Post a body to an address."""
    found = urlsplit(url)
    kind = http.client.HTTPSConnection if found.scheme == "https" else http.client.HTTPConnection
    path = f"{found.path or '/'}{f'?{found.query}' if found.query else ''}"
    try:
        connection = kind(found.hostname or "", found.port, timeout=RECEIVER_SECONDS)
        with contextlib.closing(connection):
            connection.request("POST", path, body, headers)
            status = connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotTaken(str(error) or type(error).__name__) from error
    if status not in TAKEN:
        raise NotTaken(f"HTTP {status}")
