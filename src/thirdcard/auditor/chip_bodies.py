"""The recorded bodies about chips and cash of a live table, and about who is on duty there."""

from msgspec import Struct


class Pile(Struct, frozen=True):
    """Chips or notes of one value."""

    value: int
    number: int


class StaffCame(Struct, frozen=True, tag="staff-came"):
    """A member of staff came on duty at the table."""

    person: str


class StaffLeft(Struct, frozen=True, tag="staff-left"):
    """A member of staff left the table."""

    person: str


class ActingAppointed(Struct, frozen=True, tag="acting-appointed"):
    """A person was appointed to act in a post for a time."""

    person: str


class OpenerCounted(Struct, frozen=True, tag="opener-counted"):
    """The chips in the tray were counted before play; ``expected`` is the closer before it."""

    inventory: int
    slip: int
    count: tuple[Pile, ...]
    amount: int
    expected: int | None
    by: str
    second: str


class ChipsFilled(Struct, frozen=True, tag="chips-filled"):
    """Chips came from the cage."""

    slip: int
    count: tuple[Pile, ...]
    amount: int
    by: str
    second: str


class ChipsReturned(Struct, frozen=True, tag="chips-returned"):
    """Chips went to the cage."""

    slip: int
    count: tuple[Pile, ...]
    amount: int
    by: str
    second: str


class ChipsBought(Struct, frozen=True, tag="chips-bought"):
    """A patron bought chips for cash."""

    slip: int
    patron: str
    amount: int
    by: str
    second: str | None


class SlipVoided(Struct, frozen=True, tag="slip-voided"):
    """A slip was voided."""

    slip: int
    act: str
    amount: int
    patron: str | None
    by: str
    second: str


class CloserCounted(Struct, frozen=True, tag="closer-counted"):
    """The chips in the tray were counted after play; ``expected`` must lie there."""

    inventory: int
    slip: int
    count: tuple[Pile, ...]
    amount: int
    expected: int
    by: str
    second: str


class DropCounted(Struct, frozen=True, tag="drop-counted"):
    """The cash in a drop box was counted; ``expected`` must be in it."""

    inventory: int
    slip: int
    count: tuple[Pile, ...]
    amount: int
    expected: int
    by: str
    second: str


SlipBody = OpenerCounted | ChipsFilled | ChipsReturned | ChipsBought | CloserCounted | DropCounted
DutyBody = StaffCame | StaffLeft | ActingAppointed
