"""The facts that a report must tell: whatever its row, and for the effects of its row."""

from collections import Counter

from thirdcard.cards import Card
from thirdcard.game import commands as cmd
from thirdcard.game.attendance import refuse_stranger
from thirdcard.game.case_cards import IN_THE_SHOE, SET_ASIDE, TELLS_THE_ORDER, UNAUTHORISED
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.limit_mistakes import is_wager_needed
from thirdcard.game.rounds import (
    in_order,
)
from thirdcard.game.squeezing import hands_taken
from thirdcard.game.state import CardState, Hand, Phase
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import (
    ExposeByDealer,
    Irregularity,
    PlayCard,
    ReconstructCards,
    Refer,
    Situation,
)

Report = cmd.ReportIrregularity


def cards_with(desk: QueryDesk, patron: str, hand: Hand | None = None) -> list[Card | None]:
    """The cards that lie with a patron, or were taken there, as far as the table knows their faces."""
    current = desk.round
    hands = hands_taken(desk, current, patron, hand) if current else set()
    return [each.card for each in current.cards if each.hand in hands] if current else []


# what must be told with a situation, whatever its row
NEEDED: dict[Situation, tuple[str, ...]] = {
    Situation.LATE_WAGER: ("patron", "wager", "amount"),
    Situation.LATE_WITHDRAWAL: ("patron", "wager", "amount"),
    Situation.WRONG_DELIVERY: ("hand",),
    Situation.PATRON_ABSENT: ("patron",),
    Situation.PATRON_LEFT_WITH_CARDS: ("patron",),
    Situation.WRONG_PAYMENT: ("patron", "amount"),
    Situation.CARDS_TOGETHER: ("cards",),
}


def names_more_cards(desk: QueryDesk, body: Report) -> bool:
    """Whether a number of cards is reported that has more than lie there, and no clause lays them again.

    Then it must be told to which hand they were put. Those that lie aside or wait have their own case.
    """
    current, number = desk.table.round, Situation.WRONG_NUMBER_OF_CARDS
    if body.situation is not number or current is None or desk.table.aside or desk.table.strays:
        return False
    if body.previous_round or any(row.situation is number for row in desk.document.irregularities):
        return False
    lying = tuple(each.card for each in current.cards)
    return len(lying) < len(body.cards) and body.cards[: len(lying)] == lying


def missing_facts(desk: QueryDesk, body: Report) -> Refused | None:
    """Ask for what must be told, whatever the row."""
    lying = body.situation is Situation.CARDS_TOGETHER and desk.table.aside
    missing = [name for name in NEEDED.get(body.situation, ()) if not getattr(body, name) and not lying]
    if missing:
        return refuse(Refusal.FACTS_NEEDED, facts=", ".join(missing))
    if body.situation is Situation.EXPOSED_IN_ERROR and body.hand is None:
        closed = desk.round is not None and any(
            each.state is not CardState.EXPOSED for each in desk.round.cards
        )
        if closed or not body.cards:  # a card of a hand, or one that is still in the dealing device
            return refuse(Refusal.FACTS_NEEDED, facts="hand" if closed else "hand, cards")
    if names_more_cards(desk, body):
        return refuse(Refusal.FACTS_NEEDED, facts="hand")
    if is_wager_needed(desk, body):
        return refuse(Refusal.FACTS_NEEDED, facts="wager")
    if body.amount < 0 or body.ahead < 0:
        return refuse(Refusal.FACTS_NEEDED, facts="amount")
    named = body.situation in NEEDED or body.situation is Situation.OLD_LIMIT_MISTAKE
    if body.patron is not None and named and not _is_known(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)
    return None


def _is_known(desk: QueryDesk, patron: str) -> bool:
    """Whether somebody is at the table, has left it since it opened, holds cards, or was settled with.

    Of rounds before the last, the table knows whose wagers were outside the limits.
    """
    current = desk.table.round
    holdings = desk.round.holdings if desk.round else ()
    outside = (each.wager for each in desk.table.outside)
    settled = (*(current.settled if current else ()), *desk.table.last_settled, *outside)
    named = {each.patron for each in holdings} | {each.patron for each in settled}
    return refuse_stranger(desk, patron) is None or patron in named


