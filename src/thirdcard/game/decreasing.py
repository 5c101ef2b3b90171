"""Chips that come off a wager: in time, for the differential or a free hand, in an offer, or too late."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.betting import (
    differential_row,
    is_exceeded,
    may_decrease,
    own_wager,
    placed_by,
    placing_clauses,
    refuse_held,
    wagers_at,
)
from thirdcard.game.case_cards import becomes_free
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.limits import gap_of, heavier_hand, limit_of
from thirdcard.game.named_wagers import refuse_no_wager
from thirdcard.game.offers import case_asking, refuse_part, withdraw_part, withdraw_wager
from thirdcard.game.reducing import reduced
from thirdcard.game.rounds import is_card_known
from thirdcard.game.state import Case, Phase, PlacedWager
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import RemoveWagers, Situation, effect_clauses
from thirdcard.rulebook.procedure import Grant


def reduce_wager(desk: Desk, body: cmd.ReduceWager) -> Refused | None:
    """Take chips off a wager; after closing they stay in action, unless the patron is offered to withdraw.

    Before a free hand all of them are to come off. Whoever has left takes nothing off; staff may enter it.
    """
    if desk.actor == body.patron and not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)
    by = placed_by(desk, body.patron)
    if isinstance(by, Refused):
        return by
    removal = removal_clause(desk)
    in_time = desk.table.phase is Phase.BETTING or removal is not None
    decreases = in_time or may_decrease(desk, body.wager)
    wagers = wagers_at(desk, body.wager, body.position)
    taken = (each for each in wagers if decreases and each.patron == body.patron)
    found = own_wager(wagers, body.patron) or next(taken, None)
    if found is None:
        return refuse_no_wager(desk, desk.table.wagers, body)
    most = found.stake if decreases else found.lying  # chips that are gone can be out of action, not taken
    if not 0 < body.amount <= most:
        return refuse(Refusal.LESS_ON_THE_WAGER, stake=format_amount(most, desk.house.currency))
    if body.amount % desk.house.unit:
        return refuse(Refusal.STAKE_TOO_FINE, **_fineness(desk, body))
    if not decreases:
        case = case_asking(desk, body.patron, found)
        return _withdraw(desk, case, found, body.amount) if case else _pull(desk, found, body.amount)
    refused = _refuse_decrease_by_one(desk, body.patron) if removal is None else None
    if removal is None or desk.table.setup.terminal:  # on the felt all chips come off, piece by piece
        refused = refused or _too_little_left(desk, found, body.amount)
    if refused:
        return refused
    asked, gone = found.patron in desk.table.decrease_unanswered, max(body.amount - found.lying, 0)
    if removal is not None:
        desk.emit(reduced(desk, found, body.amount, (removal,), gone=gone))
        return None
    desk.emit(reduced(desk, found, body.amount, _reducing_clauses(desk, found.wager, by), gone=gone))
    if asked:
        desk.emit(ev.DecreaseAnswered(patron=found.patron))
    return None


def removal_clause(desk: QueryDesk) -> Clause | None:
    """The clause by which every wager comes off before the first card: the hand to come is a free hand."""
    policy, table = desk.document.free_hand, desk.table
    if policy is None or table.phase not in (Phase.BETTING, Phase.CLOSED):
        return None
    free = becomes_free(table) if desk.round is not None else table.free_hand_by is not None
    return policy.wagers_removed if free else None


def _refuse_decrease_by_one(desk: Desk, patron: str) -> Refused | None:
    """Refuse that one of the staff decreases a wager after closing if a card is known or its patron left."""
    if desk.table.phase is not Phase.CLOSED or desk.actor == patron:
        return None
    return desk.two_people() if is_card_known(desk) or not is_here(desk, patron) else None


def _reducing_clauses(desk: QueryDesk, wager: str, by: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """In time the clauses by which a wager is placed; after closing those of the differential."""
    row = differential_row(desk) if desk.table.phase is Phase.CLOSED else None
    return effect_clauses(row.effects[0]) if row else placing_clauses(desk, wager, by)


def _too_little_left(desk: QueryDesk, found: PlacedWager, amount: int) -> Refused | None:
    """A wager is decreased to the minimum at the least, or goes altogether."""
    least, left = limit_of(desk.table, found.wager).minimum, found.stake - amount
    if left == 0 or left >= least:
        return None
    clauses = (desk.document.limits.posted,) if desk.document.limits else ()
    minimum = format_amount(least, desk.house.currency)
    return refuse(Refusal.UNDER_MINIMUM, *clauses, wager=found.wager, least=minimum)


def _fineness(desk: QueryDesk, body: cmd.ReduceWager | cmd.RemoveWager) -> dict[str, str]:
    amount, unit = (format_amount(each, desk.house.currency) for each in (body.amount, desk.house.unit))
    return {"stake": amount, "wager": body.wager, "unit": unit}


def _withdraw(desk: Desk, case: Case, found: PlacedWager, amount: int) -> Refused | None:
    """Chips leave the felt while their patron is asked: they are withdrawn, as far as the offer goes."""
    refused = desk.two_people() if desk.actor != found.patron else None
    if refused:
        return refused
    if amount == found.lying:
        return withdraw_wager(desk, case, found)
    refused = refuse_part(case) or _too_little_left(desk, found, amount)
    if refused is None:
        withdraw_part(desk, case, found, amount)
    return refused


def _pull(desk: Desk, found: PlacedWager, amount: int) -> Refused | None:
    rows = [row for row in desk.document.irregularities if row.situation is Situation.LATE_WITHDRAWAL]
    if not rows or desk.table.setup.terminal or desk.table.uncalled:
        return refuse(Refusal.NO_LATE_WITHDRAWAL, desk.document.round.closing.clause)
    if found.held:  # nobody takes away what is with the staff
        return refuse_held(desk, found)
    refused = desk.two_people() if desk.actor != found.patron else None
    if refused:
        return refused
    pulled = ev.WagerPulledLate(
        id=found.id,
        patron=found.patron,
        wager=found.wager,
        amount=amount,
        clauses=late_withdrawal_clauses(desk),
    )
    desk.emit(pulled)
    return None


def late_withdrawal_clauses(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clause about chips that are taken away after closing, where there is one."""
    rows = (row for row in desk.document.irregularities if row.situation is Situation.LATE_WITHDRAWAL)
    return tuple(row.clause for row in rows if row.clause)[:1]


