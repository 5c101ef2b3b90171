"""The answers of a server over HTTP, versioned by their path; screens and the client read the same.

Times are microseconds since 1970, amounts whole minor units of the table's currency.
"""

import datetime
from typing import Literal

from msgspec import Struct

from thirdcard.floor.state import ClockStep, Disabled, Proposal, Scope, TableDefinition
from thirdcard.folds.alerts import Alerts
from thirdcard.folds.history import RoundTold
from thirdcard.folds.meters import Meter
from thirdcard.folds.scoreboard import Scoreboard
from thirdcard.folds.slips import OverdueBox
from thirdcard.messages import Message
from thirdcard.money import Currency
from thirdcard.views.lobby import LobbyLine
from thirdcard.views.moments.kinds import Moment
from thirdcard.views.sections.whole import BettingClock, View
from thirdcard.wire.receipts import Receipt


class AcceptedAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="accepted"):
    """Something was recorded at a sequence; a receipt where chips or credits moved."""

    command_id: str
    sequence: int
    receipt: Receipt | None = None


class Me(Struct, frozen=True, kw_only=True):
    """The asker as the server knows them.

    ``failures`` is how often somebody failed to sign in under their name since they did so last.
    """

    kind: Literal["staff", "terminal", "account", "guest"]
    name: str
    posts: tuple[str, ...] = ()
    table: str | None = None
    position: int | None = None
    patron: str | None = None
    enabled: bool = True
    training: bool = False
    demo: bool = False
    failures: int = 0
    scopes: tuple[Scope, ...] = ()
    now: int
    version: str


class AccountLine(Struct, frozen=True, kw_only=True):
    """A service account, without its secret; ``ended`` is why it is over before its time, if it is."""

    name: str
    scopes: tuple[Scope, ...]
    since: datetime.datetime
    ends: datetime.datetime
    by: str
    second: str | None
    ended: str | None


class AccountMade(Struct, frozen=True):
    """A service account that was made, with its secret, which is shown once."""

    account: AccountLine
    secret: str


class WebhookLine(Struct, frozen=True, kw_only=True):
    """A webhook, without its secret; ``stopped`` is why nothing is posted until somebody resumes it."""

    name: str
    url: str
    scopes: tuple[Scope, ...]
    by: str
    second: str | None
    stopped: str | None


class WebhookMade(Struct, frozen=True):
    """A webhook that was set up, with its secret, which is shown once."""

    webhook: WebhookLine
    secret: str


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


class FactorShown(Struct, frozen=True):
    """A new second factor, shown once: its secret, and its QR code row by row, where 1 is dark."""

    secret: str
    picture: tuple[str, ...]


class PersonChanged(Struct, frozen=True):
    """It is recorded; a second factor that came with it is shown once."""

    factor: FactorShown | None


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


class RecordsState(Struct, frozen=True, kw_only=True):
    """The state of the record: whether tables are closed, and why; the last check; the mark; the witness.

    ``marks`` says whether the mark of the journal can be written, ``compared`` whether the journal could be
    compared with it at the start, ``witness`` whether it answers, if there is one.
    """

    whole: bool
    checked_at: int | None
    records: int
    marked_at: int | None
    marks: bool
    compared: bool
    witness: bool | None
    closed: tuple[Message, ...] = ()


class FloorAnswer(Struct, frozen=True):
    """The floor as staff see it; ``posts`` are those that a person can be given.

    ``changes_people`` says whether the asker may change who can sign in; ``clock_steps`` are the last times
    that the clock of a server was set.
    """

    tables: tuple[TableDefinition, ...]
    proposals: tuple[Proposal, ...]
    disabled: tuple[Disabled, ...]
    posts: tuple[str, ...]
    changes_people: bool
    records: RecordsState
    clock_steps: tuple[ClockStep, ...]


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
    """The moments up to a sequence from which the next page goes on."""

    sequence: int
    moments: list[MomentAt]


class FeedEvent(Struct, frozen=True):
    """One record of a table as a feed tells it: its sequence, when it was, and what happened."""

    table: str
    sequence: int
    at: int
    moments: list[Moment]


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
    """The meters of a table, of its patrons or terminals, and of its kinds of wager.

    They begin with the first record of the table, ``since``, and go up to the time of the answer, ``until``.
    """

    table: Meter
    patrons: dict[str, Meter]
    wagers: dict[str, Meter]
    since: int
    until: int


class TableMeter(Struct, frozen=True):
    """The meter of one table, from its first record on."""

    table: str
    currency: Currency
    since: int
    meter: Meter


class AllMetersAnswer(Struct, frozen=True):
    """The meters of all tables, up to the time of the answer."""

    tables: tuple[TableMeter, ...]
    until: int


class TableAlerts(Struct, frozen=True):
    """The alerts of one table, and the drop boxes that nobody has counted in time."""

    table: str
    alerts: Alerts
    overdue: tuple[OverdueBox, ...] = ()


class AlertsAnswer(Struct, frozen=True):
    """The alerts that somebody must see to, table by table."""

    tables: tuple[TableAlerts, ...]


class DemoPersonLine(Struct, frozen=True):
    """A person of the demonstration floor, with what they sign in with just now."""

    name: str
    post: str
    password: str
    code: str


class DemoAnswer(Struct, frozen=True):
    """The demonstration floor: whom to sign in as, and where to sit."""

    people: tuple[DemoPersonLine, ...]
    terminals: tuple[TerminalLine, ...]


class Health(Struct, frozen=True):
    """That the server is there, the tables that take nothing at present, and whether the record is whole."""

    version: str
    records: RecordsState
    stopped: tuple[str, ...] = ()


class PayRowOdds(Struct, frozen=True):
    """How often a row pays: its odds, ordered draws, and their share."""

    odds: str
    count: str
    probability: float


class WagerPriced(Struct, frozen=True, kw_only=True):
    """A wager: its rows, and what the house keeps of a unit staked, exactly and as a number."""

    rows: tuple[PayRowOdds, ...]
    stood_off: str
    lost: str
    edge: str
    edge_percent: float
    sd: float


class OddsAnswer(Struct, frozen=True, kw_only=True):
    """The exact odds of every wager; ``total`` are ordered draws, ``void`` those that cannot be completed.

    Counts are texts, since from nine decks on they pass what JSON readers keep.
    """

    game: str
    cards: dict[str, int]
    total: str
    void: str
    wagers: dict[str, WagerPriced]
