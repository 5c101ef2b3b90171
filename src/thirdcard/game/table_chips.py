"""Chips and cash of a live table: counts, slips, the open inventory, and boxes that are to be counted."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from thirdcard.rulebook.house import MoneyAct


class Pieces(Struct, frozen=True, forbid_unknown_fields=True):
    """Chips, or notes, of one value in minor units, and how many there are."""

    value: Annotated[int, Meta(ge=1)]
    number: Annotated[int, Meta(ge=1)]


def sum_of(count: Iterable[Pieces]) -> int:
    """The exact sum of what was counted."""
    return sum(each.value * each.number for each in count)


class ChipSlip(Struct, frozen=True):
    """A slip of the open inventory by which chips or cash moved; ``patron`` bought chips with the cash."""

    number: int
    act: MoneyAct
    amount: int
    patron: str | None = None


class Inventory(Struct, frozen=True):
    """The chips of a table from its opener to its closer, and the cash in its drop box.

    ``tray`` is what must lie in the tray by all slips, wagers and payments since the opener. ``people`` were
    on duty at the table in that time.
    """

    number: int
    tray: int
    cash: int = 0
    people: tuple[str, ...] = ()
    slips: tuple[ChipSlip, ...] = ()


class DropBox(Struct, frozen=True):
    """The drop box of an inventory that is closed, until its cash is counted by other ``people``."""

    inventory: int
    cash: int
    people: tuple[str, ...]


class TableChips(Struct, frozen=True):
    """The inventories and slips of a table so far: the open one, the last closer, and boxes to be counted."""

    inventories: int = 0
    slips: int = 0
    open: Inventory | None = None
    last_closer: int | None = None
    boxes: tuple[DropBox, ...] = ()
