"""Logical columns, the marks derived from them, and dragon tails."""

import pytest
from folds.shoes import letters, winners
from hypothesis import given
from hypothesis import strategies as st

from thirdcard.folds.roads import RoadCell, Run, Tail, derive, lay_out, runs_of, width, window
from thirdcard.rulebook.facts import Winner

COLUMNS = st.lists(st.integers(1, 25), max_size=40).map(tuple)
OFFSETS = st.sampled_from([1, 2, 3])


def test_a_new_column_begins_at_each_change_of_winner() -> None:
    assert runs_of(winners("BBPBBB")) == (
        Run(Winner.BANKER, 2),
        Run(Winner.PLAYER, 1),
        Run(Winner.BANKER, 3),
    )


@pytest.mark.parametrize("shoe", ["TBBPB", "BTBPB", "BBTPB", "BBPTTB", "BBPBT", "TTBTBTPTBTT"])
def test_ties_neither_end_nor_lengthen_a_column(shoe: str) -> None:
    assert [run.length for run in runs_of(winners(shoe))] == [2, 1, 1]


@pytest.mark.parametrize("shoe", ["", "T", "TTT"])
def test_without_a_win_there_is_no_column(shoe: str) -> None:
    assert runs_of(winners(shoe)) == ()


@pytest.mark.parametrize(
    ("offset", "columns", "marks"),
    [
        # the first mark belongs to the second cell of the second, third or fourth column ...
        (1, (3,), ""),
        (1, (3, 1), ""),
        (1, (3, 2), "r"),
        (1, (1, 2), "b"),
        (2, (3, 9), ""),
        (2, (3, 9, 1), ""),
        (2, (3, 9, 2), "r"),
        (2, (1, 9, 2), "b"),
        (3, (3, 9, 9), ""),
        (3, (3, 9, 9, 1), ""),
        (3, (3, 9, 9, 2), "r"),
        (3, (1, 9, 9, 2), "b"),
        # ... or, where that column has one cell only, to the first cell of the next
        (1, (3, 1, 1), "b"),
        (1, (1, 1, 1), "r"),
        (2, (3, 9, 1, 1), "b"),
        (2, (1, 9, 1, 1), "r"),
        (3, (3, 9, 9, 1, 1), "b"),
        (3, (1, 9, 9, 1, 1), "r"),
    ],
)
def test_where_a_derived_road_begins(offset: int, columns: tuple[int, ...], marks: str) -> None:
    assert letters(derive(columns, offset=offset)) == marks


@pytest.mark.parametrize(
    ("columns", "marks"),
    [
        ((1, 2), "b"),
        ((1, 3), "br"),
        ((1, 6), "brrrr"),
        ((2, 2), "r"),
        ((2, 3), "rb"),
        ((2, 4), "rbr"),
        ((2, 6), "rbrrr"),
    ],
)
def test_a_run_longer_by_two_or_more_than_the_column_compared_is_red_again(
    columns: tuple[int, int], marks: str
) -> None:
    assert letters(derive(columns, offset=1)) == marks


def test_a_new_column_is_red_when_the_two_before_it_are_equally_long() -> None:
    assert letters(derive((2, 2, 1), offset=1)) == "rr"
    assert letters(derive((2, 3, 1), offset=1)) == "rbb"
    assert letters(derive((3, 2, 1), offset=1)) == "rb"


def test_marks_come_from_logical_columns_though_the_drawn_ones_are_six_deep() -> None:
    # drawn, both runs turn right after six and five cells; a seventh cell is still below a sixth
    assert letters(derive((9, 9), offset=1)) == "rrrrrrrr"
    assert letters(derive((6, 9), offset=1)) == "rrrrrbrr"
    # the tail of the first run is drawn beside the third column and is no part of it
    assert letters(derive((9, 1, 2, 1), offset=1)) == "bbb"
    assert letters(derive((9, 1, 2, 1), offset=2)) == "rb"


def test_a_whole_shoe_typed_in() -> None:
    # columns B3 P1 B1 P2 B6 P6 B1 P4
    shoe = "BBBPBPPBBBBBBPPPPPPBPPPP"
    columns = tuple(run.length for run in runs_of(winners(shoe)))
    assert columns == (3, 1, 1, 2, 6, 6, 1, 4)
    assert letters(derive(columns, offset=1)) == "brbbrbrrrbrrrrrrbbrr"
    assert letters(derive(columns, offset=2)) == "bbbbrrrrbrbrrrbbrrr"
    assert letters(derive(columns, offset=3)) == "rbbrrrrbbrrrrbbrrr"


def textbook(shoe: str, offset: int) -> str:
    """A derived road as people are taught it, round by round on a sheet without bottom.

    Going down, look to the left: the place beside and the one above it both filled or both empty is red, else
    blue. For a new column write the opposite of what its last column would have brought by going on.
    """
    sheet: set[tuple[int, int]] = set()
    row, column, last, marks = 0, -1, "", ""

    def down(row: int, column: int) -> str:
        beside, above = (row, column - offset) in sheet, (row - 1, column - offset) in sheet
        return "r" if beside == above else "b"

    for letter in shoe:
        if letter == "T":
            continue
        if letter == last:
            row += 1
            marks += down(row, column) if column >= offset else ""
        else:
            if column >= offset:
                marks += {"r": "b", "b": "r"}[down(row + 1, column)]
            row, column, last = 0, column + 1, letter
        sheet.add((row, column))
    return marks


