"""Records and rounds as the journal's readers get them, and how far a verification is."""

from msgspec import Raw, Struct

from thirdcard.cards import Card
from thirdcard.dossier.index import RoundLine
from thirdcard.dossier.story import Story
from thirdcard.game.state import Hand
from thirdcard.money import Currency
from thirdcard.rulebook.irregularity import Situation


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


class TableRound(Struct, frozen=True):
    """A round of one of several tables, and the currency of its amounts."""

    table: str
    currency: Currency | None
    round: RoundLine


class SearchAnswer(Struct, frozen=True):
    """The rounds of all tables that were sought, the newest first, and what can be sought there.

    ``wagers`` are all that these tables offer, by their names in the documents.
    """

    rounds: tuple[TableRound, ...]
    wagers: dict[str, str]
    situations: tuple[Situation, ...]


class RoundAnswer(Struct, frozen=True):
    """A round, told, and the cards of both hands as they lay after each step."""

    story: Story
    laid: tuple[dict[Hand, tuple[Card | None, ...]], ...]


class Proven(Struct, frozen=True, kw_only=True):
    """The findings in a stream, in sentences; none where it is whole.

    ``lenient`` is how many records another engine wrote, which are not decided again strictly.
    """

    stream: str
    records: int
    rounds: int | None
    signed_until: int
    root: str
    findings: tuple[str, ...]
    more_findings: int
    lenient: int


class Verification(Struct, frozen=True, kw_only=True):
    """How far a verification is, and its findings so far."""

    running: bool
    chain_only: bool
    by: str
    began: int
    records: int
    total: int
    reports: tuple[Proven, ...] = ()
    failed: str | None = None
