"""Chips that leave a wager, in whichever way: the one place that says where they go."""

from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.state import PlacedWager


def reduced(  # noqa: PLR0913 - what leaves a wager, and why
    desk: Desk,
    wager: PlacedWager,
    amount: int,
    clauses: tuple[Clause, ...],
    *,
    gone: int = 0,
    case: int | None = None,
    order: int | None = None,
    mistaken: bool = False,
    reason: str = "",
) -> ev.WagerReduced:
    """Return the event by which an amount leaves a wager; chips that are held stay with the staff."""
    return ev.WagerReduced(
        id=wager.id,
        patron=wager.patron,
        wager=wager.wager,
        amount=amount,
        by=desk.actor,
        second=desk.envelope.authoriser if mistaken or case is not None else None,
        case=case,
        gone=gone,
        order=order,
        held=wager.held,
        mistaken=mistaken,
        reason=reason,
        clauses=clauses,
    )
