"""Round files of several games: played under each, compared as one, and only clauses may differ."""

import pytest

from thirdcard.roundfile.games import line_together, played_together, texts_by_game
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import Comparison, Played, play
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.shelf import SHIPPED

T3, N4, DT, HO = "mbs-tiger-v3", "mbs-tiger-nc-v4", "mbs-dragon-tiger-nc-2023", "hoiana-tiger-2024/commission"
BOTH = f"""# the lines of two documents
game {T3}, {N4}
patrons Ann at 1
Dealer: opens betting
  = Place your bets, please. [3.1]
  = Round 1 begins. [{T3}: 1.1.7, 3.9; {N4}: 1.1.6, 3.8]
Ann: 100 on player at 1
  # a remark
  = Ann wagers 100.00 on player. [{T3}: 2.2.2, 3.5, 3.5.1; {N4}: 2.2.1, 3.5, 3.5.1]
Bob: 100 on player at 1
  ! unknown-patron
check Ann: won 0
"""
# no line is expected; Banker has a six with two cards, which is half paid without commission
BARE = f"""game {T3}, {N4}
patrons Ann at 1
Dealer: opens betting
Ann: 100 on banker at 1
Dealer: closes betting
Dealer: draws 2 3 2 3 K
"""


def played(text: str) -> dict[str, Played]:
    found: dict[str, Played] = {}
    for game, own in texts_by_game(text).items():
        rulebook = SHIPPED.rulebook(game)
        found[game] = play(parse(own), rulebook, SHIPPED.house(rulebook.document.house))
    return found


def together(text: str, *, update: bool = False) -> Comparison:
    return played_together(text, played(text), update=update)


def bad_line(text: str, *, update: bool = False) -> tuple[int | None, str]:
    with pytest.raises(BadLine) as raised:
        together(text, update=update)
    return raised.value.number, raised.value.what


def text_of(compared: Comparison) -> str:
    return "\n".join((*compared.lines, ""))


# reading


def test_each_game_has_the_text_of_a_file_of_its_own() -> None:
    texts = texts_by_game(BOTH)
    assert list(texts) == [T3, N4]
    assert texts[N4].splitlines()[1:6] == [
        f"game {N4}",
        "patrons Ann at 1",
        "Dealer: opens betting",
        "  = Place your bets, please. [3.1]",
        "  = Round 1 begins. [1.1.6, 3.8]",
    ]
    assert texts[T3].count("\n") == texts[N4].count("\n") == BOTH.count("\n")


@pytest.mark.parametrize("text", [f"game {T3}\n  = So. [{T3}: 1]", "patrons Ann", ""])
def test_a_file_that_does_not_name_several_games_is_read_as_it_is(text: str) -> None:
    assert list(texts_by_game(text).values()) == [text]


def test_somebody_called_game_is_not_the_head() -> None:
    (only,) = texts_by_game(f"game warden: opens, closes\ngame {T3}")
    assert only == T3


@pytest.mark.parametrize(
    ("games", "what"),
    [
        (f"{T3},", f'"{T3}," is no list of games.'),
        (f"{T3}, , {N4}", f'"{T3}, , {N4}" is no list of games.'),
        (f"{T3}, {N4}, {T3}", f"{T3} is named twice."),
        (f"{T3}, chess", "There is no game chess."),
    ],
)
def test_a_bad_list_of_games_is_told_with_its_line(games: str, what: str) -> None:
    with pytest.raises(BadLine) as raised:
        texts_by_game(f"# remark\ngame {games}\n")
    assert raised.value.number == 2
    assert raised.value.what.startswith(what)


@pytest.mark.parametrize(
    ("line", "under"),
    [
        (f"  = So. [{T3}: 1.1; {N4}: 1.2, 1.3]", "  = So. [1.2, 1.3]"),
        (f"  = So. [{T3}: 1.1; {N4}: none]", "  = So."),
        (f"  = So. [{T3}: 1.1; {N4}: 1.2, house: buy-in]", "  = So. [1.2, house: buy-in]"),
        (f"  ! no-such-wager [{N4}, {T3}: 2.2]", "  ! no-such-wager [2.2]"),
        ("  = So. [1.1, house: buy-in]", "  = So. [1.1, house: buy-in]"),
        # lists that are not those of the games stay as they are, so that they differ
        (f"  = So. [{N4}: 1.1]", f"  = So. [{N4}: 1.1]"),
        (f"  = So. [{T3}, {N4}: 1.1; {N4}: 1.2]", f"  = So. [{T3}, {N4}: 1.1; {N4}: 1.2]"),
        (f"  = So. [{T3}: 1.1; {N4}: 1.2; {DT}: 1.3]", f"  = So. [{T3}: 1.1; {N4}: 1.2; {DT}: 1.3]"),
    ],
)
def test_a_line_has_the_clauses_of_its_game(line: str, under: str) -> None:
    assert texts_by_game(f"game {T3}, {N4}\nDealer: burns\n{line}")[N4].splitlines()[-1] == under


