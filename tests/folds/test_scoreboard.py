"""The scoreboard of a shoe: rounds, ties, pairs, naturals and special results in their places, and counts."""

import msgspec
import pytest
from folds.shoes import letters, rounds
from hypothesis import given
from hypothesis import strategies as st

from thirdcard.computing.settling import parse_cards
from thirdcard.folds.roads import Colour, RoadCell, Tail
from thirdcard.folds.scoreboard import (
    BigRoad,
    BigRoadMark,
    DerivedRoad,
    MarkCount,
    MarksNext,
    NextMarks,
    RoundShown,
    Statistics,
    marks_of,
    next_marks,
    round_shown,
    rounds_of_shoe,
    scoreboard,
)
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.shelf import SHIPPED

P, B, T = Winner.PLAYER, Winner.BANKER, Winner.TIE
SHOES = st.text("BPT", max_size=90)
ROUNDS = st.lists(
    st.builds(RoundShown, st.sampled_from(Winner), st.booleans(), st.booleans(), st.booleans()), max_size=90
).map(tuple)


def played(game: str, cards: str) -> tuple[Rulebook, Outcome]:
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    outcome = play_out(rulebook, parse_cards(cards), rulebook.pair_rule(house))
    assert not isinstance(outcome, Refused)
    return rulebook, outcome


def test_an_empty_shoe_has_an_empty_scoreboard() -> None:
    board = scoreboard(())
    assert board.bead_plate == ()
    assert board.big_road == BigRoad(runs=(), cells=(), leading_ties=0)
    assert board.big_eye_boy == board.small_road == board.cockroach_pig == DerivedRoad((), ())
    assert board.statistics == Statistics(0, 0, 0, 0, 0, 0, 0, (), 0, 0, 0)


def test_the_bead_plate_goes_down_six_rows_and_then_to_the_right() -> None:
    plate = scoreboard(rounds("PBTPBTP")).bead_plate
    assert [(cell.row, cell.column, cell.content.winner) for cell in plate] == [
        (0, 0, P),
        (1, 0, B),
        (2, 0, T),
        (3, 0, P),
        (4, 0, B),
        (5, 0, T),
        (0, 1, P),
    ]


def test_ties_are_counted_on_the_round_before_them() -> None:
    cells = scoreboard(rounds("BTTBTPP")).big_road.cells
    assert [(cell.row, cell.column, cell.content.ties) for cell in cells] == [
        (0, 0, 2),
        (1, 0, 1),
        (0, 1, 0),
        (1, 1, 0),
    ]
    assert [cell.content.round for cell in cells] == [1, 4, 6, 7]


def test_leading_ties_are_kept_and_shown_on_the_first_win() -> None:
    road = scoreboard(rounds("TTPTB")).big_road
    assert road.leading_ties == 2
    assert road.cells == (
        RoadCell(0, 0, BigRoadMark(3, RoundShown(P), 3)),
        RoadCell(0, 1, BigRoadMark(5, RoundShown(B), 0)),
    )


def test_ties_before_any_win_are_counted_though_there_is_no_cell_yet() -> None:
    board = scoreboard(rounds("TTT"))
    assert board.big_road.cells == ()
    assert board.big_road.leading_ties == 3
    assert len(board.bead_plate) == 3


def test_pairs_and_naturals_stand_on_the_cell_of_their_own_round() -> None:
    shoe = (
        RoundShown(B, player_pair=True, natural=True),
        RoundShown(T, banker_pair=True),
        RoundShown(B, banker_pair=True, marks=("tiger-2", "small-tiger")),
    )
    board = scoreboard(shoe)
    assert tuple(cell.content for cell in board.bead_plate) == shoe
    assert [cell.content for cell in board.big_road.cells] == [
        BigRoadMark(1, RoundShown(B, player_pair=True, natural=True), 1),
        BigRoadMark(3, RoundShown(B, banker_pair=True, marks=("tiger-2", "small-tiger")), 0),
    ]


