"""The disputes that a view has room for: those that are not over first, so that no view grows without end."""

from collections.abc import Callable

from thirdcard.game.dispute_steps import Dispute

SHOWN_OPEN = 30
SHOWN_OVER = 10


def page_of(disputes: tuple[Dispute, ...], is_over: Callable[[Dispute], bool]) -> tuple[Dispute, ...]:
    """Return the oldest disputes that are not over and the newest that are, in the order of their numbers."""
    if len(disputes) <= SHOWN_OVER:
        return disputes
    over = [each for each in disputes if is_over(each)]
    ids = {each.id for each in over}
    left = [each for each in disputes if each.id not in ids]
    return tuple(sorted((*left[:SHOWN_OPEN], *over[-SHOWN_OVER:]), key=lambda each: each.id))
