"""The floor as a value: everything that its events have made of it."""

import datetime
import enum
from typing import Annotated

from msgspec import Meta, Struct

from thirdcard.game.table_setup import Setup
from thirdcard.rulebook.irregularity import Method
from thirdcard.staff import Post


class Office(enum.Enum):
    """Duties beside the ladder of posts: they rank with nobody."""

    ATTENDANT = "attendant"
    SURVEILLANCE = "surveillance"
    AUDITOR = "auditor"


class Scope(enum.Enum):
    """A scope of service accounts: each opens one part of the server to another system."""

    TABLES = "tables"
    RECORDS = "records"
    CREDITS = "credits"
    CARDS = "cards"
    METRICS = "metrics"


class StreamEnd(Struct, frozen=True):
    """The end of a stream: its last record, and the digest of that in hexadecimal."""

    stream: str
    sequence: int
    digest: str


class ShelfFile(Struct, frozen=True):
    """A rulebook or house of a shelf of one's own, by its id, and the digest of its content.

    The id of a rulebook has the day from which it is in force.
    """

    id: str
    digest: str


class Secret(Struct, frozen=True):
    """Something encrypted with a key of the floor."""

    key_id: str
    content: bytes


GOOD_TOGETHER = 2  # steps between the oldest and the newest code that are good at the same time
STEPS_KEPT = 8  # of codes that were taken
ADDRESSES_KEPT = 16  # from which somebody signed in
CLOCK_STEPS_KEPT = 50  # that nobody has acknowledged
MOST_WEBHOOKS = 16
FEED_SCOPES = (Scope.TABLES, Scope.RECORDS)  # by which a feed is seen; the first is always needed
LONGEST_ACCOUNT = 366  # days that a service account lasts at most


class Person(Struct, frozen=True, kw_only=True):
    """A member of staff who can sign in; the password is a hash, the second factor is encrypted.

    ``used_steps`` are those of the last codes of the second factor that were taken, ``addresses`` those from
    which they showed last who they are.
    """

    name: str
    posts: tuple[Post, ...]
    password: str
    second_factor: Secret | None = None
    locked: str | None = None
    failures: int = 0
    used_steps: tuple[int, ...] = ()
    addresses: tuple[str, ...] = ()

    def has_used(self, step: int) -> bool:
        """Whether a code is used up: it was taken, or one that was good together with it and is newer.

        One that is much newer was taken by a clock that was ahead, and uses up none of today's.
        """
        return any(step <= used <= step + GOOD_TOGETHER for used in self.used_steps)


class Session(Struct, frozen=True):
    """A person signed in; the id is the digest of what their browser holds."""

    id: str
    person: str
    opened_at: datetime.datetime
    console: str


class ServiceAccount(Struct, frozen=True, kw_only=True):
    """An account of another system; the token is the digest of the secret that the system holds.

    ``by`` and ``second`` are the two who made it and saw the secret; ``ended`` says why it is over before
    ``ends``, or that this time has come.
    """

    name: str
    scopes: tuple[Scope, ...]
    token: str
    since: datetime.datetime
    ends: datetime.datetime
    by: str
    second: str | None = None
    ended: str | None = None

    @property
    def makers(self) -> tuple[str, ...]:
        """The people who made it."""
        return (self.by, self.second) if self.second else (self.by,)


class FeedPlace(Struct, frozen=True):
    """A place in the feed of a table: the sequence of the last record that was delivered."""

    table: str
    sequence: int


class Webhook(Struct, frozen=True, kw_only=True):
    """A web address of another system to which the feeds of all tables are posted; the secret is encrypted.

    ``after`` is how far each table was delivered when that was recorded last; a table that is not in it
    begins with its first record. ``stopped`` says why nothing is delivered until somebody resumes it.
    """

    name: str
    url: str
    scopes: tuple[Scope, ...]
    secret: Secret
    by: str
    second: str | None = None
    after: tuple[FeedPlace, ...] = ()
    stopped: str | None = None


class Terminal(Struct, frozen=True, kw_only=True):
    """A device that patrons use: enrolled with a code, disabled until somebody enables it."""

    id: str
    table: str
    position: int | None = None
    enabled: bool = False
    code: str | None = None
    code_ends: datetime.datetime | None = None
    token: str | None = None
    patron: str | None = None