def test_a_derived_road_is_laid_out_by_change_of_colour() -> None:
    road = scoreboard(rounds("BPPPPPPPPPB")).big_eye_boy
    assert letters(road.marks) == "brrrrrrrb"
    assert road.cells == (
        RoadCell(0, 0, Colour.BLUE),
        RoadCell(0, 1, Colour.RED),
        RoadCell(1, 1, Colour.RED),
        RoadCell(2, 1, Colour.RED),
        RoadCell(3, 1, Colour.RED),
        RoadCell(4, 1, Colour.RED),
        RoadCell(5, 1, Colour.RED),
        RoadCell(5, 2, Colour.RED),
        RoadCell(0, 2, Colour.BLUE),
    )


def test_each_derived_road_compares_at_its_own_distance() -> None:
    board = scoreboard(rounds("BBBPBPPBBBBBBPPPPPPBPPPP"))
    assert letters(board.big_eye_boy.marks) == "brbbrbrrrbrrrrrrbbrr"
    assert letters(board.small_road.marks) == "bbbbrrrrbrbrrrbbrrr"
    assert letters(board.cockroach_pig.marks) == "rbbrrrrbbrrrrbbrrr"


def test_marks_that_come_next_are_asked_for_each_hand() -> None:
    # BB PP: if Banker wins a third column begins, and the second was as long as the first
    red, blue = Colour.RED, Colour.BLUE
    assert next_marks(rounds("BBPP")) == NextMarks(
        banker=MarksNext(red, None, None), player=MarksNext(blue, None, None)
    )
    # B P BB P: a tie between makes no difference
    assert next_marks(rounds("BPBBTP")) == NextMarks(
        banker=MarksNext(blue, red, red), player=MarksNext(red, blue, blue)
    )
    nothing = MarksNext(None, None, None)
    assert next_marks(()) == next_marks(rounds("T")) == NextMarks(banker=nothing, player=nothing)


@given(SHOES, st.sampled_from("BP"))
def test_the_mark_that_was_told_to_come_next_comes(shoe: str, hand: str) -> None:
    told = next_marks(rounds(shoe))
    before, after = scoreboard(rounds(shoe)), scoreboard(rounds(shoe + hand))
    for name in MarksNext.__struct_fields__:
        mark = getattr(told.banker if hand == "B" else told.player, name)
        added = getattr(after, name).marks[len(getattr(before, name).marks) :]
        assert added == (() if mark is None else (mark,)), name


def test_tail_a_is_the_default_and_b_changes_places_only() -> None:
    shoe = rounds("B" * 8 + "P" * 9)
    a, b = scoreboard(shoe), scoreboard(shoe, Tail.B)
    assert a == scoreboard(shoe, Tail.A)
    assert (a.big_road.cells[-1].row, a.big_road.cells[-1].column) == (4, 5)
    assert (b.big_road.cells[-1].row, b.big_road.cells[-1].column) == (5, 4)
    assert a.big_eye_boy.marks == b.big_eye_boy.marks
    assert a.statistics == b.statistics


def test_the_start_of_a_long_shoe_is_never_scrolled_away_before_deriving() -> None:
    board = scoreboard(rounds("BBB" + "PB" * 150))
    assert len(board.big_road.runs) == 301
    assert board.big_road.cells[-1].column == 300
    # the first column of three is compared in the first mark of each road and never again
    assert letters(board.big_eye_boy.marks) == "b" + "r" * 298
    assert letters(board.small_road.marks) == "b" + "r" * 297
    assert letters(board.cockroach_pig.marks) == "b" + "r" * 296


def test_a_void_round_is_left_out_and_everything_is_derived_again() -> None:
    with_it, without = scoreboard(rounds("BBPBBPPB")), scoreboard(rounds("BBBBPPB"))
    assert [run.length for run in with_it.big_road.runs] == [2, 1, 2, 2, 1]
    assert [run.length for run in without.big_road.runs] == [4, 2, 1]
    assert letters(without.big_eye_boy.marks) == "rb"


