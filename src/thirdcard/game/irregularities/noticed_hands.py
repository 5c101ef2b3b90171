"""Hands that are passed and opened: the table notices one that goes astray, or lies with somebody gone."""

from thirdcard.game import commands as cmd
from thirdcard.game.attendance import is_here
from thirdcard.game.dealing import current_round
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.cases import see
from thirdcard.game.irregularities.delivery_claims import is_open
from thirdcard.game.irregularities.handling import expose_cards, pass_astray, pass_cards
from thirdcard.game.irregularities.left_with_cards import refuse_opening
from thirdcard.game.squeezing import entitled, holder_of
from thirdcard.game.state import CardState
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import Method, Situation


def pass_hand(desk: Desk, body: cmd.PassCards) -> Refused | None:
    """Pass a hand; one that went to a patron who is not to have it is an irregularity of its own."""
    refused = pass_astray(desk, body) if body.instead else pass_cards(desk, body)
    if refused or not body.instead:
        return refused
    astray = cmd.ReportIrregularity(situation=Situation.WRONG_DELIVERY, patron=body.patron, hand=body.hand)
    return see(desk, astray)


def open_hand(desk: Desk, body: cmd.ExposeCards) -> Refused | None:
    """Open a hand; one that a patron was to have and never got is noted, and one of whoever has left."""
    refused = refuse_opening(desk, body.hand)
    if refused:
        return refused
    holder = holder_of(desk, body.hand)
    if holder is not None and desk.is_staff(body.by or desk.actor) and not is_here(desk, holder):
        away = cmd.ReportIrregularity(situation=Situation.PATRON_ABSENT, patron=holder)
        see(desk, away)
        if _is_open_as_told(desk, body):
            return None
    cards = [each for each in desk.round.cards if each.hand is body.hand] if desk.round else []
    closed = len(cards) == 2 and all(each.state is CardState.FACE_DOWN for each in cards)
    drawn_by_dealer = desk.table.method is not Method.C
    right = entitled(desk, body.hand) if closed and drawn_by_dealer else None
    passed_by = isinstance(right, tuple) and holder_of(desk, body.hand) is None
    noted = desk.round.noted if desk.round else ()
    if passed_by and not {Situation.NOT_DELIVERED, Situation.EXPOSED_IN_ERROR} & {*noted}:
        see(desk, cmd.ReportIrregularity(situation=Situation.NOT_DELIVERED, hand=body.hand))
    return expose_cards(desk, body)


def _is_open_as_told(desk: QueryDesk, body: cmd.ExposeCards) -> bool:
    """Whether a hand lies open by now, with the faces that are told or with none told."""
    current = current_round(desk)
    known = tuple(each.card for each in current.cards if each.hand is body.hand)
    return is_open(current, body.hand) and body.cards in ((), known)
