"""How a server can be reached: its address and its certificate, and warnings of what is too open."""

import contextlib
import ipaddress
import os
import ssl
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from thirdcard.messages import Message, message
from thirdcard.server.security import Guard


class Listen(Struct, frozen=True):
    """Where a server can be reached; port nought takes one that is free."""

    host: str = "127.0.0.1"
    port: int = 8333

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        with contextlib.suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return self.host == "localhost"


class BadCertificate(Exception):
    """A certificate or its private key cannot be used."""


class Tls(Struct, frozen=True):
    """The files of a certificate with its chain, and of its private key."""

    cert: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        """Return what a handshake needs, or raise BadCertificate where the files cannot be used."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.cert, self.key, password=_no_password)
        except (OSError, ValueError) as error:
            raise BadCertificate(f"{self.cert}, {self.key}: {error}") from error
        return context


def _no_password() -> str:
    """Refuse to ask for a password: nobody sits at the keyboard of a server."""
    raise ValueError("the private key is encrypted with a password")


class Exposure(Struct, frozen=True, kw_only=True):
    """The facts about a server that somebody is warned of."""

    listen: Listen
    guard: Guard
    tls: bool
    demo: bool
    superuser: bool

    @property
    def warnings(self) -> tuple[Message, ...]:
        """Return a sentence for each danger, with what to do about it."""
        return tuple(self._found())

    def _found(self) -> Iterator[Message]:
        if not self.listen.is_local:
            if not self.tls and not self.guard.proxies:
                yield message("serve.warn-no-tls", host=self.listen.host)
            if not self.guard.hosts:
                yield message("serve.warn-any-host")
            if self.demo:
                yield message("serve.warn-open-demo", host=self.listen.host)
        if os.geteuid() == 0:
            yield message("serve.warn-root")
        if self.superuser:
            yield message("serve.warn-superuser")
