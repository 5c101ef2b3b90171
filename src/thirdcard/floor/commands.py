"""Everything that can be asked of a floor, in the imperative."""

import datetime

from msgspec import Struct

from thirdcard.floor.state import Secret, TableDefinition
from thirdcard.game.commands import Envelope
from thirdcard.staff import Post


class AddPerson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="add-person"):
    """Let a person sign in, in some posts."""

    name: str
    posts: tuple[Post, ...]
    password: str
    second_factor: Secret | None = None


class ChangePosts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="change-posts"):
    """Give a person other posts."""

    name: str
    posts: tuple[Post, ...]


class ChangePassword(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="change-password"):
    """Give a person another password."""

    name: str
    password: str


class SetSecondFactor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="set-second-factor"):
    """Give a person a second factor."""

    name: str
    second_factor: Secret


class LockPerson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="lock-person"):
    """Let a person sign in no more, and end their sessions."""

    name: str
    reason: str


class UnlockPerson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="unlock-person"):
    """Let a person sign in again."""

    name: str


class SignIn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="sign-in"):
    """Open a session for a person whose password and second factor were right."""

    name: str
    session: str
    console: str
    step: int | None = None


class ShowIdentity(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="show-identity"):
    """Show who one is at a console without a session of one's own: to approve, or to go on after a rest."""

    name: str
    console: str
    step: int | None = None


class FailSignIn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="fail-sign-in"):
    """Note that somebody could not sign in under a name."""

    name: str
    console: str


class EndSession(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="end-session"):
    """End a session."""

    session: str
    reason: str


class EnrolTerminal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="enrol-terminal"):
    """Expect a terminal that will give a code; a known one is enrolled anew."""

    terminal: str
    table: str
    code: str
    code_ends: datetime.datetime
    position: int | None = None


class ClaimTerminal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="claim-terminal"):
    """Be the terminal that a code was made for."""

    terminal: str
    code: str
    token: str


class EnableTerminal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="enable-terminal"):
    """Let patrons use a terminal."""

    terminal: str


class DisableTerminal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="disable-terminal"):
    """Let patrons use a terminal no more."""

    terminal: str
    reason: str


class OpenPatronSession(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="open-patron-session"
):
    """Let a patron use a terminal."""

    terminal: str
    patron: str


class ClosePatronSession(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="close-patron-session"
):
    """End a patron's use of a terminal."""

    terminal: str


class ProposeTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="propose-table"):
    """Propose a table, or another definition of one; a second person approves."""

    definition: TableDefinition


class ApproveProposal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="approve-proposal"):
    """Approve what another person proposed."""

    id: int


class RejectProposal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="reject-proposal"):
    """Turn a proposal down, or take it back."""

    id: int


class DefineTables(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="define-tables"):
    """Define tables as a floor file says."""

    file: str
    digest: str
    tables: tuple[TableDefinition, ...]


class Disable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="disable"):
    """Let a table, or with no name all of them, finish its round and take no other."""

    reason: str
    table: str | None = None


class Enable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="enable"):
    """Let a table, or with no name the floor, take rounds again."""

    table: str | None = None


Body = (
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
    | Disable
    | Enable
)


class Command(Struct, frozen=True):
    """A body in its envelope."""

    body: Body
    envelope: Envelope
