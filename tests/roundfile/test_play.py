"""Round files are played: what differs is shown with its line, checks hold where they stand."""

import pytest
from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all, begin
from thirdcard.game.state import Phase
from thirdcard.game.table_setup import Device
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import Played, play
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.house import WagerLimits
from thirdcard.rulebook.shelf import SHIPPED

NATURAL = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
  = Place your bets, please. [3.1]
  = Round 1 begins. [1.1.7, 3.9]
Ann: 100 on player at 1
  = Ann wagers 100.00 on player. [2.2.2, 3.5, 3.5.1]
Dealer: closes betting
  = No more bets: betting is closed. [3.2]
Dealer: draws 9 2 K 5
  = Player gets 9. [3.13, 3.13.1, 3.9.1, 3.11.1]
  = Banker gets 2. [3.13, 3.13.2, 3.9.1, 3.11.1]
  = Player gets K. [3.13, 3.13.1, 3.9.1, 3.11.1]
  = Banker gets 5. [3.13, 3.13.2, 3.9.1, 3.11.1]
  = Player 9, Banker 7: Player wins. [3.13, 3.13.1, 3.13.2, 1.1.3, 1.1.5, 3.3.1, 3.3.2, 3.4.1, 1.1.6, \
3.15.T1, 3.16]
  = Called: Player wins.
  = Ann wins 100.00 on player at 1 to 1, 100.00 back. [4.1.T2, 3.16]
  = Round 1 is over. [1.1.7]
"""


def played(text: str) -> Played:
    file = parse(text)
    rulebook = SHIPPED.rulebook(file.settings.game)
    return play(file, rulebook, SHIPPED.house(rulebook.document.house))


def refused_set_up(text: str) -> BadLine:
    with pytest.raises(BadLine) as raised:
        played(text)
    return raised.value


def test_what_was_played_can_be_counted() -> None:
    result = played(NATURAL)
    assert result.differences == ()
    assert (result.patrons["Ann"].won, result.patrons["Ann"].back) == (10000, 10000)
    assert result.table.phase is Phase.IDLE
    first, *rest = result.events
    assert isinstance(first, ev.TableSetUp)
    assert apply_all(begin(first), rest) == result.table


def test_events_and_refusals_are_kept_in_order() -> None:
    result = played("game mbs-tiger-v3\nAnn: opens betting\nDealer: opens betting\nDealer: opens betting")
    assert [isinstance(each, Refused) for each in result.happened[-4:]] == [True, False, False, True]
    assert result.happened[-4:][0] == result.refusals[0]
    assert tuple(each for each in result.happened if not isinstance(each, Refused)) == result.events


def test_after_a_refusal_nothing_more_of_the_line_is_done() -> None:
    result = played("game mbs-tiger-v3\nDealer: draws 9 2\n  ! not-in-this-phase [1.1.7]")
    assert result.differences == ()
    assert len(result.refusals) == 1


def test_a_line_that_is_refused_half_way_lays_no_card() -> None:
    text = """game mbs-tiger-v3
Dealer: opens betting
  = Place your bets, please. [3.1]
  = Round 1 begins. [1.1.7, 3.9]
Dealer: closes betting
  = No more bets: betting is closed. [3.2]
Dealer: draws 9 2 K 5 8
  ! not-in-this-phase [1.1.7]
