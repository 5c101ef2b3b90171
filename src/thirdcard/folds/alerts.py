"""Alerts as a fold of the events of a table: they stay until a post that may has acknowledged them."""

import enum
import operator

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.folds.record_place import Recorded
from thirdcard.game import events as ev
from thirdcard.game.limits import limit_of
from thirdcard.game.money_folds import MOVES_MONEY, differs
from thirdcard.game.money_state import UnseenMoney
from thirdcard.game.state import STORE_TROUBLE, Table
from thirdcard.messages import Message, message
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation
from thirdcard.staff import Post


class AlertKind(enum.Enum):
    """The kinds of alert, by what people are alerted to."""

    IRREGULARITY = "irregularity"
    RULING_AWAITED = "ruling-awaited"
    OFFER_OPEN = "offer-open"
    LIMIT_BREACH = "limit-breach"
    DIFFERENTIAL_EXCEEDED = "differential-exceeded"
    DEVICE_MISMATCH = "device-mismatch"
    CLAIM_BOOKED = "claim-booked"
    MONEY_HELD = "money-held"
    CARD_CORRECTED = "card-corrected"
    WAGER_CORRECTED = "wager-corrected"
    PAID_BY_ONE = "paid-by-one"
    DISPUTE_OPENED = "dispute-opened"
    COMPLAINT_FILED = "complaint-filed"
    STORE_TROUBLE = "store-trouble"
    ALARM = "alarm"
    WRONG_CALL = "wrong-call"
    MONEY_MOVED = "money-moved"
    CHIPS_DIFFER = "chips-differ"
    SLIP_VOIDED = "slip-voided"


# these say more about money that moved than that it did
TELLING = frozenset(
    {
        AlertKind.CARD_CORRECTED,
        AlertKind.WAGER_CORRECTED,
        AlertKind.PAID_BY_ONE,
        AlertKind.CHIPS_DIFFER,
        AlertKind.SLIP_VOIDED,
    }
)
# these go by themselves, when the ruling is made and when the offer ends
PASSING = frozenset({AlertKind.RULING_AWAITED, AlertKind.OFFER_OPEN})
ABOUT_CASES = PASSING | {AlertKind.IRREGULARITY}
BREACHES = frozenset({Refusal.UNDER_MINIMUM.value, Refusal.OVER_MAXIMUM.value})
_ACT_OF_ALERT = operator.attrgetter("act")
_KIND_OF_ALERT = operator.attrgetter("kind")
SHOWN_OF_A_TEXT = 120  # characters


class Alert(Struct, frozen=True, kw_only=True):
    """An alert by the record that gave it; ``post`` is who must decide ``case``, where somebody must.

    ``round`` is the one under way at that time, or the last one.

    ``act`` is the number of the money that moved outside a round: ``people`` moved the ``amount``, so many
    ``times`` by now, and somebody else acknowledges it.
    """

    recorded: Recorded
    kind: AlertKind
    what: Message
    clauses: tuple[Clause, ...]
    post: Post | None = None
    case: int | None = None
    acknowledged_by: str | None = None
    act: int = 0
    amount: int = 0
    times: int = 0
    people: tuple[str, ...] = ()
    round: int | None = None


Alerts = tuple[Alert, ...]


def alerts_after(alerts: Alerts, event: ev.Event, table: Table, recorded: Recorded) -> Alerts:
    """The alerts after an event that made the table what it is."""
    found = _given(event, table)
    act = _moved(alerts, event, table)
    if act is not None:
        told = found if found and found[0] in TELLING else None
        alerts = (*_unseen(alerts, table), _of_money(act, event, recorded, told))
        found = None if told else found
    if found is not None:
        kind, what = found
        new = Alert(
            recorded=recorded,
            kind=kind,
            what=what,
            clauses=event.clauses,
            post=event.post if isinstance(event, ev.CaseWaits) else None,
            case=_case_of(event, table) if kind in ABOUT_CASES else None,
            round=table.round.number if table.round else None,
        )
        return (*alerts, new)
    if isinstance(event, ev.AlertAcknowledged):
        return _acknowledged(alerts, event)
    if isinstance(event, ev.RulingMade | ev.FactsConfirmed | ev.FactsDisproved):
        alerts = _seen(alerts, event, table)
    return _not_passed(alerts, table)


