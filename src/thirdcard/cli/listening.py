"""Where a server listens, and its certificate, as options say it."""

import re
from pathlib import Path

from thirdcard.cli.output import BadInput
from thirdcard.rulebook.words import text
from thirdcard.server.exposure import Listen, Tls

USUAL_LISTEN = "127.0.0.1:8333"
HIGHEST_PORT = 65_535
_LISTEN = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]/\s]+):(?P<port>[0-9]{1,5})")


def parse_listen(given: str) -> Listen:
    """Return the address and the port in a text."""
    found = _LISTEN.fullmatch(given)
    if found is None or int(found["port"]) > HIGHEST_PORT:
        raise BadInput(text("serve.bad-listen", given=given))
    return Listen(found["host"].strip("[]"), int(found["port"]))


def certificate_of(cert: Path | None, key: Path | None) -> Tls | None:
    """Return the certificate that two options name, or nothing where neither is given."""
    if cert is not None and key is not None:
        return Tls(cert, key)
    if cert is not None or key is not None:
        raise BadInput(text("serve.tls-needs-both"))
    return None
