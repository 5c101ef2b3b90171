"""Alarms: given by dealing devices and by looks at their cards, kept until somebody who may has seen them."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.state import Alarm
from thirdcard.refusals import Refusal, Refused, refuse


def raise_alarm(desk: Desk, body: cmd.RaiseAlarm) -> Refused | None:
    """Give alarm; the table itself does for its device, or anybody on duty."""
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    alarm = Alarm(
        id=desk.table.next_alarm, kind=body.kind, card=body.card, other=body.other, number=body.number
    )
    desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor))
    return None


def acknowledge(desk: Desk, body: cmd.AcknowledgeAlarm) -> Refused | None:
    """Acknowledge an alarm, by the post that the house names or a higher one."""
    refused = desk.house_authority(desk.house.form.alarms_acknowledged_by)
    if refused:
        return refused
    if not any(each.id == body.id for each in desk.table.alarms):
        return refuse(Refusal.NO_SUCH_ALARM, alarm=body.id)
    desk.emit(ev.AlarmAcknowledged(id=body.id, by=desk.actor))
    return None
