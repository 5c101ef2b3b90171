"""Training with a trainer over HTTP: tables that are open, and what a trainer lets go wrong at one."""

from typing import Annotated

from msgspec import Meta, Struct

from thirdcard.training.led_session import LONGEST_WORDS, StrikeState, TableKind, WhyNoStrike
from thirdcard.views.sections.whole import View
from thirdcard.wire.forms import Form, Name
from thirdcard.wire.training import DrillTelling, GradeAnswer

# to the server


class OpenTrainerTableForm(Form, frozen=True, kw_only=True):
    """A table with a trainer is opened at a game; ``kind`` says who handles the cards."""

    game: Name
    kind: TableKind = TableKind.BY_DEALER


class StrikeForm(Form, frozen=True, kw_only=True):
    """A trainer lets something go wrong; ``words`` are told to the trainee when it happens."""

    fault: Name
    words: Annotated[str, Meta(max_length=LONGEST_WORDS)] = ""


# to the client


class TrainerGame(Struct, frozen=True):
    """A game at which a table with a trainer can be opened, and the kinds of table that it has."""

    game: str
    name: str
    kinds: tuple[TableKind, ...]


class TrainerGamesAnswer(Struct, frozen=True):
    """The games for tables with a trainer, and whether the asker is a trainer."""

    games: tuple[TrainerGame, ...]
    trains: bool


class TrainerTableLine(Struct, frozen=True, kw_only=True):
    """A table with a trainer that is open; ``since`` is in microseconds since 1970."""

    session: str
    person: str
    game: str
    name: str
    kind: TableKind
    post: str
    since: int


class TrainerTablesAnswer(Struct, frozen=True):
    """The open tables at which the asker can let something go wrong."""

    tables: tuple[TrainerTableLine, ...]


class StrikeLine(Struct, frozen=True, kw_only=True):
    """Something that a trainer let go wrong, and how far it is."""

    fault: str
    trainer: str
    words: str
    state: StrikeState


class StrikeChoice(Struct, frozen=True):
    """Something that can go wrong, and why it cannot now."""

    fault: str
    why_not: WhyNoStrike | None


class TrainerTableAnswer(Struct, frozen=True, kw_only=True):
    """A table with a trainer as its trainer sees it: what was told, the table, and what can go wrong now.

    ``refused`` is why what was asked for last could not go wrong. The grade is there once it is over.
    """

    session: str
    person: str
    game: str
    kind: TableKind
    post: str
    since: int
    over: bool
    told: tuple[DrillTelling, ...]
    sequence: int
    now: int
    view: View
    strikes: tuple[StrikeLine, ...]
    choices: tuple[StrikeChoice, ...]
    refused: WhyNoStrike | None = None
    grade: GradeAnswer | None = None
