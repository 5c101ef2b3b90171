"""The picture of a scoreboard: valid XML, every sign told apart without its colour."""

import re
from xml.etree import ElementTree

import pytest
from folds.shoes import rounds
from msgspec.structs import replace

from thirdcard.folds.roads import Colour, Tail
from thirdcard.folds.scoreboard import RoundShown, next_marks, scoreboard
from thirdcard.rulebook.facts import Winner
from thirdcard.views.shapes import bead, disc, ring, slash, with_ties
from thirdcard.views.svg import svg

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture.encode())


def texts(picture: str, tag: str = "text") -> list[str]:
    return [each.text or "" for each in parsed(picture).iter(SVG + tag)]


def shape(sign: str) -> str:
    """A sign without its colours, which are its classes."""
    return re.sub(r'class="[^"]*"', "", sign)


def test_the_picture_names_every_road_the_statistics_and_the_legend() -> None:
    found = texts(svg(scoreboard(rounds("BBPTB"))))
    for title in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"):
        assert title in found
    for other in ("Scoreboard", "Rounds: 5", "Statistics", "Legend", "Longest Banker run"):
        assert other in found


def test_every_round_is_said_in_words_on_the_bead_plate_and_on_the_big_road() -> None:
    shoe = (
        RoundShown(Winner.TIE),
        RoundShown(Winner.BANKER, player_pair=True, natural=True, marks=("tiger-2",)),
        RoundShown(Winner.PLAYER, banker_pair=True),
    )
    assert texts(svg(scoreboard(shoe)), "title") == [
        "Scoreboard. Rounds: 3",
        "Round 1: Tie",
        "Round 2: Banker, Natural, Player pair, tiger-2",
        "Round 3: Player, Banker pair",
        "Round 2: Banker, Natural, Player pair, tiger-2, ties: 1",
        "Round 3: Player, Banker pair",
    ]


def test_marks_that_come_next_are_drawn_for_either_hand() -> None:
    board = scoreboard(rounds("BPBBTP"))
    assert "If Banker" not in texts(svg(board))
    told = svg(replace(board, next_marks=next_marks(rounds("BPBBTP"))))
    assert {"If Banker", "If Player"} <= {*texts(told)}
    empty = svg(replace(board, next_marks=next_marks(())))
    assert empty.count("M5 7.5h5") == 6  # no derived road has begun


def test_special_results_are_counted_and_explained_where_there_are_any() -> None:
    plain = texts(svg(scoreboard(rounds("B"))))
    special = texts(svg(scoreboard((RoundShown(Winner.BANKER, marks=("<six> & more",)),))))
    assert "Special result" not in plain
    assert "Special result" in special
    assert "<six> & more" in special


def test_an_empty_shoe_and_one_of_ties_only_are_drawn_too() -> None:
    empty, ties = svg(scoreboard(())), svg(scoreboard(rounds("TT")))
    assert texts(empty, "title") == ["Scoreboard. Rounds: 0"]
    assert texts(ties, "title") == ["Scoreboard. Rounds: 2", "Round 1: Tie", "Round 2: Tie"]
    assert texts(ties).count("2") == 4  # ties, longest run of ties, the big road and the legend
    assert texts(empty).count("2") == 1  # the legend


def test_only_so_many_columns_are_drawn_where_that_is_asked_for() -> None:
    board = scoreboard(rounds("BP" * 20))
    everything, some = svg(board), svg(board, columns=5)
    assert len(texts(everything, "title")) == 1 + 40 + 40
    assert len(texts(some, "title")) == 1 + (40 - 2 * 6) + 5
    assert "columns not drawn: 2" in texts(some)  # bead plate: 7 columns
    assert "columns not drawn: 35" in texts(some)
    assert not any("not drawn" in each for each in texts(everything))
    assert svg(board, columns=100) == everything


def test_the_newest_mark_is_drawn_even_where_an_older_tail_reaches_further() -> None:
    board = scoreboard(rounds("B" * 40 + "PPP"))
    assert board.big_road.cells[39].column == 34
    some = svg(board, columns=4)
    assert "Round 43: Player" in texts(some, "title")[-1]
    assert "columns not drawn: 31" in texts(some)


@pytest.mark.parametrize("shoe", ["B" * 100, "BP" * 50, "BBPP" * 25])
@pytest.mark.parametrize("tail", Tail)
def test_every_sign_lies_inside_the_picture(shoe: str, tail: Tail) -> None:
    root = parsed(svg(scoreboard(rounds(shoe), tail)))
    across, down = int(root.attrib["width"]), int(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {across} {down}"
    for group in root.iter(SVG + "g"):
        place = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", group.attrib["transform"])
        if place:
            assert float(place[1]) <= across - 30
            assert float(place[2]) <= down - 30


def test_signs_differ_in_shape_and_not_only_in_colour() -> None:
    outcomes = {shape(bead(RoundShown(winner))) for winner in Winner}
    assert len(outcomes) == 3
    assert [texts(f'<svg xmlns="{SVG[1:-1]}">{bead(RoundShown(winner))}</svg>') for winner in Winner] == [
        ["P"],
        ["B"],
        ["T"],
    ]
    derived = {shape(sign(colour)) for sign in (ring, disc, slash) for colour in Colour}
    assert len(derived) == 6
    plain = RoundShown(Winner.BANKER)
    extras = [
        bead(plain),
        with_ties(bead(plain), 1),
        with_ties(bead(plain), 2),
        bead(RoundShown(Winner.BANKER, natural=True)),
        bead(RoundShown(Winner.BANKER, player_pair=True)),
        bead(RoundShown(Winner.BANKER, banker_pair=True)),
        bead(RoundShown(Winner.BANKER, marks=("tiger-2",))),
    ]
    assert len({shape(sign) for sign in extras}) == 7
    assert with_ties(bead(plain), 0) == bead(plain)


def test_the_picture_is_dark_on_a_screen_and_white_on_paper() -> None:
    (style,) = texts(svg(scoreboard(())), "style")
    paper, screen = style.split("@media screen")
    assert ".paper { fill: #ffffff; }" in paper
    assert ".paper { fill: #11151b; }" in screen
