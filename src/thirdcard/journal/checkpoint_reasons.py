"""After which events of a table a checkpoint is due: the end of a shift, a shoe or a round."""

from collections.abc import Iterable

from thirdcard.game.events import (
    Event,
    RoundEnded,
    RoundVoided,
    ShoeEnded,
    ShoeLoaded,
    ShoeOpened,
    StaffLeft,
    TableClosed,
)

CHECKPOINT_REASONS = ("shift-end", "shoe-end", "round-end")  # the first that holds is named
CHECKPOINT_EVENTS: dict[type[Event], str] = {
    TableClosed: "shift-end",
    StaffLeft: "shift-end",
    ShoeEnded: "shoe-end",
    ShoeOpened: "shoe-end",
    ShoeLoaded: "shoe-end",
    RoundEnded: "round-end",
    RoundVoided: "round-end",
}


def due_checkpoint(events: Iterable[Event]) -> str | None:
    """Return which of a shift, a shoe and a round has ended, or nothing."""
    ends = [CHECKPOINT_EVENTS[type(event)] for event in events if type(event) in CHECKPOINT_EVENTS]
    return min(ends, key=CHECKPOINT_REASONS.index) if ends else None
