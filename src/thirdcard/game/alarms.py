"""Alarms: given by dealing devices and by looks at their cards; somebody sees to them as to all alerts."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.state import Alarm
from thirdcard.refusals import Refusal, Refused, refuse


def raise_alarm(desk: Desk, body: cmd.RaiseAlarm) -> Refused | None:
    """Give alarm; the table itself does for its device, or anybody on duty."""
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    alarm = Alarm(kind=body.kind, card=body.card, other=body.other, number=body.number)
    desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor))
    return None


def acknowledge(desk: Desk, body: cmd.AcknowledgeAlert) -> Refused | None:
    """By the post that the house names, or a higher one; which alerts there are is read off the events."""
    refused = desk.house_authority(desk.house.form.alarms_acknowledged_by)
    if refused is None:
        desk.emit(ev.AlertAcknowledged(sequence=body.sequence, by=desk.actor))
    return refused
