"""Hands that lie open, or were seen, by the word of a report."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.rounds import faces_shown
from thirdcard.game.squeezing import holder_of
from thirdcard.game.state import CardState, Case
from thirdcard.rulebook.irregularity import Situation

# reports by which cards of a hand are seen, or open where their faces are told
TELLS_OF_A_HAND = (Situation.EXPOSED_IN_ERROR, Situation.WRONG_DELIVERY)


def know_hand(desk: Desk, body: cmd.ReportIrregularity, case: Case) -> None:
    """Record what a report tells of a hand: cards are open where their faces are told, otherwise seen."""
    current, hand, clauses = desk.round, body.hand, (case.clause,) if case.clause else ()
    cards = [each for each in current.cards if each.hand is hand] if current else []
    if current is None or hand is None:
        return
    exposed = body.situation is Situation.EXPOSED_IN_ERROR
    faces = faces_shown(current, body) if any(body.cards) else ()
    if any(face and each.state is not CardState.EXPOSED for each, face in zip(cards, faces, strict=False)):
        by = desk.actor if exposed else body.patron or desk.actor
        desk.emit(ev.CardsExposed(hand=hand, cards=faces, by=by, clauses=clauses, case=case.id))
    elif (exposed or body.seen) and any(each.state is CardState.FACE_DOWN for each in cards):
        patron = None if exposed else body.patron or holder_of(desk, hand)
        desk.emit(ev.CardsSeen(hand=hand, patron=patron, clauses=clauses, case=case.id))
