"""Everything that can happen on a floor, in the past tense."""

import datetime

from msgspec import Struct

from thirdcard.floor.state import Disabled, Person, Proposal, Secret, Session, TableDefinition, Terminal
from thirdcard.staff import Post


class PersonAdded(Struct, frozen=True, kw_only=True, tag="person-added"):
    """A person can sign in."""

    person: Person


class PostsChanged(Struct, frozen=True, kw_only=True, tag="posts-changed"):
    """A person has other posts."""

    name: str
    before: tuple[Post, ...]
    posts: tuple[Post, ...]


class PasswordChanged(Struct, frozen=True, kw_only=True, tag="password-changed"):
    """A person has another password."""

    name: str
    password: str


class SecondFactorSet(Struct, frozen=True, kw_only=True, tag="second-factor-set"):
    """A person has a second factor."""

    name: str
    second_factor: Secret


class PersonLocked(Struct, frozen=True, kw_only=True, tag="person-locked"):
    """A person can sign in no more."""

    name: str
    reason: str


class PersonUnlocked(Struct, frozen=True, kw_only=True, tag="person-unlocked"):
    """A person can sign in again."""

    name: str


class SignedIn(Struct, frozen=True, kw_only=True, tag="signed-in"):
    """A person signed in; ``step`` is that of the code they gave, which is used up."""

    session: Session
    step: int | None = None


class IdentityShown(Struct, frozen=True, kw_only=True, tag="identity-shown"):
    """A person showed who they are at a console, without a session of their own."""

    name: str
    console: str
    step: int | None = None


class SignInFailed(Struct, frozen=True, kw_only=True, tag="sign-in-failed"):
    """Somebody could not sign in under a name."""

    name: str
    console: str
    at: datetime.datetime


class SessionEnded(Struct, frozen=True, kw_only=True, tag="session-ended"):
    """A session was ended."""

    session: str
    reason: str


class TerminalExpected(Struct, frozen=True, kw_only=True, tag="terminal-expected"):
    """A terminal may claim its place with a code."""

    terminal: Terminal


class TerminalEnrolled(Struct, frozen=True, kw_only=True, tag="terminal-enrolled"):
    """A terminal gave its code."""

    terminal: str
    token: str


class TerminalEnabled(Struct, frozen=True, kw_only=True, tag="terminal-enabled"):
    """Patrons may use a terminal."""

    terminal: str


class TerminalDisabled(Struct, frozen=True, kw_only=True, tag="terminal-disabled"):
    """Patrons may use a terminal no more."""

    terminal: str
    reason: str


class PatronSessionOpened(Struct, frozen=True, kw_only=True, tag="patron-session-opened"):
    """A patron uses a terminal."""

    terminal: str
    patron: str


class PatronSessionClosed(Struct, frozen=True, kw_only=True, tag="patron-session-closed"):
    """A patron has left a terminal."""

    terminal: str
    patron: str


class TableProposed(Struct, frozen=True, kw_only=True, tag="table-proposed"):
    """A definition of a table waits for a second person."""

    proposal: Proposal


class ProposalRejected(Struct, frozen=True, kw_only=True, tag="proposal-rejected"):
    """A proposal was turned down."""

    id: int


class TableDefined(Struct, frozen=True, kw_only=True, tag="table-defined"):
    """A table is defined; ``before`` is its definition until now, ``proposal`` what was approved."""

    definition: TableDefinition
    before: TableDefinition | None
    proposal: int | None = None


class FloorFileRead(Struct, frozen=True, kw_only=True, tag="floor-file-read"):
    """A floor file was read."""

    file: str
    digest: str


class WasDisabled(Struct, frozen=True, kw_only=True, tag="was-disabled"):
    """A table, or the floor, takes no new round."""

    disabled: Disabled


class WasEnabled(Struct, frozen=True, kw_only=True, tag="was-enabled"):
    """A table, or the floor, takes rounds again."""

    table: str | None


Event = (
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
    | WasDisabled
    | WasEnabled
)
