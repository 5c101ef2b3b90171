"""Cards that were entered one by one, lie at the hands, and turn out to have come together."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.case_cards import (
    TELLS_THE_ORDER,
    is_from_other_cards,
    refuse_before,
    strays_of_round,
)
from thirdcard.game.dealing import current_round
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.known_order import refuse_known_order, refuse_other_order
from thirdcard.game.irregularities.money_effects import reverse_settlement
from thirdcard.game.irregularities.wager_claims import refuse_now
from thirdcard.game.rounds import first_dealt_together, is_settled_last
from thirdcard.game.state import DealtCard
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation

FEWEST = 2  # cards that come together


def refuse_dealt_together(desk: QueryDesk, body: cmd.ReportIrregularity) -> Refused | None:
    """Refuse that cards of the hands came together: they must lie there, and nobody else know their order."""
    current = desk.table.round
    if current is None or (desk.round is None and not is_settled_last(desk)):
        return refuse_now(desk)
    moved = desk.table.aside or desk.table.reserved or current.substituted
    if moved or is_from_other_cards(desk.table) or len(current.cards) < FEWEST:
        return refuse_now(desk)
    about = (*TELLS_THE_ORDER, Situation.PATRON_LEFT_WITH_CARDS)
    for each in desk.table.open_cases:
        if each.situation in about:  # it lays the cards of the hands as it was told, or lacks some
            return refuse_before(each)
    if not body.cards:
        return None
    first = first_dealt_together(desk, body)
    if first is None or len(body.cards) < FEWEST:
        return refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS)
    end = first + len(body.cards)
    if body.order_known is False:
        return refuse_known_order(desk, current, range(first, end))
    before, after = current.cards[:first], current.cards[end:]
    told = (*(each.card for each in before), *body.cards, *(each.card for each in after))
    return refuse_other_order(desk, current, told)


def take_up(desk: Desk, body: cmd.ReportIrregularity, clause: Clause | None) -> tuple[DealtCard, ...]:
    """Take the cards up that came together, and those after them, and return those of the hands as they lay.

    They lie aside until their order is found, with those that wait for the next round if one of these is
    among them. While chips are still being paid the settlement is taken back for it. Where no clause governs,
    they stay.
    """
    if clause is None or not body.dealt:
        return ()
    if desk.round is None:
        reverse_settlement(desk, (clause,))
    cards = current_round(desk).cards
    first = first_dealt_together(desk, body)
    assert first is not None or not body.cards
    faces = tuple(each.card for each in cards[first:])
    waited = len(body.cards) > len(faces)
    aside = (*faces, *(face for _, face in strays_of_round(desk.table) if waited))
    desk.emit(ev.CardsReconstructed(cards=cards[:first], aside=aside, clauses=(clause,)))
    return cards[first:]
