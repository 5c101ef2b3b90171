"""A typed client of a floor's server, over HTTP and over a socket, with ``async`` or without.

``from thirdcard import client`` has all that a program needs: docs/api.md shows how it is used. A bot that
plays a terminal is in ``thirdcard.client.bot``.
"""

try:
    from thirdcard.client.blocking import BlockingClient, BlockingPicture
    from thirdcard.client.calls import Client, RetryPolicy, new_id
    from thirdcard.client.errors import LineEnded, NotUnderstood, Trouble, Unreachable, WasRefused
    from thirdcard.client.line import ClientSocket
    from thirdcard.client.picture import Picture
    from thirdcard.client.tolerant import UnknownMoment
except ModuleNotFoundError as error:
    if error.name != "httpx":
        raise
    raise ImportError("thirdcard.client needs httpx: pip install 'thirdcard[client]'") from error

from thirdcard.floor import commands as floor_commands
from thirdcard.floor.state import Scope
from thirdcard.game import commands
from thirdcard.refusals import Refusal
from thirdcard.wire.forms import Credentials

__all__ = [
    "BlockingClient",
    "BlockingPicture",
    "Client",
    "ClientSocket",
    "Credentials",
    "LineEnded",
    "NotUnderstood",
    "Picture",
    "Refusal",
    "RetryPolicy",
    "Scope",
    "Trouble",
    "UnknownMoment",
    "Unreachable",
    "WasRefused",
    "commands",
    "floor_commands",
    "new_id",
]
