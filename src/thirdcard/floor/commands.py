"""Everything that can be asked of a floor, in the imperative."""

import datetime

from msgspec import Struct

from thirdcard.floor.state import FeedPlace, GamingDay, Scope, Secret, ShelfFile, StreamEnd, TableDefinition
from thirdcard.game.commands import Envelope
from thirdcard.staff import Post
from thirdcard.tags import tag_of


class FloorCommandBase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=tag_of):
    """A command of the floor as it is sent: its tag is its name, unknown keys are refused."""


class AddPerson(FloorCommandBase, frozen=True, kw_only=True):
    """Let a person sign in, in some posts."""

    name: str
    posts: tuple[Post, ...]
    password: str
    second_factor: Secret | None = None


class ChangePosts(FloorCommandBase, frozen=True, kw_only=True):
    """Give a person other posts."""

    name: str
    posts: tuple[Post, ...]


class ChangePassword(FloorCommandBase, frozen=True, kw_only=True):
    """Give a person another password."""

    name: str
    password: str


class SetSecondFactor(FloorCommandBase, frozen=True, kw_only=True):
    """Give a person a second factor."""

    name: str
    second_factor: Secret


class LockPerson(FloorCommandBase, frozen=True, kw_only=True):
    """Let a person sign in no more, and end their sessions."""

    name: str
    reason: str


class UnlockPerson(FloorCommandBase, frozen=True, kw_only=True):
    """Let a person sign in again."""

    name: str


class SignIn(FloorCommandBase, frozen=True, kw_only=True):
    """Open a session for a person whose password and second factor were right."""

    name: str
    session: str
    console: str
    step: int | None = None
    address: str = ""


class ShowIdentity(FloorCommandBase, frozen=True, kw_only=True):
    """Show who one is at a console without a session of one's own: to approve, or to go on after a rest."""

    name: str
    console: str
    step: int | None = None
    address: str = ""


class FailSignIn(FloorCommandBase, frozen=True, kw_only=True):
    """Note that somebody could not sign in under a name."""

    name: str
    console: str


class EndSession(FloorCommandBase, frozen=True, kw_only=True):
    """End a session."""

    session: str
    reason: str


class EnrolTerminal(FloorCommandBase, frozen=True, kw_only=True):
    """Expect a terminal that will give a code; a known one is enrolled anew."""

    terminal: str
    table: str
    code: str
    code_ends: datetime.datetime
    position: int | None = None


class ClaimTerminal(FloorCommandBase, frozen=True, kw_only=True):
    """Be the terminal that a code was made for."""

    terminal: str
    code: str
    token: str


class EnableTerminal(FloorCommandBase, frozen=True, kw_only=True):
    """Let patrons use a terminal."""

    terminal: str


class DisableTerminal(FloorCommandBase, frozen=True, kw_only=True):
    """Let patrons use a terminal no more."""

    terminal: str
    reason: str


class OpenPatronSession(FloorCommandBase, frozen=True, kw_only=True):
    """Let a patron use a terminal."""

    terminal: str
    patron: str


class ClosePatronSession(FloorCommandBase, frozen=True, kw_only=True):
    """End a patron's use of a terminal."""

    terminal: str


class ProposeTable(FloorCommandBase, frozen=True, kw_only=True):
    """Propose a table, or another definition of one; a second person approves."""

    definition: TableDefinition


class ApproveProposal(FloorCommandBase, frozen=True, kw_only=True):
    """Approve what another person proposed."""

    id: int


class RejectProposal(FloorCommandBase, frozen=True, kw_only=True):
    """Turn a proposal down, or take it back."""

    id: int


class DefineTables(FloorCommandBase, frozen=True, kw_only=True):
    """Define tables, and the gaming day, as a floor file says; without one, that of the floor stays."""

    file: str
    digest: str
    tables: tuple[TableDefinition, ...]
    day: GamingDay | None = None


