"""Moments of disputes."""

import datetime

from thirdcard.views.moments.moment import AnyMoment


class DisputeOpenedMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron disputes something: the ``round`` that it is about, zero for none."""

    id: int
    patron: str
    about: str
    round: int | None = None
    wager: str | None = None
    by: str | None = None


class DisputeEscalatedMoment(AnyMoment, frozen=True, kw_only=True):
    """A dispute went to the next level."""

    id: int
    by: str | None = None
    second: str | None = None


class InformationGatheredMoment(AnyMoment, frozen=True, kw_only=True):
    """A piece of information about a dispute was taken down."""

    id: int
    about: str
    person: str
    by: str
    second: str | None = None
    source: str | None = None


class SurveillanceInformedMoment(AnyMoment, frozen=True, kw_only=True):
    """Surveillance was informed of a dispute."""

    id: int
    by: str
    second: str | None = None


class TimeFrameGivenMoment(AnyMoment, frozen=True, kw_only=True):
    """The patron was told by when to expect an answer."""

    id: int
    time_frame: str
    until: datetime.datetime | None = None
    by: str | None = None


class TimeFrameNotPossibleMoment(AnyMoment, frozen=True, kw_only=True):
    """No time frame can be given to the patron, for a reason."""

    id: int
    why: str
    by: str | None = None


class DisputeDecidedMoment(AnyMoment, frozen=True, kw_only=True):
    """A dispute was decided on the sources that were considered; others were not available."""

    id: int
    decision: str
    sources: tuple[str, ...]
    award: int
    by: str | None = None
    second: str | None = None
    procedure: str | None = None


class PatronAnsweredMoment(AnyMoment, frozen=True, kw_only=True):
    """The patron agreed or disagreed with a decision; ``by`` and ``second`` of the staff entered it."""

    id: int
    agrees: bool
    by: str | None = None
    second: str | None = None


class InspectorInformedMoment(AnyMoment, frozen=True, kw_only=True):
    """The inspector was told of a dispute that stays unresolved."""

    id: int
    by: str | None = None
    second: str | None = None


class AwardPaidMoment(AnyMoment, frozen=True, kw_only=True):
    """An award was paid: to the patron's credits, or handed to a ``person``, and ``how``."""

    id: int
    patron: str
    amount: int
    way: str
    person: str | None = None
    how: str | None = None
    by: str | None = None
    second: str | None = None
    procedure: str | None = None


class AwardSetOffMoment(AnyMoment, frozen=True, kw_only=True):
    """An award that nobody had paid lapsed, as far as the round gives the patron more after all."""

    id: int
    patron: str
    amount: int
    procedure: str | None = None


class ReceiptConfirmedMoment(AnyMoment, frozen=True, kw_only=True):
    """The patron confirmed having received an award, which is no consent to the decision."""

    id: int
    patron: str
    by: str | None = None
    second: str | None = None


class ComplaintRightToldMoment(AnyMoment, frozen=True, kw_only=True):
    """The patron was told of the right to complain, and until when, where there is a term."""

    id: int
    until: datetime.datetime | None = None
    by: str | None = None


class ComplaintFiledMoment(AnyMoment, frozen=True, kw_only=True):
    """A formal complaint was filed, with a ``helper``."""

    id: int
    text: str
    helper: str | None = None
    by: str | None = None


class ComplaintReceivedMoment(AnyMoment, frozen=True, kw_only=True):
    """A formal complaint was received by the post that answers it."""

    id: int
    by: str | None = None
    second: str | None = None


class ComplaintAnsweredMoment(AnyMoment, frozen=True, kw_only=True):
    """A formal complaint was answered, perhaps with money for the patron."""

    id: int
    answer: str
    award: int
    by: str | None = None
    second: str | None = None
    procedure: str | None = None


class DisputeClosedMoment(AnyMoment, frozen=True, kw_only=True):
    """A dispute was closed."""

    id: int


DisputeMoment = (
    DisputeOpenedMoment
    | DisputeEscalatedMoment
    | InformationGatheredMoment
    | SurveillanceInformedMoment
    | TimeFrameGivenMoment
    | TimeFrameNotPossibleMoment
    | DisputeDecidedMoment
    | PatronAnsweredMoment
    | InspectorInformedMoment
    | AwardPaidMoment
    | AwardSetOffMoment
    | ReceiptConfirmedMoment
    | ComplaintRightToldMoment
    | ComplaintFiledMoment
    | ComplaintReceivedMoment
    | ComplaintAnsweredMoment
    | DisputeClosedMoment
)
