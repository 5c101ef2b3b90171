"""Round files are read line by line, and a line that cannot be played is named with what to do."""

import pytest
from msgspec.structs import replace

from thirdcard.money import Currency
from thirdcard.roundfile.parse import Check, RoundRules, is_expected, parse
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.read import house_of
from thirdcard.rulebook.shelf import SHIPPED

HEAD = "game mbs-tiger-v3\npatrons Ann at 1\n"


def test_a_file_has_a_head_acts_with_what_is_expected_and_checks() -> None:
    text = """# a remark
game mbs-tiger-v3
patrons Ann at 1, Bob at 2

check Ann: won 0
Dealer: opens betting
  = Place your bets, please. [3.1]
  # an indented remark
\t! nothing of the kind

Ann: 100 on player at 1
at 2025-06-02T21:00:00Z Dealer with Pit Manager: closes betting
check Bob: net -1.50, claim 0
check house: net 0
check shoe: left 416, discards 0
"""
    file = parse(text)
    assert file.head == {"game": "mbs-tiger-v3", "patrons": "Ann at 1, Bob at 2"}
    assert "\n".join((*file.lines, "")) == text
    assert [(act.number, act.actor, expected) for act, expected in file.acts] == [
        (6, "Dealer", ("= Place your bets, please. [3.1]", "! nothing of the kind")),
        (11, "Ann", ()),
        (12, "Dealer", ()),
    ]
    last = file.acts[-1][0]
    assert (last.at, last.authoriser) == ("2025-06-02T21:00:00Z", "Pit Manager")
    assert file.checks == (
        Check(5, "Ann", (("won", "0"),)),
        Check(13, "Bob", (("net", "-1.50"), ("claim", "0"))),
        Check(14, "house", (("net", "0"),)),
        Check(15, "shoe", (("left", "416"), ("discards", "0"))),
    )


def test_who_comes_later_can_be_checked_too() -> None:
    file = parse(f"{HEAD}Cy: comes to the table at 2\ncheck Cy: won 0")
    assert file.checks[0].patron == "Cy"


def test_a_check_can_be_about_one_round() -> None:
    (first, second) = parse(f"{HEAD}check Ann in round 2: won 0\ncheck house in round 1: net 0").checks
    assert (first.patron, first.round) == ("Ann", 2)
    assert (second.patron, second.round) == ("house", 1)


def test_amounts_are_read_in_the_currency_given() -> None:
    form = replace(SHIPPED.house("hoiana").form, currency=Currency("KWD", 3))
    file = parse("game mbs-tiger-v3\nAnn: 1.005 on player", RoundRules(house=house_of(form)))
    assert getattr(file.acts[0][0].bodies[0], "amount", None) == 1005


@pytest.mark.parametrize(
    ("line", "expected"),
    [("  = so", True), ("\t! no", True), ("= so", False), ("  # why", False), ("  ", False), ("", False)],
)
def test_indented_lines_say_what_is_expected(line: str, expected: bool) -> None:
    assert is_expected(line) is expected


