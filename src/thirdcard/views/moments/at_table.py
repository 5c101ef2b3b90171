"""Moments of a table between rounds: its opening, people, credits, shoe and squeezing."""

import datetime

from thirdcard.game.planned import Stop, TableChange
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import Method
from thirdcard.staff import Post
from thirdcard.views.moments.moment import AnyMoment


class TableSetUpMoment(AnyMoment, frozen=True, kw_only=True):
    """A table was set up."""

    method: Method | None = None
    owners_per_area: int | None = None


class EquipmentTickedMoment(AnyMoment, frozen=True, kw_only=True):
    """An item of the opening check list was ticked, or marked as not needed."""

    item: str
    needed: bool


class ApprovalConfirmedMoment(AnyMoment, frozen=True, kw_only=True):
    """The regulator's confirmation was recorded, because the approval of the document names another game."""

    reference: str
    date: datetime.date
    by: str
    second: str


class TableOpenedMoment(AnyMoment, frozen=True, kw_only=True):
    """The table was opened."""


class TablePausedMoment(AnyMoment, frozen=True, kw_only=True):
    """The table was paused."""

    reason: str | None = None


class TableResumedMoment(AnyMoment, frozen=True, kw_only=True):
    """The table goes on."""


class TableClosedMoment(AnyMoment, frozen=True, kw_only=True):
    """The table was closed."""

    reason: str | None = None


class StopPlannedMoment(AnyMoment, frozen=True, kw_only=True):
    """The table is to be paused or closed once the round under way is over."""

    stop: Stop
    reason: str | None = None
    by: str | None = None


class StopCancelledMoment(AnyMoment, frozen=True, kw_only=True):
    """The table plays on after the round after all."""

    by: str | None = None


class ChangePlannedMoment(AnyMoment, frozen=True, kw_only=True):
    """The table is to have other limits from its next round on, and its next shoe other decks."""

    change: TableChange


class TableChangedMoment(AnyMoment, frozen=True, kw_only=True):
    """The table has other limits or decks."""

    change: TableChange


class StaffCameMoment(AnyMoment, frozen=True, kw_only=True):
    """A member of staff came on duty at the table."""

    person: str
    post: Post


class StaffLeftMoment(AnyMoment, frozen=True, kw_only=True):
    """A member of staff left the table."""

    person: str


class ActingAppointedMoment(AnyMoment, frozen=True, kw_only=True):
    """A person was appointed to act in a post for a time."""

    person: str
    post: Post
    start: datetime.datetime
    end: datetime.datetime


class PatronCameMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron came to the table, seated or standing."""

    patron: str | None = None
    position: int | None = None
    seated: bool


class PatronLeftMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron left the table."""

    patron: str


class CreditsBoughtMoment(AnyMoment, frozen=True, kw_only=True):
    """Credits were bought at a terminal."""

    terminal: str
    amount: int
    procedure: str


class CreditsCashedOutMoment(AnyMoment, frozen=True, kw_only=True):
    """Credits were cashed out at a terminal."""

    terminal: str
    amount: int
    procedure: str


class CreditsAskedMoment(AnyMoment, frozen=True, kw_only=True):
    """Staff are to sell credits or to cash them out, once the patron confirms it at the terminal."""

    id: int
    act: MoneyAct
    terminal: str
    amount: int
    by: str | None = None


class CreditsDeclinedMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron does not confirm what staff were to sell or to cash out."""

    id: int
    terminal: str


class MethodChangedMoment(AnyMoment, frozen=True, kw_only=True):
    """The method of dealing was changed."""

    method: Method
    by: str | None = None


class OwnersLimitedMoment(AnyMoment, frozen=True, kw_only=True):
    """Fewer patrons may share a playing area."""

    most: int
    by: str | None = None


class ShoeLoadedMoment(AnyMoment, frozen=True, kw_only=True):
    """Cards were loaded into the dealing device."""

    number: int
    decks: int
    seal: str | None = None


class CardsCountedMoment(AnyMoment, frozen=True, kw_only=True):
    """The cards of a shoe were counted at its end; ``number`` is how many there should be."""

    count: int
    number: int
    by: str


class CardsCutMoment(AnyMoment, frozen=True, kw_only=True):
    """The cards were cut."""

    depth: int
    by: str | None = None


class CardsBurnedMoment(AnyMoment, frozen=True, kw_only=True):
    """So many cards were burned."""

    count: int


class LastHandAnnouncedMoment(AnyMoment, frozen=True, kw_only=True):
    """The next hand was announced as the last of the shoe."""


class DeviceTakenMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron took control of the dealing device."""

    patron: str | None = None


class DeviceReleasedMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron no longer controls the dealing device."""

    patron: str | None = None


class DrawingPermittedMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron may draw cards without a wager."""

    patron: str
    by: str | None = None


class SqueezePermittedMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron, or somebody a patron named, may squeeze."""

    person: str
    by: str | None = None


class SqueezeForbiddenMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron, or everybody, may not squeeze in this round."""

    patron: str | None = None
    by: str | None = None


class SqueezeRequestedMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron asked to squeeze and may."""

    patron: str


TableMoment = (
    TableSetUpMoment
    | EquipmentTickedMoment
    | ApprovalConfirmedMoment
    | TableOpenedMoment
    | TablePausedMoment
    | TableResumedMoment
    | TableClosedMoment
    | StopPlannedMoment
    | StopCancelledMoment
    | ChangePlannedMoment
    | TableChangedMoment
    | StaffCameMoment
    | StaffLeftMoment
    | ActingAppointedMoment
    | PatronCameMoment
    | PatronLeftMoment
    | CreditsBoughtMoment
    | CreditsCashedOutMoment
    | CreditsAskedMoment
    | CreditsDeclinedMoment
    | MethodChangedMoment
    | OwnersLimitedMoment
    | ShoeLoadedMoment
    | CardsCountedMoment
    | CardsCutMoment
    | CardsBurnedMoment
    | LastHandAnnouncedMoment
    | DeviceTakenMoment
    | DeviceReleasedMoment
    | DrawingPermittedMoment
    | SqueezePermittedMoment
    | SqueezeForbiddenMoment
    | SqueezeRequestedMoment
)
