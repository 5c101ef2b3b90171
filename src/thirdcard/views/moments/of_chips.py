"""Moments of the chips and the cash of a live table, all of them for staff."""

from thirdcard.rulebook.house import MoneyAct
from thirdcard.views.moments.moment import AnyMoment


class OpenerCountedMoment(AnyMoment, frozen=True, kw_only=True):
    """The chips in the tray were counted before play."""

    inventory: int
    slip: int
    amount: int
    expected: int | None
    by: str
    second: str


class ChipsFilledMoment(AnyMoment, frozen=True, kw_only=True):
    """Chips came from the cage to the table."""

    slip: int
    amount: int
    by: str
    second: str


class ChipsReturnedMoment(AnyMoment, frozen=True, kw_only=True):
    """Chips went from the table to the cage."""

    slip: int
    amount: int
    by: str
    second: str


class ChipsBoughtMoment(AnyMoment, frozen=True, kw_only=True):
    """A patron bought chips at the table for cash."""

    slip: int
    patron: str
    amount: int
    by: str
    second: str | None


class SlipVoidedMoment(AnyMoment, frozen=True, kw_only=True):
    """A slip was voided."""

    slip: int
    act: MoneyAct
    amount: int
    reason: str
    by: str
    second: str


class CloserCountedMoment(AnyMoment, frozen=True, kw_only=True):
    """The chips in the tray were counted after play."""

    inventory: int
    slip: int
    amount: int
    expected: int
    by: str
    second: str


class DropCountedMoment(AnyMoment, frozen=True, kw_only=True):
    """The cash in the drop box of an inventory was counted."""

    inventory: int
    slip: int
    amount: int
    expected: int
    by: str
    second: str


ChipsMoment = (
    OpenerCountedMoment
    | ChipsFilledMoment
    | ChipsReturnedMoment
    | ChipsBoughtMoment
    | SlipVoidedMoment
    | CloserCountedMoment
    | DropCountedMoment
)
