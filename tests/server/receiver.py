"""A receiver of webhooks: it takes what is posted, or does not, and can be killed and started again."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec
from msgspec import Struct

from thirdcard.access.webhooks import signed
from thirdcard.server.webhooks import Delivery


class Posted(Struct, frozen=True):
    """Something that came: where, with which signature, and whether it was taken."""

    path: str
    signature: str
    body: bytes
    taken: bool

    @property
    def delivery(self) -> Delivery:
        """The delivery that it is."""
        return msgspec.json.decode(self.body, type=Delivery)

    def is_genuine(self, secret: str) -> bool:
        """Whether it was signed with a secret."""
        seconds = int(self.signature.partition(",")[0].removeprefix("t="))
        return self.signature == signed(secret.encode(), self.body, seconds)


class Receiver:
    """A web server that notes what comes; ``status`` is what it answers."""

    def __init__(self) -> None:
        self.posted: list[Posted] = []
        self.status = 204
        self.answers = threading.Event()  # until then it says nothing
        self.answers.set()
        self._came = threading.Condition()
        self._server: ThreadingHTTPServer | None = None
        self._port = 0

    @property
    def url(self) -> str:
        """The address to which to post."""
        return f"http://127.0.0.1:{self._port}/in"

    def start(self) -> "Receiver":
        """Listen, at first or again at the same port."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), self._handler())
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def kill(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self.answers.set()
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    @property
    def taken(self) -> list[Posted]:
        """The posts that were taken."""
        return [each for each in self.posted if each.taken]

    def count(self, number: int, seconds: float) -> bool:
        """Wait until so much has come; whether it came in time."""
        with self._came:
            return self._came.wait_for(lambda: len(self.posted) >= number, seconds)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                status = receiver.status
                receiver.note(
                    Posted(self.path, self.headers["thirdcard-signature"], body, 200 <= status < 300)
                )
                receiver.answers.wait()
                self.send_response(status)
                self.send_header("location", "/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        return Handler

    def note(self, posted: Posted) -> None:
        """Note what came."""
        with self._came:
            self.posted.append(posted)
            self._came.notify_all()
