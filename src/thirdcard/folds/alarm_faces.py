"""Names the cards of alarms once staff may know them: until then an alarm is told without its cards."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.folds.alerts import Alert, AlertKind, Alerts
from thirdcard.folds.faces import tells_outside
from thirdcard.folds.record_place import Recorded
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.state import CardState, Table

# these tell of a card that may still come, or that nobody has put to a hand
UNTIL_THE_SHOE_IS_OVER = (AlarmKind.UNEXPECTED_CARD, AlarmKind.NOT_THE_SEALED_CARD)


class UnnamedAlarm(Struct, frozen=True):
    """An alarm of a record whose cards are not told yet, with the shoe and the round of it."""

    sequence: int
    alarm: Alarm
    shoe: int
    round: int | None


def unnamed_after(
    unnamed: tuple[UnnamedAlarm, ...], event: ev.Event, table: Table, recorded: Recorded
) -> tuple[UnnamedAlarm, ...]:
    """The alarms whose cards are not told yet, after an event that made the table what it is."""
    if not isinstance(event, ev.AlarmRaised) or table.shoe is None:
        return unnamed
    if event.alarm.card is None and event.alarm.other is None:
        return unnamed
    number = table.round.number if table.round else None
    return (*unnamed, UnnamedAlarm(recorded.sequence, event.alarm, table.shoe.number, number))


def name_cards(
    alerts: Alerts, unnamed: tuple[UnnamedAlarm, ...], table: Table
) -> tuple[Alerts, tuple[UnnamedAlarm, ...]]:
    """Return the alerts with the cards that staff may know by now, and the alarms that still wait for that.

    What was told stays told: an alert that named its card no more would tell of a new one face down.
    """
    waiting = list(unnamed)
    named: list[Alert] = []
    for alert in alerts:
        found = next((each for each in waiting if _is_about(alert, each)), None)
        if found is not None and may_be_named(found, table):
            waiting.remove(found)
            named.append(replace(alert, what=found.alarm.message))
        else:
            named.append(alert)
    return tuple(named), _of_alerts(waiting, alerts)


def may_be_named(unnamed: UnnamedAlarm, table: Table) -> bool:
    """Whether staff may know the cards of an alarm: whether it may never goes by the face of a card."""
    shoe, current = table.shoe, table.round
    if shoe is None or shoe.opened or shoe.number != unnamed.shoe:
        return True
    if unnamed.alarm.kind in UNTIL_THE_SHOE_IS_OVER:
        return False
    if current is None:
        lie_open = unnamed.round is None
    else:
        # before the outcome a reader may mean a card that is entered next
        complete = current.facts is not None or unnamed.alarm.kind is not AlarmKind.CARD_MISMATCH
        shown = all(card.state is CardState.EXPOSED for card in current.cards)
        lie_open = current.number == unnamed.round and complete and shown
    outside = table.aside or table.strays or table.reserved or shoe.places.ahead
    return lie_open and (tells_outside(table) or not outside)


def _is_about(alert: Alert, unnamed: UnnamedAlarm) -> bool:
    return alert.recorded.sequence == unnamed.sequence and alert.what == unnamed.alarm.without_cards


def _of_alerts(waiting: Iterable[UnnamedAlarm], alerts: Alerts) -> tuple[UnnamedAlarm, ...]:
    """The alarms that are still alerts: nobody is told of one that was acknowledged."""
    standing = {(each.recorded.sequence, each.what) for each in alerts if each.kind is AlertKind.ALARM}
    return tuple(each for each in waiting if (each.sequence, each.alarm.without_cards) in standing)
