"""How far a dispute is, and what belongs to it."""

import enum

from msgspec import Struct


class DisputeStep(enum.Enum):
    """How far a dispute is."""

    OPEN = "open"
    ESCALATED = "escalated"
    DECIDED = "decided"
    CLOSED = "closed"


class Dispute(Struct, frozen=True):
    """A dispute with everything that must be there before it can be closed."""

    id: int
    patron: str
    about: str
    step: DisputeStep = DisputeStep.OPEN
    surveillance: bool = False
    time_frame: str | None = None
    sources: tuple[str, ...] = ()
    decision: str | None = None
    agrees: bool | None = None
    right_told: bool = False
    complaint: str | None = None
