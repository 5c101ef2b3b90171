"""Round files are played: what differs is shown with its line, checks hold where they stand."""

import pytest
from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all, begin
from thirdcard.game.state import Device, Phase
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import Played, play
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import WagerLimits
from thirdcard.rulebook.shelf import find_rulebook, shelf_house

NATURAL = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
  = Place your bets, please. [3.1]
  = Round 1 begins. [1.1.7, 3.9]
Ann: 100 on player at 1
  = Ann has 100.00 more on player. [2.2.2, 3.5, 3.5.1]
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
    rulebook = find_rulebook(file.settings.game)
    assert isinstance(rulebook, Rulebook)
    return play(file, rulebook, shelf_house(rulebook.document.house))


def refused_set_up(text: str) -> BadLine:
    with pytest.raises(BadLine) as raised:
        played(text)
    return raised.value


def test_what_was_played_can_be_counted() -> None:
    result = played(NATURAL)
    assert result.differences == ()
    assert (result.patrons["Ann"].won, result.patrons["Ann"].back, result.house_net) == (10000, 10000, -10000)
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


def test_the_limits_of_the_house_for_a_single_wager_are_posted() -> None:
    book = find_rulebook("mbs-tiger-v3")
    assert isinstance(book, Rulebook)
    house = shelf_house(book.document.house)
    limits = replace(house.form.limits, wager={"tie": WagerLimits(minimum="20", maximum="30")})
    own = replace(house, form=replace(house.form, limits=limits))
    posted = {
        each.wager: (each.minimum, each.maximum)
        for each in play(parse("game mbs-tiger-v3\n"), book, own).table.setup.limits
    }
    assert posted["tie"] == (2000, 3000)
    assert posted["player"] == (5000, 500000)
    assert posted["tiger"] == (1000, 50000)
