"""Whether a later version of a table's rulebook takes over with its next round."""

import datetime

import pytest
from msgspec.structs import replace
from story import told

from thirdcard.game.set_up import takes_over
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.procedure import EquipmentItem
from thirdcard.rulebook.shelf import SHIPPED, Shelf

OLD = SHIPPED.document("mbs-tiger-v3")
REGULATOR = OLD.regulator
assert REGULATOR is not None
DAY = datetime.timedelta(days=1)
LATER = replace(OLD, in_force=OLD.in_force + DAY)
HEAD = "patrons Ann at 1\n"
OPENS = "Dealer: opens betting\n"
DEALT = f"{OPENS}Ann: 100 on player\nDealer: closes betting\nDealer: draws "


def book_of(document: Document) -> Rulebook:
    return Shelf([document]).rulebook(document.id, document.in_force)


def takes(document: Document, lines: str = "", before: Document = OLD) -> bool:
    """Whether a version takes over a table at which these lines were played."""
    house = SHIPPED.house(OLD.house)
    table = told("mbs-tiger-v3", HEAD + lines, book_of(before)).table
    assert table is not None
    return takes_over(book_of(document), book_of(before), house, table, LATER.in_force)


@pytest.mark.parametrize("lines", ["", f"{DEALT}9 2 K 5\n"], ids=["before the first round", "after a round"])
def test_a_later_version_takes_over_between_rounds(lines: str) -> None:
    assert takes(LATER, lines)


@pytest.mark.parametrize(
    "lines",
    [
        OPENS,
        f"{DEALT}9 2\n",
        f"{DEALT}9 2 K 5\nDealer: reports not-covered because a cup of tea was spilled\n",
    ],
    ids=["betting is open", "cards lie", "a case is open"],
)
def test_it_waits_while_anything_is_under_way(lines: str) -> None:
    assert not takes(LATER, lines)


@pytest.mark.parametrize(
    "other",
    [
        replace(LATER, in_force=OLD.in_force - DAY),
        replace(LATER, equipment=(EquipmentItem("cut-card", OLD.clause),)),
        replace(LATER, wagers=LATER.wagers[:-1]),
        replace(LATER, regulator=replace(REGULATOR, approves="Baccarat, version 9")),
    ],
    ids=[
        "an older version",
        "another check list",
        "a wager with a limit is gone",
        "an approval that nobody confirmed",
    ],
)
def test_a_version_that_does_not_fit_waits(other: Document) -> None:
    assert not takes(other)