def facts_needed(desk: QueryDesk, row: Irregularity, body: Report, *, by_two: bool = False) -> Refused | None:
    """Ask for what the effects of a row cannot do without, and check that the cards can be there.

    Two people tell of cards that came out although the count has fewer left: it is put right by them.
    """
    names = {type(effect) for effect in row.effects}
    clauses = (row.clause,) if row.clause else ()
    if body.situation in UNAUTHORISED and not (body.cards or desk.table.aside):
        return refuse(Refusal.FACTS_NEEDED, *clauses, facts="cards")
    if body.situation is Situation.PATRON_LEFT_WITH_CARDS:
        cards = cards_with(desk, body.patron or "", body.hand)
        untold = None in cards and len(cards) != len(body.cards)
        if untold and (ExposeByDealer in names or body.cards):
            return refuse(Refusal.FACTS_NEEDED, *clauses, facts="cards")
    known = PlayCard in names or (body.situation in IN_THE_SHOE and body.ahead)
    if known and (not body.cards or None in body.cards):
        return refuse(Refusal.FACTS_NEEDED, *clauses, facts="cards")
    if _is_number_untold(desk, body):
        return refuse(Refusal.FACTS_NEEDED, *clauses, facts="cards")
    if body.situation in TELLS_THE_ORDER and _lays_again(desk, row):
        refused = _order_told(desk, row, body.cards)
        if refused:
            return refused
    lying = desk.table.aside if body.situation in SET_ASIDE else desk.table.strays and not body.ahead
    out = 0 if lying or body.dealt or not body.cards else len(body.cards) + body.ahead
    miscounted = by_two and body.situation in SET_ASIDE
    return None if miscounted or body.situation in ORDERED else refuse_too_few(desk, clauses, out)


# reports whose cards are not those of the shoe that come next
ORDERED = (
    *TELLS_THE_ORDER,
    Situation.ORDER_ALTERED,
    Situation.PATRON_LEFT_WITH_CARDS,
    Situation.EXPOSED_IN_ERROR,
)


def _is_number_untold(desk: QueryDesk, body: Report) -> bool:
    """Whether a wrong number of cards is reported without them while they lie as the table of play has it.

    Of a round before they are not asked for, nor where they cannot be told any more.
    """
    current, number = desk.table.round, Situation.WRONG_NUMBER_OF_CARDS
    if body.situation is not number or body.cards or body.reconstructable is False or current is None:
        return False
    past = body.previous_round and desk.table.phase is not Phase.IDLE
    return not past and in_order(desk, current)


def _lays_again(desk: QueryDesk, row: Irregularity) -> bool:
    """Whether cards may be laid as they are told: by a clause, or because a post lets the round go on."""
    names = {type(effect) for effect in row.effects}
    return ReconstructCards in names or (Refer in names and desk.round is not None)


def refuse_too_few(desk: QueryDesk, clauses: tuple[str, ...], cards: int) -> Refused | None:
    """Why so many cards cannot have come out: fewer are left."""
    shoe = desk.table.shoe
    if shoe is None or shoe.left >= cards:
        return None
    return refuse(Refusal.WRONG_NUMBER_OF_CARDS, *clauses, needed=shoe.left)


def _order_told(desk: QueryDesk, row: Irregularity, cards: tuple[Card | None, ...]) -> Refused | None:
    """An order names the cards that lie there; where their number is wrong it may name others."""
    current = desk.table.round
    lying, clauses = current.cards if current else (), (row.clause,) if row.clause else ()
    if not cards:
        by_clause = any(isinstance(effect, ReconstructCards) for effect in row.effects)
        misplaced = current is not None and not in_order(desk, current)
        return None if misplaced or not by_clause else refuse(Refusal.FACTS_NEEDED, *clauses, facts="cards")
    if row.situation is Situation.WRONG_NUMBER_OF_CARDS:
        return refuse_too_few(desk, clauses, len(cards) - len(lying))
    known = Counter[Card | None](each.card for each in lying if each.card)
    if len(cards) != len(lying) or known - Counter(cards):
        return refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS, *clauses)
    return None
