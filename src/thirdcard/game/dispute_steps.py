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


# the source of a piece of information by which the patron names who is to receive the award
PAYEE = "payee"


def plain_name(name: str) -> str:
    """Return a name by which the same person is known, however it is spaced or capitalised."""
    return " ".join(name.casefold().split())


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
    """A formal complaint: who helped to file it, who has received it, and the answer.

    ``filed_by`` is who of the staff filed it for the patron.
    """

    text: str
    helper: str
    late: bool = False
    received_by: str | None = None
    answer: str | None = None
    answered_by: str | None = None
    filed_by: str | None = None
    answered_second: str | None = None


class Dispute(Struct, frozen=True):
    """A dispute with everything that must be there before it can be closed.

    ``round`` is the round that it is about, zero for none; of older records it is not known. ``opened_by`` is
    who opened it, the patron or staff. ``earlier_decision`` did not settle it at the first level.
    ``answer_entered_by`` are those of the staff who entered the answer; there are none if the patron gave it.
    ``given`` is what the round had given the patron when money was awarded, nothing if it was not settled
    yet; ``set_off`` is the unpaid part that a later settlement gives instead, ``taken_back`` the paid one.
    ``time_frame`` is a term in words, of older records; ``answer_by`` is the instant. Those who told
    surveillance, the inspector, or the patron of the right to complain are named as far as records say so.
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
    answer_entered_by: tuple[str, ...] = ()
    answer_by: datetime.datetime | None = None
    surveillance_by: tuple[str, ...] = ()
    inspector_by: tuple[str, ...] = ()
    right_told_by: tuple[str, ...] = ()
    given: int | None = None
    set_off: int = 0
    taken_back: int = 0

    @property
    def is_informed(self) -> bool:
        """Whether anything is known about the dispute; whom the patron names to receive the award is not."""
        return any(each.source != PAYEE for each in self.information)

    @property
    def payees(self) -> tuple[str, ...]:
        """Those whom the patron has named to receive the award."""
        pieces = (each for each in self.information if each.source == PAYEE)
        return tuple(each.what for each in pieces if each.given_by == self.patron)

    @property
    def has_time_frame(self) -> bool:
        """Whether the patron knows by when to expect an answer, or why that cannot be said."""
        return (self.time_frame, self.answer_by, self.no_time_frame) != (None, None, None)

    @property
    def is_answered_by_patron(self) -> bool:
        """Whether the patron has answered the decision in person."""
        return self.agrees is not None and not self.answer_entered_by

    @property
    def is_unanswered(self) -> bool:
        """Whether there is a decision that nobody has answered."""
        return self.decision is not None and self.agrees is None

    @property
    def is_refused(self) -> bool:
        """Whether the patron does not accept what the first level decided: it must be escalated."""
        return not self.escalated and self.agrees is False

    @property
    def settled_by(self) -> frozenset[str]:
        """Return who decided the dispute, answered its complaint or paid its award."""
        complaint = self.complaint
        found = [self.decided_by, self.decided_second]
        found += [complaint.answered_by, complaint.answered_second] if complaint else []
        found += [person for each in self.payments for person in (each.by, each.second)]
        return frozenset(each for each in found if each is not None)

    @property
    def paid(self) -> int:
        """The part of the award that was paid."""
        return sum(each.amount for each in self.payments)

    @property
    def kept(self) -> int:
        """The part of the award that was paid, and that no settlement has taken back since."""
        return self.paid - self.taken_back

    @property
    def unpaid(self) -> int:
        """The part of the award that nobody has paid yet."""
        return self.award - self.paid

    @property
    def unconfirmed(self) -> int:
        """The part of the award that was paid and that the patron has not confirmed."""
        return sum(each.amount for each in self.payments if not each.received)


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
