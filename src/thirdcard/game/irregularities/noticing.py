"""Notices what the table sees by itself after every step: early or known cards, pointless cases."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.burning import is_burn_left_out, is_burn_to_come, is_card_viewed
from thirdcard.game.case_cards import (
    AFTER_THE_ROUND,
    IN_THE_SHOE,
    UNAUTHORISED,
    aside_without,
    came_early,
    cards_of_case,
    faces_aside,
    goes_with_the_cards,
    is_noticed,
    sets_aside,
    unclaimed,
    was_seen_aside,
)
from thirdcard.game.dealing import advance, due_hand, is_unauthorised, out_of_place
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.cases import look_at_known, look_at_strays, run_cases, see
from thirdcard.game.laying import third_card
from thirdcard.game.shoe import Places
from thirdcard.game.state import Case, Phase, Table
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import Situation


def look_at_cards_aside(desk: Desk) -> None:
    """Judge every card aside that was put to a hand and has no case: none is left there unnoticed.

    One that came before the first four lay open belongs to the hand that takes it by the table of play. At
    another hand, or if none takes it, a card is in error like any other: it may have been at a hand, or have
    waited, before a correction.
    """
    while desk.round is not None and _can_be_judged(desk) and (to_judge := _first_to_judge(desk)):
        current, shoe, first = desk.round, desk.table.shoe, (to_judge,)
        assert shoe is not None
        due, hand, (card,) = due_hand(desk), dict(shoe.places.put)[to_judge], faces_aside(desk.table, first)
        if isinstance(due, Refused) or is_unauthorised(desk, due[0], hand):
            situation = next(each for each, other in UNAUTHORISED.items() if other is hand)
            seen = was_seen_aside(desk.table, to_judge)
            see(desk, cmd.ReportIrregularity(situation=situation, seen=seen))
        else:
            laid = (*current.cards, third_card(hand, card, desk.actor))
            aside = aside_without(desk.table, first)
            desk.emit(ev.CardsReconstructed(cards=laid, aside=aside, clauses=due[1]))
            if hand is not due[0]:
                see(desk, cmd.ReportIrregularity(situation=out_of_place(desk)))
        if desk.round is not None:
            advance(desk)


def _first_to_judge(desk: QueryDesk) -> int | None:
    """The place of the first card aside without a case, if nobody has judged it as it lies there.

    One that came early is judged in any case, one that lay elsewhere once no hand takes a card any more:
    until then the hands take it in its turn.
    """
    shoe, first = desk.table.shoe, unclaimed(desk.table)[:1]
    assert shoe is not None
    put = {*dict(shoe.places.put)}.intersection(shoe.places.returned, first)
    over = came_early(desk.table) or (put and isinstance(due_hand(desk), Refused))
    return first[0] if over else None


def lay_ordered_cards(desk: Desk) -> None:
    """Lay cards that came together and have their order, once no case about cards aside is open any more."""
    table, shoe = desk.table, desk.table.shoe
    assert shoe is not None
    put = dict(shoe.places.put)
    waits = any(sets_aside(table, each) for each in table.open_cases)
    if desk.round is not None and not waits and any(place not in put for place in unclaimed(table)):
        advance(desk)


def _can_be_judged(desk: QueryDesk) -> bool:
    """Whether it can be said what becomes of a card that came early.

    While a case is open about one that came before it, that is so if no hand takes a card any more.
    """
    table, due = desk.table, due_hand(desk)
    if isinstance(due, Refused) and due.reason is Refusal.HANDS_NOT_OPEN:
        return False
    cases = [each for each in table.open_cases if each.situation not in AFTER_THE_ROUND]
    aside = all(cards_of_case(table, each).pile == "aside" for each in cases)
    return not cases or (aside and isinstance(due, Refused))


def look_ahead(desk: Desk) -> None:
    """Look after every step whether a card that was seen begins the hand that is to begin, or comes in it.

    However it came to be the first one, no such card opens a round with wagers unless somebody may let it.
    """
    if desk.table.strays:
        look_at_strays(desk)
    shoe, begins = desk.table.shoe, (Phase.IDLE, Phase.BETTING, Phase.CLOSED)
    places = shoe.places if shoe else Places()
    if desk.table.open_cases or is_burn_to_come(desk):  # the burn says which card is the first one
        return
    if (places.ahead or places.back) and desk.table.phase in begins:
        look_at_known(desk)
    if shoe is not None and shoe.burn_owed and is_card_viewed(desk.table) and not desk.table.open_cases:
        see(desk, cmd.ReportIrregularity(situation=Situation.BURN_FORGOTTEN, seen=True))


def look_for_burn(desk: Desk) -> None:
    """Notice once a card is out that none was burned from its shoe, and nothing was settled about that.

    Whether somebody has viewed a card decides what follows, and whether it is the first hand.
    """
    if is_burn_left_out(desk):
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
