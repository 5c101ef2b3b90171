"""The forms that are sent to a server over HTTP; unknown keys are refused."""

from typing import Annotated

from msgspec import Meta, Struct

from thirdcard.floor.commands import FloorBody
from thirdcard.floor.state import Scope
from thirdcard.game.commands import Body as TableBody

CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_.:-]+$")]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
Password = Annotated[str, Meta(max_length=1024)]
Code = Annotated[str, Meta(max_length=64)]
Sequence = Annotated[int, Meta(ge=0)]


class Form(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something sent to the server; unknown keys are refused."""


class Credentials(Form, frozen=True, kw_only=True):
    """A person's name with the password, and the code where there is a second factor."""

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

    An approver who is not on duty there yet comes on duty first, in the post ``comes_as``.
    """

    command_id: CommandId
    command: TableBody
    authoriser: Credentials | None = None
    comes_as: Name | None = None


class FloorCommandForm(Form, frozen=True, kw_only=True):
    """A command to the floor; a second person may stand behind it at the same console.

    With ``approver`` it is sent in that person's name, as the approval of a proposal is; with ``authoriser``
    both people are recorded.
    """

    command_id: CommandId
    command: FloorBody
    approver: Credentials | None = None
    authoriser: Credentials | None = None


class PersonForm(Form, frozen=True, kw_only=True):
    """A person is to be let in, by whoever sends this and a second person at the same console."""

    name: Name
    posts: tuple[Name, ...]
    password: Password
    authoriser: Credentials


class ResetPasswordForm(Form, frozen=True, kw_only=True):
    """Another person gets a new password, by two people."""

    password: Password
    authoriser: Credentials


class RenewFactorForm(Form, frozen=True, kw_only=True):
    """Another person gets a new second factor, by two people."""

    authoriser: Credentials


class AccountForm(Form, frozen=True, kw_only=True):
    """A service account is to be made for some days, by whoever sends this and a second person."""

    name: Name
    scopes: tuple[Scope, ...]
    days: int
    authoriser: Credentials


class WebhookForm(Form, frozen=True, kw_only=True):
    """A webhook is to be set up, by whoever sends this and a second person."""

    name: Name
    url: str
    scopes: tuple[Scope, ...]
    authoriser: Credentials


class ClaimForm(Form, frozen=True, kw_only=True):
    """A terminal gives its code."""

    code: Code


class EnrolForm(Form, frozen=True, kw_only=True):
    """A terminal is expected at a table, by whoever sends this and a second person at the same console."""

    terminal: Name
    table: Name
    position: int | None = None
    authoriser: Credentials | None = None


class DemoResumeForm(Form, frozen=True, kw_only=True):
    """A table of the demonstration floor that was held or paused goes on."""

    table: Name


class DemoSeatForm(Form, frozen=True, kw_only=True):
    """A browser becomes a terminal of the demonstration floor."""

    terminal: Name


class VerifyForm(Form, frozen=True, kw_only=True):
    """A verification: of everything, or of the chain and the signatures alone."""

    chain_only: bool = False
