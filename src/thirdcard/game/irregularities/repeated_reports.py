"""Reports held against the irregularities that are under way: told twice, told anew, or to come later."""

from thirdcard.game import commands as cmd
from thirdcard.game.case_cards import (
    SET_ASIDE,
    cards_of_case,
    is_order_doubted,
    is_taken_along_referred,
    is_told_anew,
    is_unseen,
    refuse_before,
)
from thirdcard.game.desk import QueryDesk
from thirdcard.game.state import Case, Table
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import (
    BurnNow,
    DetermineCardOrder,
    Irregularity,
    ReconstructCards,
    ResetDealingDevice,
    Situation,
)


def refuse_repeated(desk: QueryDesk, body: cmd.ReportIrregularity, *, noticed: bool) -> Refused | None:
    """The same irregularity is not reported twice, nor do more cards come to lie aside for another one."""
    replaces = any(is_replaced(desk.table, each, body) for each in desk.table.open_cases)
    for each in desk.table.open_cases:
        anew = is_told_anew(desk.table, each) or is_order_doubted(desk.table, each)
        if (anew and body.situation is each.situation) or is_replaced(desk.table, each, body):
            continue
        same = each.situation is body.situation and _is_told_twice(each, body, noticed=noticed)
        lies_aside = each.situation in SET_ASIDE or cards_of_case(desk.table, each).pile == "aside"
        aside = body.situation in SET_ASIDE and lies_aside and not replaces
        left = Situation.PATRON_ABSENT is body.situation and _has_left(each, body.patron)
        if same or aside or left:
            return refuse_before(each)
    return None


def is_replaced(table: Table, case: Case, body: cmd.ReportIrregularity) -> bool:
    """Whether a report takes the place of a case: the cards came otherwise, or are known after all."""
    together = body.situation is Situation.CARDS_TOGETHER and is_told_anew(table, case)
    return together or (is_unseen(case, body) and body.seen is True) or _tells_taken_cards(case, body)


def _tells_taken_cards(case: Case, body: cmd.ReportIrregularity) -> bool:
    """Whether a report tells the cards that a patron took along, of which nobody had told the faces."""
    same = body.situation is case.situation and body.patron == case.patron
    untold = None in (case.cards or (None,))
    return is_taken_along_referred(case) and same and untold and bool(body.cards) and None not in body.cards


def _is_told_twice(case: Case, body: cmd.ReportIrregularity, *, noticed: bool) -> bool:
    """Whether a report is about the same thing as an open case of its kind.

    What no rule covers is another matter each time, and chips that a patron takes away are other chips.
    """
    match body.situation:
        case Situation.NOT_COVERED:
            return False
        case Situation.LATE_WITHDRAWAL if noticed:
            return False
        case Situation.NEXT_CARD_KNOWN:
            return True
        case Situation.PATRON_LEFT_WITH_CARDS:
            return body.patron == case.patron and (None in (body.hand, case.hand) or body.hand is case.hand)
        case _:
            told = (body.patron, body.wager, body.position, body.hand, body.ahead)
            return told == (case.patron, case.wager, case.position, case.hand, case.ahead)


def _has_left(case: Case, patron: str | None) -> bool:
    """Whether a case is about cards that this patron took along: the Dealer has none of them to open."""
    return case.situation is Situation.PATRON_LEFT_WITH_CARDS and case.patron == patron


def refuse_before_order(desk: QueryDesk, row: Irregularity) -> Refused | None:
    """All cards go back in their order: where it is not known, or some were taken along, that goes first."""
    if not any(isinstance(each, BurnNow | ResetDealingDevice) for each in row.effects):
        return None
    for each in desk.table.open_cases:
        ruled = any(isinstance(effect, DetermineCardOrder) for effect in each.effects[: each.done])
        known = ruled or any(isinstance(effect, ReconstructCards) for effect in each.effects)
        unordered = each.situation is Situation.CARDS_TOGETHER and not known
        unordered = unordered or is_order_doubted(desk.table, each)
        if unordered or each.situation is Situation.PATRON_LEFT_WITH_CARDS:
            return refuse_before(each)
    return None
