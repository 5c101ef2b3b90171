"""Reports about wagers and money, held against what lies there and what was settled."""

from collections.abc import Callable

from thirdcard.game import commands as cmd
from thirdcard.game.attendance import is_here
from thirdcard.game.betting import refuse_held, refuse_late
from thirdcard.game.desk import QueryDesk
from thirdcard.game.limits import gap_of, is_under, limit_of
from thirdcard.game.named_wagers import refuse_no_wager
from thirdcard.game.rounds import can_be_put_right
from thirdcard.game.state import Case, Phase, PlacedWager, SettledWager
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation

Report = cmd.ReportIrregularity


def refuse_now(desk: QueryDesk) -> Refused:
    """Refuse what cannot be in this phase."""
    return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{desk.table.phase.value}")


def refuse_before_closing(desk: QueryDesk, _: Report) -> Refused | None:
    """Refuse what can only be so after the closing call."""
    return None if desk.table.phase in (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME) else refuse_now(desk)


def wagers_concerned(desk: QueryDesk) -> tuple[PlacedWager, ...]:
    """The wagers that lie there, or lay there in a round that can still be put right."""
    current = desk.table.round
    return current.lay if current and can_be_put_right(desk) else desk.table.wagers


def _wager(desk: QueryDesk, body: Report) -> PlacedWager | None:
    told = (body.patron, body.wager, body.position)
    return next(
        (each for each in wagers_concerned(desk) if (each.patron, each.wager, each.position) == told), None
    )


def contradict_late(desk: QueryDesk, body: Report) -> Refused | None:
    """A stake, or a part of one, that came or went after closing."""
    settled = can_be_put_right(desk)
    refused = None if settled else refuse_before_closing(desk, body)
    if refused:
        return refused
    if desk.table.setup.terminal:  # a terminal takes and gives nothing after closing
        stays = refuse(Refusal.NO_LATE_WITHDRAWAL, desk.document.round.closing.clause)
        return refuse_late(desk) if body.situation is Situation.LATE_WAGER else stays
    if body.patron is None:
        return None
    if not any(each.patron == body.patron for each in wagers_concerned(desk)):
        return refuse(Refusal.HAS_NO_WAGER, patron=body.patron)
    if body.wager is None:
        return None
    found = _wager(desk, body)
    if found is None:
        return refuse_no_wager(desk, wagers_concerned(desk), body)
    refused = _refuse_taken_away(desk, found) if body.situation is Situation.LATE_WITHDRAWAL else None
    if refused:
        return refused
    # what came late may have been taken away since, but only chips that lie there can be
    most = found.stake if body.situation is Situation.LATE_WAGER else found.lying
    if body.amount > most:
        return refuse(Refusal.LESS_ON_THE_WAGER, stake=format_amount(most, desk.house.currency))
    if body.amount % desk.house.unit:  # no chip is as small as that
        amount, unit = (format_amount(each, desk.house.currency) for each in (body.amount, desk.house.unit))
        return refuse(Refusal.STAKE_TOO_FINE, stake=amount, wager=body.wager, unit=unit)
    return None


def _refuse_taken_away(desk: QueryDesk, wager: PlacedWager) -> Refused | None:
    """Refuse that chips were taken away late which went back anyway, or are with the staff."""
    if can_be_put_right(desk) and not _was_lost(desk, wager):
        return refuse(Refusal.NO_WAGER_CONCERNED)
    return refuse_held(desk, wager) if wager.held else None


def _was_lost(desk: QueryDesk, wager: PlacedWager) -> bool:
    """Whether a wager was settled as lost: the chips of any other one go back to its patron anyway."""
    current = desk.table.round
    assert current is not None
    return any(each.id == wager.id and each.taken for each in current.settled)


def contradict_payment(desk: QueryDesk, body: Report) -> Refused | None:
    """A wrong payment is one to a patron whose wager was settled in the round that it is about."""
    current = desk.table.round
    if current is None:
        return refuse_now(desk)
    paid = {each.patron for each in _last_settled(desk)}
    if body.patron is not None and body.patron not in paid:
        return refuse(Refusal.NOTHING_WAS_SETTLED, patron=body.patron)
    refused = None if body.underpaid else refuse_settled(desk, body.patron, body.amount)
    if refused:
        return refused
    due = sum(each.paid + each.back for each in _last_settled(desk) if each.patron == body.patron)
    most = min(due + _standing(desk, body, too_little=True), _most_lacking(desk, body, due))
    return _at_most(desk, body, most) if body.underpaid and body.amount else None


def refuse_settled(desk: QueryDesk, patron: str | None, amount: int) -> Refused | None:
    """Refuse to claim back what was paid or collected outside the limits, where a clause calls it settled."""
    old = (each for each in desk.document.irregularities if each.situation is Situation.OLD_LIMIT_MISTAKE)
    settled = {each.clause for each in old if each.clause}
    for each in desk.table.mistakes:
        if each.by in settled and each.patron == patron and 0 < amount <= each.amount:
            return refuse(Refusal.EARLIER_ROUNDS_STAND, each.by)
    return None


