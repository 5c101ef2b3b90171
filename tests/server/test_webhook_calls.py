"""A post to a web address lasts so long, whatever its receiver says, and tells nothing of what that was."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from limits import LONG_ENOUGH
from server.in_process import floor_here

from thirdcard.access.accounts import MadeAccount
from thirdcard.access.webhooks import MadeWebhook
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Scope
from thirdcard.server.webhook_calls import NotTaken, post
from thirdcard.wire.paths import API

PATIENCE = 0.5  # seconds for an answer
Say = Callable[[socket.socket], object]


@contextlib.contextmanager
def receiver(say: Say, again: float, host: str = "127.0.0.1") -> Iterator[str]:
    """An address whose receiver says the same again and again, with so many seconds between."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    over = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError):
            line, _ = server.accept()
            with line:
                line.recv(65_536)
                while not over.is_set():
                    say(line)
                    time.sleep(again)

    with socket.create_server((host, 0), family=family) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        shown = f"[{host}]" if ":" in host else host
        try:
            yield f"{shown}:{server.getsockname()[1]}/in"
        finally:
            over.set()
            thread.join(LONG_ENOUGH)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("said", [b"HTTP/1.1 100 Continue\r\n\r\n", b"H", b"\x16\x03\x03\x40\x00"])
def test_a_receiver_that_goes_on_talking_is_not_listened_to_for_ever(scheme: str, said: bytes) -> None:
    with receiver(lambda line: line.sendall(said), again=0.02) as address:
        began = time.monotonic()
        with pytest.raises(NotTaken):
            post(f"{scheme}://{address}", {}, b"{}", PATIENCE)
        assert time.monotonic() - began < PATIENCE + LONG_ENOUGH / 4


def test_what_a_receiver_says_that_is_no_http_is_told_nobody() -> None:
    with (
        receiver(lambda line: line.sendall(b"secret-banner 1.0\r\n"), again=0.02) as address,
        pytest.raises(NotTaken) as refused,
    ):
        post(f"http://{address}", {}, b"{}", PATIENCE)
    assert str(refused.value) == "the answer is no HTTP"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_answer_in_time_is_taken(host: str) -> None:
    with receiver(lambda line: line.sendall(b"HTTP/1.1 204 No Content\r\n\r\n"), 0.02, host) as address:
        post(f"http://{address}", {}, b"{}", LONG_ENOUGH)


async def test_the_secret_of_a_webhook_is_withheld_in_the_records_of_the_floor(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here, here.client() as client:
        reader = await here.accounts.add("Audit", (Scope.RECORDS,), 1, by=COMMAND_LINE)
        assert isinstance(reader, MadeAccount)
        made = await here.webhooks.add("Desk", "http://127.0.0.1:9/in", (Scope.TABLES,), by=COMMAND_LINE)
        assert isinstance(made, MadeWebhook)
        own = {"authorization": f"Bearer {reader.secret}"}
        answer = await client.get(f"{API}/audit/floor/records", params={"before": 0}, headers=own)
        line = next(each for each in map(str, answer.json()["records"]) if made.webhook.url in each)
        assert "withheld" in line
        assert "key_id" not in line
