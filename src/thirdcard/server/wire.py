"""The forms of requests and answers, versioned by their path; screens and the client use the same.

Times are microseconds since 1970, amounts whole minor units of the table's currency.
"""

import datetime
from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from thirdcard.cards import Card
from thirdcard.clockwork.next_step import BettingClock
from thirdcard.dossier.index import RoundLine
from thirdcard.dossier.story import Story
from thirdcard.floor.commands import Body as FloorBody
from thirdcard.floor.state import Disabled, Proposal, TableDefinition
from thirdcard.folds.alerts import Alerts
from thirdcard.folds.history import RoundTold
from thirdcard.folds.meters import Meter
from thirdcard.folds.scoreboard import Scoreboard
from thirdcard.game.commands import Body as TableBody
from thirdcard.game.state import Hand
from thirdcard.messages import Params
from thirdcard.refusals import Refusal
from thirdcard.server.receipts import Receipt
from thirdcard.views.lobby import LobbyLine
from thirdcard.views.moments import Moment
from thirdcard.views.sections import View

CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_.:-]+$")]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
Password = Annotated[str, Meta(max_length=1024)]
Code = Annotated[str, Meta(max_length=64)]
Sequence = Annotated[int, Meta(ge=0)]


class Form(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something sent to the server; unknown keys are refused."""


# what is sent


class Credentials(Form, frozen=True, kw_only=True):
    """Who somebody says they are."""

    name: Name
    password: Password
    code: Code = ""


class SignInForm(Form, frozen=True, kw_only=True):
    """Signing in at a console."""

    credentials: Credentials
    console: Name = "browser"


class NewPasswordForm(Form, frozen=True, kw_only=True):
    """Giving oneself another password."""

    credentials: Credentials
    new: Password


class TableCommandForm(Form, frozen=True, kw_only=True):
    """A command to a table; a second person may approve it at the same console.

    Whoever approves and is not on duty there yet comes on duty first, in the post ``comes_as``.
    """

    command_id: CommandId
    command: TableBody
    authoriser: Credentials | None = None
    comes_as: Name | None = None


class FloorCommandForm(Form, frozen=True, kw_only=True):
    """A command to the floor; a second person may stand behind it at the same console."""

    command_id: CommandId
    command: FloorBody
    approver: Credentials | None = None


class ClaimForm(Form, frozen=True, kw_only=True):
    """A terminal gives its code."""

    code: Code


class EnrolForm(Form, frozen=True, kw_only=True):
    """A terminal is expected at a table."""

    terminal: Name
    table: Name
    position: int | None = None


class DemoSeatForm(Form, frozen=True, kw_only=True):
    """A browser becomes a terminal of the demonstration floor."""

    terminal: Name


# what is answered


class AcceptedAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="accepted"):
    """Something was recorded at a sequence; a receipt where chips or credits moved."""

    command_id: str
    sequence: int
    receipt: Receipt | None = None


class Me(Struct, frozen=True, kw_only=True):
    """Who the server takes the asker for."""

    kind: Literal["staff", "terminal", "guest"]
    name: str
    posts: tuple[str, ...] = ()
    table: str | None = None
    position: int | None = None
    patron: str | None = None
    enabled: bool = True
    training: bool = False
    demo: bool = False
    now: int
    version: str


class SessionLine(Struct, frozen=True):
    """A session of somebody."""

    id: str
    person: str
    console: str
    opened_at: datetime.datetime
    idle: bool


class PersonLine(Struct, frozen=True):
    """A member of staff, without anything that they sign in with."""

    name: str
    posts: tuple[str, ...]
    second_factor: bool
    locked: str | None
    failures: int


class TerminalLine(Struct, frozen=True):
    """A terminal, without its token or code."""

    id: str
    table: str
    position: int | None
    enabled: bool
    claimed: bool
    patron: str | None


class Enrolled(Struct, frozen=True):
    """The code to type at a terminal, and until when it is good."""

    terminal: str
    code: str
    ends: datetime.datetime


class FloorAnswer(Struct, frozen=True):
    """The floor as staff see it."""

    tables: tuple[TableDefinition, ...]
    proposals: tuple[Proposal, ...]
    disabled: tuple[Disabled, ...]


class TablesAnswer(Struct, frozen=True):
    """The lobby."""

    tables: tuple[LobbyLine, ...]


class TableAnswer(Struct, frozen=True, kw_only=True):
    """A table as the asker may see it, up to a sequence; ``until`` is how long patrons are waited for."""

    table: str
    sequence: int
    now: int
    clock: BettingClock | None
    until: int | None
    view: View


class MomentAt(Struct, frozen=True, omit_defaults=True):
    """Something that happened, with the record it stands in and when that was."""

    sequence: int
    at: int
    what: Moment


class MessagesAnswer(Struct, frozen=True):
    """What happened, up to a sequence from which the next page goes on."""

    sequence: int
    moments: list[MomentAt]


class HistoryAnswer(Struct, frozen=True):
    """Finished rounds as the asker may see them."""

    rounds: tuple[RoundTold, ...]


class RoadsAnswer(Struct, frozen=True):
    """The scoreboard as it stood after a round."""

    round: int
    scoreboard: Scoreboard


class ClauseSaid(Struct, frozen=True):
    """A clause in plain words, and the term where it defines one."""

    clause: str
    says: str
    term: str | None


class ClausesAnswer(Struct, frozen=True):
    """The clauses of the rule document of a table."""

    rulebook: str
    clauses: tuple[ClauseSaid, ...]


class MetersAnswer(Struct, frozen=True):
    """The meters of a table, of its patrons or terminals, and of its kinds of wager."""

    table: Meter
    patrons: dict[str, Meter]
    wagers: dict[str, Meter]


class TableAlerts(Struct, frozen=True):
    """The alerts of one table."""

    table: str
    alerts: Alerts


class AlertsAnswer(Struct, frozen=True):
    """What somebody must see to, table by table."""

    tables: tuple[TableAlerts, ...]


class DemoPersonLine(Struct, frozen=True):
    """Somebody of the demonstration floor, with what they sign in with just now."""

    name: str
    post: str
    password: str
    code: str


class DemoAnswer(Struct, frozen=True):
    """The demonstration floor: whom to sign in as, and where to sit."""

    people: tuple[DemoPersonLine, ...]
    terminals: tuple[TerminalLine, ...]


class Health(Struct, frozen=True):
    """That the server is there, and the tables that take nothing at present."""

    version: str
    stopped: tuple[str, ...] = ()


class RecordLine(Struct, frozen=True, kw_only=True):
    """A record of the journal: who asked what on whose authority, what came of it, and what binds it."""

    sequence: int
    kind: str
    at: int
    actor: str
    authoriser: str | None
    command_id: str
    command: Raw
    events: Raw
    refused: Raw
    rulebook: str
    house: str
    software: str
    previous: str
    digest: str


class RecordsAnswer(Struct, frozen=True):
    """Records of a stream; ``withheld`` where a round is under way whose cards are not all open.

    ``reached`` is the sequence from which the next page goes on.
    """

    records: list[RecordLine]
    withheld: bool
    reached: int


class RoundsAnswer(Struct, frozen=True):
    """The rounds that were sought, the newest first."""

    rounds: tuple[RoundLine, ...]


class RoundAnswer(Struct, frozen=True):
    """A round, told, and the cards of both hands as they lay after each step."""

    story: Story
    laid: tuple[dict[Hand, tuple[Card | None, ...]], ...]


class VerifyForm(Form, frozen=True, kw_only=True):
    """A verification: of everything, or of the chain and the signatures alone."""

    chain_only: bool = False


# over a socket


class Watch(Form, frozen=True, kw_only=True, tag_field="type", tag="watch"):
    """Watch a table, from a sequence on where the socket had it before."""

    table: Name
    after: Sequence | None = None


class Unwatch(Form, frozen=True, kw_only=True, tag_field="type", tag="unwatch"):
    """Watch a table no more."""

    table: Name


class WatchLobby(Form, frozen=True, kw_only=True, tag_field="type", tag="watch-lobby"):
    """Watch the lobby."""


class SendCommand(Form, frozen=True, kw_only=True, tag_field="type", tag="command"):
    """A command to a table, answered by ``accepted`` or ``refused`` with its id."""

    table: Name
    command_id: CommandId
    command: TableBody
    authoriser: Credentials | None = None
    comes_as: Name | None = None


class Ping(Form, frozen=True, kw_only=True, tag_field="type", tag="ping"):
    """Asks for the time."""


Incoming = Watch | Unwatch | WatchLobby | SendCommand | Ping


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


class RefusedMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="refused"):
    """Why something was not done: a stable code, the clauses, and a sentence with what stands in it.

    Over a socket it has the id of the command, or the table that cannot be watched.
    """

    reason: Refusal
    clauses: tuple[str, ...]
    message: str
    params: Params = ()
    command_id: str | None = None
    table: str | None = None


class ViewFrame(Struct, frozen=True, kw_only=True, tag_field="type", tag="view"):
    """Everything that a table shows at a sequence, and what happened since ``after``.

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


class NewsFrame(Struct, frozen=True, kw_only=True, tag_field="type", tag="news"):
    """The sections that changed by a sequence, null where one is gone, and what happened since ``after``."""

    table: str
    after: int
    sequence: int
    now: int
    clock: BettingClock | None
    until: int | None
    moments: list[MomentAt]
    sections: dict[str, Raw]


class LobbyFrame(Struct, frozen=True, kw_only=True, tag_field="type", tag="lobby"):
    """Lines of the lobby that changed."""

    now: int
    tables: tuple[LobbyLine, ...]


Outgoing = Hello | ViewFrame | NewsFrame | LobbyFrame | AcceptedAnswer | RefusedMessage | Pong | Ended