def refuse_unpaid(desk: QueryDesk, case: Case, patron: str, amount: int) -> Refused | None:
    """Refuse to claim more from a patron than was paid, where the table knows all that can have been."""
    mistaken = case.situation is Situation.WRONG_PAYMENT
    if not (mistaken or _knows_all_payments(desk, patron)):
        return None
    table, current = desk.table, desk.table.round
    lines = (*(current.settled if current else ()), *table.last_settled)
    given = sum(each.paid + each.back for each in lines if each.patron == patron and not each.held)
    others = (*table.mistakes, *table.payments)
    told = case.amount if mistaken and case.patron == patron else 0
    most = given + max(told, 0) + sum(max(each.amount, 0) for each in others if each.patron == patron)
    if amount <= most:
        return None
    return refuse(Refusal.MORE_THAN_WAS_PAID, patron=patron, most=format_amount(most, desk.house.currency))


def _knows_all_payments(desk: QueryDesk, patron: str) -> bool:
    """Whether nothing of a patron was settled before the last two rounds, whose payments are known."""
    table, current = desk.table, desk.table.round
    older = range(1, current.number - 1 if current else table.rounds + 1)
    known = {each.number: each.patrons for each in table.earlier}
    return all(number in known and patron not in known[number] for number in older)


def _most_lacking(desk: QueryDesk, body: Report, due: int) -> int:
    """What a terminal can have been paid too little: nobody plays or cashes out credits that never came.

    Where it is put right at once, the terminal has as many as before.
    """
    at_once = desk.table.phase is Phase.IDLE and is_here(desk, body.patron or "")
    return due if at_once or not desk.table.setup.terminal else desk.table.credits_of(body.patron or "")


def _standing(desk: QueryDesk, body: Report, *, too_little: bool) -> int:
    """What was paid to a patron by mistake in the round in question, and stands; too little is negative."""
    number = desk.table.settled_round
    found = (
        each.amount for each in desk.table.mistakes if (each.round, each.patron) == (number, body.patron)
    )
    return sum(each for each in found if (each < 0) is too_little)


def contradict_under_minimum(desk: QueryDesk, body: Report) -> Refused | None:
    """Refuse a wager under the minimum that nobody has."""
    return _outside(desk, body, lambda each: is_under(desk.table, each))


def contradict_over_maximum(desk: QueryDesk, body: Report) -> Refused | None:
    """Refuse a wager over the maximum that nobody has."""
    return _outside(desk, body, lambda each: each.stake > limit_of(desk.table, each.wager).maximum)


def _outside(desk: QueryDesk, body: Report, breaks: Callable[[PlacedWager], bool]) -> Refused | None:
    own = [each for each in desk.table.wagers if body.patron in (None, each.patron)]
    if any(breaks(each) for each in own):
        return None
    return refuse(Refusal.NO_WAGER_CONCERNED)


def _last_settled(desk: QueryDesk) -> tuple[SettledWager, ...]:
    """The wagers of the last round that was settled, except those of which nothing was handed over yet."""
    current = desk.table.round
    lines = current.settled if current is not None and current.ended else desk.table.last_settled
    return tuple(each for each in lines if not each.held)


def _at_most(desk: QueryDesk, body: Report, most: int) -> Refused | None:
    """Refuse an amount that is more than can be wrong."""
    if body.amount <= most:
        return None
    return refuse(Refusal.MORE_THAN_CAN_BE_WRONG, most=format_amount(most, desk.house.currency))


def contradict_old_mistake(desk: QueryDesk, body: Report) -> Refused | None:
    """A limit was disregarded in an earlier round: only what was not in action can be paid or collected."""
    earlier = desk.table.rounds - (1 if desk.round is not None else 0)
    if not earlier:
        return refuse_now(desk)
    if not body.amount:
        return None
    own = [each for each in _last_settled(desk) if each.patron == body.patron]
    outside = [each for each in own if each.stake != each.in_action]
    if not outside:
        return refuse(Refusal.NO_WAGER_CONCERNED)
    most = sum(_most_paid(desk, each.wager, each.stake - each.in_action) for each in outside)
    return _at_most(desk, body, max(most - _standing(desk, body, too_little=False), 0))


def _most_paid(desk: QueryDesk, wager: str, amount: int) -> int:
    """What an amount on a wager is paid at the highest odds that it has, and at least the amount."""
    rows = desk.rulebook.wagers[wager].rows
    return max(amount, *(-(-amount * row.odds.gain // row.odds.stake) for row in rows if row.odds))


def contradict_differential(desk: QueryDesk, _: Report) -> Refused | None:
    """Refuse a differential as exceeded that is met."""
    gap, limit = gap_of(desk.table), desk.table.setup.differential
    if desk.document.limits is None or gap > limit:
        return None
    said = (format_amount(each, desk.house.currency) for each in (gap, limit))
    rule = desk.document.limits.differential
    own = (rule.clause,) if rule else ()
    return refuse(Refusal.DIFFERENTIAL_IS_MET, *own, **dict(zip(("gap", "limit"), said, strict=True)))
