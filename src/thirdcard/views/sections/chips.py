"""The chips and the cash of a live table as staff see them."""

from msgspec import Struct

from thirdcard.folds.slips import OverdueBox, Slip
from thirdcard.rulebook.house import MoneyAct
from thirdcard.staff import Post


class InventoryShown(Struct, frozen=True, kw_only=True):
    """An inventory in sums: it is open while it has no ``closer``.

    ``tray`` is what must lie in the tray, ``by_wagers`` what wagers and payments brought to it. The win by
    count and its ``difference`` to that are known with the closer; until the ``drop`` is counted, by the cash
    that patrons bought chips for.
    """

    number: int
    opener: int
    fills: int
    returns: int
    cash: int
    tray: int
    by_wagers: int
    closer: int | None
    drop: int | None
    win: int | None
    difference: int | None


class ChipControl(Struct, frozen=True):
    """The post that one of two people must have for an act, and the one from a large amount on."""

    act: MoneyAct
    post: Post
    large: int | None
    large_post: Post | None


class BoxShown(Struct, frozen=True):
    """The drop box of an inventory that is closed, whose cash is still to be counted."""

    inventory: int
    cash: int


class ChipsSection(Struct, frozen=True, kw_only=True):
    """The chips and the cash of a live table; nothing where none are counted.

    ``asks_opener`` says that no inventory is open; newest inventories and slips come first. Of the boxes, and
    of the inventory that is open, those in ``overdue`` were not counted by the end of their gaming day.
    """

    values: tuple[int, ...] = ()
    notes: tuple[int, ...] = ()
    asks_opener: bool = False
    controls: tuple[ChipControl, ...] = ()
    inventories: tuple[InventoryShown, ...] = ()
    slips: tuple[Slip, ...] = ()
    boxes: tuple[BoxShown, ...] = ()
    overdue: tuple[OverdueBox, ...] = ()