def _seen(
    alerts: Alerts, event: ev.RulingMade | ev.FactsConfirmed | ev.FactsDisproved, table: Table
) -> Alerts:
    """The alerts without the irregularity that somebody has decided about: that post has seen it."""
    case = None if isinstance(event, ev.RulingMade) else event.id
    case = case or (table.case.id if table.case else None)
    return tuple(each for each in alerts if each.kind is not AlertKind.IRREGULARITY or each.case != case)


def _case_of(event: ev.Event, table: Table) -> int | None:
    """The number of the case that an event is about: one that it names, or else the one dealt with first."""
    named = event.case if isinstance(event, ev.CaseWaits) else None
    return named or (table.case.id if table.case else None)


def _given(event: ev.Event, table: Table) -> tuple[AlertKind, Message] | None:  # noqa: C901, PLR0911, PLR0912 - one case an event
    """Return the kind and the sentence of the alert that an event gives, if it gives one."""
    match event:
        case ev.IrregularityReported():
            return AlertKind.IRREGULARITY, _reported(event)
        case ev.CaseWaits():
            post = f"@post.{event.post}" if event.post else "@said.nobody"
            waits = f"@wait.{event.waits.value}"
            return AlertKind.RULING_AWAITED, message("alert.ruling-awaited", waits=waits, post=post)
        case ev.OfferOpened():
            wagers = f"@withdraw.{event.offer.wagers.value}"
            return AlertKind.OFFER_OPEN, message("alert.offer-open", wagers=wagers)
        case ev.WagerHandedBack() if event.why in BREACHES:
            return _breach(event.patron, event.wager)
        case ev.WagerFound() if _outside_limits(event, table):
            return _breach(event.patron, event.wager)
        case ev.DifferentialExceeded():
            heavier = f"@hand.{event.heavier.value}"
            return AlertKind.DIFFERENTIAL_EXCEEDED, message("alert.differential-exceeded", heavier=heavier)
        case ev.DeviceMismatch():
            device, cards = f"@winner.{event.device.value}", f"@winner.{event.cards.value}"
            return AlertKind.DEVICE_MISMATCH, message("alert.device-mismatch", device=device, cards=cards)
        case ev.AlarmRaised():
            return AlertKind.ALARM, event.alarm.without_cards
        case ev.TablePaused() if event.reason.startswith(STORE_TROUBLE):
            trouble = event.reason.removeprefix(STORE_TROUBLE)
            return AlertKind.STORE_TROUBLE, message("alert.store-trouble", trouble=trouble)
        case ev.ClaimBooked() if event.amount > 0:
            return AlertKind.CLAIM_BOOKED, message("alert.claim-booked", patron=event.patron)
        case ev.MoneyHeld():
            return AlertKind.MONEY_HELD, message("alert.money-held", patron=event.patron)
        case ev.CardCorrected():
            right = message("alert.card-corrected", round=event.round, number=event.number)
            return AlertKind.CARD_CORRECTED, right
        case ev.WagerReduced(mistaken=True):
            right = message("alert.wager-corrected", patron=event.patron, wager=event.wager)
            return AlertKind.WAGER_CORRECTED, right
        case ev.PaymentCorrected(second=None) if event.amount < 0 and event.by:
            return AlertKind.PAID_BY_ONE, message("alert.paid-by-one", patron=event.patron, by=event.by)
        case ev.OutcomeCalled():
            return _wrong_call(event, table)
        case ev.DisputeOpened() | ev.ComplaintFiled():
            return _of_patron(event)
        case ev.OpenerCounted() | ev.CloserCounted() | ev.DropCounted():
            return (AlertKind.CHIPS_DIFFER, _differing(event)) if differs(event) else None
        case ev.SlipVoided():
            voided = message("alert.slip-voided", slip=event.slip, reason=beginning(event.reason))
            return AlertKind.SLIP_VOIDED, voided
        case _:
            return None


def _moved(alerts: Alerts, event: ev.Event, table: Table) -> UnseenMoney | None:
    """Return the act by which an event moved money outside a round, if it did."""
    act = table.unseen[-1] if type(event) in MOVES_MONEY and table.unseen else None
    new = act is not None and act.id == table.money_acts and act.id not in map(_ACT_OF_ALERT, alerts)
    return act if new else None


def _unseen(alerts: Alerts, table: Table) -> Alerts:
    """The alerts without those about money of which another one tells the sum by now."""
    unseen = {each.id for each in table.unseen}
    return tuple(each for each in alerts if not each.act or each.act in unseen)


