"""The cards of a shoe, counted at its end."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.desk import Desk
from thirdcard.game.shoe import CARDS_IN_A_DECK, Shoe
from thirdcard.game.shoe_clauses import discard_holder
from thirdcard.game.state import Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation


def expected_cards_of(shoe: Shoe) -> int:
    """Return how many cards a shoe has had: those drawn, those burned and those left."""
    return shoe.decks * CARDS_IN_A_DECK


def count_cards(desk: Desk, body: cmd.CountCards) -> Refused | None:
    """Enter how many cards somebody on duty has counted; a count that differs gives alarm.

    A virtual shoe has no cards to count, and a shoe is counted once.
    """
    shoe, clauses = desk.table.shoe, discard_holder(desk.document)
    if not desk.posts(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    if shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    if shoe.seal is not None or shoe.counted is not None:
        return refuse(Refusal.NOT_AWAITED, *clauses)
    expected = expected_cards_of(shoe)
    if not 0 <= body.cards <= 2 * expected:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, *clauses, needed=expected)
    desk.emit(ev.CardsCounted(cards=body.cards, expected=expected, by=desk.actor, clauses=clauses))
    if body.cards != expected:
        alarm = Alarm(AlarmKind.COUNT_DIFFERS, number=body.cards)
        desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor, clauses=clauses))
    return None


def what_differs(table: Table) -> Situation | None:
    """The irregularity that a count shows: missing or extra cards."""
    shoe = table.shoe
    if shoe is None or shoe.counted in (None, expected_cards_of(shoe)):
        return None
    assert shoe.counted is not None
    missing = shoe.counted < expected_cards_of(shoe)
    return Situation.MISSING_CARD if missing else Situation.EXTRA_CARD