check shoe: left 416, discards 0
"""
    result = played(text)
    assert result.differences == ()
    assert result.table.round is not None
    assert result.table.round.cards == ()
    assert [isinstance(each, Refused) for each in result.happened[-2:]] == [False, True]
    assert not any(isinstance(event, ev.CardDrawn) for event in result.events)
    first, *rest = result.events
    assert isinstance(first, ev.TableSetUp)
    assert apply_all(begin(first), rest) == result.table


def test_the_card_at_which_a_line_is_refused_is_named() -> None:
    text = "game mbs-tiger-v3\nDealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5 8\n"
    (refused,) = played(text).refused_lines
    assert refused.splitlines() == [
        "line 4: Dealer: draws 9 2 K 5 8",
        "  +       ! not-in-this-phase: This cannot be done now: the table is between rounds. [1.1.7]",
        "  Card 5 of this line is refused, so none of them is drawn.",
    ]


@pytest.mark.parametrize(
    "expected",
    [
        "not-in-this-phase [1.1.7]",
        "not-in-this-phase: This cannot be done now: the table is between rounds. [1.1.7]",
    ],
)
def test_a_refusal_can_be_expected_with_its_sentence_or_without(expected: str) -> None:
    text = f"game mbs-tiger-v3\nDealer: draws 9\n  ! {expected}"
    result = played(text)
    assert result.differences == ()
    assert "\n".join(result.lines) == text


@pytest.mark.parametrize(
    "expected",
    [
        "not-in-this-phase",
        "not-in-this-phase: This cannot be done now. [1.1.7]",
        "not-staff [1.1.7]",
        "not-in-this-phase [1.1.7]\n  ! not-in-this-phase [1.1.7]",
    ],
)
def test_another_refusal_than_expected_is_shown_with_its_sentence(expected: str) -> None:
    result = played(f"game mbs-tiger-v3\nDealer: draws 9\n  ! {expected}")
    (difference,) = result.differences
    came = "! not-in-this-phase: This cannot be done now: the table is between rounds. [1.1.7]"
    assert difference.splitlines()[-1] == f"  +       {came}"
    assert result.lines[2:] == (f"  {came}",)


POSITIONS = {
    "mbs-tiger-v3, at 12": (
        "There is no position 12: layout A has positions 1 to 8 here. Layouts with a position 12: E. [App.A]"
    ),
    "mbs-tiger-v3, at 17": (
        "There is no position 17: layout A has positions 1 to 8 here, and no layout of the game has more."
        " [App.A]"
    ),
    "mbs-tiger-v3, at 0": "No position is named. Layout A has positions 1 to 8 here; write one, like: at 1.",
    "hoiana-tiger-2024/commission, at 5": (
        "There is no position 5: layout 3 has positions 1 to 4 here. Layouts with a position 5: 4. [App.A.3]"
    ),
    "mbs-super-six-etg-v3, at 1": "Terminals have no positions. Leave out: at 1.",
}


@pytest.mark.parametrize("where", POSITIONS)
def test_a_position_that_is_not_there_is_refused_with_the_positions_of_the_layout(where: str) -> None:
    game, _, position = where.partition(",")
    text = f"game {game}\npatrons Ann\nDealer: opens betting\nAnn: 100 on player{position}\n"
    reason = "unknown-position" if position else "position-needed"
    assert f"  ! {reason}: {POSITIONS[where]}" in played(text).lines


def test_a_position_that_is_left_out_is_asked_for() -> None:
    result = played("game mbs-tiger-v3\npatrons Ann\nDealer: opens betting\nAnn: 100 on player\n")
    asked = "No position is named. Layout A has positions 1 to 8 here; write one, like: at 1."
    assert f"  ! position-needed: {asked}" in result.lines


def test_an_instant_before_a_line_is_when_it_is_done() -> None:
    text = """game mbs-tiger-v3
Pit Manager: appoints Eve acting pit-manager until 2025-06-02T22:00:00+00:00
  = Eve acts as Pit Manager until 2025-06-02 22:00:00+00:00. [6.2]
at 2025-06-02T21:00:00Z Eve: changes to method A
  = Method A is in use. [3.9.2, 6.2, 3.9]
at 2025-06-02T23:00:00Z Eve: changes to method B
  ! not-authorised [3.9.2]
"""
    assert played(text).differences == ()


def test_a_difference_shows_the_lines_with_their_numbers() -> None:
    changed = NATURAL.replace("Player gets K", "Player gets Q").replace("  = Called: Player wins.\n", "")
    result = played(changed)
    (difference,) = result.differences
    assert difference.splitlines()[0] == "line 10: Dealer: draws 9 2 K 5"
    shown = [line[:26].rstrip() for line in difference.splitlines()[1:]]
    assert shown == [
        "      12  = Banker gets 2.",
        "  -   13  = Player gets Q.",
        "  +       = Player gets K.",
        "      14  = Banker gets 5.",
        "      15  = Player 9, Bank",
        "  +       = Called: Player",
        "      16  = Ann wins 100.0",
    ]


def test_what_came_takes_the_place_of_what_was_expected_and_nothing_else_moves() -> None:
    text = """# above
game mbs-tiger-v3

Dealer: opens betting  # no remark, but part of no line either
"""
    with pytest.raises(BadLine):
        parse(text)
    text = """# above
game mbs-tiger-v3
Dealer: opens betting
  # why
  = Wrong.
# between

check house: net 1
Dealer: closes betting
"""
    result = played(text)
    assert (
        "\n".join((*result.lines, ""))
        == """# above
game mbs-tiger-v3
Dealer: opens betting
  = Place your bets, please. [3.1]
  = Round 1 begins. [1.1.7, 3.9]
  # why