def _of_money(
    act: UnseenMoney, event: ev.Event, recorded: Recorded, told: tuple[AlertKind, Message] | None
) -> Alert:
    """Return the alert about money that moved outside a round."""
    moved = message(f"alert.money-{act.act.value}", patron=act.patron)
    kind, what = told or (AlertKind.MONEY_MOVED, moved)
    return Alert(
        recorded=recorded,
        kind=kind,
        what=what,
        clauses=event.clauses,
        act=act.id,
        amount=act.amount,
        times=act.times,
        people=act.people,
    )


def _wrong_call(event: ev.OutcomeCalled, table: Table) -> tuple[AlertKind, Message] | None:
    """Return the alert about an outcome that was called and is not the one of the cards, which decide."""
    facts = table.round.facts if table.round else None
    if facts is None or facts.winner is event.winner:
        return None
    called, cards = f"@winner.{event.winner.value}", f"@winner.{facts.winner.value}"
    return AlertKind.WRONG_CALL, message("alert.wrong-call", called=called, cards=cards)


# what each count is called in the sentence about one that differs
_COUNTS: dict[type[ev.Event], str] = {
    ev.OpenerCounted: "alert.opener-differs",
    ev.CloserCounted: "alert.closer-differs",
    ev.DropCounted: "alert.drop-differs",
}


def _differing(event: ev.OpenerCounted | ev.CloserCounted | ev.DropCounted) -> Message:
    """Say which count is not what must be there."""
    return message(_COUNTS[type(event)], slip=event.slip)


def _reported(event: ev.IrregularityReported) -> Message:
    """Say what went wrong; of something else, what the table noticed or the beginning of the report."""
    case = event.case
    if case.situation is Situation.NOT_COVERED and event.note:
        return message("alert.irregularity-noted", situation=case.about, note=beginning(event.note))
    return message("alert.irregularity", situation=case.about)


def beginning(text: str) -> str:
    """The beginning of a text that somebody wrote, on one line; the whole stands where it belongs."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_OF_A_TEXT else f"{line[:SHOWN_OF_A_TEXT].rstrip()}…"


def _of_patron(event: ev.DisputeOpened | ev.ComplaintFiled) -> tuple[AlertKind, Message]:
    """Return the alert about a dispute or complaint of a patron that somebody must see to."""
    if isinstance(event, ev.ComplaintFiled):
        what = message("alert.complaint-filed", dispute=event.id, text=beginning(event.text))
        return AlertKind.COMPLAINT_FILED, what
    about = beginning(event.about)
    what = message("alert.dispute-opened", dispute=event.id, patron=event.patron, about=about)
    return AlertKind.DISPUTE_OPENED, what


def _breach(patron: str, wager: str) -> tuple[AlertKind, Message]:
    return AlertKind.LIMIT_BREACH, message("alert.limit-breach", patron=patron, wager=wager)


def _outside_limits(event: ev.WagerFound, table: Table) -> bool:
    limit = limit_of(table, event.wager)
    stakes = (each.stake for each in table.wagers if each.id == event.id)
    return any(not limit.minimum <= stake <= limit.maximum for stake in stakes)


def _acknowledged(alerts: Alerts, event: ev.AlertAcknowledged) -> Alerts:
    """One record is one happening: all that it alerted to is acknowledged together.

    Money that moved is acknowledged by its number alone.
    """
    others = (
        alert.act != event.act if alert.act else alert.recorded.sequence != event.sequence for alert in alerts
    )
    return tuple(
        alert if other else replace(alert, acknowledged_by=event.by)
        for alert, other in zip(alerts, others, strict=True)
        if other or alert.kind in PASSING
    )


def _not_passed(alerts: Alerts, table: Table) -> Alerts:
    """The alerts without those that have passed: the case no longer waits, or its offer is over."""
    if PASSING.isdisjoint(map(_KIND_OF_ALERT, alerts)):
        return alerts
    waiting = {case.id for case in table.open_cases if case.waits is not None}
    offering = {case.id for case in table.open_cases if case.offer is not None}
    standing = {AlertKind.RULING_AWAITED: waiting, AlertKind.OFFER_OPEN: offering}
    left = tuple(alert for alert in alerts if alert.kind not in PASSING or alert.case in standing[alert.kind])
    return alerts if len(left) == len(alerts) else left