def test_lines_are_listed_by_game_where_their_clauses_differ() -> None:
    assert line_together({T3: "= So. [1]", N4: "= So. [1]"}) == "= So. [1]"
    assert line_together({T3: "= So.", N4: "= So."}) == "= So."
    three = {T3: "= So. [1]", N4: "= So. [2]", DT: "= So. [1]"}
    assert line_together(three) == f"= So. [{T3}, {DT}: 1; {N4}: 2]"
    assert line_together({T3: "= So. [1]", N4: "= So."}) == f"= So. [{T3}: 1; {N4}: none]"
    assert line_together({T3: "= So. [1]", N4: "= Not so. [1]"}) is None


# playing


def test_a_file_holds_that_has_the_clauses_of_every_game() -> None:
    compared = together(BOTH)
    assert (compared.differences, compared.checks) == ((), 1)
    assert text_of(compared) == BOTH


def test_clauses_that_differ_are_shown_by_game() -> None:
    wrong = BOTH.replace(f"{N4}: 1.1.6, 3.8]", f"{N4}: 1.1.7]")
    compared = together(wrong)
    (difference,) = compared.differences
    assert difference.splitlines() == [
        "line 4: Dealer: opens betting",
        "       5  = Place your bets, please. [3.1]",
        f"  -    6  = Round 1 begins. [{T3}: 1.1.7, 3.9; {N4}: 1.1.7]",
        f"  +       = Round 1 begins. [{T3}: 1.1.7, 3.9; {N4}: 1.1.6, 3.8]",
    ]
    assert text_of(compared) == BOTH


def test_a_line_of_another_list_of_games_is_written_anew() -> None:
    stale = BOTH.replace(f"{N4}: 1.1.6, 3.8]", f"{N4}: 1.1.6, 3.8; {DT}: 1.1.8, 3.9]")
    compared = together(stale, update=True)
    assert len(compared.differences) == 1
    assert text_of(compared) == BOTH


def test_a_game_that_is_taken_out_leaves_lines_of_one_game() -> None:
    compared = together(BOTH.replace(f"game {T3}, {N4}", f"game {T3}"), update=True)
    assert len(compared.differences) == 2
    assert "  = Round 1 begins. [1.1.7, 3.9]" in compared.lines


def test_lines_of_a_bare_file_are_written_for_all_games() -> None:
    bare = "\n".join(line for line in BOTH.splitlines() if not line.startswith(("  =", "  !")))
    compared = together(bare, update=True)
    assert len(compared.unwritten) == 3
    assert f"  = Round 1 begins. [{T3}: 1.1.7, 3.9; {N4}: 1.1.6, 3.8]" in compared.lines
    assert "  ! unknown-patron: Bob is not at this table." in compared.lines


# what comes out differently


@pytest.mark.parametrize("update", [False, True])
def test_a_line_that_comes_out_differently_names_the_game(update: bool) -> None:
    number, what = bad_line(BARE, update=update)
    assert number == 6
    assert what == (
        f'"Dealer: draws 2 3 2 3 K" comes out differently under {N4} '
        f"(= Ann wins 50.00 on banker at 1 to 2, 100.00 back.) than under {T3} "
        "(= Ann wins 95.00 on banker at 0.95 to 1, 100.00 back.). Only clauses may differ between the games "
        f"of a file: take {N4} out of the games in the head and write a file for it."
    )


def test_the_game_that_differs_from_most_is_named() -> None:
    _, what = bad_line(BARE.replace(f"game {T3}, {N4}", f"game {T3}, {N4}, {DT}"))
    assert what.startswith(f'"Dealer: draws 2 3 2 3 K" comes out differently under {T3} (')


def test_a_line_that_follows_under_one_game_alone_names_the_game() -> None:
    number, what = bad_line(BARE.replace(N4, HO))
    assert number == 3
    assert f"under {HO} (nothing) than under {T3} (= Round 1 begins.)" in what


def test_a_refusal_under_one_game_alone_names_the_game() -> None:
    lines = f"game {T3}, {DT}\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on tiger at 1\n"
    number, what = bad_line(lines)
    assert number == 4
    assert f"under {DT} (! wager-not-offered: " in what


def test_a_check_that_holds_under_one_game_alone_names_the_other() -> None:
    number, what = bad_line(BARE + "check Ann: won 95\n")
    assert number is None
    assert what == (
        f"line 7: Ann won is 50.00, expected 95.00. It is so under {N4} alone, and a check must hold under "
        f"all games of a file: take {N4} out of the games in the head and write a file for it."
    )


def test_a_check_that_holds_under_no_game_is_a_difference() -> None:
    compared = together(BARE + "check Ann: back 90\n")
    assert compared.failed_checks == ("line 7: Ann back is 100.00, expected 90.00.",)


def test_of_a_file_with_checks_alone_the_lines_may_differ() -> None:
    compared = together(BARE.replace(N4, HO) + "Bob: 1 on tie\ncheck Ann: back 100\n")
    assert compared.differences == ()
    (refused,) = compared.refused_lines
    assert "! unknown-patron" in refused
    assert bad_line(BARE.replace(N4, HO) + "check Ann: back 100\n", update=True)[0] == 3
