"""One alarm for one cause: an alarm of a card reader is not given again while its alert waits."""

from thirdcard.folds.alerts import Alert, AlertKind
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game import commands as cmd
from thirdcard.game.alarm_kinds import Alarm, AlarmKind

# every card that could not be read must be opened, and every missing message compared with the felt
EACH_IS_A_CAUSE = (AlarmKind.MISREAD, AlarmKind.OUT_OF_SEQUENCE)
UNATTENDED = f"alarm.{AlarmKind.NOBODY_ON_DUTY.value}"


def waits_already(whole: TableSnapshot, alarm: cmd.RaiseAlarm) -> bool:
    """Whether an alert about the cause of an alarm waits: in the same round, about the same two cards.

    A card that was not taken while nobody was on duty has been told of by the alarm about that.
    """
    if alarm.kind in EACH_IS_A_CAUSE:
        return False
    number = whole.table.round.number if whole.table.round else None
    waiting = [each for each in whole.alerts if each.kind is AlertKind.ALARM and each.round == number]
    return any(_is_same(whole, each, alarm) for each in waiting)


def _is_same(whole: TableSnapshot, alert: Alert, alarm: cmd.RaiseAlarm) -> bool:
    given = Alarm(alarm.kind, alarm.card, alarm.other, alarm.number)
    about = alert.what.key
    if alarm.kind is AlarmKind.UNEXPECTED_CARD and about == UNATTENDED:
        return True
    if alarm.kind is not AlarmKind.CARD_MISMATCH or about != given.message.key:
        return about == given.message.key
    unnamed = (each.alarm for each in whole.unnamed if each.sequence == alert.recorded.sequence)
    return alert.what == given.message or given in unnamed