BAD = {
    "colour red": (
        3,
        "The head has no key colour. It has: scenario, game, house, start, layout, positions, area, device,",
    ),
    "desks 8": (3, "The head has no key desks. Perhaps decks is meant."),
    "game mbs-tiger-nc-v4": (3, "The key game stands in line 1 already. Keep one of the two."),
    "  = too early": (
        3,
        '"= too early" is indented, but nothing has been done that it could follow from. '
        "Move it below a line WHO: WHAT.",
    ),
    "Dealer: opens betting\n  Place your bets": (
        4,
        '"Place your bets" is indented, so it says what is expected. '
        "Begin it with = and a space, or with ! and a space for a refusal.",
    ),
    "Dealer: opens betting\ndecks 8": (
        4,
        "The key decks belongs to the head. Move the line above everything that is done.",
    ),
    "Dealer: opens betting\nopens betting": (
        4,
        '"opens betting" does not say who does what. Write WHO: WHAT, for example Dealer: opens betting.',
    ),
    "Dealer:": (3, '"Dealer:" does not say who does what. Write WHO: WHAT,'),
    ": opens betting": (3, '": opens betting" does not say who does what. Write WHO: WHAT,'),
    "Dealer: sings": (3, '"sings" is nothing that can be done. docs/rounds.md lists what can.'),
    "Dealer: draws": (
        3,
        '"draws" is not understood. Write it as: [for PATRON ]draws CARDS together[ to HAND]'
        ", order [un]known[ instead] / [for PATRON ]draws CARDS[ to HAND][ instead].",
    ),
    "Dealer: calls Ann": (3, '"calls Ann" is not understood. Write it as: calls WINNER[ PLAYER to BANKER].'),
    "Dealer: reports late-wager of Ann on player at 1 amount 50": (
        3,
        '"reports late-wager of Ann on player at 1 amount 50" is not understood. Write it as: '
        "reports SITUATION[ of PATRON][ HAND hand][ amount AMOUNT][ on WAGER[ at POSITION]]",
    ),
    "at noon Dealer: opens betting": (3, "noon is not an instant. Write it with its offset,"),
    "check": (3, '"" is no check. Write it like: check Ann: won 100, back 200.'),
    "check Ann won 5": (3, '"Ann won 5" is no check. Write it like: check Ann: won 100, back 200.'),
    "check Ann: won 5 and": (3, '"Ann: won 5 and" is no check.'),
    "check Ann: won 5, back": (3, '"Ann: won 5, back" is no check.'),
    "check Bob: won 5": (3, "Bob never comes to the table. Check one of: Ann, house, shoe."),
    "check Ann: luck 5": (
        3,
        "luck cannot be checked of Ann. Choose from: won, taken, back, net, claim, credits.",
    ),
    "check house: won 5": (3, "won cannot be checked of house. Choose from: net."),
    "check shoe: net 5": (3, "net cannot be checked of shoe. Choose from: left, discards."),
    "check Ann: won lots": (3, "lots is not an amount. Write it like 1000 or 316.35, without a comma."),
    "check shoe in round 1: left 4": (3, "The shoe is not checked for a round. Put the check where it must"),
    "check Ann in round two: won 5": (3, "two is not a whole number. Write it like 8."),
    "check Ann in round: won 5": (3, "Ann in round never comes to the table."),
    "check shoe: left -1": (3, "-1 is not an amount. Write it like 1000 or 316.35, without a comma."),
}


@pytest.mark.parametrize("lines", BAD)
def test_a_line_that_cannot_be_played_is_named(lines: str) -> None:
    number, what = BAD[lines]
    with pytest.raises(BadLine) as raised:
        parse(HEAD + lines)
    assert raised.value.number == number
    assert raised.value.what.startswith(what)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Ann: 100 on tiger pair at 1", "100 on tiger-pair at 1"),
        ("Ann: 100 on Tiger Pair", "100 on tiger-pair"),
        ("Dealer: finds Ann 100 on big tiger at 1", "finds Ann 100 on big-tiger at 1"),
        ("Ann: withdraws tiger tie", "withdraws tiger-tie"),
    ],
)
def test_a_wager_without_its_hyphen_is_named_with_it(line: str, meant: str) -> None:
    with pytest.raises(BadLine) as raised:
        parse(HEAD + line)
    what = line.partition(": ")[2]
    assert str(raised.value) == f'Line 3: "{what}" is not understood. Perhaps this is meant: {meant}'


def test_a_hyphen_is_not_named_where_the_line_has_no_form_with_it() -> None:
    with pytest.raises(BadLine) as raised:
        parse(f"{HEAD}Ann: sings of a tiger pair")
    assert raised.value.what.startswith('"sings of a tiger pair" is nothing that can be done.')


@pytest.mark.parametrize("text", ["", "# nothing\n", "patrons Ann at 1\n", "Dealer: opens betting\n"])
def test_a_file_must_say_which_game_it_is(text: str) -> None:
    with pytest.raises(BadLine) as raised:
        parse(text)
    assert raised.value.number is None
    assert str(raised.value) == "No line says which game it is. Add one such as: game mbs-tiger-v3."


def test_a_key_in_capitals_is_near() -> None:
    with pytest.raises(BadLine) as raised:
        parse("Game mbs-tiger-v3")
    assert str(raised.value) == "Line 1: The head has no key Game. Perhaps game is meant."


def test_an_unknown_game_is_named_with_those_that_exist() -> None:
    with pytest.raises(BadLine) as raised:
        parse("scenario S001\ngame chess")
    assert str(raised.value).startswith(
        "Line 2: There is no game chess. Choose one of: mbs-tiger-nc-v4, mbs-"
    )