def ask_to_decrease(desk: Desk) -> Refused | None:
    """The Dealer asks the heavier hand to decrease; both hands may then change until the first card."""
    row = differential_row(desk)
    if not is_exceeded(desk) or row is None:
        return refuse(Refusal.NOT_AWAITED)
    clauses = effect_clauses(row.effects[0])
    desk.emit(ev.DecreaseAsked(heavier=heavier_hand(desk.table), clauses=clauses))
    return None


def remove_wager(desk: Desk, body: cmd.RemoveWager) -> Refused | None:
    """The post that the document names takes wagers off until the differential is met.

    Nobody loses chips to it while a patron who was asked to decrease can still answer, and nobody who was
    not asked about this excess does.
    """
    rules = desk.document.policies_of(RemoveWagers)
    if not rules:
        return refuse(Refusal.NOT_AWAITED)
    if not is_exceeded(desk):
        gap, limit = gap_of(desk.table), desk.table.setup.differential
        gap_text, limit_text = (format_amount(each, desk.house.currency) for each in (gap, limit))
        return refuse(Refusal.DIFFERENTIAL_IS_MET, rules[0].clause, gap=gap_text, limit=limit_text)
    by = desk.authority(Grant(rules[0].by, rules[0].clause, rules[0].or_above))
    if isinstance(by, Refused):
        return by
    lying = wagers_at(desk, body.wager, body.position)
    found = next((each for each in lying if each.patron == body.patron), None)
    if found is None:
        return refuse_no_wager(desk, desk.table.wagers, body)
    heavier = heavier_hand(desk.table)
    if found.wager != heavier.value:
        return refuse(Refusal.NOT_ON_HEAVIER_HAND, rules[0].clause, hand=f"@hand.{heavier.value}")
    answered = desk.table.decrease_answered if desk.table.decrease_asked else ()
    not_asked = () if body.patron in answered else (body.patron,)
    waiting = dict.fromkeys((*desk.table.decrease_unanswered, *not_asked))
    if waiting:
        return refuse(Refusal.PATRONS_NOT_ANSWERED, rules[0].clause, patrons=", ".join(waiting))
    if not 0 < body.amount <= found.stake:
        return refuse(Refusal.LESS_ON_THE_WAGER, stake=format_amount(found.stake, desk.house.currency))
    if body.amount % desk.house.unit:
        return refuse(Refusal.STAKE_TOO_FINE, **_fineness(desk, body))
    refused = _too_little_left(desk, found, body.amount)
    if refused:
        return refused
    desk.emit(reduced(desk, found, body.amount, by, gone=max(body.amount - found.lying, 0)))
    return None
