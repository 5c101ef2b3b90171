"""The table of play cell by cell: how rows spread, which cells clash, and which are missing."""

import msgspec
import pytest

from thirdcard.clauses import Clause
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.table_of_play import (
    NO_THIRD_CARD,
    BankerRow,
    DrawingCell,
    DrawStep,
    NaturalRow,
    PlayerRow,
    TableOfPlay,
    holes,
    place,
    spread,
)

T1, T2, T3, T4, T5 = (Clause(f"T{number}") for number in range(1, 6))

SMALL = TableOfPlay(
    clause=Clause("T"),
    natural=(NaturalRow("player", (8, 9), T1), NaturalRow("banker", (9,), T2)),
    player=(PlayerRow((0, 1), DrawStep.DRAWS, T3),),
    banker=(
        BankerRow((7,), "any", DrawStep.STANDS, T4),
        BankerRow((6, 7), "none", DrawStep.DRAWS, T5),
        BankerRow((6,), (2, 3), DrawStep.DRAWS, T4),
    ),
)


def test_every_cell_has_the_step_and_the_clause_of_its_row() -> None:
    drawing, clashes = spread(SMALL)
    assert drawing.player_naturals == {8: T1, 9: T1}
    assert drawing.banker_naturals == {9: T2}
    assert drawing.player == {0: DrawingCell(DrawStep.DRAWS, T3), 1: DrawingCell(DrawStep.DRAWS, T3)}
    assert drawing.banker == {
        **{(7, third): DrawingCell(DrawStep.STANDS, T4) for third in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)},
        (6, NO_THIRD_CARD): DrawingCell(DrawStep.DRAWS, T5),
        (7, NO_THIRD_CARD): DrawingCell(DrawStep.DRAWS, T5),
        (6, 2): DrawingCell(DrawStep.DRAWS, T4),
        (6, 3): DrawingCell(DrawStep.DRAWS, T4),
    }
    assert clashes == ()


def test_a_cell_that_two_rows_claim_is_named_with_the_clause_of_the_later_row() -> None:
    table = msgspec.structs.replace(
        SMALL,
        natural=(*SMALL.natural, NaturalRow("player", (9,), T4)),
        player=(*SMALL.player, PlayerRow((1, 8), DrawStep.STANDS, T4)),
        banker=(*SMALL.banker, BankerRow((6, 9), (3,), DrawStep.STANDS, T5)),
    )
    assert spread(table)[1] == (
        ("T4", "player 9"),
        ("T4", "player 1"),
        ("T4", "player 8"),
        ("T5", "banker 6, third card 3"),
        ("T5", "banker 9, third card 3"),
    )


def test_what_no_row_decides_is_a_hole_but_naturals_need_no_row() -> None:
    table = SHIPPED.document("mbs-tiger-v3").table_of_play
    thinner = msgspec.structs.replace(table, player=table.player[1:], banker=table.banker[1:])
    drawing, _ = spread(thinner)
    assert holes(spread(table)[0]) == ()
    assert holes(drawing) == (
        *(f"player {total}" for total in (0, 1, 2, 3, 4, 5)),
        *(
            f"banker {total}, third card {third}"
            for total in (0, 1, 2)
            for third in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
        ),
    )


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ((6, 7), "banker 6, third card 7"),
        ((0, 0), "banker 0, third card 0"),
        ((5, -1), "banker 5, player stood"),
    ],
)
def test_a_cell_of_the_banker_is_named_in_words(key: tuple[int, int], words: str) -> None:
    assert place(key) == words