class BeginSigning(FloorCommandBase, frozen=True, kw_only=True):
    """Record where the streams end whose records were not signed; every later record is."""

    ends: tuple[StreamEnd, ...]


class AcceptRestore(FloorCommandBase, frozen=True, kw_only=True):
    """Give up records that were marked and are lost, because the journal was restored from a backup."""

    reason: str
    lost: tuple[StreamEnd, ...]
    kept: tuple[StreamEnd, ...]


class AcceptShelf(FloorCommandBase, frozen=True, kw_only=True):
    """Go by the rulebooks and houses of a shelf of one's own as they are by now."""

    files: tuple[ShelfFile, ...]


class NoteClockStep(FloorCommandBase, frozen=True, kw_only=True):
    """Record that the wall clock of a server was set, by so many microseconds; ``run`` names its process."""

    microseconds: int
    run: str


class AcknowledgeClockStep(FloorCommandBase, frozen=True, kw_only=True):
    """Acknowledge that the wall clock of a server was set: ``at`` and ``run`` are those of the step."""

    at: datetime.datetime
    run: str


class Disable(FloorCommandBase, frozen=True, kw_only=True):
    """Let a table, or with no name all of them, finish its round and take no other."""

    reason: str
    table: str | None = None


class Enable(FloorCommandBase, frozen=True, kw_only=True):
    """Let a table, or with no name the floor, take rounds again."""

    table: str | None = None


class AddAccount(FloorCommandBase, frozen=True, kw_only=True):
    """Let another system in by a service account, for some days; the token is the digest of its secret."""

    name: str
    scopes: tuple[Scope, ...]
    token: str
    days: int


class RevokeAccount(FloorCommandBase, frozen=True, kw_only=True):
    """Let a service account in no more."""

    name: str
    reason: str


class AddWebhook(FloorCommandBase, frozen=True, kw_only=True):
    """Post the feeds of all tables to a web address, from these places on."""

    name: str
    url: str
    scopes: tuple[Scope, ...]
    secret: Secret
    after: tuple[FeedPlace, ...]


class RemoveWebhook(FloorCommandBase, frozen=True, kw_only=True):
    """Post no more to a web address, and forget it."""

    name: str
    reason: str


class StopWebhook(FloorCommandBase, frozen=True, kw_only=True):
    """Give up for now posting to an address that does not take anything."""

    name: str
    reason: str
    after: tuple[FeedPlace, ...]


class ResumeWebhook(FloorCommandBase, frozen=True, kw_only=True):
    """Post again to an address, from the first record that it has not taken."""

    name: str


class NoteDelivered(FloorCommandBase, frozen=True, kw_only=True):
    """Record how far the feeds were posted to an address."""

    name: str
    after: tuple[FeedPlace, ...]


OtherSystem = (
    AddAccount | RevokeAccount | AddWebhook | RemoveWebhook | StopWebhook | ResumeWebhook | NoteDelivered
)
FloorBody = (
    AddPerson
    | ChangePosts
    | ChangePassword
    | SetSecondFactor
    | LockPerson
    | UnlockPerson
    | SignIn
    | ShowIdentity
    | FailSignIn
    | EndSession
    | EnrolTerminal
    | ClaimTerminal
    | EnableTerminal
    | DisableTerminal
    | OpenPatronSession
    | ClosePatronSession
    | ProposeTable
    | ApproveProposal
    | RejectProposal
    | DefineTables
    | BeginSigning
    | AcceptRestore
    | AcceptShelf
    | NoteClockStep
    | AcknowledgeClockStep
    | Disable
    | Enable
    | AddAccount
    | RevokeAccount
    | AddWebhook
    | RemoveWebhook
    | StopWebhook
    | ResumeWebhook
    | NoteDelivered
)


class FloorCommand(Struct, frozen=True):
    """A body in its envelope."""

    body: FloorBody
    envelope: Envelope
