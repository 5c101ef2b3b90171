"""The parts of disputes that the recount reads: only the fields that it needs."""

from typing import Literal

from msgspec import Struct


class DisputeOpened(Struct, frozen=True, tag="dispute-opened"):
    """A patron disputes something."""

    id: int
    patron: str
    by: str | None = None
    round: int | None = None


class DisputeEscalated(Struct, frozen=True, tag="dispute-escalated"):
    """A dispute was escalated; what was awarded and not paid has lapsed."""

    id: int
    lapsed: int = 0


class SurveillanceInformed(Struct, frozen=True, tag="surveillance-informed"):
    """Surveillance was informed of a dispute."""

    id: int


class InformationGathered(Struct, frozen=True, tag="information-gathered"):
    """A piece of information was taken down, perhaps for a source."""

    id: int
    given_by: str
    source: str | None = None
    what: str = ""


class LackingSource(Struct, frozen=True):
    """A source that was not available, and the reason."""

    source: str
    why: str


class DisputeDecided(Struct, frozen=True, tag="dispute-decided"):
    """A dispute was decided, perhaps with money for the patron."""

    id: int
    award: int
    by: str
    sources: tuple[str, ...]
    second: str | None = None
    unavailable: tuple[LackingSource, ...] = ()
    counted: int = 0


class ComplaintAnswered(Struct, frozen=True, tag="complaint-answered"):
    """A complaint was answered, perhaps with money for the patron; an award not paid has lapsed."""

    id: int
    award: int
    by: str
    second: str | None = None
    lapsed: int = 0
    counted: int = 0


class AwardPaid(Struct, frozen=True, tag="award-paid"):
    """An award was paid, to the patron's credits or by hand."""

    id: int
    patron: str
    amount: int
    way: Literal["credits", "payout"]
    to: str
    by: str
    second: str | None


class AwardSetOff(Struct, frozen=True, tag="award-set-off"):
    """An award that was not paid lapses as far as its round gives the patron more."""

    id: int
    patron: str
    amount: int


class PatronAnswered(Struct, frozen=True, tag="patron-answered"):
    """A patron answered a decision, or staff entered it."""

    id: int
    agrees: bool
    by: str | None = None
    second: str | None = None


class ReceiptConfirmed(Struct, frozen=True, tag="receipt-confirmed"):
    """A patron confirmed an award, or staff entered it."""

    id: int
    by: str | None = None
    second: str | None = None


class DisputeClosed(Struct, frozen=True, tag="dispute-closed"):
    """A dispute was closed."""

    id: int
