"""What the table notices by itself after every step: cards that came early or are known, pointless cases."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.case_cards import (
    IN_THE_SHOE,
    UNAUTHORISED,
    blocking,
    came_early,
    cards_of_case,
    goes_with_the_cards,
    is_card_viewed,
    is_noticed,
)
from thirdcard.game.dealing import advance, due_hand, is_unauthorised, out_of_place
from thirdcard.game.desk import Desk
from thirdcard.game.irregularities.cases import look_at_known, look_at_strays, run_cases, see
from thirdcard.game.shoe import Places
from thirdcard.game.squeezing import opens_at_once
from thirdcard.game.state import CardState, Case, DealtCard, Phase, Table
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import Situation


def look_at_early_cards(desk: Desk) -> None:
    """Judge cards that were put to hands before the first four lay open, once they do.

    One belongs to the hand that takes it by the table of play; at another hand, or if none does, it is a
    card in error like any other.
    """
    while came_early(desk.table) and desk.round is not None and blocking(desk.table) is None:
        current, shoe, (card, *rest) = desk.round, desk.table.shoe, desk.table.aside
        assert shoe is not None
        due, hand = due_hand(desk), dict(shoe.places.put)[shoe.places.aside[0]]
        if isinstance(due, Refused) and due.reason is Refusal.HANDS_NOT_OPEN:
            return
        if isinstance(due, Refused) or is_unauthorised(desk, due[0], hand):
            situation = next(each for each, other in UNAUTHORISED.items() if other is hand)
            see(desk, cmd.ReportIrregularity(situation=situation, seen=card is not None))
        else:
            opens = card is not None and opens_at_once(desk, hand, third=True)
            state = CardState.EXPOSED if opens else CardState.FACE_DOWN
            laid = (*current.cards, DealtCard(hand, card, state, desk.actor))
            desk.emit(ev.CardsReconstructed(cards=laid, aside=tuple(rest), clauses=due[1]))
            if hand is not due[0]:
                see(desk, cmd.ReportIrregularity(situation=out_of_place(desk)))
        if desk.round is not None:
            advance(desk)


def knows_cards(table: Table) -> bool:
    """Whether a card may be known before it comes, or a burn is owed that must come before it is."""
    shoe = table.shoe
    if shoe is None:
        return False
    return bool(table.strays or shoe.places.ahead or shoe.places.back or shoe.burn_owed)


def look_ahead(desk: Desk) -> None:
    """Look after every step whether a card that was seen begins the hand that is to begin, or comes in it.

    However it came to be the first one, no such card opens a round with wagers unless somebody may let it.
    """
    if desk.table.strays:
        look_at_strays(desk)
    shoe, begins = desk.table.shoe, (Phase.IDLE, Phase.BETTING, Phase.CLOSED)
    places = shoe.places if shoe else Places()
    if (places.ahead or places.back) and desk.table.phase in begins and not desk.table.open_cases:
        look_at_known(desk)
    if shoe is not None and shoe.burn_owed and is_card_viewed(desk.table) and not desk.table.open_cases:
        see(desk, cmd.ReportIrregularity(situation=Situation.BURN_FORGOTTEN, seen=True))


def look_for_burn(desk: Desk) -> None:
    """Notice once a card is out that none was burned from its shoe, and nothing was settled about that.

    Whether somebody has viewed a card decides what follows, and whether it is the first hand.
    """
    shoe, current = desk.table.shoe, desk.round
    if shoe is None or shoe.burned is not None or current is None or desk.table.open_cases:
        return
    settled = shoe.burn_owed or shoe.patrons_choose or shoe.keep_by or shoe.new_cards_due
    if not settled and current.cards and Situation.BURN_FORGOTTEN not in current.noted:
        see(desk, cmd.ReportIrregularity(situation=Situation.BURN_FORGOTTEN))


def close_pointless(desk: Desk, before: Table) -> None:
    """Close cases about the next card that have lost it: it was dealt, or another one comes first now.

    Once new cards must come, no card of these opens the next hand.
    """
    new_cards = _are_due(desk.table) and not _are_due(before)
    for case in before.open_cases:
        own = cards_of_case(before, case)
        here = any(each.id == case.id for each in desk.table.open_cases)
        lost = own.pile is not None and cards_of_case(desk.table, case).places != own.places
        lost = lost or (new_cards and goes_with_the_cards(desk.table, case))
        asks = any(each.id == case.id and each.offer for each in desk.table.open_cases)
        if (
            here
            and not asks
            and ((case.situation in IN_THE_SHOE and lost) or _is_burn_owed_again(desk.table, case))
        ):
            desk.emit(ev.CaseClosed(id=case.id))
            run_cases(desk)


def _is_burn_owed_again(table: Table, case: Case) -> bool:
    """Whether a burn that is owed was asked about because a card was viewed, and none is known any more."""
    burn = case.situation is Situation.BURN_FORGOTTEN and is_noticed(table, case)
    return burn and table.shoe is not None and table.shoe.burn_owed and not is_card_viewed(table)


def _are_due(table: Table) -> bool:
    """Whether new cards must come."""
    return table.shoe is not None and table.shoe.new_cards_due
