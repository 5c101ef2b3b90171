"""The forms of requests and answers, versioned by their path; screens and the client use the same."""

import datetime
from typing import Annotated

from msgspec import Meta, Struct

from thirdcard.floor.commands import Body as FloorBody
from thirdcard.game.commands import Body as TableBody
from thirdcard.server.receipts import Receipt

CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_.:-]+$")]
Name = Annotated[str, Meta(min_length=1, max_length=80)]


class Form(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something sent to the server; unknown keys are refused."""


class Credentials(Form, frozen=True, kw_only=True):
    """Who somebody says they are."""

    name: Name
    password: Annotated[str, Meta(max_length=1024)]
    code: Annotated[str, Meta(max_length=16)] = ""


class SignInForm(Form, frozen=True, kw_only=True):
    """Signing in at a console."""

    credentials: Credentials
    console: Name = "browser"


class TableCommandForm(Form, frozen=True, kw_only=True):
    """A command to a table; a second person may approve it at the same console."""

    command_id: CommandId
    command: TableBody
    authoriser: Credentials | None = None


class FloorCommandForm(Form, frozen=True, kw_only=True):
    """A command to the floor."""

    command_id: CommandId
    command: FloorBody


class ClaimForm(Form, frozen=True, kw_only=True):
    """A terminal gives its code."""

    terminal: Name
    code: Annotated[str, Meta(max_length=64)]


class PatronForm(Form, frozen=True, kw_only=True):
    """A patron sits down at a terminal of a training table."""

    patron: Name


class RefusalAnswer(Struct, frozen=True, kw_only=True):
    """Why something was not done: a stable code, the clauses, and a sentence."""

    code: str
    clauses: tuple[str, ...] = ()
    sentence: str


class AcceptedAnswer(Struct, frozen=True, kw_only=True):
    """Something was recorded at a sequence; a receipt where chips or credits moved."""

    sequence: int
    receipt: Receipt | None = None


class Me(Struct, frozen=True, kw_only=True):
    """Who the server takes the asker for."""

    kind: str
    name: str | None = None
    posts: tuple[str, ...] = ()
    table: str | None = None
    training: bool = False
    now: datetime.datetime
    version: str
