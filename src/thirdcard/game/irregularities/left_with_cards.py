"""A patron has left with cards: two cards are set aside, the rest is sorted, equal cards take their place."""

from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.case_cards import is_deal_completed_first, refuse_before
from thirdcard.game.dealing import advance, current_round
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.cases import run_cases
from thirdcard.game.irregularities.effects import carry_out
from thirdcard.game.irregularities.missing_cards import (
    cases_of_missing,
    deduced,
    missing_places,
    record_missing,
    refuse_list,
)
from thirdcard.game.irregularities.rulings import may_decide
from thirdcard.game.places import coming, known_faces
from thirdcard.game.squeezing import was_taken_along
from thirdcard.game.state import CardState, Hand, Wait
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import (
    DeduceMissingCards,
    Effect,
    ReserveCards,
    SubstituteMissingCards,
    effect_clauses,
)
from thirdcard.rulebook.procedure import Grant


def reserve_cards(desk: Desk, body: cmd.ReserveCards) -> Refused | None:
    """Set cards aside in the presence of the post that the clause names."""
    effect = _awaited(desk, Wait.RESERVED_CARDS)
    if not isinstance(effect, ReserveCards):
        return _not_awaited(desk, Wait.RESERVED_CARDS)
    by = desk.authority(Grant(effect.in_presence_of, effect.clause))
    if isinstance(by, Refused):
        return by
    if desk.table.case is not None and is_deal_completed_first(desk.table, desk.table.case):
        phase = f"@phase.{desk.table.phase.value}"
        return refuse(Refusal.NOT_IN_THIS_PHASE, effect.clause, phase=phase)
    if len(body.cards) != effect.cards:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, effect.clause, needed=effect.cards)
    shoe = desk.table.shoe
    assert shoe is not None
    for known, card in zip(known_faces(shoe, coming(shoe, effect.cards)), body.cards, strict=False):
        if known is not None and known != card:
            return refuse(Refusal.OTHER_FACE_KNOWN, effect.clause, card=known.text)
    desk.emit(ev.CardsReserved(cards=body.cards, clauses=by))
    _go_on(desk, effect)
    return None


def enter_sorted(desk: Desk, body: cmd.EnterSortedCards) -> Refused | None:
    """The full decks less everything accounted for leave exactly the missing cards, as two people find.

    A hand that lies with somebody who is still there is opened first, and so is a card that lies aside: they
    are in play, not missing.
    Until substitutes lie there the list can be entered again.
    """
    effect = _awaited(desk, Wait.SORTED_CARDS) or _awaited(desk, Wait.SUBSTITUTES)
    case, current = desk.table.case, desk.table.round
    if effect is None or case is None or current is None:
        return _not_awaited(desk, Wait.SORTED_CARDS, Wait.SUBSTITUTES)
    refused = desk.refuse_other_than_staff()
    if refused:
        return refused
    missing = missing_places(desk, current)
    closed = any(each.card is None and place not in missing for place, each in enumerate(current.cards))
    if closed or None in desk.table.aside:
        return refuse(Refusal.HANDS_NOT_OPEN, *effect_clauses(effect))
    needed = len(current.cards) + len(desk.table.aside) + len(desk.table.reserved)
    refused = refuse_list(desk.table, body.lacking, needed, effect_clauses(effect))
    if refused:
        return refused
    left = deduced(desk.table, body.lacking)
    if left is None or len(left) != len(missing):
        found_by = (each.clause for each in case.effects if isinstance(each, DeduceMissingCards))
        clauses = dict.fromkeys((*effect_clauses(effect), *found_by))
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, *clauses, needed=needed)
    refused = desk.two_people()
    if refused:
        return refused
    record_missing(desk, case, left, body.lacking)
    if not isinstance(effect, SubstituteMissingCards):
        _go_on(desk, effect)
    return None


def substitute(desk: Desk, body: cmd.SubstituteCards) -> Refused | None:
    """Cards of the same rank and suit take the place of the missing ones.

    Where cards of both hands are gone, no clause says which goes where: the post for that decides.
    """
    effect = _awaited(desk, Wait.SUBSTITUTES)
    case, current = desk.table.case, desk.table.round
    if effect is None or case is None or current is None:
        return _not_awaited(desk, Wait.SUBSTITUTES)
    refused = desk.refuse_other_than_staff()
    if refused:
        return refused
    clauses = effect_clauses(effect)
    if sorted(card.text for card in body.cards) != sorted(card.text for card in case.missing):
        return refuse(Refusal.WRONG_SUBSTITUTE, *clauses)
    missing = missing_places(desk, current)
    if len({current.cards[place].hand for place in missing}) > 1:
        by = may_decide(desk)
        if isinstance(by, Refused):
            return by
    new = list(body.cards)
    hands = {current.cards[place].hand for place in missing}
    cards = tuple(
        replace(each, card=each.card or new.pop(0), state=CardState.EXPOSED) if each.hand in hands else each
        for each in current.cards
    )
    desk.emit(ev.CardsSubstituted(cards=cards, clauses=clauses))
    others = [each for each in cases_of_missing(desk) if each.id != case.id]
    gone = {case.patron, *(each.patron for each in others)}
    for holding in current.holdings:  # whoever took cards along handles no later ones either
        if holding.patron in gone:
            desk.emit(ev.CardsDeclined(hand=holding.hand, patron=holding.patron, clauses=clauses))
    for each in others:
        desk.emit(ev.CaseClosed(id=each.id, superseded_by=case.id))
    advance(desk)
    _go_on(desk, effect)
    return None


def refuse_opening(desk: QueryDesk, hand: Hand) -> Refused | None:
    """Refuse to open cards that somebody took along: nobody knows them until they are found."""
    case = was_taken_along(desk, current_round(desk), hand)
    return refuse_before(case) if case is not None else None


def _awaited(desk: QueryDesk, wait: Wait) -> Effect | None:
    case = desk.table.case
    if case is None or case.waits is not wait:
        return None
    return case.effects[case.done]


def _not_awaited(desk: QueryDesk, *waits: Wait) -> Refused:
    """Refuse what no case waits for, or one that another case goes before."""
    first = desk.table.case
    if first is not None and any(each.waits in waits for each in desk.table.open_cases):
        return refuse_before(first)
    return refuse(Refusal.NOT_AWAITED)


def _go_on(desk: Desk, effect: Effect) -> None:
    carry_out(desk, effect, met=True)
    run_cases(desk)
