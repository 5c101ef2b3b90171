"""The table after an offer to withdraw was made or answered."""

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.current_folds import in_round
from thirdcard.game.earlier_rounds import PastOffer, WithdrawnAll
from thirdcard.game.state import CardState, Case, Offer, Table
from thirdcard.game.wager_folds import credit_terminal
from thirdcard.rulebook.irregularity import OfferWithdrawal, Situation, Withdrawable


def open_offer(table: Table, offer: Offer) -> Table:
    """Patrons are asked; one may be asked later than others, while another irregularity is dealt with."""
    asks = (
        replace(each, waits=None, offer=offer) if each.id == offer.case else each for each in table.open_cases
    )
    return replace(table, open_cases=tuple(asks))


def answer_offer(table: Table, event: ev.OfferAnswered) -> Table:
    """An offer may be answered while another irregularity is dealt with first."""
    if event.withdrew:
        table = _with_all_withdrawn(table, event)
    return replace(
        table,
        open_cases=tuple(
            replace(
                each,
                withdrew=each.withdrew or event.withdrew,
                acted=True,
                offer=_answered(each.offer, event),
            )
            if each.offer is not None and event.case in (None, each.id)
            else each
            for each in table.open_cases
        ),
    )


def with_past_offer(table: Table) -> Table:
    """The table whose round remembers the offer of a case that is over: whoever has no wager is not asked."""
    case, current = table.case, table.round
    effect = case.effects[case.done] if case and case.done < len(case.effects) else None
    if case is None or current is None or current.ended or not isinstance(effect, OfferWithdrawal):
        return table
    asked, count = case.offer.asked if case.offer else (), len(current.cards)
    past = PastOffer(case.situation, case.clause, case.effects, effect, asked, count)
    return in_round(table, offers=(*current.offers, past))


def _with_all_withdrawn(table: Table, event: ev.OfferAnswered) -> Table:
    """The table whose round remembers that a patron took all wagers back, or all that cards left open."""
    current = table.round
    for case in table.open_cases:
        offer = case.offer
        if current is None or current.ended or offer is None or event.case not in (None, case.id):
            continue
        if offer.wagers is not Withdrawable.SINGLE:
            misplaced = any(each.situation is Situation.WRONG_ORDER for each in table.open_cases)
            lying = [place for place, each in enumerate(current.cards) if each.state is CardState.EXPOSED]
            remaining = offer.wagers is Withdrawable.ALL_REMAINING
            taken = WithdrawnAll(
                event.patron, case.id, offer.clause, remaining, () if misplaced else tuple(lying)
            )
            table = in_round(table, withdrew_all=(*current.withdrew_all, taken))
    return table


def _answered(offer: Offer, event: ev.OfferAnswered) -> Offer:
    entered = (event.patron,) if event.by is not None else ()
    return replace(offer, answered=(*offer.answered, event.patron), entered=(*offer.entered, *entered))


def take_answer_back(table: Table, event: ev.AnswerTakenBack) -> Table:
    """A patron is asked again, and what was withdrawn for her lies there as it did."""
    lying = {each.id: each for each in table.wagers}
    for each in reversed(event.wagers):  # of several parts the first one lay there longest
        left = lying.get(each.id)
        whole = (
            replace(each, stake=each.stake + left.stake, pulled=each.pulled + left.pulled) if left else each
        )
        lying[each.id] = whole
    cases = (_ask_again(each, event) if each.id == event.case else each for each in table.open_cases)
    wagers = tuple(lying[number] for number in sorted(lying))
    table = replace(table, wagers=wagers, open_cases=tuple(cases))
    if table.round is not None and table.round.withdrew_all:
        own = (event.patron, event.case)
        others = (each for each in table.round.withdrew_all if (each.patron, each.case) != own)
        table = in_round(table, withdrew_all=tuple(others))
    back = sum(each.lying for each in event.wagers)
    return credit_terminal(table, event.patron, -back) if table.setup.terminal else table


def _ask_again(case: Case, event: ev.AnswerTakenBack) -> Case:
    offer, withdrawn = case.offer, list(case.withdrawn)
    assert offer is not None
    for _ in event.wagers:
        withdrawn.remove(event.patron)
    return replace(
        case,
        withdrew=bool(withdrawn),
        withdrawn=tuple(withdrawn),
        offer=replace(
            offer,
            answered=tuple(each for each in offer.answered if each != event.patron),
            entered=tuple(each for each in offer.entered if each != event.patron),
            withdrawn=tuple(each for each in offer.withdrawn if each.wager not in event.wagers),
        ),
    )