class Timers(Struct, frozen=True, forbid_unknown_fields=True):
    """How long things take at a table, in seconds; nought leaves a step to people."""

    betting: int = 0
    warning: int = 5
    card: float = 0.0
    between: float = 0.0
    offer: int = 30


PitName = Annotated[str, Meta(max_length=64, pattern=r"^([A-Za-z0-9][A-Za-z0-9 .-]*)?$")]


class ReaderRole(enum.Enum):
    """The role of a card reader: its cards are dealt, or compared with those that the dealer enters."""

    DEALS = "deals"
    CHECKS = "checks"


class TableDefinition(Struct, frozen=True, kw_only=True):
    """The definition of a table on the floor: its set-up, who deals, from what, and by which clock.

    ``reader`` says what a card reader does that connects to it; without it none may. ``next_marks`` says
    whether the roads have the marks that come next. ``pit`` names the part of the floor in which it stands.
    """

    setup: Setup
    method: Method | None = None
    virtual_shoe: bool = False
    automatic_dealer: bool = False
    cutting_card: int = 14
    reader: ReaderRole | None = None
    next_marks: bool = False
    timers: Timers = Timers()
    pit: PitName = ""


class GamingDay(Struct, frozen=True, forbid_unknown_fields=True):
    """The gaming day of a floor: its time zone, and when its shifts begin, the first of them with it."""

    zone: str
    shifts: tuple[str, ...] = ("06:00",)


class DayPlan(Struct, frozen=True):
    """A gaming day that was set; it holds from the one on that begins next."""

    day: GamingDay
    since: datetime.datetime


class Proposal(Struct, frozen=True):
    """A table's definition that waits for a second person."""

    id: int
    by: str
    definition: TableDefinition


class ClockStep(Struct, frozen=True):
    """A wall clock that somebody set: when by its new time, by how many microseconds, and in which run."""

    at: datetime.datetime
    microseconds: int
    run: str


class Disabled(Struct, frozen=True):
    """Something that takes no new round or sign-in: a table, or with no name the whole floor."""

    table: str | None
    by: str
    reason: str


class Floor(Struct, frozen=True):
    """A floor, whole.

    ``shelf`` are the rulebooks and houses of its own that it goes by; nothing where no shelf was ever used.
    ``real`` says whether money was ever real at one of its tables.
    """

    people: tuple[Person, ...] = ()
    sessions: tuple[Session, ...] = ()
    terminals: tuple[Terminal, ...] = ()
    tables: tuple[TableDefinition, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    disabled: tuple[Disabled, ...] = ()
    proposed: int = 0
    clock_steps: tuple[ClockStep, ...] = ()
    day_plans: tuple[DayPlan, ...] = ()
    shelf: tuple[ShelfFile, ...] | None = None
    real: bool = False
    accounts: tuple[ServiceAccount, ...] = ()
    webhooks: tuple[Webhook, ...] = ()

    def person(self, name: str) -> Person | None:
        """A person by name."""
        return next((each for each in self.people if each.name == name), None)

    def account(self, name: str) -> ServiceAccount | None:
        """A service account by its name, the newest where others had the name before it."""
        return next((each for each in reversed(self.accounts) if each.name == name), None)

    @property
    def newest_accounts(self) -> tuple[ServiceAccount, ...]:
        """The service accounts, of each name the newest."""
        return tuple({each.name: each for each in self.accounts}.values())

    def makers_of(self, name: str) -> tuple[str, ...]:
        """Everybody who made a service account of a name, also one that is over: each saw a secret of it."""
        return tuple(maker for each in self.accounts if each.name == name for maker in each.makers)

    def webhook(self, name: str) -> Webhook | None:
        """A webhook by its name."""
        return next((each for each in self.webhooks if each.name == name), None)

    def session(self, session_id: str) -> Session | None:
        """A session by its id."""
        return next((each for each in self.sessions if each.id == session_id), None)

    def terminal(self, terminal_id: str) -> Terminal | None:
        """A terminal by its id."""
        return next((each for each in self.terminals if each.id == terminal_id), None)

    def table(self, name: str) -> TableDefinition | None:
        """The definition of a table by its name."""
        return next((each for each in self.tables if each.setup.table == name), None)

    def why_disabled(self, table: str) -> Disabled | None:
        """Why a table takes no new round, or nothing."""
        return next((each for each in self.disabled if each.table in (None, table)), None)
