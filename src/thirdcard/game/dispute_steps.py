"""How far a dispute is, what belongs to it, and what is left to do."""

import datetime
import enum

from msgspec import Struct


class DisputeStep(enum.Enum):
    """How far a dispute is."""

    OPEN = "open"
    ESCALATED = "escalated"
    DECIDED = "decided"
    CLOSED = "closed"


class AwardWay(enum.Enum):
    """How an award is paid: to the credits of the patron's terminal, or handed to somebody."""

    CREDITS = "credits"
    PAYOUT = "payout"


class Information(Struct, frozen=True):
    """A piece of information about a dispute: its content, who gave it, who took it, and its source."""

    what: str
    given_by: str
    by: str
    source: str | None = None


class UnavailableSource(Struct, frozen=True, forbid_unknown_fields=True):
    """A source that a decision could not consider, and the reason."""

    source: str
    why: str


class AwardPayment(Struct, frozen=True):
    """Money of an award that was paid: who paid it, to whom and how, and whether the patron has it."""

    amount: int
    way: AwardWay
    to: str
    how: str
    by: str
    second: str | None = None
    received: bool = False


class Complaint(Struct, frozen=True):
    """A formal complaint: who helped to file it, who has received it, and the answer."""

    text: str
    helper: str
    late: bool = False
    received_by: str | None = None
    answer: str | None = None
    answered_by: str | None = None


class Dispute(Struct, frozen=True):
    """A dispute with everything that must be there before it can be closed.

    ``round`` is the round that it is about, zero for none; of older records it is not known. ``opened_by`` is
    who opened it, the patron or staff. ``earlier_decision`` did not settle it at the first level.
    """

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
    round: int | None = None
    shoe: int | None = None
    wager: str | None = None
    opened_by: str | None = None
    escalated: bool = False
    escalated_by: str | None = None
    information: tuple[Information, ...] = ()
    no_time_frame: str | None = None
    earlier_decision: str | None = None
    unavailable: tuple[UnavailableSource, ...] = ()
    decided_by: str | None = None
    decided_second: str | None = None
    inspector: bool = False
    complain_until: datetime.datetime | None = None
    award: int = 0
    payments: tuple[AwardPayment, ...] = ()
    complaint: Complaint | None = None

    @property
    def unpaid(self) -> int:
        """The part of the award that nobody has paid yet."""
        return self.award - sum(each.amount for each in self.payments)


class DisputeDuty(enum.Enum):
    """Something that is left to do about a dispute."""

    RESOLVE = "resolve"  # at the first level: decide, or escalate
    ESCALATE = "escalate"
    GATHER = "gather"
    SURVEILLANCE = "surveillance"
    TIME_FRAME = "time-frame"  # whenever possible; it holds nothing up
    DECIDE = "decide"
    ANSWER = "answer"
    INSPECTOR = "inspector"
    TELL_RIGHT = "tell-right"
    CLOSE = "close"
    PAY = "pay"
    RECEIPT = "receipt"
    RECEIVE_COMPLAINT = "receive-complaint"
    ANSWER_COMPLAINT = "answer-complaint"
