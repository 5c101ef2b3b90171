"""Wagers that two people establish late, held against the offers of the round to withdraw wagers."""

from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game.causes import Cause
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.earlier_rounds import PastOffer, WithdrawnAll
from thirdcard.game.irregularities.cases import open_case, run_cases, see
from thirdcard.game.irregularities.found_wagers import record_found, refuse_found
from thirdcard.game.irregularities.judged_anew import look_at_found
from thirdcard.game.irregularities.money_effects import reverse_settlement
from thirdcard.game.irregularities.rows import find_row
from thirdcard.game.limits import gap_of
from thirdcard.game.offers import ask_about_found
from thirdcard.game.reducing import reduced
from thirdcard.game.rounds import is_settled_last, known_cards, tells_outcome, wager_standings
from thirdcard.game.standing import Standing, standings
from thirdcard.game.state import CardState, Case, PlacedWager
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import (
    DetermineCardOrder,
    Irregularity,
    OfferWithdrawal,
    ReconstructCards,
    ReopenBetting,
    Situation,
)


def find_wager(desk: Desk, body: cmd.FindWager) -> Refused | None:
    """Record a wager that lay there in time, and look at what follows from it.

    Until the next opening a settlement that overlooked it is taken back, and made again, unless the cards
    do not tell the outcome any more.
    """
    refused = refuse_found(desk, body)
    if refused:
        return refused
    settled = is_settled_last(desk)
    if settled and not tells_outcome(desk):
        return refer_wager(desk, body)
    if settled:
        reverse_settlement(desk, desk.rulebook.wagers[body.wager].placed)
    gap = gap_of(desk.table)
    refused = record_found(desk, body) or look_at_established(desk, body, gap)
    if settled:
        run_cases(desk)
    return refused


def refer_wager(desk: Desk, body: cmd.FindWager | cmd.CorrectWager) -> Refused | None:
    """Leave a wager to the post whose round is settled by its decision: a corrected card left no outcome."""
    told = cmd.ReportIrregularity(
        situation=Situation.NOT_COVERED,
        patron=body.patron,
        wager=body.wager,
        position=body.position,
        amount=body.amount,
    )
    return see(desk, told, Cause.CARD_CORRECTED)


def look_at_established(desk: Desk, body: cmd.FindWager, gap: int) -> Refused | None:
    """Hold a wager against offers and limits that was established; the differential was ``gap`` before."""
    return _hold_against_offers(desk, body) or look_at_found(desk, body, gap)


def _hold_against_offers(desk: Desk, body: cmd.FindWager) -> Refused | None:
    """Hold a wager that is established late against the offers of the round.

    It goes back where its patron has taken all wagers back. It is on offer while others are asked, and
    afterwards to a patron who was never asked, as long as the clause gives the option.
    """
    if body.was_pulled:
        return None
    wager = _established(desk, body)
    if wager is not None and _goes_back(desk, wager):
        return None
    ask_about_found(desk, body)
    return _ask_after_all(desk, wager) if wager is not None else None


def _established(desk: QueryDesk, body: cmd.FindWager) -> PlacedWager | None:
    """The wager on the layout that was established."""
    told = (body.patron, body.wager, body.position)
    own = (each for each in desk.table.wagers if (each.patron, each.wager, each.position) == told)
    return next((each for each in own if each.lying), None)


def _goes_back(desk: Desk, wager: PlacedWager) -> bool:
    """Hand a wager back whose patron took the option to withdraw all wagers, and say whether it went."""
    for taken in desk.round.withdrew_all if desk.round else ():
        if taken.patron == wager.patron and _is_among_all(desk, wager, taken):
            asking = any(each.id == taken.case and each.offer for each in desk.table.open_cases)
            case = taken.case if asking else None
            desk.emit(reduced(desk, wager, wager.stake, (taken.clause,), gone=wager.pulled, case=case))
            return True
    return False


def _is_among_all(desk: QueryDesk, wager: PlacedWager, taken: WithdrawnAll) -> bool:
    """Whether a wager is one of those that were taken back: all, or all that no open card had decided."""
    if not taken.remaining:
        return True
    current = desk.round
    assert current is not None
    cards = tuple(
        each if place in taken.open_cards else replace(each, state=CardState.FACE_DOWN)
        for place, each in enumerate(current.cards)
    )
    known = known_cards(replace(current, cards=cards))
    stood = standings(desk.rulebook, known, desk.rulebook.pair_rule(desk.house))
    return stood[wager.wager] is Standing.OPEN


def _ask_after_all(desk: Desk, wager: PlacedWager) -> Refused | None:
    """Ask a patron who was never asked, or leave it to the post once the clause does not give the option."""
    offers = desk.round.offers if desk.round else ()
    asked = {each.offer.clause for each in offers if wager.patron in each.asked}
    if any(_asks_already(each, wager) for each in desk.table.open_cases):
        return None
    for past in offers:
        if past.offer.clause in asked or any(isinstance(each, ReopenBetting) for each in past.effects):
            continue
        told = cmd.ReportIrregularity(
            situation=past.situation, patron=wager.patron, wager=wager.wager, position=wager.position
        )
        if _still_gives(desk, wager, past):
            row = Irregularity(situation=past.situation, effects=(past.offer,), clause=past.clause)
            open_case(desk, row, told, desk.table.setup.table, Cause.PATRON_NOT_ASKED)
            return None
        if past.offer.by is None:
            lost = replace(told, situation=Situation.NOT_COVERED)
            return see(desk, lost, Cause.PATRON_NOT_ASKED)
    return None


def _asks_already(case: Case, wager: PlacedWager) -> bool:
    """Whether a case asks the patron of a wager, or leaves this very wager to the post."""
    if case.cause is not Cause.PATRON_NOT_ASKED or case.patron != wager.patron:
        return False
    return case.clause is not None or (case.wager, case.position) == (wager.wager, wager.position)


def _still_gives(desk: QueryDesk, wager: PlacedWager, past: PastOffer) -> bool:
    """Whether the clause of an offer gives the option as the cards lie now.

    Before a reconstruction is not after it. What a post may allow is asked for until the next card.
    """
    current = desk.round
    if current is None or any(isinstance(each, ReconstructCards) for each in past.effects):
        return False
    if past.offer.by is not None:
        return len(current.cards) == past.cards
    if wager_standings(desk)[wager.wager] is not Standing.OPEN:
        return False
    if any(isinstance(each, DetermineCardOrder) for each in past.effects):
        return True
    row = find_row(desk, cmd.ReportIrregularity(situation=past.situation))
    offers = () if isinstance(row, Refused) else row.effects
    return any(isinstance(each, OfferWithdrawal) and each.clause == past.offer.clause for each in offers)
