"""The messages of a socket, in both directions; the server encodes them and a client decodes them.

Times are microseconds since 1970.
"""

from msgspec import Raw, Struct

from thirdcard.views.lobby import LobbyLine
from thirdcard.views.sections.whole import BettingClock
from thirdcard.wire.answers import AcceptedAnswer, Me, MomentAt
from thirdcard.wire.forms import Form, Name, Sequence, TableCommandForm
from thirdcard.wire.refusals import RefusedMessage

# to the server


class Watch(Form, frozen=True, kw_only=True, tag_field="type", tag="watch"):
    """Watch a table, from a sequence on where the socket had it before."""

    table: Name
    after: Sequence | None = None


class Unwatch(Form, frozen=True, kw_only=True, tag_field="type", tag="unwatch"):
    """Watch a table no more."""

    table: Name


class WatchLobby(Form, frozen=True, kw_only=True, tag_field="type", tag="watch-lobby"):
    """Watch the lobby."""


class SendCommand(TableCommandForm, frozen=True, kw_only=True, tag_field="type", tag="command"):
    """A command to a table, answered by ``accepted`` or ``refused`` with its id."""

    table: Name


class Ping(Form, frozen=True, kw_only=True, tag_field="type", tag="ping"):
    """Asks for the time."""


Incoming = Watch | Unwatch | WatchLobby | SendCommand | Ping


# to the client


class Hello(Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The first message of a socket, and again when somebody sits down or leaves."""

    me: Me


class Pong(Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The time."""

    now: int


class Ended(Struct, frozen=True, kw_only=True, tag_field="type", tag="ended"):
    """The last message of a socket: why it ends, and whether to come again."""

    reason: str
    again: bool


class TableFrame(Struct, frozen=True, kw_only=True, tag_field="type"):
    """A table at a sequence, with everything that happened since ``after``; sections are JSON already.

    ``until`` is when patrons are no longer waited for: to answer an offer, or to open a hand.
    """

    table: str
    after: int
    sequence: int
    now: int
    clock: BettingClock | None
    until: int | None
    moments: list[MomentAt]
    sections: dict[str, Raw]


class ViewFrame(TableFrame, frozen=True, kw_only=True, tag="view"):
    """All sections of a table at a sequence, and everything that happened since ``after``."""


class NewsFrame(TableFrame, frozen=True, kw_only=True, tag="news"):
    """The sections that changed by a sequence, null where one is gone, and the moments since ``after``."""


class LobbyFrame(Struct, frozen=True, kw_only=True, tag_field="type", tag="lobby"):
    """Lines of the lobby that changed."""

    now: int
    tables: tuple[LobbyLine, ...]


Outgoing = Hello | ViewFrame | NewsFrame | LobbyFrame | AcceptedAnswer | RefusedMessage | Pong | Ended
