"""Movements of money beside wagers, and incidents, as rows of a table."""

from collections.abc import Iterator

from msgspec import Struct

from thirdcard.folds.ledger import CAGE, DROP, HOUSE, TRAY, entries
from thirdcard.game import events as ev
from thirdcard.game.table_setup import Setup
from thirdcard.journal.codec import envelope_of
from thirdcard.journal.record import Record
from thirdcard.money import Currency

# what moves money in every round is in the rows of rounds and wagers
OF_WAGERS = (
    ev.WagerPlaced
    | ev.WagerFound
    | ev.WagerReduced
    | ev.WagerPulledLate
    | ev.AnswerTakenBack
    | ev.RoundSettled
    | ev.SettlementReversed
    | ev.RoundVoided
)
INCIDENTS = (
    ev.IrregularityReported
    | ev.RulingMade
    | ev.FactsConfirmed
    | ev.FactsDisproved
    | ev.RoundVoided
    | ev.DisputeEvent
)
_PATRON = "patron:"


class MoneyRow(Struct, frozen=True, kw_only=True):
    """A movement of money beside wagers: amounts are minor units of the currency.

    ``house``, ``cage``, ``patron_gets``, ``tray`` and ``drop`` say how much more each has; what is left
    stands with a claim, an award that is not paid, or money that is held. The gaming day, the shift, the pit
    and the dealer are filled in by whoever knows them.
    """

    stream: str
    record: int
    moment: int
    what: str
    date: str = ""
    shift: int | None = None
    pit: str = ""
    dealer: str = ""
    patron: str | None
    patron_gets: int
    house: int
    cage: int
    tray: int
    drop: int
    person: str
    second: str | None
    clauses: tuple[str, ...]
    training: bool
    currency: str
    exponent: int


class IncidentRow(Struct, frozen=True, kw_only=True):
    """A report, a decision, a void round or a step of a dispute."""

    stream: str
    record: int
    moment: int
    what: str
    date: str = ""
    shift: int | None = None
    pit: str = ""
    dealer: str = ""
    situation: str | None
    round: int | None
    patron: str | None
    person: str
    second: str | None
    clauses: tuple[str, ...]
    training: bool


def money_rows(
    stream: str, record: Record, event: ev.Event, setup: Setup, currency: Currency
) -> Iterator[MoneyRow]:
    """The row of an event that moves money, but for wagers and their settlement."""
    moved = () if isinstance(event, OF_WAGERS) else entries(event)
    if not moved:
        return
    envelope = envelope_of(record)
    accounts = dict.fromkeys((account for account, _ in moved), 0)
    for account, amount in moved:
        accounts[account] += amount
    patron = next((account for account in accounts if account.startswith(_PATRON)), None)
    named = getattr(event, "patron", None)
    yield MoneyRow(
        stream=stream,
        record=record.sequence,
        moment=record.wall_time,
        what=_tag(event),
        patron=patron.removeprefix(_PATRON) if patron else named,
        patron_gets=accounts[patron] if patron else 0,
        house=accounts.get(HOUSE, 0),
        cage=accounts.get(CAGE, 0),
        tray=accounts.get(TRAY, 0),
        drop=accounts.get(DROP, 0),
        person=envelope.actor,
        second=envelope.authoriser,
        clauses=tuple(getattr(event, "clauses", ())),
        training=setup.training,
        currency=currency.code,
        exponent=currency.exponent,
    )


def incident_rows(
    stream: str, record: Record, event: ev.Event, setup: Setup, round_number: int | None
) -> Iterator[IncidentRow]:
    """The row of an event that is part of an irregularity or of a dispute, or makes a round void."""
    if not isinstance(event, INCIDENTS):
        return
    envelope = envelope_of(record)
    case = event.case if isinstance(event, ev.IrregularityReported) else None
    yield IncidentRow(
        stream=stream,
        record=record.sequence,
        moment=record.wall_time,
        what=_tag(event),
        situation=case.situation.value if case else None,
        round=event.round if isinstance(event, ev.DisputeOpened) else round_number,
        patron=case.patron if case else getattr(event, "patron", None),
        person=envelope.actor,
        second=envelope.authoriser,
        clauses=tuple(event.clauses),
        training=setup.training,
    )


def _tag(event: ev.Event) -> str:
    return str(event.__struct_config__.tag)