# between

check house: net 1
Dealer: closes betting
  = No more bets: betting is closed. [3.2]
"""
    )
    assert len(result.differences) == 3
    assert result.failed_checks == ("line 8: house net is 0.00, expected 1.00.",)
    assert result.differences[-1] == result.failed_checks[0]


BARE = "".join(line for line in NATURAL.splitlines(keepends=True) if not line.startswith(" "))


def test_a_file_with_checks_only_differs_in_its_checks_only() -> None:
    result = played(BARE + "check Ann: won 100")
    assert (result.differences, result.checks) == ((), 1)
    assert len(result.unwritten) == 4
    assert "\n".join((*result.lines, "")) == NATURAL + "check Ann: won 100\n"
    assert played(BARE + "check Ann: won 90").differences == ("line 7: Ann won is 100.00, expected 90.00.",)


def test_refused_lines_of_a_file_with_checks_only_are_told() -> None:
    result = played(BARE + "Bob: 100 on player at 2\ncheck Ann: won 100")
    assert result.differences == ()
    assert result.refused_lines == (
        "line 7: Bob: 100 on player at 2\n  +       ! unknown-patron: Bob is not at this table.",
    )


def test_one_expected_line_makes_all_lines_count() -> None:
    result = played(BARE.replace("Dealer: opens betting", "Dealer: opens betting\n  = Wrong."))
    assert len(result.differences) == 4
    assert (result.unwritten, result.refused_lines, result.checks) == ((), (), 0)


def test_a_check_holds_where_it_stands() -> None:
    lines = NATURAL.splitlines()
    early = "\n".join((*lines[:7], "check Ann: won 0, net 0", *lines[7:], "check Ann: won 100, net 100.00"))
    assert played(early).failed_checks == ()
    late = NATURAL + "check Ann: won 0, taken 0, back 1\n"
    assert played(late).failed_checks == (
        "line 19: Ann won is 100.00, expected 0.00.",
        "line 19: Ann back is 100.00, expected 1.00.",
    )
    assert played("game mbs-tiger-v3\npatrons Ann at 1\ncheck Ann: won 1").failed_checks == (
        "line 3: Ann won is 0.00, expected 1.00.",
    )


def test_the_house_the_shoe_credits_and_claims_can_be_checked() -> None:
    rest = "check house: net -100\ncheck shoe: left 412, discards 4\ncheck Ann: credits 0, claim 0\n"
    assert played(NATURAL + rest).failed_checks == ()
    wrong = "check house: net 100\ncheck shoe: left 0411\ncheck Ann: credits 1, claim 1\n"
    assert played(NATURAL + wrong).failed_checks == (
        "line 19: house net is -100.00, expected 100.00.",
        "line 20: shoe left is 412, expected 411.",
        "line 21: Ann credits is 0.00, expected 1.00.",
        "line 21: Ann claim is 0.00, expected 1.00.",
    )
    assert played("game mbs-tiger-v3\nshoe empty\ncheck shoe: left 0, discards 0").failed_checks == ()
    terminal = "game mbs-super-six-etg-v3\npatrons T1\nT1: buys 5 credits\ncheck T1: credits 5"
    assert played(terminal).failed_checks == ()


def test_a_file_without_anything_done_plays() -> None:
    result = played("game mbs-tiger-v3")
    assert result.differences == ()
    assert result.lines == ("game mbs-tiger-v3",)


def test_the_head_sets_the_table_up() -> None:
    table = played("game mbs-tiger-v3").table
    assert table.setup.layout == "A"
    assert (table.setup.positions, table.setup.decks, table.setup.differential) == (8, 8, 1000000)
    assert (table.setup.device, table.phase) == (Device.PLAIN, Phase.IDLE)
    assert {limit.wager: (limit.minimum, limit.maximum) for limit in table.setup.limits}["tie"] == (
        1000,
        50000,
    )
    table = played(
        "game mbs-tiger-v3\nlayout E\npositions 16\ndecks 4\ndifferential 7\nmain 1 2\nside 3 4\n"
        "table shut\nleft 100\npatrons Ann at 16 standing"
    ).table
    assert (table.setup.positions, table.setup.decks, table.setup.differential) == (16, 4, 700)
    assert {(limit.minimum, limit.maximum) for limit in table.setup.limits} == {(100, 200), (300, 400)}
    assert table.phase is Phase.SHUT
    assert table.shoe is not None
    assert (table.shoe.left, table.shoe.discards) == (100, 108)
    assert not table.patrons[0].seated


def test_a_game_with_a_check_list_and_a_burn_is_set_up_with_them() -> None:
    table = played("game hoiana-tiger-2024/commission").table
    assert len(table.equipment) == 9
    assert table.setup.device is Device.CARD_READING
    assert table.shoe is not None
    assert table.shoe.burned == 1
    table = played("game hoiana-tiger-2024/commission\ntable shut\nequipment by hand\nburn forgotten").table
    assert table.equipment == ()
    assert table.shoe is not None
    assert table.shoe.burned is None


def test_a_terminal_game_needs_no_layout() -> None:
    table = played("game mbs-super-six-etg-v3\npatrons T1").table
    assert table.setup.terminal
    assert (table.setup.layout, table.setup.positions) == (None, 0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("start 2020-01-01T00:00:00Z", "mbs-tiger-v3 is in force only from"),
        ("layout Q", "There is no layout Q here. Choose one of: A, B, C, D, E, F, G, H."),
        ("positions 99", "Layout A has 1 to 8 positions, not 99."),
        ("decks 3", "4 to 10 decks are permitted, not 3."),
        ("method C", "Method C is not permitted in this area."),
    ],
)
def test_a_head_that_the_rules_do_not_allow_is_a_bad_line(line: str, reason: str) -> None:
    refused = refused_set_up(f"scenario S001\n{line}\ngame mbs-tiger-v3")
    assert refused.number == 2
    assert refused.what.startswith(f"The table cannot be set up. {reason}")


def test_a_set_up_refused_for_what_the_head_does_not_name_is_blamed_on_the_game() -> None:
    refused = refused_set_up("scenario S001\ngame mbs-super-six-etg-v3\nmethod A")
    assert (refused.number, refused.what.startswith("The table cannot be set up. Method A is")) == (3, True)
    refused = refused_set_up("scenario S001\nequipment by hand\ngame hoiana-tiger-2024/commission")
    assert refused.number == 2


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ("left 417", "417 cards cannot be left of a shoe of 416. Give a smaller number."),
        ("shoe empty\nleft 0", "0 cards cannot be left of a shoe of 0. Give a smaller number."),
    ],
)
def test_no_more_cards_can_be_left_than_there_are(lines: str, what: str) -> None:
    assert refused_set_up(f"game mbs-tiger-v3\n{lines}").what == what


def posted(text: str, *, tie: WagerLimits | None = None) -> dict[str, tuple[int, int]]:
    """The limits of a table in whole units, at a house with a limit for the tie wager or without."""
    book = SHIPPED.rulebook("mbs-tiger-v3")
    house = SHIPPED.house(book.document.house)
    limits = replace(house.form.limits, wager={"tie": tie} if tie else {})
    own = replace(house, form=replace(house.form, limits=limits))
    table = play(parse(f"game mbs-tiger-v3\n{text}"), book, own).table
    return {each.wager: (each.minimum // 100, each.maximum // 100) for each in table.setup.limits}


TIE = WagerLimits(minimum="20", maximum="30")


def test_the_limits_of_a_kind_are_those_of_the_house() -> None:
    found = posted("")
    assert (found["player"], found["tie"], found["tiger"]) == ((50, 5000), (10, 500), (10, 500))


def test_the_limits_of_a_kind_in_the_file_go_before_those_of_the_house() -> None:
    found = posted("main 1 2\nside 3 4")
    assert (found["player"], found["tie"], found["tiger"]) == ((1, 2), (3, 4), (3, 4))


def test_the_limit_of_the_house_for_a_wager_goes_before_those_of_its_kind() -> None:
    found = posted("", tie=TIE)
    assert (found["player"], found["tie"], found["tiger"]) == ((50, 5000), (20, 30), (10, 500))
    found = posted("side 3 4", tie=TIE)
    assert (found["tie"], found["tiger"]) == ((20, 30), (3, 4))


def test_the_limit_of_the_file_for_a_wager_goes_before_all_others() -> None:
    found = posted("limit tie 5 6\nside 3 4\nmain 1 2\nlimit banker 7 8", tie=TIE)
    assert (found["tie"], found["tiger"]) == ((5, 6), (3, 4))
    assert (found["banker"], found["player"]) == ((7, 8), (1, 2))


@pytest.mark.parametrize(
    ("wager", "hint"),
    [
        ("tigerpair", "Perhaps tiger-pair is meant."),
        ("Tie", "Perhaps tie is meant."),
        (
            "roulette",
            "It has: player, banker, tie, tiger, big-tiger, small-tiger, tiger-pair, tiger-tie.",
        ),
    ],
)
def test_a_limit_for_a_wager_that_the_game_does_not_have_is_a_bad_line(wager: str, hint: str) -> None:
    refused = refused_set_up(f"game mbs-tiger-v3\nlimit tie 10 20\nlimit {wager} 10 200")
    assert (refused.number, refused.what) == (3, f"mbs-tiger-v3 has no wager {wager}. {hint}")


UNDER = """game {game}
main 100 5000
patrons Ann at 1, Bob at 2
{marked}
Dealer: opens betting
Dealer: closes betting
Dealer with Pit Manager: finds Ann 50 on player at 1
Dealer with Pit Manager: finds Bob 50 on player at 2
Dealer: draws 9 2 K 5
"""


def test_a_patron_can_begin_marked() -> None:
    fresh = played(UNDER.format(game="mbs-tiger-v3", marked="") + "check Ann: won 50\ncheck Bob: won 50")
    assert fresh.failed_checks == ()
    marked = played(
        UNDER.format(game="mbs-tiger-v3", marked="marked Ann")
        + "check Ann: won 0, back 50\ncheck Bob: won 50"
    )
    assert marked.failed_checks == ()
    first = next(event for event in marked.events if isinstance(event, ev.PatronMarked))
    assert first == ev.PatronMarked(patron="Ann", round=0, clauses=(Clause("5.14"),))


def test_who_is_marked_must_be_at_the_table() -> None:
    refused = refused_set_up("game mbs-tiger-v3\npatrons Ann at 1, Bob at 2\nmarked Ann, Cy")
    told = "Cy is not among the patrons of the head. Add Cy there, or mark somebody who is."
    assert (refused.number, refused.what) == (3, told)


def test_nobody_is_marked_where_the_game_has_no_rule_for_it() -> None:
    refused = refused_set_up("game mbs-super-six-etg-v3\npatrons T1\nmarked T1")
    assert refused.what.startswith("mbs-super-six-etg-v3 marks nobody: it has no rule for a wager under the")


@pytest.mark.parametrize(
    ("wager", "sentence"),
    [
        (
            "tigerpair",
            "mbs-tiger-v3 does not offer the wager tigerpair. It offers: {} Perhaps tiger-pair is meant.",
        ),
        ("roulette", "mbs-tiger-v3 does not offer the wager roulette. It offers: {}"),
    ],
)
def test_a_wager_that_is_not_offered_is_refused_with_what_is_perhaps_meant(wager: str, sentence: str) -> None:
    offered = "player, banker, tie, tiger, big-tiger, small-tiger, tiger-pair, tiger-tie."
    result = played(f"game mbs-tiger-v3\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on {wager} at 1\n")
    assert result.lines[-1].startswith(f"  ! wager-not-offered: {sentence.format(offered)}")


@pytest.mark.parametrize(
    ("line", "name", "near"),
    [
        ("Pit Manger: confirms", "Pit Manger", "Pit Manager"),
        ("dealer: opens betting", "dealer", "Dealer"),
        ("Assistant: confirms", "Assistant", "Assistant Casino Manager"),
        ("Dealer with Pit Manger: changes to method A", "Pit Manger", "Pit Manager"),
        (
            "Ann: complains in dispute 1 helped by Pit-Manager because it was a tie",
            "Pit-Manager",
            "Pit Manager",
        ),
    ],
)
def test_a_misspelt_post_is_a_bad_line(line: str, name: str, near: str) -> None:
    refused = refused_set_up(f"game mbs-tiger-v3\npatrons Ann at 1\nDealer: opens betting\n{line}")
    assert (refused.number, refused.what) == (4, f"Nobody here is called {name}. Perhaps {near} is meant.")


@pytest.mark.parametrize(
    "lines",
    [
        "patrons Dealar at 1\nDealar: leaves the table",
        "Dealer 2: comes on duty as dealer",
        "Dealar: comes to the table at 2",
        "Pit Manager: appoints Pit Manger acting pit-manager until 2025-06-03T04:00:00+00:00\n"
        "Pit Manger: confirms",
        "Dana: opens betting",
        "Shift Manager: opens betting",  # a post of the other house
    ],
)
def test_a_name_that_somebody_has_or_that_is_like_no_post_is_no_slip(lines: str) -> None:
    assert played(f"game mbs-tiger-v3\n{lines}").differences == ()
