"""Reports about wagers and money, held against what lies there and what was settled."""

from collections.abc import Callable

from thirdcard.game import commands as cmd
from thirdcard.game.betting import increase_clauses, refuse_held, refuse_late
from thirdcard.game.decreasing import removal_clause
from thirdcard.game.desk import QueryDesk
from thirdcard.game.limits import gap_of, is_scaled, is_under, limit_of, settles_pro_rata
from thirdcard.game.named_wagers import refuse_no_wager
from thirdcard.game.rounds import is_settled_last
from thirdcard.game.state import Phase, PlacedWager
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
    return current.lay if current and is_settled_last(desk) else desk.table.wagers


def _wager(desk: QueryDesk, body: Report) -> PlacedWager | None:
    told = (body.patron, body.wager, body.position)
    return next(
        (each for each in wagers_concerned(desk) if (each.patron, each.wager, each.position) == told), None
    )


def contradict_late(desk: QueryDesk, body: Report) -> Refused | None:
    """A stake, or a part of one, that came or went after closing."""
    refused = None if is_settled_last(desk) else refuse_before_closing(desk, body)
    refused = refused or _refuse_before_free_hand(desk, body)
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
    return _refuse_amount(desk, body, found)


def _refuse_amount(desk: QueryDesk, body: Report, found: PlacedWager) -> Refused | None:
    """Refuse more chips than can have come or gone after closing, and a part of a chip.

    What came late may have been taken away since, but only chips that lie there can be.
    """
    most = found.stake if body.situation is Situation.LATE_WAGER else _lying(desk, found)
    raised = _raised(desk, found) if body.situation is Situation.LATE_WAGER else 0
    if most - raised < body.amount <= most:
        left = format_amount(most - raised, desk.house.currency)
        return refuse(Refusal.RAISE_WAS_ALLOWED, *increase_clauses(desk), most=left)
    if body.amount > most:
        return refuse(Refusal.LESS_ON_THE_WAGER, stake=format_amount(most, desk.house.currency))
    if body.amount % desk.house.unit:  # no chip is as small as that
        amount, unit = (format_amount(each, desk.house.currency) for each in (body.amount, desk.house.unit))
        return refuse(Refusal.STAKE_TOO_FINE, stake=amount, wager=found.wager, unit=unit)
    return None


def _raised(desk: QueryDesk, wager: PlacedWager) -> int:
    """Return what of a wager came after the closing call as a clause allows."""
    current = desk.table.round
    return min(dict(current.raised).get(wager.id, 0), wager.stake) if current else 0


def _refuse_before_free_hand(desk: QueryDesk, body: Report) -> Refused | None:
    """Refuse that chips were taken away too late which are to come off: the hand to come is a free hand."""
    clause = removal_clause(desk) if body.situation is Situation.LATE_WITHDRAWAL else None
    return refuse(Refusal.FREE_HAND_DUE, clause) if clause else None


def _refuse_taken_away(desk: QueryDesk, wager: PlacedWager) -> Refused | None:
    """Refuse that chips were taken away late which went back anyway, or are with the staff."""
    if is_settled_last(desk) and not _lying(desk, wager):
        return refuse(Refusal.NO_WAGER_CONCERNED)
    return refuse_held(desk, wager) if wager.held else None


def _lying(desk: QueryDesk, wager: PlacedWager) -> int:
    """The chips of a wager that can be taken away: of a round that was settled, those that were lost.

    The chips of any other wager go back to its patron anyway, and what the patron owes already is gone.
    """
    current = desk.table.round
    if not is_settled_last(desk):
        return wager.lying
    assert current is not None
    lost = [each for each in current.settled if each.patron == wager.patron and each.taken]
    owed = sum(each.credits for each in current.claims if each.terminal == wager.patron)
    most = sum(each.taken - each.owed for each in lost) - owed
    return max(min(most, sum(each.taken - each.owed for each in lost if each.id == wager.id)), 0)


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


def contradict_differential(desk: QueryDesk, _: Report) -> Refused | None:
    """Refuse a differential as exceeded that is met."""
    gap, limit = gap_of(desk.table), desk.table.setup.differential
    if desk.document.limits is None or gap > limit:
        return None
    said = (format_amount(each, desk.house.currency) for each in (gap, limit))
    rule = desk.document.limits.differential
    own = (rule.clause,) if rule else ()
    return refuse(Refusal.DIFFERENTIAL_IS_MET, *own, **dict(zip(("gap", "limit"), said, strict=True)))


def is_exceeded_in_the_deal(desk: QueryDesk) -> bool:
    """Whether the differential is exceeded once cards are out; capped wagers may leave nothing to scale."""
    table, limits = desk.table, desk.document.limits
    limited = limits is not None and limits.differential is not None
    if not limited or table.phase not in (Phase.DEALING, Phase.OUTCOME):
        return False
    capped = settles_pro_rata(desk.document) and not is_scaled(desk.document, desk.house, table)
    return gap_of(table) > table.setup.differential and not capped