@given(SHOES, st.sampled_from(Tail))
def test_removing_ties_does_not_change_the_derived_roads(shoe: str, tail: Tail) -> None:
    board, without = scoreboard(rounds(shoe), tail), scoreboard(rounds(shoe.replace("T", "")), tail)
    assert board.big_eye_boy == without.big_eye_boy
    assert board.small_road == without.small_road
    assert board.cockroach_pig == without.cockroach_pig
    assert board.big_road.runs == without.big_road.runs


@given(ROUNDS, st.sampled_from(Tail))
def test_every_round_stands_on_the_bead_plate_once_and_every_tie_is_counted_once(
    shoe: tuple[RoundShown, ...], tail: Tail
) -> None:
    board = scoreboard(shoe, tail)
    assert tuple(cell.content for cell in board.bead_plate) == shoe
    assert len({(cell.row, cell.column) for cell in board.bead_plate}) == len(shoe)
    cells = board.big_road.cells
    assert [shoe[cell.content.round - 1] for cell in cells] == [cell.content.shown for cell in cells]
    ties = sum(cell.content.ties for cell in cells) if cells else board.big_road.leading_ties
    assert ties == sum(each.winner is T for each in shoe)


@given(SHOES, st.sampled_from(Tail))
def test_no_two_cells_of_a_road_share_a_place(shoe: str, tail: Tail) -> None:
    board = scoreboard(rounds(shoe), tail)
    derived = (board.big_eye_boy, board.small_road, board.cockroach_pig)
    for road in derived:
        assert tuple(cell.content for cell in road.cells) == road.marks
        assert len({(cell.row, cell.column) for cell in road.cells}) == len(road.cells)
    wins = board.big_road.cells
    assert len({(cell.row, cell.column) for cell in wins}) == len(wins)


def test_statistics_count_the_shoe() -> None:
    shoe = (
        RoundShown(P, natural=True),
        RoundShown(T, player_pair=True),
        RoundShown(P, player_pair=True, banker_pair=True),
        RoundShown(B, marks=("tiger-3", "big-tiger")),
        RoundShown(T),
        RoundShown(T, natural=True),
        RoundShown(P),
        RoundShown(B, marks=("tiger-3", "big-tiger")),
        RoundShown(B, marks=("tiger-2", "small-tiger")),
        RoundShown(B),
    )
    assert scoreboard(shoe).statistics == Statistics(
        rounds=10,
        player=3,
        banker=4,
        tie=3,
        player_pairs=2,
        banker_pairs=1,
        naturals=2,
        marks=(
            MarkCount("big-tiger", 2),
            MarkCount("small-tiger", 1),
            MarkCount("tiger-2", 1),
            MarkCount("tiger-3", 2),
        ),
        longest_player_run=2,
        longest_banker_run=3,
        longest_tie_run=2,
    )


@pytest.mark.parametrize(
    ("game", "cards", "marks"),
    [
        # Banker wins with 6 of two cards, of three cards; a tie at 6
        ("mbs-tiger-v3", "K K 2 6 A", ("tiger-2", "small-tiger")),
        ("mbs-tiger-v3", "10 A K 2 5 3", ("tiger-3", "big-tiger")),
        ("mbs-tiger-v3", "K Q 6 6", ("tiger-tie",)),
        ("mbs-tiger-nc-v4", "K K 2 6 A", ("tiger-2", "small-tiger")),
        ("hoiana-tiger-2024/commission", "10 A K 2 5 3", ("tiger-3", "big-tiger")),
        ("hoiana-tiger-2024/non-commission", "K K 2 6 A", ("tiger-2", "small-tiger")),
        ("mbs-super-six-etg-v3", "K K 2 6 A", ("super-six",)),
        ("mbs-super-six-etg-v3", "10 A K 2 5 3", ("super-six",)),
        # Player wins 7 over 6 with four, five and six cards in all; 7 over less; Banker wins with 6
        ("mbs-dragon-tiger-nc-2023", "K K 7 6", ("dragon-tiger-4", "small-dragon")),
        ("mbs-dragon-tiger-nc-2023", "K K 2 6 5", ("dragon-tiger-5", "big-dragon")),
        ("mbs-dragon-tiger-nc-2023", "K K 2 3 5 3", ("dragon-tiger-6", "big-dragon")),
        ("mbs-dragon-tiger-nc-2023", "K K 7 5 Q", ("small-dragon",)),
        ("mbs-dragon-tiger-nc-2023", "K K 2 6 A", ("small-tiger",)),
        # the roads show wins, ties and pairs anyway
        ("mbs-tiger-v3", "9 2 K 5", ()),
        ("mbs-tiger-v3", "9 9 K K", ()),
        ("mbs-tiger-v3", "K 2 K 7", ()),
        ("mbs-super-six-etg-v3", "4 2 4 7", ()),
    ],
)
def test_special_results_are_the_side_wagers_that_won(game: str, cards: str, marks: tuple[str, ...]) -> None:
    rulebook, outcome = played(game, cards)
    assert marks_of(rulebook, outcome.facts) == marks