@given(st.text("BPT", max_size=90), OFFSETS)
def test_marks_are_those_of_the_textbook(shoe: str, offset: int) -> None:
    columns = tuple(run.length for run in runs_of(winners(shoe)))
    assert letters(derive(columns, offset=offset)) == textbook(shoe, offset)


@given(COLUMNS, OFFSETS)
def test_every_win_from_the_second_cell_of_the_first_column_compared_has_a_mark(
    columns: tuple[int, ...], offset: int
) -> None:
    assert len(derive(columns, offset=offset)) == max(0, sum(columns[offset:]) - 1)


@given(st.text("BP", min_size=1, max_size=60), OFFSETS)
def test_a_further_round_never_changes_the_marks_before_it(shoe: str, offset: int) -> None:
    before, after = (
        derive(tuple(run.length for run in runs_of(winners(each))), offset=offset)
        for each in (shoe[:-1], shoe)
    )
    assert after[: len(before)] == before


def drawn(lengths: tuple[int, ...], tail: Tail) -> list[str]:
    """Runs in their places, each by its own letter."""
    names = "".join(letter * length for letter, length in zip("abcdefghij", lengths, strict=False))
    places = lay_out(lengths, tail)
    at = dict(zip(places, names, strict=True))
    columns = max(column for _, column in places) + 1
    return ["".join(at.get((row, column), ".") for column in range(columns)) for row in range(6)]


@pytest.mark.parametrize("tail", Tail)
def test_a_run_of_more_than_six_turns_right_at_the_bottom(tail: Tail) -> None:
    assert drawn((8, 2), tail) == [
        "ab.",
        "ab.",
        "a..",
        "a..",
        "a..",
        "aaa",
    ]


@pytest.mark.parametrize("tail", Tail)
def test_a_run_turns_right_above_the_tail_of_another(tail: Tail) -> None:
    assert drawn((8, 7, 3), tail) == [
        "abc.",
        "abc.",
        "abc.",
        "ab..",
        "abbb",
        "aaa.",
    ]


def test_with_tail_a_a_run_that_has_turned_stays_in_its_row() -> None:
    assert drawn((8, 9), Tail.A) == [
        "ab....",
        "ab....",
        "ab....",
        "ab....",
        "abbbbb",
        "aaa...",
    ]


def test_with_tail_b_a_run_drops_again_when_the_place_below_is_free() -> None:
    assert drawn((8, 9), Tail.B) == [
        "ab...",
        "ab...",
        "ab...",
        "ab...",
        "abbb.",
        "aaabb",
    ]


def test_tails_that_pile_up_to_the_top_row() -> None:
    assert drawn((7, 7, 7, 7, 7, 4), Tail.A) == [
        "abcdeffff.",
        "abcdeeeeee",
        "abcddddd..",
        "abcccc....",
        "abbb......",
        "aa........",
    ]
    assert drawn((7, 7, 7, 7, 7, 4), Tail.B) == [
        "abcdeff",
        "abcdeef",
        "abcddef",
        "abccde.",
        "abbcde.",
        "aabcde.",
    ]


def test_a_run_begins_at_the_next_free_place_of_the_top_row() -> None:
    # run f cannot go down at all, so g begins three columns further on
    assert drawn((12, 11, 10, 9, 8, 3, 2), Tail.A) == [
        "abcdefffgg.",
        "abcdeeeeeee",
        "abcddddddd.",
        "abccccccc..",
        "abbbbbbb...",
        "aaaaaaa....",
    ]


@given(COLUMNS, st.sampled_from(Tail))
def test_no_two_marks_share_a_place(lengths: tuple[int, ...], tail: Tail) -> None:
    places = lay_out(lengths, tail)
    assert len(places) == len(set(places)) == sum(lengths)
    assert all(0 <= row < 6 and column >= 0 for row, column in places)


@given(COLUMNS, st.sampled_from(Tail))
def test_each_mark_of_a_run_stands_right_of_or_below_the_one_before(
    lengths: tuple[int, ...], tail: Tail
) -> None:
    places = iter(lay_out(lengths, tail))
    for length in lengths:
        row, column = next(places)
        assert row == 0
        for _ in range(length - 1):
            after = next(places)
            assert after in {(row + 1, column), (row, column + 1)}
            row, column = after


def test_the_width_of_a_road_is_its_last_column() -> None:
    assert width([]) == 0
    assert width([RoadCell(0, 0, None), RoadCell(5, 7, None), RoadCell(1, 2, None)]) == 8


@pytest.mark.parametrize(
    ("widths", "newest", "room", "columns"),
    [
        ([1] * 9, 8, 4, [5, 6, 7, 8]),
        ([1] * 9, 8, 9, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ([1] * 9, 8, 99, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        # an older tail reaches beyond the newest mark: what came before is more than what is beside
        ([1] * 9, 5, 4, [2, 3, 4, 5]),
        ([1] * 9, 1, 4, [0, 1, 2, 3]),
        # wide columns take more room, and the newest is drawn however little there is
        ([2, 5, 2, 3], 3, 7, [2, 3]),
        ([2, 5, 2, 3], 3, 10, [1, 2, 3]),
        ([2, 5, 2, 3], 0, 4, [0]),
        ([2, 5, 2, 3], 1, 3, [1]),
    ],
)
def test_where_not_all_columns_have_room_the_newest_mark_does(
    widths: list[int], newest: int, room: int, columns: list[int]
) -> None:
    assert list(window(widths, newest=newest, room=room)) == columns
