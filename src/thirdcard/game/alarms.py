"""Alarms: given by dealing devices and by looks at their cards; somebody sees to them as to all alerts."""

from thirdcard.cards import Card
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.desk import Desk
from thirdcard.refusals import Refusal, Refused, refuse


def raise_alarm(desk: Desk, body: cmd.RaiseAlarm) -> Refused | None:
    """Give alarm; the table itself does for its device, or anybody on duty."""
    refused = desk.refuse_other_than_staff()
    if refused:
        return refused
    alarm = Alarm(kind=body.kind, card=body.card, other=body.other, number=body.number)
    desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor))
    return None


def count_copies(desk: Desk, card: Card | None) -> None:
    """Give alarm when more copies of a card have come than the decks have: somebody looks at the felt."""
    shoe = desk.table.shoe
    if shoe is None or card is None or card.suit is None:
        return
    if shoe.drawn.count(card) == shoe.decks + 1:
        alarm = Alarm(AlarmKind.TOO_MANY_COPIES, card=card, number=shoe.decks + 1)
        desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor))


def look_for_totals(desk: Desk) -> None:
    """Give alarm at a third card without the point totals, where the Dealer records them in this shoe."""
    shoe, current = desk.table.shoe, desk.table.round
    if shoe is None or current is None or not shoe.announces or current.free:
        return
    if len(current.cards) == 5 and current.announced is None:
        clauses = (desk.document.table_of_play.clause,)
        alarm = Alarm(AlarmKind.TOTALS_NOT_ANNOUNCED)
        desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor, clauses=clauses))


def acknowledge(desk: Desk, body: cmd.AcknowledgeAlert) -> Refused | None:
    """By the post that the house names, or a higher one; which alerts there are is read off the events.

    Money that moved outside a round is acknowledged by somebody who had no part in it.
    """
    refused = desk.house_authority(desk.house.form.alarms_acknowledged_by)
    if refused is None and body.act:
        refused = _refuse_act(desk, body.act)
    if refused is None:
        desk.emit(ev.AlertAcknowledged(sequence=body.sequence, by=desk.actor, act=body.act))
    return refused


def _refuse_act(desk: Desk, number: int) -> Refused | None:
    """Refuse to acknowledge an act that is none, or that grew since, or one's own."""
    act = next((each for each in desk.table.unseen if each.id == number), None)
    if act is None:
        return refuse(Refusal.NOT_AWAITED)
    own = next((each for each in (desk.actor, desk.envelope.authoriser) if each in act.people), None)
    return refuse(Refusal.OWN_ACT, person=own) if own else None