def test_a_side_wager_that_stands_off_is_no_special_result() -> None:
    rulebook, outcome = played("mbs-super-six-etg-v3", "K K 2 6 A")
    wager = rulebook.wagers["super-six"]
    stands_off = msgspec.structs.replace(wager.rows[0], odds=None)
    changed = msgspec.structs.replace(wager, rows=(stands_off, *wager.rows))
    house_rule = msgspec.structs.replace(rulebook, wagers={**rulebook.wagers, wager.id: changed})
    assert marks_of(house_rule, outcome.facts) == ()


def test_a_round_is_shown_with_pairs_natural_and_marks() -> None:
    book, natural = played("mbs-tiger-v3", "K 2 K 7")
    assert round_shown(book, natural.facts) == RoundShown(B, player_pair=True, natural=True)
    book, tiger = played("mbs-tiger-v3", "K 3 2 3 A")
    shown = round_shown(book, tiger.facts)
    assert shown == RoundShown(B, banker_pair=True, marks=("tiger-2", "small-tiger"))


def on_the_board(game: str, acts: str) -> list[Winner]:
    """The winners on the board after a round file's lines."""
    file = parse(f"game {game}\nautomatic expose\n{acts}", RoundRules(house=SHIPPED.house("hoiana")))
    book = SHIPPED.rulebook(game)
    result = play(file, book, SHIPPED.house(book.document.house))
    assert result.refusals == ()
    return [each.winner for each in rounds_of_shoe(book, result.events)]


DEAL = "Dealer: opens betting\nDealer: closes betting\nDealer: draws {}\n"
PLAYER_WINS = DEAL.format("9 2 K 5") + "Dealer: calls player\n"
BANKER_WINS = DEAL.format("2 9 3 K") + "Dealer: calls banker\n"


def test_a_void_round_is_not_on_the_board() -> None:
    void = DEAL.format("K K 7 7") + "Dealer: reports foreign-card\nPit Manager: confirms\n"
    assert on_the_board("mbs-tiger-v3", PLAYER_WINS + void) == [P]


def test_a_free_hand_is_not_on_the_board() -> None:
    stray = (
        DEAL.format("K K 7 6") + "Dealer: reports unauthorised-player-card cards 9\nDealer: calls player\n"
    )
    free = "Dealer: deals the free hand\nDealer: draws 2 K 5\nDealer: calls player\n"
    assert on_the_board("hoiana-tiger-2024/commission", stray + free + BANKER_WINS) == [P, B]


def test_a_corrected_round_stands_on_the_board_as_corrected() -> None:
    wrong = DEAL.format("7 K 2 4")  # lies as 9 to 4, was drawn as 6 to 7
    put_right = "Dealer with Pit Manager: reports wrong-order cards 2 7 4 K\n"
    assert on_the_board("mbs-tiger-v3", wrong + put_right + "Dealer: calls banker\n") == [B]


def test_a_new_shoe_begins_a_new_board() -> None:
    assert on_the_board("mbs-tiger-v3", PLAYER_WINS + "Pit Manager: loads 8 decks\n" + BANKER_WINS) == [B]
