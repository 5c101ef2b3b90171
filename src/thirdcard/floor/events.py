"""Everything that can happen on a floor, in the past tense."""

import datetime

from msgspec import Struct

from thirdcard.floor.state import (
    ClockStep,
    DayPlan,
    Disabled,
    FeedPlace,
    Person,
    Proposal,
    Secret,
    ServiceAccount,
    Session,
    ShelfFile,
    StreamEnd,
    TableDefinition,
    Terminal,
    Webhook,
)
from thirdcard.staff import Post
from thirdcard.tags import tag_of


class FloorEventBase(Struct, frozen=True, kw_only=True, tag=tag_of):
    """An event of the floor; its tag is its name."""


class PersonAdded(FloorEventBase, frozen=True, kw_only=True):
    """A person can sign in."""

    person: Person


class PostsChanged(FloorEventBase, frozen=True, kw_only=True):
    """A person has other posts."""

    name: str
    before: tuple[Post, ...]
    posts: tuple[Post, ...]


class PasswordChanged(FloorEventBase, frozen=True, kw_only=True):
    """A person has another password."""

    name: str
    password: str


class SecondFactorSet(FloorEventBase, frozen=True, kw_only=True):
    """A person has a second factor."""

    name: str
    second_factor: Secret


class PersonLocked(FloorEventBase, frozen=True, kw_only=True):
    """A person can sign in no more."""

    name: str
    reason: str


class PersonUnlocked(FloorEventBase, frozen=True, kw_only=True):
    """A person can sign in again."""

    name: str


class SignedIn(FloorEventBase, frozen=True, kw_only=True):
    """A person signed in from an address; ``step`` is that of the code they gave, which is used up."""

    session: Session
    step: int | None = None
    address: str = ""


class IdentityShown(FloorEventBase, frozen=True, kw_only=True):
    """A person showed who they are at a console, without a session of their own."""

    name: str
    console: str
    step: int | None = None
    address: str = ""


class SignInFailed(FloorEventBase, frozen=True, kw_only=True):
    """An attempt to sign in under a name failed."""

    name: str
    console: str
    at: datetime.datetime


class SessionEnded(FloorEventBase, frozen=True, kw_only=True):
    """A session was ended."""

    session: str
    reason: str


class TerminalExpected(FloorEventBase, frozen=True, kw_only=True):
    """A terminal may claim its place with a code."""

    terminal: Terminal


class TerminalEnrolled(FloorEventBase, frozen=True, kw_only=True):
    """A terminal gave its code."""

    terminal: str
    token: str


class TerminalEnabled(FloorEventBase, frozen=True, kw_only=True):
    """Patrons may use a terminal."""

    terminal: str


class TerminalDisabled(FloorEventBase, frozen=True, kw_only=True):
    """Patrons may use a terminal no more."""

    terminal: str
    reason: str


class PatronSessionOpened(FloorEventBase, frozen=True, kw_only=True):
    """A patron uses a terminal."""

    terminal: str
    patron: str


class PatronSessionClosed(FloorEventBase, frozen=True, kw_only=True):
    """A patron has left a terminal."""

    terminal: str
    patron: str


class TableProposed(FloorEventBase, frozen=True, kw_only=True):
    """A definition of a table waits for a second person."""

    proposal: Proposal


class ProposalRejected(FloorEventBase, frozen=True, kw_only=True):
    """A proposal was turned down."""

    id: int


class TableDefined(FloorEventBase, frozen=True, kw_only=True):
    """A table is defined; ``before`` is its definition until now, ``proposal`` what was approved."""

    definition: TableDefinition
    before: TableDefinition | None
    proposal: int | None = None


class FloorFileRead(FloorEventBase, frozen=True, kw_only=True):
    """A floor file was read."""

    file: str
    digest: str


class GamingDaySet(FloorEventBase, frozen=True, kw_only=True):
    """The floor has another gaming day from the next one on."""

    plan: DayPlan


class SigningBegan(FloorEventBase, frozen=True, kw_only=True):
    """Every record is signed from here on; streams had unsigned ones up to these ends."""

    ends: tuple[StreamEnd, ...]


class RestoreAccepted(FloorEventBase, frozen=True, kw_only=True):
    """Two people gave up the records after ``kept`` that were marked up to ``lost``."""

    by: str
    second: str
    reason: str
    lost: tuple[StreamEnd, ...]
    kept: tuple[StreamEnd, ...]


class ShelfAccepted(FloorEventBase, frozen=True, kw_only=True):
    """The floor goes by these rulebooks and houses of a shelf of its own."""

    files: tuple[ShelfFile, ...]
    by: str
    second: str | None


class ClockSet(FloorEventBase, frozen=True, kw_only=True):
    """The wall clock of a server was set."""

    step: ClockStep


class ClockStepAcknowledged(FloorEventBase, frozen=True, kw_only=True):
    """A person acknowledged that the wall clock of a server was set."""

    at: datetime.datetime
    run: str
    by: str


class WasDisabled(FloorEventBase, frozen=True, kw_only=True):
    """A table, or the floor, takes no new round."""

    disabled: Disabled


class WasEnabled(FloorEventBase, frozen=True, kw_only=True):
    """A table, or the floor, takes rounds again."""

    table: str | None


class AccountAdded(FloorEventBase, frozen=True, kw_only=True):
    """Another system is let in by a service account."""

    account: ServiceAccount


class AccountRevoked(FloorEventBase, frozen=True, kw_only=True):
    """A service account is over."""

    name: str
    reason: str
    by: str


class WebhookAdded(FloorEventBase, frozen=True, kw_only=True):
    """Feeds are posted to a web address."""

    webhook: Webhook


class WebhookRemoved(FloorEventBase, frozen=True, kw_only=True):
    """Nothing is posted to a web address any more."""

    name: str
    reason: str
    by: str


class WebhookStopped(FloorEventBase, frozen=True, kw_only=True):
    """Nothing is posted to a web address until somebody resumes it."""

    name: str
    reason: str
    after: tuple[FeedPlace, ...]


class WebhookResumed(FloorEventBase, frozen=True, kw_only=True):
    """A person resumed the posts to a web address."""

    name: str
    by: str


class FeedsDelivered(FloorEventBase, frozen=True, kw_only=True):
    """A web address has taken the feeds up to these places."""

    name: str
    after: tuple[FeedPlace, ...]


WebhookEvent = WebhookAdded | WebhookRemoved | WebhookStopped | WebhookResumed | FeedsDelivered
FloorEvent = (
    PersonAdded
    | PostsChanged
    | PasswordChanged
    | SecondFactorSet
    | PersonLocked
    | PersonUnlocked
    | SignedIn
    | IdentityShown
    | SignInFailed
    | SessionEnded
    | TerminalExpected
    | TerminalEnrolled
    | TerminalEnabled
    | TerminalDisabled
    | PatronSessionOpened
    | PatronSessionClosed
    | TableProposed
    | ProposalRejected
    | TableDefined
    | FloorFileRead
    | GamingDaySet
    | SigningBegan
    | RestoreAccepted
    | ShelfAccepted
    | ClockSet
    | ClockStepAcknowledged
    | WasDisabled
    | WasEnabled
    | AccountAdded
    | AccountRevoked
    | WebhookAdded
    | WebhookRemoved
    | WebhookStopped
    | WebhookResumed
    | FeedsDelivered
)
