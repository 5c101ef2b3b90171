"""Reports held against the irregularities that are under way: told twice, told anew, or to come later."""

from thirdcard.cards import Card
from thirdcard.game import commands as cmd
from thirdcard.game.card_sources import INITIAL
from thirdcard.game.case_cards import (
    SET_ASIDE,
    TELLS_THE_ORDER,
    cards_of_case,
    is_order_doubted,
    is_taken_along_referred,
    is_told_anew,
    places_told,
    refuse_before,
    seen_after_all,
    unclaimed,
)
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.missing_cards import rows_of_taken
from thirdcard.game.laying import NOBODY, lay_out
from thirdcard.game.outcome import next_draw
from thirdcard.game.places import known_ahead
from thirdcard.game.rounds import hands_of
from thirdcard.game.state import CardState, Case, DealtCard, Hand, Phase, Table, Wait
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import (
    BurnNow,
    DetermineCardOrder,
    Irregularity,
    ReconstructCards,
    ResetDealingDevice,
    Situation,
)
from thirdcard.rulebook.table_of_play import Draws

# reports of a card in the dealing device that a clause about cards found there may govern already
SEEN_OTHERWISE = (Situation.EXPOSED_IN_MOVEMENT, Situation.EXPOSED_IN_ERROR)


def refuse_same_card(table: Table, body: cmd.ReportIrregularity) -> Refused | None:
    """Refuse a report of the card that waits on top of the dealing device: it has its place already.

    Another face is that of the card after it. Nobody need know the suit.
    """
    shoe, told = table.shoe, next(iter(body.cards), None)
    if shoe is None or body.ahead or body.situation is Situation.NEXT_CARD_KNOWN:
        return None
    waiting = zip(shoe.places.strays, table.strays, strict=True)
    on_top = {place: face for place, face in waiting if place in shoe.places.disclosed}
    same = any(_is_same_card(face, told) for face in on_top.values())
    if not same or not places_told(table, body):
        return None
    clauses = (each.clause for each in table.free_hands if on_top.keys() & {*each.places})
    return refuse(Refusal.CARD_REPORTED_BEFORE, *dict.fromkeys(clauses))


def _is_same_card(known: Card | None, told: Card | None) -> bool:
    """Whether two people can have told of one card: a face or a suit may be left out."""
    if known is None or told is None:
        return True
    return known.rank is told.rank and (None in (known.suit, told.suit) or known.suit is told.suit)


def _refuse_covered(desk: QueryDesk, body: cmd.ReportIrregularity) -> Refused | None:
    """Refuse to ask a post about a card that comes in its turn by the clause of an earlier report."""
    table, shoe = desk.table, desk.table.shoe
    if shoe is None or body.situation not in SEEN_OTHERWISE or table.phase is not Phase.DEALING:
        return None
    told, asked = {*places_told(table, body)}, dict(shoe.places.asked)
    for each in table.open_cases:
        if told.intersection(asked.get(each.id, ())):
            return refuse_before(each)
    earlier = (each for each in table.told if told.intersection(asked.get(each.id, ())))
    case = next(earlier, None)
    if case is None and not told.intersection(known_ahead(shoe)):
        return None
    return refuse(Refusal.CARD_REPORTED_BEFORE, *((case.clause,) if case and case.clause else ()))


def refuse_repeated(desk: QueryDesk, body: cmd.ReportIrregularity, *, noticed: bool) -> Refused | None:
    """The same irregularity is not reported twice, nor do more cards come to lie aside for another one."""
    covered = None if noticed else _refuse_covered(desk, body)
    if covered:
        return covered
    replaces = any(is_replaced(desk, each, body) for each in desk.table.open_cases)
    other_card = replaces or (noticed and bool(unclaimed(desk.table)))  # that one lies there as well
    for each in desk.table.open_cases:
        anew = is_told_anew(desk.table, each) or is_order_doubted(desk.table, each)
        if (anew and body.situation is each.situation) or is_replaced(desk, each, body):
            continue
        same = each.situation is body.situation and _is_told_twice(each, body, noticed=noticed)
        lies_aside = each.situation in SET_ASIDE or cards_of_case(desk.table, each).pile == "aside"
        aside = body.situation in SET_ASIDE and lies_aside
        if aside and other_card:
            continue
        left = Situation.PATRON_ABSENT is body.situation and _has_left(each, body.patron)
        if same or aside or left:
            return refuse_before(each)
    return None


def is_replaced(desk: QueryDesk, case: Case, body: cmd.ReportIrregularity) -> bool:
    """Whether a report takes the place of a case: the cards came otherwise, or are known after all."""
    table = desk.table
    together = body.situation is Situation.CARDS_TOGETHER and is_told_anew(table, case)
    unseen = seen_after_all(table, body) if body.seen is True else None
    known = unseen is not None and unseen.id == case.id
    told = _tells_taken_cards(case, body) or _tells_where_missing_is(desk, case, body)
    suffice = case.situation is Situation.TOO_FEW_CARDS and _may_suffice(desk, body)
    return together or known or told or suffice or _is_played_in_turn(table, case, body)


def _may_suffice(desk: QueryDesk, body: cmd.ReportIrregularity) -> bool:
    """Whether no hand may lack a card, since those of the round came in another order than they lie in.

    If one is due all the same once they are laid, the table notices it again.
    """
    if body.dealt or body.situation not in TELLS_THE_ORDER:
        return body.dealt
    told = [DealtCard(Hand.PLAYER, face, CardState.EXPOSED, NOBODY) for face in body.cards]
    laid = lay_out(desk, told).laid
    if body.reconstructable is False or len(laid) < INITIAL or None in body.cards:
        return False
    return not isinstance(next_draw(desk.rulebook, *hands_of(laid)), Draws)


def _tells_where_missing_is(desk: QueryDesk, case: Case, body: cmd.ReportIrregularity) -> bool:
    """Whether a patron has the card that was reported as missing, which nobody has confirmed.

    Where a clause speaks of that, it goes before the one about missing cards.
    """
    missing = case.situation is Situation.MISSING_CARD and case.waits is Wait.CONFIRMATION
    left = body.situation is Situation.PATRON_LEFT_WITH_CARDS
    return missing and left and any(row.clause for row in rows_of_taken(desk.document))


def _is_played_in_turn(table: Table, case: Case, body: cmd.ReportIrregularity) -> bool:
    """Whether a card that a post is asked about was found face upwards: then the clause of that governs."""
    found = body.situation is Situation.FACE_UP_CARD and table.phase is Phase.DEALING
    asked = case.situation in SEEN_OTHERWISE and case.waits is Wait.DECISION
    own = cards_of_case(table, case)
    return (
        found and asked and own.pile == "shoe" and bool({*own.places}.intersection(places_told(table, body)))
    )


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
